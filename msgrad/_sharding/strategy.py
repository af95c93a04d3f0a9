"""Strategies of Primitives, checked as MindSpore checks them and lowered to PartitionSpecs.

A strategy gives for each axis of each input the number of shards. Axes of several inputs that are one axis of the
operation (the one a product sums over, those that broadcasting aligns) are sharded alike, over the same mesh axes.
"""

import math

from jax.sharding import PartitionSpec

from .layout import Layout
from .mesh import axes_for

_PRODUCTS = ("MatMul", "BatchMatMul")
_ROW, _SUMMED, _COLUMN = ("row", 0), ("summed", 0), ("column", 0)
_OF_PRODUCTS = ("aligned", "row", "summed", "column")
_ALIGNED = frozenset(
    "Add AddN Sub Mul Div RealDiv FloorDiv FloorMod Mod Pow Maximum Minimum SquaredDifference DivNoNan Xdivy Xlogy "
    "TruncateDiv TruncateMod Equal NotEqual ApproximateEqual Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr "
    "BitwiseAnd BitwiseOr BitwiseXor Select Assign AssignAdd AssignSub TensorAdd Atan2 Hypot Lerp".split()
)
_WHOLE_AXES = {  # axes of the first input that MindSpore does not shard
    "Softmax": lambda primitive, rank: _listed(primitive.axis),
    "LogSoftmax": lambda primitive, rank: _listed(primitive.axis),
    "LayerNorm": lambda primitive, rank: range(primitive.begin_norm_axis % rank, rank),
    "Concat": lambda primitive, rank: [primitive.axis],
    "Split": lambda primitive, rank: [primitive.axis],
}

_MSG = "For '{}', the strategy {} cannot be followed: {}."


def check_strategy(strategy, name, owner):
    """Checks that a strategy is a tuple of tuples of ints, or of Layouts; returns whether it is of Layouts.

    Args:
        strategy (tuple): the user's argument.
        name (str): the name of the argument.
        owner (str): the name of the operation.
    Returns:
        bool; None for an empty tuple.
    """
    if not isinstance(strategy, tuple):
        _refuse_type(owner, name, "a tuple", strategy)
    for item in strategy:
        if not isinstance(item, (tuple, Layout)):
            _refuse_type(owner, name, "a tuple of tuples or of Layouts", strategy)
        if isinstance(item, tuple) and not all(isinstance(cut, int) for cut in item):
            _refuse_type(owner, name, "a tuple of tuples of ints", strategy)
    return isinstance(strategy[0], Layout) if strategy else None


def _refuse_type(owner, name, expected, got):
    raise TypeError(f"For '{owner}', the '{name}' must be {expected}, but got {got!r} ({type(got).__name__}).")


def _fail(owner, strategy, problem):
    raise RuntimeError(_MSG.format(owner, strategy, problem))


def lowered(primitive, shapes, strategy, out_strategy, partition):
    """The PartitionSpecs of a Primitive's inputs, and of its result.

    Args:
        primitive (Primitive): its name and attributes determine which axes belong together.
        shapes (list of tuple): the shapes of its Tensors.
        strategy (tuple): for each of them how it is sharded.
        out_strategy (tuple | None): how the result is sharded.
        partition (Partition): the devices.
    Returns:
        list of PartitionSpec, PartitionSpec | None: None leaves the result to propagation.
    Raises:
        RuntimeError: for a strategy that does not fit the shapes or the devices.
    """
    name = primitive.name
    if len(strategy) != len(shapes):
        _fail(name, strategy, f"it is for {len(strategy)} inputs, and there are {len(shapes)}")
    if strategy and isinstance(strategy[0], Layout):
        specs = [of_layout(each, shape, partition, name) for each, shape in zip(strategy, shapes, strict=True)]
        return specs, of_layout(out_strategy[0], None, partition, name) if out_strategy else None
    for cuts, shape in zip(strategy, shapes, strict=True):
        check_cuts(cuts, shape, name, strategy)
    _check_whole_axes(primitive, shapes, strategy)
    labels = _labels(primitive, shapes)
    cut_by = _cuts_by_label(labels, strategy, shapes, name)
    axes = {}
    for group in _arrangements(primitive, cut_by, len(shapes)):
        mesh_axes = _axes([cut_by[label] for label in group], partition, name, strategy)
        axes.update(zip(group, mesh_axes, strict=True))
    specs = [_spec([axes[label] for label in row]) for row in labels]
    return specs, _out_spec(primitive, labels, axes, cut_by, out_strategy)


