"""Collectives as Primitives, which return their result.

In a group of one process each returns a copy of its operand. The functions, which write into their Tensors, are in
`in_place`; collectives of parts of different lengths in `parts`.
"""

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Int, PositiveInt
from ..._contracts.kinds import Static, accepted
from ...engine.collectives.collective import run
from ...engine.refusal import require
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.faces import completed
from . import attributes, exchanges
from .process_group import Group, Rank, group_of, number_in


class ReduceOp:
    """The reduction over processes.

    Attributes:
        SUM, MAX, MIN, PROD (str): ``'sum'``, ``'max'``, ``'min'``, ``'prod'``.
    Example:
        >>> ops.ReduceOp.SUM
        'sum'
    Source: mindspore.ops.ReduceOp
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


def _reduction(value, arg_name, owner):
    """``value``, the name of a reduction; MindSpore raises TypeError for other names, too."""
    if value not in _REDUCTIONS:
        check.refuse(TypeError, owner, arg_name, f"one of {list(_REDUCTIONS)}", value)
    return value


_REDUCTIONS = (ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MAX, ReduceOp.MIN, "avg")
Reduction = Static(_reduction, str)


@op(name="_single_process")
def single_process(input_x: Array):
    """The result in a group of one process: its own value.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        Tensor of the same value.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.
    Example:
        >>> ops.AllReduce()(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AllReduce
    """
    return input_x


def exchanged(exchange, group, value):
    """The result of an `Exchange` between the processes of a group; in a group of one the value itself."""
    return single_process(value) if group.size == 1 else run(exchange, group, value)


def check_divides(length, value, arg_name, owner):
    """Checks that the length of a Tensor's first axis is a multiple of ``length``, the number of processes."""
    if value.ndim == 0 or value.shape[0] % length:
        check.refuse(ValueError, owner, arg_name, f"of a first axis that is divisible by {length} processes", value)


def _for_one(whole, group, root):
    """``whole`` for the member ``root``; for others one arbitrary element, which keeps them part of the gradient."""
    return whole if group.rank == root else whole.reshape(-1)[:1] * 0


@composite("AllReduce(op='sum', group: Text='hccl_world_group')(input_x)", name="_all_reduce")
def _all_reduce(input_x: Array, op: Reduction = "sum", group: Group = None):
    """All-reduce: the sum, product, maximum, minimum or mean of the processes' values.

    The gradient is the all-reduced sum of the gradients; of a maximum or minimum where the value is the result.

    Args:
        input_x (Tensor): any shape; the same, and the same dtype, in all processes.
        op (str): ``'sum'``, ``'prod'``, ``'max'``, ``'min'`` or ``'avg'``. Default: ``'sum'``.
        group (str): the processes. Default: all.
    Returns:
        Tensor like ``input_x``.
    Raises:
        TypeError: if ``input_x`` is not a Tensor, or there is no such ``op``.  ValueError: if there is no such group.
        RuntimeError: if another process runs a different collective, or has ended.
    Example:
        >>> ops.AllReduce()(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AllReduce
    """
    return exchanged(exchanges.all_reduce(op), group_of(group), input_x)


@composite("AllGather(group: Text='hccl_world_group')(input_x)", name="_all_gather")
def _all_gather(input_x: Array, group: Group = None):
    """All-gather: the processes' values concatenated along the first axis.

    The gradient is the reduce-scattered sum of the gradients.

    Args:
        input_x (Tensor): one axis or more; the same shape in all processes.
        group (str): the processes. Default: all.
    Returns:
        Tensor, as many times longer as there are processes.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.  ValueError: if it has no axis, or there is no such group.
    Example:
        >>> ops.AllGather()(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AllGather
    """
    group = group_of(group)
    if group.size > 1 and input_x.ndim == 0:
        check.refuse(ValueError, "AllGather", "input_x", "of one axis or more", input_x)
    return exchanged(exchanges.all_gather(), group, input_x)


@composite("ReduceScatter(op='sum', group: Text='hccl_world_group')(input_x)", name="_reduce_scatter")
def _reduce_scatter(input_x: Array, op: Reduction = "sum", group: Group = None):
    """Reduce-scatter: each process gets its part of the reduction (such as the sum) of the processes' values.

    The gradient is the all-gather of the gradients.

    Args:
        input_x (Tensor): its first axis a multiple of the number of processes.
        op (str): as for `AllReduce`. Default: ``'sum'``.
        group (str): the processes. Default: all.
    Returns:
        Tensor, as many times shorter as there are processes.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.  ValueError: if it cannot be shared alike, or there is no such group.
    Example:
        >>> ops.ReduceScatter()(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.ReduceScatter
    """
    group = group_of(group)
    if group.size > 1:
        check_divides(group.size, input_x, "input_x", "ReduceScatter")
    return exchanged(exchanges.reduce_scatter(op), group, input_x)


@composite("Reduce(dest_rank, op='sum', group: Text='hccl_world_group')(input_x)", name="_reduce")
def _reduce(input_x: Array, dest_rank: Rank, op: Reduction = "sum", group: Group = None):
    """Reduce: `AllReduce` to one process; the gradient is that process's, broadcast.

    Args:
        input_x (Tensor): any shape; the same in all processes.
        dest_rank (int): the process's number in the group.
        op (str): as for `AllReduce`. Default: ``'sum'``.
        group (str): the processes. Default: all.
    Returns:
        Tensor like ``input_x``; in other processes of shape ``(1,)``, without meaning.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.  ValueError: if there is no such group or process.
    Example:
        >>> ops.Reduce(0)(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.Reduce
    """
    group = group_of(group)
    return _for_one(exchanged(exchanges.reduce(op, dest_rank), group, input_x), group, dest_rank)


@composite("CollectiveGather(dest_rank, group: Text='hccl_world_group')(input_x)", name="_gather")
def _gather(input_x: Array, dest_rank: Rank, group: Group = None):
    """Gather: `AllGather` to one process; the gradient is this process's part of that process's.

    Args:
        input_x (Tensor): one axis or more; the same shape in all processes.
        dest_rank (int): the process's number among all.
        group (str): the processes. Default: all.
    Returns:
        Tensor; in other processes of shape ``(1,)``, without meaning.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.  ValueError: if there is no such group or process.
    Example:
        >>> ops.CollectiveGather(0)(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.CollectiveGather
    """
    group = group_of(group)
    root = number_in(group, dest_rank)
    return _for_one(exchanged(exchanges.gather(root), group, input_x), group, root)


@composite("CollectiveScatter(src_rank=0, group: Text='hccl_world_group')(input_x)", name="_scatter")
def _scatter(input_x: Array, src_rank: Rank = 0, group: Group = None):
    """Scatter: each process gets its part of one process's value; the gradients are gathered there.

    Args:
        input_x (Tensor): its first axis a multiple of the number of processes; the same shape in all.
        src_rank (int): the process's number among all. Default: ``0``.
        group (str): the processes. Default: all.
    Returns:
        Tensor, as many times shorter as there are processes.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.  ValueError: if it cannot be shared alike, or there is no such group
            or process.
    Example:
        >>> ops.CollectiveScatter(0)(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.CollectiveScatter
    """
    group = group_of(group)
    if group.size > 1:
        check_divides(group.size, input_x, "input_x", "CollectiveScatter")
    return exchanged(exchanges.scatter(number_in(group, src_rank)), group, input_x)


@composite("AlltoAll(split_count, split_dim, concat_dim, group: Text='hccl_world_group')(input_x)", name="_all_to_all")
def _all_to_all(input_x: Array, split_count: PositiveInt, split_dim: Int, concat_dim: Int, group: Group = None):
    """All-to-all: each process sends a block to each process and concatenates the received ones; so do the gradients.

    Args:
        input_x (Tensor): the same shape in all processes.
        split_count (int): the number of blocks: of processes.
        split_dim, concat_dim (int): the axes along which blocks are split and concatenated.
        group (str): the processes. Default: all.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.  ValueError: if blocks and processes do not match, or there is no
            such group.
    Example:
        >>> ops.AlltoAll(1, 0, 1)(Tensor([[1.0, 2.0]])).tolist()
        [[1.0, 2.0]]
    Source: mindspore.ops.AlltoAll
    """
    group = group_of(group)
    if group.size == 1:
        return single_process(input_x)
    if split_count != group.size:
        check.refuse(ValueError, "AlltoAll", "split_count", f"{group.size}, the number of processes", split_count)
    split_dim, concat_dim = (_axis(axis, input_x) for axis in (split_dim, concat_dim))
    if input_x.shape[split_dim] % split_count:
        expected = f"of a multiple of {split_count} along the axis {split_dim}"
        check.refuse(ValueError, "AlltoAll", "input_x", expected, input_x)
    return run(exchanges.all_to_all(split_dim, concat_dim), group, input_x)


def _axis(axis, value):
    if not -value.ndim <= axis < value.ndim:
        check.refuse(ValueError, "AlltoAll", "split_dim or concat_dim", f"in [{-value.ndim}, {value.ndim})", axis)
    return axis % value.ndim


@composite("Broadcast(root_rank, group: Text='hccl_world_group')(input_x)", name="_broadcast")
def _broadcast(input_x, root_rank: Rank, group: Group = None):
    """Broadcast of one process's Tensors. Gradients stay in their process, as in MindSpore.

    Args:
        input_x (tuple[Tensor]): the Tensors; the same shapes in all processes.
        root_rank (int): the sending process's rank in the group.
        group (str): the processes. Default: all.
    Returns:
        tuple of Tensors.
    Raises:
        TypeError: if ``input_x`` is no tuple of Tensors.  ValueError: if there is no such group or process.
    Example:
        >>> ops.Broadcast(0)((Tensor([1.0]),))[0].tolist()
        [1.0]
    Source: mindspore.ops.Broadcast
    """
    values = [accepted(Array, each, "input_x", "Broadcast") for each in require(input_x, tuple, "Broadcast", "input_x")]
    group = group_of(group)
    return tuple([exchanged(exchanges.broadcast(root_rank), group, each) for each in values])


def wait_for_all(group):
    """Waits until all processes of a group have called it."""
    if group.size > 1:
        run(exchanges.barrier(), group, Tensor(np.zeros((), np.int32)))


@composite("Barrier(group: Text='hccl_world_group')()", name="_wait")
def _wait(group: Group = None):
    """Barrier: waits until all processes have called it.

    Args:
        group (str): the processes. Default: all.
    Returns:
        None.
    Example:
        >>> ops.Barrier()()
    Source: mindspore.ops.Barrier
    """
    wait_for_all(group_of(group))


completed("AllReduce", "AllGather", "ReduceScatter", "AlltoAll")(attributes.complete)
completed("CollectiveGather", "CollectiveScatter", "Broadcast", "Barrier")(attributes.complete)


class CommHandle:
    """The handle of an asynchronous collective. Collectives run in order, so it is already done.

    Example:
        >>> ops.barrier(async_op=True).wait()
    Source: mindspore.communication.comm_func.CommHandle
    """

    def wait(self):
        """Does nothing: the collective is done."""
