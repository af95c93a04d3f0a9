"""Arguments of msgrad's layers that are no Tensors: the TypeError names the argument, as for operations."""

import inspect
import sys
from typing import Any

from ...engine.refusal import refuse
from ...engine.user_code import is_own
from ...tensor.tensor import Tensor


def check(cell, args, kwargs):
    """Raises a TypeError if a layer of msgrad's has just failed since an argument lacks an attribute of Tensors.

    Args:
        cell (Cell): it was called with ``args`` and ``kwargs``, and the exception is being handled.
    """
    error: Any = sys.exception()
    if type(error) is not AttributeError or not hasattr(Tensor, error.name or ""):
        return
    construct = getattr(type(cell).construct, "__wrapped__", type(cell).construct)
    innermost: Any = error.__traceback__
    while innermost.tb_next is not None:
        innermost = innermost.tb_next
    if not (is_own(construct.__code__.co_filename) and is_own(innermost.tb_frame.f_code.co_filename)):
        return
    given = inspect.signature(construct).bind_partial(cell, *args, **kwargs).arguments
    for name, value in given.items():
        # The type, since a graph's lists and tuples are copies of those that were passed.
        if type(value) is type(error.obj) and not isinstance(value, Tensor):
            try:
                refuse(TypeError, cell.cls_name, name, "a Tensor", value)
            except TypeError as refused:
                raise refused from None  # not "during handling of" an error of msgrad's own code
