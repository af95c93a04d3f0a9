"""Reading at positions given by Tensors.

MindSpore's CPU kernels raise for positions out of range. So do these operations where the positions are known; recorded
ones have no value to check, and read NaN there (ints: the least value).
"""

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..engine.handle import Handle
from ..tensor.at_hand import values_at_hand
from . import check
from .contracts import Array, concrete
from .define import composite, op
from .overload import overload

INDEX_DTYPES = (np.int32, np.int64)


def check_index(index, arg_name, op_name, accepted=INDEX_DTYPES):
    """``index`` (a Tensor or array), if its dtype is one of ``accepted``.

    Raises:
        TypeError: if it is not.
    """
    dtype = index.aval[1] if isinstance(index, Handle) else index.dtype
    if dtype not in accepted:
        names = ", ".join(str(dtypes.of(np.dtype(each))) for each in accepted)
        raise TypeError(
            f"For primitive[{op_name}], the input argument[{arg_name}] must be a type of {{{names}}}, "
            f"but got {dtypes.of(dtype)}."
        )
    return index


def out_of_range(index, low, high):
    """A position in ``index`` that is known not to lie in ``[low, high)``, or None."""
    known = values_at_hand(index) if isinstance(index, Handle) else None
    if known is None or not known.size or (known.min() >= low and known.max() < high):
        return None
    return known.max() if known.max() >= high else known.min()


def _take(array, index, axis):
    return jnp.take(array, index, axis=axis, mode="fill")


@op()
def _gather(input_params: Array, input_indices: Array, axis, batch_dims=0):
    take = _take
    for _ in range(batch_dims):
        take = jax.vmap(take, (0, 0, None))
    return take(input_params, input_indices, axis - batch_dims)


@composite("Gather(batch_dims=0)")
def gather(input_params, input_indices, axis, batch_dims=0):
    """Picks slices along an axis.

    Args:
        input_params (Tensor): shape ``(*B, ..., A, ...)``, any dtype.
        input_indices (Tensor): shape ``(*B, *I)``, int16, int32 or int64, values in ``[-A, A)``.
        axis (int): the axis of length ``A``; negative counts from the end.
        batch_dims (int): the number of leading axes ``*B`` that the inputs share. Default: ``0``.
    Returns:
        Tensor of shape ``input_params.shape[:axis] + I + input_params.shape[axis + 1:]``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``axis`` or ``batch_dims`` is out of range.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.gather(Tensor([1.0, 2.0, 3.0]), Tensor([2, 0]), axis=0).tolist()
        [3.0, 1.0]
    Source: mindspore.ops.gather, mindspore.ops.Gather, mindspore.Tensor.gather
    """
    for value, name in ((input_params, "input_params"), (input_indices, "input_indices")):
        if not isinstance(value, Handle):
            raise TypeError(f"For 'Gather', the '{name}' must be a Tensor, but got {type(value).__name__}.")
    shape, indices = input_params.aval[0], input_indices.aval[0]
    check_index(input_indices, "input_indices", "Gather", (np.int16, *INDEX_DTYPES))
    axis = check.axis(concrete(axis), len(shape), "axis", "Gather")
    if batch_dims < 0:
        batch_dims += len(indices)
    check.in_range(batch_dims, 0, min(axis, len(indices)), "batch_dims", "Gather")
    worst = out_of_range(input_indices, -shape[axis], shape[axis])
    if worst is not None:
        raise RuntimeError(
            f"For 'Gather', the 'input_indices' should be in [{-shape[axis]}, {shape[axis]}), but got {worst}."
        )
    return _gather(input_params, input_indices, axis, batch_dims)


@op()
def _gather_along(x: Array, dim, index: Array):
    # Only the axis ``dim`` of ``x`` may be shorter than that of ``index``; the others are cut to the same length.
    x = x[tuple([np.s_[:] if k == dim else np.s_[:length] for k, length in enumerate(index.shape)])]
    return jnp.take_along_axis(x, index, dim, mode="fill")


def _checked_gather_along(x, dim, index):
    for value, name in ((x, "x"), (index, "index")):
        if not isinstance(value, Handle):
            raise TypeError(f"For 'GatherD', the '{name}' must be a Tensor, but got {type(value).__name__}.")
    shape, indices = x.aval[0], index.aval[0]
    check_index(index, "index", "GatherD")
    dim = check.axis(dim, len(shape), "dim", "GatherD")
    if len(shape) != len(indices):
        raise ValueError(f"For primitive[GatherD], the x_rank must be equal to {len(indices)}, but got {len(shape)}.")
    for k, length in enumerate(indices):
        if k != dim and length > shape[k]:
            raise ValueError(
                f"For primitive[GatherD], the x shape must be greater than or equal to {length}, but got {shape[k]} in "
                f"axis {k}."
            )
    if not shape:
        return x
    worst = out_of_range(index, -shape[dim], shape[dim])
    if worst is not None:
        raise RuntimeError(
            f"For 'GatherD', the value of 'index' must be in [{-shape[dim]}, {shape[dim]}), but got: {worst}"
        )
    return _gather_along(x, dim, index)


@composite(method="gather_elements")
def gather_elements(input, dim, index):
    """Picks one element for each position: ``out[i, j] = input[i, index[i, j]]`` for ``dim`` 1.

    Args:
        input (Tensor): any shape and dtype.
        dim (int): the axis that ``index`` counts along.
        index (Tensor): as many axes, no longer than those of ``input`` but for ``dim``; int32 or int64, values in
            ``[-input.shape[dim], input.shape[dim])``.
    Returns:
        Tensor of the shape of ``index``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``dim`` or the shape of ``index`` does not fit.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.gather_elements(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0, 0], [1, 0]])).tolist()
        [[1, 1], [4, 3]]
    Source: mindspore.ops.gather_elements, mindspore.Tensor.gather_elements
    """
    return _checked_gather_along(input, dim, index)


