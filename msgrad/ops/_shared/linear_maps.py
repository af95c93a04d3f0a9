"""Linear functions along one axis whose derivative is the product with a matrix: interpolation, means of windows.

Their indices and weights follow from `numbers` and the lengths by arithmetic, so that no table of them is needed, which
would be another one at each length: programs of all lengths have one form, and may share a compiled one
(`engine.lengths`). At one length XLA makes the table when it compiles.
"""

import jax
import jax.numpy as jnp
import numpy as np

MOST = 1 << 15  # the largest length for which int32 holds all products


def mapped(x, axis, sums, matrix=None):
    """``sums(x, axis)``, a linear function along ``axis``.

    The derivative is the product with its matrix: the transpose of a gather is a scatter, and takes longer.

    Args:
        x (jax.Array): any shape, a float dtype.
        axis (int): from 0.
        sums (function): of an array and an axis. Like ``matrix`` it must not refer to ``x``, whose trace the derivative
            outlives.
        matrix (function): gives the matrix, ``(new length, old length)`` of the dtype of ``x``. Default: ``None``,
            ``sums`` of the identity.
    """
    length, dtype = x.shape[axis], x.dtype

    @jax.custom_jvp
    def result(x):
        return sums(x, axis)

    @result.defjvp
    def _(primals, tangents):
        weights = sums(jnp.eye(length, dtype=dtype), 0) if matrix is None else matrix()
        product = jnp.tensordot(tangents[0], weights, ((axis,), (1,)))
        return result(*primals), jnp.moveaxis(product, -1, axis)

    return result(x)


def along(values, axis, rank):
    """Values for the elements along one of ``rank`` axes."""
    return values.reshape([-1 if each == axis else 1 for each in range(rank)])


def numbers(count, axis=1):
    """0, 1, 2, ..., along one of two axes, of which the other one has length 1.

    A constant, of which XLA computes what follows when it compiles; one of a single axis is none to it, and what
    follows is then computed for each element of the result.
    """
    return jnp.asarray(along(np.arange(count, dtype=np.int32), axis, 2))


def taken(x, indices, axis):
    """Elements along ``axis`` at indices that are within it."""
    return x.at[(slice(None),) * axis + (indices.reshape(-1),)].get(mode="promise_in_bounds")
