"""Dtypes and the functions about them; the figures are MindSpore 2.10's."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from msgrad import dtype as mstype
from msgrad.engine import dtypes

# name: str, repr, class, is_complex, is_floating_point, is_signed, itemsize
NUMBERS = {
    "bool_": ("Bool", "bool", "Bool", False, False, False, 1),
    "int8": ("Int8", "int8", "Int", False, False, True, 1),
    "int64": ("Int64", "int64", "Int", False, False, True, 8),
    "uint8": ("UInt8", "uint8", "UInt", False, False, False, 1),
    "uint64": ("UInt64", "uint64", "UInt", False, False, False, 8),
    "float16": ("Float16", "float16", "Float", False, True, True, 2),
    "bfloat16": ("BFloat16", "bfloat16", "BFloat", False, True, True, 2),
    "float32": ("Float32", "float32", "Float", False, True, True, 4),
    "float64": ("Float64", "float64", "Float", False, True, True, 8),
    "complex64": ("Complex64", "complex64", "Complex", True, False, False, 8),
    "complex128": ("Complex128", "complex128", "Complex", True, False, False, 16),
    "qint4x2": ("Int4", "int4", "Int", False, False, True, 1),
    "float8_e4m3fn": ("Float8E4M3FN", "float8_e4m3fn", "Float", False, True, True, 1),
    "float8_e5m2": ("Float8E5M2", "float8_e5m2", "Float", False, True, True, 1),
    "hifloat8": ("HiFloat8", "hifloat8", "Float", False, True, True, 1),
    "int_": ("Int", "int", "Int", False, False, True, 1),
    "uint": ("UInt", "uint", "UInt", False, False, False, 1),
    "float_": ("Float", "float", "Float", False, True, True, 1),
    "number": ("Number", "number", "Number", False, False, False, 1),
}
OTHERS = {
    "tensor_type": ("Tensor", "tensor"),
    "list_": ("List", "list_"),
    "tuple_": ("Tuple", "tuple_"),
    "string": ("String", "string_"),
    "function": ("Func", "function"),
    "type_none": ("None", "type_none"),
    "type_type": ("TypeType", "type_type"),
    "_null": ("Null", "Null"),
    "coo_tensor": ("COOTensor", "COOTensor"),
    "csr_tensor": ("CSRTensor", "CSRTensor"),
    "index_slices": ("RowTensor", "RowTensor"),
    "env_type": ("Object:EnvType", "env_type"),
    "symbolic_key": ("Object:SymbolicKey", "symbolic_key"),
    "undetermined": ("Undetermined", "Undetermined"),
}
ALIASES = {
    **{"bool": "bool_", "int": "int32", "float": "float32", "byte": "int8", "short": "int16", "intc": "int32"},
    **{"long": "int64", "intp": "int64", "ubyte": "uint8", "ushort": "uint16", "uintc": "uint32", "uintp": "uint64"},
    **{"half": "float16", "single": "float32", "double": "float64", "cfloat": "complex64", "cdouble": "complex128"},
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_dtype_of_numbers(name):
    dtype = getattr(mstype, name)
    text, written, kind, *flags, itemsize = NUMBERS[name]
    assert (str(dtype), f"{dtype}", repr(dtype)) == (text, text, f"mindspore.{written}")
    assert type(dtype).__name__ == kind
    assert [dtype.is_complex, dtype.is_floating_point, dtype.is_signed] == flags
    assert dtype.itemsize == mstype.type_size_in_bytes(dtype) == itemsize


@pytest.mark.parametrize("name", OTHERS)
def test_a_type_of_other_values(name):
    dtype = getattr(mstype, name)
    assert (str(dtype), repr(dtype)) == (OTHERS[name][0], f"mindspore.{OTHERS[name][1]}")
    assert not hasattr(dtype, "is_signed")
    assert mstype.type_size_in_bytes(dtype) == 0


@pytest.mark.parametrize("name", ALIASES)
def test_alias(name):
    assert getattr(mstype, name) is getattr(mstype, ALIASES[name])


def test_equality_and_hash():
    assert mstype.float32 == mstype.float32 != mstype.float64
    for other in (np.float32, np.dtype("float32"), "float32", float, 1, None):
        assert mstype.float32 != other
    assert {mstype.float32: 1}[mstype.single] == 1
    with pytest.raises(TypeError, match="'<' not supported between instances of 'Int' and 'Float'"):
        sorted([mstype.float32, mstype.int32])


@pytest.mark.parametrize("name", [*NUMBERS, *OTHERS])
def test_copies_are_the_same_object(name):
    dtype = getattr(mstype, name)
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is dtype


def test_dtypes_take_no_attributes():
    with pytest.raises(AttributeError):
        mstype.float32.colour = "red"


def test_classes_make_the_known_dtypes():
    assert mstype.Int(32) is mstype.int32
    assert mstype.Int() is mstype.int_
    assert mstype.Float() is mstype.float_
    assert isinstance(mstype.float32, mstype.Type)
    assert isinstance(mstype.float32, mstype.Float)
    assert not isinstance(mstype.bfloat16, mstype.Float)
    with pytest.raises(
        RuntimeError, match="^For Int type only support number of 8bits, 16bits, 32bits and 64bits, but got 7bits"
    ):
        mstype.Int(7)
    with pytest.raises(RuntimeError, match="^For Float type only support number of 16bits, 32bits and 64bits"):
        mstype.Float(8)
    with pytest.raises(TypeError):
        mstype.Type()
    with pytest.raises(TypeError):
        mstype.Int("x")


def test_compound_types():
    of_float = mstype.TensorType(mstype.float32)
    assert (str(of_float), repr(of_float)) == ("Tensor[Float32]", "mindspore.tensor[float32]")
    assert of_float == mstype.TensorType(mstype.float32) != mstype.tensor_type
    assert mstype.TensorType() is mstype.tensor_type
    assert str(mstype.List([mstype.float32, mstype.int32])) == "List[Float32,Int32]"
    assert repr(mstype.Tuple([mstype.float32])) == "mindspore.tuple_"
    assert pickle.loads(pickle.dumps(of_float)) is of_float
    with pytest.raises(TypeError):
        mstype.List([1])


def test_complex_and_real_partners():
    assert mstype.float32.to_complex() is mstype.bfloat16.to_complex() is mstype.complex64
    assert mstype.float64.to_complex() is mstype.complex128
    assert mstype.complex128.to_real() is mstype.float64
    assert mstype.bool_.to_real() is mstype.bool_
    with pytest.raises(TypeError, match="^Cannot convert type float16 to complex type."):
        mstype.float16.to_complex()


def test_of_finds_every_dtype_by_its_numpy_dtype():
    for dtype in mstype.all_types:
        if dtype.numpy is not None:
            assert dtypes.of(dtype.numpy) is dtype
    with pytest.raises(KeyError):
        dtypes.of(np.dtype("M8[s]"))


def test_numpy_and_python_types():
    assert mstype.dtype_to_nptype(mstype.float32) is np.float32
    assert mstype.dtype_to_nptype(mstype.bool_) is np.bool_
    assert mstype.dtype_to_nptype(mstype.bfloat16) is ml_dtypes.bfloat16
    for wrong in (mstype.number, mstype.string, mstype.qint4x2, 1, None):
        with pytest.raises(KeyError):
            mstype.dtype_to_nptype(wrong)
    expected = {"bool_": bool, "uint8": int, "int_": int, "bfloat16": float, "complex64": complex, "string": str}
    assert {name: mstype.dtype_to_pytype(getattr(mstype, name)) for name in expected} == expected
    assert mstype.dtype_to_pytype(mstype.type_none) is type(None)
    for wrong in (mstype.number, 1):
        with pytest.raises(KeyError):
            mstype.dtype_to_pytype(wrong)


def test_pytype_to_dtype():
    expected = {int: "int64", float: "float64", bool: "bool_", complex: "complex128", str: "string", list: "list_"}
    expected |= {np.float32: "float32", np.bool_: "bool_", np.str_: "string", type(None): "type_none"}
    assert {kind: mstype.pytype_to_dtype(kind) for kind in expected} == {
        kind: getattr(mstype, name) for kind, name in expected.items()
    }
    assert mstype.pytype_to_dtype(np.dtype("float16")) is mstype.float16
    assert mstype.pytype_to_dtype(mstype.int8) is mstype.int8
    with pytest.raises(
        NotImplementedError,
        match="For 'pytype_to_dtype', the 'obj' must be a type of numbers, str, list, tuple or",
    ):
        mstype.pytype_to_dtype(dict)
    with pytest.raises(
        TypeError, match="For 'pytype_to_dtype', the 'obj' must be a type such as int, float or numpy.float32"
    ):
        mstype.pytype_to_dtype(1)


def test_get_py_obj_dtype():
    from msgrad.nn.cell import Cell
    from msgrad.tensor.tensor import Tensor

    values = [(1, "int64"), (1.0, "float64"), ("s", "string"), (None, "type_none"), ((1,), "tuple_"), (int, "int64")]
    values += [(np.float32(1), "float32"), (lambda: 0, "function"), (Cell(), "function"), (mstype.int8, "type_type")]
    for value, name in values:
        assert mstype.get_py_obj_dtype(value) is getattr(mstype, name)
    assert mstype.get_py_obj_dtype(Tensor([1.0])) is mstype.TensorType(mstype.float32)
    for value in (len, {}, ..., np.ones(1), object()):
        with pytest.raises(NotImplementedError):
            mstype.get_py_obj_dtype(value)


@pytest.mark.parametrize(
    ("dtype", "kind", "expected"),
    [
        ("float32", "number", True),
        ("bool_", "number", True),
        ("int32", "int_", True),
        ("float32", "int_", False),
        ("bfloat16", "float_", False),
        ("float8_e5m2", "float_", True),
        ("float32", "float64", False),
        ("tensor_type", "number", False),
        ("number", "float_", False),
        ("list_", "list_", True),
    ],
)
def test_issubclass(dtype, kind, expected):
    assert mstype._issubclass_(getattr(mstype, dtype), getattr(mstype, kind)) is expected


def test_issubclass_of_compounds():
    of_float = mstype.TensorType(mstype.float32)
    assert mstype._issubclass_(of_float, mstype.tensor_type)
    assert not mstype._issubclass_(of_float, mstype.TensorType(mstype.int32))
    assert not mstype._issubclass_(of_float, mstype.float32)


def test_groups():
    names = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128"
    names += " int4 float8_e4m3fn float8_e5m2 hifloat8"
    assert [repr(dtype) for dtype in mstype.number_type] == [f"mindspore.{name}" for name in names.split()]
    assert mstype.all_types == (mstype.bool_, *mstype.number_type)
    assert mstype.float_type[:4] == (mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16)


def test_quant_dtype():
    assert len(mstype.QuantDtype) == 32
    assert (str(mstype.QuantDtype.INT8), repr(mstype.QuantDtype.UINT4)) == ("INT8", "<QuantDtype.UINT4: 103>")
    assert mstype.QuantDtype.INT8.value() == 7
