"""Inner Primitives that MindSpore 2.10's CPU has no kernel for, and Primitives of programs that have their names.

The others are compared with MindSpore's own values: `tests.expressions.inner`.
"""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, dtype, ops
from msgrad._compat.ops import inner_primitives as I  # noqa: E741, N812
from msgrad._compat.ops.gradients import GRADIENTS

from ..helpers import assert_close


class Shift(ops.PrimitiveWithInfer):
    """As MindSpore's own test writes it: nothing to run, only the name of a kernel."""

    @ops.prim_attr_register
    def __init__(self, periods=1, axis=-1):
        pass


class Gather(ops.Primitive):
    @ops.prim_attr_register
    def __init__(self, batch_dims=0):
        pass


class Nothing(ops.Primitive):
    def __init__(self):
        super().__init__("Nothing")


@pytest.mark.parametrize("periods", [-5, -1, 0, 2, 7])
@pytest.mark.parametrize("axis", [0, -1])
def test_shift_moves_elements_in_and_out(periods, axis):
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    expected = np.full_like(x, 9)
    for place in np.ndindex(x.shape):
        source = list(place)
        source[axis] -= periods
        if 0 <= source[axis] < x.shape[axis]:
            expected[place] = x[tuple(source)]
    assert_close(Shift(periods, axis)(Tensor(x), 9).asnumpy(), expected)
    assert_close(ms.jit(Shift(periods, axis))(Tensor(x), 9).asnumpy(), expected)


def test_a_primitive_of_the_name_of_ours_computes_what_ours_does():
    x, index = Tensor(np.arange(6.0).reshape(2, 3)), Tensor([[0], [2]])
    assert Gather(1)(x, index, 1).tolist() == ops.Gather(1)(x, index, 1).tolist()
    assert ops.Primitive("ReLU")(Tensor([-1.0, 2.0])).tolist() == [0.0, 2.0]
    assert ops.Primitive("LU")(Tensor([[3.0, 1.0], [4.0, 2.0]]))[1].tolist() == [1, 1]  # of mindspore.scipy
    with pytest.raises(RuntimeError, match="'Nothing', there is nothing to run"):
        Nothing()(x)


def test_attributes_come_after_the_inputs_of_a_bare_primitive():
    x = Tensor(np.arange(6.0).reshape(2, 3))
    assert ops.Primitive("ReduceSum")(x, 1, True, False).tolist() == [[3.0], [12.0]]
    assert ops.Primitive("Softmax")(x, 0).tolist() == ops.softmax(x, 0).tolist()
    assert ops.Primitive("MatMul")(x, x, False, True).tolist() == [[5.0, 14.0], [14.0, 50.0]]
    assert ops.Primitive("BroadcastTo")(x[:1], (2, 3)).tolist() == [[0.0, 1.0, 2.0]] * 2
    assert ops.Primitive("Qr")(x[:, :2], False)[1].shape == (2, 2)
    for name, inputs in (("BroadcastTo", (x,)), ("Sin", (x, 3))):
        with pytest.raises(RuntimeError, match=f"For '{name}', the 'inputs' must be Tensors, then the attributes"):
            ops.Primitive(name)(*inputs)


