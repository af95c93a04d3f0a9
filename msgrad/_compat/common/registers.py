"""MindSpore's internal registries, with the modules that have them."""

import collections

from ..._contracts.check import refuse
from ...ops._core.calls.registry import Registry  # noqa: F401  (``_register_for_op``)
from ...tensor.tensor import Tensor


class _TensorRegistry:
    """The methods of Tensor by name.  (``_register_for_tensor``)"""

    def get(self, obj_str):
        """The function of a name.

        Raises:
            TypeError: if it is not a str.  AttributeError: if there is none.
        """
        if not isinstance(obj_str, str):
            refuse(TypeError, "tensor_operator_registry", "obj_str", "a str", obj_str)
        return getattr(Tensor, obj_str)


tensor_operator_registry = _TensorRegistry()


def _get_cache_prim(cls):
    """A cached constructor of a Primitive: equal arguments give the same object.  (``_primitive_cache``)"""

    def cached(*args, **kwargs):
        key = (cls, *map(repr, args), *[f"{name}={value!r}" for name, value in kwargs.items()])
        if key not in _primitives:
            _primitives[key] = cls(*args, **kwargs)
        return _primitives[key]

    return cached


_primitives = {}


class PyFuncRegistry(collections.UserDict):
    """A registry of Python functions by any key.  (``_register_for_op``)"""

    def register(self, key, value):
        """Keeps a function."""
        self[key] = value

    def get(self, key):
        """The function of a key.

        Raises:
            ValueError: if there is none.
        """
        if key not in self:
            refuse(ValueError, "PyFuncRegistry", "key", f"one of {list(self)}", key)
        return self[key]


_TensorMeta = type(Tensor)  # (``common.tensor``)


class StubTensor:
    """The class of MindSpore's lazily computed Tensors. It has no instances here.  (``_stub_tensor``)

    It has the methods of Tensor, since libraries (troubleshooter) replace them in both classes.
    """


for _name in set(dir(Tensor)) - set(dir(StubTensor)):
    if callable(getattr(Tensor, _name)):
        setattr(StubTensor, _name, getattr(Tensor, _name))


def _convert_stub(stub):
    """Returns the value unchanged: no operation returns a stub."""
    return stub


def _convert_python_data(data):
    """The value as it is: no operation gives a stub.  (``common.api``)"""
    return data
