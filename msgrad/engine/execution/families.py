"""Families: operations and Programs that differ in sizes alone, found before they are traced.

Two recordings of one model at two lengths are equal but for numbers: shapes, and static arguments such as those of a
reshape. Without its numbers (`split`) a recording is the key of its `Family`; the numbers of three of them say how each
follows from the sizes that vary (`Symbols`), and then those of a fourth say whether it belongs to them, and at which
sizes. It needs no tracing then: the family's `Template` is its jaxpr.

`MSGRAD_LENGTHS=off` turns all of it off.
"""

import enum
import itertools
import logging
import math
import os
import threading
from typing import Any

import jax
import numpy as np

from .. import host, jax_options
from ..fusion import without_kernels
from ..lengths.constants import digest
from ..lengths.padding import check
from ..lengths.sizes import NoRule, NoSymbols, NotUniform, TooFew, symbols_among
from ..lengths.template import Template, shape_at
from ..precision import saying
from .buckets import Buckets

logger = logging.getLogger("msgrad")
ALLOWED = os.environ.get("MSGRAD_LENGTHS", "").lower() not in ("off", "0")
LARGEST_EXACT = 8  # ints up to it are axes, ranks, groups: part of the key; larger ones are sizes
MOST_SAMPLES = 8
_MOST_ATTEMPTS = 4  # templates that are tried before a family counts as not uniform
_MOST_FAMILIES = 2048
_MOST_WITHOUT_KERNELS = 2048  # a length from which on attention by all its weights takes far more memory than a kernel
# How many times below and beyond a size the template is compared with traces; where it differs, less.
_REACHES = ((8, 8), (1, 8), (1, 1))
_TOLD = 48, 60, 72  # sizes at which a template is written out

_lock = threading.RLock()
_families = {}


