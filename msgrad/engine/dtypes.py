"""MindSpore's dtypes."""

import ml_dtypes
import numpy as np


class DType:
    """A MindSpore dtype."""

    def __init__(self, name, numpy_dtype=None):
        self.name = name
        self.numpy = None if numpy_dtype is None else np.dtype(numpy_dtype)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"mindspore.{self.name.lower()}"

    def __reduce__(self):
        return _find, (self.name,)


_ALL = {
    name: DType(name, dtype)
    for name, dtype in [
        ("Bool", np.bool_),
        ("Int8", np.int8),
        ("Int16", np.int16),
        ("Int32", np.int32),
        ("Int64", np.int64),
        ("UInt8", np.uint8),
        ("UInt16", np.uint16),
        ("UInt32", np.uint32),
        ("UInt64", np.uint64),
        ("Float16", np.float16),
        ("BFloat16", ml_dtypes.bfloat16),
        ("Float32", np.float32),
        ("Float64", np.float64),
        ("Complex64", np.complex64),
        ("Complex128", np.complex128),
    ]
}
_BY_NUMPY = {dtype.numpy: dtype for dtype in _ALL.values()}


def _find(name):
    return _ALL[name]


bool_ = _ALL["Bool"]
int8, int16, int32, int64 = (_ALL[f"Int{n}"] for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_ALL[f"UInt{n}"] for n in (8, 16, 32, 64))
float16, float32, float64 = (_ALL[f"Float{n}"] for n in (16, 32, 64))
bfloat16 = _ALL["BFloat16"]
complex64, complex128 = _ALL["Complex64"], _ALL["Complex128"]
number = DType("Number")
tensor_type = DType("Tensor")
string = DType("String")


def of(numpy_dtype):
    return _BY_NUMPY[numpy_dtype]
