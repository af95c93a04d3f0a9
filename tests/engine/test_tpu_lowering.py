"""Programs for a TPU, which JAX lowers without one: what its compiler would end the process at is not in them."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad  # noqa: F401  (it sets JAX's lowerings)


def exported(fn, array):
    """The program of ``fn`` for a TPU, as text, traced with 64-bit types as msgrad does."""
    with jax.enable_x64(True):
        return jax.export.export(jax.jit(fn), platforms=["tpu"])(array).mlir_module()


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_loops_of_singular_values_count_in_32_bits(dtype):
    text = exported(jnp.linalg.svd, np.ones((4, 3), dtype))
    assert "stablehlo.while" in text
    assert not re.search(r"tensor<([^>]*x)?i64>", text)


@pytest.mark.parametrize(("dtype", "other"), [("float64", "float32"), ("complex128", "complex64")])
def test_wide_singular_values_are_refused(dtype, other):
    with pytest.raises(NotImplementedError, match=f"in {dtype}.*Cast to {other}"):
        exported(jnp.linalg.svd, np.ones((4, 3), dtype))
