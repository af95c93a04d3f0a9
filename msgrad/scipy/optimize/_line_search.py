"""Line search for the strong Wolfe conditions."""

from typing import Any, NamedTuple

from ... import ops
from ..._contracts.contracts import Array, Callable, PositiveInt, Real
from ...autodiff import value_and_grad
from ...ops._core.define import composite
from ...tensor.tensor import Tensor
from ._dialect import OPTIMIZE

# An interpolated step must keep this fraction of the interval's width from both ends.
_CUBIC_MARGIN, _QUADRATIC_MARGIN = 0.2, 0.1
_MOST_ZOOMS = 10
_ZOOM_FAILED, _NO_STEP = 1, 3


class _LineSearchResults(NamedTuple):
    """The result of `line_search`.

    Attributes:
        failed (bool): whether no step satisfies the conditions.
        nit, k (int): how many steps were tried along the line; ``k`` is one more.
        nfev, ngev (int): how often the function and its gradient were computed.
        a_k, f_k (float): the step, and the function's value there.
        g_k (Tensor): the gradient there.
        status (int): 0, or 1 if an interval had no such step, or 3 if there was none in ``maxiter`` steps.
    """

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Tensor
    status: int


class Point(NamedTuple):
    """A step along the line, with the value, directional derivative (slope) and gradient there."""

    step: Tensor
    value: Tensor
    slope: Tensor
    gradient: Tensor


class Line:
    """A function along a line.

    Args:
        evaluate (callable): the function's value and gradient.
        origin, direction (Tensor): vectors.

    Attributes:
        count (int): how often the function was computed.
    """

    def __init__(self, evaluate, origin, direction):
        self.evaluate, self.origin, self.direction = evaluate, origin, direction
        self.count = 0

    def at(self, step):
        """The `Point` of a step."""
        self.count += 1
        return self.point(step, *self.evaluate(self.origin + step * self.direction))

    def point(self, step, value, gradient):
        """The `Point` of a step with a given value and gradient."""
        return Point(step, value, (gradient * self.direction).sum(), gradient)


class Found(NamedTuple):
    """The result of a search: the point, whether it satisfies the conditions, the number of steps, and the failure."""

    point: Point
    is_good: bool
    tried: int
    status: int


class _Wolfe:
    """The strong Wolfe conditions: sufficient decrease of the value and of the slope, with two factors."""

    def __init__(self, start, c1, c2):
        self.start, self.c1, self.c2 = start, c1, c2

    def is_high(self, point):
        """Whether the decrease of the value is insufficient."""
        return point.value > self.start.value + self.c1 * point.step * self.start.slope

    def is_flat(self, point):
        """Whether the slope is small enough (curvature condition)."""
        return abs(point.slope) <= -self.c2 * self.start.slope


def evaluator(f, jac):
    """A function that returns the value and the gradient of ``f``; the gradient by ``jac`` if given."""
    return value_and_grad(f) if jac is None else lambda x: (f(x), jac(x))


def search(line, start, first, c1, c2, maxiter):
    """Bracketing phase: doubles the step until it satisfies the conditions or an interval contains one that does.

    Args:
        line (Line): where.
        start (Point): of the step 0.
        first (Tensor): the first step.
        c1, c2 (float): how much the value must fall, and the slope lose.
        maxiter (int): how many steps at most.
    Returns:
        Found.
    """
    wolfe = _Wolfe(start, c1, c2)
    last = start
    for tried in range(1, maxiter + 1):
        point = line.at(first if tried == 1 else 2.0 * last.step)
        if wolfe.is_high(point) or (tried > 1 and point.value >= last.value):
            return _zoomed(line, last, point, wolfe, tried)
        if wolfe.is_flat(point):
            return Found(point, True, tried, 0)
        if point.slope >= 0.0:
            return _zoomed(line, point, last, wolfe, tried)
        last = point
    return Found(start, False, maxiter, _NO_STEP)


def _zoomed(line, low, high, wolfe, tried):
    """The zoom phase of the line search: a point between two, the lower of which decreases enough."""
    before = (low.step + high.step) / 2.0, (low.value + high.value) / 2.0  # a third point, for the cubic
    one = ops.ones_like(low.step)
    nothing = Found(Point(one, low.value, low.slope, wolfe.start.gradient), False, tried, _ZOOM_FAILED)
    for turn in range(_MOST_ZOOMS):
        point = line.at(_interpolated_step(low, high, before if turn else None))
        if wolfe.is_high(point) or point.value >= low.value:
            before, high = high[:2], point
            continue
        if wolfe.is_flat(point):
            return Found(point, True, tried, 0)
        if point.slope * (high.step - low.step) >= 0.0:
            high = low
        before, low = low[:2], point
    return nothing


