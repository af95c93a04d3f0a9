"""Pooling as it is lowered for a CPU: values and gradients of loops over all windows, by programs and by NumPy."""

import itertools

import jax
import numpy as np
import pytest
from jax import lax

import msgrad  # noqa: F401
from msgrad.engine.interpreter.windows import RULES
from tests.helpers import ON_CPU

CASES = [  # lengths, windows, strides, padding, and 1 for maxima, -1 for minima
    ((7, 9), (2, 2), (2, 2), ((0, 0), (0, 0)), 1),  # windows that share nothing
    ((7, 9), (2, 3), (3, 4), ((0, 0), (0, 0)), 1),  # with elements between them
    ((5, 7), (2, 2), (2, 2), ((0, 1), (0, 1)), 1),  # of which the last ones reach beyond the end
    ((6, 6), (2, 2), (2, 2), ((1, 1), (1, 1)), -1),
    ((9, 8), (3, 3), (2, 2), ((1, 1), (1, 1)), 1),
    ((9, 8), (3, 2), (1, 3), ((1, 2), (0, 1)), -1),
    ((6, 7), (5, 5), (1, 1), ((2, 2), (2, 2)), 1),
    ((11,), (3,), (2,), ((1, 1),), 1),
    ((4, 5, 6), (2, 3, 1), (2, 1, 3), ((0, 0), (1, 1), (0, 0)), 1),
]
VALUES = [  # for maxima: equal ones, none better than the padding, and NaN
    lambda random, shape: random.integers(0, 3, shape),
    lambda random, shape: np.full(shape, -np.inf),
    lambda random, shape: np.where(random.random(shape) < 0.1, np.nan, random.integers(0, 3, shape)),
]
pytestmark = ON_CPU


def _by_loops(x, source, windows, strides, padding, sign):
    """The best of each window, and the gradient by ``x``; padding is never chosen."""
    best, gradient = np.zeros(source.shape), np.zeros(x.shape)
    for at in np.ndindex(*source.shape):
        starts = [i * step - low for i, step, (low, _) in zip(at[2:], strides, padding, strict=True)]
        axes = [range(start, start + size) for start, size in zip(starts, windows, strict=True)]
        places = [(*at[:2], *each) for each in itertools.product(*axes)]
        places = [each for each in places if all(0 <= i < n for i, n in zip(each, x.shape, strict=True))]
        chosen = places[np.argmax([sign * x[each] for each in places])]
        best[at] = x[chosen]
        gradient[chosen] += source[at]
    return best, gradient


@pytest.mark.parametrize("lengths, windows, strides, padding, sign", CASES)
def test_windows_choose_as_loops_do(lengths, windows, strides, padding, sign):
    random, shape = np.random.default_rng(0), (2, 3, *lengths)
    settings = (1, 1, *windows), (1, 1, *strides), ((0, 0), (0, 0), *padding)
    worst, select = np.float32(-sign * np.inf), lax.max if sign == 1 else lax.min

    def pooled(x):
        return lax.reduce_window(x, worst, select, *settings)

    run = jax.jit(lambda x, source: (pooled(x), *jax.vjp(pooled, x)[1](source)))
    source = np.float32(random.integers(1, 9, jax.eval_shape(pooled, jax.ShapeDtypeStruct(shape, np.float32)).shape))
    program = run.lower(np.zeros(shape, np.float32), source).compile()
    assert "scatter" not in program.as_text()
    names = "window_dimensions", "window_strides", "padding"
    chosen = {"select_prim": lax.ge_p if sign == 1 else lax.le_p, **dict(zip(names, settings, strict=True))}
    for values in VALUES:
        x = np.float32(sign * values(random, shape))
        best, gradient = _by_loops(x, source, windows, strides, padding, sign)
        for got, expected in zip(program(x, source), (best, gradient), strict=True):
            np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(RULES["select_and_scatter_add"](source, x, **chosen), gradient)
