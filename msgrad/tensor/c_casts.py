"""Conversions of arrays to another dtype as compiled C does them on x86, and so MindSpore on a CPU."""

import jax.numpy as jnp
import numpy as np


def convert(array, dtype):
    """``array`` in the numpy dtype ``dtype`` as C casts it on x86. For use in bodies of operations."""
    if array.dtype == dtype:
        return array
    if jnp.iscomplexobj(array) and not jnp.issubdtype(dtype, jnp.complexfloating):
        array = jnp.real(array)
    if jnp.issubdtype(array.dtype, jnp.floating) and jnp.issubdtype(dtype, jnp.integer):
        return _truncated(array, np.dtype(dtype))
    if array.dtype == bool and jnp.issubdtype(dtype, jnp.inexact):
        # Not at once: XLA makes a product with a mask a selection, in which False times infinity or NaN is 0, not NaN.
        array = array.astype(jnp.uint8)
    return array.astype(dtype)


def _truncated(array, dtype):
    # The processor truncates to 32 or 64 bits, giving the smallest number for what does not fit; the low bits remain.
    # XLA alone would saturate.
    array = array.astype(jnp.float64 if array.dtype == jnp.float64 else jnp.float32)
    if dtype == np.uint64:
        large = jnp.where(array < 2.0**64, array, 0).astype(dtype)
        return jnp.where(array >= 2.0**63, large, _truncated(array, np.dtype(np.int64)).astype(dtype))
    wide = jnp.int64 if dtype in (np.int64, np.uint32) else jnp.int32
    minimum = jnp.iinfo(wide).min
    bound = -float(minimum)
    fits = (array >= -bound) & (array < bound)
    return jnp.where(fits, array, 0).astype(wide).astype(dtype) + jnp.where(fits, 0, minimum).astype(dtype)
