"""Primitives and shapes whose strategies MindSpore and msgrad accept or refuse.

A row is the Primitive, the arguments of its call, its Tensors (``f``, ``i`` or ``b`` with the shape, ``p`` for a
Parameter of floats), and the strategies: by default all that shard each axis by 1 or 2. A tuple of numbers has the
lengths of a strategy's items, where they are not the Tensors' ranks. In a list, an item is a strategy, or a pair of an
input and an output strategy.
"""

import itertools

import numpy as np

DEVICES = 8
KINDS = {"f": np.float32, "p": np.float32, "i": np.int32, "b": np.bool_}

_OF_48 = [(3, 1), (8, 1), (16, 1), (8, 2), (4, 2), (6, 1), (0, 1), (-1, 1), (1,), (1, 1, 1), (1, 8), (1, 16)]
_CONVOLVED = [
    (x, w)
    for x in ((1, 1, 1, 1), (2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2), (1, 1, 2, 2), (2, 1, 2, 1))
    for w in ((1, 1, 1, 1), (2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (2, 2, 1, 1))
]
_CONVOLVED_TO_8 = [*_CONVOLVED, ((1, 1, 8, 1), (1, 1, 1, 1))]
_NORMED = [(x, *[(cut,)] * 4) for x in itertools.product((1, 2), repeat=4) for cut in (1, 2)]
_GATHERED = [((a, b), (c,)) for a, b, c in itertools.product((1, 2, 4, 8), repeat=3)]

CASES = [
    ("ops.MatMul()", "x, y", "f[16,32] f[32,16]"),
    ("ops.MatMul(transpose_b=True)", "x, y", "f[16,32] f[16,32]"),
    ("ops.MatMul(transpose_a=True)", "x, y", "f[32,16] f[32,16]"),
    ("ops.BatchMatMul()", "x, y", "f[4,8,16] f[4,16,8]"),
    ("ops.BatchMatMul(transpose_b=True)", "x, y", "f[4,8,16] f[4,8,16]"),
    ("ops.BatchMatMul()", "x, y", "f[4,8,16] f[16,8]"),
    ("ops.BatchMatMul()", "x, y", "f[4,8,16] f[1,16,8]"),
    ("ops.Add()", "x, y", "f[16,8] f[16,8]"),
    ("ops.Add()", "x, y", "f[16,8] f[8]"),
    ("ops.Add()", "x, y", "f[16,8] f[1,8]"),
    ("ops.Add()", "x, y", "f[16,8] f[16,1]"),
    ("ops.Add()", "x, y", "f[16,1] f[1,8]"),
    ("ops.Sub()", "x, y", "f[8] f[16,8]"),
    ("ops.Mul()", "x, y", "f[4,8,16] f[8,16]"),
    ("ops.Mul()", "x, y", "f[16,8] f[]"),
    ("ops.RealDiv()", "x, y", "f[16,8] f[1]"),
    ("ops.Pow()", "x, y", "f[16,8] f[16,8]"),
    ("ops.Pow()", "x, 2.0", "f[16,8]", [((2, 2), ()), ((2, 2),)]),
    ("ops.Mul()", "x, 2.0", "f[16,8]", [((2, 2), ()), ((2, 2),)]),
    ("ops.Maximum()", "x, y", "f[16,8] f[16,8]"),
    ("ops.Equal()", "x, y", "f[16,8] f[16,8]"),
    ("ops.LogicalAnd()", "x, y", "b[16,8] b[16,8]"),
    ("ops.AddN()", "(x, y)", "f[16,8] f[16,8]"),
    ("ops.BiasAdd()", "x, y", "f[16,8] f[8]"),
    ("ops.BiasAdd()", "x, y", "f[16,8,4] f[8]"),
    ("ops.Select()", "x, y, z", "b[16,8] f[16,8] f[16,8]"),
    ("ops.ReLU()", "x", "f[16,8]"),
    ("ops.ReLU()", "x", "f[48,16]", [*[(each,) for each in _OF_48], (), ((1, 1), (1, 1))]),
    ("ops.GeLU()", "x", "f[4,8,16]"),
    ("ops.Square()", "x", "f[16,8]"),
    ("ops.Cast()", "x, ms.float16", "f[16,8]"),
    ("ops.Dropout(0.5)", "x", "f[16,8]"),
    ("ops.Softmax()", "x", "f[16,8]"),
    ("ops.Softmax(0)", "x", "f[16,8]"),
    ("ops.Softmax((0, 1))", "x", "f[4,8,16]"),
    ("ops.LogSoftmax()", "x", "f[16,8]"),
    ("ops.SoftmaxCrossEntropyWithLogits()", "x, y", "f[16,8] f[16,8]"),
    ("ops.SparseSoftmaxCrossEntropyWithLogits()", "x, y", "f[16,8] i[16]"),
    ("ops.LayerNorm()", "x, y, z", "f[16,8] f[8] f[8]"),
    ("ops.LayerNorm(2, 2)", "x, y, z", "f[4,8,16] f[16] f[16]"),
    ("ops.LayerNorm(1, 1)", "x, y, z", "f[4,8] f[8] f[8]"),
    ("ops.RmsNorm()", "x, y", "f[4,8,16] f[16]"),
    ("ops.BatchNorm(is_training=True)", "x, y, z, w, v", "f[8,4,4,4] f[4] f[4] f[4] f[4]", _NORMED),
    ("ops.L2Normalize(1)", "x", "f[16,8]"),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[4]"),
    ("ops.Gather()", "x, y, 1", "f[16,8] i[4]"),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[4,2]"),
    ("ops.Gather()", "x, y, 1", "f[16,8] i[4,2]"),
    ("ops.Gather()", "x, y, 0", "f[16] i[4]"),
    ("ops.GatherD()", "x, 0, y", "f[16,8] i[16,8]"),
    ("ops.GatherNd()", "x, y", "f[16,8] i[4,2]"),
    ("ops.UnsortedSegmentSum()", "x, y, 8", "f[16,8] i[16]"),
    ("ops.TensorScatterUpdate()", "x, y, z", "f[16,8] i[4,1] f[4,8]"),
    ("ops.ReduceSum()", "x, 0", "f[16,8]"),
    ("ops.ReduceSum(keep_dims=True)", "x, 1", "f[16,8]"),
    ("ops.ReduceSum()", "x, (0, 1)", "f[4,8,16]"),
    ("ops.ReduceMean()", "x, 1", "f[16,8]"),
    ("ops.ReduceMean()", "x, ()", "f[16,8]"),
    ("ops.ReduceMax()", "x, 1", "f[16,8]"),
    ("ops.ReduceMin()", "x, 0", "f[16,8]"),
    ("ops.ReduceProd()", "x, 0", "f[16,8]"),
    ("ops.ReduceAny()", "x, 0", "b[16,8]"),
    ("ops.ReduceAll()", "x, 0", "b[16,8]"),
    ("ops.ArgMaxWithValue(1)", "x", "f[16,8]"),
    ("ops.Argmax(1)", "x", "f[16,8]"),
    ("ops.Reshape()", "x, (8, 4, 4)", "f[16,8]"),
    ("ops.Flatten()", "x", "f[8,4,4]"),
    ("ops.Transpose()", "x, (1, 0)", "f[16,8]"),
    ("ops.Transpose()", "x, (0, 2, 1)", "f[4,8,16]"),
    ("ops.ExpandDims()", "x, 0", "f[16,8]"),
    ("ops.Squeeze(1)", "x", "f[16,1,8]"),
    ("ops.Tile()", "x, (1, 2)", "f[16,8]"),
    ("ops.Tile()", "x, (2, 1)", "f[16,8]"),
    ("ops.Tile()", "x, (2, 1, 1)", "f[16,8]"),
    ("ops.Tile()", "x, (4, 2)", "f[16,8]", [((2, 2),), ((4, 2),), ((2, 1),), ((8, 1),), ((1, 4),)]),
    ("ops.BroadcastTo((16, 8))", "x", "f[1,8]"),
    ("ops.Concat(0)", "(x, y)", "f[16,8] f[16,8]"),
    ("ops.Concat(1)", "(x, y)", "f[16,8] f[16,8]"),
    ("ops.Concat(-1)", "(x, y)", "f[16,8] f[16,4]"),
    ("ops.Stack(0)", "(x, y)", "f[16,8] f[16,8]"),
    ("ops.Unstack(0)", "x", "f[4,16]"),
    ("ops.Split(1, 2)", "x", "f[16,8]"),
    ("ops.Split(0, 2)", "x", "f[16,8]"),
    ("ops.Split(-1, 2)", "x", "f[16,8]"),
    ("ops.StridedSlice()", "x, (0, 0), (8, 8), (1, 1)", "f[16,8]"),
    ("ops.StridedSlice()", "x, (0, 0), (16, 4), (1, 1)", "f[16,8]"),
    ("ops.StridedSlice()", "x, (0, 0), (16, 8), (2, 1)", "f[16,8]"),
    ("ops.StridedSlice(shrink_axis_mask=1)", "x, (0, 0), (1, 8), (1, 1)", "f[16,8]"),
    ("ops.Slice()", "x, (0, 0), (8, 8)", "f[16,8]"),
    ("ops.Slice()", "x, (0, 2), (16, 4)", "f[16,8]"),
    ("ops.OneHot()", "x, 8, y, z", "i[16] f[] f[]", (2, 0, 0)),
    ("ops.OneHot(0)", "x, 8, y, z", "i[16] f[] f[]", (2, 0, 0)),
    ("ops.OneHot()", "x, 8, y, z", "i[4,16] f[] f[]", (3, 0, 0)),
    ("ops.OneHot()", "x, 8, y, z", "i[16] f[] f[]", [((2,), (), ()), ((2, 1),), ((4, 2), (), ()), ((16, 1), (), ())]),
    ("ops.CumSum()", "x, 0", "f[16,8]"),
    ("ops.CumSum()", "x, 1", "f[16,8]"),
    ("ops.CumProd()", "x, 0", "f[16,8]"),
    ("ops.TopK()", "x, 4", "f[16,8]"),
    ("ops.Sort()", "x", "f[16,8]"),
    ("ops.MaskedFill()", "x, y, z", "f[16,8] b[16,8] f[]"),
    ("ops.Conv2D(8, 3, pad_mode='same')", "x, y", "f[4,8,8,8] f[8,8,3,3]", _CONVOLVED),
    ("ops.Conv2D(8, 3, pad_mode='valid')", "x, y", "f[4,8,8,8] f[8,8,3,3]", _CONVOLVED),
    ("ops.Conv2D(8, 1)", "x, y", "f[4,8,8,8] f[8,8,1,1]", _CONVOLVED),
    ("ops.Conv2D(8, 2, stride=2)", "x, y", "f[4,8,8,8] f[8,8,2,2]", _CONVOLVED),
    ("ops.MaxPool(2, 2)", "x", "f[4,8,8,8]"),
    ("ops.MaxPool(3, 1)", "x", "f[4,8,8,8]"),
    ("ops.AvgPool(2, 2)", "x", "f[4,8,8,8]"),
    ("ops.MatMul()", "x, y", "f[16,32] f[32,16]", [
        (strategy, (out,))
        for strategy in (((2, 2), (2, 1)), ((2, 1), (1, 2)), ((1, 4), (4, 1)), ((1, 2), (2, 2)), ((2, 2), (2, 2)))
        for out in itertools.product((1, 2, 4), repeat=2)
    ]),
    ("ops.BatchMatMul()", "x, y", "f[4,8,16] f[4,16,8]", [
        (((2, 1, 2), (2, 2, 1)), (out,)) for out in itertools.product((1, 2, 4), repeat=3)
    ]),
    ("ops.Add()", "x, y", "f[16,8] f[16,8]", [(((2, 2), (2, 2)), (out,)) for out in ((2, 2), (2, 1), (4, 1))]),
    ("ops.ReLU()", "x", "f[16,8]", [(((2, 2),), (out,)) for out in ((2, 2), (4, 1))]),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[4]", [(((2, 1), (1,)), (out,)) for out in ((1, 1), (2, 1), (1, 2))]),
    ("ops.ReduceSum()", "x, 0", "f[16,8]", [(((2, 2),), (out,)) for out in ((2,), (1,), (4,))]),
    ("ops.Minimum()", "x, y", "f[16,8] f[8]"),
    ("ops.Greater()", "x, y", "f[16,8] f[16,1]"),
    ("ops.LogicalOr()", "x, y", "b[16,8] b[16,8]"),
    ("ops.FloorDiv()", "x, y", "f[16,8] f[16,8]"),
    ("ops.SquaredDifference()", "x, y", "f[16,8] f[16,8]"),
    ("ops.BitwiseAnd()", "x, y", "i[16,8] i[16,8]"),
    ("ops.Hypot()", "x, y", "f[16,8] f[16,8]"),
    ("ops.Sigmoid()", "x", "f[16,8]"),
    ("ops.Tanh()", "x", "f[16,8]"),
    ("ops.Erf()", "x", "f[16,8]"),
    ("ops.IsFinite()", "x", "f[16,8]"),
    ("ops.PReLU()", "x, y", "f[16,8] f[8]"),
    ("ops.SigmoidCrossEntropyWithLogits()", "x, y", "f[16,8] f[16,8]"),
    ("ops.BCEWithLogitsLoss()", "x, y, z, w", "f[16,8] f[16,8] f[16,8] f[16,8]", [
        ((a, b, c, d), None)
        for a in ((1, 1), (2, 1), (2, 2)) for b in (a, (1, 1)) for c in (a, (1, 1)) for d in (a, (1, 1))
    ]),
    ("ops.KLDivLoss()", "x, y", "f[16,8] f[16,8]"),
    ("ops.L2Loss()", "x", "f[16,8]"),
    ("ops.ReverseV2((0,))", "x", "f[16,8]"),
    ("ops.GatherD()", "x, 1, y", "f[16,8] i[16,8]"),
    ("ops.Concat(1)", "(x, y, z)", "f[4,8,4] f[4,8,4] f[4,8,4]", [
        ((a, b, c), None)
        for a in ((1, 1, 1), (2, 1, 1), (2, 1, 4), (1, 2, 1)) for b in (a, (1, 1, 1)) for c in (a, (1, 1, 1))
    ]),
    ("ops.ScatterUpdate()", "x, y, z", "p[16,8] i[4] f[4,8]"),
    ("ops.ScatterAdd()", "x, y, z", "p[16,8] i[4] f[4,8]"),
    ("ops.Assign()", "x, y", "p[16,8] f[16,8]"),
    ("ops.AssignAdd()", "x, y", "p[16,8] f[16,8]"),
    ("ops.ResizeNearestNeighbor((16, 16))", "x", "f[4,8,8,8]"),
    ("ops.ResizeBilinearV2()", "x, (16, 16)", "f[4,8,8,8]"),
    ("ops.UnsortedSegmentMax()", "x, y, 8", "f[16,8] i[16]"),
    ("ops.InplaceAdd((0, 1))", "x, y", "f[16,8] f[2,8]"),
    ("ops.TensorScatterAdd()", "x, y, z", "f[4,8,4] i[4,2] f[4,4]", [
        ((a, (1, 1), b), None) for a in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)) for b in ((1, 1), (1, 2), (2, 1))
    ]),
    ("ops.Conv2D(8, 3, pad_mode='same', stride=2)", "x, y", "f[4,8,8,8] f[8,8,3,3]", _CONVOLVED_TO_8),
    ("ops.Conv2D(8, 2, pad_mode='same', stride=4)", "x, y", "f[4,8,8,8] f[8,8,2,2]", _CONVOLVED_TO_8),
    ("ops.Conv2D(8, 3, pad_mode='pad', pad=1)", "x, y", "f[4,8,8,8] f[8,8,3,3]", _CONVOLVED),
    ("ops.Conv2DTranspose(8, 2, stride=2)", "x, y, (4, 8, 16, 16)", "f[4,8,8,8] f[8,8,2,2]", _CONVOLVED),
    ("ops.MaxPool(3, 1, 'same')", "x", "f[4,8,8,8]"),
    ("ops.MaxPool(2, 4)", "x", "f[4,8,8,8]", [((1, 1, a, b),) for a in (1, 2, 4, 8) for b in (1, 2)]),
    ("ops.LayerNorm(1, 1)", "x, y, z", "f[4,8,16] f[8,16] f[8,16]", [
        ((a, b, b), None)
        for a in itertools.product((1, 2), repeat=3) for b in itertools.product((1, 2), repeat=2)
    ]),
    ("ops.LayerNorm(2, 1)", "x, y, z", "f[4,8,16] f[8,16] f[8,16]", [
        ((a, b, b), None)
        for a in itertools.product((1, 2), repeat=3) for b in itertools.product((1, 2), repeat=2)
    ]),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[8]", _GATHERED),
    ("ops.Gather()", "x, y, 1", "f[16,8] i[8]", _GATHERED),
    ("ops.Gather()", "x, y, 0", "f[16,8,4] i[8]"),
    ("ops.Gather()", "x, y, 2", "f[4,8,16] i[8]"),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[8,8]", [
        ((2, a), each) for a in (1, 2) for each in itertools.product((1, 2, 4), repeat=2)
    ]),
    ("ops.StridedSlice(begin_mask=1, end_mask=2)", "x, (4, 0), (16, 4), (1, 1)", "f[16,8]"),
    ("ops.StridedSlice(ellipsis_mask=1)", "x, (0, 0), (0, 4), (1, 1)", "f[4,16,8]"),
    ("ops.StridedSlice(new_axis_mask=1)", "x, (0, 0, 0), (1, 16, 8), (1, 1, 1)", "f[16,8]"),
    ("ops.StridedSlice()", "x, (0, 0), (-1, 8), (1, 1)", "f[16,8]"),
    ("ops.Slice()", "x, (0, 0), (-1, 4)", "f[16,8]"),
    ("ops.StridedSlice()", "x, (0,), (16,), (1,)", "f[16,8]"),
]  # fmt: skip


