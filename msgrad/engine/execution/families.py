"""Families: operations and Programs that differ in sizes alone, found before they are traced.

Two recordings of one model at two lengths are equal but for numbers: shapes, and static arguments such as those of a
reshape. The numbers of three of them say how each follows from the sizes that vary (`Symbols`), and then those of a
fourth say whether it belongs to them, and at which sizes. It needs no tracing then: the family's `Template` is its
jaxpr. Which recordings are tried together is up to `relatives` and `op_families`.

`MSGRAD_LENGTHS=off` turns all of it off.
"""

import contextlib
import itertools
import logging
import os
import threading
from typing import Any, NamedTuple

import numpy as np

from .. import host
from ..fusion import without_kernels
from ..lengths.constants import digest
from ..lengths.padding import check
from ..lengths.rounded import RoundedSymbols
from ..lengths.sizes import NoRule, NoSymbols, NotUniform, TooFew, monomial_at, symbols_among
from ..lengths.template import Template, shape_at
from .buckets import Buckets
from .proofs import OperationRule, Proof, Remainders
from .splitting import LARGEST_EXACT

logger = logging.getLogger("msgrad")
ALLOWED = os.environ.get("MSGRAD_LENGTHS", "").lower() not in ("off", "0")
MOST_SAMPLES = 8
_MOST_WITHOUT_KERNELS = 2048  # a length from which on attention by all its weights takes far more memory than a kernel
_KEY_SIZES = 48, 60, 72  # sizes at which a template is written out


class NotPaddable(NotUniform):
    """Raised for members that have a template, which cannot be padded."""


class Sample(NamedTuple):
    """A member that is to tell the template.

    Attributes:
        numbers (tuple of int): its sizes, as `split` gives them.
        make_jaxpr (function): gives its jaxpr and the structure of its results, or None if the member is gone.
        operations (tuple): of a Program, in order (`splitting.operations_of`).
    """

    numbers: Any
    make_jaxpr: Any
    operations: Any = ()


