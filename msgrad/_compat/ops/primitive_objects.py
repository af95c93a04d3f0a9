"""An object of each Primitive without arguments: ``mindspore.ops.auto_generate.abs_op`` is an ``ops.Abs()``.

The name is the Primitive's in snake case, with ``_op`` at the end: ``sum_ext_op`` is a ``SumExt()``. An
object is made when its name is first read.
"""

import functools
import inspect

from ...ops._core.faces import PRIMITIVES
from ...ops.legacy import extended
from .view_functions import VIEWS

_OTHERS = {"count_nonzero_op"}  # MindSpore has another Primitive here, whose call takes an axis
_NAMED = {"bmm_ext_op": "batchmatmulext", "mm_ext_op": "mm"}  # irregular names

__all__ = []


def __getattr__(name):
    primitive = _made(name) if name.endswith("_op") else None
    if primitive is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return primitive


@functools.cache
def _made(name):
    kind = _kinds().get(_NAMED.get(name) or name.removesuffix("_op").replace("_", ""))
    if kind is None or name in _OTHERS:
        return None
    parameters = inspect.signature(kind).parameters.values()
    return None if any(each.default is each.empty for each in parameters) else kind()


@functools.cache
def _kinds():
    """The Primitives by lower-case name; the first of two whose names differ only in case."""
    kinds = {}
    for name, kind in {**extended.INNER, **PRIMITIVES, **VIEWS}.items():
        kinds.setdefault(name.lower(), kind)
    return kinds
