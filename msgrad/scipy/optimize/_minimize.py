"""Minimization of functions of a vector: BFGS, L-BFGS and the Lagrangian method."""

import collections
import math
from typing import NamedTuple

from ... import log, ops
from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.contracts import Array, Callable, Text
from ...ops._core.define import composite
from ...tensor.tensor import Tensor
from ..utils import _norm
from ._dialect import OPTIMIZE
from ._lagrange import minimize_lagrange
from ._line_search import Line, evaluator, first_step, scalar, search

_CONVERGED, _MOST_STEPS, _SEARCH_FAILED = 0, 1, 2
_FLAT = 1e-10  # below it L-BFGS ignores a step


class OptimizeResults(NamedTuple):
    """The result of `minimize`.

    Attributes:
        x (Tensor): the point.
        success (bool): whether the gradient there is small enough.
        status (int): 0; 1 if there were too many iterations; 3 or 5 if the line search failed (2 and its status).
        fun (float), jac (Tensor): the value and the gradient there.
        hess_inv (Tensor | None): BFGS's estimate of the inverse of the second derivatives.
        nfev, njev (int): how often the function and its gradient were computed.
        nit (int): the iterations.
    """

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: Tensor | None
    nfev: int
    njev: int
    nit: int


class _Bfgs:
    """BFGS directions: by an estimate of the inverse Hessian, updated in each step."""

    def __init__(self, x):
        self.one = ops.eye(x.shape[0], x.shape[0], x.dtype)
        self.inverse = self.one

    def direction(self, gradient):
        return -ops.mv(self.inverse, gradient)

    def update(self, step, change):
        """Updates the estimate: along ``step`` the gradient changed by ``change``."""
        rho = 1.0 / (change * step).sum()
        left = self.one - rho * ops.outer(step, change)
        self.inverse = ops.matmul(ops.matmul(left, self.inverse), left.T) + rho * ops.outer(step, step)


class _Lbfgs:
    """L-BFGS directions: the inverse Hessian estimate from the last steps, never formed as a matrix."""

    inverse = None

    def __init__(self, x, history_size=20):
        self.steps = collections.deque(maxlen=history_size)
        self.scale = None

    def direction(self, gradient):
        if self.scale is None:
            return -gradient
        factors = []
        for step, change, rho in reversed(self.steps):
            factors.append(rho * (step * gradient).sum())
            gradient = gradient - factors[-1] * change
        gradient = self.scale * gradient
        for (step, change, rho), factor in zip(self.steps, reversed(factors), strict=True):
            gradient = gradient + (factor - rho * (change * gradient).sum()) * step
        return -gradient

    def update(self, step, change):
        """Updates the estimate: along ``step`` the gradient changed by ``change``."""
        product = (step * change).sum()
        if product <= _FLAT:
            self.scale = None  # the next direction is that of the gradient
            return
        self.steps.append((step, change, 1.0 / product))
        self.scale = product / (change * change).sum()


def minimize_bfgs(func, x0, jac, maxiter=None, norm=math.inf, gtol=1e-5, line_search_maxiter=10):
    return _descended(_Bfgs(x0), evaluator(func, jac), x0, maxiter, norm, gtol, line_search_maxiter)


def minimize_lbfgs(func, x0, jac, history_size=20, maxiter=None, norm=math.inf, gtol=1e-5, line_search_maxiter=10):
    method = _Lbfgs(x0, history_size)
    return _descended(method, evaluator(func, jac), x0, maxiter, norm, gtol, line_search_maxiter)


