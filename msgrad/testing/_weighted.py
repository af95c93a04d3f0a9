"""A weighted sum of several outputs: one number, which can be differentiated."""

import functools

import jax.numpy as jnp
import numpy as np

from ..engine.handle import Handle
from ..engine.pytrees import leaves_in


def is_real(value):
    """Whether ``value`` is a Tensor or an array of real floats, through which gradients flow."""
    return hasattr(value, "shape") and jnp.issubdtype(dtype_of(value), jnp.floating)


def dtype_of(value):
    """The NumPy dtype of a Tensor or an array."""
    return value.aval[1] if isinstance(value, Handle) else np.dtype(value.dtype)


def summed(fn, array, seed=0):
    """``fn`` with one output, the weighted sum of its real float outputs; a single element has weight 1.

    Args:
        fn (callable): returns a pytree of Tensors or arrays.
        array (callable): converts a NumPy array of weights to the type that ``fn`` returns.
        seed (int): the seed of the weights. Default: ``0``.
    """
    # Not a closure: msgrad counts the programs of each line of code, and these are unrelated.
    scalar_function = functools.partial(_summed, fn, array, seed)
    scalar_function.__name__ = getattr(fn, "__name__", type(fn).__name__)
    return scalar_function


def _summed(fn, array, seed, *args):
    random = np.random.RandomState(seed)
    terms = []
    for leaf in leaves_in(fn(*args)):
        if is_real(leaf):
            weights = np.ones(leaf.shape) if leaf.size == 1 else random.uniform(0.5, 1.5, leaf.shape)
            terms.append((leaf * array(weights.astype(dtype_of(leaf)))).sum())
    return sum(terms[1:], terms[0])