X, Y = Tensor([[3.0, 1.0], [4.0, -2.0]]), Tensor([[0.5, 0.25], [0.75, 2.0]])
I64 = Tensor([[5, 1, 3]])
# A Primitive, what it is called with, and what that is.
OF_MINT = [
    ("AdaptiveAvgPool1D", (X[None], 1), X[None].mean(2, keep_dims=True)), ("ArgMinExt", (X, 1), Tensor([1, 1])),
    ("ArgSort", (X, 1), Tensor([[1, 0], [1, 0]])), ("BitwiseNot", (I64,), -I64 - 1), ("Clone", (X,), X),
    ("DiagExt", (X,), Tensor([3.0, -2.0])), ("EluExt", (X,), ops.elu(X)), ("FlattenExt", (X,), X.reshape(-1)),
    ("IndexAddExt", (X * 1, 0, Tensor([1]), Y[:1], 2), Tensor([[3.0, 1.0], [5.0, -1.5]])),
    ("IsNegInf", (X,), X > 9), ("KLDiv", (X, Y, "sum", False), ops.kl_div(X, Y, "sum")),
    ("Kthvalue", (I64, 2), Tensor([3])), ("LinalgQr", (X,), ops.qr(X)[0]),
    ("LinalgVectorNorm", (X, 1, 1), Tensor([4.0, 6.0])), ("LogSumExp", (X, 1), ops.logsumexp(X, 1)),
    ("MSELossExt", (X, Y), ops.mse_loss(X, Y)), ("MatrixInverseExt", (X,), ops.inverse(X)),
    ("MedianExt", (I64,), Tensor(3)), ("MedianDim", (I64, 1), Tensor([3])),
    ("NewFull", (X, (2,), 7), Tensor([7.0, 7.0])), ("NonZeroExt", (X > 2,), Tensor([[0, 0], [1, 0]])),
    ("Norm", (X, 1, 1), Tensor([4.0, 6.0])), ("Repeat", (X, (1, 2)), ops.cat((X, X), 1)),
    ("SeLUExt", (X,), ops.selu(X)), ("Unsqueeze", (X, 0), X[None]), ("Vdot", (X[0], X[1]), Tensor(10.0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "expected"), OF_MINT)
def test_primitives_of_mint(name, arguments, expected):
    result = getattr(I, name)()(*arguments)
    result = result[0] if isinstance(result, tuple) else result
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    assert_close(result.asnumpy(), expected.asnumpy())


ROWS = [
    ((1,), dtype.tuple_, True), ([1], dtype.tuple_, False), ([1], dtype.list_, True), (1, dtype.int_, True),
    (1.5, dtype.float_, True), (1, dtype.float_, False), (True, dtype.bool_, True), (1, dtype.number, True),
]  # fmt: skip


@pytest.mark.parametrize("value, kind, expected", ROWS)
def test_is_instance(value, kind, expected):
    assert I.IsInstance()(value, kind) is expected


def test_is_subclass():
    assert I.IsSubClass()(dtype.int32, dtype.int_) and not I.IsSubClass()(dtype.int32, dtype.float_)
    with pytest.raises(TypeError, match="For 'IsSubClass', the 'type_' must be a type"):
        I.IsSubClass()(dtype.int32, int)


# Each as MindSpore's graphs answer; outside of graphs most are errors there.
SEQUENCES = [
    (lambda: I.SequenceConcat()((Tensor([1.0]), Tensor([2.0, 3.0]))), [1, 2, 3]),
    (lambda: I.SequenceStack(1)((Tensor([1.0, 5.0]), Tensor([2.0, 3.0]))), [[1, 2], [5, 3]]),
    (lambda: ops.stack(I.SequenceUnstack()(Tensor([[1.0, 5.0], [2.0, 3.0]]))), [[1, 5], [2, 3]]),
    (lambda: Tensor(I.SequenceSliceGrad()((1, 2), (1, 2, 3, 4), 1, 3, 1)), [0, 1, 2, 0]),
    (lambda: Tensor(I.ShapeMulGrad()((2, 3, 4), 1)), [12, 8, 6]),
    (lambda: I.DynamicStitch()((Tensor([0, 2]), Tensor([2, 3])), (Tensor([1, 2]), Tensor([3, 4]))), [1, 0, 3, 4]),
]


@pytest.mark.parametrize("call, expected", SEQUENCES)
def test_sequences(call, expected):
    assert call().tolist() == expected


def ints(*values):
    return Tensor(np.array(values, np.int64))


# By definition: MindSpore 2.10's shape inference fails for both.
RAGGED = [
    (["ROW_SPLITS"], (4, 4), [ints(0, 3, 3, 7, 9)], [[1, 2, 3, 0], [0] * 4, [4, 5, 6, 7], [8, 9, 0, 0]]),
    (["FIRST_DIM_SIZE", "VALUE_ROWIDS"], (-1, -1), [Tensor(3), ints(0, 0, 2)], [[1, 2], [0, 0], [3, 0]]),
    (["ROW_SPLITS", "ROW_SPLITS"], (2, 2, 1), [ints(0, 1, 3), ints(0, 2, 3, 4)], [[[1], [0]], [[3], [4]]]),
]


@pytest.mark.parametrize("kinds, shape, partitions, expected", RAGGED)
def test_ragged_rows(kinds, shape, partitions, expected):
    count = len(partitions[-1]) if kinds[-1] == "VALUE_ROWIDS" else int(partitions[-1].asnumpy()[-1])
    values = Tensor(np.arange(1, count + 1, dtype=np.float32))
    assert I.RaggedTensorToTensor(kinds)(ints(*shape), values, Tensor(0.0), partitions).tolist() == expected


SETS = [
    ("a-b", [3, 4, 6]), ("b-a", [9]), ("intersection", [1, 2, 5]), ("union", [1, 2, 3, 9, 4, 5, 6]),
]  # fmt: skip


@pytest.mark.parametrize("operation, expected", SETS)
def test_set_operations(operation, expected):
    rows, operands = ints([1, 2, 3], [4, 5, 6]), (ints([0, 0], [0, 1], [0, 2], [1, 0]), ints(1, 2, 9, 5), ints(2, 3))
    indices, values, shape = I.DenseToSparseSetOperation(operation)(rows, *operands)
    assert values.tolist() == expected
    assert shape.tolist() == [2, indices.asnumpy()[:, 1].max() + 1]
    with pytest.raises(ValueError, match="For 'DenseToSparseSetOperation', the 'set_operation' must be"):
        I.DenseToSparseSetOperation("xor")(rows, *operands)


def test_eigenvectors_belong_to_their_values():
    a = np.array([[2.0, 9.0], [1.0, 3.0]])  # the upper triangle is not read
    values, vectors = (each.asnumpy() for each in I.Eigh()(Tensor(a)))
    assert_close(np.array([[2.0, 1.0], [1.0, 3.0]]) @ vectors, vectors * values)


def test_sum_of_a_sequence():
    assert I.SequenceAddN()((Tensor([1.0]), Tensor([2.0]))).tolist() == [3.0]


def bins(features, region, scale, group, channels):
    """Position-sensitive pooling of one region, by its definition."""
    result = np.zeros((channels, group, group))
    index, corners = region[0], region[1:]
    first, last = np.floor(corners[:2] * scale + 0.5), np.floor(corners[2:] * scale + 0.5)
    step = np.maximum(last - first, 0.1) / group
    for channel, row, column in np.ndindex(result.shape):
        ends = [
            np.clip([np.floor(first[k] + at * step[k]), np.ceil(first[k] + (at + 1) * step[k])], 0, size).astype(int)
            for k, at, size in ((1, row, features.shape[2]), (0, column, features.shape[3]))
        ]
        plane = features[int(index), (channel * group + row) * group + column]
        part = plane[slice(*ends[0]), slice(*ends[1])]
        result[channel, row, column] = part.mean() if part.size else 0
    return result


def test_psroi_pooling_of_one_region():  # the figures are MindSpore 2.10's, as are those of the gradient
    features = np.broadcast_to(np.arange(64.0).reshape(8, 8), (1, 18, 8, 8)).astype(np.float32)
    rois = Tensor(np.float32([[[0], [1], [1], [7], [7]]]))
    actual = I.PSROIPooling(0.5, 3, 2)(Tensor(features), rois)
    assert actual.tolist() == [[[[9, 10, 11], [17, 18, 19], [25, 26, 27]]] * 2]
    cotangent = Tensor(np.arange(18).reshape(1, 2, 3, 3).astype(np.float32))
    gradient = GRADIENTS["PSROIPoolingGrad"]((8, 8), 0.5, 3, 2)(cotangent, rois).asnumpy()
    assert gradient.sum((2, 3)).tolist() == [list(range(18))]
    assert np.argwhere(gradient[0, 17]).tolist() == [[3, 3]]


def test_psroi_pooling():
    features = np.cos(np.arange(2 * 8 * 6 * 6)).reshape(2, 8, 6, 6)
    first = [[0.0, 0.0], [1.0, 3.0], [2.0, 0.0], [9.0, 7.0], [8.0, 11.0]]
    rois = np.array([first, [[1.0, 1.0], [0.0, 5.0], [0.0, 40.0], [11.0, 5.0], [11.0, 41.0]]])
    pool = I.PSROIPooling(0.5, 2, 2)
    actual = pool(Tensor(features), Tensor(rois)).asnumpy()
    expected = [bins(features, rois[batch, :, number], 0.5, 2, 2) for batch in (0, 1) for number in (0, 1)]
    assert_close(actual, np.array(expected), rtol=1e-6)
    with pytest.raises(ValueError, match="of 16 channels"):
        I.PSROIPooling(0.5, 2, 4)(Tensor(features), Tensor(rois))