def _interpolated_step(low, high, third):
    """A step between two: the minimum of an interpolating cubic, else of a parabola, else the midpoint."""
    width = high.step - low.step
    ends = ops.minimum(low.step, high.step), ops.maximum(low.step, high.step)

    def is_inside(step, margin):
        return ops.isfinite(step) and ends[0] + margin * width < step and step < ends[1] - margin * width

    if third is not None:
        step = _minimum_of_cubic(low, high, *third)
        if is_inside(step, _CUBIC_MARGIN):
            return step
    curvature = (high.value - low.value - low.slope * width) / width**2
    step = low.step - low.slope / (2.0 * curvature)
    return step if is_inside(step, _QUADRATIC_MARGIN) else (low.step + high.step) / 2.0


def _minimum_of_cubic(low, high, step, value):
    """The minimum of ``a t**3 + b t**2 + slope t + value``, with ``t`` relative to ``low``."""
    first, second = high.step - low.step, step - low.step
    rises = high.value - low.value - low.slope * first, value - low.value - low.slope * second
    scale = (first * second) ** 2 * (first - second)
    a = (second**2 * rises[0] - first**2 * rises[1]) / scale
    b = (first**3 * rises[1] - second**3 * rises[0]) / scale
    return low.step + (-b + ops.sqrt(b * b - 3.0 * a * low.slope)) / (3.0 * a)


def first_step(start, before):
    """The first step: 1, or a smaller one if the previous value shows a fast decrease.

    Args:
        start (Point): of the step 0.
        before (Tensor | Number | None): the value where the search before began.
    """
    one = ops.ones_like(start.step)
    if before is None:
        return one
    step = 2.02 * (start.value - before) / start.slope
    return ops.minimum(step, one) if ops.isfinite(step) else one


@composite(dialect=OPTIMIZE)
def line_search(
    f: Callable,
    xk: Array,
    pk: Array,
    jac=None,
    gfk=None,
    old_fval=None,
    old_old_fval=None,
    c1: Real = 1e-4,
    c2: Real = 0.9,
    maxiter: PositiveInt = 20,
):
    """Line search: a step along a direction that satisfies the strong Wolfe conditions.

    Args:
        f (callable): of a vector, a Tensor without axes.
        xk, pk (Tensor): shape ``(N,)``, of a float dtype: the point, and the direction, along which ``f`` falls.
        jac (callable | None): the gradient of ``f``. Default: ``None``, by differentiation.
        gfk (Tensor | None): the gradient at ``xk``. Default: ``None``, computed.
        old_fval (Tensor | Number | None): the value at ``xk``. Default: ``None``, computed.
        old_old_fval (Tensor | Number | None): the value before it, by which the first step is chosen. Default:
            ``None``, the step 1.
        c1, c2 (float): how much the value must fall, and the slope lose. Default: ``1e-4``, ``0.9``.
        maxiter (int): how many steps to try. Default: ``20``.
    Returns:
        named tuple: ``failed``, ``nit``, ``nfev``, ``ngev``, ``k``, the step ``a_k``, the value ``f_k`` and the
        gradient ``g_k`` there, ``status`` (1: no good step in an interval, 3: none in ``maxiter``).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``maxiter`` is not positive.
    Example:
        >>> result = mindspore.scipy.optimize.line_search(lambda x: (x * x).sum(), Tensor([1.0]), Tensor([-2.0]))
        >>> result.a_k, result.f_k, result.nfev
        (0.5, 0.0, 3)
    Source: mindspore.scipy.optimize.line_search
    """
    line, zero = Line(evaluator(f, jac), xk, pk), ops.zeros((), xk.dtype)
    start = line.at(zero) if old_fval is None or gfk is None else line.point(zero, zero + old_fval, gfk)
    result = search(line, start, first_step(start, old_old_fval), c1, c2, maxiter)
    step, value, _, gradient = result.point
    counts = (result.tried, line.count, line.count, result.tried + 1)
    return _LineSearchResults(not result.is_good, *counts, scalar(step), scalar(value), gradient, result.status)


def scalar(tensor) -> Any:
    """A 0-d Tensor as a number; any other Tensor unchanged."""
    return tensor if tensor.shape else tensor.item()
