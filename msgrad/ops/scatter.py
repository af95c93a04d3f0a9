"""Writing at positions given by Tensors: new Tensors (``tensor_scatter_*``, ``scatter``) and in place (``scatter_*``).

MindSpore's CPU kernels raise for positions out of range. So do these operations where the positions are known; recorded
ones have no value to check, and write nothing there.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..engine import dtypes
from ..engine.handle import Handle
from ..tensor.at_hand import values_at_hand
from ..tensor.numbers import number, plain
from . import check
from .array import int_tuple
from .cast import convert, exact
from .contracts import Array
from .define import composite, op
from .gather import check_index, out_of_range
from .overload import overload

_WAYS = ("update", "add", "sub", "mul", "div", "max", "min")


def _combined(array, index, updates, way):
    """``array`` with ``updates`` put at ``index`` in one of `_WAYS`; what comes twice counts twice."""
    if way == "mul":
        return array * _product(array, index, updates)
    if way == "div":
        if array.dtype.kind in "iu":  # rounded towards 0; a product may be longer than the dtype
            wide = _product(array.astype(np.int64), index, updates.astype(np.int64))
            return lax.div(array.astype(np.int64), wide).astype(array.dtype)
        return array / _product(array, index, updates)
    place = array.at[index]
    put = {"update": place.set, "add": place.add, "sub": place.subtract, "max": place.max, "min": place.min}[way]
    return put(updates, mode="drop")


@jax.custom_jvp
def _product(like, index, updates):
    """The product of the updates for each place, 1 where there is none, in the shape and dtype of ``like``."""
    return jnp.ones_like(like).at[index].multiply(updates, mode="drop")


@_product.defjvp
def _product_jvp(primals, tangents):
    # JAX has a derivative for places that come once. By an update it is the product of the others at its place.
    like, index, updates = primals
    is_zero = updates == 0
    factors = jnp.where(is_zero, 1, updates)
    zeros = jnp.zeros(like.shape, np.int32).at[index].add(is_zero, mode="drop")
    is_zero_beside = zeros.at[index].get(mode="fill", fill_value=0) > is_zero
    product = _product(like, index, factors).at[index].get(mode="fill", fill_value=0)
    others = jnp.where(is_zero_beside, 0, product / factors)
    slope = jnp.zeros_like(like).at[index].add(others * tangents[2], mode="drop")
    return _product(like, index, updates), slope


def _tensors(name, **operands):
    for arg_name, value in operands.items():
        if not isinstance(value, Handle):
            raise TypeError(f"For '{name}', the '{arg_name}' must be a Tensor, but got {type(value).__name__}.")


def _same_dtype(x, updates, name):
    if x.aval[1] != updates.aval[1]:
        raise TypeError(
            f"For primitive[{name}], the input type must be same, but got {dtypes.of(x.aval[1])} and "
            f"{dtypes.of(updates.aval[1])}."
        )


# -- at tuples of positions -----------------------------------------------------------------------------------------


@op()
def _put_nd(input_x: Array, indices: Array, updates: Array, way):
    # JAX counts negative positions from the end; here they are out of range.
    indices = jnp.where(indices < 0, jnp.iinfo(indices.dtype).max, indices)
    return _combined(input_x, tuple(jnp.moveaxis(indices, -1, 0)), updates, way)


def _check_nd(shape, indices, updates, name, error=RuntimeError):
    check_index(indices, "indices", name)
    places = indices.aval[0]
    if not places or places[-1] > len(shape):
        raise ValueError(
            f"For {name}, the last axis of 'indices' must not be longer than the rank {len(shape)} of the input, but "
            f"got shape {places}."
        )
    expected = places[:-1] + shape[places[-1] :]
    if updates.aval[0] != expected:
        raise ValueError(f"For {name}, the shape of 'updates' must be {expected}, but got {updates.aval[0]}.")
    known = values_at_hand(indices)
    if known is not None:
        outside = (known < 0) | (known >= np.array(shape[: places[-1]], np.int64))
        if outside.any():
            row = known.reshape(-1, places[-1])[np.flatnonzero(outside.any(-1))[0]].tolist()
            raise error(f"For '{name}', indices out of range for the input of shape {shape}: {row}.")


def _tensor_scatter(way):
    name, primitive = f"tensor_scatter_{way}", f"TensorScatter{way.capitalize()}"
    error = ValueError if way == "update" else RuntimeError

    def scatter_nd(input_x, indices, updates):
        _tensors(primitive, input_x=input_x, indices=indices, updates=updates)
        _same_dtype(input_x, updates, primitive)
        _check_nd(input_x.aval[0], indices, updates, primitive, error)
        return _put_nd(input_x, indices, updates, way)

    scatter_nd.__name__ = name
    scatter_nd.__doc__ = f"""A copy with slices at tuples of positions combined with updates: {way}.

    Args:
        input_x (Tensor): any shape of at least one axis.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, not negative.
        updates (Tensor): shape ``I + input_x.shape[K:]``, the same dtype.
    Returns:
        Tensor of the shape and dtype of ``input_x``. Positions that come twice count twice.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        {error.__name__}: if a position is known to be out of range.
    Example:
        >>> ops.{name}(Tensor([1.0, 2.0]), Tensor([[0]]), Tensor([1.0])).shape
        (2,)
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}, mindspore.Tensor.{name} (MindSpore 2.10: scatter_{way})
    """
    # Tensor.scatter_add has two forms, below, and there is no Tensor.scatter_update.
    composite(primitive, method=name if way in ("update", "add") else (name, f"scatter_{way}"))(scatter_nd)


def _parameter_scatter_nd(way):
    name, primitive = f"scatter_nd_{way}", f"ScatterNd{way.capitalize()}"

    def scatter_nd(input_x, indices, updates, use_locking=False):
        _tensors(primitive, input_x=input_x, indices=indices, updates=updates)
        _same_dtype(input_x, updates, primitive)
        _check_nd(input_x.aval[0], indices, updates, primitive)
        result = _put_nd(input_x, indices, updates, way)
        input_x.write(result)
        return result

    scatter_nd.__name__ = name
    scatter_nd.__doc__ = f"""Combines slices at tuples of positions with updates, in place: {way}.

    Args:
        input_x (Parameter | Tensor): what to write to.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, not negative.
        updates (Tensor): shape ``I + input_x.shape[K:]``, the same dtype.
        use_locking (bool): a hint without effect. Default: ``False``.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.{name}(Parameter(Tensor([1.0, 2.0])), Tensor([[0]]), Tensor([1.0])).shape
        (2,)
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """
    composite(f"{primitive}(use_locking=False)")(scatter_nd)


@op()
def _put_rows(input_x: Array, indices: Array, updates: Array, way):
    indices = jnp.where(indices < 0, jnp.iinfo(indices.dtype).max, indices)
    return _combined(input_x, indices, updates, way)


def _parameter_scatter(way):
    name, primitive = f"scatter_{way}", f"Scatter{way.capitalize()}"

    def scatter_rows(input_x, indices, updates, use_locking=False):
        _tensors(primitive, input_x=input_x, indices=indices, updates=updates)
        _same_dtype(input_x, updates, primitive)
        check_index(indices, "indices", primitive)
        shape = input_x.aval[0]
        if updates.aval[0] != indices.aval[0] + shape[1:]:
            raise ValueError(
                f"For {primitive}, the shape of 'updates' must be {indices.aval[0] + shape[1:]}, but got "
                f"{updates.aval[0]}."
            )
        worst = out_of_range(indices, 0, shape[0])
        if worst is not None:
            raise RuntimeError(f"For '{primitive}', the 'indices' should be in [0, {shape[0]}), but got {worst}.")
        result = _put_rows(input_x, indices, updates, way)
        input_x.write(result)
        return result

    def scatter(input_x, indices, updates):
        return scatter_rows(input_x, indices, updates)

    text = f"""Combines slices along the first axis with updates, in place: {way}.

    Args:
        input_x (Parameter | Tensor): what to write to.
        indices (Tensor): any shape, int32 or int64: positions along the first axis, not negative.
        updates (Tensor): shape ``indices.shape + input_x.shape[1:]``, the same dtype.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.{name}(Parameter(Tensor([1.0, 2.0])), Tensor([0]), Tensor([1.0])).shape
        (2,)
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """
    scatter.__name__, scatter_rows.__name__ = name, f"_{name}_rows"
    scatter.__doc__ = scatter_rows.__doc__ = text
    if way != "sub":  # MindSpore has ScatterSub alone
        composite()(scatter)
    composite(f"{primitive}(use_locking=False)")(scatter_rows)


for _way in _WAYS:
    _tensor_scatter(_way)
    _parameter_scatter_nd(_way)
    _parameter_scatter(_way)


@op()
def _scattered_nd(indices: Array, updates: Array, shape):
    return _put_nd.op.body(jnp.zeros(shape, updates.dtype), indices, updates, "add")


@composite("ScatterNd")
def scatter_nd(indices, updates, shape):
    """Zeros with updates added at tuples of positions.

    Args:
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, not negative.
        updates (Tensor): shape ``I + shape[K:]``.
        shape (tuple[int] | Tensor): of the result.
    Returns:
        Tensor of the dtype of ``updates``. Positions that come twice count twice.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if shapes do not fit.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.scatter_nd(Tensor([[0], [2]]), Tensor([1.0, 2.0]), (3,)).tolist()
        [1.0, 0.0, 2.0]
    Source: mindspore.ops.scatter_nd, mindspore.ops.ScatterNd
    """
    _tensors("ScatterNd", indices=indices, updates=updates)
    shape = tuple(shape.asnumpy().tolist()) if isinstance(shape, Handle) else int_tuple(shape, "shape", "ScatterNd")
    _check_nd(shape, indices, updates, "ScatterNd")
    return _scattered_nd(indices, updates, shape)


# -- one position for each element ----------------------------------------------------------------------------------


@op()
def _put_along(input: Array, index: Array, src: Array, axis, way):
    place = list(jnp.indices(index.shape, sparse=True))
    place[axis] = index
    src = jnp.broadcast_to(convert(src, input.dtype), src.shape or index.shape)
    src = src[tuple([np.s_[:size] for size in index.shape])]
    return _combined(input, tuple(place), src, way)


def _check_along(input, axis, index, src, name):
    _tensors(name, input=input, index=index)
    check_index(index, "index", name)
    shape, places = input.aval[0], index.aval[0]
    axis = check.axis(axis, len(shape), "axis", name)
    if len(shape) != len(places):
        raise ValueError(f"For '{name}', 'index' must have as many axes as the input, {len(shape)}, but got {places}.")
    for k, length in enumerate(places):
        if k != axis and length > shape[k]:
            raise ValueError(f"For '{name}', 'index' {places} is longer than the input {shape} in axis {k}.")
    if src.aval[0] and (
        len(src.aval[0]) != len(places) or any(a < b for a, b in zip(src.aval[0], places, strict=True))
    ):
        raise ValueError(f"For '{name}', the source must be as long as 'index', {places}, but got {src.aval[0]}.")
    return axis


@composite()
def scatter(input, axis, index, src):
    """A copy with elements put at positions along an axis: ``out[i, index[i, j]] = src[i, j]`` for ``axis`` 1.

    Args:
        input (Tensor): any shape of at least one axis.
        axis (int): the axis that ``index`` counts along.
        index (Tensor): as many axes, int32 or int64; positions outside of ``[-A, A)`` are left out.
        src (Tensor | float): at least as long as ``index``, of the dtype of ``input``; or one value for all.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if ``axis`` or shapes do not.
    Example:
        >>> ops.scatter(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2]), Tensor([9.0])).tolist()
        [1.0, 2.0, 9.0]
    Source: mindspore.ops.scatter, mindspore.Tensor.scatter
    """
    _tensors("Scatter", input=input, index=index)
    if isinstance(src, Handle):
        _same_dtype(input, src, "Scatter")
    else:
        src = number(plain(src), input.aval[1])
    return _put_along(input, index, src, _check_along(input, axis, index, src, "Scatter"), "update")


@composite("TensorScatterElements(axis=0, reduction='none')")
def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    """A copy with elements put, or added, at positions along an axis.

    Args:
        input_x (Tensor): any shape of at least one axis.
        indices (Tensor): as many axes, int32 or int64, positions in ``[-A, A)`` for an axis of length ``A``.
        updates (Tensor): the shape of ``indices``, the dtype of ``input_x``.
        axis (int): the axis. Default: ``0``.
        reduction (str): ``'none'`` to put or ``'add'`` to add. Default: ``'none'``.
    Returns:
        Tensor of the shape and dtype of ``input_x``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if ``axis``, shapes or ``reduction`` do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.tensor_scatter_elements(Tensor([1.0, 2.0]), Tensor([1]), Tensor([5.0]), 0, "add").tolist()
        [1.0, 7.0]
    Source: mindspore.ops.tensor_scatter_elements, mindspore.ops.TensorScatterElements
    """
    check.one_of(reduction, ("none", "add"), "reduction", "TensorScatterElements")
    _tensors("TensorScatterElements", input_x=input_x, indices=indices, updates=updates)
    _same_dtype(input_x, updates, "TensorScatterElements")
    axis = _check_along(input_x, axis, indices, updates, "TensorScatterElements")
    worst = out_of_range(indices, -input_x.aval[0][axis], input_x.aval[0][axis])
    if worst is not None:
        raise RuntimeError(f"For 'TensorScatterElements', 'indices' has an index {worst} out of range.")
    return _put_along(input_x, indices, updates, axis, "add" if reduction == "add" else "update")


def _scatter_method(self, dim: int, index: Handle, src):
    return scatter(self, dim, index, src)


def _scatter_axis_method(self, axis: int, index: Handle, src):
    return scatter(self, axis, index, src)


overload(
    "scatter",
    """A copy with elements put at positions along an axis; see `ops.scatter`.

    Args:
        dim or axis (int): the axis.
        index (Tensor), src (Tensor | float): as for `ops.scatter`.
    Returns, Raises: as for `ops.scatter`.
    Source: mindspore.Tensor.scatter
    """,
    _scatter_method,
    _scatter_axis_method,
)


def _scatter_add_method(self, dim: int, index: Handle, src: Handle):
    return tensor_scatter_elements(self, index, src, dim, "add")


def _scatter_add_nd_method(self, indices: Handle, updates: Handle):
    return self.tensor_scatter_add(indices, updates)


overload(
    "scatter_add",
    """A copy with elements added at positions: ``(dim, index, src)`` along an axis, ``(indices, updates)`` at tuples.

    Args:
        dim (int), index (Tensor), src (Tensor): as for `ops.tensor_scatter_elements`.
        indices, updates (Tensor): as for `ops.tensor_scatter_add`.
    Returns, Raises: as for these.
    Example:
        >>> Tensor([1.0, 2.0]).scatter_add(0, Tensor([1, 1]), Tensor([5.0, 6.0])).tolist()
        [1.0, 13.0]
    Source: mindspore.Tensor.scatter_add
    """,
    _scatter_add_method,
    _scatter_add_nd_method,
)


# -- slices along an axis -------------------------------------------------------------------------------------------


@op()
def _put_slices(x: Array, indices: Array, y: Array, axis, way):
    indices = jnp.where(indices < 0, jnp.iinfo(indices.dtype).max, indices)
    return _combined(x, (np.s_[:],) * axis + (indices,), y, way)


def _index_add(x, indices, y, axis):
    _tensors("IndexAdd", x=x, indices=indices, y=y)
    check_index(indices, "indices", "IndexAdd")
    _same_dtype(x, y, "IndexAdd")
    shape = x.aval[0]
    axis = check.axis(axis, len(shape), "axis", "IndexAdd")
    expected = shape[:axis] + indices.aval[0] + shape[axis + 1 :]
    if len(indices.aval[0]) != 1 or y.aval[0] != expected:
        raise ValueError(
            f"For 'IndexAdd', 'indices' must be a vector and the shape of 'y' {expected}, but got {indices.aval[0]}, "
            f"{y.aval[0]}."
        )
    worst = out_of_range(indices, 0, shape[axis])
    if worst is not None:
        raise RuntimeError(f"For 'IndexAdd', the 'indices' should be in [0, {shape[axis]}), but got {worst}.")
    return _put_slices(x, indices, y, axis, "add")


@composite("IndexAdd(axis, use_lock=True, check_index_bound=True)")
def index_add(x, indices, y, axis, use_lock=True, check_index_bound=True):
    """Adds slices at positions along an axis, in place.

    Args:
        x (Parameter | Tensor): what to write to.
        indices (Tensor): shape ``(N,)``, int32 or int64, positions along the axis, not negative.
        y (Tensor): the shape of ``x`` with ``N`` along the axis, the same dtype.
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
    Source: mindspore.ops.index_add, mindspore.ops.IndexAdd
    """
    result = _index_add(x, indices, y, axis)
    x.write(result)
    return result


def _index_add_dim_method(self, dim: int, index: Handle, source: Handle, *, alpha=1):
    return _index_add(self, index, source * alpha if alpha != 1 else source, dim)


def _index_add_method(self, indices: Handle, y: Handle, axis, use_lock=True, check_index_bound=True):
    return _index_add(self, indices, y, axis)


overload(
    "index_add",
    """A copy with slices added at positions along an axis.

    Args:
        dim or axis (int): the axis.
        index or indices (Tensor): shape ``(N,)``, int32 or int64.
        source or y (Tensor): the shape of the Tensor with ``N`` along the axis, the same dtype.
        alpha (Number): a factor of ``source``. Default: ``1``.
        use_lock, check_index_bound (bool): hints without effect. Default: ``True``.
    Returns:
        Tensor of the same shape and dtype.
    Raises: as for `ops.index_add`.
    Example:
        >>> Tensor([1.0, 2.0]).index_add(0, Tensor([1]), Tensor([5.0])).tolist()
        [1.0, 7.0]
    Source: mindspore.Tensor.index_add
    """,
    _index_add_dim_method,
    _index_add_method,
)


@composite(method="index_fill")
def index_fill(x, axis, index, value):
    """A copy with a value put at positions along an axis.

    Args:
        x (Tensor): any shape of at least one axis.
        axis (int): the axis.
        index (Tensor): shape ``(N,)`` or ``()``, int32 or int64.
        value (bool | int | float | Tensor): the value, cast to the dtype of ``x``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``axis`` is out of range, or ``index`` no vector.
    Example:
        >>> ops.index_fill(Tensor([1.0, 2.0]), 0, Tensor([1]), 9).tolist()
        [1.0, 9.0]
    Source: mindspore.ops.index_fill, mindspore.Tensor.index_fill
    """
    _tensors("IndexFill", x=x, index=index)
    check_index(index, "index", "IndexFill")
    if len(index.aval[0]) > 1:
        raise ValueError(f"For 'IndexFill', the 'index' must have at most one axis, but got shape {index.aval[0]}.")
    axis = check.axis(axis, len(x.aval[0]), "axis", "IndexFill")
    value = exact(value, "IndexFill").astype(x.dtype)
    return _put_slices(x, index, value, axis, "update")
