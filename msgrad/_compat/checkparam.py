"""``mindspore._checkparam``: argument checks, for programs that use MindSpore's own.

Each check returns the value. It raises TypeError for a wrong type and ValueError for any other invalid value. MindSpore
2.x has functions; ``Validator`` and ``Rel``, the names of 1.x, have the same ones.
"""

import enum
import functools
import inspect
import math
import operator
import re
from collections.abc import Iterable

import numpy as np

from .. import dtype as mstype
from .._contracts.check import refuse, shown


class Rel(enum.IntEnum):
    """Relations of a value to a bound, to two bounds, or to a collection."""

    EQ = 1
    NE = 2
    LT = 3
    LE = 4
    GT = 5
    GE = 6
    INC_NEITHER = 7
    INC_LEFT = 8
    INC_RIGHT = 9
    INC_BOTH = 10
    IN = 11
    NOT_IN = 12


EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = Rel

_RELATIONS = {
    EQ: (operator.eq, "equal to {}"),
    NE: (operator.ne, "different from {}"),
    LT: (operator.lt, "less than {}"),
    LE: (operator.le, "at most {}"),
    GT: (operator.gt, "greater than {}"),
    GE: (operator.ge, "at least {}"),
    IN: (lambda value, collection: value in collection, "one of {}"),
    NOT_IN: (lambda value, collection: value not in collection, "none of {}"),
}
_RANGES = {
    INC_NEITHER: (operator.lt, operator.lt, "({}, {})"),
    INC_LEFT: (operator.le, operator.lt, "[{}, {})"),
    INC_RIGHT: (operator.lt, operator.le, "({}, {}]"),
    INC_BOTH: (operator.le, operator.le, "[{}, {}]"),
}


def _refuse(error, value, expected, arg_name, prim_name):
    if prim_name and arg_name:
        refuse(error, prim_name, arg_name, expected, value)
    owner = f"For '{prim_name}', the" if prim_name else "The"
    subject = f"'{arg_name}'" if arg_name else "input value"
    raise error(f"{owner} {subject} must be {expected}, but got {shown(value)}.")


def _named(kind):
    return getattr(kind, "__name__", str(kind))


def _listed(kinds):
    names = [_named(kind) for kind in kinds]
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


# -- numbers -----------------------------------------------------------------------------------------------------------


def check_is_number(arg_value, arg_type, arg_name=None, prim_name=None):
    """A finite number of the Python type ``arg_type``; a bool is not accepted."""
    if not isinstance(arg_value, arg_type) or isinstance(arg_value, bool):
        _refuse(TypeError, arg_value, f"of the type {arg_type.__name__}", arg_name, prim_name)
    if not math.isfinite(arg_value):
        _refuse(ValueError, arg_value, "finite", arg_name, prim_name)
    return arg_value


def _related(arg_value, value, rel, arg_type, arg_name, prim_name):
    check_is_number(arg_value, arg_type, arg_name, prim_name)
    holds, text = _RELATIONS[rel]
    if not holds(arg_value, value):
        _refuse(ValueError, arg_value, f"of the type {arg_type.__name__} and {text.format(value)}", arg_name, prim_name)
    return arg_value


def check_int(arg_value, value, rel, arg_name=None, prim_name=None):
    """An int that satisfies the relation ``rel`` to ``value``: ``check_int(n, 0, GE, "n")``."""
    return _related(arg_value, value, rel, int, arg_name, prim_name)


def check_float(arg_value, value, rel, arg_name=None, prim_name=None):
    """A float that satisfies the relation ``rel`` to ``value``."""
    return _related(arg_value, value, rel, float, arg_name, prim_name)


def check_equal_int(arg_value, value, arg_name=None, prim_name=None):
    """The int ``value``."""
    return _related(arg_value, value, EQ, int, arg_name, prim_name)