def check_cuts(cuts, shape, owner, strategy):
    """Raises RuntimeError unless ``cuts`` (tuple of int) divide a Tensor of this shape into equal shards."""
    if len(cuts) != len(shape):
        _fail(owner, strategy, f"{cuts} has another length than the shape {shape}")
    for cut, length in zip(cuts, shape, strict=True):
        if cut < 1:
            _fail(owner, strategy, f"the number of parts must be larger than 0, but is {cut}")
        if length % cut:
            _fail(owner, strategy, f"a length of {length} is not divisible by {cut}")


def of_cuts(cuts, shape, partition, owner):
    """The PartitionSpec of a Tensor, independent of other inputs.

    Raises:
        RuntimeError: as `lowered`.
    """
    if shape is not None:
        check_cuts(cuts, shape, owner, cuts)
    return _spec(_axes(cuts, partition, owner, cuts))


def _axes(cuts, partition, owner, strategy):
    """The mesh axes for each of several numbers of shards.

    Raises:
        RuntimeError: if there are not as many devices, or their number is not divisible.
    """
    product = math.prod(cuts)
    if partition.devices % product:
        problem = f"it requires {product} devices, and {partition.devices} are not divisible by that"
        _fail(owner, strategy, problem)
    mesh_axes = axes_for(cuts, partition.mesh)
    if mesh_axes is None:
        _fail(owner, strategy, f"the mesh {dict(partition.mesh.shape)} has no axes of these lengths")
    return mesh_axes


def of_layout(layout, shape, partition, owner):
    """The PartitionSpec of a `Layout`; the axis ``interleaved_parallel`` has no effect.

    Args:
        layout (Layout): a Layout that was called with names.
        shape (tuple | None): the shape of the Tensor; None: not known.
        partition (Partition): the devices.
        owner (str): of the operation.
    Raises:
        RuntimeError: if the layout does not fit the shape or the devices.
        NotImplementedError: if the layout lists the devices in another order than JAX.
    """
    fields = layout.to_dict()
    lengths = [
        1 if name == Layout.interleaved else length
        for name, length in zip(fields["alias_name"], fields["device_matrix"], strict=True)
    ]
    if math.prod(lengths) != partition.devices:
        _fail(owner, lengths, f"its devices are {math.prod(lengths)}, and there are {partition.devices}")
    if fields["rank_list"] != sorted(fields["rank_list"]):
        raise NotImplementedError(
            f"For '{owner}', msgrad places shards in the order of jax.devices(), but the rank_list of the Layout is "
            f"{fields['rank_list']}: leave rank_list out, and permute the device_matrix."
        )
    axes = axes_for(lengths, partition.mesh)
    if axes is None:
        _fail(owner, lengths, f"the mesh {dict(partition.mesh.shape)} has no axes of these lengths")
    items = []
    for item in fields["tensor_map"]:
        names = item if isinstance(item, tuple) else (item,)
        items.append(tuple([axis for name in names if name != -1 for axis in axes[len(axes) - 1 - name]]))
    if shape is not None:
        cuts = tuple([math.prod([partition.mesh.shape[axis] for axis in item]) for item in items])
        check_cuts(cuts, shape, owner, cuts)
    return _spec(items)


def _spec(items):
    """The PartitionSpec of tuples of mesh axes, one for each axis of a Tensor."""
    return PartitionSpec(*[None if not axes else axes[0] if len(axes) == 1 else tuple(axes) for axes in items])