def _descended(method, evaluate, x, maxiter, norm, gtol, line_search_maxiter):
    """Descends along directions of ``method`` until the gradient is below ``gtol``."""
    value, gradient = evaluate(x)
    before, count, failure, turn = value + _norm(gradient, 2) / 2.0, 1, None, 0
    converged = bool(_norm(gradient, math.inf) < gtol)
    maximum = 200 * x.size if maxiter is None else maxiter
    while turn < maximum:
        line = Line(evaluate, x, method.direction(gradient))
        start = line.point(ops.zeros((), x.dtype), value, gradient)
        step_found = search(line, start, first_step(start, before), 1e-4, 0.9, line_search_maxiter)
        count += line.count
        if not step_found.is_good:
            failure = step_found.status
            break
        step, change = step_found.point.step * line.direction, step_found.point.gradient - gradient
        before, x, value, gradient = value, x + step, step_found.point.value, step_found.point.gradient
        converged = bool(_norm(gradient, norm) < gtol)
        if converged:
            break
        method.update(step, change)
        turn += 1
    if converged:
        status = _CONVERGED
    elif turn == maximum:
        status = _MOST_STEPS
    else:
        status = _SEARCH_FAILED + failure
    return OptimizeResults(
        x, converged and failure is None, status, scalar(value), gradient, method.inverse, count, count, turn
    )


_METHODS = {"bfgs": minimize_bfgs, "lbfgs": minimize_lbfgs, "lagrange": minimize_lagrange}
_MSG_NO_EFFECT = "For 'minimize', the '%s' has no effect, as in MindSpore 2.10."


@composite(dialect=OPTIMIZE)
def minimize(
    func: Callable,
    x0: Array,
    args: Instance(tuple) = (),
    method: Text | None = None,
    jac=None,
    hess=None,
    hessp=None,
    bounds=None,
    constraints=(),
    tol=None,
    callback=None,
    options: Instance(dict) | None = None,
):
    """Finds a local minimum of a function near an initial point.

    It reads values on the host. Gradients go through the iterations: the point found can be differentiated by ``args``.

    Args:
        func (callable): ``func(x, *args)``, a Tensor without axes; only ``'lagrange'`` leaves ``args`` out.
        x0 (Tensor): shape ``(N,)``, a float dtype: the first point.
        args (tuple): further arguments of ``func``. Default: ``()``.
        method (str): ``'BFGS'``, ``'LBFGS'`` or ``'LAGRANGE'``; must be given.
        jac (callable | None): the gradient of ``func``, of ``x`` alone. Default: ``None``, by differentiation.
        hess, hessp, bounds, callback (None): MindSpore's alone, without effect, which a warning says.
        constraints (sequence[callable]): ``'LAGRANGE'`` keeps what they give below 0. Default: ``()``.
        tol (sequence[float] | None): how far above 0 ``'LAGRANGE'`` accepts each of them. Default: ``None``, by 1.
        options (dict | None): ``maxiter`` (``None``, 200 for each element), ``norm`` (``inf``, of the gradient),
            ``gtol`` (``1e-5``, below which it ends), ``line_search_maxiter`` (``10``), and for ``'LBFGS'``
            ``history_size`` (``20``). For ``'LAGRANGE'``: ``obj_weight``, ``lower``, ``upper``, ``learning_rate``,
            ``coincide_fun``, ``rounds``, ``steps``, ``log_sw``. Default: ``None``.
    Returns:
        named tuple: ``x``, ``success``, ``status``, ``fun``, ``jac``, ``hess_inv`` (BFGS), ``nfev``, ``njev``,
        ``nit``; of ``'LAGRANGE'``: ``succeeded``, ``best_value``, ``object_value``, ``loss_value``.
    Raises:
        TypeError: if an argument has a wrong type, or for another option.  ValueError: without such a method.
    Example:
        >>> result = mindspore.scipy.optimize.minimize(lambda x: ((x - 3) ** 2).sum(), Tensor([0.0]), method="BFGS")
        >>> result.x.tolist(), result.success
        ([3.0], True)
    Source: mindspore.scipy.optimize.minimize
    """
    algorithm = check.one_of(method and method.lower(), tuple(_METHODS), "method", "minimize")
    for name, value in (("hess", hess), ("hessp", hessp), ("bounds", bounds), ("callback", callback)):
        if value is not None:
            log.warning(_MSG_NO_EFFECT, name)
    if algorithm == "lagrange":
        return minimize_lagrange(func, x0, constraints, tol, **(options or {}))
    return _METHODS[algorithm](lambda x: func(x, *args), x0, jac, **(options or {}))