class Family:
    """Operations or Programs of one structure, at several sizes.

    Attributes:
        samples (dict): for members that the template does not fit, by their numbers, the arguments of `add`.
        template (Template): what the jaxprs have in common; None until that is known.
        tree: the structure of the results.
        refusal (str): why members are compiled one by one: there is no template, or it cannot be padded. None if they
            are not, or that is not known yet.
        buckets (Buckets): what is compiled for members that the template fits; None without a template to pad.
        has_kernels (bool): whether the template may call an accelerator's kernels, for which there are no rules.
        left (float): the seconds that NumPy may take longer with members before the first bucket is compiled; None if
            no launch has been estimated yet.
        is_declared (bool): whether recordings at sizes of a declared axis tell the template (`other_sizes`).
    """

    buckets: Any

    _members: Any

    template: Any
    conditions: Any
    _factors: Any
    _monomials: Any
    _axes: Any
    _bounds: Any
    _is_proved: Any  # whether sizes within the bounds follow the template; not if all samples have a common factor

    def __init__(self):
        self.samples = {}
        self.template = self.buckets = self.tree = self.refusal = self.conditions = self.left = None
        self._factors = self._monomials = self._axes = self._bounds = None
        self.has_kernels = True
        self._attempts, self._vain_proofs, self._shortened, self._proofs = 0, 0, 0, ()
        self.is_declared = False
        self._lock = threading.RLock()

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
        if not np.array_equal(self._numbers_at(symbols), numbers):
            return None
        return tuple(symbols) if self.holds(symbols) else None

    def _numbers_at(self, symbols):
        values = [math.prod([symbols[each] for each in monomial]) for monomial in self._monomials]
        return self._factors @ np.array(values, np.int64)

    def is_proved(self, symbols, jaxpr_at=None):
        """Whether traces of operations at sizes around these are as the template says.

        An operation may take the smaller one of a size and a constant: then it follows another rule beyond it. Of a
        family of operations ``jaxpr_at(numbers)`` traces a member; of Programs each operation is traced by itself.
        """
        with self._lock:
            pairs = list(zip(symbols, self._bounds, strict=True))
            if self._is_proved and all([low <= each <= high for each, (low, high) in pairs]):
                return True
            for below, beyond in _REACHES[self._shortened :] if self._vain_proofs < _MOST_ATTEMPTS else ():
                bounds = [
                    (min(low, each, max(each // below, LARGEST_EXACT + 1)), max(high, beyond * each))
                    for each, (low, high) in pairs
                ]
                corners = [(low, high) if self._is_proved else (low, low + 1, high) for low, high in bounds]
                if self._agrees(itertools.product(*corners), jaxpr_at):
                    self._bounds, self._is_proved = bounds, True
                    return True
                self._shortened = min(self._shortened + 1, len(_REACHES) - 1)
            self._vain_proofs += 1
            return False

    def _agrees(self, corners, jaxpr_at):
        try:
            for corner in corners:
                if jaxpr_at is None:
                    for part in self._proofs:
                        part.compare(corner)
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

    def add(self, numbers, make_jaxpr, parts=()):
        """Notes a member of other sizes.

        ``make_jaxpr()`` gives its jaxpr and the structure of its results, or None if the member is gone; ``parts`` are
        the operations of a Program, in order (`parts_of`).
        """
        with self._lock:
            if self.refusal is None and numbers not in self.samples:
                if len(self.samples) >= MOST_SAMPLES:
                    self.samples.pop(next(iter(self.samples)))
                self.samples[numbers] = make_jaxpr, parts

    def solve(self, pads=True):
        """Makes the template, if the samples tell it; ``pads`` says whether it is to be padded as well."""
        if len(self.samples) > 2:
            with self._lock:
                self._solve(pads)

    def _solve(self, pads):
        apart = (lambda make: make) if self.has_kernels else without_kernels
        traced = {numbers: apart(make)() for numbers, (make, _) in self.samples.items()}
        self.samples = {numbers: self.samples[numbers] for numbers, each in traced.items() if each is not None}
        if len(self.samples) < 3:
            return
        try:
            jaxprs, trees = zip(*[traced[numbers] for numbers in self.samples], strict=True)
            if any([tree != trees[0] for tree in trees]):
                raise NotUniform("results of different structure")
            axes = list(_axes(jaxprs) if pads else zip(*self.samples, strict=True))
            symbols, template = self._fitted(jaxprs, axes)
            self.conditions = check(template) if pads else []
            parts = zip(*[parts for _, parts in self.samples.values()], strict=True)
            self._proofs = [Part(members, symbols) for members in dict.fromkeys(parts) if len(set(members)) > 1]
            # In place of one that these samples did not fit, if there was one.
            self.template, self.tree, self.samples = template, trees[0], {}
            self.buckets = Buckets(self) if pads else None
        except TooFew:
            return
        except NotUniform as reason:
            if self.has_kernels and pads and not host.is_cpu(host.current_device()):
                self.has_kernels = False  # one program without them, rather than one for each size
                self._solve(pads)
                return
            self._attempts += 1
            self.samples.pop(next(iter(self.samples)))
            if self._attempts >= _MOST_ATTEMPTS:
                self.refuse(reason)
        except Exception as error:  # whatever it is: each member can be traced and compiled by itself
            self.refuse(error)

    def _fitted(self, jaxprs, axes):
        """The `Symbols` of jaxprs at several sizes, and their `Template`, by the simplest rule that does.

        Raises:
            NotUniform, TooFew: as `Template` and `Symbols`.
        """
        reasons = []
        for degree in (1, 2):
            for is_divided in (False, True):  # the latter for a program that splits an axis into four parts
                try:
                    symbols = symbols_among(axes, is_divided, degree)
                    template = Template(jaxprs, symbols)
                    self._prepare(symbols)
                    return symbols, template
                except NotUniform as reason:
                    reasons.append(reason)
            if not any([isinstance(reason, NoRule) for reason in reasons]):
                break
        raise reasons[0]

    def refuse(self, reason):
        """Notes that members are compiled one by one."""
        logger.debug("programs of several sizes are compiled one by one: %s", reason, exc_info=True)
        self.refusal, self.samples = str(reason) or type(reason).__name__, {}

    def compiled(self):
        """Its buckets that are compiled, the smallest first."""
        return self.buckets.compiled() if self.buckets else []

    def stable_parts(self):
        """The parts of its `stable_key`: the template at some sizes, as text, and how the numbers follow from them."""
        # At sizes that tell the polynomials, and are the same whatever the samples were.
        sizes = itertools.product(_TOLD, repeat=len(self.template.symbols.columns))
        jaxprs = [self.template.at(each) for each in sizes]
        return list(map(str, jaxprs)), digest(jaxprs), self._factors.tobytes()

    def _prepare(self, symbols):
        sizes = list(map(symbols.size_of, zip(*self.samples, strict=True)))
        self._monomials = symbols.monomials
        self._bounds = [(min(column), max(column)) for column in symbols.columns]
        self._is_proved = all([math.gcd(*column) == 1 for column in symbols.columns])
        self._factors = np.array([[size.terms.get(each, 0) for each in self._monomials] for size in sizes], np.int64)
        self._axes = []
        for symbol in range(len(symbols.columns)):
            position = next((k for k, size in enumerate(sizes) if set(size.terms) - {()} == {(symbol,)}), None)
            if position is None:
                raise NotUniform("a size that is not among the numbers of the program")
            terms = sizes[position].terms
            self._axes.append((position, terms[(symbol,)], terms.get((), 0)))


class Part:
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
            self._members = None
        op, static, avals, precision = self._member
        static, avals = resized((static, avals), iter([size.at(symbols) for size in self._sizes]), exact=0)
        Template([jaxpr_of(op, static, avals, precision), self._template.at(symbols)], NoSymbols())


def jaxpr_of(op, static, avals, precision):
    """The jaxpr of an operation at operands of these ``(shape, dtype)``."""
    with jax_options.Tracing():
        specs = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in avals]
        return jax.make_jaxpr(saying(op.bind(static), precision))(*specs)


def _template(jaxprs, axes):
    """The symbols among these axes, and the template of the jaxprs."""
    symbols = symbols_among(axes)
    try:
        return symbols, Template(jaxprs, symbols)
    except NoRule:
        symbols = symbols_among(axes, degree=2)
        return symbols, Template(jaxprs, symbols)


def _axes(jaxprs):
    """The length of each axis of the arguments at each sample."""
    shapes = [[each.shape for each in jaxpr.in_avals] for jaxpr in jaxprs]
    return [axis for column in zip(*shapes, strict=True) for axis in zip(*column, strict=True)]


def family_of(key):
    """The `Family` of this key (`split`)."""
    with _lock:
        family = _families.get(key)
        if family is None:
            if len(_families) >= _MOST_FAMILIES:
                _families.pop(next(iter(_families)))
            family = _families[key] = Family()
        return family


def split(*parts, exact=LARGEST_EXACT):
    """What ``parts`` are without their sizes, hashable, and the sizes in order, a tuple of int.

    Ints up to ``exact`` are no sizes.
    """
    numbers = []
    return _structure(parts, numbers, exact), tuple(numbers)


class Split:
    """Parts that are split once, for all recordings that have them, and hashed once.

    Attributes:
        structure, numbers (tuple): what `split` gives.
    """

    __slots__ = ("structure", "numbers", "_hash")

    def __init__(self, *parts):
        self.structure, self.numbers = split(*parts)
        self._hash = hash(self.structure)

    def __eq__(self, other):
        return self is other or (type(other) is Split and self.structure == other.structure)

    def __hash__(self):
        return self._hash


def _structure(value, numbers, largest_exact):
    kind = type(value)
    if kind is Split:
        numbers.extend(value.numbers)
        return value
    if kind is int:
        if -largest_exact <= value <= largest_exact:
            return value
        numbers.append(value)
        return _SIZE
    if kind in _PLAIN:
        return kind, repr(value)  # 1, 1.0 and True are equal, as are 0.0 and -0.0
    if kind is tuple or kind is list:
        return (kind, *[_structure(each, numbers, largest_exact) for each in value])
    parts = getattr(kind, "family_parts", None)
    if parts is None:
        return value
    exact, sized = parts(value)
    if not _is_plain(exact):
        raise TypeError("a part that is an object, such as a user's function")
    return (kind, exact, _structure(sized, numbers, largest_exact))


def _is_plain(value):
    """Whether a value keeps nothing alive and is the same in each recording."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (int, float, str, enum.Enum))


def resized(value, numbers, exact=LARGEST_EXACT) -> Any:
    """``value``, parts of a member, with the sizes of another one, an iterator in the order of `split`."""
    kind = type(value)
    if kind is int:
        return value if -exact <= value <= exact else next(numbers)
    if kind is tuple or kind is list:
        return kind([resized(each, numbers, exact) for each in value])
    return value


def parts_of(value):
    """The operations in a Program or transform op, as `Part` takes them.

    Without those that JAX traces anew at each use: they choose among formulations of one function.
    """
    program = getattr(value, "program", value)
    for node in program.nodes:
        if hasattr(type(node.op), "family_parts"):
            yield from parts_of(node.op)
        elif not node.op.retraced:
            yield node.op, node.static, node.fn.operands, program.precision


_PLAIN = (bool, float, complex)
_SIZE = object()  # stands for a size in a structure
