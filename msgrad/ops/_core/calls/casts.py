"""The cast, an operation of the engine's. Its gradient is the identity for all dtypes (`engine.transforms.lifting`)."""

import functools

import jax.numpy as jnp

from .... import _upcalls
from ....engine.recording.program import Op
from ....engine.recording.trace import apply
from ....engine.recording.views import are_shared, is_view
from ....tensor.c_casts import convert
from .views import apply_view


class _Cast(Op):
    """The cast to a static numpy dtype; the engine's gradient of it is the identity."""

    __slots__ = ()

    def __init__(self):
        super().__init__("Cast")
        self.differentiable_cast = True

    def bind(self, static):
        return lambda array: convert(array, static)


class _Same(Op):
    """The cast to the same dtype."""

    __slots__ = ()

    def bind(self, static):
        return lambda array: array


_CAST, _SAME = CASTS = _Cast(), _Same("Cast")


def cast_to(tensor, dtype):
    """A Tensor cast to a numpy dtype, without contracts: what `ops.cast` does."""
    if tensor.aval[1] != dtype:
        return apply(_CAST, (tensor,), dtype)
    # A Tensor of the same dtype shares storage with the result, unless that is a view.
    if not are_shared() or is_view(tensor):
        return apply(_SAME, (tensor,))
    return tensor if type(tensor) is _upcalls.Result else apply_view(_SAME, (tensor,))


@functools.cache  # NumPy's own test takes 2 us
def is_floating(dtype):
    """Whether a numpy dtype is a float's."""
    return bool(jnp.issubdtype(dtype, jnp.floating))
