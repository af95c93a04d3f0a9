"""`shard`, `reshard`: Tensors that are sharded over several devices; and functions without effect here."""

import functools

from .._sharding.layout import Layout
from .._sharding.shard import checked_plan, checked_strategies, set_plan
from ..engine.processes.world import World
from ..engine.recording.sharding import Active
from ..engine.refusal import require
from ..nn.cell import Cell
from ..tensor.tensor import Tensor


def shard(fn, in_strategy, out_strategy=None, parameter_plan=None):
    """A function whose Tensors are sharded over several devices, in semi-automatic and automatic parallel mode.

    In other modes strategies are checked and have no effect. XLA propagates the sharding to the operations inside.

    Args:
        fn (Cell | function): takes and returns Tensors.
        in_strategy (tuple): for each Tensor a tuple of ints, the number of shards along each axis, or a Layout.
        out_strategy (tuple): likewise for the results. Default: ``None``.
        parameter_plan (dict): likewise for Parameters of a Cell, by name. Default: ``None``.
    Returns:
        function.
    Raises:
        TypeError: for other values.
        ValueError: for a Parameter that cannot be sharded so.
        RuntimeError: at the call, for a strategy that does not fit the Tensors or the devices.
    Example:
        >>> mindspore.shard(lambda x: x * 2, in_strategy=((1, 1),))(Tensor([[2.0]])).tolist()
        [[4.0]]
    Source: mindspore.shard, mindspore.parallel.shard
    """
    checked_strategies(in_strategy, out_strategy, "shard")
    set_plan(checked_plan(parameter_plan, fn, "shard"), fn, "shard")

    def call(*args, **kwargs):
        partition = Active.partition
        if partition is None:
            return fn(*args, **kwargs)
        return partition.called(fn, args, kwargs, in_strategy, out_strategy, "shard")

    return call if isinstance(fn, Cell) else functools.update_wrapper(call, fn)


def reshard(tensor, layout):
    """The same Tensor, sharded over the devices by a Layout, in semi-automatic and automatic parallel mode.

    In other modes, and on one device, it is ``tensor`` itself. Works in both modes; MindSpore has it in GRAPH_MODE on
    Ascend.

    Args:
        tensor (Tensor): any shape.
        layout (Layout): a Layout that was called with the names of its axes.
    Returns:
        Tensor.
    Raises:
        TypeError: on several devices, for other values.
        RuntimeError: if the layout does not fit the Tensor or the devices.
    Example:
        >>> layout = mindspore.Layout((1,), ("data",))
        >>> ops.reshard(Tensor([1.0, 2.0]), layout("data")).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.reshard, mindspore.parallel.function.reshard
    """
    partition = Active.partition
    if partition is None and World.size == 1:
        return tensor
    require(tensor, Tensor, "reshard", "tensor")
    require(layout, Layout, "reshard", "layout")
    return tensor if partition is None else partition.laid_out([tensor], (layout,), "reshard")[0]


def parameter_broadcast(net, layout, cur_rank=0, initial_rank=0):
    """Broadcasts Parameters from one process to the others; there is only one, so it does nothing.

    Args:
        net (Cell): the Cell with the Parameters.
        layout (dict): how they are sharded.
        cur_rank, initial_rank (int): 0. Default: ``0``.
    Raises:
        TypeError: for other values.
    Source: mindspore.parallel.parameter_broadcast
    """
    require(net, Cell, "parameter_broadcast", "net")
    require(layout, dict, "parameter_broadcast", "layout")


def sync_pipeline_shared_parameters(net):
    """Synchronizes Parameters shared by pipeline stages; there is one stage, so it does nothing.

    Raises:
        TypeError: if ``net`` is not a Cell.
    Source: mindspore.parallel.sync_pipeline_shared_parameters
    """
    require(net, Cell, "sync_pipeline_shared_parameters", "net")
