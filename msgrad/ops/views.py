"""Tensor methods whose result shares storage with the Tensor, outside recordings."""

import functools

import numpy as np

from ..engine.handle import Handle, scope
from ..engine.views import link
from ..tensor.tensor import Tensor
from .define import FUNCTIONS

_METHODS = (
    "reshape", "view", "transpose", "permute", "swapaxes", "swapdims", "squeeze", "unsqueeze", "expand_dims",
    "broadcast_to", "expand", "flatten", "diagonal", "ravel",
)  # fmt: skip
_WITHOUT_CAST = ("astype",)  # views where the dtype stays
_PROPERTIES = ("T", "mT", "H", "mH")


def _same(base, changed):
    return changed


def _sharing(method, same_dtype=False):
    """``method`` with its result linked to the Tensor it is a view of (if ``same_dtype``, where that holds)."""

    @functools.wraps(method)
    def view(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        if scope.trace is None and isinstance(result, Handle) and result is not self:
            if same_dtype and result.aval[1] != self.aval[1]:
                return result

            def put(base, changed):
                # Where each element of the view lies in the base: what the method makes of the base's positions.
                positions = method(Tensor(np.arange(base.size).reshape(base.shape)), *args, **kwargs)
                flat = FUNCTIONS["reshape"](base, (-1,))
                flat[FUNCTIONS["reshape"](positions, (-1,))] = FUNCTIONS["reshape"](changed, (-1,))
                return FUNCTIONS["reshape"](flat, base.shape)

            link(self, result, lambda base: method(base, *args, **kwargs), _same if same_dtype else put)
        return result

    return view


def install():
    """Makes the methods that are there views."""
    for name in _METHODS:
        if name in Tensor.__dict__:
            setattr(Tensor, name, _sharing(Tensor.__dict__[name]))
    for name in _WITHOUT_CAST:
        setattr(Tensor, name, _sharing(Tensor.__dict__[name], same_dtype=True))
    for name in _PROPERTIES:
        if isinstance(Tensor.__dict__.get(name), property):
            setattr(Tensor, name, property(_sharing(Tensor.__dict__[name].fget)))
