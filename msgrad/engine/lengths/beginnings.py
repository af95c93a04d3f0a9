"""Arrays before which a number of elements is added that varies with the true sizes.

With strides `pad_mode="same"` adds 0 or 1 before an array of an odd or even length. A padded array is moved by as much.
"""

import jax.numpy as jnp
from jax import lax

from .sizes import NotUniform


def moved(lengths, array, axis, low, reach, fill, between=0):
    """``array`` along an axis behind ``low`` elements, in all ``reach`` elements.

    Args:
        lengths (Lengths): the sizes.
        array: its padding along the axis is ``fill``.
        low (Size): how many are added before it at the true sizes; where it is negative, as many are dropped.
        reach (int): the number of elements of the result; what is beyond the array is ``fill``.
        fill (scalar): the added elements.
        between (int): how many are added between two elements. Default: ``0``.
    Raises:
        NotUniform: if ``low`` does not repeat with the remainders of the sizes.
    """
    least, most = _range(lengths, low)
    before = max(most, 0)
    length = before + (array.shape[axis] - 1) * (between + 1) + 1
    widths = [(0, 0, 0)] * array.ndim
    widths[axis] = before, max(before - least + reach - length, 0), between
    array = lax.pad(array, jnp.asarray(fill, array.dtype), widths)
    return lax.dynamic_slice_in_dim(array, before - lengths.exact(low), reach, axis)


def moved_back(lengths, array, axis, low, length):
    """The first ``length`` elements of what `moved` has moved; what is beyond is 0."""
    least, most = _range(lengths, low)
    before = max(-least, 0)
    widths = [(0, 0, 0)] * array.ndim
    widths[axis] = before, max(most + length - array.shape[axis], 0), 0
    array = lax.pad(array, jnp.zeros((), array.dtype), widths)
    return lax.dynamic_slice_in_dim(array, before + lengths.exact(low), length, axis)


def _range(lengths, low):
    bounds = lengths.range_of(low)
    if bounds is None:
        raise NotUniform("a first position that varies with more than a remainder")
    return bounds
