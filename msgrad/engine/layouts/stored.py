"""Values of a program that is rewritten, and how they are stored.

Each kind has a ``shape``, the ``order`` in which it is stored or made at no cost, ``is_kept``, and ``to(order)``, which
gives the array in an order: for each axis of the array, which axis of the value it is.
"""

import math

import numpy as np
from jax import lax


def natural(rank):
    """The order of an array whose axes are as the value has them."""
    return tuple(range(rank))


class Stored:
    """An array, and its ``order``.

    ``is_kept`` says that it is an operand of the program, or computed from one element by element, such as a weight or
    the state of an optimizer: what is computed with it has its order.
    """

    def __init__(self, array, order=None, is_kept=False):
        self.array, self.order, self.is_kept = array, order or natural(np.ndim(array)), is_kept

    @property
    def shape(self):
        lengths = np.shape(self.array)
        return tuple([lengths[axis] for axis in np.argsort(self.order)])

    def to(self, order):
        if order == self.order:
            return self.array
        return lax.transpose(self.array, [self.order.index(axis) for axis in order])


class Repeated:
    """An array that is repeated along further axes of a value of this ``shape``; ``axes`` are those that it has."""

    is_kept = False

    def __init__(self, array, axes, shape):
        self.array, self.axes, self.shape = array, tuple(axes), tuple(shape)
        others = [axis for axis in range(len(shape)) if axis not in self.axes]
        self.order = inserted(self.axes, others)

    def to(self, order):
        places = [order.index(axis) for axis in self.axes]
        array = self.array if places == sorted(places) else lax.transpose(self.array, np.argsort(places))
        return lax.broadcast_in_dim(array, [self.shape[axis] for axis in order], sorted(places))


class BatchProduct:
    """A product with batch axes that is not computed yet, since it may be summed over these (see `products`)."""

    is_kept = False

    def __init__(self, product, shape):
        self.product, self.shape = product, shape
        self.order = product.order

    def to(self, order):
        return Stored(self.product.computed(), self.order).to(order)


def inserted(order, axes):
    """``order`` with further axes, each behind the axis before it."""
    order = list(order)
    for axis in sorted(axes):
        order.insert(order.index(axis - 1) + 1 if axis - 1 in order else 0, axis)
    return tuple(order)


def without(order, axes):
    """``order`` without some axes of the value; the others are renumbered."""
    left = [axis for axis in order if axis not in axes]
    ranks = sorted(left)
    return tuple([ranks.index(axis) for axis in left])


def size(value):
    return math.prod(value.shape)


def is_moved(value):
    """Whether a value is stored in another order than its own."""
    return value.order != natural(len(value.order))
