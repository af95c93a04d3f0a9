"""Sizes: the numbers of a program as polynomials of those that vary from call to call.

A program is seen at some sizes, its samples: each of its numbers is then a vector, with one element for each sample.
The vectors of its operands' axes give the *symbols*, such as batch and length; every other vector must be an integer
combination of 1, the symbols, and products of different symbols; where that does not do, of their squares as well, as
of the sides of a square image. That is solved from as many samples as there are unknowns, and proved by at least one
more. Sizes after strides are rounded (`rounded`): there a variable may be a `Floor` of a symbol.
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

MOST_SYMBOLS = 2  # independent sizes; with a third one a proof takes nine samples


class NotUniform(Exception):
    """Raised for programs that differ in more than sizes, or in sizes that follow no rule."""


class NoRule(NotUniform):
    """Raised for numbers that are no combination of those that were tried."""


class TooFew(Exception):
    """Raised if more samples are needed to tell how numbers follow from the sizes that vary."""


class Floor(NamedTuple):
    """A variable of a `Size`: the symbol of this number, plus ``offset``, over ``divisor``, rounded down."""

    symbol: int
    offset: int
    divisor: int

    def __repr__(self):
        return f"(n{self.symbol} + {self.offset}) // {self.divisor}"


def _order(variable):
    return variable if isinstance(variable, Floor) else (variable, 0, 1)


def _value(variable, symbols):
    if type(variable) is Floor:
        return (symbols[variable.symbol] + variable.offset) // variable.divisor
    return symbols[variable]


def monomial_of(*variables):
    """The product of variables as a monomial, whatever their order."""
    return tuple(sorted(variables, key=_order))


def monomial_at(monomial, symbols):
    """The value of a monomial where the symbols have these values: ints, or what JAX traces."""
    return math.prod([_value(each, symbols) for each in monomial])


class Size:
    """A polynomial of the symbols with integer coefficients; immutable and hashable.

    Args:
        terms (dict): coefficient by monomial, a sorted tuple of variables, each a symbol (the numbers 0, 1, ...) or a
            `Floor`; none is 0.
    """

    __slots__ = ("terms", "_hash")

    def __init__(self, terms):
        self.terms = terms
        self._hash = hash(frozenset(terms.items()))

    def __eq__(self, other):
        return type(other) is Size and self.terms == other.terms

    def __hash__(self):
        return self._hash

    def __mul__(self, other):
        terms = {}
        for (left, a), (right, b) in itertools.product(self.terms.items(), other.terms.items()):
            monomial = monomial_of(*left, *right)
            terms[monomial] = terms.get(monomial, 0) + a * b
        return Size({monomial: factor for monomial, factor in terms.items() if factor})

    def __add__(self, other):
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + factor
        return Size({monomial: factor for monomial, factor in terms.items() if factor})

    def __sub__(self, other):
        return self + Size({monomial: -factor for monomial, factor in other.terms.items()})

    def at(self, symbols):
        """Its value where the symbols have these values: ints, or what JAX traces."""
        total = self.terms.get((), 0)
        for monomial, factor in self.terms.items():
            if monomial:
                total = total + factor * monomial_at(monomial, symbols)
        return total

    @property
    def is_constant(self):
        return not self.terms or (len(self.terms) == 1 and () in self.terms)

    @property
    def grows(self):
        """Whether it never decreases as symbols grow: then a padded axis is at least as long as the true one."""
        return all(factor > 0 for monomial, factor in self.terms.items() if monomial)

    def divided_by(self, number):
        """The Size that gives this one when multiplied by an int; None if there is none."""
        if number and all(factor % number == 0 for factor in self.terms.values()):
            return Size({monomial: factor // number for monomial, factor in self.terms.items()})
        return None

    def __repr__(self):
        names = [[f"n{each}" if type(each) is int else repr(each) for each in monomial] for monomial in self.terms]
        pairs = zip(self.terms.values(), names, strict=True)
        return " + ".join(["*".join([str(factor), *each]) for factor, each in pairs]) or "0"


def constant(number):
    """The Size of a number that does not vary."""
    return Size({(): number} if number else {})


ONE = constant(1)


def _ladder():
    """1, 2, 3, 4, 6, 8, 12, 16, 24, ...: each at most 1.5 times the one before it, from 2 on."""
    sizes = [1, 2, 3]
    while sizes[-1] < 1 << 30:
        sizes.append(2 * sizes[-2])
    return sizes


LADDER = _ladder()  # the sizes of buckets


def symbols_among(axes, is_divided=True, degree=1):
    """The `Symbols` of operands with these axes: for each of them its length at each sample.

    ``is_divided`` and ``degree`` as in `Symbols`.

    Raises:
        TooFew, NotUniform: as `Symbols`.
    """
    # The smallest first, so that a length is the symbol, and four times the length a multiple of it.
    varying = {each for each in axes if len(set(each)) > 1}
    return _symbols(tuple(sorted(varying, key=lambda each: (max(each), each))), is_divided, degree)


class Symbols:
    """The sizes that vary among samples.

    Args:
        vectors (iterable of tuple): the lengths at each sample of the axes that vary, each once, the smallest first.
        is_divided (bool): whether the symbol of lengths with a common difference, such as 21, 25 and 37, counts these:
            it is the quarter, rounded down.
        degree (int): of the powers of a symbol that are tried, 1 or 2.
    Raises:
        TooFew: if the samples do not tell how other numbers follow from these.
        NotUniform: if more than `MOST_SYMBOLS` vary independently, or none does.
    Attributes:
        columns (list of tuple): the values of each symbol at the samples.
        period (int): the sizes of which one rule holds have the same remainder when divided by it.
    """

    period = 1

    def __init__(self, vectors, is_divided=True, degree=1):
        self.columns, self.matrix, self._degree = [], [], degree
        for vector in vectors:
            if self._solved(vector) is None:
                common = step_of(vector) if is_divided else 1
                self.columns.append(tuple([each // common for each in vector]))
                if len(self.columns) > MOST_SYMBOLS:
                    raise NotUniform("more than two sizes vary independently")
                self._prepare()
        if not self.columns:
            raise NotUniform("no size varies")
        if len(self.matrix) <= len(self.monomials) or np.linalg.matrix_rank(self.matrix) < len(self.monomials):
            raise TooFew

    def _prepare(self):
        count = len(self.columns)
        self.monomials = [each for k in range(count + 1) for each in itertools.combinations(range(count), k)]
        self.monomials += [(symbol,) * power for symbol in range(count) for power in range(2, self._degree + 1)]
        rows = zip(*self.columns, strict=True)
        self.matrix = [[math.prod([row[each] for each in monomial]) for monomial in self.monomials] for row in rows]
        self.inverse = np.linalg.pinv(np.array(self.matrix, np.float64))

    def _solved(self, vector):
        if not self.columns:
            return None
        factors = [round(each) for each in self.inverse @ np.array(vector, np.float64)]
        terms = {monomial: factor for monomial, factor in zip(self.monomials, factors, strict=True) if factor}
        exact = [sum(map(int.__mul__, row, factors)) for row in self.matrix]
        return Size(terms) if tuple(exact) == vector else None

    def size_of(self, vector):
        """The Size with these values at the samples.

        Raises:
            NoRule: if there is none.
        """
        if len(set(vector)) == 1:
            return constant(vector[0])
        size = self._solved(vector)
        if size is None:
            raise NoRule(f"a number that follows no rule: {vector}")
        return size


def step_of(column):
    """The greatest common divisor of the differences of sizes."""
    return math.gcd(*[each - column[0] for each in column])


class NoSymbols:
    """The sizes that vary among programs of equal sizes: none."""

    columns = ()

    def size_of(self, vector):
        """The Size of a number that does not vary.

        Raises:
            NotUniform: if it does.
        """
        if len(set(vector)) > 1:
            raise NotUniform("a number that differs")
        return constant(vector[0])


# The operations of a program have the same ones.
_symbols = functools.lru_cache(1024)(Symbols)
