"""Conversions of a Tensor to NumPy arrays, Python numbers, sequences and bytes."""

import operator
from typing import Any

import numpy as np

from ..engine.errors import NoValueError
from ..engine.execution.donation import lend
from ..engine.handle import ON_HOST, Handle, Shared, is_concrete, scope
from ..engine.host import LONG, is_on_one_device, long_long
from ..engine.recording.views import is_whole
from ..engine.uncropped import Uncropped
from .dlpack import to_capsule
from .numbers import plain
from .numpy_scalars import weakened
from .printing import tensor_repr, tensor_str

_MSG_ONE = "For 'Tensor', {} needs a Tensor of one element{}, but got one of shape {}."
_OPERATORS = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.true_divide: operator.truediv,
    np.floor_divide: operator.floordiv,
    np.remainder: operator.mod,
    np.power: operator.pow,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
}


class Conversions(Handle):
    """The conversions of Tensor."""

    _shows_memory_: Any

    __slots__ = ()

    def asnumpy(self):
        """The values as a NumPy array that shares memory with the Tensor: writes to either are visible in the other.

        The array is a copy inside a recording, for slices and other views, and for a Tensor on several devices.

        Returns:
            numpy.ndarray of the same shape and dtype.
        Example:
            >>> Tensor([1.0, 2.0]).asnumpy()
            array([1., 2.], dtype=float32)
        Source: mindspore.Tensor.asnumpy
        """
        if type(self._own_state_()) in ON_HOST and scope.trace is None and not scope.written and is_whole(self):
            array = self._share_()[...]
            return long_long(array) if array.dtype.num in LONG else array  # most are none, and need no call
        state = self._state_(is_cropped=False)
        is_known = type(state) is Uncropped or is_concrete(state) and is_on_one_device(state)
        if scope.trace is not None or not is_whole(self) or not is_known:
            return long_long(np.array(self._values_()))
        return long_long(self._share_()[...])

    numpy = asnumpy

    def __array__(self, dtype=None, copy=None):
        array = self.asnumpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __array_ufunc__(self, function, method, *inputs, out=(), **kwargs):
        """NumPy's functions of Tensors return arrays; in a recording ``np.float32(2) * x`` is a Tensor."""
        if any(isinstance(each, Handle) for each in out):
            return NotImplemented
        if (
            scope.trace is not None
            and method == "__call__"
            and isinstance(inputs[0], np.generic)
            and not (out or kwargs)
        ):
            if function in _OPERATORS:
                return _OPERATORS[function](plain(inputs[0]), self)
        arrays = [np.asarray(each) if isinstance(each, Handle) else each for each in inputs]
        if method == "__call__":
            arrays = weakened(arrays)
        return getattr(function, method)(*arrays, **kwargs, **({"out": out} if out else {}))

    def __jax_array__(self):
        return lend(self._array_())

    def __dlpack__(self, **kwargs):
        return self._exported().__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self._exported().__dlpack_device__()

    def _exported(self):
        """The buffer that other libraries get: the host's where it is shared already and they see writes, else JAX's.

        JAX's memory is not copied either, and must not be written to.
        """
        if type(self._own_state_()) is Shared and scope.trace is None and self.aval[1].kind in "biufc":
            return self._share_()
        return lend(self._array_())

    def to_dlpack(self):
        """A DLPack capsule of the values, which share memory with the Tensor; inside a recording they are a copy.

        Returns:
            PyCapsule; it can be consumed once.
        Raises:
            TypeError: for bfloat16.
        Example:
            >>> type(Tensor([1.0]).to_dlpack()).__name__
            'PyCapsule'
        Source: mindspore.Tensor.to_dlpack
        """
        return to_capsule(self.asnumpy())

    def item(self):
        """The only element, as a Python number.

        Returns:
            bool, int, float or complex.
        Raises:
            ValueError: if there is not exactly one element.
        Example:
            >>> Tensor([3]).item()
            3
        Source: mindspore.Tensor.item
        """
        value = self._values_()
        if value.size != 1:
            raise ValueError(_MSG_ONE.format("item()", "", value.shape))
        return value.item() if value.dtype.kind != "V" else float(value.reshape(()))

    def tolist(self):
        """The values as nested lists of Python numbers, a bare number for rank 0.

        Returns:
            list | bool | int | float | complex.
        Example:
            >>> Tensor([[1, 2]]).tolist()
            [[1, 2]]
        Source: mindspore.Tensor.tolist
        """
        return self._values_().tolist()

    def get_bytes(self):
        """The values' bytes.

        Returns:
            bytes.
        Example:
            >>> Tensor([1, 2], mindspore.int16).get_bytes()
            b'\\x01\\x00\\x02\\x00'
        Source: mindspore.Tensor.get_bytes
        """
        return self._values_().tobytes()

    def _scalar(self):
        value = self._values_()
        if value.size != 1:
            raise ValueError(_MSG_ONE.format("a Python number", "", value.shape))
        return value.reshape(()).item()

    def __bool__(self):
        try:
            return bool(self.item())
        except NoValueError as error:
            raise ValueError(str(error)) from None

    def __int__(self):
        value = self._scalar()
        try:
            return int(value)
        except (ValueError, OverflowError):
            raise ValueError(f"For 'Tensor', there is no int for {value}.") from None

    def __float__(self):
        return float(self._scalar())

    def __complex__(self):
        return complex(float(self._scalar()))

    def __index__(self):
        shape, dtype = self.aval
        if dtype.kind not in "iub" or any(length != 1 for length in shape):
            raise ValueError(_MSG_ONE.format("an index", " and of an int dtype", f"{shape}, {self.dtype}"))
        return int(self._scalar())

    def __len__(self):
        shape = self.aval[0]
        if not shape:
            raise TypeError("A Tensor of no axes has no len().")
        return shape[0]

    def __iter__(self):
        shape = self.aval[0]
        if not shape:
            raise TypeError("A Tensor of no axes cannot be iterated over.")
        return (self[i] for i in range(shape[0]))

    def __contains__(self, element):
        equal = self == element
        return bool(equal.any()) if isinstance(equal, Handle) else equal

    def __str__(self):
        return tensor_str(self._values_(), self.dtype)

    def __repr__(self):
        return tensor_repr(self._values_(), self.dtype, self._shows_memory_)

    def __format__(self, spec):
        if spec:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return str(self)
