"""Strategies of Primitives, checked as MindSpore checks them and lowered to PartitionSpecs.

A strategy gives for each axis of each input the number of shards, or by a `Layout` the axes of the devices.
"""

import math
from typing import Any, NoReturn

from jax.sharding import PartitionSpec

from .layout import Layout
from .mesh import axes_for
from .operator_axes import WHOLE, axes_of

_MSG = "For '{}', the strategy {} cannot be followed: {}."


def check_strategy(strategy, name, owner) -> Any:
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
        if isinstance(item, Layout) != isinstance(strategy[0], Layout):
            _refuse_type(owner, name, "a tuple of tuples of ints, or of Layouts alone", strategy)
    return isinstance(strategy[0], Layout) if strategy else None


def _refuse_type(owner, name, expected, got):
    raise TypeError(f"For '{owner}', the '{name}' must be {expected}, but got {got!r} ({type(got).__name__}).")


def _fail(owner, strategy, problem) -> NoReturn:
    raise RuntimeError(_MSG.format(owner, strategy, problem))


def lowered(primitive, shapes, strategy, out_strategy, partition, arguments=()):
    """The PartitionSpecs of a Primitive's Tensors, and of its result.

    Args:
        primitive (Primitive): its name and attributes determine which axes belong together.
        shapes (list of tuple): the shapes of its Tensors.
        strategy (tuple): for each of them how it is sharded.
        out_strategy (tuple | None): how the result is sharded.
        partition (Partition): the devices.
        arguments (tuple): the arguments of the call that are no Tensors. Default: ``()``.
    Returns:
        list of PartitionSpec, PartitionSpec | None: None leaves the result to propagation.
    Raises:
        RuntimeError: for a strategy that does not fit the operation, the shapes or the devices.
    """
    name = primitive.name
    if len(strategy) != len(shapes):
        _fail(name, strategy, f"it is for {len(strategy)} inputs, and there are {len(shapes)}")
    axes = axes_of(primitive, shapes, arguments)
    if strategy and isinstance(strategy[0], Layout):
        specs = [of_layout(each, shape, partition, name) for each, shape in zip(strategy, shapes, strict=True)]
        _check_layouts(axes, specs, shapes, strategy, name)
        return specs, of_layout(out_strategy[0], None, partition, name) if out_strategy else None
    lengths = axes.lengths or shapes
    for cuts, shape in zip(strategy, lengths, strict=True):
        check_cuts(cuts, shape, name, strategy)
    cut_by = _cuts_by_label(axes, strategy, lengths, name)
    problem = axes.problem and axes.problem(strategy, partition.devices)
    if problem:
        _fail(name, strategy, problem)
    mesh_axes = _mesh_axes(axes, cut_by, strategy, partition, name)
    specs = [_spec([mesh_axes[label] for label in labels]) for labels in axes.tensors or axes.rows]
    if out_strategy:
        return specs, _out_spec(name, axes, mesh_axes, cut_by, out_strategy)
    return specs, _spec([mesh_axes[label] for label in axes.result]) if axes.tensors else None


def _mesh_axes(axes, cut_by, strategy, partition, owner):
    """The mesh axes of each label of an operator's axes (`Axes`), for its number of shards."""
    copies_first = axes.copies_first is not None and axes.copies_first(strategy)
    mesh_axes = {WHOLE: ()}
    for labels in axes.order:
        cuts = [cut_by.get(label, 1) for label in labels]
        copies = max(partition.devices // math.prod(cuts), 1) if copies_first else 1
        _, *chosen = _axes([copies, *cuts], partition, owner, strategy)
        mesh_axes.update(zip(labels, chosen, strict=True))
    return mesh_axes


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


def _axes(cuts, partition, owner, strategy) -> Any:
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


def _cuts_by_label(axes, strategy, lengths, owner):
    """The number of shards of each of the operation's axes; an axis of length 1 fits any other.

    Raises:
        RuntimeError: if two inputs shard one axis differently, or a whole axis is sharded.
    """
    cuts = {}
    for labels, row, shape in zip(axes.rows, strategy, lengths, strict=True):
        for axis, (label, cut, length) in enumerate(zip(labels, row, shape, strict=True)):
            if label == WHOLE and cut != 1:
                _fail(owner, strategy, f"the operation needs the whole axis {axis}, which must not be sharded")
            if length == 1 and label in cuts:
                continue
            if cuts.get(label, (cut, length)) != (cut, length) and cuts[label][1] != 1 and label != WHOLE:
                _fail(owner, strategy, "inputs must be sharded alike along the axes that they share")
            cuts[label] = cut, length
    return {label: cut for label, (cut, _) in cuts.items()}


def _check_layouts(axes, specs, shapes, strategy, owner):
    """Raises RuntimeError if Layouts shard one axis differently, or an axis that the operation needs whole."""
    items = {}
    for labels, spec, shape in zip(axes.tensors or axes.rows, specs, shapes, strict=True):
        for axis, (label, item, length) in enumerate(zip(labels, spec, shape, strict=True)):
            if label == WHOLE and item is not None:
                _fail(owner, strategy, f"the operation needs the whole axis {axis}, which must not be sharded")
            if length > 1 and items.setdefault(label, item) != item:
                _fail(owner, strategy, "inputs must be sharded alike along the axes that they share")


def _out_spec(owner, axes, mesh_axes, cuts, out_strategy):
    """The PartitionSpec of a result whose partial sums stay on each device, or are scattered.

    Raises:
        RuntimeError: if it is given for another operation, or is not possible.
    """
    if axes.summed is None:
        _fail(owner, out_strategy, "only products and Gather take an output strategy")
    (wanted,) = out_strategy if len(out_strategy) == 1 else ((),)
    if len(wanted) != len(axes.result):
        _fail(owner, out_strategy, f"there is one result, of {len(axes.result)} axes")
    items = []
    for label, cut in zip(axes.result, wanted, strict=True):
        if cut == cuts[label]:
            items.append(mesh_axes[label])
        elif label == axes.scattered and cut == cuts[label] * cuts[axes.summed]:
            items.append((*mesh_axes[label], *mesh_axes[axes.summed]))
        else:
            _fail(owner, out_strategy, "the result is sharded like the inputs, or scattered over the summed axis")
    return _spec(items)