def _listed(axis):
    return list(axis) if isinstance(axis, (tuple, list)) else [axis]


def _check_whole_axes(primitive, shapes, strategy):
    """Raises RuntimeError if an axis is sharded that the operation needs whole."""
    find = _WHOLE_AXES.get(primitive.name)
    if find is None:
        return
    for axis in find(primitive, len(shapes[0])):
        if strategy[0][axis] != 1:
            _fail(primitive.name, strategy, f"the operation needs the whole axis {axis}, which must not be cut")


def _labels(primitive, shapes):
    """The operation's axis name for each axis of each input; axes of the same name are sharded alike."""
    if primitive.name in _PRODUCTS:
        left, right = shapes
        rows = (_SUMMED, _ROW) if primitive.transpose_a else (_ROW, _SUMMED)
        columns = (_COLUMN, _SUMMED) if primitive.transpose_b else (_SUMMED, _COLUMN)
        return [[*_aligned(left[:-2]), *rows], [*_aligned(right[:-2]), *columns]]
    if primitive.name in _ALIGNED:
        return [_aligned(shape) for shape in shapes]
    if primitive.name == "BiasAdd":
        whole = [(0, axis) for axis in range(len(shapes[0]))]
        return [whole, [whole[-1 if primitive.data_format == "NHWC" else 1]]]
    return [[(position, axis) for axis in range(len(shape))] for position, shape in enumerate(shapes)]


def _arrangements(primitive, cut_by, count):
    """The operation's axes in the order in which they take mesh axes, which is MindSpore's order of devices.

    Inputs without common axes are arranged separately.
    """
    if primitive.name in _PRODUCTS:
        return [sorted(cut_by, key=lambda label: (_OF_PRODUCTS.index(label[0]), -label[1]))]
    if primitive.name in _ALIGNED:
        return [sorted(cut_by, key=lambda label: -label[1])]
    return [[label for label in cut_by if label[0] == position] for position in range(count)]


def _aligned(shape):
    """Names of axes as broadcasting aligns them, from the right."""
    return [("aligned", len(shape) - axis) for axis in range(len(shape))]


def _cuts_by_label(labels, strategy, shapes, owner):
    """The number of shards of each of the operation's axes; an axis of length 1 fits any other.

    Raises:
        RuntimeError: if two inputs shard one axis differently.
    """
    cuts = {}
    for row, cut_row, shape in zip(labels, strategy, shapes, strict=True):
        for label, cut, length in zip(row, cut_row, shape, strict=True):
            if length == 1 and label in cuts:
                continue
            if cuts.get(label, (cut, length)) != (cut, length) and cuts[label][1] != 1:
                _fail(owner, strategy, "inputs must be cut alike along the axes that they share")
            cuts[label] = cut, length
    return {label: cut for label, (cut, _) in cuts.items()}


def _out_spec(primitive, labels, axes, cuts, out_strategy):
    """The PartitionSpec of a product's result; None if none is given.

    Raises:
        RuntimeError: if it is given for another operation, or is not possible.
    """
    if not out_strategy:
        return None
    if primitive.name not in _PRODUCTS:
        _fail(primitive.name, out_strategy, "only products take an output strategy")
    names = [*max(labels, key=len)[:-2], _ROW, _COLUMN]
    (wanted,) = out_strategy if len(out_strategy) == 1 else ((),)
    if len(wanted) != len(names):
        _fail(primitive.name, out_strategy, f"there is one result, of {len(names)} axes")
    items, spare = [], axes[_SUMMED]  # a sum over several devices may be scattered along another axis
    for name, cut in zip(names, wanted, strict=True):
        if cut == cuts[name]:
            items.append(axes[name])
        elif cut == cuts[name] * cuts[_SUMMED] and spare:
            items.append((*axes[name], *spare))
            spare = ()
        else:
            _fail(primitive.name, out_strategy, "the result is cut like the inputs, or scattered over the summed axis")
    return _spec(items)