def _bounded(arg_type, rel):
    """A check of numbers of a type on one side of zero."""

    def check_number_of_the_type(arg_value, arg_name=None, prim_name=None):
        return _related(arg_value, 0, rel, arg_type, arg_name, prim_name)

    check_number_of_the_type.__doc__ = f"A finite {arg_type.__name__} {_RELATIONS[rel][1].format(0)}."
    return check_number_of_the_type


check_positive_int = _bounded(int, GT)
check_non_negative_int = _bounded(int, GE)
check_negative_int = _bounded(int, LT)
check_non_positive_int = _bounded(int, LE)
check_positive_float = _bounded(float, GT)
check_non_negative_float = _bounded(float, GE)
check_negative_float = _bounded(float, LT)
check_non_positive_float = _bounded(float, LE)


def _each(check):
    """A check of the items of a sequence."""

    def check_sequence(sequence, arg_name=None, prim_name=None):
        for index, item in enumerate(sequence):
            check(item, f"{arg_name or 'arg_name'}[{index}]", prim_name)
        return sequence

    check_sequence.__doc__ = f"A sequence of items. Each: {check.__doc__}"
    return check_sequence


check_positive_int_sequence = _each(check_positive_int)
check_non_negative_int_sequence = _each(check_non_negative_int)
check_positive_float_sequence = _each(check_positive_float)


def check_is_int(arg_value, arg_name=None, prim_name=None):
    """An int; a bool is not accepted."""
    return check_is_number(arg_value, int, arg_name, prim_name)


def check_is_float(arg_value, arg_name=None, prim_name=None):
    """A finite float."""
    return check_is_number(arg_value, float, arg_name, prim_name)


def check_number_range(arg_value, lower_limit, upper_limit, rel, value_type, arg_name=None, prim_name=None):
    """A number of ``value_type``, or of NumPy, between two limits; ``rel`` says which of them are included."""
    if not isinstance(arg_value, (np.ndarray, np.generic, value_type)) or isinstance(arg_value, bool):
        _refuse(TypeError, arg_value, f"of the type {_named(value_type)}", arg_name, prim_name)
    above, below, text = _RANGES[rel]
    if not (above(lower_limit, arg_value) and below(arg_value, upper_limit)):
        _refuse(ValueError, arg_value, f"in the range {text.format(lower_limit, upper_limit)}", arg_name, prim_name)
    return arg_value


def check_int_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """An int between two limits: ``check_int_range(n, 0, 3, INC_LEFT, "n")``."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """A float between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)


def check_number(arg_name, arg_value, value, rel, prim_name):
    """A value that satisfies the relation ``rel`` to ``value``."""
    return check(arg_name, arg_value, "", value, rel, prim_name)


def check(arg_name, arg_value, value_name, value, rel=EQ, prim_name=None, excp_cls=ValueError):
    """A value that relates to ``value``, which messages call ``value_name``; else an ``excp_cls``."""
    holds, text = _RELATIONS[rel]
    if not holds(arg_value, value):
        value_text = f"{value_name}: {value}" if value_name else value
        _refuse(excp_cls, arg_value, text.format(value_text), arg_name, prim_name)
    return arg_value


# -- other values ------------------------------------------------------------------------------------------------------


def check_bool(arg_value, arg_name=None, prim_name=None):
    """A bool."""
    if not isinstance(arg_value, bool):
        _refuse(TypeError, arg_value, "a bool", arg_name, prim_name)
    return arg_value


