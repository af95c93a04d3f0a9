"""``ops._grad_experimental.grad_base`` and ``grad_math_ops``: helpers for gradient rules that programs register.

A registered rule differentiates the Primitive of that name, unless it has its own ``bprop``.
"""

from ... import dtype as dtypes
from ... import ops
from ...ops._core.calls.registry import bprop_getters, bprops, get_bprop_fn  # noqa: F401
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


def binop_grad_common(x, y, dx, dy):
    """Gradients of two operands that were broadcast: ``dx`` and ``dy`` summed to the shapes of ``x`` and ``y``."""
    return binop_grad_common_with_shift(x, y, dx, dy, 0)


def binop_grad_common_with_shift(x, y, dx, dy, shift):
    """The same for operands whose last ``shift`` (int) axes were not broadcast."""
    shapes = [each.shape[: len(each.shape) - shift] for each in (x, y)]
    x_axes, y_axes = ops.broadcast_gradient_args(*shapes)
    return _summed(dx, x_axes, x.shape), _summed(dy, y_axes, y.shape)


dyn_binop_grad_common, dyn_binop_grad_common_with_shift = binop_grad_common, binop_grad_common_with_shift


def _summed(gradient, axes, shape):
    if not axes:
        return gradient
    summed = gradient.sum(axes).astype(gradient.dtype) if gradient.shape else gradient
    return summed.reshape(shape)
