"""Scatter into new Tensors: updates put at indices given by Tensors. `scatter_write` does it in place.

MindSpore's CPU kernels raise for indices out of range. So do these operations if the indices are concrete; in
recordings they cannot be checked, and nothing is written there.
"""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Axis, Index, Operand
from ..._contracts.kinds import concrete
from ...engine.handle import Handle
from ...tensor.c_casts import convert
from ...tensor.numbers import number, plain
from .._core import families
from .._core.define import composite, op
from .._core.faces import method, primitive
from .gathering import check_within
from .scatter_core import check_tuples, same_dtype, scatter_by, scatter_nd_by

# -- at tuples of positions -----------------------------------------------------------------------------------------

_TENSOR_SCATTER = """A copy with slices at tuples of positions {phrase} updates.

    Args:
        input_x (Tensor): any shape of at least one axis.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, non-negative.
        updates (Tensor): shape ``I + input_x.shape[K:]``, the dtype of ``input_x``. Of positions that come twice, all
            updates count.
    Returns:
        Tensor of the shape and dtype of ``input_x``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        {error}: if a position is known to be out of range.
    Example:
        >>> ops.{name}(Tensor([8.0, 4.0]), Tensor([[0]]), Tensor([2.0])).tolist()
        [{value}, 4.0]
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """


@op()
def _put_at(input_x: Array, indices: Array, updates: Array, reduction):
    return scatter_nd_by(input_x, indices, updates, reduction)


def _tensor_scatter(name, primitive, reduction, phrase, value, methods=(), error: type[Exception] = RuntimeError):
    """Defines a way of combining slices with updates: function, Primitive and methods."""

    def scattered(input_x, indices, updates):
        same_dtype(input_x, updates, "updates", primitive)
        check_tuples(input_x.aval[0], indices, updates, primitive, error)
        return _put_at(input_x, indices, updates, reduction)

    text = f"{name}(input_x: Array, indices: Index, updates: Array)"
    fields = {"phrase": phrase, "value": value, "primitive": primitive, "error": error.__name__}
    return composite(primitive, method=methods)(families.body(text, scattered, _TENSOR_SCATTER, **fields))


_tensor_scatter(
    "tensor_scatter_update", "TensorScatterUpdate", "update", "replaced by", 2.0, "tensor_scatter_update", ValueError
)
tensor_scatter_add = _tensor_scatter(
    "tensor_scatter_add", "TensorScatterAdd", "add", "increased by", 10.0, "tensor_scatter_add"
)
_tensor_scatter(
    "tensor_scatter_sub", "TensorScatterSub", "sub", "decreased by", 6.0, ("tensor_scatter_sub", "scatter_sub")
)
_tensor_scatter(
    "tensor_scatter_mul", "TensorScatterMul", "mul", "multiplied by", 16.0, ("tensor_scatter_mul", "scatter_mul")
)
_tensor_scatter(
    "tensor_scatter_div", "TensorScatterDiv", "div", "divided by", 4.0, ("tensor_scatter_div", "scatter_div")
)
_tensor_scatter(
    "tensor_scatter_max", "TensorScatterMax", "max", "raised to", 8.0, ("tensor_scatter_max", "scatter_max")
)
_tensor_scatter(
    "tensor_scatter_min", "TensorScatterMin", "min", "lowered to", 2.0, ("tensor_scatter_min", "scatter_min")
)


@op()
def _scattered(indices: Array, updates: Array, shape):
    return scatter_nd_by(jnp.zeros(shape, updates.dtype), indices, updates, "add")


@composite("ScatterNd")
def scatter_nd(indices: Index, updates: Array, shape):
    """Zeros with updates added at tuples of positions.

    Args:
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, non-negative.
        updates (Tensor): shape ``I + shape[K:]``.
        shape (tuple[int] | Tensor): of the result.
    Returns:
        Tensor of the dtype of ``updates``. Repeated positions accumulate.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if shapes do not fit.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.scatter_nd(Tensor([[0], [2]]), Tensor([1.0, 2.0]), (3,)).tolist()
        [1.0, 0.0, 2.0]
    Source: mindspore.ops.scatter_nd, mindspore.ops.ScatterNd
    """
    shape = check.ints(concrete(shape), "shape", "ScatterNd")
    check_tuples(shape, indices, updates, "ScatterNd")
    return _scattered(indices, updates, shape)


