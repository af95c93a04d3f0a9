"""Descriptions of nodes, transforms and samplers: their arguments, and their JSON."""

import enum
import inspect
from typing import Any

from ...engine.dtypes import DType

_PLAIN = (str, int, float, bool, type(None))


class _Remembering:
    _given: Any

    def __new__(cls, *args, **kwargs):
        node = super().__new__(cls)
        node._given = args, kwargs
        return node


class Described(_Remembering):
    """The base of objects that store the arguments of their constructors."""

    _given: Any

    _is_changed = False  # changed later, so the arguments no longer describe it

    def __init__(self):  # before ``__new__`` for `inspect.signature`, which shows what it finds first
        pass

    def _arguments(self):
        """The arguments passed, by name; those of ``**`` under its name."""
        args, kwargs = self._given
        return inspect.signature(type(self)).bind(*args, **kwargs).arguments


def to_json(value, children=()):
    """Converts ``value`` for JSON.

    Args:
        value (object): an argument.
        children (list): nodes, which are replaced by their index.
    Returns:
        a JSON value; ``{"python": ...}`` for what JSON cannot represent, such as functions and arrays.
    """
    if isinstance(value, enum.Enum):
        return {"enum": value.name, "python_class": type(value).__name__}
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, DType):
        return {"dtype": str(value).lower()}
    if isinstance(value, list):
        return [to_json(item, children) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [to_json(item, children) for item in value]}
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {"dict": {name: to_json(item, children) for name, item in value.items()}}
    for number, child in enumerate(children):
        if value is child:
            return {"child": number}
    if isinstance(value, Described) and not value._is_changed:
        arguments = {name: to_json(item) for name, item in value._arguments().items()}
        kind = type(value)
        return {"python_class": kind.__qualname__, "python_module": kind.__module__, "arguments": arguments}
    return {"python": getattr(value, "__qualname__", type(value).__qualname__)}


def tree(node):
    """A node of a pipeline as a dict for JSON: ``op_type``, ``children``, and its other arguments by name."""
    name = type(node).__name__
    facts: dict[str, Any] = {"op_type": name.removesuffix("Dataset") if node.children else name}
    facts["num_parallel_workers"] = node.num_parallel_workers
    facts["children"] = [tree(child) for child in node.children]
    return facts | {name: to_json(value, node.children) for name, value in node._arguments().items()}
