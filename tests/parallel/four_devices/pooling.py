"""Max pooling of an array that is sharded over devices: each pools its own part."""

import jax
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import msgrad  # noqa: F401


@pytest.mark.parametrize("axis", [0, 1])
def test_the_gradient_of_max_pooling_gathers_nothing(axis):
    def pooled(x):
        windows = (1, 1, 3, 3), (1, 1, 2, 2), ((0, 0), (0, 0), (1, 1), (1, 1))
        return (lax.reduce_window(x, np.float32(-np.inf), lax.max, *windows) ** 2).sum()

    x, gradient = np.random.default_rng(0).normal(size=(4, 8, 9, 9)).astype(np.float32), jax.jit(jax.grad(pooled))
    places = NamedSharding(Mesh(np.array(jax.devices()), ("devices",)), PartitionSpec(*[None] * axis, "devices"))
    sharded = jax.device_put(x, places)
    program = gradient.lower(sharded).compile()
    assert "all-gather" not in program.as_text()
    np.testing.assert_allclose(program(sharded), gradient(x), rtol=1e-6)