@composite("ScatterNonAliasingAdd", name="_scatter_non_aliasing_add")
def _scatter_non_aliasing_add(input_x: Array, indices: Index, updates: Array):
    """Adds updates to slices at tuples of positions, in place.

    Args:
        input_x (Parameter | Tensor): what to write to.
        indices (Tensor): shape ``(*I, K)``, int32 or int64: ``K`` positions, non-negative.
        updates (Tensor): shape ``I + input_x.shape[K:]``, the dtype of ``input_x``.
    Returns:
        Tensor, the new value.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if shapes do not.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.ScatterNonAliasingAdd()(Parameter(Tensor([1.0, 2.0])), Tensor([[0]]), Tensor([1.0])).tolist()
        [2.0, 2.0]
    Source: mindspore.ops.ScatterNonAliasingAdd
    """
    result = tensor_scatter_add(input_x, indices, updates)
    input_x._write_(result)
    return result


# -- one position for each element ----------------------------------------------------------------------------------


@op()
def _put_along(input: Array, index: Array, src: Array, axis, reduction):
    index_arrays = list(jnp.indices(index.shape, sparse=True))
    index_arrays[axis] = index
    src = jnp.broadcast_to(convert(src, input.dtype), src.shape or index.shape)
    src = src[tuple([np.s_[:size] for size in index.shape])]
    return scatter_by(input, tuple(index_arrays), src, reduction)


def _check_along(input, axis, index, src, name):
    shape, lengths, source = input.aval[0], index.aval[0], src.aval[0]
    axis = check.axis(axis, len(shape), "axis", name)
    within = len(shape) == len(lengths) and all(
        k == axis or b <= a for k, (a, b) in enumerate(zip(shape, lengths, strict=True))
    )
    if not within:
        check.refuse(ValueError, name, "index", f"no longer than {shape} along any axis except {axis}", index)
    if source and (len(source) != len(lengths) or any(a < b for a, b in zip(source, lengths, strict=True))):
        check.refuse(ValueError, name, "src", f"at least as long as 'index', {lengths}", src)
    return axis


@composite()
def scatter(input: Array, axis: Axis, index: Index, src: Operand):
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
    if isinstance(src, Handle):
        same_dtype(input, src, "src", "Scatter")
    else:
        src = number(plain(src), input.aval[1])
    return _put_along(input, index, src, _check_along(input, axis, index, src, "Scatter"), "update")


method("scatter", (scatter, "(dim, index, src)"), (scatter, "(axis, index, src)"))


@composite("TensorScatterElements(axis=0, reduction='none')")
def tensor_scatter_elements(
    input_x: Array, indices: Index, updates: Array, axis: Axis = 0, reduction: OneOf("none", "add") = "none"
):
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
    same_dtype(input_x, updates, "updates", "TensorScatterElements")
    axis = _check_along(input_x, axis, indices, updates, "TensorScatterElements")
    length = input_x.aval[0][axis]
    check_within(indices, -length, length, "indices", "TensorScatterElements")
    return _put_along(input_x, indices, updates, axis, "add" if reduction == "add" else "update")


primitive(tensor_scatter_elements, "ScatterAddWithAxis(axis=0)(input_x, indices, updates)", fixed={"reduction": "add"})
method(
    "scatter_add",
    (
        tensor_scatter_elements,
        "(dim, index, src)",
        {"fixed": {"reduction": "add"}, "index": "indices", "src": "updates"},
    ),
    (tensor_scatter_add, "(indices, updates)"),
)


@composite(name="_scatter_reduced")
def scatter_reduced(self: Array, dim: Axis, index: Index, src: Operand, *, reduce: OneOf("add", "multiply")):
    """A copy with elements combined with others at positions along an axis; ``reduce`` says how."""
    src = src if isinstance(src, Handle) else number(plain(src), self.aval[1])
    same_dtype(self, src, "src", "scatter_")
    reduction = {"add": "add", "multiply": "mul"}[reduce]
    return _put_along(self, index, src, _check_along(self, dim, index, src, "scatter_"), reduction)
