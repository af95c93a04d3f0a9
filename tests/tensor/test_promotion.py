"""The promotion rules against every observation of MindSpore in ``tests/golden/promotion.json``."""

import json
import pathlib

import numpy as np
import pytest

from msgrad import Tensor
from msgrad.engine import dtypes
from msgrad.tensor import promotion

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "promotion.json").read_text())
NAMES = GOLDEN["dtypes"]
GAP = "-"  # only MindSpore's CPU kernel is missing: the rules say nothing

COMPARISONS = {
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
    *("logical_and", "logical_or", "logical_xor"),
}
PREDICATES = {"isnan", "isinf", "isfinite", "isneginf", "isposinf", "isreal", "signbit", "logical_not"}

NUMBERS = {text: eval(text, {"nan": float("nan")}) for text in GOLDEN["numbers"]["add"]["right"]}

# Where msgrad gives a dtype and MindSpore an error that is no rule about dtypes, or the other way round.
KNOWN = {
    # MindSpore computes these through Sub, which refuses bools.
    ("sub", "left", "True", "bool"),
    ("fmod", "left", "True", "bool"),
    ("remainder", "left", "True", "bool"),
    # MindSpore computes these through IsNan or through an int64 constant.
    ("nanmean", "bfloat16"),
    ("nansum", "bfloat16"),
    ("Tensor.var", "uint16"),
    ("Tensor.std", "uint16"),
}


def numpy_dtype(name):
    return getattr(dtypes, {"bool": "bool_"}.get(name, name)).numpy


def name_of(dtype):
    return str(dtypes.of(dtype)).lower()


def outcome(function, *args):
    """The name of the dtype that ``function`` gives, or ``!`` and the exception."""
    try:
        return name_of(function(*args))
    except (TypeError, ValueError, RuntimeError) as error:
        return f"!{type(error).__name__}"


def opening(function, *args):
    with pytest.raises((TypeError, ValueError, RuntimeError)) as raised:
        function(*args)
    return str(raised.value)


def check_table(kind, table, zero_d=None):
    wrong = []
    for left, row in zip(NAMES, table, strict=True):
        for right, expected in zip(NAMES, row, strict=True):
            actual = outcome(promotion.result_dtype, kind, numpy_dtype(left), numpy_dtype(right), zero_d)
            if kind in COMPARISONS and actual in NAMES:
                actual = "bool"
            if expected not in (GAP, actual):
                wrong.append((left, right, expected, actual))
    assert not wrong


@pytest.mark.parametrize("kind", GOLDEN["binary"])
def test_two_tensors(kind):
    check_table(kind, [row.split() for row in GOLDEN["binary"][kind]])


@pytest.mark.parametrize("zero_d", ["left", "right"])
@pytest.mark.parametrize("kind", GOLDEN["zero_d"])
def test_a_0d_tensor_yields_in_some_operations(kind, zero_d):
    table = [row.split() for row in GOLDEN["binary"][kind]]
    for pair, expected in GOLDEN["zero_d"][kind][zero_d].items():
        left, right = pair.split()
        table[NAMES.index(left)][NAMES.index(right)] = expected
    check_table(kind, table, zero_d)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", GOLDEN["numbers"])
def test_a_number_beside_a_tensor(kind, side):
    wrong = []
    for text, row in GOLDEN["numbers"][kind].get(side, {}).items():
        for name, expected in zip(NAMES, row.split(), strict=True):
            operands = (numpy_dtype(name), NUMBERS[text])
            actual = outcome(promotion.result_dtype, kind, *(operands if side == "right" else operands[::-1]))
            if kind in COMPARISONS and actual in NAMES:
                actual = "bool"
            if expected not in (GAP, actual) and (kind, side, text, name) not in KNOWN:
                wrong.append((text, name, expected, actual))
    assert not wrong


@pytest.mark.parametrize("symbol", GOLDEN["inplace"])
def test_augmented_assignment(symbol):
    row = GOLDEN["inplace"][symbol]
    check_table(row["kind"], [cells.split() for cells in row["table"]])


@pytest.mark.parametrize("name", [*GOLDEN["unary"], *GOLDEN["reductions"]])
def test_one_tensor(name):
    is_unary = name in GOLDEN["unary"]
    function, table = (
        (promotion.unary_dtype, GOLDEN["unary"]) if is_unary else (promotion.reduction_dtype, GOLDEN["reductions"])
    )
    wrong = []
    for dtype, expected in zip(NAMES, table[name].split(), strict=True):
        actual = outcome(function, name, numpy_dtype(dtype))
        if name in PREDICATES and actual in NAMES:
            actual = "bool"
        if expected not in (GAP, actual) and (name, dtype) not in KNOWN:
            wrong.append((dtype, expected, actual))
    assert not wrong


