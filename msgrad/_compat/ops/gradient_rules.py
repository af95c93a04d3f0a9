"""``ops._grad_experimental.grad_base``: helpers for gradient rules that programs register.

A registered rule differentiates the Primitive of that name, unless it has its own ``bprop``.
"""

from ... import dtype as dtypes
from ... import ops
from ...ops._core.registry import bprop_getters, bprops, get_bprop_fn  # noqa: F401
from ...tensor.tensor import Tensor


def convert_to_tensor(data):
    """Whether ``data`` was converted to a Tensor, and ``data``: only Tensors count."""
    return isinstance(data, Tensor), data


def create_tensor_by_element(ori_tuple, data_type=dtypes.int64):
    """A Tensor of the items of a tuple or list; anything else unchanged."""
    return Tensor(list(ori_tuple), data_type) if isinstance(ori_tuple, (tuple, list)) else ori_tuple


def dyn_fill(value_type, shape, value):
    """A Tensor of a shape, filled with a number."""
    return ops.full(_lengths(shape), value, dtype=value_type)


def dyn_ones(shape, value_type):
    """A Tensor of a shape, filled with 1."""
    return dyn_fill(value_type, shape, 1)


def _lengths(shape):
    return tuple(shape.asnumpy().tolist()) if isinstance(shape, Tensor) else tuple(shape)


def sum_grad_reduce_axis(x, rx, keep_dims=False):
    """The sum over the axes ``rx``; ``x`` itself if there are none."""
    axes = _lengths(rx)
    return x.sum(axes, keepdims=keep_dims) if axes else x