@composite("GatherD")
def gather_d(x, dim, index):
    """Picks one element for each position.

    Args, Returns, Raises: as for `gather_elements`.
    Example:
        >>> ops.gather_d(Tensor([[1, 2], [3, 4]]), 0, Tensor([[0, 1]])).tolist()
        [[1, 4]]
    Source: mindspore.ops.gather_d, mindspore.ops.GatherD
    """
    return _checked_gather_along(x, dim, index)


@op()
def _gather_nd(input_x: Array, indices: Array):
    return input_x.at[tuple(jnp.moveaxis(indices, -1, 0))].get(mode="fill")


@composite("GatherNd", method="gather_nd")
def gather_nd(input_x, indices):
    """Picks slices at tuples of positions of the leading axes.

    Args:
        input_x (Tensor): any shape of at least one axis, any dtype.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, not negative.
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
    for value, name in ((input_x, "input_x"), (indices, "indices")):
        if not isinstance(value, Handle):
            raise TypeError(f"For 'GatherNd', the '{name}' must be a Tensor, but got {type(value).__name__}.")
    check_index(indices, "indices", "GatherNd")
    shape, places = input_x.aval[0], indices.aval[0]
    if not places or places[-1] > len(shape):
        raise ValueError(
            f"For primitive[GatherNd], the last axis of 'indices' must not be longer than the rank {len(shape)} of "
            f"'input_x', but got shape {places}."
        )
    known = values_at_hand(indices)
    if known is not None and ((known < 0) | (known >= np.array(shape[: places[-1]], np.int64))).any():
        raise RuntimeError(f"For 'GatherNd', the 'indices' do not all index into input_shape: {shape}.")
    return _gather_nd(input_x, indices)


@composite()
def index_select(input, axis, index):
    """Picks slices along an axis.

    Args:
        input (Tensor): any shape and dtype.
        axis (int): the axis; negative counts from the end.
        index (Tensor): shape ``(N,)``, int32 or int64, values in ``[-A, A)`` for an axis of length ``A``.
    Returns:
        Tensor whose axis has length ``N``.
    Raises:
        TypeError: if ``index`` is no Tensor, or of another dtype.
        ValueError: if ``axis`` is out of range, or ``index`` is not a vector.
    Example:
        >>> ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])).tolist()
        [[2], [4]]
    Source: mindspore.ops.index_select, mindspore.Tensor.index_select
    """
    if isinstance(index, Handle) and len(index.aval[0]) != 1:
        raise ValueError(f"For 'index_select', the dimension of `index` must be 1, but got {len(index.aval[0])}")
    return gather(input, index, axis)


@op()
def _take_moded(input: Array, indices: Array, axis, mode):
    return jnp.take(input, indices, axis=axis, mode=mode)


@composite()
def take(input, index):
    """Picks elements of the flattened order.

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


def _take_method(self, indices: Handle, axis=None, mode="clip"):
    if mode not in ("clip", "wrap"):
        if mode == "raise":
            raise NotImplementedError('"raise" mode is not implemented; use "clip" or "wrap".')
        raise ValueError(f"For 'Tensor.take', the argument 'mode' should be 'clip' or 'wrap', but got {mode!r}.")
    indices = check_index(indices, "indices", "take", (np.int8, np.int16, *INDEX_DTYPES))
    axis = axis if axis is None else check.axis(axis, len(self.aval[0]), "axis", "take")
    return _take_moded(self, indices, axis, mode)


def _take_index_method(self, index: Handle):
    return take(self, index)


overload(
    "take",
    """Picks elements along an axis; positions out of range are moved into it.

    Args:
        indices (Tensor): any shape, an int dtype.
        axis (int | None): along which axis; None: the flattened order. Default: None.
        mode (str): ``'clip'``, to the nearest end (so negative ones pick the first), or ``'wrap'``. Default: 'clip'.
    Returns:
        Tensor whose axis has the shape of ``indices``.
    Raises:
        ValueError: for another ``mode``, or if ``axis`` is out of range.  NotImplementedError: for ``'raise'``.
    Example:
        >>> Tensor([10, 20, 30]).take(Tensor([2, 0])).tolist()
        [30, 10]
    Source: mindspore.Tensor.take
    """,
    _take_method,
    _take_index_method,
)


def _gather_along_method(self, dim: int, index: Handle):
    return gather_elements(self, dim, index)


def _gather_method(self, input_indices: Handle, axis, batch_dims=0):
    return gather(self, input_indices, axis, batch_dims)


overload(
    "gather",
    """Picks one element for each position, ``(dim, index)``; or slices along an axis, ``(input_indices, axis)``.

    Args:
        dim (int), index (Tensor): as for `ops.gather_elements`.
        input_indices (Tensor), axis (int), batch_dims (int): as for `ops.gather`.
    Returns, Raises: as for these.
    Example:
        >>> Tensor([10, 20, 30]).gather(Tensor([2, 0]), 0).tolist()
        [30, 10]
    Source: mindspore.Tensor.gather
    """,
    _gather_along_method,
    _gather_method,
)


def _index_select_dim_method(self, dim: int, index: Handle):
    return index_select(self, dim, index)


overload(
    "index_select",
    """Picks slices along an axis; see `ops.index_select`.

    Args:
        axis or dim (int): the axis.
        index (Tensor): shape ``(N,)``, int32 or int64.
    Returns, Raises: as for `ops.index_select`.
    Source: mindspore.Tensor.index_select
    """,
    index_select,
    _index_select_dim_method,
)
