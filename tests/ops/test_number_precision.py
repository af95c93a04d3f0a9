"""Numbers that an operation casts keep Python's precision: 0.1 in float64 is 0.1. Expected values are MindSpore's."""

import re

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, ops

F64, C128 = ms.float64, ms.complex128
X, PLACE = Tensor([1.0], ms.float64), Tensor([0], ms.int32)
LARGE = 2**53 + 1  # no float64

CASES = {
    "full": (lambda: ops.full((1,), 0.1, dtype=F64), 0.1),
    "full_like": (lambda: ops.full_like(X, 0.1), 0.1),
    "full_like_dtype": (lambda: ops.full_like(Tensor([1.0]), 0.1, dtype=F64), 0.1),
    "fill": (lambda: ops.fill(F64, (1,), 0.1), 0.1),
    "Fill": (lambda: ops.Fill()(F64, (1,), 0.1), 0.1),
    "Tensor.fill": (lambda: X.fill(0.1), 0.1),
    "new_full": (lambda: X.new_full((1,), 0.1), 0.1),
    "cast": (lambda: ops.cast(0.1, F64), 0.1),
    "scalar_to_tensor": (lambda: ops.scalar_to_tensor(0.1, F64), 0.1),
    "pad": (lambda: ops.pad(X, (1, 0), value=0.1)[:1], 0.1),
    "index_fill": (lambda: ops.index_fill(X, 0, PLACE, 0.1), 0.1),
    "Tensor": (lambda: Tensor(0.1, F64), 0.1),
    "arange": (lambda: ops.arange(0.1, 0.2, dtype=F64), float(np.float32(0.1))),
    "complex": (lambda: ops.full((1,), 0.1, dtype=C128), 0.1 + 0j),
    "complex_like": (lambda: ops.full_like(X, 0.3 + 0.4j), 0.3),
    "complex_own": (lambda: ops.fill(None, (1,), 0.3 + 0.4j), 0.3 + 0.4j),
    "float_own": (lambda: ops.fill(None, (1,), 0.1), float(np.float32(0.1))),
    "large": (lambda: ops.full((1,), 1e300, dtype=F64), 1e300),
    "small": (lambda: ops.full((1,), 1e-40, dtype=F64), 1e-40),
    "half": (lambda: ops.full((1,), 0.1, dtype=ms.float16), float(np.float16(0.1))),
    "int": (lambda: ops.full((1,), 1e17 + 16), 10**17 + 16),
    "wide": (lambda: ops.full((1,), LARGE), LARGE),
    "wide_like": (lambda: ops.full_like(Tensor([1]), LARGE), LARGE),
    "wide_fill": (lambda: ops.fill(ms.int64, (1,), LARGE), LARGE),
    "wide_pad": (lambda: ops.pad(Tensor([1]), (1, 0), value=LARGE)[:1], LARGE),
    "unsigned": (lambda: ops.full((1,), 2**64 - 1, dtype=ms.uint64), 2**64 - 1),
    "too_large_for_int32": (lambda: ops.full((1,), 1e10, dtype=ms.int32), -(2**31)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_number_is_cast_as_python_has_it(name, mode):
    make, expected = CASES[name]
    assert make().reshape(-1).tolist() == [expected]
    assert ms.jit(make)().reshape(-1).tolist() == [expected]


def test_more_than_64_bits_are_refused():
    with pytest.raises(RuntimeError, match="must be an int of at most 64 bits"):
        ops.full((1,), 2**70, dtype=F64)


UNKNOWN = [
    np.ones(3, np.longdouble),
    np.ones(3, np.clongdouble),
    np.zeros(3, "V4"),
    np.zeros(3, [("a", "f4")]),
    np.zeros(3, "M8[s]"),
    np.zeros((0,), np.longdouble),
]


@pytest.mark.parametrize("dtype", [None, ms.float32])
@pytest.mark.parametrize("array", UNKNOWN, ids=lambda array: str(array.dtype))
def test_an_array_of_an_unknown_dtype_is_refused(array, dtype):
    with pytest.raises(TypeError, match=r"the 'input_data' must be an array of a dtype of numbers"):
        Tensor(array, dtype)
    with pytest.raises(TypeError, match="the 'input_data' must be"):
        Parameter(array, name="p")


def test_numbers_of_an_unknown_dtype_are_refused():
    with pytest.raises(TypeError, match="the 'input_data' must be made of numbers"):
        Tensor([np.longdouble(1)])
    with pytest.raises(TypeError, match="longdouble"):
        Tensor(np.longdouble(1))


def test_numpy_numbers_in_a_list_keep_their_dtype():
    assert Tensor([np.int16(1)]).dtype == ms.int16
    assert Tensor([np.int32(1)]).dtype == ms.int64
    assert Tensor([1]).dtype == ms.int64


@pytest.mark.parametrize("name", ["assign", "assign_add", "assign_sub"])
@pytest.mark.parametrize("variable", [3, 3.0, None, [1.0], np.ones(1), "a"], ids=str)
def test_only_tensors_are_assigned_to(name, variable, mode):
    primitive = {"assign": "Assign", "assign_add": "AssignAdd", "assign_sub": "AssignSub"}[name]
    text = f"For '{primitive}', the 'variable' must be a Tensor"
    for call in (getattr(ops, name), getattr(ops, primitive)()):
        with pytest.raises(TypeError, match=re.escape(text)):
            call(variable, Tensor([1.0]))


@pytest.mark.parametrize("name", ["assign", "assign_add", "assign_sub"])
@pytest.mark.parametrize("value", [None, [1.0], "a"], ids=str)
def test_only_tensors_and_numbers_are_assigned(name, value):
    parameter = Parameter(Tensor([1.0]), name="p")
    with pytest.raises(TypeError, match="For 'Assign.*the 'value' must be a Tensor or a number"):
        getattr(ops, name)(parameter, value)
    assert parameter.asnumpy().tolist() == [1.0]


@pytest.mark.parametrize("name, expected", [("assign_add", 3.0), ("assign_sub", 1.0)])
@pytest.mark.parametrize("start, value", [([2.0], 1), ([2.0], Tensor(1.0)), (2.0, Tensor([1.0])), (2.0, 1)], ids=str)
def test_one_number_is_added_of_shape_0d_or_1(name, expected, start, value, mode):
    parameter = Parameter(Tensor(start), name="p")
    shape = parameter.shape
    result = getattr(ops, name)(parameter, value)
    assert result.shape == parameter.shape == shape and result.asnumpy() == parameter.asnumpy() == expected
    with pytest.raises(ValueError, match="the 'value' must be of the shape of 'variable'"):
        getattr(ops, name)(Parameter(Tensor([[2.0]]), name="p"), value)
    with pytest.raises(ValueError, match="the 'value' must be of the shape of 'variable'"):
        ops.assign(Parameter(Tensor([2.0]), name="p"), 1)


def test_numbers_that_are_equal_keys_are_told_apart():
    x = Tensor([1], ms.int32)
    for _ in range(3):  # the arrays of numbers are kept
        assert [(x * value).dtype for value in (1, True, 1.0, 2, 2.0)] == [
            *(ms.int32, ms.int32, ms.float32, ms.int32, ms.float32),
        ]
        assert [(value - x).dtype for value in (3.0, 3)] == [ms.float32, ms.int32]
        signs = [np.signbit((Tensor([1.0]) * zero).asnumpy()).item() for zero in (0.0, -0.0)]
        assert signs == [False, True]
