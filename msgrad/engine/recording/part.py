"""`Part`: a part of `Trace` to a type checker, which uses attributes of the other parts."""

from typing import TYPE_CHECKING, Any


class Part:
    """The base of the parts of a `Trace`."""

    if TYPE_CHECKING:

        def __getattr__(self, name) -> Any: ...
