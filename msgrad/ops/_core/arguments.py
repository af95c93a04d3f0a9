"""Arguments of a call, sorted into operands and static ones; the static ones in one canonical form.

So ``ops.softmax(x, 0)``, ``x.softmax(0)`` and ``ops.Softmax(0)(x)`` are one operation to the engine. Static arguments
that were checked and frozen once are found again by their types and values, without a call of Python's for each.
"""

from types import FunctionType

import jax

from ..._contracts.contracts import ANY, Array, Arrays, Made, Operand, Optional, Scalar, TensorOf, is_static
from ...engine.dtypes import DType
from ...engine.handle import Handle
from ...engine.static import HOLE, freeze


def _with_subclasses(cls):
    return {cls}.union(*map(_with_subclasses, cls.__subclasses__()))


# What is compared by type and value: ``1 == True == 1.0``, so never by value alone, and 0.0 and -0.0 by their texts.
_NUMBERS = {int, float, bool}
_ATOMS = {int, bool, str, type(None)} | _with_subclasses(DType)

# What an argument is, by its contract: an array; a list of arrays; an operand that its contract checks or makes at
# each call, as a number or a Tensor of certain dtypes; static; or what no call is remembered for.
_ARRAY, _ARRAYS, _CHECKED, _STATIC, _OTHER = range(5)


def _role(kind):
    kind = getattr(kind, "kind", kind)
    if kind is Array or kind is Operand:
        return _ARRAY
    if kind is Arrays:
        return _ARRAYS
    if kind is ANY or is_static(kind):
        return _STATIC
    return _CHECKED if isinstance(kind, (Scalar, TensorOf, Made)) else _OTHER


def _identity(values):
    """A key by which the same static arguments are found again: by the objects, or a tuple alone by its items."""
    if len(values) == 1 and type(values[0]) is tuple:  # a shape or axes, made anew at each call
        types = tuple(map(type, values[0]))
        if _ATOMS.issuperset(types):
            return values[0], types
    return tuple(map(id, values))


