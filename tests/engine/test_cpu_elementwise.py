"""Elementwise functions that are lowered by formulas for a CPU have the C library's values."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from msgrad.engine.execution import execute  # noqa: F401  (it replaces the lowerings)

COUNT = 4096
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3e38, -3e38, 1e-30, 0.5, np.pi, 1e7, 2e9]
ONE = {
    "sin": (np.sin, 1e38),
    "cos": (np.cos, 1e38),
    "tan": (np.tan, 1.5),
    "asin": (np.arcsin, 1.01),
    "acos": (np.arccos, 1.01),
    "atan": (np.arctan, 1e30),
}
TWO = {"atan2": np.arctan2, "rem": np.fmod}


def values(largest, seed=0):
    """Numbers of all sizes up to the largest, of both signs, and special ones."""
    random = np.random.RandomState(seed)
    sizes = largest * np.power(10.0, -random.uniform(0, 20, COUNT - len(SPECIAL)))
    linear = random.uniform(-largest, largest, COUNT)
    numbers = np.concatenate([np.where(random.rand(len(sizes)) < 0.5, -sizes, sizes), SPECIAL, linear])
    return random.permutation(numbers).astype(np.float32)


def check(actual, function, operands, rtol=2.5e-7, atol=5e-8):
    with np.errstate(all="ignore"):
        expected = function(*[np.asarray(each, np.float64) for each in operands])
    np.testing.assert_allclose(np.asarray(actual, np.float64), expected, rtol=rtol, atol=atol)
    zeros = expected == 0
    np.testing.assert_array_equal(np.signbit(actual)[zeros], np.signbit(expected)[zeros])


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_operand(name):
    function, largest = ONE[name]
    x = values(largest)
    check(jax.jit(getattr(lax, name))(x), function, [x])


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("largest", [1e3, 1e15])
def test_functions_of_two_operands(name, largest):
    x, y = values(largest), values(largest, 1)
    check(jax.jit(getattr(lax, name))(x, y), TWO[name], [x, y])


@pytest.mark.parametrize(("x", "y"), [(7.5, 0.7), (-6.0, 2.0), (1e8, 0.3), (5.0, np.inf), (0.6, 0.1), (1e9, 3.0)])
def test_a_remainder_is_exact(x, y):
    x, y = np.full(COUNT, x, np.float32), np.full(COUNT, y, np.float32)
    actual = np.asarray(jax.jit(lax.rem)(x, y))
    expected = np.fmod(x, y)
    np.testing.assert_array_equal(actual.view(np.int32), expected.view(np.int32))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_half_types(dtype):
    x, y = [np.clip(values(size)[:COUNT], -1000, 1000).astype(dtype) for size in (100.0, 50.0)]
    finite = np.isfinite(x) & np.isfinite(y) & (y != 0)
    x, y = np.where(finite, x, dtype(1)), np.where(finite, y, dtype(1))
    eps = float(jnp.finfo(dtype).eps)
    check(jax.jit(lax.sin)(x), np.sin, [x], rtol=eps, atol=1e-7)
    check(jax.jit(lax.rem)(x, y), np.fmod, [x, y], rtol=0, atol=0)


def test_gradients_and_batches_under_the_options_of_the_user():
    x = values(3.0)[:COUNT]
    x = np.where(np.isfinite(x) & (abs(x) < 10), x, np.float32(1))
    with jax.enable_x64(False):
        gradient = jax.jit(jax.grad(lambda x: jnp.sin(x).sum()))(x)
        batched = jax.jit(jax.vmap(jnp.arctan))(x.reshape(64, -1))
    assert gradient.dtype == np.float32
    check(gradient, np.cos, [x])
    check(batched.reshape(-1), np.arctan, [x])


def test_float64_and_few_elements_are_computed_as_before():
    with jax.enable_x64(True):
        lowered = jax.jit(lax.sin).lower(np.ones(COUNT)).as_text()
    assert "stablehlo.sine" in lowered
    assert "stablehlo.sine" in jax.jit(lax.sin).lower(np.ones(8, np.float32)).as_text()
    assert "stablehlo.sine" not in jax.jit(lax.sin).lower(np.ones(COUNT, np.float32)).as_text()
