"""The checks of arguments, and the overloads of Tensor methods."""

import inspect

import numpy as np
import pytest

from msgrad import Parameter, Tensor, nn, ops
from msgrad._contracts import check, contracts, kinds, signature
from msgrad._contracts.contracts import PositiveInt
from msgrad._contracts.enforcement import TESTING, checked_like

REFUSED = [
    (lambda: check.integer(True, "k", "TopK"), TypeError, "For 'TopK', the 'k' must be an int, but got True (bool)."),
    (lambda: check.positive_int(0, "k", "TopK"), ValueError, "must be a positive int, but got 0 (int)."),
    (lambda: check.non_negative_int(-1, "n", "F"), ValueError, "must be a non-negative int, but got -1 (int)."),
    (lambda: check.boolean(1, "flag", "F"), TypeError, "must be a bool, but got 1 (int)."),
    (lambda: check.number("a", "alpha", "F"), TypeError, "must be a number, but got 'a' (str)."),
    (lambda: check.one_of("x", ("a", "b"), "mode", "F"), ValueError, "must be one of ['a', 'b'], but got 'x' (str)."),
    (lambda: check.in_range(3, 0, 2, "n", "F"), ValueError, "must be in the range [0, 2], but got 3 (int)."),
    (lambda: check.axis(2, 2, "axis", "F"), ValueError, "must be in the range [-2, 2), but got 2 (int)."),
    (lambda: check.axis(1.0, 2, "axis", "F"), TypeError, "must be an int, but got 1.0 (float)."),
    (lambda: check.axes((0, -2), 2, "axis", "F"), RuntimeError, "without repeated axes"),
    (lambda: check.dtype(np.zeros(1, int), "f", "x", "F"), TypeError, "must be a Tensor of float, but got int64."),
    (lambda: check.broadcastable((2,), (3,), "Add"), ValueError, "For 'Add', input1.shape and input2.shape need to"),
]


@pytest.mark.parametrize("call, error, text", REFUSED)
def test_refused(call, error, text):
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value)


def test_normalised():
    assert check.axis(-1, 3, "axis", "F") == 2
    assert check.axis(-1, 0, "axis", "F") == 0
    assert check.axes(None, 2, "axis", "F") == check.axes((), 2, "axis", "F") == (0, 1)
    assert check.axes([-1, 0], 2, "axis", "F") == (1, 0)
    assert check.axes(0, 0, "axis", "F") == ()


def test_overload_is_chosen_by_the_words():
    x = Tensor([[1.0, 5.0], [7.0, 2.0]])
    assert isinstance(x.max(0), tuple) and isinstance(x.max(dim=0), tuple)
    assert x.max(axis=0).asnumpy().tolist() == [7, 5]
    assert x.sum(0, keepdims=True).shape == x.sum(dim=0, keepdim=True).shape == (1, 2)
    assert x.sum(initial=10).asnumpy() == 25


@pytest.mark.parametrize(
    "call", [lambda x: x.sum(axis=1, keep_dims=True), lambda x: x.prod(axis=0), lambda x: x.max("a")]
)
def test_overload_that_does_not_exist(call):
    with pytest.raises(TypeError, match="^Failed calling (sum|max) with |got an unexpected keyword"):
        call(Tensor([[1.0, 2.0]]))


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: ops.add(Tensor([1, 2]), Tensor([1, 2, 3])), ValueError),
        (lambda: ops.softmax(Tensor([1, 2])), TypeError),
        (lambda: ops.clamp(Tensor([1.0])), ValueError),
        (lambda: ops.gelu(Tensor([1.0]), "other"), ValueError),
        (lambda: ops.round(Tensor([1.0]), decimals=2), RuntimeError),
        (lambda: ops.mean(Tensor([True])), RuntimeError),
        (lambda: ops.reverse_sequence(ops.ones((2, 3)), Tensor([4, 1]), 1), RuntimeError),
        (lambda: ops.reverse_sequence(ops.ones((2, 3)), Tensor([3, -1]), 1), RuntimeError),
        (lambda: ops.topk(Tensor([1.0]), 2), ValueError),
        (lambda: ops.relu([1.0]), TypeError),
        (lambda: ops.elu(Tensor([1.0]), 2.0), ValueError),
        (lambda: ops.sum(Tensor([1.0]), (0, 0)), RuntimeError),
    ],
)
def test_operation_refuses(call, error):
    with pytest.raises(error, match="^For "):
        call()


