"""Constrained minimization by the augmented Lagrangian method; Adam solves each subproblem."""

from typing import NamedTuple

import numpy as np

from ... import log, ops
from ..._common.compiling import jit
from ..._contracts import check
from ...autodiff import value_and_grad
from ...nn import Adam
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor

_GROWTH, _TIGHTENS, _LOOSENS = 1.1, 0.9, 0.1  # factor of the penalty; powers of it change the tolerances


class _LagrangeResults(NamedTuple):
    """The result of `minimize_lagrange`: whether a point keeps the constraints; point, value, constraints."""

    succeeded: bool
    best_value: np.ndarray
    object_value: np.ndarray
    loss_value: np.ndarray


def _bounded(lower, upper):
    """The function that maps any number to one between bounds, of which either may be None."""
    if lower is None and upper is None:
        return lambda x: x
    if lower is None:
        return lambda x: upper - x * x
    if upper is None:
        return lambda x: lower + x * x
    return lambda x: (upper - lower) * ops.sigmoid(x) + lower


def _step(lagrangian, optimizer):
    """The compiled step of ``optimizer`` down the gradient; it returns what ``lagrangian`` does."""

    @jit
    def stepped(multipliers, penalty):
        results, gradients = value_and_grad(lagrangian, None, optimizer.parameters, has_aux=True)(multipliers, penalty)
        optimizer(gradients)
        return results

    return stepped


def minimize_lagrange(
    func,
    x0,
    constraints,
    save_tol=None,
    obj_weight=1.0,
    lower=None,
    upper=None,
    learning_rate=0.1,
    coincide_fun=None,
    rounds=10,
    steps=1000,
    log_sw=False,
):
    """Minimizes ``func`` where each constraint is below 0; returns the best point of all steps.

    Args:
        func (callable): of the point, and of what ``coincide_fun`` gives if there is one.
        x0 (Tensor): the first point; bounds, where there are some, are mapped to all numbers first.
        constraints (sequence[callable]): as ``func``.
        save_tol (sequence[float] | None): below what each of them is accepted. Default: ``None``, 1.
        obj_weight (float): what ``func`` weighs. Default: ``1.0``.
        lower, upper (Tensor | None): bounds of the point. Default: ``None``.
        learning_rate (float): Adam's. Default: ``0.1``.
        coincide_fun (callable | None): of the point: what ``func`` and the constraints share. Default: ``None``.
        rounds, steps (int): how often multipliers are updated, and steps between. Default: ``10``, ``1000``.
        log_sw (bool): whether values are logged. Default: ``False``.
    Returns:
        named tuple: ``succeeded``, ``best_value``, ``object_value``, ``loss_value``.
    Raises:
        TypeError: if a function is none.  ValueError: if ``save_tol`` has another length than ``constraints``.
    """
    for name, function_or_constraint in [("func", func), *(("constraints", each) for each in constraints)]:
        check.function(function_or_constraint, name, "minimize")
    if save_tol is not None and len(save_tol) != len(constraints):
        check.refuse(ValueError, "minimize", "tol", f"one number for each of {len(constraints)} constraints", save_tol)
    accepted = np.ones(len(constraints)) if save_tol is None else np.asarray(save_tol)
    bounded = _bounded(lower, upper)
    optimizer = Adam([Parameter(x0, name="param")], learning_rate=learning_rate)

    def lagrangian(multipliers, penalty):
        point = bounded(optimizer.parameters[0])
        arguments = (point,) if coincide_fun is None else (point, coincide_fun(point))
        value, above = func(*arguments), ops.stack([each(*arguments) for each in constraints])
        shift = multipliers / penalty
        cost = (ops.relu(shift + above) ** 2 - shift**2).sum()
        return obj_weight * value + penalty / 2 * cost, value, above, point

    stepped = _step(lagrangian, optimizer)
    multipliers, penalty = np.ones(len(constraints), np.float32), 1.0
    threshold = 1.0
    best, minimum, at_best, is_found = x0.asnumpy(), None, np.ones(len(constraints), np.float32), False
    for turn in range(rounds):
        for step in range(steps):
            results = stepped(Tensor(multipliers), Tensor(penalty, x0.dtype))
            cost, value, above, point = (each.asnumpy() for each in results)
            if log_sw:
                log.info("round %d, step %d: value %f, constraints %s, cost %f", turn, step, value, above, cost)
            minimum = value if minimum is None else minimum
            if (above - accepted).max() < 0 and value < minimum:
                best, minimum, at_best, is_found = point, value, above, True
        if np.sqrt((np.maximum(above, -multipliers / penalty) ** 2).sum()) <= threshold:
            multipliers = np.maximum(multipliers + penalty * above, 0)
            threshold = min(threshold / penalty**_TIGHTENS, np.finfo(float).max)
        else:
            penalty *= _GROWTH
            threshold = penalty**-_LOOSENS
    return _LagrangeResults(is_found, best, minimum, at_best)