class Family:
    """Operations or Programs of one structure, at any sizes.

    Args:
        samples (sequence of Sample): at least three.
        pads (bool): whether members are to be padded.
    Raises:
        TooFew: if it takes more samples.  NotUniform: if these differ in more than sizes.
        NotPaddable: if they do not, but cannot be padded.
    Attributes:
        template (Template): what the jaxprs have in common.
        tree: the structure of the results.
        refusal (str): why members are compiled one by one: a rule of padding failed. None if they are not.
        buckets (Buckets): what is compiled for members; None if they are not to be padded.
        has_kernels (bool): whether the template may call an accelerator's kernels, for which there are no rules.
        seconds_left (float): by which NumPy may take longer with members before the first bucket is compiled; None if
            no launch has been estimated yet.
    """

    buckets: Any

    def __init__(self, samples, pads=True):
        self._lock = threading.RLock()
        self.refusal = self.seconds_left = None
        self.has_kernels = True
        try:
            self._solve(samples, pads)
        except NotUniform:
            if not pads or host.is_cpu(host.current_device()):
                raise
            self.has_kernels = False  # one program without them, rather than one for each size
            self._solve(samples, pads)

    def _solve(self, samples, pads):
        made = [(sample, self._apart(sample.make_jaxpr)()) for sample in samples]
        samples = [sample for sample, each in made if each is not None]
        if len(samples) < 3:
            raise TooFew
        jaxprs, trees = zip(*[each for _, each in made if each is not None], strict=True)
        if any([tree != trees[0] for tree in trees]):
            raise NotUniform("results of different structure")
        numbers = list(zip(*[sample.numbers for sample in samples], strict=True))
        symbols, self.template = self._fitted(jaxprs, _axes(jaxprs) if pads else numbers, numbers, is_rounded=pads)
        self.conditions = _checked(self.template) if pads else []
        columns = dict.fromkeys(zip(*[sample.operations for sample in samples], strict=True))
        self._operation_rules = [OperationRule(each, symbols) for each in columns if len(set(each)) > 1]
        self._columns, self._proofs, self.tree = symbols.columns, {}, trees[0]
        self._remainders = Remainders(symbols.period, symbols.columns)
        self.buckets = Buckets(self) if pads else None

    def _apart(self, make_jaxpr):
        """The function that traces a member: without the kernels of `fusion` if the template has none."""
        return make_jaxpr if self.has_kernels else without_kernels(make_jaxpr)

    def _fitted(self, jaxprs, axes, numbers, is_rounded):
        """The `Symbols` of jaxprs at several sizes, and their `Template`, by the simplest rule that does."""
        reasons, are_few = [], False
        try:
            for degree in (1, 2):
                for is_divided in (False, True):  # the latter for a program that splits an axis into four parts
                    try:
                        return self._templated(jaxprs, symbols_among(axes, is_divided, degree), numbers)
                    except NotUniform as reason:
                        reasons.append(reason)
                    except TooFew:
                        if degree == 1:
                            raise
                        are_few = True  # for squares, but not for roundings
                if not any([isinstance(reason, NoRule) for reason in reasons]):
                    break
            else:
                if is_rounded:
                    with contextlib.suppress(NotUniform, TooFew):
                        return self._templated(jaxprs, RoundedSymbols(axes), numbers)
            if are_few:
                raise TooFew
            raise next((reason for reason in reasons if not isinstance(reason, NoRule)), reasons[0])
        finally:
            reasons.clear()  # in a cycle with the frames of its traceback it would keep the user's Tensors alive

    def _templated(self, jaxprs, symbols, numbers):
        template = Template(jaxprs, symbols)
        self._prepare(symbols, numbers)
        return symbols, template

    def _prepare(self, symbols, numbers):
        sizes = list(map(symbols.size_of, numbers))
        self._monomials = list({monomial: None for size in sizes for monomial in size.terms})
        self._factors = np.array([[size.terms.get(each, 0) for each in self._monomials] for size in sizes], np.int64)
        self._axes = []
        for symbol in range(len(symbols.columns)):
            position = next((k for k, size in enumerate(sizes) if set(size.terms) - {()} == {(symbol,)}), None)
            if position is None:
                raise NotUniform("a size that is not among the numbers of the program")
            terms = sizes[position].terms
            self._axes.append((position, terms[(symbol,)], terms.get((), 0)))

    def symbols_of(self, numbers):
        """The sizes of the member with these numbers, a tuple; None if there is no such member."""
        if len(numbers) != len(self._factors):
            return None
        symbols = []
        for position, factor, offset in self._axes:
            value, rest = divmod(int(numbers[position]) - offset, factor)
            if rest or value < 2:
                return None
            symbols.append(value)
        if not np.array_equal(self._numbers_at(symbols), numbers):
            return None
        return tuple(symbols) if self.holds(symbols) else None

    def _numbers_at(self, symbols):
        values = [monomial_at(each, symbols) for each in self._monomials]
        return self._factors @ np.array(values, np.int64)

    def is_proved(self, symbols, jaxpr_at=None, make_jaxpr=None):
        """Whether traces of operations at sizes around these are as the template says.

        An operation may take the smaller one of a size and a constant: then it follows another rule beyond it. Of a
        family of operations ``jaxpr_at(numbers)`` traces a member; of Programs each operation is traced by itself, and
        ``make_jaxpr()`` traces this one, as of a `Sample`, if it is the first one of its remainders.
        """
        small = tuple([each if each <= LARGEST_EXACT else None for each in symbols])
        with self._lock:
            if not self._remainders.hold(symbols, lambda: self._is_as_traced(symbols, make_jaxpr)):
                return False
            if small not in self._proofs:
                self._proofs[small] = Proof(small, self._columns, self._remainders.period)
            return self._proofs[small].holds(symbols, lambda corners: self._agrees(corners, jaxpr_at))

    def _is_as_traced(self, symbols, make_jaxpr):
        made = make_jaxpr and self._apart(make_jaxpr)()
        try:
            return bool(made and Template([made[0], self.template.at(symbols)], NoSymbols()))
        except NotUniform:
            return False

    def _agrees(self, corners, jaxpr_at):
        try:
            for corner in set(corners).difference(zip(*self._columns, strict=True)):  # of which the template is made
                if jaxpr_at is None:
                    for rule in self._operation_rules:
                        rule.compare(corner)
                else:
                    numbers = [int(each) for each in self._numbers_at(corner)]
                    Template([jaxpr_at(numbers), self.template.at(corner)], NoSymbols())
        except Exception:  # of the operation at such a size, or NotUniform
            return False
        return True

    def holds(self, symbols):
        """Whether the rules of padding are right at these sizes, and no kernel would take far less memory."""
        if not self.has_kernels and max(symbols) > _MOST_WITHOUT_KERNELS:
            return False
        return all([condition.at(symbols) >= 0 for condition in self.conditions])

    def results_at(self, symbols):
        """The shapes of the results at these sizes, and their types."""
        avals = list(map(self.template.aval_of, self.template.outputs))
        return [shape_at(aval.shape, symbols) for aval in avals], avals

    def refuse(self, reason):
        """Lets members be compiled one by one from now on, for this reason."""
        logger.debug("programs of several sizes are compiled one by one: %s", reason, exc_info=True)
        self.refusal = words_of(reason)

    def lengths_at(self, symbols):
        """The lengths, mostly of axes of an operand, that tell these sizes (`symbols_of`)."""
        return tuple([factor * each + offset for each, (_, factor, offset) in zip(symbols, self._axes, strict=True)])

    def compiled(self):
        """Its buckets that are compiled, the smallest first."""
        return self.buckets.compiled() if self.buckets else []

    def stable_parts(self):
        """The parts of its `stable_key`: the template at some sizes, as text, and how the numbers follow from them."""
        # At sizes that tell the polynomials, and are the same whatever the samples were.
        sizes = itertools.product(_KEY_SIZES, repeat=len(self.template.symbols.columns))
        jaxprs = [self.template.at(each) for each in sizes]
        rounded = [aval.shape for aval in self.template.avals] if self._remainders.period > 1 else []
        return list(map(str, jaxprs)), digest(jaxprs), self._factors.tobytes(), str((self._monomials, rounded))


def _checked(template):
    """The conditions under which a template can be padded (`padding.check`)."""
    try:
        return check(template)
    except NotUniform as reason:
        raise NotPaddable(str(reason)) from None


def words_of(reason):
    """The reason why members are compiled one by one, in words."""
    return str(reason) or type(reason).__name__


def _axes(jaxprs):
    """The length of each axis of the arguments at each sample."""
    shapes = [[each.shape for each in jaxpr.in_avals] for jaxpr in jaxprs]
    return [axis for column in zip(*shapes, strict=True) for axis in zip(*column, strict=True)]
