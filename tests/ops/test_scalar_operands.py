"""Numbers that only scale or shift: another value compiles nothing and gives the result of a constant."""

import numbers
import re

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._contracts import kinds
from msgrad._contracts.contracts import Operand
from msgrad._contracts.kinds import Scalar
from msgrad.engine.execution import execute
from msgrad.ops._core.faces import FUNCTIONS

from ..op_cases import CASES, NAMES, random_ops

NAMESPACE = {"ms": ms, "mint": ms.mint, "mnp": ms.numpy, "ops": ops, "nn": nn, "Tensor": Tensor}
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d*(?:e-?\d+)?|\d+e-?\d+)(?!\w)")
OTHERS = [
    "ops.hardtanh(x, -1.5, 1.5)",
    "ops.softplus(x, 1.5, 20.5)",
    "ops.nan_to_num(x, 1.5, 2.5, -2.5)",
    "ops.amax(x, 0, initial=1.5)",
    "ops.amin(x, 0, initial=1.5)",
    "ops.max(x, 0, initial=1.5)[0]",
    "x.sum(initial=1.5)",
    "ops.celu(x, 0.5)",
    "ops.leaky_relu(x, 1.5)",
    "ops.logit(x.abs(), eps=0.25)",
    "x.allclose(x, 1.5, 1.5)",
    "ops.trapz(x, dx=1.5)",
    "ops.LpNorm(0, epsilon=0.5)(x)",
    "ops.fftfreq(4, 1.5)",
    "ops.hamming_window(4, alpha=0.5, beta=0.25)",
    "ops.pinv(x, atol=0.5, rtol=0.25)",
    "ops.embedding(Tensor([0]), ms.Parameter(x), max_norm=0.5)",
    "ops.ApplyMomentum(gradient_scale=0.5)(ms.Parameter(x), ms.Parameter(x), 0.5, x, 0.5)",
    "nn.LeakyReLU(0.5)(x)",
    "nn.CELU(0.5)(x)",
    "nn.Hardtanh(-0.5, 0.5)(x)",
    "nn.SoftShrink(0.5)(x)",
    "nn.HShrink(0.5)(x)",
    "nn.Dropout(p=0.5).set_train()(x)",
    "nn.LayerNorm([3], epsilon=1e-3)(x)",
    "nn.BatchNorm1d(3, eps=1e-3, momentum=0.5)(x)",
    "nn.BatchNorm1d(3, eps=1e-3, momentum=0.5).set_train()(x)",
    "nn.SmoothL1Loss(0.5)(x, 2.0 * x)",
    "nn.HuberLoss(delta=0.5)(x, 2.0 * x)",
    "nn.PReLU(w=0.5)(x)",
    "stepped(x, nn.Momentum, learning_rate=0.5, momentum=0.5, weight_decay=0.5, loss_scale=1.5)",
    "stepped(x, nn.SGD, learning_rate=0.5, momentum=0.5, dampening=0.25, weight_decay=0.5, loss_scale=1.5)",
    "nn.ExponentialDecayLR(0.5, 0.5, 4)(Tensor(2, ms.int32))",
    "nn.CosineDecayLR(0.01, 0.5, 4)(Tensor(2, ms.int32))",
    "nn.PolynomialDecayLR(0.5, 0.01, 4, 0.5)(Tensor(2, ms.int32))",
]
EXPRESSIONS = [
    *[each for case in CASES if not case.parameters for each in (case.expression, *case.faces)],
    *[each for case in random_ops.CASES for each in (case.expression, *case.faces)],
    *OTHERS,
]
# Static parameters that take a float, which selects the computation all the same.
ALONE = "one value alone is taken"
ORDER = "the order of a norm: 0, 1, 2, inf and others are computed each in its own way"
SELECTING = {
    ("Elu", "alpha"): ALONE,
    ("BasicLSTMCell", "keep_prob"): ALONE,
    ("DynamicGRUV2", "cell_clip"): ALONE,
    ("DynamicGRUV2", "keep_prob"): ALONE,
    ("DynamicRNN", "cell_clip"): ALONE,
    ("DynamicRNN", "keep_prob"): ALONE,
    ("LSTM", "dropout"): ALONE,
    ("Histogram", "min"): "two equal ones ask for the range of the elements, and it must not be above the other",
    ("Histogram", "max"): "the same",
    ("Lstsq", "l2_regularizer"): "0 asks for a pseudo-inverse, others for a solution",
    ("Cdist", "p"): ORDER,
    ("Pdist", "p"): ORDER,
    ("dist", "p"): ORDER,
    ("_total_norm", "norm_type"): ORDER,
    ("triplet_margin_loss", "p"): ORDER,
    ("lp_pool1d", "norm_type"): ORDER,
    ("lp_pool2d", "norm_type"): ORDER,
    ("interpolate", "scale_factor"): "the lengths of the result and a table of places follow from it",
    ("kaiser_window", "beta"): "the argument of a Bessel function, which NumPy computes",
}
SELECTED = re.compile(r"scale_factor=|ops\.Fractional")  # lengths of the result follow


