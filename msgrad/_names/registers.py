"""Registries and decorators of MindSpore's inside; each says which of its modules has it."""

import collections
import functools

from .. import log
from ..ops.primitive import Primitive
from ..tensor.tensor import Tensor

_warned = set()


class Registry(collections.UserDict):
    """Functions by Primitive, class of Primitives or name. msgrad itself asks none of them.  (``_register_for_op``)"""

    def register(self, prim):
        """A decorator that keeps a function for ``prim``."""

        def keep(function):
            self[prim] = function
            return function

        return keep

    def get(self, prim_obj, default):
        """The function of a Primitive, its class or its name, or ``default``."""
        if isinstance(prim_obj, Primitive):
            return self.data.get(type(prim_obj), self.data.get(prim_obj.name, default))
        return self.data.get(prim_obj, default)


class _TensorRegistry:
    """The methods of Tensor by name.  (``_register_for_tensor``)"""

    def get(self, obj_str):
        """The function of a name.

        Raises:
            TypeError: if it is no str.  AttributeError: if there is none.
        """
        if not isinstance(obj_str, str):
            raise TypeError(f"For 'tensor_operator_registry', the name must be a str, but got {obj_str!r}.")
        return getattr(Tensor, obj_str)


tensor_operator_registry = _TensorRegistry()


def _get_cache_prim(cls):
    """A function that makes a Primitive, or gives the one made of the same arguments before.  (``_primitive_cache``)"""

    def cached(*args, **kwargs):
        key = (cls, *map(repr, args), *[f"{name}={value!r}" for name, value in kwargs.items()])
        if key not in _primitives:
            _primitives[key] = cls(*args, **kwargs)
        return _primitives[key]

    return cached


_primitives = {}


def deprecated(version, substitute, use_substitute_name=False, module_prefix=""):
    """A decorator of functions that warn when they are called first.  (``_decorator``)

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


class StubTensor:
    """The class of MindSpore's Tensors whose operation has not run yet. Nothing is one here.  (``_stub_tensor``)"""


def _convert_stub(stub):
    """The value as it is: no operation gives a stub."""
    return stub


def _convert_python_data(data):
    """The value as it is: no operation gives a stub.  (``common.api``)"""
    return data
