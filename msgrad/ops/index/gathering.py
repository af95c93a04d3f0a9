"""Gather: reading at indices given by Tensors.

MindSpore's CPU kernels raise for indices out of range. So do these operations if the indices are concrete; in
recordings they cannot be checked, and give NaN (for ints the smallest value).
"""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Index, Int, Text
from ..._contracts.kinds import TensorOf, concrete
from ...engine.handle import Handle
from ...tensor.host_values import host_values
from .._core.define import composite, op
from .._core.faces import face, method, primitive

LENGTHS = "made of lengths in [{}, {})"


def check_within(
    index, low, high, arg_name, op_name, error: type[Exception] = RuntimeError, expected="made of positions in [{}, {})"
):
    """Raises if concrete indices are not in ``[low, high)``; ``expected`` is the text, formatted with the bounds.

    Raises:
        ``error``: if there is one.
    """
    values = host_values(index) if isinstance(index, Handle) else None
    if values is None or not values.size:
        return
    # The ufuncs themselves: ``known.min()`` calls them through Python, and every step of a training has such a check.
    least, largest = np.minimum.reduce(values, None), np.maximum.reduce(values, None)
    if least < low or largest >= high:
        check.refuse(error, op_name, arg_name, expected.format(low, high), int(largest if largest >= high else least))


def _take(array, index, axis):
    return jnp.take(array, index, axis=axis, mode="fill")


@op()
def _gather(input_params: Array, input_indices: Array, axis, batch_dims=0):
    take = _take
    for _ in range(batch_dims):
        take = jax.vmap(take, (0, 0, None))
    return take(input_params, input_indices, axis - batch_dims)


@composite("Gather(batch_dims=0)")
def gather(input_params: Array, input_indices: TensorOf("int16", "int32", "int64"), axis, batch_dims: Int = 0):
    """Gathers slices along an axis.

    Args:
        input_params (Tensor): shape ``(*B, ..., A, ...)``, any dtype.
        input_indices (Tensor): shape ``(*B, *I)``, int16, int32 or int64, values in ``[-A, A)``.
        axis (int): the axis of length ``A``; negative counts from the end.
        batch_dims (int): the number of leading axes ``*B`` that the inputs share. Default: ``0``.
    Returns:
        Tensor of shape ``input_params.shape[:axis] + I + input_params.shape[axis + 1:]``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``axis`` or ``batch_dims`` is out of range.
        RuntimeError: if a position is known to be out of range, or the shared axes differ in length.
    Example:
        >>> ops.gather(Tensor([1.0, 2.0, 3.0]), Tensor([2, 0]), axis=0).tolist()
        [3.0, 1.0]
    Source: mindspore.ops.gather, mindspore.ops.Gather, mindspore.Tensor.gather
    """
    shape, indices = input_params.aval[0], input_indices.aval[0]
    if not shape:
        check.refuse(ValueError, "Gather", "input_params", "of one axis at least", shape)
    axis = check.axis(concrete(axis), len(shape), "axis", "Gather")
    if batch_dims < 0:
        batch_dims += len(indices)
    check.in_range(batch_dims, 0, min(axis, len(indices)), "batch_dims", "Gather")
    if indices[:batch_dims] != shape[:batch_dims]:
        expected = f"of the first lengths {shape[:batch_dims]} of 'input_params'"
        check.refuse(RuntimeError, "Gather", "input_indices", expected, input_indices)
    check_within(input_indices, -shape[axis], shape[axis], "input_indices", "Gather")
    return _gather(input_params, input_indices, axis, batch_dims)


primitive(gather, "GatherV2()(input_params, input_indices, axis)")


@op()
def _gather_along(x: Array, dim, index: Array):
    # Only the axis ``dim`` of ``x`` may be shorter than that of ``index``; the others are cut to the same length.
    x = x[tuple([np.s_[:] if k == dim else np.s_[:length] for k, length in enumerate(index.shape)])]
    return jnp.take_along_axis(x, index, dim, mode="fill")


@composite("GatherD")
def gather_d(x: Array, dim: Axis, index: Index):
    """Gathers one element for each position: ``out[i, j] = x[i, index[i, j]]`` for ``dim`` 1.

    Args:
        x (Tensor): any shape and dtype.
        dim (int): the axis that ``index`` counts along.
        index (Tensor): as many axes, no longer than those of ``x`` except for ``dim``; int32 or int64, values in
            ``[-x.shape[dim], x.shape[dim])``.
    Returns:
        Tensor of the shape of ``index``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``dim`` or the shape of ``index`` does not fit.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.gather_d(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0, 0], [1, 0]])).tolist()
        [[1, 1], [4, 3]]
    Source: mindspore.ops.gather_d, mindspore.ops.GatherD
    """
    shape, indices = x.aval[0], index.aval[0]
    dim = check.axis(dim, len(shape), "dim", "GatherD")
    fits = len(shape) == len(indices) and all(
        k == dim or a >= b for k, (a, b) in enumerate(zip(shape, indices, strict=True))
    )
    if not fits:
        check.refuse(ValueError, "GatherD", "index", f"no longer than {shape} along any axis except {dim}", index)
    if not shape:
        return x
    check_within(index, -shape[dim], shape[dim], "index", "GatherD")
    return _gather_along(x, dim, index)