def check_string(arg_value, valid_values, arg_name=None, prim_name=None):
    """A str, one of ``valid_values``."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        _refuse(ValueError, arg_value, f"a str, one of {valid_values}", arg_name or "parameter", prim_name)
    return arg_value


def _matches(pattern, target, prim_name, flag=0):
    if re.match(pattern, target, flag) is None:
        _refuse(ValueError, target, f"a str that matches {pattern!r}", None, prim_name)
    return True


def check_str_by_regular(target, reg=None, flag=re.ASCII, prim_name=None):
    """Whether a str matches a pattern, by default that of a name; True, or a ValueError."""
    return _matches(reg or r"^\w+[0-9a-zA-Z\_\.]*$", target, prim_name, flag)


def check_str_and_none_by_regular(target, reg=None, flag=re.ASCII, prim_name=None):
    """`check_str_by_regular` with a pattern that accepts the empty str."""
    return _matches(reg or r"^\w*[0-9a-zA-Z\_\.\-]*$", target, prim_name, flag)


def check_file_name_by_regular(target, reg=None, prim_name=None):
    """Whether a str can be the name of a file; True, or an error."""
    if not isinstance(target, str):
        _refuse(TypeError, target, "a str", None, prim_name)
    if target.endswith(("\\", "/")):
        _refuse(ValueError, target, "the name of a file, not of a folder", None, prim_name)
    return _matches(reg or r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$", target, prim_name)


def check_pad_value_by_mode(pad_mode, padding, prim_name):
    """The padding, which must be 0 unless the mode is ``'pad'``."""
    if pad_mode != "pad" and padding != 0:
        _refuse(ValueError, padding, f"0 when pad_mode is {pad_mode!r}", "padding", prim_name)
    return padding


def check_valid_input(arg_name, arg_value, prim_name):
    """Any value but None."""
    if arg_value is None:
        _refuse(ValueError, arg_value, "given", arg_name, prim_name)
    return arg_value


def check_isinstance(arg_name, arg_value, classes):
    """An instance of one of ``classes``; else a ValueError."""
    if not isinstance(arg_value, classes):
        _refuse(ValueError, arg_value, f"an instance of {classes}", arg_name, None)
    return arg_value


def _as_tuple(types):
    return tuple(types) if isinstance(types, Iterable) else (types,)


def _is_instance(value, types):
    return isinstance(value, types) and (not isinstance(value, bool) or bool in types)


def check_value_type(arg_name, arg_value, valid_types, prim_name=None):
    """An instance of one of ``valid_types``; a bool is not an int."""
    types = _as_tuple(valid_types)
    if not _is_instance(arg_value, types):
        _refuse(TypeError, arg_value, f"of the type {_listed(types)}", arg_name, prim_name)
    return arg_value


def _check_item(name, item, types, prim_name):
    if not isinstance(item, tuple(types)):
        _refuse(TypeError, item, f"of the type {_listed(types)}", name, prim_name)


def check_element_type_of_iterable(arg_name, arg_value, valid_types, prim_name=None):
    """Raises TypeError unless all items of a list or tuple are of ``valid_types``."""
    check_value_type(arg_name, arg_value, [list, tuple], prim_name)
    for index, item in enumerate(arg_value):
        _check_item(f"{arg_name}[{index}]", item, valid_types, prim_name)


def check_element_type_of_dict(arg_name, arg_value, key_types, value_types, prim_name=None):
    """Raises TypeError unless a dict has keys of ``key_types`` and values of ``value_types``."""
    check_value_type(arg_name, arg_value, [dict], prim_name)
    for key, value in arg_value.items():
        _check_item(f"key of {arg_name}", key, key_types, prim_name)
        _check_item(f"{arg_name}['{key}']", value, value_types, prim_name)


def check_size_and_element_type_of_tuple(arg_name, arg_value, expect_size, expect_element_type, prim_name=None):
    """Raises unless a tuple has ``expect_size`` items of the same type."""
    check_value_type(arg_name, arg_value, [tuple], prim_name)
    check_equal_int(len(arg_value), expect_size, arg_name, prim_name)
    check_element_type_of_iterable(arg_name, arg_value, [expect_element_type], prim_name)


# -- dtypes ------------------------------------------------------------------------------------------------------------


def check_subclass(arg_name, type_, template_types, prim_name, addition_error_info=None):
    """Raises TypeError unless a dtype is one of ``template_types`` or a subtype of one."""
    templates = _as_tuple(template_types)
    for template in templates:
        if mstype._issubclass_(type_, template) if isinstance(template, mstype.Type) else type_ is template:
            return
    expected = " or ".join(map(str, templates)) + (f" {addition_error_info}" if addition_error_info else "")
    _refuse(TypeError, type_, expected, arg_name, prim_name)


def check_type_name(arg_name, arg_type, valid_types, prim_name):
    """A dtype, or a Python type, that is one of ``valid_types``, or an instance of such a type."""
    types = _as_tuple(valid_types)
    kind = arg_type.element_type() if isinstance(arg_type, mstype.TensorType) else arg_type
    if kind not in types and not any(isinstance(t, mstype.Type) and mstype._issubclass_(kind, t) for t in types):
        _refuse(TypeError, arg_type, _listed(types), arg_name, prim_name)
    return arg_type


def check_types_same_and_valid(args, valid_values, prim_name):
    """Raises TypeError unless the dtypes of a dict are equal and valid."""
    for name, kind in args.items():
        check_subclass(name, kind, valid_values, prim_name)
    (first, expected), *rest = args.items()
    for name, kind in rest:
        if kind != expected:
            _refuse(TypeError, kind, f"of the type of '{first}', {expected}", name, prim_name)


def check_tensors_dtypes_same_and_valid(args, valid_dtypes, prim_name):
    """`check_types_same_and_valid` of types of Tensors."""
    check_types_same_and_valid(args, [mstype.TensorType(kind) for kind in _as_tuple(valid_dtypes)], prim_name)


def check_tensor_dtype_valid(arg_name, arg_type, valid_dtypes, prim_name):
    """Raises TypeError unless a type is that of Tensors of one of ``valid_dtypes``."""
    check_subclass(arg_name, arg_type, [mstype.TensorType(kind) for kind in _as_tuple(valid_dtypes)], prim_name)


# -- calls -------------------------------------------------------------------------------------------------------------


def _looked_at(bound):
    """The arguments (dict) that MindSpore's decorators check: only those in ``**kwargs``, if there are any."""
    return bound.arguments.get("kwargs", bound.arguments)


