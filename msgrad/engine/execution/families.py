"""Families: operations and Programs that differ in sizes alone, found before they are traced.

Two recordings of one model at two lengths are equal but for numbers: shapes, and static arguments such as those of a
reshape. Without its numbers (`split`) a recording is the key of its `Family`; the numbers of three of them say how each
follows from the sizes that vary (`Symbols`), and then those of a fourth say whether it belongs to them, and at which
sizes. It needs no tracing then: the family's `Template` is its jaxpr.

`MSGRAD_LENGTHS=off` turns all of it off.
"""

import enum
import logging
import os
import threading

import numpy as np

from ..lengths.padding import check
from ..lengths.sizes import NotUniform, TooFew, symbols_among
from ..lengths.template import Template, shape_at

logger = logging.getLogger("msgrad")
ALLOWED = os.environ.get("MSGRAD_LENGTHS", "").lower() not in ("off", "0")
_LARGEST_EXACT = 8  # ints up to it are axes, ranks, groups: part of the key; larger ones are sizes
_MOST_SAMPLES = 8
_MOST_ATTEMPTS = 4  # templates that are tried before a family counts as not uniform
_MOST_FAMILIES = 2048

_lock = threading.RLock()
_families = {}


class Family:
    """Operations or Programs of one structure, at several sizes.

    Attributes:
        samples (dict): for members that the template does not fit, by their numbers, a function that gives the jaxpr
            and the structure of the results, or None if they are gone.
        template (Template): what the jaxprs have in common; None until that is known.
        tree: the structure of the results.
        refusal (str): why members are compiled one by one: there is no template, or it cannot be padded. None if they
            are not, or that is not known yet.
        buckets (dict): what is compiled for each bucket (`padded.Bucket`), by its sizes.
        left (float): seconds for which NumPy may run members before it is worth compiling them, until there are
            buckets; None if no launch has been estimated yet.
    """

    def __init__(self):
        self.samples, self.buckets = {}, {}
        self.template = self.tree = self.refusal = self.conditions = self.left = None
        self._factors = self._monomials = self._axes = None
        self._attempts, self._lock = 0, threading.RLock()

    def symbols_of(self, numbers):
        """The sizes of the member with these numbers, a tuple; None if it is not known to be one."""
        if self.template is None or len(numbers) != len(self._factors):
            return None
        symbols = []
        for position, factor, offset in self._axes:
            value, rest = divmod(numbers[position] - offset, factor)
            if rest or value < 2:
                return None
            symbols.append(value)
        values = [int(np.prod([symbols[each] for each in monomial], dtype=np.int64)) for monomial in self._monomials]
        if not np.array_equal(self._factors @ np.array(values, np.int64), numbers):
            return None
        return tuple(symbols) if self.holds(symbols) else None

    def holds(self, symbols):
        """Whether the rules of padding are right at these sizes."""
        return all([condition.at(symbols) >= 0 for condition in self.conditions])

    def results_at(self, symbols):
        """The shapes of the results at these sizes, and their types."""
        avals = list(map(self.template.aval_of, self.template.outputs))
        return [shape_at(aval.shape, symbols) for aval in avals], avals

    def add(self, numbers, make_jaxpr):
        """Notes a member of other sizes; ``make_jaxpr()`` gives its jaxpr and the structure of its results."""
        with self._lock:
            if self.refusal is None and numbers not in self.samples:
                if len(self.samples) >= _MOST_SAMPLES:
                    self.samples.pop(next(iter(self.samples)))
                self.samples[numbers] = make_jaxpr

    def solve(self, pads=True):
        """Makes the template, if the samples tell it; ``pads`` says whether it is to be padded as well."""
        if len(self.samples) > 2:
            with self._lock:
                self._solve(pads)

    def _solve(self, pads):
        traced = {numbers: make() for numbers, make in self.samples.items()}
        self.samples = {numbers: self.samples[numbers] for numbers, each in traced.items() if each is not None}
        if len(self.samples) < 3:
            return
        try:
            jaxprs, trees = zip(*[traced[numbers] for numbers in self.samples], strict=True)
            if any([tree != trees[0] for tree in trees]):
                raise NotUniform("results of different structure")
            shapes = [[each.shape for each in jaxpr.in_avals] for jaxpr in jaxprs]
            axes = [axis for column in zip(*shapes, strict=True) for axis in zip(*column, strict=True)]
            symbols = symbols_among(axes)
            template = Template(jaxprs, symbols)
            self.conditions = check(template) if pads else []
            self._prepare(symbols)
            self._text = tuple(map(str, jaxprs))
            # In place of one that these samples did not fit, if there was one.
            self.template, self.tree, self.buckets, self.samples = template, trees[0], {}, {}
        except TooFew:
            return
        except NotUniform as reason:
            self._attempts += 1
            self.samples.pop(next(iter(self.samples)))
            if self._attempts >= _MOST_ATTEMPTS:
                self.refuse(reason)
        except Exception as error:  # whatever it is: each member can be traced and compiled by itself
            self.refuse(error)

    def refuse(self, reason):
        """Notes that members are compiled one by one."""
        logger.debug("programs of several sizes are compiled one by one: %s", reason, exc_info=True)
        self.refusal, self.samples = str(reason) or type(reason).__name__, {}

    def compiled(self):
        """Its buckets that are compiled, the smallest first."""
        buckets = set(self.buckets.values())
        return sorted([each for each in buckets if each.executable is not None], key=lambda each: each.sizes)

    def stable_parts(self):
        """The parts of its `stable_key`: the template at some sizes, as text, and how the numbers follow from them."""
        return self._text, self._factors.tobytes()

    def _prepare(self, symbols):
        sizes = list(map(symbols.size_of, zip(*self.samples, strict=True)))
        self._monomials = symbols.monomials
        self._factors = np.array([[size.terms.get(each, 0) for each in self._monomials] for size in sizes], np.int64)
        self._axes = []
        for symbol in range(len(symbols.columns)):
            position = next((k for k, size in enumerate(sizes) if set(size.terms) - {()} == {(symbol,)}), None)
            if position is None:
                raise NotUniform("a size that is not among the numbers of the program")
            terms = sizes[position].terms
            self._axes.append((position, terms[(symbol,)], terms.get((), 0)))


def family_of(key):
    """The `Family` of this key (`split`)."""
    with _lock:
        family = _families.get(key)
        if family is None:
            if len(_families) >= _MOST_FAMILIES:
                _families.pop(next(iter(_families)))
            family = _families[key] = Family()
        return family


def split(*parts):
    """What ``parts`` are without their sizes, hashable, and the sizes in order, a tuple of int."""
    numbers = []
    return _structure(parts, numbers), tuple(numbers)


def _structure(value, numbers):
    kind = type(value)
    if kind is int:
        if -_LARGEST_EXACT <= value <= _LARGEST_EXACT:
            return value
        numbers.append(value)
        return _SIZE
    if kind in _PLAIN:
        return kind, repr(value)  # 1, 1.0 and True are equal, as are 0.0 and -0.0
    if kind is tuple or kind is list:
        return (kind, *[_structure(each, numbers) for each in value])
    parts = getattr(kind, "family_parts", None)
    if parts is None:
        return value
    exact, sized = parts(value)
    if not _is_plain(exact):
        raise TypeError("a part that is an object, such as a user's function")
    return (kind, exact, _structure(sized, numbers))


def _is_plain(value):
    """Whether a value keeps nothing alive and is the same in each recording."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (int, float, str, enum.Enum))


_PLAIN = (bool, float, complex)
_SIZE = object()  # stands for a size in a structure
