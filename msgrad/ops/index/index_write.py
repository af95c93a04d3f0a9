"""Writing slices at indices along one or several axes: ``index_*``, ``inplace_*``."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Arrays, Axis, Bool, Index, Int, Ints, Operand, Real
from ..._contracts.kinds import accepted
from ...engine.handle import Handle
from ...tensor.numbers import constant
from .._core.calls.operands import exact
from .._core.define import composite, op
from .._core.faces import method, primitive
from .._core.families import body, sources
from .gathering import check_within
from .scatter_core import no_wraparound, promoted, same_dtype, scatter_by

# -- at positions along an axis -------------------------------------------------------------------------------------


@op()
def _put_slices(x: Array, indices: Array, y: Array, axis, reduction, from_end=False):
    """Slices combined at ``indices``, of which negative ones count from the end or, by default, are dropped."""
    return scatter_by(x, (np.s_[:],) * axis + (indices if from_end else no_wraparound(indices),), y, reduction)


def _placed(x, indices, y, axis, reduction, name):
    """``x`` with the slices ``y`` written at ``indices`` along ``axis``, after checks."""
    same_dtype(x, y, "y", name)
    shape = x.aval[0]
    axis = check.axis(axis, len(shape), "axis", name)
    if len(indices.aval[0]) != 1:
        check.refuse(ValueError, name, "indices", "a vector", indices)
    expected = shape[:axis] + indices.aval[0] + shape[axis + 1 :]
    if y.aval[0] != expected:
        check.refuse(ValueError, name, "y", f"of shape {expected}", y)
    check_within(indices, 0, shape[axis], "indices", name)
    return _put_slices(x, indices, y, axis, reduction)


@composite("IndexAdd(axis, use_lock=True, check_index_bound=True)")
def index_add(x: Array, indices: Index, y: Array, axis: Axis, use_lock: Bool = True, check_index_bound: Bool = True):
    """Adds slices at positions along an axis, in place.

    Args:
        x (Parameter | Tensor): what to write to.
        indices (Tensor): shape ``(N,)``, int32 or int64, positions along the axis, non-negative.
        y (Tensor): the shape of ``x`` with ``N`` along the axis, a dtype that does not narrow.
        axis (int): the axis.
        use_lock, check_index_bound (bool): hints without effect. Default: ``True``.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if ``axis`` or shapes do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.index_add(Parameter(Tensor([1.0, 2.0])), Tensor([1]), Tensor([5.0]), 0).tolist()
        [1.0, 7.0]
    Source: mindspore.ops.index_add, mindspore.ops.IndexAdd, mindspore.Tensor.index_add
    """
    x = x._original_()
    result = _placed(x, indices, promoted(x, y, "y", "IndexAdd"), axis, "add", "IndexAdd")
    x._write_(result)
    return result


@composite("InplaceIndexAdd(axis)")
def inplace_index_add(var: Array, indices: Index, updates: Array, axis: Axis):
    """Adds slices at positions along an axis, in place.

    Args:
        var (Parameter | Tensor): what to write to.
        indices (Tensor): shape ``(N,)``, int32 or int64, positions along the axis, non-negative.
        updates (Tensor): the shape of ``var`` with ``N`` along the axis, a dtype that does not narrow.
        axis (int): the axis.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if ``axis`` or shapes do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.inplace_index_add(Parameter(Tensor([1.0, 2.0])), Tensor([1]), Tensor([5.0]), 0).tolist()
        [1.0, 7.0]
    Source: mindspore.ops.inplace_index_add, mindspore.ops.InplaceIndexAdd
    """
    return index_add(var, indices, updates, axis)


@composite(name="_index_add_scaled")
def _index_add_scaled(self: Array, dim: Axis, index: Index, source: Array, *, alpha: Real = 1):
    """`index_add` of slices times ``alpha``."""
    return index_add(self, index, source * alpha if alpha != 1 else source, dim)


method(
    "index_add",
    (index_add, "(indices, y, axis, use_lock=True, check_index_bound=True)"),
    (_index_add_scaled, "(dim, index, source, *, alpha=1)"),
)


@composite("IndexFill", method="index_fill")
def index_fill(x: Array, axis: Axis, index: Index, value: Operand):
    """A copy with a value put at positions along an axis.

    Args:
        x (Tensor): any shape of at least one axis.
        axis (int): the axis.
        index (Tensor): shape ``(N,)`` or ``()``, int32 or int64; negative ones count from the end.
        value (bool | int | float | Tensor): the value, cast to the dtype of ``x``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``axis`` is out of range, or ``index`` no vector.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.index_fill(Tensor([1.0, 2.0]), 0, Tensor([1]), 9).tolist()
        [1.0, 9.0]
    Source: mindspore.ops.index_fill, mindspore.ops.IndexFill, mindspore.Tensor.index_fill
    """
    if len(index.aval[0]) > 1:
        check.refuse(ValueError, "IndexFill", "index", "of at most one axis", index)
    axis = check.axis(axis, len(x.aval[0]), "axis", "IndexFill")
    length = x.aval[0][axis] if x.aval[0] else 1
    check_within(index, -length, length, "index", "IndexFill")
    return _put_slices(x, index, exact(value, "IndexFill").astype(x.dtype), axis, "update", from_end=True)


@composite(name="_index_copy")
def _index_copy(self: Array, dim: Axis, index: Index, tensor: Array):
    """A copy with slices put at positions along an axis."""
    return _placed(self, index, tensor, dim, "update", "index_copy_")


# -- at positions along the first axis, said by Python's ints -------------------------------------------------------


@op()
def _put_rows(x: Array, v: Array, indices: Ints, reduction, name):
    if v.dtype != x.dtype:
        check.refuse(TypeError, name, "v", f"of the dtype of 'x', {x.dtype}", v)
    if v.shape != (len(indices), *x.shape[1:]):
        check.refuse(ValueError, name, "v", f"of shape {(len(indices), *x.shape[1:])}", v)
    for each in indices:
        check.in_range(each, 0, x.shape[0] - 1, "indices", name)
    return scatter_by(x, np.array(indices, np.int32), v, reduction)


_ROWS = """A copy with rows {done} at positions; despite its name, ``x`` keeps its value.

    Args:
        x (Tensor): any shape of at least one axis.
        v (Tensor): shape ``(N, *x.shape[1:])``, the same dtype.
        indices (int | tuple[int]): ``N`` positions along the first axis.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not, or a position is out of range.
    Example:
        >>> ops.{name}(Tensor([1.0, 2.0]), Tensor([5.0]), 1).tolist()
        [1.0, {value}]
    Source: {sources}
    """


def _of_rows(name, text, reduction, done, value, method=()):
    """Defines a function and a Primitive that combine rows by ``reduction`` (`scatter_by`)."""
    owner = text.partition("(")[0]
    function_text = f"{name}(x: Array, v: Array, indices: Ints)"
    fields = {"done": done, "value": value, "sources": sources(name, text, method)}
    definition = body(function_text, lambda x, v, indices: _put_rows(x, v, indices, reduction, owner), _ROWS, **fields)
    return composite(text, method)(definition)


@op()
def _put_rows_at(x: Array, indices: Array, v: Array):
    indices = jnp.where(indices < 0, indices + x.shape[0], indices)
    return scatter_by(x, no_wraparound(indices), v, "update")


@composite("InplaceUpdate(indices: Tuple(takes_int=True))", "inplace_update")
def inplace_update(x: Array, v: Array, indices):
    """A copy with rows put at positions; despite its name, ``x`` keeps its value.

    Args:
        x (Tensor): any shape of at least one axis.
        v (Tensor): shape ``(N, *x.shape[1:])``, the same dtype.
        indices (int | tuple[int] | Tensor): ``N`` positions along the first axis, in ``[-A, A)`` for its length ``A``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        RuntimeError: if a position is known to be out of range, or a Tensor of them has not one axis.
    Example:
        >>> ops.inplace_update(Tensor([1.0, 2.0]), Tensor([5.0]), 1).tolist()
        [1.0, 5.0]
    Source: mindspore.ops.inplace_update, mindspore.ops.InplaceUpdate, mindspore.Tensor.inplace_update
    """
    if not isinstance(indices, Handle):
        indices = constant(np.array(check.ints(indices, "indices", "InplaceUpdate"), np.int64))
    accepted(Index, indices, "indices", "InplaceUpdate")
    if len(indices.aval[0]) != 1:
        check.refuse(RuntimeError, "InplaceUpdate", "indices", "of one axis", indices)
    if v.aval[1] != x.aval[1]:
        check.refuse(TypeError, "InplaceUpdate", "v", f"of the dtype of 'x', {x.dtype}", v)
    expected = (*indices.aval[0], *x.aval[0][1:])
    if v.aval[0] != expected:
        check.refuse(ValueError, "InplaceUpdate", "v", f"of shape {expected}", v)
    length = x.aval[0][0]
    check_within(indices, -length, length, "indices", "InplaceUpdate")
    return _put_rows_at(x, indices, v)


inplace_add = _of_rows("inplace_add", "InplaceAdd(indices: Tuple(takes_int=True))", "add", "added", 7.0)
inplace_sub = _of_rows("inplace_sub", "InplaceSub(indices: Tuple(takes_int=True))", "sub", "subtracted", -3.0)
primitive(inplace_update, "InplaceUpdateV2()(x, indices, v)")


# -- at positions along several axes --------------------------------------------------------------------------------


def _look_at_positions(x1, indices):
    for length, each in zip(x1.aval[0], indices, strict=False):
        check_within(each, -length, length, "indices", "IndexPut", ValueError, "of positions in [{}, {})")


@op("IndexPut(accumulate=0)", name="_index_put", look=_look_at_positions)
def _index_put(x1: Array, x2: Array, indices: Arrays, accumulate: OneOf(0, 1) = 0):
    """A copy with values put, or added, at positions given along the first axes.

    Args:
        x1 (Tensor): any shape of at least one axis.
        x2 (Tensor): the values, of the same dtype, of a shape that broadcasts to what the positions pick.
        indices (tuple[Tensor] | list[Tensor]): positions along the first, second, ... axis, int32 or int64, of shapes
            that broadcast.
        accumulate (int): 1 to add, 0 to put. Default: ``0``.
    Returns:
        Tensor of the shape and dtype of ``x1``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: for another ``accumulate``, if shapes do not broadcast, or if a
            position is known to be out of range.
    Example:
        >>> ops.IndexPut(1)(Tensor([1.0, 2.0]), Tensor([5.0]), [Tensor([1, 1])]).tolist()
        [1.0, 12.0]
    Source: mindspore.ops.IndexPut, mindspore.Tensor.index_put
    """
    if x1.dtype != x2.dtype:
        check.refuse(TypeError, "IndexPut", "x2", f"of the dtype of 'x1', {x1.dtype}", x2)
    for each in indices:
        check.dtype(each, "i", "indices", "IndexPut")
    return scatter_by(x1, tuple(indices), x2, "add" if accumulate else "update")


@composite(method="index_put", name="_index_put_of")
def _index_put_of(self: Array, indices: Arrays, values: Array, accumulate: Bool = False):
    """A copy with values put, or added, at positions given along the first axes.

    Args:
        indices (tuple[Tensor] | list[Tensor]): positions along the first, second, ... axis, int32 or int64, of shapes
            that broadcast.
        values (Tensor): of the same dtype, of a shape that broadcasts to what the positions pick.
        accumulate (bool): whether to add. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not broadcast, or a position is known to be out of
            range.
    Example:
        >>> Tensor([1.0, 2.0]).index_put([Tensor([1])], Tensor([5.0])).tolist()
        [1.0, 5.0]
    Source: mindspore.Tensor.index_put
    """
    return _index_put(self, values, indices, int(accumulate))


@op(name="_put")
def _put(self: Array, index: Array, source: Array, accumulate: Bool = False):
    """A copy with elements put, or added, at positions of the flattened order."""
    if source.dtype != self.dtype:
        check.refuse(TypeError, "put_", "source", f"of the dtype of the Tensor, {self.dtype}", source)
    if source.size != index.size:
        check.refuse(ValueError, "put_", "source", f"of {index.size} elements, as many as 'index'", source)
    index = check.dtype(index, "i", "index", "put_").reshape(-1)
    reduction = "add" if accumulate else "update"
    return scatter_by(self.reshape(-1), index, source.reshape(-1), reduction).reshape(self.shape)


@op(method="slice_scatter")
def slice_scatter(
    input: Array, src: Array, axis: Axis = 0, start: Int | None = None, end: Int | None = None, step: Int = 1
):
    """A copy with a slice of an axis replaced.

    Args:
        input (Tensor): any shape and dtype.
        src (Tensor): the shape of that slice; cast to the dtype of ``input``.
        axis (int): the axis. Default: ``0``.
        start, end (int | None): the slice's first position and the one behind its last, as Python has them. Default:
            ``None``, the ends.
        step (int): from one position to the next, positive. Default: ``1``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``axis``, ``step`` or the shape of ``src`` do not fit.
    Example:
        >>> ops.slice_scatter(Tensor([1, 2, 3]), Tensor([8, 9]), start=1).tolist()
        [1, 8, 9]
    Source: mindspore.ops.slice_scatter, mindspore.Tensor.slice_scatter
    """
    axis = check.axis(axis, input.ndim, "axis", "slice_scatter")
    check.positive_int(step, "step", "slice_scatter")
    index = (np.s_[:],) * axis + (np.s_[start:end:step],)
    if src.shape != input[index].shape:
        check.refuse(ValueError, "slice_scatter", "src", f"of shape {input[index].shape}", src)
    return input.at[index].set(src.astype(input.dtype))


@composite("MaskedScatter", name="_masked_scatter")
def _masked_scatter(x: Array, mask: Array, updates: Array):
    """A copy with the elements where the mask is True replaced, in order, by those of another Tensor.

    Args:
        x (Tensor): any shape and dtype.
        mask (Tensor): bool, of a shape that broadcasts to that of ``x``.
        updates (Tensor): at least as many elements as the mask has True ones, of the dtype of ``x``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
    Example:
        >>> Tensor([1.0, 2.0]).masked_scatter(Tensor([False, True]), Tensor([7.0])).tolist()
        [1.0, 7.0]
    Source: mindspore.ops.MaskedScatter, mindspore.Tensor.masked_scatter
    """
    same_dtype(x, updates, "updates", "MaskedScatter")
    return _in_order(x, mask, updates)


method("masked_scatter", (_masked_scatter, "(mask, source)", {"source": "updates"}))


@op()
def _in_order(x: Array, mask: Array, updates: Array):
    check.dtype(mask, "b", "mask", "MaskedScatter")
    mask = jnp.broadcast_to(mask, x.shape)
    order = jnp.cumsum(mask.reshape(-1)).reshape(x.shape) - 1
    return jnp.where(mask, jnp.take(updates.reshape(-1), order, mode="clip"), x)