def stepped(x, optimizer, **numbers):
    """A Parameter after two steps of an optimizer."""
    parameter = ms.Parameter(x, name="p")
    step = optimizer([parameter], **numbers)
    step((x,))
    step((x,))
    return parameter.value()


def compiled():
    report = execute.report()
    return report["programs compiled"] + report["operations compiled"]


def varied(expression, k):
    """``expression`` with each float in it a little smaller: a probability stays one."""
    return NUMBER.sub(lambda results: repr(float(results.group()) * (1 - k / 64)), expression)


def compiled_for(expression, inputs, k):
    """How much is compiled for the ``k``-th variation."""
    names = ", ".join(NAMES[: len(inputs)])
    run = eval(f"lambda {names}: {varied(expression, k)}", {**NAMESPACE, "stepped": stepped})
    before = compiled()
    run(*map(Tensor, inputs))
    return compiled() - before


BY_EXPRESSION = {each: case.inputs() for case in CASES for each in (case.expression, *case.faces)}
ONES = [np.ones((50, 80), np.float32)]
BY_EXPRESSION |= {each: ONES for case in random_ops.CASES for each in (case.expression, *case.faces)}
SMALL = [np.array([[-1.5, 0.5, 2.0], [0.25, -0.75, 1.25]], np.float32)]


@pytest.mark.parametrize(
    "expression", [each for each in EXPRESSIONS if NUMBER.search(each) and not SELECTED.search(each)]
)
def test_another_number_compiles_nothing(expression):
    check_compilations(expression)


@pytest.mark.parametrize("expression", [each for each in OTHERS if each.startswith(("nn.", "stepped"))])
def test_another_number_of_a_layer_compiles_nothing_in_graph_mode(expression, graph_mode):
    check_compilations(expression)


def check_compilations(expression):
    inputs = BY_EXPRESSION.get(expression, SMALL)
    for k in range(2):  # the second may find a value dead that the first had kept
        compiled_for(expression, inputs, k)
    assert [compiled_for(expression, inputs, k) for k in (2, 3)] == [0, 0]


def test_gradients_by_another_number_compile_nothing(mode):
    x = Tensor(SMALL[0])
    counts = []
    for k in range(4):
        before = compiled()
        ms.grad(lambda t, a=0.5 + k / 8: (ops.leaky_relu(t, a) * ops.celu(t, a)).sum())(x)
        counts.append(compiled() - before)
    assert counts[1:] == [0, 0, 0]


ops.import_all()
DEFINITIONS = {id(face.op): face.op for face in FUNCTIONS.values() if hasattr(face, "op")}.values()


def takes_static_float(kind, default):
    """Whether a float given to a parameter of a contract, or its default, becomes part of the program."""
    kind = getattr(kind, "kind", kind)  # of an Optional
    if kind is Operand or isinstance(kind, Scalar):
        return False
    return isinstance(default, float) or not {float, numbers.Real}.isdisjoint(kind.types)


def test_no_float_is_part_of_a_program():
    actual = {
        (each.name, name)
        for each in DEFINITIONS
        for name, kind in each.kinds.items()
        if takes_static_float(kind, each.signature.parameters[name].default)
    }
    assert actual == set(SELECTING)


