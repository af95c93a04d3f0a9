"""Strategies of the Primitives that MindSpore shards by the axes of their result: OneHot and Tile."""

from jax.sharding import PartitionSpec

from .layout import Layout
from .strategy import of_cuts, of_layout

_WHOLE = PartitionSpec()


def _of_one_hot(primitive, rank, args):
    """The input's axis for each axis of the result: all but the classes."""
    axis = primitive.axis % (rank + 1)
    return [*range(axis), None, *range(axis, rank)]


def _of_tile(primitive, rank, args):
    """The input's axis for each axis of the result: those that are not repeated."""
    multiples = args[1]
    added = len(multiples) - rank
    return [axis - added if axis >= added and times == 1 else None for axis, times in enumerate(multiples)]


_INPUT_AXES = {"OneHot": _of_one_hot, "Tile": _of_tile}


def input_axes(primitive, args):
    """For each axis of a Primitive's result the axis of its first input, or None, if the strategy is of the result.

    Args:
        primitive (Primitive): its name selects the rule.
        args (tuple): of its call.
    Returns:
        tuple of int | None; None for the other Primitives, whose strategies are of their inputs.
    """
    rule = _INPUT_AXES.get(primitive.name)
    return None if rule is None else tuple(rule(primitive, len(args[0].aval[0]), args))


def lowered(owner, axes, count, strategy, partition):
    """The PartitionSpecs of the inputs, and of the result, by a strategy whose first element is of the result.

    Args:
        owner (str): the name of the Primitive.
        axes (tuple of int | None): as `input_axes` gives them.
        count (int): the number of Tensors among the inputs; all but the first are replicated.
        strategy (tuple): of the user.
        partition (Partition): the devices.
    Returns:
        list of PartitionSpec, PartitionSpec.
    Raises:
        RuntimeError: for a strategy of another length, or that does not fit the devices.
    """
    result = _spec_of(owner, None, strategy, partition)
    if len(result) != len(axes):
        problem = f"its length is not that of the result's shape, {len(axes)}"
        raise RuntimeError(f"For '{owner}', the strategy {strategy} cannot be followed: {problem}.")
    first = {axis: names for axis, names in zip(axes, result, strict=True) if axis is not None}
    rank = max(first, default=-1) + 1
    return [PartitionSpec(*[first.get(axis) for axis in range(rank)]), *[_WHOLE] * (count - 1)], result


def check(owner, shape, strategy, partition):
    """Raises RuntimeError unless the first element of a strategy divides a result of this shape into equal shards."""
    _spec_of(owner, shape, strategy, partition)


def _spec_of(owner, shape, strategy, partition):
    by = of_layout if isinstance(strategy[0], Layout) else of_cuts
    return by(strategy[0], shape, partition, owner)
