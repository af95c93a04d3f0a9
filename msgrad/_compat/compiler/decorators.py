"""MindSpore's internal decorators; most are hints to its compiler, without effect here."""

import functools
import types

from ... import log
from ..._common.compiling import constexpr
from ..._contracts.check import refuse

_warned = set()


def _core(fn=None, **flags):
    """`_add_flags` with the flag ``core``.  (``common.api``)"""
    return _add_flags(fn, core=True, **flags)


core = _core  # (``ops.composite.base``)


def add_flags(fn=None, **flags):
    """Adds hints for MindSpore's compiler to a function or Cell, as its attribute ``_func_graph_flags``.

    Args:
        fn (function | Cell): gets the hints. Default: ``None``, the result is a decorator.
        flags (bool): the hints.
    Returns:
        ``fn``, or a decorator.
    Example:
        >>> ops.add_flags(lambda x: x, core=True)._func_graph_flags
        {'core': True}
    Source: mindspore.ops.add_flags
    """

    def add(function):
        function._func_graph_flags = {**getattr(function, "_func_graph_flags", {}), **flags}
        return function

    return add if fn is None else add(fn)


_add_flags = add_flags  # (``common.api``)


def _function_forbid_reuse(func):
    """The function unchanged, with the hint ``__function_forbid_reuse__``.  (``common.api``)"""
    func.__function_forbid_reuse__ = True
    return func


def _no_recursive(callable_obj):
    """The function, method or class of Cells unchanged, with the hint ``no_recursive``.  (``common.api``)"""
    is_class = isinstance(callable_obj, type) and hasattr(callable_obj, "construct")
    if not is_class and not isinstance(callable_obj, (types.FunctionType, types.MethodType)):
        refuse(TypeError, "_no_recursive", "callable_obj", "a function, a method or a class of Cells", callable_obj)
    return add_flags(callable_obj, no_recursive=True)


def _primexpr(fn=None, get_instance=True, name=None, reuse_result=True):
    """`constexpr` of functions that may get Tensors.  (``ops.primitive``)"""
    return constexpr(fn)


def trace(fn):
    """Returns the function unchanged: every function here is traced through Python.  (``ops._tracefunc``)"""
    return fn


def deprecated(version, substitute, use_substitute_name=False, module_prefix=""):
    """A decorator of deprecated functions, which warn at their first call.  (``common._decorator``)

    Args:
        version (str): since which version.
        substitute (str): what to use instead.
        use_substitute_name (bool): whether the class gets the attribute ``substitute_name``. Default: ``False``.
        module_prefix (str): before the name in the warning. Default: ``""``.
    """

    def decorate(function):
        @functools.wraps(function)
        def warning(*args, **kwargs):
            name = f"{module_prefix}{function.__qualname__}"
            if name not in _warned:
                _warned.add(name)
                log.warning(f"'{name}' is deprecated since version {version}. Use '{substitute}'.")
            if use_substitute_name and args:
                type(args[0]).substitute_name = substitute
            return function(*args, **kwargs)

        return warning

    return decorate
