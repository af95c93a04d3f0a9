"""`Part`: a part of Cell to a type checker, which uses attributes of the other parts."""

from typing import TYPE_CHECKING, Any


class Part:
    """The base of the parts of Cell."""

    if TYPE_CHECKING:

        def __getattr__(self, name) -> Any: ...

        def __call__(self, *args, **kwargs) -> Any: ...
