"""``mindspore.numpy.utils`` and ``utils_const``: the names that programs import."""

from ..._contracts.check import refuse
from ...engine import dtypes
from ...tensor.tensor import Tensor


def _raise_value_error(info, param=None):
    """Raises ValueError with a text, followed by a value."""
    raise ValueError(info if param is None else f"{info}{param}")


def _raise_type_error(info, param=None):
    """Raises TypeError with a text, followed by a value."""
    raise TypeError(info if param is None else f"{info}{param}")


def _to_tensor(*args):
    """Each argument (Tensor, number, list, tuple) as a Tensor: one, or a tuple of several. 64-bit numbers get 32 bits.

    Raises:
        TypeError: for anything else.
    """
    tensors = tuple([_narrow(arg) for arg in args])
    return tensors[0] if len(tensors) == 1 else tensors


def _narrow(value):
    if isinstance(value, Tensor):
        return value
    if not isinstance(value, (int, float, bool, list, tuple)):
        refuse(TypeError, "_to_tensor", "args", "Tensors, numbers, lists or tuples", value)
    tensor = Tensor(value)
    narrow = {dtypes.int64: dtypes.int32, dtypes.float64: dtypes.float32}
    return tensor.astype(narrow.get(tensor.dtype, tensor.dtype))
