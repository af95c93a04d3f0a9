"""Contracts: annotations that say which values a parameter accepts; enforced alike for operations and layers.

A contract is an instance of `Kind`. Operands: `Array` a Tensor, `Arrays` a list or tuple of Tensors, `Operand` a Tensor
or a Python number, `Scalar` a Python number that scales or shifts, `Reals` several. All others are static, so their
values select the computation: `Int`, `Bool`, `OneOf("mean", "sum")`, .... A parameter without annotation accepts any
value. ``contract | None`` accepts None too.
"""

import functools
import inspect
import numbers
import sys

import numpy as np

from ..engine._jax_private import weakly_typed
from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..engine.refusal import require
from ..engine.static import HOLE, Hole, freeze
from ..tensor.numbers import constant, number, plain
from ..tensor.sparse import COOTensor, CSRTensor, RowTensor
from . import check
from .signature import bare, function

_NUMBERS = (bool, int, float, complex, np.generic)
_INT, _FLOAT = np.dtype(np.int64), np.dtype(np.float64)


class Kind:
    """The contract of a parameter; this base class accepts any value.

    Attributes:
        types (tuple of type): the accepted Python types, by which a method chooses among several signatures.
    """

    types = (object,)

    def __or__(self, other):
        return Optional(self) if other is None else NotImplemented

    def take(self, value, arg_name, owner):
        """``value`` normalised; raises MindSpore's error for a value that is not accepted."""
        return value

    def take_setting(self, value, arg_name, owner):
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

    def take(self, value, arg_name, owner):
        return None if value is None else self.kind.take(value, arg_name, owner)

    def take_setting(self, value, arg_name, owner):
        return None if value is None else self.kind.take_setting(value, arg_name, owner)

    def freeze(self, value, arg_name, owner, operands):
        return None if value is None else self.kind.freeze(value, arg_name, owner, operands)


class _Array(Kind):
    types = (Handle,)

    def take(self, value, arg_name, owner):
        if not isinstance(value, Handle):
            check.refuse(TypeError, owner, arg_name, "a Tensor", value)
        return value

    def freeze(self, value, arg_name, owner, operands):
        operands.append(self.take(value, arg_name, owner))
        return HOLE


class TensorOf(_Array):
    """A Tensor of one of a few dtypes.

    Args:
        names (str): of the dtypes, as NumPy calls them.
    Example:
        >>> TensorOf("int32", "int64").take(Tensor([1]), "index", "Gather").tolist()
        [1]
    """

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


class _Operand(_Array):
    types = (Handle, *_NUMBERS)

    def take(self, value, arg_name, owner):
        if not isinstance(value, self.types):
            check.refuse(TypeError, owner, arg_name, "a Tensor or a number", value)
        return value


class Made(_Array):
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
        return value if isinstance(value, Handle) else self.make(value, arg_name, owner)


class _Arrays(Kind):
    types = (tuple, list)

    def take(self, value, arg_name, owner):
        if not isinstance(value, (tuple, list)) or not all(isinstance(item, Handle) for item in value):
            check.refuse(TypeError, owner, arg_name, "a list or tuple of Tensors", value)
        return value

    def freeze(self, value, arg_name, owner, operands):
        return tuple([freeze(item, operands) for item in self.take(value, arg_name, owner)])


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
        value = self.take(value, arg_name, owner)
        is_int = isinstance(value, int) and -(2**63) <= value < 2**63
        operands.append(number(value, _INT if is_int else _FLOAT))
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


class Static(Kind):
    """A contract by a function of `check`: ``rule(value, arg_name, owner)`` returns the value or raises.

    The rule's result must depend on the value alone, since operations cache it by type and value. A check that depends
    on more, such as the existing process groups, belongs in a composite.

    Args:
        rule (callable): a function of `check`.
        types (type): the accepted Python types.
    """

    def __init__(self, rule, *types):
        self.take = rule
        self.types = types


class _Sizes(Static):
    """The ``*shape`` of a method: ints, or one tuple of them. A Tensor without axes is a shape of one length."""

    def __init__(self):
        super().__init__(check.sizes, *_INTS, tuple, list)

    def freeze(self, value, arg_name, owner, operands):
        is_length = isinstance(value, Handle) and value.aval[0] == ()
        return super().freeze([value] if is_length else value, arg_name, owner, operands)


