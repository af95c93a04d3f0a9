"""What XLA makes of a program's equations on a CPU, by which the time to compile it is estimated."""

import math
from operator import add
from typing import NamedTuple

from .products import is_of_one_row

_SMALL = 1 << 14  # bytes: XLA fuses operations on arrays up to it, products and sums included
SUMS = "reduce_sum", "reduce_max", "reduce_min", "reduce_prod"


class Kernels(NamedTuple):
    """How many equations XLA compiles otherwise than each kind of them once.

    Attributes:
        alone (int): those that it compiles each by itself: products of a matrix by a single row.
        small (int): those of small arrays. It fuses them across layers, and copies what a sum in between depends on
            into each kernel that uses the sum; so the time grows with the product of ``small`` and ``sums``.
        sums (int): sums and extremes among these.
        cuts (int): convolutions and products of larger arrays, at which fusions end.
    """

    alone: int = 0
    small: int = 0
    sums: int = 0
    cuts: int = 0

    def __add__(self, other):
        return Kernels(*map(add, self, other))

    @property
    def fused(self):
        """A measure of what the fusions of small arrays are made of."""
        return self.small * self.sums / (1 + self.cuts)


def kernels_of(equation):
    """The `Kernels` of a single equation."""
    name, avals = equation.primitive.name, [each.aval for each in (*equation.invars, *equation.outvars)]
    is_small = all([math.prod(aval.shape) * aval.dtype.itemsize <= _SMALL for aval in avals])
    is_cut = name == "conv_general_dilated" or name == "dot_general" and not is_small
    return Kernels(is_of_one_row(equation), is_small, is_small and name in SUMS, is_cut)
