"""Hints about several devices, which one device takes and does not need."""

from ..engine.refusal import require
from ..nn.cell import Cell


def shard(fn, in_strategy, out_strategy=None, parameter_plan=None):
    """A hint for several devices: on one, the function as it is.

    Args:
        fn (Cell | function): what several devices would compute together.
        in_strategy, out_strategy (tuple): how its Tensors would be parted. Default of the latter: ``None``.
        parameter_plan (dict): how its Parameters would be. Default: ``None``.
    Returns:
        ``fn``.
    Raises:
        TypeError: for other values.
    Example:
        >>> mindspore.shard(lambda x: x * 2, in_strategy=((1, 1),))(Tensor([[2.0]])).tolist()
        [[4.0]]
    Source: mindspore.shard, mindspore.parallel.shard
    """
    require(in_strategy, tuple, "shard", "in_strategy")
    require(out_strategy, (tuple, type(None)), "shard", "out_strategy")
    require(parameter_plan, (dict, type(None)), "shard", "parameter_plan")
    return fn


def parameter_broadcast(net, layout, cur_rank=0, initial_rank=0):
    """Sends Parameters from one process to the others, of which there is none: does nothing.

    Args:
        net (Cell): whose Parameters.
        layout (dict): how they are parted.
        cur_rank, initial_rank (int): 0. Default: ``0``.
    Raises:
        TypeError: for other values.
    Source: mindspore.parallel.parameter_broadcast
    """
    require(net, Cell, "parameter_broadcast", "net")
    require(layout, dict, "parameter_broadcast", "layout")


def sync_pipeline_shared_parameters(net):
    """Makes Parameters equal that the stages of a pipeline share; there is one stage: does nothing.

    Raises:
        TypeError: if ``net`` is not a Cell.
    Source: mindspore.parallel.sync_pipeline_shared_parameters
    """
    require(net, Cell, "sync_pipeline_shared_parameters", "net")
