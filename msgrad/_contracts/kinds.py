"""The classes of contracts: a contract checks and normalises the value of a parameter.

Operands: a Tensor, a Tensor of some dtypes, or a number that scales. All others are static: their values select the
computation. ``contract | None`` accepts None too.
"""

from typing import Any

import numpy as np

from ..engine._jax_private import weakly_typed
from ..engine.handle import Handle
from ..engine.host import values_of
from ..engine.static import HOLE, Hole, freeze
from ..tensor.arrays import is_array, taken
from ..tensor.numbers import constant, hosted, leaf, plain
from . import check

_INT, _FLOAT = np.dtype(np.int64), np.dtype(np.float64)
_MOST_NUMBERS = 256  # of one `Scalar` that are remembered


class Kind:
    """The contract of a parameter; this base class accepts any value.

    Attributes:
        types (tuple of type): the accepted Python types, by which a method chooses among several signatures.
        test (str): a Python condition over ``{0}`` that holds only for values that `take` returns as they are, by which
            generated code saves the call (`enforcement`); empty if there is none. It may name `enforcement.TESTING`.
    """

    types = (object,)
    test = ""

    def __or__(self, other):
        return Optional(self) if other is None else NotImplemented

    def take(self, value, arg_name, owner) -> Any:
        """``value`` normalised; raises MindSpore's error for a value that is not accepted."""
        return value

    def take_setting(self, value, arg_name, owner) -> Any:
        """``value`` of a constructor's argument, normalised; a Tensor stands for ints alone."""
        is_refused = isinstance(value, Handle) and not (Handle in self.types and int in self.types)
        return self.take(value if is_refused else concrete(value), arg_name, owner)

    def freeze(self, value, arg_name, owner, operands):
        """``value`` as a static argument of an operation; Tensors in it are added to ``operands``."""
        return freeze(self.take(concrete(value), arg_name, owner))


class Optional(Kind):
    """Another contract, or None."""

    def __init__(self, kind):
        self.kind = kind
        self.types = (*kind.types, type(None))
        self.test = f"{{0}} is None or {kind.test}" if kind.test else "{0} is None"

    def take(self, value, arg_name, owner):
        return None if value is None else self.kind.take(value, arg_name, owner)

    def take_setting(self, value, arg_name, owner):
        return None if value is None else self.kind.take_setting(value, arg_name, owner)

    def freeze(self, value, arg_name, owner, operands):
        return None if value is None else self.kind.freeze(value, arg_name, owner, operands)


class Static(Kind):
    """A contract by a function of `check`: ``rule(value, arg_name, owner)`` returns the value or raises.

    The rule's result must depend on the value alone, since operations cache it by type and value. A check that depends
    on more, such as the existing process groups, belongs in a composite.

    Args:
        rule (callable): a function of `check`.
        types (type): the accepted Python types.
        test (str): as of a `Kind`.
    """

    def __init__(self, rule, *types, test=""):
        self.take = rule
        self.types = types
        self.test = test


class ArrayKind(Kind):
    types = (Handle,)
    test = "_isinstance({0}, _Handle)"

    def take(self, value, arg_name, owner):
        value = value if isinstance(value, Handle) else taken(value)
        if not isinstance(value, Handle):
            check.refuse(TypeError, owner, arg_name, "a Tensor", value)
        return value

    def freeze(self, value, arg_name, owner, operands):
        operands.append(self.take(value, arg_name, owner))
        return HOLE


class TensorOf(ArrayKind):
    """A Tensor of one of a few dtypes.

    Args:
        names (str): of the dtypes, as NumPy calls them.
    Example:
        >>> TensorOf("int32", "int64").take(Tensor([1]), "index", "Gather").tolist()
        [1]
    """

    test = ""

    def __init__(self, *names):
        self.names = names
        self._fits = {}  # by dtype: NumPy makes the name anew each time, in 5 µs

    def take(self, value, arg_name, owner):
        value = super().take(value, arg_name, owner)
        dtype = value.aval[1]
        if dtype not in self._fits:
            self._fits[dtype] = dtype.name in self.names
        if not self._fits[dtype]:
            expected, hint = f"a Tensor of {' or '.join(self.names)}", "Cast it first: x.astype(...)."
            check.refuse(TypeError, owner, arg_name, expected, value, hint)
        return value


