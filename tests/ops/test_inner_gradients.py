"""Internal gradient Primitives that MindSpore's CPU has no kernel for: against finite differences.

The others are compared with MindSpore's own values: `tests.expressions.gradients`.
"""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad._compat.ops import gradients as G  # noqa: N812

from ..helpers import assert_close


def waves(*shape, step=1.0):
    """Numbers without ties or order."""
    return np.cos(step * np.arange(np.prod(shape))).reshape(shape)


IMAGE, SMALL = waves(1, 2, 4, 4), waves(1, 2, 2, 2)
ROWS, LABELS = waves(2, 3), Tensor(np.array([[0, 2, -1], [1, -1, -1]], np.int32))
PLACES = Tensor(np.array([[[[0, 3], [9, 14]], [[5, 2], [8, 15]]]], np.int64))
FACTOR, SCALE = np.array([[2.0, 0.0], [1.0, 3.0]]), waves(3) + 2
MATRIX = FACTOR @ FACTOR.T
SEGMENTS = Tensor(np.array([0, 2, 3], np.int32)), Tensor(np.array([0, 0, 1], np.int32))
OFFSETS = waves(1, 12, 2, 2, step=0.7) * 0.3 + 0.4
SIZES = Tensor(np.array([3, 3], np.int32)), Tensor(np.array([1.2, 0.8], np.float32)), Tensor(np.zeros(2, np.float32))


def norm(x, scale):
    return x * ops.rsqrt((x * x).mean(-1, keep_dims=True) + 0.01) * scale


def picked(x):
    return x.reshape((1, 2, 16)).gather_elements(2, PLACES.reshape((1, 2, 4))).reshape((1, 2, 2, 2))


# The operation, its operands that are differentiated by, the gradient of the result, what the Primitive gives.
CASES = {
    "RmsNormGrad": (
        norm, [ROWS, SCALE], ROWS**3,
        lambda x, g, d: G.RmsNormGrad()(d, x, ops.rsqrt((x * x).mean(-1, keep_dims=True) + 0.01), g),
    ),
    "Dilation2DBackpropInput": (
        lambda x: ops.Dilation2D(1, 1)(x, Tensor(waves(2, 2, 2))), [IMAGE], IMAGE**2,
        lambda x, d: G.Dilation2DBackpropInput(1, 1)(x, Tensor(waves(2, 2, 2)), d),
    ),
    "Dilation2DBackpropFilter": (
        lambda w: ops.Dilation2D(1, 1)(Tensor(IMAGE), w), [waves(2, 2, 2)], IMAGE**2,
        lambda w, d: G.Dilation2DBackpropFilter(1, 1)(Tensor(IMAGE), w, d),
    ),
    "MultilabelMarginLossGrad": (
        lambda x: ops.MultilabelMarginLoss("none")(x, LABELS)[0], [ROWS.astype(np.float32)], np.array([1.0, 2.0]),
        lambda x, d: G.MultilabelMarginLossGrad("none")(d, x, LABELS, LABELS),
    ),
    "SparseSegmentSumGrad": (
        lambda x: ops.stack([x[0] + x[2], x[3]]), [waves(4, 3)], waves(2, 3),
        lambda x, d: G.SparseSegmentSumGrad()(d, *SEGMENTS, Tensor(4)),
    ),
    "CholeskyGrad": (
        lambda a: ops.Cholesky()((a + a.T) / 2), [MATRIX], np.array([[1.0, 0.0], [2.0, 3.0]]),
        lambda a, d: G.CholeskyGrad()(Tensor(FACTOR), d),
    ),
    "EinsumGrad": (
        lambda x, y: x @ y, [waves(2, 3), waves(3, 2)], waves(2, 2),
        lambda x, y, d: G.EinsumGrad("ij,jk->ik")((x, y), d),
    ),
    "SeluGrad": (ops.selu, [ROWS], ROWS + 2, lambda x, d: G.SeluGrad()(d, ops.selu(x))),
    "EluGrad": (ops.elu, [ROWS], ROWS + 2, lambda x, d: G.EluGrad()(d, ops.elu(x))),
    "SoftmaxGrad": (
        lambda x: ops.softmax(x, -1), [ROWS], ROWS**3, lambda x, d: G.SoftmaxGrad()(ops.softmax(x, -1), d),
    ),
    "UniqueGrad": (
        lambda y: ops.stack([y[0] + y[2], y[1]]), [waves(3)], np.array([2.0, 5.0]),
        lambda y, d: G.UniqueGrad()((d, d), (d, Tensor(np.array([0, 1, 0], np.int32)))),
    ),
    "FractionalMaxPoolGradWithFixedKsize": (
        picked, [IMAGE], SMALL, lambda x, d: G.FractionalMaxPoolGradWithFixedKsize()(x, d, PLACES),
    ),
    "MaxPoolGradV1": (
        ops.MaxPool(2, 2), [IMAGE.astype(np.float32)], SMALL,
        lambda x, d: G.MaxPoolGradV1(2, 2)(x, ops.MaxPool(2, 2)(x), d),
    ),
    "AvgPoolGradV1": (
        ops.AvgPool(2, 2), [IMAGE.astype(np.float32)], SMALL,
        lambda x, d: G.AvgPoolGradV1(2, 2)(x.shape, d.astype(np.float32)),
    ),
    "DeformableOffsetsGrad": (
        ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2)),
        [waves(1, 1, 3, 3).astype(np.float32), OFFSETS.astype(np.float32)], waves(1, 1, 4, 4),
        lambda x, o, d: G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(d, x, o),
    ),
    "ScaleAndTranslateGrad": (
        lambda x: ops.ScaleAndTranslate("triangle", False)(x, *SIZES), [waves(1, 4, 4, 1).astype(np.float32)],
        waves(1, 3, 3, 1),
        lambda x, d: G.ScaleAndTranslateGrad("triangle", False)(d.astype(np.float32), x, *SIZES[1:]),
    ),
}  # fmt: skip


