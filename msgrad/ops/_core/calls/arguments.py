"""Sorts the arguments of a call into operands and static arguments, the latter in canonical form.

So ``ops.softmax(x, 0)``, ``x.softmax(0)`` and ``ops.Softmax(0)(x)`` are one operation for the engine. Static arguments
that were checked and frozen once are cached by their types and values, so no Python function is called for each.
"""

from types import FunctionType
from typing import Any

import jax
import numpy as np

from ...._contracts.contracts import Array, Arrays, Operand
from ...._contracts.kinds import ANY, Made, Optional, Scalar, TensorOf, is_static
from ...._contracts.signature import function
from ....engine.dtypes import DType
from ....engine.handle import Handle
from ....engine.jax_options import is_own
from ....engine.static import HOLE, freeze
from ....engine.user_code import called
from ....tensor.numbers import hosted, leaf


def _with_subclasses(cls):
    return {cls}.union(*map(_with_subclasses, cls.__subclasses__()))


# Types compared by type and value, since ``1 == True == 1.0``; floats by their repr, since ``0.0 == -0.0``.
_NUMBERS = {int, float, bool}
ATOMS = {int, bool, str, type(None), type} | _with_subclasses(DType) | _with_subclasses(np.dtype)

# The role of an argument, by its contract: an array; an array or a number; a list of arrays; an operand that its
# contract checks or converts at each call (a Tensor of certain dtypes, a number that scales); static; or an argument
# that prevents caching.
_ARRAY, _OPERAND, _ARRAYS, _CHECKED, _STATIC, _OTHER = range(6)


def _role(kind):
    kind = getattr(kind, "kind", kind)
    if kind is Array or kind is Operand:
        return _ARRAY if kind is Array else _OPERAND
    if kind is Arrays:
        return _ARRAYS
    if kind is ANY or is_static(kind):
        return _STATIC
    return _CHECKED if isinstance(kind, (Scalar, TensorOf, Made)) else _OTHER


def _leading(roles, kinds, are_converted):
    """How many of the first arguments are always Tensors where a call's others tell all the rest; 0: they may not."""
    count = roles.index(_STATIC) if _STATIC in roles else len(roles)
    if not (set(roles[:count]) - {_ARRAY} or set(roles[count:]) - {_STATIC} or are_converted):
        return count
    numbers = [isinstance(getattr(kind, "kind", kind), Scalar) for kind in kinds]
    roles = [_OPERAND if is_number else role for role, is_number in zip(roles, numbers, strict=True)]
    if roles[:1] not in ([_ARRAY], [_OPERAND]) or set(roles) - {_ARRAY, _OPERAND, _STATIC}:
        return 0
    count = max(1, next((k for k, role in enumerate(roles) if role != _ARRAY), len(roles)))
    return 0 if _ARRAY in roles[count:] else count


def _nested_types(items):
    """The types of items that are atoms or tuples of these, and so on, as nested tuples; None if one is neither."""
    types: Any = tuple(map(type, items))
    if ATOMS.issuperset(types):
        return types
    found = []
    for item in items:
        kind: Any = type(item)
        if kind is tuple:
            kind = _nested_types(item)
        elif kind not in ATOMS:
            return None
        if kind is None:
            return None
        found.append(kind)
    return tuple(found)


def _identity(values):
    """A key for static arguments: the ids of the objects, or what is in a single tuple."""
    if len(values) == 1 and type(values[0]) is tuple:  # a shape or axes, often a new tuple at each call
        types = _nested_types(values[0])
        if types is not None:
            return values[0], types
    return tuple(map(id, values))