def _shape(value, arg_name, owner):
    shape = check.ints(concrete(value), arg_name, owner)
    if any(length < 0 for length in shape):
        check.refuse(ValueError, owner, arg_name, "without negative lengths", shape)
    return shape


def _pairs(value, arg_name, owner):
    if not isinstance(value, (tuple, list)):
        check.refuse(TypeError, owner, arg_name, "a tuple or list of pairs of ints", value)
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in value):
        check.refuse(ValueError, owner, arg_name, "made of pairs of ints", value)
    return tuple([check.ints(pair, arg_name, owner) for pair in value])


def _as_tuple(value, arg_name, owner):
    return tuple(value) if isinstance(value, list) else value


def _as_floats(value, arg_name, owner):
    if isinstance(value, (tuple, list)):
        return tuple([_as_floats(each, arg_name, owner) for each in value])
    return float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else value


def is_static(kind):
    """Whether a contract (or the one inside `Optional`) is `Static`: values can be checked at any time."""
    return isinstance(getattr(kind, "kind", kind), Static)


def is_setting(kind):
    """Whether a contract (or the one inside `Optional`) is of values that a constructor takes: no operands."""
    return isinstance(getattr(kind, "kind", kind), (Static, Scalar, Reals))


def OneOf(*choices):  # noqa: N802  it reads as a type: ``reduction: OneOf("mean", "sum")``
    """One of a few values.

    Example:
        >>> OneOf("mean", "sum").take("mean", "reduction", "MSELoss")
        'mean'
    """
    return Static(functools.partial(_one_of, choices), *{type(choice) for choice in choices})


def _one_of(choices, value, arg_name, owner):
    return check.one_of(value, choices, arg_name, owner)


def Word(*choices):  # noqa: N802  it reads as a type: ``align: Word("LEFT_RIGHT", "RIGHT_LEFT")``
    """One of a few strs, as `OneOf`; a value of another type is a TypeError.

    Example:
        >>> Word("tanh", "relu").take("relu", "nonlinearity", "RNNCell")
        'relu'
    """
    return Static(functools.partial(_word, choices), str)


def _word(choices, value, arg_name, owner):
    return check.one_of(check.text(value, arg_name, owner), choices, arg_name, owner)


def DtypeOf(*names):  # noqa: N802  it reads as a type: ``dtype: DtypeOf("int32", "int64")``
    """One of a few dtypes of MindSpore, by name; another is a TypeError.

    Example:
        >>> DtypeOf("int32", "int64").take(mindspore.int32, "dtype", "TrilIndices")
        mindspore.int32
    """
    return Static(functools.partial(_dtype_of, names), DType)


def _dtype_of(names, value, arg_name, owner):
    if check.mindspore_dtype(value, arg_name, owner).numpy.name not in names:
        check.refuse(TypeError, owner, arg_name, " or ".join(names), value)
    return value


def Lengths(count, minimum=1, miscount=ValueError):  # noqa: N802  it reads as a type: ``kernel_size: Lengths(2)``
    """One int for ``count`` axes, or a tuple of as many; MindSpore's ``(1, 1, height, width)`` too.

    Args:
        count (int): of the axes.
        minimum (int): the smallest value; None for any. Default: ``1``.
        miscount (type): MindSpore's exception for more or fewer of them, or other elements. Default: ``ValueError``.
    Example:
        >>> Lengths(2).take(3, "kernel_size", "Conv2D")
        (3, 3)
    """

    def take(value, arg_name, owner):
        return _lengths(count, minimum, miscount, check.no_list(value, arg_name, owner, miscount), arg_name, owner)

    return Static(take, int, np.integer, tuple)


def LengthsOrList(count, minimum=1):  # noqa: N802  it reads as a type
    """As `Lengths`, or a list of them.

    Example:
        >>> LengthsOrList(2).take([3, 2], "kernel_size", "Im2Col")
        (3, 2)
    """
    return Static(functools.partial(_lengths, count, minimum, ValueError), int, np.integer, tuple, list)


def _lengths(count, minimum, miscount, value, arg_name, owner):
    lengths = check.ints(value, arg_name, owner)
    if len(lengths) == count + 2 and lengths[:2] == (1, 1):
        lengths = lengths[2:]
    if not isinstance(value, (tuple, list)):
        lengths *= count
    if len(lengths) != count or minimum is not None and min(lengths) < minimum:
        error = miscount if len(lengths) != count else ValueError
        expected = "an int" if minimum is None else f"an int from {minimum} on"
        check.refuse(error, owner, arg_name, f"{expected}, or {count} of them", value)
    return lengths


