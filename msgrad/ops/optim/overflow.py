"""Overflow handling: tests whether values are finite, and computes loss scales."""

import jax.numpy as jnp

from ..._contracts.contracts import Array, Arrays
from ..._contracts.kinds import Scalar
from .._core.define import op


@op(name="_are_finite")
def are_finite(values: Arrays):
    """Whether every element of every Tensor is finite: a 0-d bool."""
    return jnp.stack([jnp.isfinite(value).all() for value in values]).all()


@op(name="_status_vector")
def first_of(status: Array, x: Array):
    """Zeros like a 1-d Tensor, with a bool as the first number."""
    return jnp.zeros_like(x).at[0].set(status.astype(x.dtype))


@op(name="_values")
def values_of(values: Arrays):
    """The current values of several Tensors."""
    return tuple(values)


@op(name="_select_lists")
def chosen(condition: Array, first: Arrays, second: Arrays):
    """Selects one of two lists of Tensors by a bool Tensor."""
    condition = condition.reshape(())
    return tuple(jnp.where(condition, new, old) for new, old in zip(first, second, strict=True))


@op(name="_next_scale_by_count")
def scaled_on(scale: Array, count: Array, finite: Array, factor: Scalar(), window: Scalar()):
    """The next scale (at least 1) and the steps since its change: lowered on overflow, raised after ``window``."""
    more = scale * factor
    more = jnp.where(jnp.isfinite(more) & (count == window - 1), more, scale)
    scale = jnp.where(finite, more, jnp.maximum(1, scale / factor)).astype(scale.dtype)
    return scale, jnp.where(finite, (count + 1) % window, 0).astype(count.dtype)


@op(name="_next_scale_by_step")
def scaled_since(scale: Array, step: Array, last: Array, overflow: Array, factor: Array, window: Array):
    """The next scale (at least 1) and the step of its change: lowered on overflow, raised after ``window``."""
    rises = (window <= step - last) & ~overflow
    fallen = jnp.where(overflow, jnp.maximum(scale / factor, 1), scale)
    return jnp.where(rises, fallen * factor, fallen).astype(scale.dtype), jnp.where(overflow | rises, step, last)
