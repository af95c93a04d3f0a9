"""Tensors in torch's files: a storage, which is a run of numbers, and an offset, a shape and strides in it."""

import math

import ml_dtypes
import numpy as np

from ...train._files.messages import DamagedError
from ..entries import Entry
from .pickled import Foreign, Name

_OF_STORAGES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8",
    "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool", "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
}  # fmt: skip
STORAGES = {dtype: name for name, dtype in _OF_STORAGES.items()}  # names of torch's storages by NumPy's of dtypes
_BYTES = ("torch.storage.UntypedStorage", "torch.UntypedStorage")  # of numbers whose dtype the tensor has
_DTYPES = (*_OF_STORAGES.values(), "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2")
_MOST_AXES = 64


def dtype_of(name):
    """NumPy's dtype of torch's dtype, or of the class of a storage, by its name.

    Raises:
        DamagedError: if there is none.
    """
    module, _, own = name.rpartition(".")
    if name in _BYTES:
        return np.dtype(np.uint8)
    own = _OF_STORAGES.get(own.removesuffix("Storage"), own)
    if not module.startswith("torch") or own not in _DTYPES:
        raise DamagedError(f"it has numbers of {name}, which msgrad cannot hold")
    return np.dtype(getattr(ml_dtypes, own, own))


class Storage:
    """Numbers of a file, which are read whenever they are needed: to keep them would take the memory of the file.

    Args:
        key (str): its name in the file.
        dtype (numpy.dtype): of the numbers.
        length (int): how many there are.
        read (function): of the Storage; reads them, as an array of bytes.
    """

    def __init__(self, key, dtype, length, read):
        if type(length) is not int or not 0 <= length < 1 << 60:
            raise DamagedError(f"the length of its storage {key!r:.40} is no number of bytes")
        self.key = key
        self.dtype = dtype
        self.length = length
        self._read = read

    def bytes(self):
        """The bytes of the file."""
        return self._read(self)


class Stored(Entry):
    """A tensor in a storage; its numbers are read when they are asked for."""

    def __init__(self, storage, offset, shape, strides, dtype):
        super().__init__(shape, dtype)
        self.place = storage.key, offset, shape, strides  # tensors of one place are one tensor
        self._storage = storage
        self._offset = offset
        self._strides = strides

    def values(self):
        """The numbers, as an array."""
        numbers = self._storage.bytes()
        # Any byte but 0 is True; an array of bools must have no other byte than 0 and 1.
        numbers = numbers != 0 if self.dtype == np.bool_ else numbers.view(self.dtype)
        strides = [stride * self.dtype.itemsize for stride in self._strides]
        return np.ndarray(self.shape, self.dtype, numbers, self._offset * self.dtype.itemsize, strides)


def _tensor(storage, offset, shape, strides, dtype):
    if not isinstance(storage, Storage) or not isinstance(shape, tuple) or not isinstance(strides, tuple):
        raise DamagedError("a tensor has no storage or no shape")
    lengths = (offset, *shape, *strides)
    if not all([type(each) is int and 0 <= each < 1 << 60 for each in lengths]):
        raise DamagedError("a tensor has lengths or strides that are no numbers of elements")
    if len(shape) != len(strides) or len(shape) > _MOST_AXES:
        raise DamagedError(f"a tensor has {len(shape)} axes and {len(strides)} strides")
    held = storage.length * storage.dtype.itemsize // dtype.itemsize
    last = offset + sum([(length - 1) * stride for length, stride in zip(shape, strides, strict=True)])
    elements = math.prod(shape)
    # An expanded tensor has fewer numbers than elements; a file that claims far more is made to fill the memory.
    if elements and (last >= held or elements > max(held, 1) * 4096):
        raise DamagedError(f"a tensor of shape {shape} at {offset} lies beyond its storage of {held} numbers")
    if not elements and max(shape) >= 1 << 32:
        raise DamagedError(f"a tensor has the shape {shape}")
    return Stored(storage, offset, shape, strides, dtype)


def _of_storage(storage, offset, shape, strides, *_):
    return _tensor(storage, offset, shape, strides, storage.dtype)


def _second(storage, offset, shape, strides, requires_grad, hooks, bits=None):
    if isinstance(bits, dict) and any(bits.values()):
        raise DamagedError(f"a tensor is stored as its {' and '.join(map(str, bits))}: save what .resolve_conj() gives")
    return _of_storage(storage, offset, shape, strides)


def _third(storage, offset, shape, strides, requires_grad, hooks, dtype, bits=None):
    return _tensor(storage, offset, shape, strides, dtype_of(dtype))


def _of_type(function, kind, arguments, state):
    build = BUILDERS.get(function) if isinstance(function, Name) else None
    return Foreign(str(function)) if build is None else build(*arguments)


def _ordered(pairs=()):
    return {key: value for key, value in pairs if isinstance(key, str)}


BUILDERS = {
    "collections.OrderedDict": _ordered,
    "collections.defaultdict": lambda *_: {},
    "torch.Size": lambda lengths=(): tuple(lengths),
    "torch._utils._rebuild_tensor": _of_storage,
    "torch._utils._rebuild_tensor_v2": _second,
    "torch._utils._rebuild_tensor_v3": _third,
    "torch._utils._rebuild_parameter": lambda data, *_: data,
    "torch._utils._rebuild_parameter_with_state": lambda data, *_: data,
    "torch._tensor._rebuild_from_type_v2": _of_type,
}  # what torch calls to make tensors