# Strategies of Primitives whose operands are Parameters, for the order of devices.
LAYOUTS = [
    ("ops.MatMul()", "x, y", "f[16,32] f[32,16]", [
        ((2, 1), (1, 2)), ((1, 2), (2, 2)), ((2, 2), (2, 2)), ((1, 1), (1, 4)),
    ]),
    ("ops.MatMul(transpose_b=True)", "x, y", "f[16,32] f[16,32]", [
        ((2, 1), (1, 1)), ((2, 2), (2, 2)), ((1, 4), (2, 4)),
    ]),
    ("ops.BatchMatMul()", "x, y", "f[4,8,16] f[4,16,8]", [
        ((2, 1, 1), (2, 1, 2)), ((2, 1, 2), (2, 2, 1)), ((1, 2, 1), (1, 1, 2)),
    ]),
    ("ops.Add()", "x, y", "f[16,8] f[8]", [((2, 1), (1,)), ((1, 2), (2,)), ((4, 2), (2,))]),
    ("ops.ReLU()", "x", "f[16,8]", [((2, 1),), ((1, 1),), ((2, 4),)]),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[8]", [
        ((1, 2), (1,)), ((1, 2), (4,)), ((1, 4), (1,)), ((2, 1), (1,)), ((8, 1), (1,)), ((4, 1), (2,)), ((2, 2), (2,)),
        ((2, 1), (4,)), ((2, 4), (1,)), ((4, 2), (1,)),
    ]),
    ("ops.Gather()", "x, y, 1", "f[16,8] i[8]", [((2, 1), (2,)), ((1, 2), (4,)), ((2, 2), (2,)), ((4, 2), (1,))]),
    ("ops.Gather()", "x, y, 0", "f[16,8] i[4,2]", [((1, 2), (2, 2)), ((2, 1), (2, 2)), ((4, 1), (1, 1))]),
    ("ops.Conv2D(8, 1)", "x, y", "f[4,8,8,8] f[8,8,1,1]", [
        ((2, 1, 1, 1), (2, 1, 1, 1)), ((1, 2, 1, 1), (2, 2, 1, 1)), ((1, 1, 2, 1), (2, 1, 1, 1)),
        ((2, 2, 1, 1), (1, 2, 1, 1)),
    ]),
    ("ops.GatherD()", "x, 0, y", "f[16,8] i[16,8]", [((2, 2), (1, 2)), ((1, 2), (1, 2))]),
    ("ops.UnsortedSegmentSum()", "x, y, 8", "f[16,8] i[16]", [((2, 2), (2,)), ((1, 2), (1,))]),
    ("ops.TensorScatterUpdate()", "x, y, z", "f[16,8] i[4,1] f[4,8]", [((1, 2), (1, 1), (1, 2))]),
    ("ops.ScatterAdd()", "x, y, z", "f[16,8] i[4] f[4,8]", [((2, 2), (1,), (1, 2)), ((4, 1), (1,), (1, 1))]),
    ("ops.BatchNorm(is_training=True)", "x, y, z, w, v", "f[8,4,4,4] f[4] f[4] f[4] f[4]", [
        ((2, 2, 1, 1), (2,), (2,), (2,), (2,)),
    ]),
    ("ops.Tile()", "x, (1, 2)", "f[16,8]", [((2, 2),), ((1, 2),)]),
    ("ops.LayerNorm()", "x, y, z", "f[16,8] f[8] f[8]", [((2, 1), (1,), (1,))]),
    ("ops.BiasAdd()", "x, y", "f[16,8] f[8]", [((1, 2), (2,)), ((2, 2), (2,))]),
    ("ops.Select()", "x, y, z", "b[16,8] f[16,8] f[16,8]", [((2, 2), (2, 2), (2, 2))]),
    ("ops.StridedSlice()", "x, (0, 0), (16, 4), (1, 1)", "f[16,8]", [((4, 1),)]),
]  # fmt: skip


def shape_of(tensor):
    """The shape of ``f[16,8]``."""
    return tuple([int(length) for length in tensor[2:-1].split(",") if length])


def strategies(inputs, asked=None):
    """The pairs of input and output strategy of a row."""
    if isinstance(asked, list):
        return [each if _has_out(each) else (each, None) for each in asked]
    ranks = asked or [len(shape_of(each)) for each in inputs.split()]
    pairs = []
    for cuts in itertools.product((1, 2), repeat=sum(ranks)):
        cuts = iter(cuts)
        pairs.append((tuple([tuple([next(cuts) for _ in range(rank)]) for rank in ranks]), None))
    return pairs


def _has_out(strategy):
    return bool(strategy) and bool(strategy[0]) and isinstance(strategy[0][0], tuple)
