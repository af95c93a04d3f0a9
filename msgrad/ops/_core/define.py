"""One definition for each operation: `op` derives every face of it from a body over ``jax.Array``s.

The annotations of a body's parameters are contracts (`contracts`). An argument that is not an operand selects the
computation and is frozen to be hashable. A body called with ``jax.Array``s, from another body, runs directly.
"""

import sys
from typing import Any

from ..._contracts.enforcement import enforced
from .calls.function import function_of, looking
from .definition import Definition
from .faces import OPS, attach, primitive


def op(primitives=(), method=(), name=None, view=False, dialect=OPS, look=None, wide=False) -> Any:
    """Defines an operation from its body.

    Args:
        primitives (str | tuple[str]): Primitive classes, each as `faces.primitive` takes it.
        method (str | tuple[str]): names of the Tensor method of the same signature.
        name (str): the function's name. Default: the body's.
        view (bool): whether results share storage with the first operand; the body may only rearrange its elements.
        dialect (Dialect): the module that the function belongs to. Default: ``mindspore.ops``.
        look (function): checks the values of concrete Tensors, and raises where MindSpore's kernels do; its
            parameters are a subset of the body's. Default: ``None``.
        wide (bool): whether half types are computed in float32, by `in_float32`: for sums and statistics.
    """
    primitives = (primitives,) if isinstance(primitives, str) else primitives

    def define(body):
        word = name or body.__name__
        record = Definition(_shown(body, primitives, method), word, body, view, wide)
        face = function_of(record, word)
        record.home = importing(), dialect.functions, _key(face)
        return _faces(face if look is None else looking(face, look), primitives, method, dialect)

    return define


def importing():
    """The name of the module being imported, whose top-level code contains the current definition."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return "" if frame is None else frame.f_globals.get("__name__", "")


def composite(primitives=(), method=(), name=None, dialect=OPS) -> Any:
    """Defines an operation as an ordinary function over Tensors that calls other operations.

    For operations that a body cannot express: shapes that depend on values, in-place writes, Python containers.
    Arguments as for `op`.
    """
    primitives = (primitives,) if isinstance(primitives, str) else primitives

    def define(target):
        wrapper = enforced(target, _shown(target, primitives, method))
        wrapper.__name__ = name or target.__name__
        return _faces(wrapper, primitives, method, dialect)

    return define


def _shown(target, primitives, method):
    """The name in errors: the Primitive's, or the function's, or the method's for a private function."""
    if primitives:
        return primitives[0].partition("(")[0]
    if target.__name__.startswith("_") and method:
        return method if isinstance(method, str) else method[0]
    return target.__name__


def _faces(target, primitives, method, dialect):
    dialect.add(_key(target), target)
    for text in primitives:
        primitive(target, text)
    attach(target, method)
    return target


def _key(target):
    """The name of a function in the table; a private one is prefixed by its file: ``"_division._div"``."""
    name = target.__name__
    return f"_{target.__module__.rpartition('.')[2]}.{name}" if name.startswith("_") else name
