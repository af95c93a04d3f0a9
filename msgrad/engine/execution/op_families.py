"""Families of operations: those of equal structure, told apart by the sizes that do not vary.

The layers of a network differ in width. So the products of a batch of any length with four weights are four families:
each consists of those traced ones that differ from the next one in the same numbers.
"""

import threading

from ..lengths.sizes import TooFew
from .families import MOST_SAMPLES, Family, Sample, logger

_MOST_TRACED = 64
_MOST_FAILURES = 4  # attempts at a template for the numbers at some positions
_MOST_STRUCTURES = 2048

_lock = threading.RLock()
_structures = {}


class Alike:
    """The operations of one structure.

    Attributes:
        traced (dict): of those in no family, the functions that give their jaxprs, by their numbers.
        families (list of Family): each with a template.
    """

    def __init__(self):
        self.traced, self.families, self._failures = {}, [], {}

    def family_of(self, numbers):
        """The `Family` that an operation with these numbers is a member of; None if it is to be traced."""
        with _lock:
            for family in self.families:
                if family.symbols_of(numbers) is not None:
                    return family
            for positions, members in self._differing(numbers):
                family = self._solved(positions, members)
                if family is not None and family.symbols_of(numbers) is not None:
                    return family
        return None

    def add(self, numbers, make_jaxpr):
        """Notes an operation that is traced (`Family.add`)."""
        with _lock:
            if len(self.traced) >= _MOST_TRACED:
                self.traced.pop(next(iter(self.traced)))
            self.traced[numbers] = make_jaxpr

    def _differing(self, numbers):
        """Those traced, by the positions of the numbers in which they differ from these; the fewest positions first."""
        found = {}
        for each in self.traced:
            positions = tuple([k for k, pair in enumerate(zip(each, numbers, strict=True)) if pair[0] != pair[1]])
            found.setdefault(positions, []).append(each)
        return sorted(
            [(key, members) for key, members in found.items() if len(members) > 2], key=lambda each: len(each[0])
        )

    def _solved(self, positions, members):
        """The family that the latest of these members tell; None if they tell none."""
        if self._failures.get(positions, 0) >= _MOST_FAILURES:
            return None
        members = members[-MOST_SAMPLES:]
        try:
            family = Family([Sample(numbers, self.traced[numbers]) for numbers in members], pads=False)
        except TooFew:
            return None
        except Exception:  # NotUniform, or whatever it is: each can be traced by itself
            logger.debug("operations of several sizes are traced one by one", exc_info=True)
            self._failures[positions] = self._failures.get(positions, 0) + 1
            return None
        self.families.append(family)
        for numbers in members:
            del self.traced[numbers]
        return family


def of(structure):
    """The `Alike` of this structure, hashable."""
    with _lock:
        if structure not in _structures and len(_structures) >= _MOST_STRUCTURES:
            _structures.pop(next(iter(_structures)))
        return _structures.setdefault(structure, Alike())
