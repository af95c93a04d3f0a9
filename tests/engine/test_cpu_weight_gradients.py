"""Gradients of convolutions by their weights as they are lowered for a CPU: which are, and what they compute."""

import jax
import numpy as np
import pytest
from jax import lax

import msgrad  # noqa: F401
from msgrad.engine.lowering import cpu_weight_gradients
from tests.helpers import ON_CPU

pytestmark = [ON_CPU, pytest.mark.usefixtures("in_body")]
RNG = np.random.default_rng(0)
CASES = {  # channels, outputs, lengths, kernel, strides, padding, steps
    "fewer outputs": (4, 3, (7, 8), (3, 2), (1, 1), [(1, 1), (0, 1)], (1, 1)),
    "fewer channels": (3, 4, (7, 8), (3, 2), (1, 1), [(1, 1), (0, 1)], (1, 1)),
    "cropped, with steps": (4, 4, (9, 9), (2, 3), (1, 1), [(-1, 0), (2, -2)], (3, 2)),
    "the same, fewer channels": (3, 4, (9, 9), (2, 3), (1, 1), [(-1, 0), (2, -2)], (3, 2)),
    "much padding": (4, 2, (5, 4), (3, 2), (1, 1), [(4, 3), (0, 5)], (1, 2)),
    "strides": (2, 4, (11, 14), (2, 3), (2, 3), [(1, 0), (1, 1)], (1, 1)),
    "strides, many channels": (9, 4, (11, 14), (2, 3), (2, 3), [(1, 0), (1, 1)], (1, 1)),
    "strides and steps": (2, 4, (15, 19), (2, 3), (3, 2), [(2, 2), (-1, 0)], (2, 3)),
    "strides and steps, many channels": (9, 4, (15, 19), (2, 3), (3, 2), [(2, 2), (-1, 0)], (2, 3)),
    "one row": (4, 3, (1, 30), (1, 3), (1, 2), [(0, 0), (1, 1)], (1, 1)),
    "one element": (4, 3, (5, 6), (1, 1), (1, 1), [(0, 0), (0, 0)], (1, 1)),
}


@pytest.fixture(autouse=True)
def all_sizes(monkeypatch):
    monkeypatch.setattr(cpu_weight_gradients, "_LEAST_PRODUCTS", 0)
    monkeypatch.setattr(cpu_weight_gradients, "_LEAST_CHANNELS", 1)


def gradient(case, layout=("NCHW", "OIHW", "NCHW"), dtype=np.float64):
    """The gradient as a function of an input and a cotangent, and these; and the shape of the weights."""
    channels, outputs, lengths, kernel, strides, padding, steps = CASES[case]
    x, weight = RNG.normal(size=(4, channels, *lengths)).astype(dtype), (outputs, channels, *kernel)

    def of_names(x, weight, layout):
        return lax.conv_general_dilated(x, weight, strides, padding, None, steps, layout)

    shape = jax.eval_shape(lambda x, w: of_names(x, w, ("NCHW", "OIHW", "NCHW")), x, np.zeros(weight, dtype)).shape
    dy = RNG.normal(size=shape).astype(dtype)
    operands = zip((x, dy), layout[::2], strict=True)
    x, dy = [each.transpose(["NCHW".index(axis) for axis in names]) for each, names in operands]
    weight = [weight["OIHW".index(axis)] for axis in layout[1]]

    def run(x, dy):
        weights = jax.ShapeDtypeStruct(weight, dtype)
        return jax.linear_transpose(lambda weights: of_names(x, weights, layout), weights)(dy)[0]

    return run, x, dy


def expected(x, dy, kernel, strides, padding, steps):
    """The gradient of arrays with channels in axis 1: for each element of a kernel the products of what it meets."""
    x = np.pad(x, [(0, 0), (0, 0), *[(max(0, low), max(0, high)) for low, high in padding]])
    cropped = [
        slice(max(0, -low), length - max(0, -high)) for (low, high), length in zip(padding, x.shape[2:], strict=True)
    ]
    x, (_, _, height, width) = x[:, :, *cropped], dy.shape
    weights = np.zeros((dy.shape[1], x.shape[1], *kernel))
    for row, column in np.ndindex(*kernel):
        top, left = row * steps[0], column * steps[1]
        met = x[:, :, top : top + height * strides[0] : strides[0], left : left + width * strides[1] : strides[1]]
        weights[:, :, row, column] = np.einsum("ncij,noij->oc", met[:, :, :height, :width], dy)
    return weights


def is_lowered(run, *operands):
    return "stablehlo.convolution" not in jax.jit(run).lower(*operands).as_text()