class Arguments:
    """How the arguments of an operation's calls are sorted.

    Attributes:
        maximum (int): how many calls are remembered, of some 300 bytes each.
        known (dict): their static arguments in canonical form, by the types and values of what was given.
        same (dict): the same by the identities of what was given, with those objects, so that no other gets their ids.

    Args:
        name (str): of the operation, in errors.
        signature (inspect.Signature): of its body.
        kinds (dict of Kind): the contract of each parameter, by name.
        convert (callable): turns the Python numbers in a list of operands into Tensors; None where there can be none.
    """

    maximum = 512

    def __init__(self, name, signature, kinds, convert):
        parameters = signature.parameters.values()
        self.name, self.signature, self.kinds, self.convert = name, signature, kinds, convert
        self.required = [each.name for each in parameters if each.default is each.empty]
        self.positional = {each.name: i for i, each in enumerate(parameters) if each.kind is each.POSITIONAL_OR_KEYWORD}
        self._count = len(self.positional)
        self._rows = [(name, _role(kind), isinstance(kind, Optional)) for name, kind in kinds.items()]
        roles = [role for _, role, _ in self._rows]
        self._leading = roles.index(_STATIC) if _STATIC in roles else len(roles)
        if set(roles[: self._leading]) - {_ARRAY} or set(roles[self._leading :]) - {_STATIC} or convert is not None:
            self._leading = 0
        self.known = {}
        self.same = {}
        self._defaults = None

    def sort(self, args, kwargs):
        """The operands of a call, in the order of the signature, and its static arguments in their canonical form.

        None for a call by another body, whose operands are ``jax.Array``s already.

        Raises:
            What the contracts do for an argument that does not fit; TypeError: for a wrong number of arguments.
        """
        # Constants of a program and attributes of a layer are the same objects at each call: no need to look at them.
        leading = self._leading
        if leading and not kwargs:
            operands = args[:leading]
            for value in operands:
                if not isinstance(value, Handle):
                    break
            else:
                entry = self.same.get(_identity(args[leading:]))
                if entry is not None:
                    return operands, entry[0]
        # One loop without calls of Python's: it runs at nearly every operation. What it cannot name goes to `_sorted`.
        given, named = len(args), 0
        key, operands, checked = [], [], []
        position = 0
        for name, role, is_optional in self._rows:
            if position < given:
                value = args[position]
                position += 1
            elif name in kwargs:
                value = kwargs[name]
                key.append(name)
                named += 1
            else:
                continue
            kind = type(value)
            if role == _STATIC:
                if kind in _ATOMS:
                    key += kind, value
                elif kind is float:
                    key += kind, repr(value)
                elif kind is FunctionType and value.__closure__ is None:  # so it holds no arrays
                    key += kind, value
                elif (kind is tuple or kind is list) and _ATOMS.issuperset(types := tuple(map(type, value))):
                    key += kind, types, tuple(value)
                else:
                    return self._sorted(args, kwargs)
            elif value is None and is_optional:
                key.append(None)
            elif role == _ARRAY and isinstance(value, Handle):
                key.append(HOLE)
                operands.append(value)
            elif role == _ARRAYS and (kind is tuple or kind is list):
                for each in set(map(type, value)):
                    if not issubclass(each, Handle):
                        return self._sorted(args, kwargs)
                key.append(len(value))
                operands += value
            elif role <= _CHECKED and role != _ARRAYS and (kind in _NUMBERS or isinstance(value, Handle)):
                key.append(HOLE)
                checked.append((len(operands), name))
                operands.append(value)
            else:
                return self._sorted(args, kwargs)
        key = tuple(key)
        static = self.known.get(key)
        if static is None or given > self._count or named < len(kwargs):
            return self._sorted(args, kwargs, key)
        if leading and not kwargs and len(self.same) < self.maximum:
            self.same[_identity(args[leading:])] = static, args[leading:]
        for index, name in checked:
            made = []
            self.kinds[name].freeze(operands[index], name, self.name, made)
            (operands[index],) = made
        if checked and self.convert is not None:
            self.convert(operands)
        return operands, static

    def _sorted(self, args, kwargs, key=None):
        """As `sort`, for what comes the first time; remembers the static arguments under ``key``."""
        if is_inside_body(args, kwargs):
            return None
        if not self._fits(len(args), kwargs):
            self.signature.bind(*args, **kwargs)  # raises Python's own TypeError
        frozen, made = {}, {}
        for name, value in (*zip(self.kinds, args, strict=False), *kwargs.items()):
            made[name] = []
            frozen[name] = self.kinds[name].freeze(value, name, self.name, made[name])
        operands = [each for name in self.kinds if name in made for each in made[name]]
        if self.convert is not None:
            self.convert(operands)
        static = self._canonical(frozen)
        if key is not None:
            if len(self.known) >= self.maximum:
                self.known.clear()
            self.known[key] = static
        return operands, static

    def _canonical(self, frozen):
        """``(positional, named)`` arguments: without those that are the default, and by position where they can be.

        ``()`` where nothing but operands is left, as in a call with Tensors alone.
        """
        if self._defaults is None:
            parameters = self.signature.parameters.values()
            self._defaults = {each.name: self._frozen_default(each) for each in parameters}
        kept = []
        for name, default in self._defaults.items():
            if name in frozen and not (type(frozen[name]) is type(default) and frozen[name] == default):
                kept.append((name, frozen[name]))
        count = 0
        while count < len(kept) and self.positional.get(kept[count][0]) == count:
            count += 1
        positional, named = tuple([value for _, value in kept[:count]]), tuple(kept[count:])
        return () if not named and all([value is HOLE for value in positional]) else (positional, named)

    def _frozen_default(self, parameter):
        """A default as its contract freezes it; ``inspect.Parameter.empty`` for none, or one that is not static."""
        kind, default = self.kinds[parameter.name], parameter.default
        if default is parameter.empty or default is not None and _role(kind) != _STATIC:
            return parameter.empty
        return freeze(kind.take(default, parameter.name, self.name)) if is_static(kind) else freeze(default)

    def _fits(self, count, kwargs):
        """Whether ``count`` positional arguments and ``kwargs`` are a call of the body."""
        if count > self._count:
            return False
        for name in kwargs:
            if name not in self.kinds or self.positional.get(name, count) < count:
                return False
        return count >= len(self.required) or all([name in kwargs for name in self.required[count:]])


def is_inside_body(args, kwargs):
    """Whether another body makes the call: its operands are arrays already."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, (tuple, list)) and value:
            value = value[0]
        if isinstance(value, Handle):
            return False
        if isinstance(value, jax.Array):
            return True
    return False
