"""Methods without ``self``: in a graph ``self.func(a, b)`` of ``def func(a, b)`` passes these two arguments alone."""

import functools
import inspect
import types

from ..engine.calls.staging import is_in_graph
from ..engine.user_code import is_users


class _Unbound:
    """A function of a class whose first parameter is not ``self``; outside of graphs it is a method.

    In a graph it takes the arguments alone if they are as many as it takes, otherwise it is a method as well.
    """

    def __init__(self, function):
        self.__func__ = self.__wrapped__ = function
        self.__doc__ = function.__doc__

    def __get__(self, owner, kind=None):
        if owner is None:
            return self.__func__
        method = types.MethodType(self.__func__, owner)
        return functools.partial(self._call, method) if is_in_graph() else method

    def _call(self, method, *args, **kwargs):
        try:
            inspect.signature(self.__func__).bind(*args, **kwargs)
        except TypeError:
            return method(*args, **kwargs)
        return self.__func__(*args, **kwargs)


def read_methods(cls):
    """Makes the user's methods of ``cls`` itself without a parameter ``self`` what they are to MindSpore's compiler."""
    for name, function in list(vars(cls).items()):
        is_method = type(function) is types.FunctionType and not name.startswith("__")
        if is_method and is_users(function.__code__.co_filename) and not _has_self(function):
            setattr(cls, name, _Unbound(function))


def _has_self(function):
    code = function.__code__
    if hasattr(function, "__wrapped__"):  # a decorator's, which passes everything on
        return True
    takes_any = code.co_flags & 4
    return code.co_varnames[0] == "self" if code.co_argcount else not takes_any
