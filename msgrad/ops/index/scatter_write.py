"""Combining slices of a Parameter with updates, in place, at positions given by Tensors: ``scatter_*``."""

from ..._contracts import check
from ..._contracts.contracts import Array
from ...engine.refusal import InWords
from ...tensor.host_values import host_values
from .._core import families
from .._core.define import composite, op
from .._core.faces import face
from .gathering import check_within
from .scatter_core import check_tuples, no_wraparound, promoted, scatter_by
from .scattering import _put_at

# -- at tuples of positions -----------------------------------------------------------------------------------------

_SCATTER_ND = """Combines slices at tuples of positions with updates, in place: they are {phrase} the updates.

    Args:
        input_x (Parameter | Tensor): what to write to.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, non-negative.
        updates (Tensor): shape ``I + input_x.shape[K:]``, a dtype that does not narrow.
        use_locking (bool): a hint without effect. Default: ``{locking}``.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.{name}(Parameter(Tensor([8.0, 4.0])), Tensor([[0]]), Tensor([2.0])).tolist()
        [{value}, 4.0]
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """


def _scatter_nd(name, primitive, reduction, phrase, value, locking=False):
    """Defines a way of combining slices at tuples of positions: function and Primitive."""

    def write(input_x, indices, updates, use_locking):
        input_x = input_x._original_()
        updates = promoted(input_x, updates, "updates", primitive)
        check_tuples(input_x.aval[0], indices, updates, primitive)
        result = _put_at(input_x, indices, updates, reduction)
        input_x._write_(result)
        return result

    text = f"{name}(input_x: Array, indices: Index, updates: Array, use_locking: Bool = {locking})"
    fields = {"phrase": phrase, "value": value, "primitive": primitive, "locking": locking}
    composite(f"{primitive}(use_locking={locking})")(families.body(text, write, _SCATTER_ND, **fields))


_scatter_nd("scatter_nd_update", "ScatterNdUpdate", "update", "replaced by", 2.0, True)
_scatter_nd("scatter_nd_add", "ScatterNdAdd", "add", "increased by", 10.0)
_scatter_nd("scatter_nd_sub", "ScatterNdSub", "sub", "decreased by", 6.0)
_scatter_nd("scatter_nd_mul", "ScatterNdMul", "mul", "multiplied by", 16.0)
_scatter_nd("scatter_nd_div", "ScatterNdDiv", "div", "divided by", 4.0)
_scatter_nd("scatter_nd_max", "ScatterNdMax", "max", "raised to", 8.0)
_scatter_nd("scatter_nd_min", "ScatterNdMin", "min", "lowered to", 2.0)

# -- along the first axis -------------------------------------------------------------------------------------------

_SCATTER = """Combines slices along the first axis with updates, in place: they are {phrase} the updates.

    Args:
        input_x (Parameter | Tensor): what to write to.
        indices (Tensor): any shape, int32 or int64: positions along the first axis, non-negative.
        updates (Tensor): shape ``indices.shape + input_x.shape[1:]``, a dtype that does not narrow.
        use_locking (bool): a hint without effect. Default: ``{locking}``.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not, or an update to divide by is known to be 0.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.{primitive}()(Parameter(Tensor([8.0, 4.0])), Tensor([0]), Tensor([2.0])).tolist()
        [{value}, 4.0]
    Source: mindspore.ops.{primitive}
    """


@op()
def _put_first(input_x: Array, indices: Array, updates: Array, reduction):
    return scatter_by(input_x, no_wraparound(indices), updates, reduction)


def _check_divisors(updates, owner):
    values = host_values(updates)
    if values is not None and not values.all():
        check.refuse(ValueError, owner, "updates", "without a 0, by which is divided", InWords("one that has a 0"))


def _scatter(name, primitive, reduction, phrase, value, locking=False):
    """Defines a way of combining slices along the first axis: a Primitive, and the private function ``name``."""

    def write(input_x, indices, updates, use_locking):
        input_x = input_x._original_()
        updates = promoted(input_x, updates, "updates", primitive)
        shape = input_x.aval[0]
        expected = indices.aval[0] + shape[1:]
        if updates.aval[0] != expected:
            check.refuse(ValueError, primitive, "updates", f"of shape {expected}", updates)
        if reduction == "div":
            _check_divisors(updates, primitive)
        check_within(indices, 0, shape[0], "indices", primitive)
        result = _put_first(input_x, indices, updates, reduction)
        input_x._write_(result)
        return result

    text = f"{name}(input_x: Array, indices: Index, updates: Array, use_locking: Bool = {locking})"
    fields = {"phrase": phrase, "value": value, "primitive": primitive, "locking": locking}
    return composite(f"{primitive}(use_locking={locking})")(families.body(text, write, _SCATTER, **fields))


# MindSpore has a function for each of them but ScatterSub; the functions do not take ``use_locking``.
_update = _scatter("_scatter_update", "ScatterUpdate", "update", "replaced by", 2.0, True)
_add = _scatter("_scatter_add", "ScatterAdd", "add", "increased by", 10.0)
_scatter("_scatter_sub", "ScatterSub", "sub", "decreased by", 6.0)
_mul = _scatter("_scatter_mul", "ScatterMul", "mul", "multiplied by", 16.0)
_div = _scatter("_scatter_div", "ScatterDiv", "div", "divided by", 4.0)
_max = _scatter("_scatter_max", "ScatterMax", "max", "raised to", 8.0)
_min = _scatter("_scatter_min", "ScatterMin", "min", "lowered to", 2.0)
face(_update, "scatter_update(input_x, indices, updates)")
face(_add, "scatter_add(input_x, indices, updates)")
face(_mul, "scatter_mul(input_x, indices, updates)")
face(_div, "scatter_div(input_x, indices, updates)")
face(_max, "scatter_max(input_x, indices, updates)")
face(_min, "scatter_min(input_x, indices, updates)")