face(gather_d, "gather_elements(input, dim, index)")
method("gather_elements", (gather_d, "(dim, index)"))


@op()
def _gather_nd(input_x: Array, indices: Array):
    return input_x.at[tuple(jnp.moveaxis(indices, -1, 0))].get(mode="fill")


@composite("GatherNd", method="gather_nd")
def gather_nd(input_x: Array, indices: Index):
    """Gathers slices at index tuples into the leading axes.

    Args:
        input_x (Tensor): any shape of at least one axis, any dtype.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, non-negative.
    Returns:
        Tensor of shape ``I + input_x.shape[K:]``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``K`` exceeds the number of axes.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.gather_nd(Tensor([[1, 2], [3, 4]]), Tensor([[0, 1], [1, 0]])).tolist()
        [2, 3]
    Source: mindspore.ops.gather_nd, mindspore.ops.GatherNd, mindspore.Tensor.gather_nd
    """
    shape, lengths = input_x.aval[0], indices.aval[0]
    if not lengths or lengths[-1] > len(shape):
        check.refuse(ValueError, "GatherNd", "indices", f"of a last axis of at most {len(shape)}", indices)
    values = host_values(indices)
    if values is not None and ((values < 0) | (values >= np.array(shape[: lengths[-1]], np.int64))).any():
        check.refuse(RuntimeError, "GatherNd", "indices", f"positions in a Tensor of shape {shape}", indices)
    return _gather_nd(input_x, indices)


@composite()
def index_select(input: Array, axis: Axis, index: Index):
    """Gathers slices along an axis.

    Args:
        input (Tensor): any shape and dtype.
        axis (int): the axis; negative counts from the end.
        index (Tensor): shape ``(N,)``, int32 or int64, values in ``[-A, A)`` for an axis of length ``A``.
    Returns:
        Tensor whose axis has length ``N``.
    Raises:
        TypeError: if ``index`` is not a Tensor, or of another dtype.
        ValueError: if ``axis`` is out of range, or ``index`` is not a vector.
    Example:
        >>> ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])).tolist()
        [[2], [4]]
    Source: mindspore.ops.index_select, mindspore.Tensor.index_select
    """
    if len(index.aval[0]) != 1:
        check.refuse(ValueError, "index_select", "index", "a vector", index)
    return gather(input, index, axis)


method("gather", (gather_d, "(dim, index)"), (gather, "(input_indices, axis, batch_dims=0)"))
method("index_select", (index_select, "(axis, index)"), (index_select, "(dim, index)"))


@composite()
def take(input: Array, index: Index):
    """Gathers elements of the flattened Tensor.

    Args:
        input (Tensor): any shape and dtype.
        index (Tensor): any shape, int32 or int64, values in ``[-n, n)`` for ``n`` elements.
    Returns:
        Tensor of the shape of ``index``.
    Raises:
        TypeError: for another dtype of positions.  RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.take(Tensor([[1, 2], [3, 4]]), Tensor([3, 0])).tolist()
        [4, 1]
    Source: mindspore.ops.take
    """
    return gather(input.reshape(-1), index, 0)


@op(name="_take_moded")
def _take_moded(
    self: Array, indices: TensorOf("int8", "int16", "int32", "int64"), axis: Axis | None = None, mode: Text = "clip"
):
    """Gathers elements along an axis; indices out of range are clipped or wrapped.

    Args:
        indices (Tensor): any shape, an int dtype.
        axis (int | None): along which axis; None: the flattened order. Default: None.
        mode (str): ``'clip'``, to the nearest end, negative ones counting from the last; or ``'wrap'``.
            Default: 'clip'.
    Returns:
        Tensor whose axis has the shape of ``indices``.
    Raises:
        ValueError: for another ``mode``, or if ``axis`` is out of range.  NotImplementedError: for ``'raise'``.
    Example:
        >>> Tensor([10, 20, 30]).take(Tensor([2, 0])).tolist()
        [30, 10]
    Source: mindspore.Tensor.take
    """
    if mode == "raise":
        check.refuse(NotImplementedError, "Tensor.take", "mode", "'clip' or 'wrap'", mode)
    check.one_of(mode, ("clip", "wrap"), "mode", "Tensor.take")
    length = self.size
    if axis is not None:
        axis, length = check.axis_and_length(axis, self.shape, "axis", "Tensor.take")
    if mode == "clip":  # negative indices count from the end first, unlike elsewhere
        indices = jnp.where(indices < 0, indices + length, indices)
    return jnp.take(self, indices, axis=axis, mode=mode)


method("take", (_take_moded, "(indices, axis=None, mode='clip')"), (take, "(index)"))