SCALARS = [
    ("leaky_relu", (0.3,)),
    ("leaky_relu", (1.7,)),
    ("leaky_relu", (2,)),
    ("celu", (0.7,)),
    ("softplus", (0.7, 1.3)),
    ("softplus", (2, 3)),
    ("softshrink", (0.3,)),
    ("hardshrink", (0.3,)),
    ("hardtanh", (-0.3, 0.7)),
    ("hardtanh", (-1, 1)),
    ("threshold", (0.1, 0.3)),
    ("threshold", (1, 7)),
    ("logit", (0.3,)),
    ("nan_to_num", (0.1, 0.3, -0.3)),
    ("_statistics._l2_normalize", (0, 0.3)),
]


def assert_nearly_equal(actual, expected):
    """Equal except for the last place: XLA multiplies by the reciprocal of a constant that it would divide by."""
    expected = np.asarray(expected)
    step = 4 * np.finfo(expected.dtype).eps
    np.testing.assert_allclose(actual.asnumpy(), expected, rtol=step, atol=step * np.abs(expected).max())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
@pytest.mark.parametrize(("name", "numbers"), SCALARS, ids=str)
@pytest.mark.usefixtures("in_body")
def test_a_number_computes_what_it_would_as_a_constant(name, numbers, dtype, monkeypatch):
    monkeypatch.setattr(execute, "_sites", {})  # all lambdas of this line are one site
    face = FUNCTIONS[name]
    x = (SMALL[0] * 2).astype(dtype)
    try:
        expected = jax.jit(lambda array: face.op.body(array, *numbers))(x)
    except TypeError:
        with pytest.raises(TypeError):
            face(Tensor(x), *numbers)
        return
    actual = face(Tensor(x), *numbers)
    assert actual.aval == (expected.shape, expected.dtype)
    if dtype == "int32":
        np.testing.assert_allclose(actual.asnumpy(), expected, rtol=1e-6)
        return
    assert_nearly_equal(actual, expected)
    gradient = jax.jit(jax.grad(lambda array: face.op.body(array, *numbers).sum()))(x)
    assert_nearly_equal(ms.grad(lambda t: face(t, *numbers).sum())(Tensor(x)), gradient)


def test_bfloat16_stays_bfloat16():
    x = Tensor(np.ones(3, ml_dtypes.bfloat16))
    assert ops.leaky_relu(x, 0.3).dtype == ms.bfloat16
    assert ops.celu(x, 0.3).dtype == ms.bfloat16


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ops.celu(x, 0.0), ValueError, "For 'CeLU', the 'alpha' must be a number other than 0"),
        (lambda x: ops.leaky_relu(x, "a"), TypeError, "For 'leaky_relu', the 'alpha' must be a number, but got 'a'"),
        (lambda x: ops.leaky_relu(x, True), TypeError, "For 'leaky_relu', the 'alpha' must be a number"),
        (lambda x: ops.huber_loss(x, x, "mean", -1.0), ValueError, "For 'huber_loss', the 'delta' must be above 0"),
        (lambda x: ops.smooth_l1_loss(x, x, -1.0), RuntimeError, "For 'SmoothL1Loss', the 'beta' must be at least 0"),
    ],
)
def test_numbers_out_of_range_are_refused(call, error, text, mode):
    for run in (call, ms.grad(lambda x: call(x).sum())):
        with pytest.raises(error, match=re.escape(text)):
            run(Tensor(SMALL[0]))


def test_no_smoothing_of_an_impossible_class_is_nothing():
    scores = Tensor(np.array([[0.0, -np.inf, 1.0]], np.float32))
    plain = ops.cross_entropy(scores, Tensor([2], ms.int32))
    assert ops.cross_entropy(scores, Tensor([2], ms.int32), label_smoothing=0.0).item() == plain.item()


def test_a_number_is_weak_inside_a_body(in_body):
    x = jnp.zeros(2, jnp.float16)
    assert (kinds._WEAK.fill(jnp.float64(0.5)) * x).dtype == x.dtype
    assert isinstance(FUNCTIONS["celu"].op.kinds["alpha"], Scalar)
