"""Combines elements of an array with updates at given indices; shared by all scatter operations."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..._contracts import check
from ...engine.handle import Handle
from ...tensor import promotion
from ...tensor.host_values import host_values

_LOGICAL = {"add": "max", "mul": "min"}  # of bools: whether any is True, whether all are


def scatter_by(array, index, updates, reduction):
    """Scatters ``updates`` to ``index`` of ``array`` by a reduction; updates of repeated indices accumulate.

    Args:
        reduction (str): ``"update"``, ``"add"``, ``"sub"``, ``"mul"``, ``"div"``, ``"max"`` or ``"min"``.
    """
    if array.dtype == bool and reduction in _LOGICAL:
        reduction = _LOGICAL[reduction]
    if reduction == "mul":
        return array * _product(array, index, updates)
    if reduction == "div":
        if array.dtype.kind in "iu":  # rounded towards 0; the exact product may not fit in the dtype
            wide = _product(array.astype(np.int64), index, updates.astype(np.int64))
            return lax.div(array.astype(np.int64), wide).astype(array.dtype)
        return array / _product(array, index, updates)
    at = array.at[index]
    put = {"update": at.set, "add": at.add, "sub": at.subtract, "max": at.max, "min": at.min}[reduction]
    return put(updates, mode="drop")


@jax.custom_jvp
def _product(like, index, updates):
    """The product of the updates for each index, 1 where there is none, in the shape and dtype of ``like``."""
    return jnp.ones_like(like).at[index].multiply(updates, mode="drop")


@_product.defjvp
def _product_jvp(primals, tangents):
    # JAX has a derivative for distinct indices only. With respect to an update it is the product of the others there.
    like, index, updates = primals
    is_zero = updates == 0
    factors = jnp.where(is_zero, 1, updates)
    zeros = jnp.zeros(like.shape, np.int32).at[index].add(is_zero, mode="drop")
    is_zero_beside = zeros.at[index].get(mode="fill", fill_value=0) > is_zero
    product = _product(like, index, factors).at[index].get(mode="fill", fill_value=0)
    product_of_others = jnp.where(is_zero_beside, 0, product / factors)
    tangent = jnp.zeros_like(like).at[index].add(product_of_others * tangents[2], mode="drop")
    return _product(like, index, updates), tangent


def no_wraparound(indices):
    """``indices`` with negative ones moved out of range, to be dropped; JAX would count them from the end."""
    return jnp.where(indices < 0, jnp.iinfo(indices.dtype).max, indices)


def scatter_nd_by(array, indices, updates, reduction):
    """As `scatter_by`, with index tuples in the last axis of ``indices``."""
    return scatter_by(array, tuple(jnp.moveaxis(no_wraparound(indices), -1, 0)), updates, reduction)


def same_dtype(x, updates, argument, name):
    """Refuses ``updates`` of another dtype than ``x`` (both Tensors)."""
    if x.aval[1] != updates.aval[1]:
        check.refuse(TypeError, name, argument, f"of the dtype of the input, {x.dtype}", updates)


def promoted(x, updates, argument, name):
    """``updates`` cast to the dtype of ``x`` (both Tensors); refuses those that would narrow."""
    if x.aval[1] != updates.aval[1] and promotion.result_dtype("add", x.aval[1], updates.aval[1]) == x.aval[1]:
        return updates.astype(x.dtype)
    same_dtype(x, updates, argument, name)
    return updates


def check_tuples(shape, indices, updates, name, error: type[Exception] = RuntimeError):
    """Raises unless the shapes of ``indices`` and ``updates`` (Tensors) match an input's shape.

    Raises:
        ValueError: if their shapes do not fit.  RuntimeError, or ``error``: if an index is known to be out of range.
    """
    lengths = indices.aval[0]
    if not lengths or lengths[-1] > len(shape):
        check.refuse(ValueError, name, "indices", f"of a last axis of at most {len(shape)}", indices)
    expected = lengths[:-1] + shape[lengths[-1] :]
    if updates.aval[0] != expected:
        check.refuse(ValueError, name, "updates", f"of shape {expected}", updates)
    values = host_values(indices) if isinstance(indices, Handle) else None
    if values is not None:
        outside = (values < 0) | (values >= np.array(shape[: lengths[-1]], np.int64))
        if outside.any():
            row = values.reshape(-1, lengths[-1])[np.flatnonzero(outside.any(-1))[0]].tolist()
            check.refuse(error, name, "indices", f"indices in a Tensor of shape {shape}", row)
