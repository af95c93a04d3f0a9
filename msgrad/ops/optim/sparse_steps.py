"""The steps of `optimizer_steps` for sparse gradients: rows with their ``indices``.

Gradients of the same row are summed first; attributes named ``use_locking`` have no effect.
"""

import jax.numpy as jnp

from .optimizer_formulas import adadelta, adagrad, adam, ftrl, proximal_adagrad, rms_prop
from .row_formulas import on_rows
from .update_rules import rule

_LOCKING = ("use_locking",)
_ROWS = " For the rows in ``indices`` alone."


def _adam_everywhere(var, m, v, /, power1, power2, rate, beta1, beta2, epsilon, grad, indices, nesterov):
    """Adam's step with a sparse gradient; with ``nesterov`` other rows of ``var`` are unchanged, as in MindSpore."""
    whole = jnp.zeros_like(var).at[indices].add(grad)
    new, m, v = adam(var, m, v, power1, power2, rate, beta1, beta2, epsilon, whole, nesterov)
    if nesterov:
        is_given = jnp.zeros(len(var), bool).at[indices].set(True)
        new = jnp.where(is_given.reshape((-1,) + (1,) * (var.ndim - 1)), new, var)
    return new, m, v


def _adadelta(var, accum, moved, /, rate, rho, grad, epsilon):
    return adadelta(var, accum, moved, rate, rho, epsilon, grad)


def _adagrad(var, accum, /, grad, rate, slots):
    return adagrad(var, accum, rate, grad, slots)


def _adagrad_v2(var, accum, /, grad, rate, epsilon, slots):
    # Unlike ApplyAdagradV2, MindSpore 2.10 adds epsilon below the root.
    accum = accum + jnp.square(grad) if slots else accum
    return var - rate * grad / jnp.sqrt(accum + epsilon), accum


def _ftrl_v2(var, accum, linear, /, grad, rate, l1, l2, shrinkage, power):
    return ftrl(var, accum, linear, grad, rate, l1, l2, power, shrinkage)


rule(
    "SparseApplyAdadelta(epsilon: Scalar(of=NonNegativeFloat), use_locking: Bool = False)"
    "(var, accum, accum_update, lr, rho, grad, indices)",
    on_rows(_adadelta), "`ApplyAdadelta`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "SparseApplyAdagrad(lr: Scalar(of=Float), update_slots: Bool = True, use_locking: Bool = False)"
    "(var, accum, grad, indices)",
    on_rows(_adagrad), "`ApplyAdagrad`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "SparseApplyAdagradV2(lr: Scalar(of=Float), epsilon: Scalar(of=Float), use_locking: Bool = False, "
    "update_slots: Bool = True)"
    "(var, accum, grad, indices)",
    on_rows(_adagrad_v2),
    "``accum += grad^2`` if ``update_slots``, ``var -= lr * grad / sqrt(accum + epsilon)``." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "SparseApplyFtrl(lr: Scalar(of=PositiveFloat), l1: Scalar(of=NonNegativeFloat), l2: Scalar(of=NonNegativeFloat), "
    "lr_power: Scalar(of=NonPositiveFloat), use_locking: Bool = False)"
    "(var, accum, linear, grad, indices)",
    on_rows(ftrl), "`ApplyFtrl`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "SparseApplyFtrlV2(lr: Scalar(of=PositiveFloat), l1: Scalar(of=NonNegativeFloat), l2: Scalar(of=NonNegativeFloat), "
    "l2_shrinkage: Scalar(of=Float), lr_power: Scalar(of=NonPositiveFloat), use_locking: Bool = False)"
    "(var, accum, linear, grad, indices)",
    on_rows(_ftrl_v2), "`ApplyFtrl` with ``2 * l2_shrinkage * var`` added to the gradient's linear part."
    + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "SparseApplyProximalAdagrad(use_locking: Bool = False)(var, accum, lr, l1, l2, grad, indices)",
    on_rows(proximal_adagrad), "`ApplyProximalAdagrad`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "SparseApplyRMSProp(rho: Scalar(of=Fraction), momentum: Scalar(of=NonNegativeFloat), "
    "epsilon: Scalar(of=PositiveFloat), use_locking: Bool = False)"
    "(var, ms, mom, lr, grad, indices)",
    on_rows(rms_prop), "`ApplyRMSProp`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "FusedSparseAdam(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices)",
    _adam_everywhere, "`Adam` for all rows; the gradient is 0 for those that are not in ``indices``.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "FusedSparseLazyAdam(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices)",
    on_rows(adam), "`Adam`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "FusedSparseFtrl(lr: Scalar(of=PositiveFloat), l1: Scalar(of=NonNegativeFloat), l2: Scalar(of=NonNegativeFloat), "
    "lr_power: Scalar(of=NonPositiveFloat), use_locking: Bool = False)"
    "(var, accum, linear, grad, indices)",
    on_rows(ftrl), "`ApplyFtrl`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
rule(
    "FusedSparseProximalAdagrad(use_locking: Bool = False)(var, accum, lr, l1, l2, grad, indices)",
    on_rows(proximal_adagrad), "`ApplyProximalAdagrad`." + _ROWS, hints=_LOCKING,
)  # fmt: skip
