"""Steps of optimizers for gradients by rows: functions of whole arrays in which the ``indices`` follow the gradient."""

import functools
import inspect
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from .._shared import ordering
from .optimizer_formulas import adam, adam_step, ftrl, proximal_adagrad, updated_by


def merged(grad, indices, count) -> Any:
    """The rows of ``grad`` with equal indices summed, and their indices; unused entries have the index ``count``."""
    order, places, rows = _distinct(indices, count)
    return jax.ops.segment_sum(grad[order], places, len(indices)), rows


def _distinct(indices, count):
    """The order in which equal indices follow each other, the place of each among the distinct ones, and these."""
    order = ordering.order(indices)
    indices = indices[order]
    places = jnp.cumsum(jnp.diff(indices, prepend=-1) != 0) - 1
    return order, places, jnp.full_like(indices, count).at[places].set(indices)


def _places(step):
    """How many arguments of ``step``, the first ones, have rows, and the index of the gradient."""
    return len(updated_by(step)), list(inspect.signature(step).parameters).index("grad")


def on_rows(step):
    """Applies ``step`` to the rows selected by ``indices``; gradients of the same row are summed first.

    Args:
        step (callable): of whole arrays and the options, without the indices; what it updates has rows.
    """
    written, grad_place = _places(step)

    @functools.wraps(step)
    def run(*values):
        values = list(values)
        indices = values.pop(grad_place + 1)
        whole = values[:written]
        values[grad_place], rows = merged(values[grad_place], indices, len(whole[0]))
        values[:written] = [each.at[rows].get(mode="fill", fill_value=1) for each in whole]
        updated = step(*values)
        return tuple([each.at[rows].set(new, mode="drop") for each, new in zip(whole, updated, strict=True)])

    return run


def row_by_row(step):
    """Updates rows one after the other, in place of `on_rows`: a row with a repeated index is updated again."""
    written, grad_place = _places(step)

    @functools.wraps(step)
    def run(*values):
        values = list(values)
        gradient, indices = values[grad_place], values.pop(grad_place + 1)
        whole, others = values[:written], (values[written:grad_place], values[grad_place + 1 :])
        order, places, rows = _distinct(indices, len(whole[0]))

        def one(table, entry):
            row, place = entry
            old = lax.dynamic_index_in_dim(table, place, keepdims=False)
            new = jnp.stack(step(*old, *others[0], row, *others[1])).astype(table.dtype)
            return lax.dynamic_update_index_in_dim(table, new, place, 0), None

        # One array of the rows in question, which XLA updates in place. Several, each of which the other ones' new rows
        # depend on, it would copy at each turn.
        table = jnp.stack([each.at[rows].get(mode="fill", fill_value=1) for each in whole], 1)
        table, _ = lax.scan(one, table, (gradient[order], places))
        return tuple([each.at[rows].set(table[:, k], mode="drop") for k, each in enumerate(whole)])

    return run


def _merging(step):
    _, grad_place = _places(step)

    @functools.wraps(step)
    def run(*values):
        values = list(values)
        places = slice(grad_place, grad_place + 2)
        values[places] = merged(*values[places], len(values[0]))
        return step(*values)

    return run


def _lazy_adam(var, m, v, /, power1, power2, rate, beta1, beta2, epsilon, grad, indices, nesterov):
    """Adam's step of the rows in ``indices``: each occurrence adds its own, the last one's moments stay."""
    m_rows, v_rows = (each.at[indices].get(mode="fill", fill_value=0) for each in (m, v))
    *moments, delta = adam_step(m_rows, v_rows, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov)
    m, v = [each.at[indices].set(new, mode="drop") for each, new in zip((m, v), moments, strict=True)]
    return var.at[indices].add(delta, mode="drop"), m, v


def _adam(var, m, v, /, power1, power2, rate, beta1, beta2, epsilon, grad, indices, nesterov):
    """Adam's step of all rows: each occurrence of a row adds to its moments, to the second one its square."""
    part = (1 - beta1) * grad
    m = (beta1 * m).at[indices].add(part, mode="drop")
    v = (beta2 * v).at[indices].add((1 - beta2) * jnp.square(grad), mode="drop")
    step = (beta1 * m).at[indices].add(part, mode="drop") if nesterov else m
    rate = rate * jnp.sqrt(1 - power2) / (1 - power1)
    return var - rate * step / (jnp.sqrt(v) + epsilon), m, v


# For each formula its step by rows, without and with a sum over equal indices. MindSpore sums on a CPU only where the
# optimizer's `target` is set to 'CPU', so each occurrence of a row counts for itself; elsewhere where `unique` is True.
LAZY_ADAM = _lazy_adam, on_rows(adam)
ADAM = _adam, _merging(_adam)
FTRL = row_by_row(ftrl), on_rows(ftrl)
PROXIMAL_ADAGRAD = (on_rows(proximal_adagrad),) * 2  # MindSpore has no kernel that does not sum
