"""Searching: sorted sequences, elements by rank, flat indices and coordinates."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import DtypeOf, OneOf
from ..._contracts.contracts import Array, Bool, Dtype, Int, NonNegativeInt, Operand, Sequence
from ..._contracts.kinds import Reals
from ...engine import dtypes
from ...tensor.numbers import constant
from .._core.calls.operands import as_tensor
from .._core.define import composite, op
from .._core.faces import primitive
from .._core.families import body
from .._shared import ordering

# -- in sorted sequences --------------------------------------------------------------------------------------------


def _insertion_points(rows, values, side):
    """For each of ``values``, its insertion index in its row (last axis) of ``rows``; a single row is shared."""
    if rows.ndim == 1:
        return jnp.searchsorted(rows, values, side)
    flat = rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1])
    return jax.vmap(lambda row, value: jnp.searchsorted(row, value, side))(*flat).reshape(values.shape)


@op("SearchSorted(dtype=int64, right=False)", name="_search_sorted")
def _search_sorted(
    sorted_sequence: Array, values: Array, sorter: Array | None = None, dtype: Dtype = dtypes.int64, right: Bool = False
):
    """Insertion indices of values in sorted sequences.

    Args:
        sorted_sequence (Tensor): shape ``(N,)`` or ``(*B, N)``, ascending along the last axis.
        values (Tensor): any shape for one sequence, else ``(*B, M)``.
        sorter (Tensor | None): the indices that sort a sequence which is not. Default: ``None``.
        dtype (mindspore.dtype): int32 or int64. Default: ``int64``.
        right (bool): whether to go behind equal elements. Default: ``False``.
    Returns:
        Tensor of the shape of ``values``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not fit.
    Example:
        >>> ops.SearchSorted()(Tensor([1.0, 3.0]), Tensor([2.0, 3.0])).tolist()
        [1, 1]
    Source: mindspore.ops.SearchSorted
    """
    if sorter is not None:
        sorted_sequence = jnp.take_along_axis(sorted_sequence, sorter, -1)
    check.at_least_rank(sorted_sequence, 1, "sorted_sequence", "SearchSorted")
    if sorted_sequence.ndim > 1 and sorted_sequence.shape[:-1] != values.shape[:-1]:
        expected = f"of the first lengths {sorted_sequence.shape[:-1]} of 'sorted_sequence'"
        check.refuse(ValueError, "SearchSorted", "values", expected, values)
    return _insertion_points(sorted_sequence, values, "right" if right else "left").astype(dtype.numpy)


@composite()
def searchsorted(
    sorted_sequence: Array,
    values: Operand,
    *,
    out_int32: Bool = False,
    right: Bool = False,
    side: OneOf("left", "right") | None = None,
    sorter: Array | None = None,
):
    """Insertion indices of values in sorted sequences.

    Args:
        sorted_sequence (Tensor): shape ``(N,)`` or ``(*B, N)``, ascending along the last axis.
        values (Tensor | int | float): any shape for one sequence, else ``(*B, M)``.
        out_int32 (bool): whether indices are int32, rather than int64. Default: ``False``.
        right (bool): whether to go behind equal elements. Default: ``False``.
        side (str | None): ``'left'`` or ``'right'``, the same by name. Default: ``None``.
        sorter (Tensor | None): the indices that sort a sequence which is not. Default: ``None``.
    Returns:
        Tensor of the shape of ``values``.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if shapes do not fit, or ``side`` is ``'left'`` while ``right`` is True.
    Example:
        >>> ops.searchsorted(Tensor([1.0, 3.0]), Tensor([2.0, 3.0]), right=True).tolist()
        [1, 2]
    Source: mindspore.ops.searchsorted, mindspore.Tensor.searchsorted
    """
    if side == "left" and right:
        check.refuse(ValueError, "searchsorted", "side", "'right' where 'right' is True", side)
    dtype = dtypes.int32 if out_int32 else dtypes.int64
    return _search_sorted(sorted_sequence, as_tensor(values, "searchsorted"), sorter, dtype, right or side == "right")


@composite(name="_searchsorted_of", method="searchsorted")
def _searchsorted_of(self: Array, v: Operand, side: OneOf("left", "right") = "left", sorter: Array | None = None):
    """Insertion indices of values in the sorted Tensor.

    Args:
        v (Tensor | int | float): any shape for a vector, else ``(*B, M)``.
        side (str): ``'left'`` or ``'right'`` of equal elements. Default: ``'left'``.
        sorter (Tensor | None): the indices that sort it, if it is not sorted. Default: ``None``.
    Returns:
        Tensor of int32, of the shape of ``v``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not fit, or for another ``side``.
    Example:
        >>> Tensor([1.0, 3.0]).searchsorted(Tensor([2.0])).tolist()
        [1]
    Source: mindspore.Tensor.searchsorted
    """
    return searchsorted(self, v, side=side, sorter=sorter, out_int32=True)


_BOUND = """Insertion indices of values in sorted rows, {side} equal elements.

    Args:
        sorted_x (Tensor): shape ``(B, N)``, ascending along the last axis.
        values (Tensor): shape ``(B, M)``.
        out_type (mindspore.dtype): int32 or int64. Default: ``int32``.
    Returns:
        Tensor of the shape of ``values``.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: if shapes do not fit.
    Example:
        >>> ops.{primitive}()(Tensor([[1.0, 3.0]]), Tensor([[2.0, 3.0]])).tolist()
        [[1, {index}]]
    Source: mindspore.ops.{primitive}
    """


def _bound(text, name, is_right, side, index):
    """Defines the Primitive ``text``."""

    def compute(sorted_x, values, out_type):
        return _search_sorted(sorted_x, values, None, out_type, is_right)

    function_text = f"{name}(sorted_x: Array, values: Array, out_type: DtypeOf('int32', 'int64') = int32)"
    fields = {"primitive": text.partition("(")[0], "side": side, "index": index}
    return op(text, name=name)(body(function_text, compute, _BOUND, **fields))


_bound("LowerBound(out_type=int32)", "_lower_bound", False, "before", 1)
_bound("UpperBound(out_type=int32)", "_upper_bound", True, "behind", 2)


@op()
def bucketize(input: Array, boundaries: Reals(), *, right: Bool = False):
    """Bucketizes: the index of the interval between sorted boundaries that holds each element.

    Args:
        input (Tensor): any shape, a real dtype.
        boundaries (list[float]): in ascending order.
        right (bool): whether an element equal to a boundary lies above it. Default: ``False``.
    Returns:
        Tensor of int32, of the shape of ``input``.
    Raises:
        TypeError: if ``boundaries`` is not a list of numbers.
    Example:
        >>> ops.bucketize(Tensor([0.5, 1.0, 2.0]), [1.0]).tolist()
        [0, 0, 1]
    Source: mindspore.ops.bucketize
    """
    wide = jnp.promote_types(input.dtype, jnp.float32)
    edges = jnp.asarray(boundaries, wide)
    return jnp.searchsorted(edges, input.astype(wide), "right" if right else "left").astype(np.int32)


primitive(bucketize, "Bucketize(boundaries)(input)", fixed={"right": True})

# -- by rank --------------------------------------------------------------------------------------------------------


@op("NthElement(reverse=False)", name="_nth_element")
def _nth_element(input: Array, n: NonNegativeInt, reverse: Bool = False):
    """The element of a given rank along the last axis.

    Args:
        input (Tensor): any shape of at least one axis, a real dtype.
        n (int | Tensor): the rank, from 0 for the smallest.
        reverse (bool): whether 0 is the largest. Default: ``False``.
    Returns:
        Tensor without the last axis.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there is no such rank.
    Example:
        >>> ops.NthElement()(Tensor([3.0, 1.0, 2.0]), 1).tolist()
        2.0
    Source: mindspore.ops.NthElement
    """
    length = check.at_least_rank(input, 1, "input", "NthElement").shape[-1]
    check.in_range(n, 0, length - 1, "n", "NthElement")
    place = jnp.array([length - 1 - n if reverse else n])
    return jnp.take_along_axis(input, ordering.order(input)[..., place], -1)[..., 0]


# -- between ways to count ------------------------------------------------------------------------------------------


@op("UnravelIndex", name="_unravel_index")
def _unravel_index(indices: Array, dims: Array):
    """Positions of the flattened order along each axis.

    Args:
        indices (Tensor): shape ``()`` or ``(N,)``, int32 or int64.
        dims (Tensor): shape ``(R,)``, the same dtype: the lengths of the axes.
    Returns:
        Tensor of shape ``(R,)`` or ``(R, N)``.
    Raises:
        TypeError: if an argument is not a Tensor of ints.
    Example:
        >>> ops.UnravelIndex()(Tensor([5]), Tensor([2, 3])).tolist()
        [[1], [2]]
    Source: mindspore.ops.UnravelIndex
    """
    for each, name in ((indices, "indices"), (dims, "dims")):
        check.dtype(each, "i", name, "UnravelIndex")
    rows = []
    for k in reversed(range(dims.shape[0])):
        indices, rest = jnp.divmod(indices, dims[k])
        rows.append(rest)
    return jnp.stack(rows[::-1])


@composite("InvertPermutation", name="_invert_permutation")
def _invert_permutation(input_x: Sequence):
    """The inverse of a permutation.

    Args:
        input_x (tuple[int] | list[int]): each of the numbers from 0 on, once.
    Returns:
        tuple[int].
    Raises:
        TypeError: if it is not made of ints.  ValueError: if it is not a permutation.
    Example:
        >>> ops.InvertPermutation()((2, 0, 1))
        (1, 2, 0)
    Source: mindspore.ops.InvertPermutation
    """
    if sorted(input_x) != list(range(len(input_x))):
        check.refuse(ValueError, "InvertPermutation", "input_x", "a permutation of the numbers from 0 on", input_x)
    return tuple(np.argsort(input_x).tolist())


@composite("ListDiff(out_idx=int32)", name="_list_diff")
def _list_diff(x: Array, y: Array, out_idx: DtypeOf("int32", "int64") = dtypes.int32):
    """Set difference: the elements of one vector that another does not have, and their indices.

    Args:
        x, y (Tensor): vectors of the same dtype. Their values are needed at once.
        out_idx (mindspore.dtype): int32 or int64, of the indices. Default: ``int32``.
    Returns:
        tuple of two Tensors of shape ``(n,)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if an argument is not a vector.
    Example:
        >>> [each.tolist() for each in ops.ListDiff()(Tensor([1, 2, 3]), Tensor([2]))]
        [[1, 3], [0, 2]]
    Source: mindspore.ops.ListDiff
    """
    for each, name in ((x, "x"), (y, "y")):
        if len(each.aval[0]) != 1:
            check.refuse(ValueError, "ListDiff", name, "a vector", each)
    if x.aval[1] != y.aval[1]:
        check.refuse(TypeError, "ListDiff", "y", f"of the dtype of 'x', {x.dtype}", y)
    indices = np.flatnonzero(~np.isin(x._values_(), y._values_()))
    return x[constant(indices)], constant(indices.astype(out_idx.numpy))


@composite("SubAndFilter", name="_sub_and_filter")
def _sub_and_filter(input_x: Array, max_num: Int, offset: Int):
    """Subtracts an offset and keeps the elements in ``[0, max_num)``, with their indices.

    Args:
        input_x (Tensor): a vector of ints. Its values are needed at once.
        max_num, offset (int): the bound and the offset.
    Returns:
        tuple of two Tensors of shape ``(n,)``.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> [each.tolist() for each in ops.SubAndFilter()(Tensor([4, 6, 3]), 3, 1)]
        [[2], [2]]
    Source: mindspore.ops.SubAndFilter
    """
    moved = input_x._values_() - offset
    indices = np.flatnonzero((moved >= 0) & (moved < max_num))
    return constant(moved[indices]), constant(indices.astype(moved.dtype))
