"""Layouts of queries, keys and values, and which pairs a ``sparse_mode`` hides."""

from typing import Any

import jax.numpy as jnp

from ..._contracts import check
from .steps import Causal, Hidden, positions

LAYOUTS = {  # for each layout: the axes batch, heads, sequence of an operand of 4 axes; None if heads are merged
    "BSH": None,
    "SBH": None,
    "BSND": (0, 2, 1, 3),
    "BNSD": (0, 1, 2, 3),
}


def heads_apart(x, heads, layout):
    """Reshapes an operand in any layout to ``(batch, heads, sequence, size)``."""
    if layout == "TND":
        return x.swapaxes(0, 1)[None]
    if layout == "SBH":
        x = x.swapaxes(0, 1)
    if LAYOUTS[layout] is None:
        return x.reshape((*x.shape[:2], heads, -1)).swapaxes(1, 2)
    return x.transpose(LAYOUTS[layout])


def as_given(x, layout):
    """The reverse of `heads_apart`."""
    if layout == "TND":
        return x[0].swapaxes(0, 1)
    if LAYOUTS[layout] is not None:
        return x.transpose(LAYOUTS[layout])
    x = x.swapaxes(1, 2).reshape((x.shape[0], x.shape[2], -1))
    return x.swapaxes(0, 1) if layout == "SBH" else x


def apart(owner, query, key, value, heads, layout):
    """Queries, keys and values as ``(batch, heads, sequence, size)``; the latter two may have fewer heads.

    Raises:
        ValueError: if the shapes do not fit the layout and the number of heads.
    """
    is_merged = layout in ("BSH", "SBH")
    rank = 3 if is_merged or layout == "TND" else 4
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.ndim != rank:
            check.refuse(ValueError, owner, name, f"of {rank} axes in the layout {layout}", x.shape)
    size = query.shape[-1] // heads if is_merged else query.shape[-1]
    if is_merged and (query.shape[-1] % heads or key.shape[-1] % max(size, 1)):
        expected = f"of a last axis that {heads} heads share, whose size divides that of 'key', {key.shape}"
        check.refuse(ValueError, owner, "query", expected, query.shape)
    fewer = key.shape[-1] // max(size, 1)
    q, k, v = (heads_apart(x, each, layout) for x, each in ((query, heads), (key, fewer), (value, fewer)))
    if q.shape[1] != heads:
        check.refuse(ValueError, owner, "query", f"of {heads} heads", query.shape)
    if k.shape[3] != q.shape[3] or k.shape[:3] != v.shape[:3] or k.shape[0] != q.shape[0] or heads % k.shape[1]:
        expected = f"of the batch and size of 'query', {query.shape}, and a number of heads that divides {heads}"
        check.refuse(ValueError, owner, "key", expected, key.shape)
    return q, k, v


def sparse_steps(mode, rows, columns, before, after, prefix: Any = None):
    """The steps that hide pairs in a ``sparse_mode`` of 2 to 5, or by the band alone for mode 0."""
    row, column = positions(rows, columns)
    if mode == 2 or (mode == 3 and rows == columns):
        return [Causal(rows, columns)]
    from_end = columns - rows
    if mode == 3:
        return [Hidden(lambda row, column: column - row > from_end, row, column)]
    if mode == 5:
        return [
            Hidden(lambda row, column, prefix: (column - row > from_end) & (column >= prefix), row, column,
                   prefix.reshape(-1, 1, 1, 1))
        ]  # fmt: skip
    shift = from_end if mode == 4 else 0
    if min(before, after) >= rows + columns:
        return []
    return [Hidden(lambda row, column: outside(column - row - shift, before, after), row, column)]


def outside(distance, before, after):
    """Whether a distance of a key from its query is outside of a band."""
    return (distance > after) | (-distance > before)


def packed_steps(mode, before, after, query_ends, key_ends, rows, columns):
    """The steps for sequences one behind another, by their cumulative lengths, and the positions in them."""
    row, own_rows, from_rows = _of_sequences(query_ends, rows)
    column, own_columns, from_columns = _of_sequences(key_ends, columns)
    row, own_rows, from_rows = (each[None, None, :, None] for each in (row, own_rows, from_rows))
    column, own_columns, from_columns = (each[None, None, None] for each in (column, own_columns, from_columns))
    steps = [Hidden(lambda one, other: one != other, own_rows, own_columns)]
    if mode in (3, 4):  # counted from the end of each sequence
        row, column = row - from_rows, column - from_columns
    if mode in (2, 3):
        steps.append(Hidden(lambda row, column: column > row, row, column))
    if mode == 4:
        steps.append(Hidden(lambda row, column: outside(column - row, before, after), row, column))
    return steps, row, column


def _of_sequences(ends, count):
    """For each of ``count`` elements its position in its sequence, the number of the sequence, and its length."""
    at = jnp.arange(count, dtype=jnp.int32)
    ends = ends.astype(jnp.int32)
    number = jnp.searchsorted(ends, at, side="right").astype(jnp.int32)
    starts = jnp.concatenate([jnp.zeros(1, jnp.int32), ends])
    lengths = jnp.diff(starts, append=jnp.int32(count))
    return at - starts[number], number, lengths[number]
