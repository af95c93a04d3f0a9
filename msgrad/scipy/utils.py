"""``mindspore.scipy.utils`` and ``utils_const``: helpers of MindSpore's solvers."""

import inspect
import math

from .. import ops
from ..autodiff import GradOperation
from ..engine import dtypes
from ..engine.handle import Handle
from ..tensor.tensor import Tensor

_NARROW = {dtypes.float64: dtypes.float32, dtypes.int64: dtypes.int32}

grad = GradOperation()


def _convert_64_to_32(tensor):
    """float64 and int64 as float32 and int32."""
    return tensor.astype(_NARROW.get(tensor.dtype, tensor.dtype))


def _to_tensor(*args, dtype=None):
    """Each argument, a number, list or Tensor, as a Tensor: one alone, several as a tuple."""
    tensors = tuple(_made(each, dtype) for each in args)
    return tensors[0] if len(tensors) == 1 else tensors


def _made(value, dtype):
    if isinstance(value, Handle):
        return value
    if not isinstance(value, (int, float, list, tuple)):
        _raise_value_error("Expected a number, a list, a tuple or a Tensor, but got ", value, ".")
    tensor = Tensor(value)
    return _convert_64_to_32(tensor) if dtype is None else tensor.astype(dtype)


def _to_scalar(arr):
    """A 0-d Tensor as a number; anything else unchanged."""
    if isinstance(arr, Handle):
        return arr if arr.shape else arr.item()
    if not isinstance(arr, (int, float)):
        _raise_value_error("Expected a number or a Tensor, but got ", arr, ".")
    return arr


def _eps(x):
    """The distance from 1 to the next number of the dtype of ``x``."""
    return ops.Eps()(x[(0,) * x.ndim])


def _safe_normalize(x, threshold=None):
    """``x`` normalized, and its norm; zeros if the norm is at most ``threshold`` (default: the dtype's precision)."""
    length = ops.sqrt((x * x).sum())
    if threshold is None:
        threshold = _eps(x) if x.dtype in (dtypes.float32, dtypes.float64) else 0
    is_long = length > threshold
    return ops.where(is_long, x / length, ops.zeros_like(x)), ops.where(is_long, length, ops.zeros_like(length))


def sparse_dot(a, b):
    """The product of a CSRTensor and a vector or matrix."""
    return ops.csr_mv(a, b.reshape(b.shape[0], -1)).reshape(*a.shape[:-1], *b.shape[1:])


def _matvec(a, b):
    """The product of ``a`` (a matrix, a CSRTensor or a function) and a vector."""
    if isinstance(a, Handle):
        return ops.tensor_dot(a, b, 1)
    return a(b) if callable(a) else sparse_dot(a, b)


def _norm(x, ord_=None):
    """The infinity norm for ``inf``, else the Euclidean norm."""
    return abs(x).max() if ord_ == math.inf else ops.sqrt((x * x).sum())


def _nd_transpose(a):
    """Transposed matrices."""
    if a.ndim < 2:
        _raise_value_error("Expected at least two axes, but got ", a.ndim, ".")
    return a.swapaxes(-1, -2)


def _callable_const(x):
    """Whether ``x`` is a function."""
    return inspect.isfunction(x)


def _type_convert(new_type, obj):
    """``obj`` as one of ``new_type``."""
    return new_type(obj)


def _raise_value_error(*info):
    """Raises ValueError with all of ``info`` as its text."""
    raise ValueError("".join(map(str, info)))


def _raise_type_error(*info):
    """Raises TypeError with all of ``info`` as its text."""
    raise TypeError("".join(map(str, info)))


__all__ = ["grad", "sparse_dot"]
