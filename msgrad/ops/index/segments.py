"""Segment reductions: sums, means and extremes of the slices of each segment."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Index
from ..._contracts.kinds import concrete
from .._core import families
from .._core.define import composite, op
from .gathering import check_within
from .scatter_core import scatter_by

# -- segments in any order, of a given number -----------------------------------------------------------------------

_UNSORTED = """The {phrase} of the slices of each segment.

    Args:
        {x} (Tensor): shape ``(*S, ...)``.
        segment_ids (Tensor): shape ``(*S)`` of at least one axis, int32 or int64: the segment of each slice; those of
            segments below 0 are left out, and those of recorded ones from ``num_segments`` on.
        num_segments (int | Tensor): how many segments.
    Returns:
        Tensor of shape ``(num_segments, ...)``, dtype of ``{x}``. Segments without slices are {empty}.
    Raises:
        TypeError: for another dtype of segments.  ValueError: if shapes do not fit, or the number is not positive.
        RuntimeError: if a segment is known to be none of them.
    Example:
        >>> ops.{name}(Tensor([2.0, 3.0, 4.0]), Tensor([1, 0, 1]), 2).tolist()
        {value}
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """


def _unsorted(name, reduce, x, phrase, empty, value, primitive, methods=()):
    """Defines a reduction of segments in any order."""

    def reduced(x, segment_ids, num_segments):
        rank = segment_ids.ndim
        if not rank or x.shape[:rank] != segment_ids.shape:
            check.refuse(ValueError, primitive, "segment_ids", f"of the first lengths of {x.shape}", segment_ids)
        # JAX counts negative segments from the end; here they are out of range.
        ids = jnp.where(segment_ids < 0, num_segments, segment_ids).reshape(-1)
        return reduce(x.reshape(-1, *x.shape[rank:]), ids, num_segments)

    text = f"{name}({x}: Array, segment_ids: Index, num_segments: PositiveInt)"
    fields = {"x": x, "phrase": phrase, "empty": empty, "value": value, "primitive": primitive}
    definition = families.body(text, reduced, _UNSORTED, **fields)

    def look(segment_ids, num_segments):
        count = concrete(num_segments)
        if isinstance(count, int) and count > 0:
            expected = f"of segments below {num_segments}"
            check_within(segment_ids, -np.inf, count, "segment_ids", primitive, expected=expected)

    return op(primitive, method=methods, look=look)(definition)


def _extreme(reduction, bound):
    """The reduction by ``.at[ids].max`` or ``.min``, from the ``bound`` of the dtype on."""

    def reduce(x, ids, count):
        info = jnp.finfo(x.dtype) if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype)
        start = jnp.full((count, *x.shape[1:]), getattr(info, bound), x.dtype)
        return getattr(start.at[ids], reduction)(x, mode="drop")

    return reduce


def _product(x, ids, count):
    return scatter_by(jnp.ones((count, *x.shape[1:]), x.dtype), ids, x, "mul")


unsorted_segment_sum = _unsorted(
    "unsorted_segment_sum", jax.ops.segment_sum, "input_x", "sum", "0", "[3.0, 6.0]", "UnsortedSegmentSum"
)
unsorted_segment_prod = _unsorted(
    "unsorted_segment_prod",
    _product,
    "x",
    "product",
    "1",
    "[3.0, 8.0]",
    "UnsortedSegmentProd",
    "unsorted_segment_prod",
)
unsorted_segment_max = _unsorted(
    "unsorted_segment_max",
    _extreme("max", "min"),
    "x",
    "maximum",
    "the smallest number of the dtype",
    "[3.0, 4.0]",
    "UnsortedSegmentMax",
    "unsorted_segment_max",
)
unsorted_segment_min = _unsorted(
    "unsorted_segment_min",
    _extreme("min", "max"),
    "x",
    "minimum",
    "the largest number of the dtype",
    "[3.0, 2.0]",
    "UnsortedSegmentMin",
    "unsorted_segment_min",
)

# -- segments in order, as many as there are ------------------------------------------------------------------------

_SORTED = """The {phrase} of the slices of each segment.

    Args:
        input_x (Tensor): shape ``(N, ...)``.
        segment_ids (Tensor): shape ``(N,)``, int32 or int64: the segment of each slice, in ascending order. Their
            values are needed at once.
    Returns:
        Tensor of shape ``(S, ...)`` with ``S - 1`` the largest segment. Segments without slices are {empty}.
    Raises:
        TypeError: for another dtype of segments.  ValueError: if shapes do not fit, or segments are not in order.
    Example:
        >>> ops.{primitive}()(Tensor([2.0, 3.0, 4.0]), Tensor([0, 0, 2])).tolist()
        {value}
    Source: mindspore.ops.{primitive}
    """


def _count(input_x, segment_ids, name):
    """The number of segments, from the values of ``segment_ids``."""
    if len(segment_ids.aval[0]) != 1 or input_x.aval[0][:1] != segment_ids.aval[0]:
        check.refuse(
            ValueError, name, "segment_ids", f"a vector as long as the first axis of {input_x.aval[0]}", segment_ids
        )
    ids = segment_ids._values_()
    if ids.size and (ids[0] < 0 or (np.diff(ids) < 0).any()):
        check.refuse(ValueError, name, "segment_ids", "in ascending order from 0 on", ids.tolist())
    return int(ids.max(initial=-1)) + 1


@op()
def _segments(x: Array, ids: Array, count, reduction):
    if reduction == "mean":
        sizes = jax.ops.segment_sum(jnp.ones_like(ids), ids, count).clip(1)
        sums = jax.ops.segment_sum(x, ids, count)
        sizes = sizes.reshape(-1, *[1] * (x.ndim - 1)).astype(x.dtype)
        return sums // sizes if x.dtype.kind in "iu" else sums / sizes
    reduce = {
        "sum": jax.ops.segment_sum,
        "prod": _product,
        "max": _extreme("max", "min"),
        "min": _extreme("min", "max"),
    }[reduction]
    result = reduce(x, ids, count)
    if reduction in ("sum", "prod"):
        return result
    filled = jax.ops.segment_sum(jnp.ones_like(ids), ids, count).reshape(-1, *[1] * (x.ndim - 1))
    return jnp.where(filled, result, 0)


def _sorted(name, primitive, reduction, phrase, empty, value):
    """Defines a reduction of segments in order: a Primitive, and the private function ``name``."""

    def reduced(input_x, segment_ids):
        return _segments(input_x, segment_ids, _count(input_x, segment_ids, primitive), reduction)

    text = f"{name}(input_x: Array, segment_ids: Index)"
    fields = {"phrase": phrase, "empty": empty, "value": value, "primitive": primitive}
    composite(primitive)(families.body(text, reduced, _SORTED, **fields))


_sorted("_segment_sum", "SegmentSum", "sum", "sum", "0", "[5.0, 0.0, 4.0]")
_sorted("_segment_mean", "SegmentMean", "mean", "mean", "0", "[2.5, 0.0, 4.0]")
_sorted("_segment_prod", "SegmentProd", "prod", "product", "1", "[6.0, 1.0, 4.0]")
_sorted("_segment_max", "SegmentMax", "max", "maximum", "0", "[3.0, 0.0, 4.0]")
_sorted("_segment_min", "SegmentMin", "min", "minimum", "0", "[2.0, 0.0, 4.0]")


@composite()
def sparse_segment_mean(x: Array, indices: Index, segment_ids: Index):
    """The mean of chosen slices of each segment.

    Args:
        x (Tensor): shape ``(N, ...)``, a float dtype.
        indices (Tensor): shape ``(M,)``, int32 or int64: which slices.
        segment_ids (Tensor): shape ``(M,)``: the segment of each, in ascending order. Their values are needed at once.
    Returns:
        Tensor of shape ``(S, ...)`` with ``S - 1`` the largest segment. Segments without slices are 0.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if shapes do not fit, or segments are not in order.
    Example:
        >>> ops.sparse_segment_mean(Tensor([2.0, 4.0]), Tensor([0, 1, 1]), Tensor([0, 0, 2])).tolist()
        [3.0, 0.0, 4.0]
    Source: mindspore.ops.sparse_segment_mean
    """
    chosen = x[indices]
    return _segments(chosen, segment_ids, _count(chosen, segment_ids, "SparseSegmentMean"), "mean")
