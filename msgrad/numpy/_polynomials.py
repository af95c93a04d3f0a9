"""Polynomials as vectors of coefficients, the highest power first."""

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import NonNegativeInt
from ..ops._core.families import body
from ._dialect import NAMES, Like, composite, op, promote

_OF_TWO = """The {phrase} of two polynomials.

    Args:
        a1, a2 (Tensor): the coefficients, vectors or numbers.
    Returns:
        Tensor of the common dtype.
    Raises:
        ValueError: if one has more than one axis.
    Example:
        >>> ms.numpy.{name}([1, 2], [3, 4, 5]).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _coefficients(p, name):
    return jnp.atleast_1d(p) if p.ndim < 2 else check.refuse(ValueError, name, "p", "of one axis at most", p.shape)


def _of_two(name, combine, phrase, value):
    def compute(a1, a2):
        dtype = promote(a1.dtype, a2.dtype)
        return combine(*[_coefficients(each.astype(dtype), name) for each in (a1, a2)]).astype(dtype)

    op()(body(f"{name}(a1: Like, a2: Like)", compute, _OF_TWO, NAMES, phrase=phrase, value=value))


_of_two("polyadd", jnp.polyadd, "sum", "[3, 5, 7]")
_of_two("polysub", jnp.polysub, "difference", "[-3, -3, -3]")
_of_two("polymul", jnp.convolve, "product", "[3, 10, 13, 10]")


@op()
def polyval(p: Like, x: Like):
    """The values of a polynomial.

    Args:
        p (Tensor): the coefficients, a vector.
        x (Tensor): where, any shape.
    Returns:
        Tensor of float32 or float64, of the shape of ``x``.
    Raises:
        ValueError: if ``p`` has more than one axis.
    Example:
        >>> ms.numpy.polyval([3.0, 0.0, 1.0], 2.0).item()
        13.0
    Source: mindspore.numpy.polyval
    """
    dtype = np.float64 if np.float64 in (p.dtype, x.dtype) else np.float32
    return jnp.polyval(_coefficients(p, "polyval").astype(dtype), x.astype(dtype))


@composite()
def polyder(p: Like, m: NonNegativeInt = 1):
    """The derivative of a polynomial.

    Args:
        p (Tensor): the coefficients, a vector.
        m (int): of which order. Default: ``1``.
    Returns:
        Tensor of the coefficients.
    Raises:
        TypeError: if ``m`` is not an int.  ValueError: if it is negative, or ``p`` has more than one axis.
    Example:
        >>> ms.numpy.polyder([1, 2, 3]).tolist()
        [2, 2]
    Source: mindspore.numpy.polyder
    """
    p = p.reshape((1,)) if p.ndim == 0 else p
    return ops.zeros((0,)) if m >= p.size else _derivative(p, m)


@op(name="_derivative")
def _derivative(p: Like, m):
    p = _coefficients(p, "polyder")
    for _ in range(m):
        p = p[:-1] * np.arange(p.size - 1, 0, -1, dtype=np.int32)
    return p


@op()
def polyint(p: Like, m: NonNegativeInt = 1, k: Like | None = None):
    """The integral of a polynomial.

    Args:
        p (Tensor): the coefficients, a vector.
        m (int): of which order. Default: ``1``.
        k (Tensor | Number | list): the constants, one for all or one for each order. Default: ``None``, 0.
    Returns:
        Tensor of the coefficients; float32 for ints.
    Raises:
        TypeError: if ``m`` is not an int.  ValueError: if it is negative, or ``p`` has more than one axis.
    Example:
        >>> ms.numpy.polyint([2.0, 2.0]).tolist()
        [1.0, 2.0, 0.0]
    Source: mindspore.numpy.polyint
    """
    p = _coefficients(p, "polyint")
    constants = jnp.zeros(m) if k is None else jnp.broadcast_to(jnp.atleast_1d(k), (m,))
    for constant in constants:
        dtype = p.dtype if jnp.issubdtype(p.dtype, jnp.floating) else np.dtype(np.float32)
        p = (p / np.arange(p.size, 0, -1)).astype(dtype)
        p = jnp.concatenate([p, constant.astype(dtype)[None]])
    return p