def Tuple(count=None, takes_int=False):  # noqa: N802  it reads as a type: ``max_shape: Tuple(2)``
    """A tuple of ints; a list is a TypeError.

    Args:
        count (int): how many; another number is a ValueError. Default: ``None``: any number.
        takes_int (bool): whether a single int is accepted, too, and stays one. Default: ``False``.
    Example:
        >>> Tuple(2).take((3, 2), "max_shape", "BoundingBoxDecode")
        (3, 2)
    """
    return Static(functools.partial(_tuple, count, takes_int), *_INTS, tuple, list)


def _tuple(count, takes_int, value, arg_name, owner):
    if takes_int and not isinstance(value, (tuple, list)):
        return check.integer(value, arg_name, owner)
    if not isinstance(value, tuple):
        check.refuse(TypeError, owner, arg_name, "a tuple of ints", value)
    if count not in (None, len(value)):
        check.refuse(ValueError, owner, arg_name, f"{count} ints", value)
    return check.ints(value, arg_name, owner)


def FloatWithin(interval):  # noqa: N802  it reads as a type: ``beta1: FloatWithin("(0, 1)")``
    """A Python float in an interval.

    Args:
        interval (str): such as ``"(0, 1]"``: a bracket includes the bound, a parenthesis excludes it.
    Example:
        >>> FloatWithin("(0, 1]").take(1.0, "rho", "Adadelta")
        1.0
    """
    return Static(functools.partial(check.float_within, interval), float)


def _pad_mode(value, arg_name, owner):
    return check.one_of(check.text(value, arg_name, owner).lower(), ("valid", "same", "pad"), arg_name, owner)


def Instance(kind):  # noqa: N802  it reads as a type
    """An object of a class.

    Example:
        >>> Instance(dict).take({}, "options", "Model")
        {}
    """
    return Static(functools.partial(_instance, kind), kind)


def _instance(kind, value, arg_name, owner):
    return require(value, kind, owner, arg_name)


ANY = Kind()
Array = _Array()
Arrays = _Arrays()
Operand = _Operand()
Index = TensorOf("int32", "int64")
Mask = TensorOf("bool")
_INTS = (int, np.integer, Handle)
Int = Static(check.integer, *_INTS)
PositiveInt = Static(check.positive_int, *_INTS)
NonNegativeInt = Static(check.non_negative_int, *_INTS)
Bool = Static(check.boolean, bool, np.bool_)
Real = Static(check.number, numbers.Real, Handle)
PositiveReal = Static(check.positive_number, numbers.Real, Handle)
NonNegativeReal = Static(check.non_negative_number, numbers.Real, Handle)
Number = Static(check.python_number, bool, int, float)
PositiveFloat = Static(check.positive_float, float)
NonNegativeFloat = Static(check.non_negative_float, float)
Float = FloatWithin("(-inf, inf)")
Fraction = FloatWithin("[0, 1]")
NonPositiveFloat = FloatWithin("(-inf, 0]")
Text = Static(check.text, str)
PadMode = Static(_pad_mode, str)
Callable = Static(check.function, object)
Dtype = Static(check.mindspore_dtype, DType)
# The body checks whether the axes exist, since it knows the operand.
Axis = Int
Axes = Static(check.axes_given, *_INTS, tuple, list) | None
Ints = Static(check.ints, *_INTS, tuple, list)
PositiveInts = Static(check.positive_ints, *_INTS, tuple, list)
IntOrInts = Static(check.axes_given, *_INTS, tuple, list)  # an int stays an int
Sizes = _Sizes()
Pairs = Static(_pairs, tuple, list)
AsTuple = Static(_as_tuple, object)  # the target checks the items, as of the next one
AsFloats = Static(_as_floats, object)
Shape = Static(_shape, int, tuple, list, Handle)
Sequence = Static(check.sequence, tuple, list, Handle)  # of ints; a single int is not accepted


Coo, Csr, Row = Instance(COOTensor), Instance(CSRTensor), Instance(RowTensor)


def concrete(value):
    """A static argument with the Tensors in it (a shape, an axis, a count) replaced by their Python values."""
    if isinstance(value, Handle):
        return value.values().tolist()
    if type(value) in (tuple, list):
        return type(value)([concrete(item) for item in value])
    return value