def checking(check, rules_of_args, rules_of_kwargs):
    """A decorator that calls ``check(rule, value, name)`` for each argument with a rule, before the function runs."""

    def decorate(function):
        signature = inspect.signature(function)
        rules = _looked_at(signature.bind_partial(*rules_of_args, **rules_of_kwargs))

        @functools.wraps(function)
        def checked(*args, **kwargs):
            for name, value in _looked_at(signature.bind(*args, **kwargs)).items():
                if name in rules:
                    check(rules[name], value, name)
            return function(*args, **kwargs)

        return checked

    return decorate


def args_type_check(*type_args, **type_kwargs):
    """A decorator that checks the types of arguments: ``@args_type_check(width=int)``; None is accepted."""
    return checking(_check_type, type_args, type_kwargs)


def _check_type(expected, value, name):
    if value is not None and not isinstance(value, _as_tuple(expected)):
        _refuse(TypeError, value, f"of the type {_listed(_as_tuple(expected))}", name, None)


def check_input_format(input_param):
    """The data format ``'NCHW'``."""
    return check_string(input_param, ["NCHW"], "data_format")


def check_output_data(data):
    """Raises RuntimeError unless a network has an output."""
    if data is None:
        _refuse(RuntimeError, data, "given: the network returns nothing", "output", None)


def check_hook_fn(hook_fn):
    """A function that can be a hook; True, or a TypeError."""
    if not callable(hook_fn):
        _refuse(TypeError, hook_fn, "callable", "hook_fn", None)
    return True


def _expanded(count, kinds):
    """Makes a function that converts one int, or a sequence of ``count`` ints of a type in ``kinds``, to a tuple."""

    def expand(value):
        items = value if isinstance(value, kinds) else (value,) * count
        if len(items) != count or not all(isinstance(item, int) and not isinstance(item, bool) for item in items):
            _refuse(TypeError, value, f"an int or {count} ints in a {' or '.join(map(_named, kinds))}", None, None)
        return tuple(items)

    return expand


once, twice, triple = (_expanded(count, (tuple,)) for count in (1, 2, 3))
once_sequence, twice_sequence, triple_sequence = (_expanded(count, (tuple, list)) for count in (1, 2, 3))
_expand_tuple = functools.partial(_expanded, kinds=(tuple,))


