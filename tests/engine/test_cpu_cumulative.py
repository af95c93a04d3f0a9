"""Cumulative functions and argmax, as they are lowered for a CPU, have NumPy's values."""

import jax
import numpy as np
import pytest
from jax import lax

from msgrad.engine.execution import execute  # noqa: F401  (it replaces the lowerings)
from msgrad.engine.jax_options import Tracing

STEPS = {
    "cumsum": np.add,
    "cumprod": np.multiply,
    "cummax": np.maximum,
    "cummin": np.minimum,
    "cumlogsumexp": np.logaddexp,
}
SHAPES = [
    ((5000,), 0),
    ((100, 50), 0),
    ((64, 129), 1),
    ((4, 40, 200), 1),
    ((3, 2000), 1),
    ((70, 40, 3), 1),
    ((8, 4, 600), 1),
]


def expected_of(step, x, axis, reverse):
    wide = x.astype(np.float64) if x.dtype.kind == "f" else x
    if reverse:
        return np.flip(step.accumulate(np.flip(wide, axis), axis, dtype=wide.dtype), axis)
    return step.accumulate(wide, axis, dtype=wide.dtype)


def computed(name, x, axis, reverse):
    with Tracing():
        return np.asarray(jax.jit(lambda x: getattr(lax, name)(x, axis, reverse=reverse))(x))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("name", STEPS)
def test_values(name, shape, axis, reverse):
    x = np.random.RandomState(0).uniform(-1, 1, shape).astype(np.float32)
    x = x * 0.01 + 1 if name == "cumprod" else x
    actual = computed(name, x, axis, reverse)
    np.testing.assert_allclose(actual, expected_of(STEPS[name], x, axis, reverse), rtol=3e-5, atol=3e-5)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
@pytest.mark.parametrize("name", ["cumsum", "cummax", "cummin"])
def test_other_types(name, dtype):
    x = np.random.RandomState(0).randint(-(2**30), 2**30, (64, 129)).astype(dtype)
    for axis in range(2):
        with np.errstate(all="ignore"):
            expected = expected_of(STEPS[name], x, axis, False)
        actual = computed(name, x, axis, False)
        assert actual.dtype == dtype
        np.testing.assert_allclose(actual, expected, rtol=0 if np.dtype(dtype).kind == "i" else 1e-12)


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.filterwarnings("ignore:.* encountered in accumulate")
def test_infinities_go_on_to_the_end_and_no_further(shape, axis):
    x = np.ones(shape, np.float32)
    x.reshape(-1)[x.size // 2] = np.inf
    x.reshape(-1)[x.size // 2 + 100] = -np.inf
    x.reshape(-1)[x.size // 4] = np.nan
    np.testing.assert_array_equal(computed("cumsum", x, axis, False), np.cumsum(x, axis))
    largest = np.full(shape, 1e37, np.float32)  # sums overflow
    expected = np.isinf(np.cumsum(largest, axis))
    np.testing.assert_array_equal(np.isinf(computed("cumsum", largest, axis, False)), expected)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_extremes_of_infinities_and_nan(name, shape, axis, reverse):
    x = np.random.RandomState(0).choice(np.float32([-np.inf, np.inf]), shape)
    np.testing.assert_array_equal(computed(name, x, axis, reverse), expected_of(STEPS[name], x, axis, reverse))
    x.reshape(-1)[x.size // 2] = np.nan
    np.testing.assert_array_equal(computed(name, x, axis, reverse), expected_of(STEPS[name], x, axis, reverse))


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_the_first_extreme_and_the_first_nan(shape, axis, dtype):
    x = np.random.RandomState(0).randint(-9, 9, shape).astype(dtype)
    for _ in range(2):
        with Tracing():
            largest = jax.jit(lambda x: lax.argmax(x, axis, np.int32))(x)
            least = jax.jit(lambda x: lax.argmin(x, axis, np.int64))(x)
        assert (largest.dtype, least.dtype) == (np.int32, np.int64)
        np.testing.assert_array_equal(largest, np.argmax(x, axis))
        np.testing.assert_array_equal(least, np.argmin(x, axis))
        x.reshape(-1)[[x.size // 3, x.size // 3 + 1]] = np.nan
        x.reshape(-1)[x.size // 5] = np.inf
