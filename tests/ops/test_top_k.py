"""Top-k of float32 by XLA's CPU kernel, against a stable sort."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad.ops.math.sorting import _order, _top

from ..helpers import ON_CPU


@ON_CPU
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("shape, axis", [((5, 40), 0), ((2, 30, 3), 1)])
def test_the_same_elements_as_a_stable_sort(shape, axis, largest):
    x = np.random.default_rng(1).integers(-4, 5, shape).astype(np.float32)
    for start, step, value in ((0, 7, np.nan), (3, 11, -np.nan), (2, 9, -0.0), (5, 13, np.inf), (6, 13, -np.inf)):
        x.flat[start::step] = value
    expected = np.take(_order(jnp.array(x), axis, largest, "TopK")[1], range(4), axis)
    values, indices = jax.jit(lambda x: _top(x, 4, axis, largest))(x)
    assert indices.dtype == np.int32
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, axis))
    assert " sort[" not in str(jax.make_jaxpr(lambda x: _top(x, 4, axis, largest))(x))