def test_a_constructor_for_fewer_parameters_names_those_of_its_base():
    with pytest.raises(NameError, match=r"^AvgPool2d\.__init__\(self, kernel_size, .*\) has no parameter strides\.$"):

        class Wrong(nn.AvgPool2d):
            __init__ = checked_like(nn.AvgPool2d.__init__, strides=PositiveInt)

    class Square(nn.AvgPool2d):
        __init__ = checked_like(nn.AvgPool2d.__init__, without=("data_format",), kernel_size=PositiveInt)

    assert Square(2).kernel_size == 2 and "data_format" not in inspect.signature(Square).parameters
    with pytest.raises(ValueError, match="^For 'Square', the 'kernel_size' must be"):
        Square(0)
    with pytest.raises(TypeError, match=r"Square\.__init__\(\) got an unexpected keyword argument 'data_format'"):
        Square(data_format="NCHW")

    class Moved(nn.AvgPool2d):
        __init__ = checked_like(nn.AvgPool2d.__init__, behind={"kernel_size": "stride"})

    assert list(inspect.signature(Moved).parameters)[:2] == ["stride", "kernel_size"]
    assert (Moved(1, 2).stride, Moved(1, 2).kernel_size) == (1, 2)


TEXTS = [
    "()", "(x)", "(x, axis=-1)", "(x: Array, keepdims: Bool = False)", "(how='mean', eps=1e-6, y=None, z=-0.5, w='')",
    '(how="mean", flag=True)', "(x, *, y=1)", "(*xs, **options)", "(x: Array, *, y: Bool = True)", "(lower=1 / 8)",
    "(dtype=float32, most=inf)", "(words='a b', more=(1, 2))",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_signature_is_what_python_reads(text):
    scope = {}
    exec(f"def face{text}: pass", contracts.NAMES | signature._NAMES, scope)
    assert signature.signature(text, contracts.NAMES) == inspect.signature(scope["face"])


@pytest.mark.parametrize(
    "text, error", [("(x=1, y)", SyntaxError), ("(x: Nothing)", NameError), ("(x y)", SyntaxError)]
)
def test_a_wrong_signature_is_python_s_error(text, error):
    with pytest.raises(error):
        signature.signature(text)


def test_a_function_of_text_is_the_same_before_and_after_its_first_call():
    shown, scope = signature.signature("(x, by=2)"), {"_times": lambda x, y: x * y}
    made = signature.function("scaled", shown, "_times(x, by)", scope)
    for _ in range(2):
        assert str(inspect.signature(made)) == "(x, by=2)" and made.__defaults__ == (2,)
        with pytest.raises(TypeError, match=r"scaled\(\) missing 1 required positional argument: 'x'"):
            made()
        assert made(3) == 6 and made(x=3, by=4) == 12


VALUES = (None, True, False, 0, 1, -3, 2**70, 0.5, "a", np.int64(1), np.bool_(True), np.float64(0.5), (), [1], (1, 2))
KINDS = [
    *[kind for kind in contracts.NAMES.values() if isinstance(kind, kinds.Kind) and kind.test],
    *[contracts.Int | None, contracts.Dtype | None],
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_generated_code_lets_pass_is_what_a_contract_returns_as_it_is(kind):
    tensors = Tensor([True]), Tensor(1), Parameter(Tensor(1.0), name="p")
    passed = [value for value in (*VALUES, *tensors) if eval(kind.test.format("value"), TESTING, {"value": value})]
    assert passed
    assert all([kind.take(value, "x", "Owner") is value for value in passed])