def _check_3d_int_or_tuple(
    arg_name, arg_value, prim_name, allow_five=False, ret_five=False, greater_zero=True, third_one=False,
    three_input=False, pad_value=1,
):  # fmt: skip
    """An int for each of three axes, from one int, three, or (with ``allow_five``) five; five with ``ret_five``.

    Args:
        greater_zero (bool): whether they must be positive, rather than not negative. Default: ``True``.
        third_one (bool): whether the first of the three must be 1. Default: ``False``.
        three_input (bool): whether only positive numbers, or three ones, do. Default: ``False``.
        pad_value (int): the two further ones. Default: ``1``.
    """
    counts = (3, 5) if allow_five else (3,)
    sizes = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    expected = f"an int, or a tuple of {' or '.join(map(str, counts))} ints, from {int(greater_zero)} on"
    if not isinstance(sizes, (tuple, list)):
        refuse(TypeError, prim_name, arg_name, expected, arg_value)
    if len(sizes) not in counts:
        refuse(ValueError, prim_name, arg_name, expected, arg_value)
    three, two = tuple(sizes[-3:]), tuple(sizes[:-3]) or (pad_value, pad_value)
    result = two + three if ret_five else three
    if not all(isinstance(each, int) and not isinstance(each, bool) and each >= int(greater_zero) for each in result):
        refuse(ValueError, prim_name, arg_name, expected, arg_value)
    if third_one and sizes[-3] != 1:
        refuse(ValueError, prim_name, arg_name, "of depth 1", arg_value)
    if three_input and len(sizes) != 3:
        refuse(ValueError, prim_name, arg_name, "an int or three ints", arg_value)
    return result


def check_and_canonicalize_axes(axes, ndim):
    """A tuple of axes (int or tuple of int) of an array of ``ndim`` axes, counted from the first.

    Raises:
        TypeError: if one is not an int.  ValueError: if an axis is out of range, or one twice.
    """
    items = axes if isinstance(axes, tuple) else (axes,)
    for each in items:
        if not isinstance(each, int):
            refuse(TypeError, "check_and_canonicalize_axes", "axes", "an int or a tuple of ints", axes)
        if not -ndim <= each < ndim:
            refuse(ValueError, "check_and_canonicalize_axes", "axes", f"in the range [-{ndim}, {ndim})", axes)
    counted = tuple([each % ndim for each in items])
    if len(set(counted)) < len(counted):
        refuse(ValueError, "check_and_canonicalize_axes", "axes", "without repetition", axes)
    return counted


def check_int_positive(arg_name, arg_value=None, prim_name=None):
    """`check_positive_int` with the argument order of r0.x."""
    if arg_value is None and not isinstance(arg_name, str):
        return check_positive_int(arg_name)
    return check_positive_int(arg_value, arg_name, prim_name)


def check_integer(arg_name, arg_value, value, rel, prim_name=None):
    """`check_int` in the order of r0.x."""
    return check_int(arg_value, value, rel, arg_name, prim_name)


def check_float_positive(arg_name, arg_value, prim_name=None):
    """`check_positive_float` in the order of r0.x."""
    return check_positive_float(arg_value, arg_name, prim_name)


def check_float_legal_value(arg_name, arg_value, prim_name=None):
    """`check_is_float` in the order of r0.x."""
    return check_is_float(arg_value, arg_name, prim_name)


class Validator:
    """The checks under their names of 1.x, and the relations, which MindEarth reads of it."""


for _relation in Rel:
    setattr(Validator, _relation.name, _relation)
for _name, _check in list(globals().items()):
    if _name.startswith("check") and inspect.isfunction(_check):
        setattr(Validator, _name, staticmethod(_check))


def is_stub_tensor(tensor):
    """Whether a Tensor is a stub, as of MindSpore's operations that run in another thread; none of ours is."""
    return hasattr(tensor, "stub")
