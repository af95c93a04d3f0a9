"""Convolutions of bfloat16 as they are lowered for a CPU: which form is chosen, and what it computes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import msgrad  # noqa: F401
from msgrad.engine.lowering import cpu_convolutions, cpu_weight_gradients
from tests.helpers import ON_CPU

pytestmark = [ON_CPU, pytest.mark.usefixtures("in_body")]
RNG = np.random.default_rng(0)
ROOM = [(1, 1), (1, 1)]
NONE = [(0, 0), (0, 0)]
CASES = [  # shapes, strides, padding, dilation of the input and of the kernel, and the form
    ((1, 20, 4, 5), (30, 20, 1, 1), (1, 1), NONE, (1, 1), (1, 1), "_of_points"),  # channels last
    ((2, 4, 8, 9), (6, 4, 1, 1), (2, 1), [(1, 0), (-1, 2)], (1, 1), (3, 1), "_of_points"),  # for each image
    ((2, 20, 3, 4), (30, 20, 1, 1), (1, 1), NONE, (1, 1), (1, 1), "_of_points"),  # for all
    ((3, 20, 3, 4), (30, 20, 1, 1), (1, 1), [(0, 2), (-1, 1)], (3, 2), (1, 1), "_of_points"),
    ((2, 4, 5, 5), (6, 4, 1, 1), (2, 2), NONE, (2, 1), (1, 1), "None"),
    ((5, 4, 9), (6, 4, 1), (2,), [(0, 1)], (1,), (1,), "_of_points"),
    ((2, 4, 3, 4, 5), (6, 4, 1, 1, 1), (2, 1, 1), [(0, 0)] * 3, (1, 1, 1), (1, 1, 1), "_of_points"),
    ((4, 6, 5, 4), (3, 6, 5, 4), (1, 1), NONE, (1, 1), (1, 1), "_by_points"),
    ((3, 2, 11, 12), (20, 2, 5, 10), (1, 1), [(0, -2), (0, -2)], (1, 1), (2, 1), "_by_points"),
    ((20, 2, 4, 3), (3, 2, 4, 3), (1, 1), NONE, (1, 1), (1, 1), "_by_points"),  # exchanged
    ((3, 2, 9, 8), (4, 2, 9, 8), (1, 1), ROOM, (1, 1), (1, 1), "_by_windows"),
    ((3, 4, 9, 8), (5, 4, 4, 3), (1, 2), [(1, 0), (1, 1)], (1, 1), (2, 3), "_by_windows"),
    ((3, 4, 30), (5, 4, 29), (2,), [(1, 2)], (1,), (1,), "_by_windows"),
    ((3, 4, 9, 8), (5, 4, 3, 3), (1, 1), ROOM, (1, 1), (1, 1), "_of_windows"),
    ((3, 4, 9, 8), (5, 4, 3, 2), (2, 3), [(2, 1), (-1, 2)], (1, 1), (2, 1), "_of_windows"),
    ((3, 4, 17), (5, 4, 5), (2,), [(1, 1)], (1,), (1,), "_of_windows"),
    ((2, 4, 4, 5, 5), (5, 4, 2, 3, 2), (1, 2, 1), [(1, 0), *ROOM], (1, 1, 1), (1, 1, 1), "_of_windows"),
    ((2, 4, 40, 40), (5, 4, 9, 9), (1, 1), NONE, (1, 1), (1, 1), "None"),
    ((3, 4, 5, 4), (5, 4, 3, 3), (1, 1), [(1, 2), (0, 2)], (2, 3), (1, 1), "_by_phases"),
    ((3, 4, 5, 4), (5, 4, 3, 2), (1, 1), [(-1, 2), (3, 2)], (2, 3), (2, 2), "_by_phases"),
    ((3, 4, 9), (5, 4, 2), (1,), [(1, 1)], (3,), (1,), "_by_phases"),
    ((3, 4, 5, 4), (5, 4, 3, 3), (2, 1), ROOM, (2, 1), (1, 1), "None"),
    ((0, 4, 5, 4), (5, 4, 3, 3), (1, 1), ROOM, (1, 1), (1, 1), "None"),
    ((3, 4, 2, 2), (5, 4, 3, 3), (1, 1), NONE, (1, 1), (1, 1), "None"),
]


@pytest.fixture(autouse=True)
def processor(monkeypatch):
    """One with instructions for bfloat16, where channels are always enough and windows are computed in parts."""
    monkeypatch.setattr(cpu_convolutions, "multiplies_bfloat16", lambda: True)
    monkeypatch.setattr(cpu_convolutions, "_LEAST_CHANNELS", 1)
    monkeypatch.setattr(cpu_convolutions, "_MOST_ELEMENTS", 700)
    monkeypatch.setattr(cpu_weight_gradients, "_MOST_ELEMENTS", 500)


def convolution(case, first=()):
    """The convolution as a function of its operands, with some axes of all arrays before the others."""
    x, weight, strides, padding, dilation, steps, _ = case
    axes = (*first, *[axis for axis in range(len(x)) if axis not in first])
    numbers = lax.ConvDimensionNumbers(*[tuple(np.argsort(axes).tolist())] * 3)

    def run(x, weight):
        return lax.conv_general_dilated(x, weight, strides, padding, dilation, steps, numbers)

    return run, [RNG.normal(size=[shape[axis] for axis in axes]) for shape in (x, weight)]


def form(run, operands):
    equation = jax.make_jaxpr(run)(*operands).eqns[-1]
    found = cpu_convolutions._form(*[each.aval for each in equation.invars], **equation.params)
    return str(found and found.__name__)


@pytest.mark.parametrize("case", CASES)
def test_form(case, monkeypatch):
    run, operands = convolution(case)
    half = [each.astype(jnp.bfloat16) for each in operands]
    assert form(run, half) == case[-1]
    assert ("stablehlo.convolution" in jax.jit(run).lower(*half).as_text()) == (case[-1] == "None")
    assert form(run, operands) == "None"
    monkeypatch.setattr(cpu_convolutions, "multiplies_bfloat16", lambda: False)
    assert form(run, half) == "None"


def test_convolutions_of_groups_and_of_few_channels_stay(monkeypatch):
    x, weight = np.ones((2, 4, 9, 9), jnp.bfloat16), np.ones((6, 2, 3, 3), jnp.bfloat16)
    grouped = [{"feature_group_count": 2}, {"batch_group_count": 2}]
    for groups, operands in zip(grouped, [(x, weight), (x[:, :2], weight)], strict=True):
        assert form(lambda *each, g=groups: lax.conv_general_dilated(*each, (1, 1), "SAME", **g), operands) == "None"
    monkeypatch.setattr(cpu_convolutions, "_LEAST_CHANNELS", 5)
    for case in CASES:
        half = [each.astype(jnp.bfloat16) for each in convolution(case)[1]]
        assert form(convolution(case)[0], half) in ("_of_points", "_by_points", "None")


@pytest.mark.parametrize("first", [(), (1, 0), (2,)], ids=["images first", "channels first", "mixed"])
@pytest.mark.parametrize("case", CASES)
def test_a_sum_in_float32_is_rounded_once(case, first):
    run, operands = convolution(case, first)
    half = [each.astype(jnp.bfloat16) for each in operands]
    exact, size = [run(*map(change, [each.astype(np.float64) for each in half])) for change in (np.asarray, np.abs)]
    result = jax.jit(run)(*half)
    assert result.dtype == jnp.bfloat16
    bound = float(jnp.finfo(jnp.bfloat16).eps) / 2 * np.abs(exact) + 1e-6 * size
    assert (np.abs(result.astype(np.float64) - exact) <= bound).all()


def test_gradients_have_forms():
    """Those by the input and by the weights of a convolution with strides, which JAX derives."""
    run, operands = convolution(CASES[14])
    half = [jnp.asarray(each, jnp.bfloat16) for each in operands]
    made = jax.make_jaxpr(lambda x, weight: jax.vjp(run, x, weight)[1](run(x, weight)))(*half)
    found = [
        cpu_convolutions._form(*[each.aval for each in equation.invars], **equation.params).__name__
        for equation in made.eqns
        if equation.primitive.name == "conv_general_dilated"
    ]
    assert {*found} == {"_of_windows", "_by_phases", "_by_windows"}
