"""Makes the constructor of a distribution from the contracts of its parameters."""

import inspect
import sys
from collections.abc import Callable
from typing import Any

from ...._contracts.enforcement import checked
from ...._contracts.signature import bare, function
from ....engine import dtypes
from .._parameters import FloatType

_INPUT = inspect.Parameter.POSITIONAL_OR_KEYWORD


def constructor(dtype: Any = dtypes.float32, dtypes_taken=FloatType, **kinds) -> Callable[..., None]:
    """Makes an ``__init__`` with optional parameters, ``seed``, ``dtype`` and ``name``, which calls `_declare_`.

    Call it in the body of the class, whose name is the default of ``name``.

    Args:
        dtype (mindspore.dtype): the default dtype of samples.
        dtypes_taken (Kind): the contract of ``dtype``.
        kinds (Kind): the contract of each parameter, by name. A parameter that is None must be passed to calls.
    Example:
        >>> class Shifted(Distribution):
        ...     __init__ = constructor(loc=Anything)
        >>> Shifted(2.0).name
        'Shifted'
    """
    path = sys._getframe(1).f_locals["__qualname__"]
    parameters = [
        inspect.Parameter("self", _INPUT),
        *[inspect.Parameter(name, _INPUT, default=None, annotation=kind | None) for name, kind in kinds.items()],
        inspect.Parameter("seed", _INPUT, default=None),
        inspect.Parameter("dtype", _INPUT, default=dtype, annotation=dtypes_taken),
        inspect.Parameter("name", _INPUT, default=path.rpartition(".")[2]),
    ]
    signature = inspect.Signature(parameters)
    named = "".join(f", {name}={name}" for name in kinds)
    init = function("__init__", bare(signature), f"self._declare_(seed, dtype, name{named})", {})
    init.__signature__ = signature
    init.__qualname__ = f"{path}.__init__"  # shown in Python's TypeErrors
    return checked(init)