@pytest.mark.parametrize(
    ("kind", "left", "right", "text"),
    [
        ("add", "int8", "uint16", "For 'Add', no dtype holds both Int8 and UInt16."),
        ("Add", "bool", "bool", "For 'Add', the 'x' must be a Tensor of bfloat16, complex128,"),
        ("bitwise_and", "bool", "2.5", "For 'BitwiseAnd', the 'x' must be a Tensor of bool, int16,"),
        ("logical_or", "bool", "2.5", "For 'LogicalOr', the 'y' must be a Tensor or a bool, but got float."),
        ("atan2", "2", "uint16", "For 'Atan2', no dtype holds both UInt16 and the int."),
        (
            "lerp",
            "bool",
            "int8",
            "For 'Lerp', the 'end' must be of the dtype of 'input', Bool, but got mindspore.int8.",
        ),
        ("assign", "int8", "float32", "For 'Assign', a value of Float32 is not implicitly cast to Int8,"),
        ("clamp", "bool", "int8", "For 'ClampTensor', the 'input' must be a Tensor of"),
    ],
)
def test_refusals_say_what_to_do(kind, left, right, text):
    operands = [NUMBERS[side] if side in NUMBERS else numpy_dtype(side) for side in (left, right)]
    assert opening(promotion.result_dtype, kind, *operands).startswith(text)


@pytest.mark.parametrize(
    ("name", "dtype", "text"),
    [
        ("relu", "complex64", "For 'ReLU', the 'input_x' must be a Tensor of"),
        (
            "deg2rad",
            "int8",
            "For 'deg2rad', the 'x' must be a Tensor of float16, float32, float64, but got",
        ),
        ("mean", "bool", "For 'ReduceMean', the 'x' must be a Tensor of"),
    ],
)
def test_refusals_of_one_tensor_say_what_to_do(name, dtype, text):
    function = promotion.unary_dtype if name in GOLDEN["unary"] else promotion.reduction_dtype
    assert opening(function, name, numpy_dtype(dtype)).startswith(text)


@pytest.mark.parametrize(
    ("kind", "left", "right", "expected"),
    [
        ("mul", "complex64", "float32", "complex64"),
        ("mul", "float64", "complex64", "complex128"),
        ("sub", "bfloat16", "bfloat16", "bfloat16"),
        ("atan2", "int32", "int64", "float32"),
        ("div", "complex64", "int32", "complex64"),
        ("maximum", "bfloat16", "int8", "bfloat16"),
        ("concat", "int32", "float16", "float16"),
        ("masked_fill", "int32", "float32", "int32"),
    ],
)
def test_what_only_mindspores_cpu_lacks_follows_the_lattice(kind, left, right, expected):
    assert name_of(promotion.result_dtype(kind, numpy_dtype(left), numpy_dtype(right))) == expected


@pytest.mark.parametrize(("name", "expected"), [("log", "float32"), ("square", "bool"), ("tanh", "float32")])
def test_a_bool_operand_that_only_mindspores_cpu_lacks(name, expected):
    assert name_of(promotion.unary_dtype(name, np.dtype(bool))) == expected


def test_the_dtype_argument_of_a_reduction_decides():
    assert promotion.reduction_dtype("sum", np.dtype("i4"), np.dtype("f8")) == np.dtype("f8")


def test_a_type_stands_for_its_numbers():
    assert promotion.result_dtype("add", np.dtype("i1"), float) == promotion.result_dtype("add", np.dtype("i1"), 0.5)


def test_numpy_scalars_are_weak_like_python_numbers():
    assert promotion.result_dtype("add", np.dtype("f4"), np.float64(2.5)) == np.dtype("f4")


# Dtypes that MindSpore on NumPy 1 gives ``number * tensor`` (an array), by the dtype of the Tensor.
NUMPY_NUMBERS = [
    ("float32", np.float64(0.5), "float32"),
    ("float32", np.float64(1e300), "float64"),
    ("float32", np.int64(3), "float32"),
    ("float32", np.complex64(1j), "complex64"),
    ("float16", np.float64(0.5), "float16"),
    ("float16", np.float32(0.5), "float16"),
    ("int32", np.int64(3), "int32"),
    ("int32", np.float32(0.5), "float64"),
    ("int32", np.float64(0.5), "float64"),
    ("int64", np.int32(3), "int64"),
    ("uint8", np.int64(3), "uint8"),
    ("uint8", np.int64(300), "uint16"),
    ("uint8", np.int64(-1), "int16"),
    ("int8", np.int64(3), "int8"),
    ("int8", np.int64(300), "int16"),
    ("bool", np.int64(3), "int64"),
    ("bool", np.bool_(True), "bool"),
    ("float64", np.float32(0.5), "float64"),
    ("float16", np.array(0.5), "float16"),
    ("float32", np.array(0.5), "float32"),
    ("int8", np.array(300), "int16"),
]


@pytest.mark.parametrize(("dtype", "number", "expected"), NUMPY_NUMBERS)
def test_numbers_of_numpy_are_promoted_as_by_numpy_1(dtype, number, expected):
    product = number * Tensor(np.ones(2, dtype))
    assert type(product) is np.ndarray and (product.dtype, product.shape) == (expected, (2,))
    assert product.tolist() == [number] * 2


def test_a_tensor_without_axes_is_a_number_beside_an_array():
    for array, tensor, dtype in (("int8", Tensor(2), "int8"), ("float16", Tensor(2.0), "float16")):
        assert (np.ones(2, array) * tensor).dtype == dtype


def test_numbers_of_numpy_beside_a_tensor_without_axes_count_by_their_dtype():
    assert type(np.float64(0.5) * Tensor(2.0)) is np.float64 and type(np.float32(0.5) * Tensor(2.0)) is np.float32
