"""Tensor methods replaced by a library: msgrad's own code keeps using the original ones.

mindnlp 0.5 replaces ``Tensor.__getitem__``, ``Tensor.shape`` and some 400 more. Many of its methods call the operation
that msgrad implements with the method of that name.
"""

import functools
import sys
import types

_CALLER = 2  # frames up from `_is_ours`, past the calling function


class ReplaceableMethods(type):
    """The metaclass of Tensor: functions and properties assigned by other code are hidden from msgrad's code."""

    def __setattr__(cls, name, value):
        if not _asks_msgrad() and cls.__module__.startswith(("mindspore.", "msgrad.")):
            getattr(cls, name, None)  # creates a method that is created on demand
            own = next((vars(each)[name] for each in cls.__mro__ if name in vars(each)), None)
            value = _replaced(getattr(own, "own", own), value)
        super().__setattr__(name, value)


def replacement(cls, name):
    """A library's replacement of a Tensor method, or None."""
    return getattr(getattr(cls, name), "replacement", None)


def _asks_msgrad():
    """Whether the calling function was called by msgrad's code."""
    name = sys._getframe(_CALLER).f_globals.get("__name__")
    return name is None or name.partition(".")[0] == "msgrad"  # generated functions have globals without a name


def _replaced(own, value):
    """A descriptor that returns ``own`` to msgrad's code and ``value`` to all other code."""
    if isinstance(own, types.FunctionType) and isinstance(value, types.FunctionType) and own is not value:
        return _method(own, value)
    if isinstance(own, property) and isinstance(value, property):
        return _Property(own, value)
    return value


def _method(own, value):
    @functools.wraps(value)
    def method(*args, **kwargs):
        return (own if _asks_msgrad() else value)(*args, **kwargs)

    vars(method).update(own=own, replacement=value)
    return method


class _Property(property):
    """A property that a library has replaced."""

    def __init__(self, own, value):
        super().__init__(value.fget, value.fset, value.fdel, value.__doc__)
        self.own = own

    def __get__(self, instance, owner=None):
        return self.own.__get__(instance, owner) if _asks_msgrad() else super().__get__(instance, owner)
