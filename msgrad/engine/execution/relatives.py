"""Relatives: the Programs of one structure, and which of them are tried as a `Family`.

They are equal but for numbers. A small number may be a size, or an axis, a rank, a number of groups. So Programs are
*akin* if they differ in larger numbers alone, or in the length of an axis of an operand, too. Those that no family fits
are tried together, once there are three: all that are akin; those of them that have the small numbers in common; those
whose lengths leave the same remainder when divided by 2, 4 or 8, as strides do.
"""

import collections
import itertools
import threading

import numpy as np

from ..lengths.sizes import NotUniform, TooFew
from .families import MOST_SAMPLES, Family, NotPaddable, logger, words_of
from .splitting import LARGEST_EXACT

_MOST_STRUCTURES = 2048
_MOST_FAMILIES = 32  # of one structure
_FEWEST = 3  # samples that tell a family
_MOST_KEPT = 32  # samples of one structure
_REMAINDERS = 2, 4, 8
_MOST_ATTEMPTS = {"akin": 4, "same": 4, **dict.fromkeys(_REMAINDERS, 2)}  # of each kind that fail

_lock = threading.RLock()
_structures = {}


class Relatives:
    """The Programs of one structure.

    Args:
        axes (int): how many of the numbers, the last ones, are the lengths of the operands' axes.
    Attributes:
        families (tuple of Family): replaced when there is one more.
        samples (dict): those in no family, a `Sample` by its numbers.
        reason (str): why the latest attempt at a family failed; None if none has.
        refusal (str): why there is no further attempt.
        seconds_left (float): as of a `Family`, until there is one.
        is_declared (bool): whether recordings at sizes of a declared axis tell the template (`other_sizes`).
    """

    def __init__(self, axes):
        self._axes, self._lock = axes, threading.RLock()
        self.families, self.samples, self._arrays, self._totals = (), {}, {}, {}
        self._attempts, self._tried = collections.Counter(), set()  # the latter by hash: numbers are many
        self.reason = self.refusal = self.seconds_left = None
        self.is_declared = False

    def found(self, numbers, make_jaxpr):
        """The `Family` whose template is known to hold for the member with these numbers, and its sizes, or None.

        ``make_jaxpr`` traces the member, as of a `Sample`.
        """
        for family, symbols in self.fitting(numbers):
            if family.is_proved(symbols, make_jaxpr=make_jaxpr):
                return family, symbols
        return None, None

    def fitting(self, numbers):
        """The families whose numbers those of a member are, and its sizes in each."""
        array = np.array(numbers)
        for family in self.families:
            symbols = family.symbols_of(array)
            if symbols is not None:
                yield family, symbols

    def add(self, sample):
        """Notes a member of no family."""
        with self._lock:
            if self.refusal is None and sample.numbers not in self.samples:
                if len(self.samples) >= _MOST_KEPT:
                    # The oldest, but not the largest, for whose sizes the first program is compiled (`buckets`).
                    largest = max(self._totals, key=self._totals.__getitem__)
                    self._remove(next(each for each in self.samples if each != largest))
                self.samples[sample.numbers] = sample
                array = self._arrays[sample.numbers] = np.array(sample.numbers)
                self._totals[sample.numbers] = int(array.sum())

    def _remove(self, numbers):
        del self.samples[numbers], self._arrays[numbers], self._totals[numbers]

    def are_akin(self, numbers, others):
        """Whether Programs with these numbers may differ in sizes alone."""
        return self._are_akin(np.array(numbers), np.array(others))

    def _are_akin(self, left, right):
        if not np.any(_differ_small(left, right)):
            return True
        left, right = self._lengths(left), self._lengths(right)
        lengths = np.minimum(left, right)[left != right]
        return lengths.size > 0 and lengths.min() > 1  # an axis of length 1 is one that is broadcast

    def _lengths(self, array):
        return array[array.size - self._axes :]

    def akin_to(self, numbers):
        """The numbers of the samples that are akin to the member with these ones, the latest last."""
        return list(self._akin_to(numbers))[::-1]

    def may_tell(self, numbers):
        """Whether so many samples are akin to the member with these numbers that they may tell a family."""
        return len(list(itertools.islice(self._akin_to(numbers), _FEWEST))) == _FEWEST

    def _akin_to(self, numbers):
        array = np.array(numbers)
        for each, other in list(self._arrays.items())[::-1]:  # a copy, since other threads may add to them
            if self._are_akin(array, other):
                yield each

    def solve(self, sample):
        """Makes a family of this sample and others, if they tell one."""
        with self._lock:
            self.add(sample)  # again, if later ones have taken its place
            if self.refusal is not None:
                return
            for kind, chosen in self._choices(sample.numbers):
                key = hash(frozenset(chosen := chosen[-MOST_SAMPLES:]))
                if len(chosen) < _FEWEST or key in self._tried or self._attempts[kind] >= _MOST_ATTEMPTS[kind]:
                    continue
                self._tried.add(key)
                try:
                    self._adopt(Family([self.samples[each] for each in chosen]))
                    return
                except TooFew:
                    continue
                except NotPaddable as reason:
                    if kind != "akin":
                        self._refuse(reason)
                        return
                    self.reason = words_of(reason)
                except NotUniform as reason:
                    self.reason = words_of(reason)
                except Exception as error:  # whatever it is: each member can be traced and compiled by itself
                    self._refuse(error)
                    return
                self._attempts[kind] += 1
            if all([self._attempts[kind] >= _MOST_ATTEMPTS[kind] for kind in _REMAINDERS]):
                self._refuse(NotUniform(self.reason))

    def _choices(self, numbers):
        """The samples that are tried together, by what they have in common."""
        array, akin = self._arrays[numbers], self.akin_to(numbers)
        same = [each for each in akin if not np.any(_differ_small(array, self._arrays[each]))]
        if len(same) < len(akin):
            yield "akin", akin
        yield "same", same
        lengths = self._lengths(array)
        for divisor in _REMAINDERS:
            pairs = [(each, self._lengths(self._arrays[each])) for each in akin]
            yield divisor, [each for each, other in pairs if not np.any((other - lengths) % divisor)]

    def _adopt(self, family):
        family.seconds_left, self.seconds_left = self.seconds_left, None
        self.families = (*self.families, family)[-_MOST_FAMILIES:]
        # All sizes that have come count, also of members whose plans were found on disk, for which nothing was solved.
        for numbers, array in list(self._arrays.items()):
            symbols = family.symbols_of(array)
            if symbols is not None:
                family.buckets.note(symbols)
                self._remove(numbers)

    def _refuse(self, reason):
        logger.debug("programs of several sizes are compiled one by one: %s", reason, exc_info=True)
        self.reason = self.refusal = words_of(reason)
        for each in (self.samples, self._arrays, self._totals):
            each.clear()


def _differ_small(left, right):
    """Where numbers differ, one of which may be no size."""
    return (left != right) & (np.minimum(abs(left), abs(right)) <= LARGEST_EXACT)


def relatives_of(key, axes):
    """The `Relatives` of this structure; ``axes`` as they take it."""
    with _lock:
        relatives = _structures.get(key)
        if relatives is None:
            if len(_structures) >= _MOST_STRUCTURES:
                _structures.pop(next(iter(_structures)))
            relatives = _structures[key] = Relatives(axes)
        return relatives
