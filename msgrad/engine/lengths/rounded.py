"""Sizes that are rounded, as after strides: a half of 33 and of 34, a quarter, ... and products of these.

Samples do not tell for each remainder how a length is rounded, so each remainder is proved by a trace (`Family`).
"""

import itertools
import math

import numpy as np

from .sizes import Floor, Size, Symbols, TooFew, monomial_at, monomial_of, symbols_among

_DIVISORS = 2, 4, 8, 16, 32, 3, 6, 5, 10
# The offset and the divisor of roundings, the likeliest first: up, as where windows are centered, and down.
_LIKELY = [
    *[(offset, divisor) for divisor in _DIVISORS for offset in (divisor - 1, 0)],
    *[(offset, divisor) for divisor in _DIVISORS for offset in range(1, divisor - 1)],
]
_FEWEST = 5  # samples: with less too many rules do


class RoundedSymbols(Symbols):
    """The sizes that vary among samples, where others may be these over a number, rounded down.

    Args:
        axes (sequence of tuple): as for `symbols_among`.
    Raises:
        TooFew, NotUniform: as `Symbols`.
    Attributes:
        period (int): of the rounding: the least common multiple of the divisors.
    """

    def __init__(self, axes):
        plain = symbols_among(axes, is_divided=False)
        self.columns, self.matrix, self.inverse = plain.columns, plain.matrix, plain.inverse
        self.monomials, self._floors, self._sizes = plain.monomials, [], {}
        if len(self.matrix) < _FEWEST:
            raise TooFew

    @property
    def period(self):
        return math.lcm(*[each.divisor for each in self._floors])

    def _solved(self, vector):
        """The Size with these values at the samples, by as few roundings as do; None if there is none."""
        # Found once: of the roundings that come later another one may do as well, and one length is one Size.
        if vector not in self._sizes:
            self._sizes[vector] = super()._solved(vector) or self._by_known(vector) or self._by_new(vector)
        return self._sizes[vector]

    def _by_known(self, vector):
        """By the roundings that other sizes have: one, a difference of two of one symbol, or a product."""
        variables = [*range(len(self.columns)), *self._floors]
        pairs = list(itertools.combinations(variables, 2))
        same = [[(), (one,), (other,)] for one, other in pairs if _symbol(one) == _symbol(other)]
        products = [
            [(), (one,), (other,), monomial_of(one, other)] for one, other in pairs if _symbol(one) != _symbol(other)
        ]
        candidates = [*[[(), (each,)] for each in self._floors], *same, *products]
        return next((size for each in candidates if (size := self._fitted(vector, each)) is not None), None)

    def _by_new(self, vector):
        """By another rounding."""
        floors = (Floor(symbol, *rest) for rest in _LIKELY for symbol in range(len(self.columns)))
        for floor in floors:
            size = self._fitted(vector, [(), (floor,)])
            if size is not None:
                self._floors.append(floor)
                return size
        return None

    def _fitted(self, vector, monomials):
        """The Size with these values at the samples, of these monomials; None if there is none."""
        rows = list(zip(*self.columns, strict=True))
        matrix = np.array([[monomial_at(each, row) for each in monomials] for row in rows], np.float64)
        factors, _, rank, _ = np.linalg.lstsq(matrix, np.array(vector, np.float64), rcond=None)
        rounded = np.round(factors)
        if rank < len(monomials) or len(rows) <= len(monomials) or not np.array_equal(matrix @ rounded, vector):
            return None
        pairs = zip(monomials, rounded.astype(int).tolist(), strict=True)
        return Size({monomial: factor for monomial, factor in pairs if factor})


def _symbol(variable):
    return variable.symbol if type(variable) is Floor else variable