@pytest.mark.parametrize("most", [1 << 21, 500, 1], ids=["of images", "of an image", "of a row"])
@pytest.mark.parametrize("layout", [("NCHW", "OIHW", "NCHW"), ("NHWC", "HWIO", "NHWC"), ("CHNW", "HOWI", "HNWC")])
@pytest.mark.parametrize("case", CASES)
def test_values(case, layout, most, monkeypatch):
    monkeypatch.setattr(cpu_weight_gradients, "_MOST_ELEMENTS", most)
    run, x, dy = gradient(case, layout)
    assert is_lowered(run, x, dy)
    result = jax.jit(run)(x, dy).transpose([layout[1].index(axis) for axis in "OIHW"])
    operands = zip((x, dy), layout[::2], strict=True)
    x, dy = [each.transpose([names.index(axis) for axis in "NCHW"]) for each, names in operands]
    np.testing.assert_allclose(result, expected(x, dy, *CASES[case][3:]), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_values_in_float32(case):
    run, x, dy = gradient(case, dtype=np.float32)
    assert is_lowered(run, x, dy) and jax.jit(run)(x, dy).dtype == np.float32
    np.testing.assert_allclose(jax.jit(run)(x, dy), expected(x, dy, *CASES[case][3:]), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_gradients_of_each_image(case):
    """`jax.vmap` makes them groups of one convolution."""
    run, x, dy = gradient(case)
    of_each = jax.vmap(lambda x, dy: run(x[None], dy[None]))
    assert is_lowered(of_each, x, dy)
    weights = [expected(x[number, None], dy[number, None], *CASES[case][3:]) for number in range(len(x))]
    np.testing.assert_allclose(jax.jit(of_each)(x, dy), weights, rtol=1e-12, atol=1e-12)
    of_one = jax.vmap(run, (None, 0))  # one input, several cotangents
    assert is_lowered(of_one, x, np.stack([dy, dy**2]))
    weights = [expected(x, dy, *CASES[case][3:]), expected(x, dy**2, *CASES[case][3:])]
    np.testing.assert_allclose(jax.jit(of_one)(x, np.stack([dy, dy**2])), weights, rtol=1e-12, atol=1e-12)


def test_derivatives():
    """It is linear in both operands; their gradients are as before it is lowered."""
    run, x, dy = gradient("strides")
    changed = jax.jit(lambda *operands: jax.jvp(run, operands, (x**2, dy**2))[1])(x, dy)
    both = expected(x**2, dy, *CASES["strides"][3:]) + expected(x, dy**2, *CASES["strides"][3:])
    np.testing.assert_allclose(changed, both, rtol=1e-12, atol=1e-12)
    weights, back = jax.vjp(run, x, dy)
    for operand, derivative in zip((x, dy), jax.jit(back)(weights), strict=True):
        np.testing.assert_allclose((operand * derivative).sum(), (weights**2).sum(), rtol=1e-12)


@pytest.mark.parametrize("most", [1 << 21, 1], ids=["of images", "of a row"])
@pytest.mark.parametrize("channels", [(3, 4), (9, 4)])
def test_transposed_convolutions(channels, most, monkeypatch):
    """Their gradient by the weights has zeros between the elements of the other operand."""
    monkeypatch.setattr(cpu_weight_gradients, "_MOST_ELEMENTS", most)
    (outputs, inputs), steps, padding = channels, (2, 1), [(1, 0), (0, 2)]
    y, weight = RNG.normal(size=(3, inputs, 4, 5)), RNG.normal(size=(inputs, outputs, 3, 4))

    def transposed(weight, y):
        names, x = ("NCHW", "OIHW", "NCHW"), jax.ShapeDtypeStruct((3, outputs, 10, 14), y.dtype)
        return jax.linear_transpose(
            lambda x: lax.conv_general_dilated(x, weight, (2, 3), padding, None, steps, names), x
        )(y)[0]

    x = RNG.normal(size=(3, outputs, 10, 14))

    def by_weights(y, x):
        return jax.linear_transpose(lambda weight: transposed(weight, y), weight)(x)[0]

    assert is_lowered(by_weights, y, x)
    weights = expected(x, y, (3, 4), (2, 3), padding, steps)
    np.testing.assert_allclose(jax.jit(by_weights)(y, x), weights, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "images, channels, outputs, lengths, kernel, is_ours",
    [
        (8, 64, 64, (56, 56), (3, 3), True),
        (64, 16, 16, (32, 32), (3, 3), True),
        (32, 64, 64, (8, 8), (3, 3), True),
        (16, 64, 64, (1, 1024), (1, 3), True),
        (32, 16, 16, (8, 8), (3, 3), False),  # few products
        (32, 6, 15, (99, 99), (5, 5), False),  # few channels
        (64, 64, 64, (3, 3), (3, 3), False),  # as many positions as elements
    ],
)
def test_which_are_lowered(images, channels, outputs, lengths, kernel, is_ours, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(cpu_weight_gradients, "_LEAST_CHANNELS", 16)  # as for JAX 0.10.2
    shapes = (images, channels, *lengths), (outputs, channels, *kernel)
    x, weight = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]

    def run(x, weight):
        return jax.grad(lambda weight: lax.conv_general_dilated(x, weight, (1, 1), "SAME").sum())(weight)

    assert is_lowered(lambda *each: run(*each), x, weight) == is_ours
