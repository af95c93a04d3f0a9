"""Optimizer steps by sparse gradients, applied sequentially row by row, as MindSpore's kernels do.

A row whose index is repeated is updated again. MindSpore names these Primitives in ``ops.operations.nn_ops`` alone.
"""

from .._core.tables import Table
from .optimizer_formulas import adagrad_da, centered_rms_prop, momentum, proximal_step
from .row_formulas import row_by_row
from .update_rules import rule

INNER_STEPS = Table()  # the Primitives by name
_LOCKING = ("use_locking",)
_ROWS = " For the rows in ``indices``, one after the other."


def _centered_rms_prop(var, mean, squares, moment, /, rate, decay, momentum, epsilon, grad):
    return centered_rms_prop(var, mean, squares, moment, grad, rate, decay, momentum, epsilon)


def _rule(text, step, summary):
    options = {"table": INNER_STEPS, "path": "mindspore.ops.operations.nn_ops"}
    rule(text, row_by_row(step), summary + _ROWS, gives="first", hints=_LOCKING, **options)


_rule(
    "SparseApplyMomentum(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(var, accum, lr, grad, indices, momentum)",
    momentum, "`ApplyMomentum`.",
)  # fmt: skip
_rule(
    "SparseApplyAdagradDA(use_locking: Bool = False)"
    "(var, grad_accum, grad_square_accum, grad, indices, lr, l1, l2, global_step)",
    adagrad_da, "`ApplyAdagradDA`.",
)  # fmt: skip
_rule(
    "SparseApplyCenteredRMSProp(use_locking: Bool = False)"
    "(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices)",
    _centered_rms_prop, "`ApplyCenteredRMSProp`.",
)  # fmt: skip
_rule(
    "SparseApplyProximalGradientDescent(use_locking: Bool = False)(var, alpha, l1, l2, grad, indices)",
    proximal_step, "`ApplyProximalGradientDescent`.",
)  # fmt: skip
