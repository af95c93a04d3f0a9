"""Convolutions of one input channel, which a CPU computes as matrix products, against XLA's own."""

import itertools

import jax
import numpy as np
import pytest

from msgrad.ops.nn import convolution
from msgrad.ops.nn.convolution import convolved

RNG = np.random.default_rng(5)
SIZES = [((9,), (3,), [(1, 2)]), ((6, 8), (3, 4), [(1, 1), (0, 2)]), ((4, 5, 4), (2, 1, 3), [(0, 1), (0, 0), (2, 2)])]
CASES = [(*sizes, *steps) for sizes, steps in itertools.product(SIZES, [(1, 2), (2, 1)])]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_one_channel(case, monkeypatch):
    monkeypatch.setattr(convolution, "_LEAST_WEIGHTS", 0)
    shape, kernel, pads, stride, dilation = case
    rank = len(shape)
    x, weight = RNG.normal(size=(2, 1, *shape)), RNG.normal(size=(3, 1, *kernel))
    strides, dilations = (stride,) * rank, (dilation,) * rank

    def ours(x, weight):
        return convolved(x, weight, strides, pads, dilations, 1)

    def xla(x, weight):
        axes = "DHW"[3 - rank :]
        layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
        return jax.lax.conv_general_dilated(x, weight, strides, pads, None, dilations, layout)

    def results(x, weight):
        cubes = [lambda x, weight, fn=fn: (fn(x, weight) ** 3).sum() for fn in (ours, xla)]
        return [(fn(x, weight), jax.grad(cube, (0, 1))(x, weight)) for fn, cube in zip((ours, xla), cubes, strict=True)]

    assert "conv_general_dilated" not in str(jax.make_jaxpr(ours)(x, weight))
    mine, theirs = map(jax.tree.leaves, jax.jit(results)(x, weight))
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)


def test_nothing_in_the_batch():
    x, weight = np.zeros((0, 1, 5, 5)), np.ones((1024, 1, 2, 2))
    assert convolved(x, weight, (1, 1), [(0, 0)] * 2, (1, 1), 1).shape == (0, 1024, 4, 4)
