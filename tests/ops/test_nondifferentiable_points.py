"""Derivatives at non-differentiable points: MindSpore's choices on a CPU (float32, relative to 1e-5)."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops

from ..helpers import assert_close

NAN, INF = np.nan, np.inf
PLACES = Tensor([[0], [1]])

# name, function, inputs, the derivative with respect to each input
POINTS = [
    ("abs", ops.abs, [[-2, 0, 2]], [[-1, 0, 1]]),
    ("relu", ops.relu, [[-1, 0, 1]], [[0, 0, 1]]),
    ("relu6", ops.relu6, [[0, 3, 6, 7]], [[0, 1, 1, 0]]),
    ("sign", ops.sign, [[-1, 0, 1]], [[0, 0, 0]]),
    ("floor", ops.floor, [[-1, 0.5]], [[0, 0]]),
    ("round", ops.round, [[-1, 0.5]], [[0, 0]]),
    ("frac", ops.frac, [[-1, 0.5]], [[1, 1]]),
    ("mod", lambda x: x % 2, [[-1, 0, 6]], [[1, 1, 1]]),
    ("fmod", lambda x: ops.fmod(x, 2), [[-1, 0, 6]], [[1, 1, 1]]),
    ("floordiv", lambda x: x // 2, [[-1, 0, 6]], [[0, 0, 0]]),
    ("sqrt", ops.sqrt, [[-1, 0]], [[NAN, INF]]),
    ("rsqrt", ops.rsqrt, [[-1, 0]], [[NAN, -INF]]),
    ("log", ops.log, [[-1, 0]], [[-1, INF]]),
    ("reciprocal", ops.reciprocal, [[0]], [[-INF]]),
    ("asin", ops.asin, [[1, 3]], [[INF, NAN]]),
    ("acosh", ops.acosh, [[-1, 0, 1, 3]], [[NAN, NAN, INF, 0.353553]]),
    ("leaky_relu", lambda x: ops.leaky_relu(x, 0.1), [[-1, 0, 1]], [[0.1, 0.55, 1]]),
    ("elu", ops.elu, [[-1, 0, 1]], [[0.367879, 1, 1]]),
    ("celu", ops.celu, [[-1, 0, 1]], [[0.367879, 1, 1]]),
    ("selu", ops.selu, [[-1, 0]], [[0.646769, 1.0507]]),  # MindSpore's own value at -1, -0.116975, is a defect
    ("hardtanh", ops.hardtanh, [[-1, 0, 1]], [[0.5, 1, 0.5]]),
    ("hardsigmoid", ops.hardsigmoid, [[-3, 0, 3]], [[0, 0.166667, 0]]),
    ("hardswish", ops.hardswish, [[-4, -3, 0, 3, 6]], [[0, -0.5, 0.5, 1.5, 1]]),
    ("hardshrink", ops.hardshrink, [[-1, 0, 1]], [[1, 0, 1]]),
    ("softshrink", ops.softshrink, [[-1, 0, 1]], [[1, 0, 1]]),
    ("threshold", lambda x: ops.threshold(x, 0.0, 5.0), [[-1, 0, 1]], [[0, 0, 1]]),
    ("clamp", lambda x: ops.clamp(x, -1.0, 1.0), [[-2, -1, 0, 1]], [[0, 1, 1, 1]]),
    ("clamp_tensors", ops.clamp, [[0, 1, 2, 3], [1] * 4, [2] * 4], [[0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]),
    ("clip_by_value", ops.clip_by_value, [[0, 1, 2], [1] * 3, [3] * 3], [[0, 0.5, 1], [1, 0.5, 0], [0, 0, 0]]),
    ("maximum", ops.maximum, [[1, 2], [1, 1]], [[0.5, 1], [0.5, 0]]),
    ("minimum", ops.minimum, [[1, 2], [1, 1]], [[0.5, 0], [0.5, 1]]),
    ("maximum_self", lambda x: ops.maximum(x, x), [[1]], [[1]]),
    ("fmax", ops.fmax, [[1, 2], [1, 1]], [[1, 1], [0, 0]]),
    ("max", lambda x: x.max(), [[1, 3, 3]], [[0, 0.5, 0.5]]),
    ("min", lambda x: x.min(), [[1, 1, 3]], [[0.5, 0.5, 0]]),
    ("ops_max", lambda x: ops.max(x)[0], [[1, 3, 3]], [[0, 0.5, 0.5]]),
    ("amax_axis", lambda x: ops.amax(x, 0), [[1, 3, 3]], [[0, 0.5, 0.5]]),
    ("max_axis", lambda x: x.max(axis=0), [[1, 3, 3]], [[0, 1, 0]]),
    ("min_axis", lambda x: ops.min(x, 0)[0], [[1, 1, 3]], [[1, 0, 0]]),
    ("topk", lambda x: ops.topk(x, 2)[0], [[1, 3, 3]], [[0, 1, 1]]),
    ("scatter_mul", lambda x, y: ops.tensor_scatter_mul(x, PLACES, y), [[2, 3, 5], [0, 4]], [[0, 4, 1], [2, 3]]),
    ("norm", ops.norm, [[0, 0]], [[NAN, NAN]]),
    ("norm_1", lambda x: ops.norm(x, 1), [[0, 1]], [[0, 1]]),
    ("norm_inf", lambda x: ops.norm(x, INF), [[1, 1]], [[1, 0]]),
    ("pow", ops.pow, [[0, 0, 0, 2, -2], [0, 1, 2, 0, 2]], [[NAN, 1, 0, 0, -4], [0, 0, 0, 0.693147, NAN]]),
    ("pow_0", lambda x: x**0, [[0, 1]], [[NAN, 0]]),
    ("pow_half", lambda x: x**0.5, [[0, 4, -1]], [[INF, 0.25, NAN]]),
    ("zero_pow", lambda x: 0.0**x, [[0, 1]], [[0, 0]]),
    ("xlogy", ops.xlogy, [[0, 0, 1], [0, 1, 0]], [[0, 0, -INF], [NAN, 0, INF]]),
    ("atan2", ops.atan2, [[0, 1], [0, 0]], [[NAN, 0], [NAN, -1]]),
    ("div", lambda x, y: x / y, [[1], [0]], [[INF], [-INF]]),
    ("hypot", ops.hypot, [[0, 3], [0, 4]], [[NAN, 0.6], [NAN, 0.8]]),
    ("prod_one_zero", ops.prod, [[0, 2, 3]], [[6, 0, 0]]),
    ("prod_two_zeros", ops.prod, [[0, 0, 3]], [[0, 0, 0]]),
    ("cumprod", lambda x: ops.cumprod(x, 0), [[0, 2, 3]], [[NAN, 0, 0]]),
    ("std", ops.std, [[1, 1]], [[NAN, NAN]]),
    ("var", ops.var, [[1, 1]], [[NAN, NAN]]),
    ("logsumexp", lambda x: ops.logsumexp(x, 0), [[1, 1]], [[0.5, 0.5]]),
    ("smooth_l1", ops.smooth_l1_loss, [[0, 1, 2], [0, 0, 0]], [[0, 1, 1], [0, -1, -1]]),
]


def gradients(function, inputs):
    tensors = [Tensor(np.array(values, np.float32)) for values in inputs]
    return ops.GradOperation(get_all=True)(function)(*tensors)


@pytest.mark.parametrize("name, function, inputs, expected", POINTS, ids=[row[0] for row in POINTS])
def test_derivative(name, function, inputs, expected):
    for actual, wanted in zip(gradients(function, inputs), expected, strict=True):
        assert_close(actual.asnumpy(), np.array(wanted, np.float32), rtol=1e-5)


@pytest.mark.parametrize("exponent, expected", [(2, [2, 2]), (3, [0, 12])])
def test_whole_powers_have_every_derivative_at_zero(exponent, expected):
    second = ms.grad(ms.grad(lambda x: x**exponent))
    assert_close(second(Tensor([0.0, 2.0])).asnumpy(), np.array(expected, np.float32))
