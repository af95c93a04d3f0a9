"""Convolutions of one channel, in groups and over three axes: our matrix products on a CPU against XLA's kernels."""

import itertools

import jax
import numpy as np
import pytest

from msgrad.ops.nn import convolution
from msgrad.ops.nn.convolution import convolved

from ..helpers import ON_CPU

pytestmark = [ON_CPU, pytest.mark.usefixtures("in_body")]

RNG = np.random.default_rng(5)
SIZES = [((9,), (3,), [(1, 2)]), ((6, 8), (3, 4), [(1, 1), (0, 2)]), ((5, 5, 4), (2, 1, 3), [(-1, 1), (0, 0), (2, 2)])]
CASES = [(*sizes, *steps) for sizes, steps in itertools.product(SIZES, [(1, 2), (2, 1)])]


def check(x, weight, strides, pads, dilations, group):
    """Compares values and gradients with those of XLA's own convolution; returns the jaxpr of ours."""

    def ours(x, weight):
        return convolved(x, weight, strides, pads, dilations, group)

    def xla(x, weight):
        axes = "DHW"[5 - x.ndim :]
        layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
        return jax.lax.conv_general_dilated(x, weight, strides, pads, None, dilations, layout, group)

    def results(x, weight):
        cubes = [lambda x, weight, fn=fn: (fn(x, weight) ** 3).sum() for fn in (ours, xla)]
        return [(fn(x, weight), jax.grad(cube, (0, 1))(x, weight)) for fn, cube in zip((ours, xla), cubes, strict=True)]

    mine, theirs = map(jax.tree.leaves, jax.jit(results)(x, weight))
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)
    return str(jax.make_jaxpr(ours)(x, weight))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_one_channel(case, monkeypatch):
    monkeypatch.setattr(convolution, "_LEAST_WEIGHTS", 0)
    shape, kernel, pads, stride, dilation = case
    rank = len(shape)
    x, weight = RNG.normal(size=(2, 1, *shape)), RNG.normal(size=(3, 1, *kernel))
    made = check(x, weight, (stride,) * rank, pads, (dilation,) * rank, 1)
    assert "conv_general_dilated" not in made


@pytest.mark.parametrize(
    "case, channels, group, results",
    [(0, 9, 9, 18), (2, 18, 9, 9), (3, 9, 9, 9), (3, 4, 2, 6), (4, 3, 1, 2), (5, 4, 2, 4)],
)
def test_groups_and_three_axes(case, channels, group, results):
    shape, kernel, pads, stride, dilation = CASES[case]
    rank = len(shape)
    x, weight = RNG.normal(size=(2, channels, *shape)), RNG.normal(size=(results, channels // group, *kernel))
    made = check(x, weight, (stride,) * rank, pads, (dilation,) * rank, group)
    is_by_taps = rank == 3 or group == 9
    assert made.count("conv_general_dilated[") == (0 if is_by_taps else group)


@pytest.mark.parametrize("channels, swaps", [(8, 3), (7, 0)])
def test_kernels_of_one_column_are_turned(channels, swaps):
    x, weight = RNG.normal(size=(2, channels, 9, 5)), RNG.normal(size=(8, channels, 3, 1))
    made = check(x, weight, (2, 1), [(1, 2), (0, 1)], (1, 2), 1)
    assert made.count("transpose[") == swaps


@pytest.mark.parametrize("kernel, kernels, joined", [((3, 2), 16, 1), ((3, 1), 2, 1), ((1, 3), 2, 0), ((3, 2), 17, 0)])
def test_rows_of_few_kernels_are_channels(kernel, kernels, joined):
    x, weight = RNG.normal(size=(2, 1, 9, 7)), RNG.normal(size=(kernels, 1, *kernel))
    made = check(x, weight, (2, 3), [(1, 2), (0, 1)], (2, 3), 1)
    assert made.count("concatenate[") == joined


def test_half_precision_accumulates_as_xla_does():
    x, weight = np.ones((1, 16, 8), np.float16), np.ones((16, 1, 3), np.float16)
    made = jax.make_jaxpr(lambda x: convolved(x, weight, (1,), [(0, 0)], (1,), 16))(x)
    assert "conv_general_dilated[" in str(made)


def test_nothing_in_the_batch():
    x, weight = np.zeros((0, 1, 5, 5)), np.ones((1024, 1, 2, 2))
    assert convolved(x, weight, (1, 1), [(0, 0)] * 2, (1, 1), 1).shape == (0, 1024, 4, 4)