def kinds_of(signature):
    """The contract of each parameter by name, `ANY` for one without."""
    annotations = {name: each.annotation for name, each in signature.parameters.items()}
    return {name: kind if isinstance(kind, Kind) else ANY for name, kind in annotations.items()}


def enforced(target, owner, owner_expression="_owner"):
    """Wraps ``target`` so that its contracts are enforced; the wrapper's signature has no annotations.

    Args:
        target (function): a function whose parameters are annotated with contracts.
        owner (str): the name in errors.
        owner_expression (str): an expression for that name, over ``_owner`` and the parameters.
    Returns:
        function; ``target`` itself where there is nothing to enforce.
    """
    signature = inspect.signature(target)
    kinds = kinds_of(signature)
    if all(kind is ANY for kind in kinds.values()):
        return target
    scope = {f"_take_{name}": kind.take for name, kind in kinds.items() if kind is not ANY}
    call = []
    for name, parameter in signature.parameters.items():
        value = name if kinds[name] is ANY else f"_take_{name}({name}, {name!r}, {owner_expression})"
        prefix = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**", parameter.KEYWORD_ONLY: f"{name}="}
        call.append(prefix.get(parameter.kind, "") + value)
    scope |= {"_target": target, "_owner": owner}
    wrapper = function(target.__name__, bare(signature), f"_target({', '.join(call)})", scope)
    functools.update_wrapper(wrapper, target)
    wrapper.__signature__ = bare(signature)
    return wrapper


def checked(constructor):
    """Enforces the contracts of a Cell's ``__init__``; errors name the Cell's class.

    Example:
        >>> class Scale(nn.Cell):
        ...     @checked
        ...     def __init__(self, length: PositiveInt):
        ...         super().__init__()
        ...         self.length = length
        >>> Scale(3).length
        3
    """
    owner = next(iter(inspect.signature(constructor).parameters))
    return enforced(constructor, None, f"type({owner}).__name__")


def checked_like(constructor, without=(), defaults=None, behind=None, **kinds):
    """Derives a Cell's ``__init__`` from its base's, with fewer parameters or other contracts: 1-d to 3-d layers.

    Call it in the body of the class.

    Args:
        constructor (function): the base's ``__init__``; its contracts apply unless ``kinds`` replaces them.
        without (tuple[str]): parameters to omit; they keep their defaults.
        defaults (dict): new defaults, by parameter name.
        behind (dict): ``{name: other}`` moves the parameter ``name`` to follow ``other``.
        kinds (Kind): new contracts, by parameter name.
    Returns:
        function; its errors name the Cell's class, as with `checked`.
    Raises:
        NameError: if the base's ``__init__`` lacks a named parameter.
    Example:
        >>> class Scale(nn.Cell):
        ...     def __init__(self, lengths, factor: PositiveInt = 1):
        ...         super().__init__()
        ...         self.lengths = lengths
        >>> class Scale2d(Scale):
        ...     __init__ = checked_like(Scale.__init__, without=("factor",), lengths=Lengths(2))
        >>> Scale2d(3).lengths
        (3, 3)
    """
    parameters = inspect.signature(constructor).parameters
    defaults, behind = defaults or {}, behind or {}
    if unknown := {*without, *defaults, *behind, *behind.values(), *kinds} - parameters.keys():
        raise NameError(f"{constructor.__qualname__}({', '.join(parameters)}) has no parameter {', '.join(unknown)}.")
    declared = [
        each.replace(annotation=kinds.get(name, each.annotation), default=defaults.get(name, each.default))
        for name, each in parameters.items()
        if name not in without
    ]
    for name, other in behind.items():
        (moved,) = [each for each in declared if each.name == name]
        declared.remove(moved)
        declared.insert([each.name for each in declared].index(other) + 1, moved)
    own, *names = [each.name for each in declared]
    call = f"_base({', '.join([own, *[f'{name}={name}' for name in names]])})"
    wrapper = function("__init__", bare(inspect.Signature(declared)), call, {"_base": constructor}, at_once=True)
    wrapper.__signature__ = inspect.Signature(declared)
    wrapper.__qualname__ = f"{sys._getframe(1).f_locals['__qualname__']}.__init__"  # shown in Python's TypeErrors
    return checked(wrapper)
