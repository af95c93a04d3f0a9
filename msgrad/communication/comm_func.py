"""``mindspore.communication.comm_func``: collectives that return their result."""

import math

from .. import ops
from .._contracts.contracts import Array, Bool, Int
from .._contracts.enforcement import enforced
from .._contracts.kinds import Static, accepted
from ..engine.refusal import refuse
from ..ops.collective import point_to_point
from ..ops.collective.collective import CommHandle, Reduction, exchanged, wait_for_all
from ..ops.collective.in_place import exchanged_lists, exchanged_slices
from ..ops.collective.parts import check_parts
from ..ops.collective.process_group import WORLD, Group, Rank, group_of, number_in


def _listed(value, arg_name, owner):
    """``value``, a Tensor or a tuple or list of Tensors, as a list."""
    values = value if isinstance(value, (tuple, list)) else [value]
    return [accepted(Array, each, arg_name, owner) for each in values]


Listed = Static(_listed, object)


def _function(target):
    """``target`` with its contracts enforced under its own name."""
    return enforced(target, target.__name__)


def _handle(async_op):
    return CommHandle() if async_op else None


@_function
def all_reduce(tensor: Array, op: Reduction = "sum", group: Group = WORLD, async_op: Bool = False):
    """Reduces the processes' Tensors, by their sum, say.

    Args:
        tensor (Tensor): any shape and dtype.
        op (str): ``'sum'``, ``'prod'``, ``'max'``, ``'min'`` or ``'avg'``. Default: ``'sum'``.
        group (str): a group. Default: all processes.
        async_op (bool): whether a handle is wanted. Default: ``False``.
    Returns:
        tuple of a Tensor like ``tensor``, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> mindspore.communication.comm_func.all_reduce(Tensor([1.0]))[0].tolist()
        [1.0]
    Source: mindspore.communication.comm_func.all_reduce
    """
    return ops.AllReduce(op, group)(tensor), _handle(async_op)


@_function
def all_gather_into_tensor(tensor: Array, group: Group = WORLD, async_op: Bool = False):
    """Concatenates the Tensors of all processes.

    Args:
        tensor, group, async_op: as for `all_reduce`.
    Returns:
        tuple of a Tensor, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.all_gather_into_tensor
    """
    return ops.AllGather(group)(tensor), _handle(async_op)


@_function
def reduce_scatter_tensor(tensor: Array, op: Reduction = "sum", group: Group = WORLD, async_op: Bool = False):
    """Reduces the processes' Tensors, and returns this process's slice of the result.

    Args:
        tensor, op, group, async_op: as for `all_reduce`.
    Returns:
        tuple of a Tensor like ``tensor``, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.reduce_scatter_tensor
    """
    return ops.ReduceScatter(op, group)(tensor), _handle(async_op)


@_function
def reduce(tensor: Array, dst: Rank, op: Reduction = "sum", group: Group = WORLD):
    """Reduces the processes' Tensors, for one process.

    Args:
        tensor, op, group: as for `all_reduce`.
        dst (int): the process, by its number among all.
    Returns:
        Tensor like ``tensor``; in other processes of shape ``(1,)``, without meaning.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.reduce
    """
    return ops.Reduce(number_in(group_of(group), dst), op, group)(tensor)


@_function
def broadcast(tensor: Array, src: Rank = 0, group: Group = WORLD):
    """Sends the Tensor of one process to all.

    Args:
        tensor, group: as for `all_reduce`.
        src (int): the process, by its number among all. Default: ``0``.
    Returns:
        Tensor like ``tensor``.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.broadcast
    """
    return ops.Broadcast(number_in(group_of(group), src), group)((tensor,))[0]


@_function
def gather_into_tensor(tensor: Array, dst: Rank = 0, group: Group = WORLD):
    """Concatenates the Tensors of all processes, for one process.

    Args:
        tensor, group: as for `all_reduce`.
        dst (int): the process, by its number among all. Default: ``0``.
    Returns:
        Tensor; in other processes of shape ``(1,)``, without meaning.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.gather_into_tensor
    """
    return ops.CollectiveGather(dst, group)(tensor)


