"""Methods of Tensor that a library replaces: msgrad's own code keeps those that it was written with.

mindnlp 0.5 assigns ``Tensor.__getitem__``, ``Tensor.shape`` and some 400 more. Many of its own call the operation that
msgrad writes with the method of that name.
"""

import functools
import sys
import types

_CALLER = 2  # frames up from `_is_ours`: past the function that asks


class ReplaceableMethods(type):
    """The class of Tensor: a function or property that other code assigns to it is what all but msgrad's code finds."""

    def __setattr__(cls, name, value):
        if not _asks_msgrad() and cls.__module__.startswith(("mindspore.", "msgrad.")):
            getattr(cls, name, None)  # makes one that is made on demand
            own = next((vars(each)[name] for each in cls.__mro__ if name in vars(each)), None)
            value = _replaced(getattr(own, "own", own), value)
        super().__setattr__(name, value)


def replacement(cls, name):
    """The function that a library has put in the place of a method of Tensor, or None."""
    return getattr(getattr(cls, name), "replacement", None)


def _asks_msgrad():
    """Whether the function that asks was called by msgrad's code."""
    name = sys._getframe(_CALLER).f_globals.get("__name__")
    return name is None or name.partition(".")[0] == "msgrad"  # msgrad makes functions whose globals have no name


def _replaced(own, value):
    """What finds ``own`` for msgrad's code and ``value`` for all other."""
    if isinstance(own, types.FunctionType) and isinstance(value, types.FunctionType) and own is not value:
        return _method(own, value)
    if isinstance(own, property) and isinstance(value, property):
        return _Property(own, value)
    return value


def _method(own, value):
    @functools.wraps(value)
    def method(*args, **kwargs):
        return (own if _asks_msgrad() else value)(*args, **kwargs)

    method.own, method.replacement = own, value
    return method


class _Property(property):
    """A property that a library has replaced."""

    def __init__(self, own, value):
        super().__init__(value.fget, value.fset, value.fdel, value.__doc__)
        self.own = own

    def __get__(self, instance, owner=None):
        return self.own.__get__(instance, owner) if _asks_msgrad() else super().__get__(instance, owner)
