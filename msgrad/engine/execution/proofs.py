"""Proofs that a template holds at sizes that were not its samples: traces of operations there are compared with it."""

import itertools

import jax

from .. import jax_options
from ..lengths.sizes import NoSymbols, step_of
from ..lengths.template import Template
from ..precision import saying
from .splitting import LARGEST_EXACT, resized, split

_MOST_FAILURES = 4  # comparisons with traces that fail, until sizes count as unproved
# How many times below and beyond a size the template is compared with traces; where it differs, less.
_REACHES = ((8, 8), (1, 8), (1, 1))


class Proof:
    """Between which sizes traces of operations have been as a template says.

    Small sizes are proved one by one: there an operation may mean something else, as of an axis that is as long as
    another one, or shorter than a window.

    Args:
        small (tuple): the sizes up to `LARGEST_EXACT`, None in place of larger ones.
        columns (list of tuple): the sizes at the samples.
        period (int): sizes of which one rule holds have the same remainder when divided by it (`Remainders`).
    """

    def __init__(self, small, columns, period=1):
        self._small, self._period, self._failures, self._shortened = small, period, 0, 0
        # Not if all samples have a common factor.
        self._is_proved = all(
            [each is None and min(column) > LARGEST_EXACT and step_of(column) == 1
             for each, column in zip(small, columns, strict=True)]
        )  # fmt: skip
        self._bounds = [(min(column), max(column)) for column in columns] if self._is_proved else None

    def holds(self, symbols, agrees):
        """Whether these sizes are proved; ``agrees(corners)`` compares traces."""
        bounds = self._bounds or [(each, each) for each in symbols]
        pairs = list(zip(symbols, bounds, self._small, strict=True))
        if self._is_proved and all([low <= each <= high for each, (low, high), _ in pairs]):
            return True
        for below, beyond in _REACHES[self._shortened :] if self._failures < _MOST_FAILURES else ():
            wider = [_wider(*pair, below, beyond) for pair in pairs]
            sizes = zip(wider, symbols, strict=True)
            corners = [_corners(*ends, each, self._period, self._is_proved) for ends, each in sizes]
            if agrees(itertools.product(*corners)):
                self._bounds, self._is_proved = wider, True
                return True
            self._shortened = min(self._shortened + 1, len(_REACHES) - 1)
        self._failures += 1
        return False


def _wider(each, bounds, small, below, beyond):
    """The bounds that are tried for a size: ``below`` and ``beyond`` times what it is, but not among small ones."""
    if small is not None:
        return each, each
    low, high = bounds
    return min(low, each, max(each // below, LARGEST_EXACT + 1)), max(high, beyond * each)


def _corners(low, high, each, period, is_proved):
    """The sizes to trace at; a neighbour too, unless sizes without a common factor have been.

    All have the remainder of the size ``each``, which lies between them.
    """
    low, high = each - (each - low) // period * period, each + (high - each) // period * period
    return sorted({low, high} if is_proved or low == high else {low, low + period, high})


class Remainders:
    """For which remainders of the sizes the roundings of a template are proved, since samples do not tell them all.

    Args:
        period (int): by which sizes are divided.
        columns (list of tuple): the sizes at the samples, which prove theirs.
    """

    def __init__(self, period, columns):
        self.period, self._refused = period, set()
        self._proved = set(map(self._of, zip(*columns, strict=True)))

    def _of(self, symbols):
        return tuple([each % self.period for each in symbols])

    def hold(self, symbols, is_as_traced):
        """Whether those of these sizes are proved; ``is_as_traced()`` compares a trace at them."""
        rest = self._of(symbols)
        if rest not in self._proved and rest not in self._refused:
            (self._proved if is_as_traced() else self._refused).add(rest)
        return rest in self._proved


class OperationRule:
    """An operation of the Programs in a family: whether it follows one rule at other sizes, too.

    Args:
        members (sequence): the operation at each sample, as ``(op, static, avals, precision)``.
        symbols (Symbols): the sizes that vary among the Programs.
    """

    def __init__(self, members, symbols):
        self._member, self._members, self._template = members[0], members, None
        # All ints, since one that is an axis or a small size here may be a larger size in another member.
        columns = zip(*[split(static, avals, exact=0)[1] for _, static, avals, _ in members], strict=True)
        self._sizes, self._symbols = list(map(symbols.size_of, columns)), symbols

    def compare(self, symbols):
        """Compares a trace of the operation at these sizes with what its traces at the samples tell.

        Raises:
            NotUniform: if it follows another rule there.  Other exceptions: of the operation.
        """
        if self._template is None:
            self._template = Template([jaxpr_of(*member) for member in self._members], self._symbols)
            self._members = ()
        op, static, avals, precision = self._member
        static, avals = resized((static, avals), iter([size.at(symbols) for size in self._sizes]), exact=0)
        Template([jaxpr_of(op, static, avals, precision), self._template.at(symbols)], NoSymbols())


def jaxpr_of(op, static, avals, precision):
    """The jaxpr of an operation at operands of these ``(shape, dtype)``."""
    with jax_options.Tracing():
        specs = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in avals]
        return jax.make_jaxpr(saying(op.bind(static), precision))(*specs)
