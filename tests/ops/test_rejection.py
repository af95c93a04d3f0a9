"""Gamma, Beta and Poisson numbers of a key: their distributions, special parameters, shapes and derivatives."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad.ops.random import rejection

pytestmark = pytest.mark.usefixtures("in_body")

KEY, COUNT = jax.random.key(7), 40_000
FAR = 1.95 / COUNT**0.5  # the distance of Kolmogorov and Smirnov that one of a thousand samples exceeds


@pytest.mark.parametrize("alpha", [0.3, 1.0, 2.5, 80.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gamma(alpha, dtype):
    numbers = np.sort(jax.jit(rejection.gamma, static_argnums=(2, 3))(KEY, jnp.float32(alpha), (COUNT,), dtype))
    assert numbers.dtype == dtype
    shares = jax.scipy.special.gammainc(alpha, numbers.astype(np.float64))
    assert abs(shares - (np.arange(COUNT) + 0.5) / COUNT).max() < FAR


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (2.0, 5.0), (0.05, 3.0), (30.0, 1.0)])
def test_beta(a, b):
    draw = jax.jit(rejection.beta, static_argnums=(3, 4))
    numbers = np.sort(draw(KEY, jnp.float32(a), jnp.float32(b), (COUNT,), np.float64))
    shares = jax.scipy.special.betainc(a, b, numbers)
    assert abs(shares - (np.arange(COUNT) + 0.5) / COUNT).max() < FAR
    tiny = draw(KEY, jnp.float32(1e-4), jnp.float32(1e-4), (COUNT,), np.float32)  # of gamma numbers that underflow
    assert abs(np.mean(tiny) - 0.5) < FAR


@pytest.mark.parametrize("rate", [0.2, 3.0, 9.9, 10.0, 60.0])
def test_poisson(rate):
    rates = jnp.full((2, COUNT // 2), rate).at[0, 0].set(50.0)  # so that both methods run
    numbers = np.asarray(jax.jit(rejection.poisson, static_argnums=2)(KEY, rates, rates.shape)).ravel()[1:]
    counts = np.arange(int(rate) + 1)
    chances = np.exp([n * math.log(rate) - rate - math.lgamma(n + 1) for n in counts])
    shares = (numbers[:, None] <= counts).mean(0)
    assert abs(shares - np.cumsum(chances)).max() < FAR


def test_special_parameters():
    parameters = jnp.array([0.0, -1.0, np.nan, np.inf, 1.0])
    numbers = np.asarray(rejection.gamma(KEY, parameters, (5,), np.float32))
    assert numbers[0] == 0 and np.isnan(numbers[1:3]).all() and numbers[3] == np.inf and np.isfinite(numbers[4])
    counts = rejection.poisson(KEY, parameters.at[3].set(1e6), (5,)).tolist()
    assert counts[:3] == [0, 0, 0] and abs(counts[3] - 1e6) < 1e4 and counts[4] < 20


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (2, 3)])
def test_shapes(shape):
    half = rejection.gamma(KEY, jnp.float16(2), shape, np.float16)
    assert half.shape == shape and half.dtype == np.float16
    assert rejection.poisson(KEY, jnp.float16(2), shape).shape == shape
    rows = jax.vmap(lambda alpha: rejection.gamma(KEY, alpha, shape, np.float32))(jnp.ones(2))
    np.testing.assert_array_equal(rows[0], rows[1])


def test_derivative_of_gamma():
    alpha = jnp.array([0.3, 1.0, 4.0])
    numbers, change = jax.jvp(lambda alpha: rejection.gamma(KEY, alpha, (3,), np.float64), (alpha,), (alpha,))
    step = 1e-5  # along which the share of smaller numbers stays the same
    shares = [jax.scipy.special.gammainc(alpha * (1 + side * step), numbers + side * step * change) for side in (-1, 1)]
    np.testing.assert_allclose(*shares, atol=1e-8)


def test_derivative_of_logarithms_of_gamma():
    alpha = jnp.array([1e-3, 0.01, 0.3, 1.0, 4.0])
    logarithms, change = jax.jvp(lambda alpha: rejection._log_gamma(alpha, KEY), (alpha,), (alpha,))
    assert np.isfinite(change).all()
    step = 1e-5
    shares = []
    for side in (-1, 1):
        changed, moved = alpha * (1 + side * step), logarithms + side * step * change
        near = jnp.exp(changed * moved - jax.scipy.special.gammaln(changed + 1))
        shares.append(jnp.where(logarithms < -50, near, jax.scipy.special.gammainc(changed, jnp.exp(moved))))
    np.testing.assert_allclose(*shares, atol=1e-8)