def differences(operation, operands, cotangent, place):
    """The derivative with respect to each element of an operand, from two values of the operation."""
    result = np.zeros(operands[place].shape)
    step = 1e-6 if operands[place].dtype == np.float64 else 1e-2
    for index in np.ndindex(result.shape):
        sides = []
        for sign in (1, -1):
            moved = [each.copy() for each in operands]
            moved[place][index] += sign * step
            sides.append((operation(*map(Tensor, moved)).asnumpy().astype(np.float64) * cotangent).sum())
        result[index] = (sides[0] - sides[1]) / (2 * step)
    return result


@pytest.mark.parametrize("name", CASES)
def test_gradient_is_that_of_the_operation(name):
    operation, operands, cotangent, gradient = CASES[name]
    actual = gradient(*map(Tensor, operands), Tensor(cotangent))
    actual = actual if isinstance(actual, tuple) else (actual,)
    for place, each in enumerate(actual):
        exact = operands[place].dtype == np.float64
        expected = differences(operation, operands, cotangent, place)
        assert_close(
            each.asnumpy().astype(np.float64), expected, rtol=1e-5 if exact else 1e-2, atol=1e-5 if exact else 1e-2
        )


def test_gradients_can_be_compiled_and_differentiated():
    x = Tensor(np.array([[1.0, 2.0, -1.0]], np.float32))

    @ms.jit
    def twice(x):
        return G.GluGrad(1)(x[:, :1], x[:, :2]).sum() + G.SliceGrad()(x * x, x, (0, 0), (1, 3)).sum()

    eager = G.GluGrad(1)(x[:, :1], x[:, :2]).sum() + (x * x).sum()
    assert_close(twice(x).asnumpy(), eager.asnumpy())
    assert_close(ms.grad(lambda x: G.SliceGrad()(x * x, x, (0, 0), (1, 3)).sum())(x).asnumpy(), 2 * x.asnumpy())


def test_errors_name_the_primitive_and_the_input():
    with pytest.raises(TypeError, match="For 'FlattenGrad', the 'x' must be a Tensor"):
        G.FlattenGrad()(1, (2,))


def test_sparse_add_gradient():  # MindSpore's own values; its module is none of ``ops.operations``
    rows = [Tensor(np.array(each, np.int64)) for each in ([[0, 0], [0, 1]], [[0, 0], [1, 0]], [[0, 0], [0, 1], [1, 0]])]
    actual = G.SparseAddGrad()(Tensor([1.0, 2.0, 3.0]), *rows)
    assert [each.tolist() for each in actual] == [[1.0, 2.0], [1.0, 3.0]]