class Arguments:
    """Sorts the arguments of an operation's calls.

    Attributes:
        maximum (int): the size of each cache, in calls of some 300 bytes each.
        known (dict): a cache: static arguments in canonical form, by the types and values of the arguments.
        takes_any_tensor (bool): whether the first argument may be a Tensor of any dtype.
        same (dict): a cache of the static arguments, for calls whose first arguments are Tensors and whose others are
            not, by the identities of these others. An entry keeps these, so that ids stay unique, and where there are
            numbers among the operands, the states of these by the first Tensor's dtype.

    Args:
        name, function_name (str): of the operation and of its function, in errors.
        signature (inspect.Signature): of its body.
        kinds (dict of Kind): the contract of each parameter, by name.
        convert (callable): converts the Python numbers in a list of operands to Tensors; None if there cannot be any.
    """

    maximum = 512

    def __init__(self, name, function_name, signature, kinds, convert):
        parameters = signature.parameters.values()
        self.name, self.function_name = name, function_name
        self.signature, self.kinds, self.convert = signature, kinds, convert
        self.required = [each.name for each in parameters if each.default is each.empty]
        self.positional = {each.name: i for i, each in enumerate(parameters) if each.kind is each.POSITIONAL_OR_KEYWORD}
        self._count = len(self.positional)
        self._rows = [(name, _role(kind), isinstance(kind, Optional)) for name, kind in kinds.items()]
        roles = [role for _, role, _ in self._rows]
        self.takes_any_tensor = roles[:1] in ([_ARRAY], [_OPERAND])
        self.leading = _leading(roles, kinds.values(), convert is not None)
        self.known = {}
        self.same = {}
        self._defaults = None

    def sort(self, args, kwargs):
        """The operands of a call, in the order of the signature, and its static arguments in their canonical form.

        None for a call by another body, whose operands are already ``jax.Array``s.

        Raises:
            The contracts' errors for arguments that are not accepted; TypeError: for a wrong number of arguments.
        """
        # Constants of a program and attributes of a layer are the same objects at each call, so ids find them.
        leading, identity = self.leading, None
        if 0 < leading <= len(args):
            operands = args[:leading]
            for value in operands:
                if not isinstance(value, Handle):
                    break
            else:
                rest = args[leading:]
                identity = (*map(id, rest), *kwargs, *map(id, kwargs.values())) if kwargs else _identity(rest)
                entry = self.same.get(identity)
                if entry is not None:
                    static, states, _ = entry
                    if states is None:
                        return operands, static
                    known = states.get(operands[0].aval[1])
                    if known is not None:
                        return [*operands, *map(leaf, known)], static
        # One loop without Python calls, since it runs for nearly every operation. Other cases go to `_sorted`.
        arg_count, named = len(args), 0
        key, operands, checked = [], [], []
        position, has_numbers = 0, False
        value: Any
        for name, role, is_optional in self._rows:
            if position < arg_count:
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
                if kind in ATOMS:
                    key += kind, value
                elif kind is float:
                    key += kind, repr(value)
                elif kind is FunctionType and value.__closure__ is None:  # so it refers to no arrays
                    key += kind, value
                elif (kind is tuple or kind is list) and ATOMS.issuperset(types := tuple(map(type, value))):
                    key += kind, types, tuple(value)
                elif kind is tuple and (types := _nested_types(value)) is not None:
                    key += kind, types, value
                else:
                    return self._sorted(args, kwargs)
            elif value is None and is_optional:
                key.append(None)
            elif role <= _OPERAND and isinstance(value, Handle):
                key.append(HOLE)
                operands.append(value)
            elif role == _OPERAND and kind in _NUMBERS:
                key.append(HOLE)
                operands.append(value)
                has_numbers = True
            elif role == _ARRAYS and (kind is tuple or kind is list):
                for each in set(map(type, value)):
                    if not issubclass(each, Handle):
                        return self._sorted(args, kwargs)
                key.append(len(value))
                operands += value
            elif (role == _CHECKED or role == _ARRAY) and (kind in _NUMBERS or isinstance(value, Handle)):
                key.append(HOLE)
                checked.append((len(operands), name))
                operands.append(value)
            else:
                return self._sorted(args, kwargs)
        key = tuple(key)
        static = self.known.get(key)
        if static is None or arg_count > self._count or named < len(kwargs):
            return self._sorted(args, kwargs, key)
        numbers = operands[leading:]
        for index, name in checked:
            converted = []
            self.kinds[name].freeze(operands[index], name, self.name, converted)
            (operands[index],) = converted
        if (has_numbers or checked) and self.convert is not None:
            self.convert(operands)
        if identity is not None:
            self._keep(identity, (*args[leading:], *kwargs.values()), numbers, operands, static)
        return operands, static

    def _keep(self, identity, others, numbers, operands, static):
        """Keeps the sorted arguments of a call in ``same``.

        ``others`` are those besides the first Tensors, of which the operands ``numbers`` have been converted.
        """
        if any([isinstance(each, (list, Handle)) for each in others]):  # a list may have other items next time
            return
        if len(self.same) >= self.maximum:
            self.same.clear()
        states = None
        if numbers:
            entry = self.same.get(identity)
            states = {} if entry is None else entry[1]
            made = zip(numbers, operands[self.leading :], strict=True)
            states[operands[0].aval[1]] = [hosted(value, each.aval[1]) for value, each in made]
        self.same[identity] = static, states, others

    def _sorted(self, args, kwargs, key=None):
        """As `sort`, for the first call of a kind; caches the static arguments under ``key``."""
        if is_inside_body(args, kwargs):
            return None
        if not self._fits(len(args), kwargs):
            # raises Python's own TypeError
            function(called(self.function_name), self.signature, "None", {})(*args, **kwargs)
        frozen, operands_by_name = {}, {}
        for name, value in (*zip(self.kinds, args, strict=False), *kwargs.items()):
            operands_by_name[name] = []
            frozen[name] = self.kinds[name].freeze(value, name, self.name, operands_by_name[name])
        operands = [each for name in self.kinds if name in operands_by_name for each in operands_by_name[name]]
        if self.convert is not None:
            self.convert(operands)
        static = self._canonical(frozen)
        if key is not None:
            if len(self.known) >= self.maximum:
                self.known.clear()
            self.known[key] = static
        return operands, static

    def _canonical(self, frozen):
        """``(positional, named)`` arguments without defaults, positional where possible.

        ``()`` if only operands remain, as in a call with Tensors only.
        """
        if self._defaults is None:
            parameters = self.signature.parameters.values()
            self._defaults = {each.name: self._frozen_default(each) for each in parameters}
        without_defaults = []
        for name, default in self._defaults.items():
            if name in frozen and not (type(frozen[name]) is type(default) and frozen[name] == default):
                without_defaults.append((name, frozen[name]))
        count = 0
        while count < len(without_defaults) and self.positional.get(without_defaults[count][0]) == count:
            count += 1
        positional, named = tuple([value for _, value in without_defaults[:count]]), tuple(without_defaults[count:])
        return () if not named and all([value is HOLE for value in positional]) else (positional, named)

    def _frozen_default(self, parameter):
        """A default in frozen form; ``inspect.Parameter.empty`` if there is none, or it is not static."""
        kind, default = self.kinds[parameter.name], parameter.default
        if default is parameter.empty or default is not None and _role(kind) != _STATIC:
            return parameter.empty
        return freeze(kind.take(default, parameter.name, self.name)) if is_static(kind) else freeze(default)

    def _fits(self, count, kwargs):
        """Whether ``count`` positional arguments and ``kwargs`` match the body's signature."""
        if count > self._count:
            return False
        for name in kwargs:
            if name not in self.kinds or self.positional.get(name, count) < count:
                return False
        return count >= len(self.required) or all([name in kwargs for name in self.required[count:]])


def is_inside_body(args, kwargs):
    """Whether the call comes from another body, whose operands are arrays already; the user's are taken as Tensors."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, (tuple, list)) and value:
            value = value[0]
        if isinstance(value, Handle):
            return False
        if isinstance(value, jax.Array):
            return is_own()
    return False
