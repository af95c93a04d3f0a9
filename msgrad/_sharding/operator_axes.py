"""The axes of operators: which of them belong together, and which MindSpore does not shard.

An axis of an operator is named by a label. Axes of the same label are sharded alike, over the same mesh axes: the one
that a product sums over, those that broadcasting aligns. An axis with the label `WHOLE` is not sharded.
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

WHOLE = ("whole", 0)
_SUMMED, _ROW, _COLUMN = ("summed", 0), ("row", 0), ("column", 0)
_OF_PRODUCTS = ("aligned", "row", "summed", "column")


@dataclasses.dataclass
class Axes:
    """The labels of an operator's axes.

    Attributes:
        rows (list of list): for each item of a strategy the labels of its axes.
        tensors (list of list): for each Tensor the labels of its axes; None: those of the rows.
        lengths (list of tuple): for each item of a strategy the lengths that are sharded; None: the Tensors' shapes.
        result (list): the labels of the result's axes, where they are not left to propagation.
        summed, scattered (tuple): labels: the partial sums of the first may be scattered along the second.
        order (list of list): the labels in the order in which they take mesh axes, which is MindSpore's order of
            devices; labels of different lists take the same ones.
        problem (function): of the strategy and the number of devices; what else MindSpore refuses (str), or None.
        copies_first (function): of the strategy; whether neighbouring devices have different shards, and copies are
            further apart. Otherwise neighbours have copies.
    """

    rows: list
    tensors: list | None = None
    lengths: list | None = None
    result: list | None = None
    summed: tuple | None = None
    scattered: tuple | None = None
    order: list | None = None
    problem: Callable | None = None
    copies_first: Callable | None = None

    def __post_init__(self):
        if self.order is None:
            self.order = [list(dict.fromkeys(row)) for row in self.rows]


def axes_of(primitive, shapes, arguments):
    """The `Axes` of a Primitive.

    Args:
        primitive (Primitive): its name and its attributes.
        shapes (list of tuple): the shapes of its Tensors.
        arguments (tuple): the other arguments of the call.
    """
    name = primitive.name
    if name in _ALIGNED:
        return _aligned(shapes, [])
    if name in _OPERATORS:
        return _OPERATORS[name](primitive, shapes, arguments)
    if name in _WHOLE_AXES:
        listed = _WHOLE_AXES[name](primitive, shapes[0], arguments)
        return _aligned(shapes, [axis % len(shapes[0]) for axis in listed])
    return _separate(shapes)


def takes_numbers(primitive):
    """Whether a Python number among the operands has an item in the strategy, which is empty."""
    return primitive.name in _ALIGNED


def _separate(shapes):
    return Axes([_own(shape, position) for position, shape in enumerate(shapes)])


def _own(shape, position=0):
    """Labels of axes that belong to no others: of the Tensor at this position."""
    return [(position, axis) for axis in range(len(shape))]


def _whole(shapes):
    """Labels of Tensors that are not sharded."""
    return [[WHOLE] * len(shape) for shape in shapes]


def _from_right(shape):
    """Labels of axes as broadcasting aligns them."""
    return [("aligned", len(shape) - axis) for axis in range(len(shape))]


def _aligned(shapes, whole):
    """Operands are aligned as broadcasting does; ``whole`` are axes of the longest shape that are not sharded."""
    length = max(map(len, shapes), default=0)
    kept = {("aligned", length - axis) for axis in whole}
    rows = [[WHOLE if label in kept else label for label in _from_right(shape)] for shape in shapes]
    return Axes(rows, order=[sorted({label for row in rows for label in row}, key=lambda label: -label[1])])


def _product(primitive, shapes, arguments):
    left, right = shapes
    rows = [_SUMMED, _ROW] if primitive.transpose_a else [_ROW, _SUMMED]
    columns = [_COLUMN, _SUMMED] if primitive.transpose_b else [_SUMMED, _COLUMN]
    batch = _from_right(max(left[:-2], right[:-2], key=len))
    order = sorted({*batch, *rows, *columns}, key=lambda label: (_OF_PRODUCTS.index(label[0]), -label[1]))
    items = [[*_from_right(left[:-2]), *rows], [*_from_right(right[:-2]), *columns]]
    return Axes(items, result=[*batch, _ROW, _COLUMN], summed=_SUMMED, scattered=_ROW, order=[order])


def _of_channels(primitive, shapes, arguments):
    """The first Tensor has channels, and the others have one value for each channel."""
    first = _own(shapes[0])
    channel = first[-1 if getattr(primitive, "data_format", "NCHW") == "NHWC" else 1]
    return Axes([first, *[[channel]] * (len(shapes) - 1)], order=[first])


def _of_segments(primitive, shapes, arguments):
    rows = list(map(_own, shapes))
    return Axes(rows, order=[rows[0]])


def _gather(primitive, shapes, arguments):
    table, indices = _separate(shapes).rows
    axis = _static(arguments, 0) % len(table)
    result = [*table[:axis], *indices, *table[axis + 1 :]]

    def problem(strategy, devices):
        cuts, index_cuts = strategy
        others = math.prod([*cuts[:axis], *cuts[axis + 1 :]])
        of_indices = math.prod(index_cuts)
        if cuts[axis] == 1:
            return None
        if len(cuts) > 2 or (len(index_cuts) > 1 and (axis > 0 or (of_indices > 1 and index_cuts[0] == 1))):
            return f"the gathered axis {axis} is sharded only in tables of one or two axes"
        if len(index_cuts) > 1 and others > 1 and of_indices > 1:
            return f"with the gathered axis {axis}, only one of the table's other axis and the indices is sharded"
        if cuts[axis] * others * of_indices != devices and (axis > 0 or others * of_indices > 1):
            return f"with the gathered axis {axis}, it must take all {devices} devices"
        return None

    def copies_first(strategy):
        return 1 < strategy[0][axis] == math.prod([*strategy[0], *strategy[1]])

    scattered = indices[0] if indices else None
    parts = {"result": result, "summed": table[axis], "scattered": scattered, "order": [[*indices, *table]]}
    return Axes([table, indices], **parts, problem=problem, copies_first=copies_first)


def _gather_along(primitive, shapes, arguments):
    values, indices = [_from_right(shape) for shape in shapes]
    axis = _static(arguments, 0) % len(values)
    indices[axis] = WHOLE
    return Axes([values, indices], order=[values])


def _gather_nd(primitive, shapes, arguments):
    return Axes([*_whole(shapes[:1]), [*_own(shapes[1][:-1], 1), WHOLE]])


def _scatter(primitive, shapes, arguments):
    """Updates of the rows that the indices name; adding to them is possible where they are."""
    table, indices, updates = shapes
    count = 1 if primitive.name.startswith("Scatter") else indices[-1]
    rest = _from_right(table[count:])
    rows = [WHOLE] * count if "Update" in primitive.name else _own(table[:count])
    labels = [[*rows, *rest], *_whole([indices]), [*[WHOLE] * (len(updates) - len(rest)), *rest]]
    return Axes(labels, order=[labels[0]])


def _one_hot(primitive, shapes, arguments):
    """The first item of the strategy is for the result, with the new axis."""
    depth = _static(arguments, 0)
    axis = primitive.axis % (len(shapes[0]) + 1)
    lengths = (*shapes[0][:axis], depth, *shapes[0][axis:])
    result = [(0, k) if k == 0 or len(lengths) == 2 else WHOLE for k in range(len(lengths))]
    rows = [result, *_whole(shapes[1:])]
    tensors = [[*result[:axis], *result[axis + 1 :]], *rows[1:]]
    return Axes(rows, tensors, [lengths, *shapes[1:]], result, order=[result])


def _tile(primitive, shapes, arguments):
    """A strategy shards the repetitions of an axis that is repeated, and not the axis itself."""
    repeats = _static(arguments, 0)
    length = max(len(shapes[0]), len(repeats))
    shape = (*[1] * (length - len(shapes[0])), *shapes[0])
    repeats = (*[1] * (length - len(repeats)), *repeats)
    lengths = tuple([count if count > 1 else each for count, each in zip(repeats, shape, strict=True)])
    result = _own(shape)
    own = [WHOLE if count > 1 else label for count, label in zip(repeats, result, strict=True)]
    return Axes([result], [own[length - len(shapes[0]) :]], [lengths], result)


def _overlap(cuts, shape, sizes, steps, is_exchanged):
    """What MindSpore refuses of a sharded height or width, along which windows slide."""
    for axis in (-2, -1):
        size, step, own = sizes[axis], steps[axis], shape[axis] // cuts[axis]
        if cuts[axis] > 1 and ((size > step and not is_exchanged) or own % step):
            return f"the windows of size {size} and stride {step} would overlap the parts of axis {axis}"
    return None


def _convolution(primitive, shapes, arguments):
    if primitive.data_format != "NCHW":
        return _separate(shapes)
    batch, inner, outer, height, width = [("aligned", k) for k in range(5)]
    pixels = [height, width][: len(shapes[0]) - 2]
    rows = [[batch, inner, *pixels], [outer, inner, *[WHOLE] * len(pixels)]]
    sizes, steps = primitive.kernel_size, primitive.stride

    def problem(strategy, devices):
        return _overlap(strategy[0], shapes[0], sizes, steps, primitive.pad_mode.lower() != "valid")

    order = [[batch, inner, *pixels, outer]]
    return Axes(rows, order=order, problem=problem)


def _transposed_convolution(primitive, shapes, arguments):
    batch, inner, outer = [("aligned", k) for k in range(3)]
    return Axes([[batch, inner, WHOLE, WHOLE], [inner, outer, WHOLE, WHOLE]], order=[[batch, inner, outer]])


def _pooling(primitive, shapes, arguments):
    sizes, steps = [
        (value,) * 2 if isinstance(value, int) else value for value in (primitive.kernel_size, primitive.strides)
    ]
    axes = _separate(shapes)
    if primitive.data_format != "NCHW":
        return axes
    axes.problem = lambda strategy, devices: _overlap(strategy[0], shapes[0], sizes, steps, False)
    return axes


def _refused(primitive, shapes, arguments):
    """An operator that takes no strategy."""
    axes = _separate(shapes)
    axes.problem = lambda strategy, devices: "it takes none, since its axes are sharded by its neighbours"
    return axes


def _static(arguments, position) -> Any:
    """An argument of the call that is not a Tensor."""
    return arguments[position] if position < len(arguments) else 0


def _listed(axis):
    return list(axis) if isinstance(axis, (tuple, list)) else [axis]


def _strided_slice(primitive, shapes, arguments):
    if primitive.ellipsis_mask or primitive.new_axis_mask:
        return _refused(primitive, shapes, arguments)
    return _aligned(shapes, _sliced(primitive, shapes[0], arguments))


def _sliced(primitive, shape, arguments):
    """The axes of which a slice takes a part."""
    starts, stops, *steps = [tuple(each) for each in arguments[:3]]
    steps = steps[0] if steps else (1,) * len(starts)
    masks = [getattr(primitive, f"{name}_mask") for name in ("begin", "end", "shrink_axis")]
    parts = []
    for axis, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        is_from_start, is_to_end, is_one = [mask >> axis & 1 for mask in masks]
        is_whole = (is_from_start or start == 0) and (is_to_end or stop >= shape[axis]) and step == 1
        if is_one or not is_whole:
            parts.append(axis)
    return parts


def _cut_out(primitive, shape, arguments):
    return [axis for axis, size in enumerate(arguments[1]) if size != shape[axis]]


_ALIGNED = frozenset(
    "Add Sub Mul Div RealDiv FloorDiv FloorMod Mod Pow Maximum Minimum SquaredDifference DivNoNan Xdivy Xlogy "
    "TruncateDiv TruncateMod Equal NotEqual ApproximateEqual Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr "
    "LogicalXor BitwiseAnd BitwiseOr BitwiseXor Select Assign AssignAdd AssignSub TensorAdd Atan2 Hypot Lerp AddN "
    "MaskedFill Stack RmsNorm AccumulateNV2 SigmoidCrossEntropyWithLogits KLDivLoss".split()
)

_OPERATORS = {
    "AvgPool": _pooling,
    "BatchMatMul": _product,
    "BatchNorm": _of_channels,
    "BiasAdd": _of_channels,
    "Conv2D": _convolution,
    "Conv2DTranspose": _transposed_convolution,
    "Gather": _gather,
    "GatherD": _gather_along,
    "GatherNd": _gather_nd,
    "MatMul": _product,
    "MaxPool": _pooling,
    "OneHot": _one_hot,
    "PReLU": _of_channels,
    "Reshape": _refused,
    "SparseGatherV2": _gather,
    "StridedSlice": _strided_slice,
    "Tile": _tile,
    "UnsortedSegmentSum": _of_segments,
    "UnsortedSegmentMax": _of_segments,
    "UnsortedSegmentMin": _of_segments,
    "SparseSoftmaxCrossEntropyWithLogits": lambda primitive, shapes, arguments: Axes(_whole(shapes)),
}

_OPERATORS |= dict.fromkeys(
    [f"{kind}{name}" for kind in ("Scatter", "TensorScatter") for name in "Update Add Sub Mul Div Max Min".split()],
    _scatter,
)

# Axes of the first Tensor that are not sharded; other Tensors are aligned with it.
_WHOLE_AXES = {
    "ArgMaxWithValue": lambda primitive, shape, arguments: [primitive.axis],
    "ArgMinWithValue": lambda primitive, shape, arguments: [primitive.axis],
    "Concat": lambda primitive, shape, arguments: [primitive.axis],
    "CumProd": lambda primitive, shape, arguments: [_static(arguments, 0)],
    "CumSum": lambda primitive, shape, arguments: [_static(arguments, 0)],
    "InplaceAdd": lambda primitive, shape, arguments: [0],
    "InplaceSub": lambda primitive, shape, arguments: [0],
    "InplaceUpdate": lambda primitive, shape, arguments: [0],
    "L2Normalize": lambda primitive, shape, arguments: _listed(primitive.axis),
    "LayerNorm": lambda primitive, shape, arguments: range(primitive.begin_norm_axis % len(shape), len(shape)),
    "LogSoftmax": lambda primitive, shape, arguments: _listed(primitive.axis),
    "ResizeBilinearV2": lambda primitive, shape, arguments: [2],
    "ReverseV2": lambda primitive, shape, arguments: _listed(primitive.axis),
    "Slice": _cut_out,
    "Softmax": lambda primitive, shape, arguments: _listed(primitive.axis),
    "SoftmaxCrossEntropyWithLogits": lambda primitive, shape, arguments: [-1],
    "Sort": lambda primitive, shape, arguments: [primitive.axis],
    "Split": lambda primitive, shape, arguments: [primitive.axis],
    "TopK": lambda primitive, shape, arguments: [-1],
}