@_function
def scatter_tensor(tensor: Array, src: Rank = 0, group: Group = WORLD):
    """Returns this process's slice of a Tensor of another process.

    Args:
        tensor, group: as for `all_reduce`.
        src (int): the process, by its number among all. Default: ``0``.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.scatter_tensor
    """
    return ops.CollectiveScatter(src, group)(tensor)


@_function
def barrier(group: Group = WORLD):
    """Waits until all processes have called it.

    Args:
        group (str): a group. Default: all processes.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> mindspore.communication.comm_func.barrier()
    Source: mindspore.communication.comm_func.barrier
    """
    wait_for_all(group_of(group))


@_function
def all_to_all_with_output_shape(
    output_shape_list, input_tensor_list: Listed, group: Group = None, async_op: Bool = False
):
    """Each process sends a Tensor to every process.

    Args:
        output_shape_list (tuple[Tensor | tuple]): for each received Tensor its shape, or a Tensor of that shape.
        input_tensor_list (tuple[Tensor] | list[Tensor]): one for each process.
        group, async_op: as for `all_reduce`.
    Returns:
        tuple of a tuple of Tensors, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.all_to_all_with_output_shape
    """
    owner, group = "all_to_all_with_output_shape", group_of(group)
    shapes = [tuple(getattr(each, "shape", each)) for each in output_shape_list]
    for name, values in (("output_shape_list", shapes), ("input_tensor_list", input_tensor_list)):
        if len(values) != group.size:
            refuse(ValueError, owner, name, f"of {group.size}, one for each process", values)
    if group.size == 1:
        if shapes != [input_tensor_list[0].shape]:
            refuse(ValueError, owner, "output_shape_list", f"[{input_tensor_list[0].shape}]", shapes)
        return (exchanged(None, group, input_tensor_list[0]),), _handle(async_op)
    arrived = exchanged_lists(input_tensor_list, [math.prod(shape) for shape in shapes], group)
    results = [value.reshape(shape) for value, shape in zip(arrived, shapes, strict=True)]
    return tuple(results), _handle(async_op)


@_function
def all_to_all_single_with_output_shape(
    output_shape,
    tensor: Array,
    output_split_sizes=None,
    input_split_sizes=None,
    group: Group = None,
    async_op: Bool = False,
):
    """Each process sends slices of a Tensor to every process.

    Args:
        output_shape (Tensor | tuple[int]): the shape of the result, or a Tensor of that shape.
        tensor, group, async_op: as for `all_reduce`.
        output_split_sizes, input_split_sizes (list[int] | tuple[int]): the number of slices received from, and sent
            to, each process. Default: ``None``, equal numbers.
    Returns:
        tuple of a Tensor, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.all_to_all_single_with_output_shape
    """
    owner = "all_to_all_single_with_output_shape"
    shape, group = tuple(getattr(output_shape, "shape", output_shape)), group_of(group)
    if group.size > 1:
        value = exchanged_slices(owner, group, shape, tensor, output_split_sizes, input_split_sizes)
        return value.reshape(shape), _handle(async_op)
    if shape != tensor.shape:
        refuse(ValueError, owner, "output_shape", f"{tensor.shape}", shape)
    for name, sizes in (("output_split_sizes", output_split_sizes), ("input_split_sizes", input_split_sizes)):
        if sizes is not None:
            check_parts(sizes, len(tensor), name, owner, group)
    return exchanged(None, group, tensor), _handle(async_op)


@_function
def get_cache_group_size(group: Group = WORLD):
    """The number of processes in a group (int)."""
    return ops.get_world_size(group)


@_function
def get_cache_group_rank(group: Group = WORLD):
    """The rank of this process in a group (int)."""
    return ops.get_rank(group)