class Made(ArrayKind):
    """A Tensor, or a value that a function converts to one.

    Args:
        make (callable): ``make(value, arg_name, owner)`` returns the Tensor; it raises MindSpore's error for other
            values.
        types (type): the Python types that are accepted besides Tensors.
    Example:
        >>> Made(lambda value, arg_name, owner: Tensor(value), int).take(2, "x", "sin").item()
        2
    """

    def __init__(self, make, *types):
        self.make = make
        self.types = (Handle, *types)

    def take(self, value, arg_name, owner):
        value = value if isinstance(value, Handle) else taken(value)
        return value if isinstance(value, Handle) else self.make(value, arg_name, owner)


class _Weak(Hole):
    """The placeholder of a `Scalar` among an operation's static arguments."""

    def fill(self, operand):
        return weakly_typed(operand)


_WEAK = _Weak()


class Scalar(Kind):
    """A Python int or float that only scales or shifts.

    The body gets a 0-d array of a weak dtype, which JAX promotes as it does a Python number. It is an input of the
    compiled program, so a new value compiles nothing. While the body is traced it has no value: a check that needs the
    value (is it in range?) belongs in ``check``, which runs before.

    Args:
        check (callable): takes the number and raises MindSpore's error for one that is out of range.
        of (Kind): a narrower contract of numbers. Default: any.
    """

    types = (int, float, np.integer, np.floating, Handle)

    def __init__(self, check=None, of=None):
        self.check = check
        self.of = of
        self._known = {float: {}, int: {}}  # the states of numbers that were accepted, without zeros (0.0 == -0.0)

    def take(self, value, arg_name, owner):
        take = check.number if self.of is None else self.of.take
        value = plain(take(concrete(value), arg_name, owner))
        if self.check is not None:
            self.check(value)
        return value

    def take_setting(self, value, arg_name, owner):
        if isinstance(value, Handle):
            check.refuse(TypeError, owner, arg_name, "a number", value)
        return self.take(value, arg_name, owner)

    def freeze(self, value, arg_name, owner, operands):
        known = self._known.get(type(value))
        state = known.get(value) if known is not None else None
        if state is None:
            number = self.take(value, arg_name, owner)
            is_int = isinstance(number, int) and -(2**63) <= number < 2**63
            state = hosted(number, _INT if is_int else _FLOAT)
            if known is not None and value:
                if len(known) >= _MOST_NUMBERS:
                    known.clear()
                known[value] = state
        operands.append(leaf(state))
        return _WEAK


class Reals(Kind):
    """A tuple or list of ints and floats that only scale, shift or bound.

    The body gets a 1-d float64 array; as for a `Scalar`, new values compile nothing.

    Args:
        count (int): the required length. Default: any.
    Example:
        >>> Reals(2).take([0.5, 1.0], "means", "BoundingBoxEncode")
        (0.5, 1.0)
    """

    types = (tuple, list)

    def __init__(self, count=None):
        self.count = count

    def take(self, value, arg_name, owner):
        if not isinstance(value, self.types):
            check.refuse(TypeError, owner, arg_name, "a tuple or list of numbers", value)
        if self.count not in (None, len(value)):
            check.refuse(ValueError, owner, arg_name, f"{self.count} numbers", value)
        return tuple([check.number(each, arg_name, owner) for each in concrete(value)])

    def freeze(self, value, arg_name, owner, operands):
        operands.append(constant(np.array(self.take(value, arg_name, owner), _FLOAT)))
        return HOLE


def accepted(kind: Any, value, arg_name, owner) -> Any:
    """``value`` normalised by a contract, which a type checker knows as the type of a parameter."""
    return kind.take(value, arg_name, owner)


def is_static(kind):
    """Whether a contract (or the one inside `Optional`) is `Static`: values can be checked at any time."""
    return isinstance(getattr(kind, "kind", kind), Static)


def is_setting(kind):
    """Whether a contract (or the one inside `Optional`) is of values that a constructor takes: no operands."""
    return isinstance(getattr(kind, "kind", kind), (Static, Scalar, Reals))


def concrete(value) -> Any:
    """A static argument with the Tensors in it (a shape, an axis, a count) replaced by their Python values."""
    if isinstance(value, Handle):
        return value._values_().tolist()
    if is_array(value):
        return values_of(value).tolist()
    if type(value) in (tuple, list):
        return type(value)([concrete(item) for item in value])
    return value


def kinds_of(signature):
    """The contract of each parameter by name, `ANY` for one without."""
    annotations = {name: each.annotation for name, each in signature.parameters.items()}
    return {name: kind if isinstance(kind, Kind) else ANY for name, kind in annotations.items()}


ANY = Kind()
