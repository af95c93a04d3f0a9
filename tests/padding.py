"""Padded arrays, and jaxprs as functions: what the tests of programs of many sizes share."""

import jax
import numpy as np

from msgrad.engine._jax_private import jaxpr_as_function
from msgrad.engine.interpreter import NotCovered, make_plan


def runner(jaxpr):
    """A jaxpr as a function: by NumPy, which compiles nothing, where it can."""
    try:
        return make_plan(jaxpr)
    except NotCovered:
        return jax.jit(jaxpr_as_function(jaxpr))


def padded_to(array, shape):
    """``array`` in the first elements of zeros of this shape."""
    whole = np.zeros(shape, array.dtype)
    whole[tuple(map(slice, array.shape))] = array
    return whole