@_function
def send(tensor: Array, dst: Rank = 0, group: Group = WORLD, tag: Int = 0):
    """Sends a Tensor to another process, which calls `recv`.

    Args:
        tensor (Tensor): any shape and dtype.
        dst (int): the process, by its number among all. Default: ``0``.
        group (str): a group. Default: all processes.
        tag (int): without effect: messages between two processes arrive in order. Default: ``0``.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Source: mindspore.communication.comm_func.send
    """
    ops.send(tensor, dst, group, tag)


@_function
def recv(tensor: Array, src: Rank = 0, group: Group = WORLD, tag: Int = 0):
    """Receives a Tensor that another process sends with `send`.

    Args:
        tensor (Tensor): a Tensor of the same shape and dtype.
        src (int): the process, by its number among all. Default: ``0``.
        group, tag: as for `send`.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Source: mindspore.communication.comm_func.recv
    """
    result = ops.zeros_like(tensor)
    ops.recv(result, src, group, tag)
    return result


@_function
def isend(tensor: Array, dst: Rank = 0, group: Group = WORLD, tag: Int = 0):
    """As `send`, but waits for the other process only in ``wait()`` of the returned handle.

    Args:
        tensor, dst, group, tag: as for `send`.
    Returns:
        A handle.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Source: mindspore.communication.comm_func.isend
    """
    return ops.isend(tensor, dst, group, tag)


@_function
def irecv(tensor: Array, src: Rank = 0, group: Group = WORLD, tag: Int = 0):
    """As `recv`, but waits for the other process only in ``wait()`` of the returned handle.

    Args:
        tensor, src, group, tag: as for `recv`.
    Returns:
        tuple of the Tensor, which has arrived after ``wait()``, and the handle.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Source: mindspore.communication.comm_func.irecv
    """
    result = ops.zeros_like(tensor)
    return result, ops.irecv(result, src, group, tag)


def batch_isend_irecv(p2p_op_list):
    """Sends and receives many Tensors at once.

    Args:
        p2p_op_list (list[P2POp]): the messages; those between two processes arrive in order.
    Returns:
        tuple of Tensors, one for each message: the received Tensor, or 0.0 for a sent one.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Source: mindspore.communication.comm_func.batch_isend_irecv
    """
    results = []
    for each in p2p_op_list:
        is_sent = each.op == "isend"
        results.append(ops.zeros(()) if is_sent else ops.zeros_like(each.tensor))
        point_to_point.check_peer("comm_func.batch_isend_irecv", each.peer, "peer", each.group)
        point_to_point.begin(is_sent, each.tensor if is_sent else results[-1], each.peer)
    point_to_point.flush()
    return tuple(results)


# Functions that write to their first argument are those of ``ops``.
all_to_all_v_c = ops.all_to_all_v_c


class P2POp(ops.P2POp):
    """A message for `batch_isend_irecv`.

    Args:
        op, tensor, peer, group, tag: as for `ops.P2POp`; ``tensor`` may be the shape of the received Tensor.
        recv_dtype (mindspore.dtype): the dtype of the received Tensor, if ``tensor`` is a shape. Default: ``None``.
    Source: mindspore.communication.comm_func.P2POp
    """

    def __init__(self, op, tensor, peer, group=None, tag=0, recv_dtype=None):
        if isinstance(tensor, (tuple, list)):
            tensor = ops.zeros(tuple(tensor), recv_dtype)
        super().__init__(op, tensor, peer, group, tag)
        self.recv_dtype = recv_dtype


__all__ = [
    "P2POp", "all_gather_into_tensor", "all_reduce", "all_to_all_single_with_output_shape", "all_to_all_v_c",
    "all_to_all_with_output_shape", "barrier", "batch_isend_irecv", "broadcast", "gather_into_tensor", "irecv", "isend",
    "recv", "reduce", "reduce_scatter_tensor", "scatter_tensor", "send",
]  # fmt: skip
