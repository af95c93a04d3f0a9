"""``mindspore.communication.comm_func``: collectives that return what they give, each in a group of one process."""

import sys

from .. import ops
from .._contracts.contracts import Array, Bool, enforced
from ..engine.refusal import refuse
from ..ops.collective.collective import KINDS, CommHandle
from ..ops.collective.process_group import WORLD, Group, Rank
from ..ops.legacy.left_out import leave_out

Way = KINDS["Way"]
Sole = KINDS["Sole"]


def _function(target):
    """``target`` with its contracts enforced under its own name."""
    return enforced(target, target.__name__)


def _handle(async_op):
    return CommHandle() if async_op else None


@_function
def all_reduce(tensor: Array, op: Way = "sum", group: Group = WORLD, async_op: Bool = False):
    """The sum, say, of the processes' Tensors: of one, the Tensor's value.

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
    return ops.AllReduce()(tensor), _handle(async_op)


@_function
def all_gather_into_tensor(tensor: Array, group: Group = WORLD, async_op: Bool = False):
    """The Tensors of all processes, in sequence: of one, its value.

    Args:
        tensor, group, async_op: as for `all_reduce`.
    Returns:
        tuple of a Tensor like ``tensor``, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.all_gather_into_tensor
    """
    return ops.AllGather()(tensor), _handle(async_op)


@_function
def reduce_scatter_tensor(tensor: Array, op: Way = "sum", group: Group = WORLD, async_op: Bool = False):
    """The slice for this process of the sum, say, of all processes' Tensors: of one, its value.

    Args:
        tensor, op, group, async_op: as for `all_reduce`.
    Returns:
        tuple of a Tensor like ``tensor``, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.reduce_scatter_tensor
    """
    return ops.ReduceScatter()(tensor), _handle(async_op)


@_function
def reduce(tensor: Array, dst: Rank, op: Way = "sum", group: Group = WORLD):
    """The sum, say, of the processes' Tensors for one of them: its value.

    Args:
        tensor, op, group: as for `all_reduce`.
        dst (int): the process, 0.
    Returns:
        Tensor like ``tensor``.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.reduce
    """
    return ops.AllReduce()(tensor)


@_function
def broadcast(tensor: Array, src: Rank = 0, group: Group = WORLD):
    """The Tensor of one process for all: its value.

    Args:
        tensor, group: as for `all_reduce`.
        src (int): the process, 0. Default: ``0``.
    Returns:
        Tensor like ``tensor``.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.broadcast
    """
    return ops.Broadcast(0)((tensor,))[0]


@_function
def gather_into_tensor(tensor: Array, dst: Rank = 0, group: Group = WORLD):
    """The Tensors of all processes, in sequence, for one of them: its value.

    Args:
        tensor, group: as for `all_reduce`.
        dst (int): the process, 0. Default: ``0``.
    Returns:
        Tensor like ``tensor``.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.gather_into_tensor
    """
    return ops.AllGather()(tensor)


@_function
def scatter_tensor(tensor: Array, src: Rank = 0, group: Group = WORLD):
    """The slice for this process of another one's Tensor: of one, all of it.

    Args:
        tensor, group: as for `all_reduce`.
        src (int): the process, 0. Default: ``0``.
    Returns:
        Tensor like ``tensor``.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.scatter_tensor
    """
    return ops.AllReduce()(tensor)


@_function
def barrier(group: Group = WORLD):
    """Waits until all processes are here: they are.

    Args:
        group (str): a group. Default: all processes.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> mindspore.communication.comm_func.barrier()
    Source: mindspore.communication.comm_func.barrier
    """


@_function
def all_to_all_with_output_shape(
    output_shape_list, input_tensor_list: Sole, group: Group = None, async_op: Bool = False
):
    """Each process sends each one a Tensor: to itself, the one that it has.

    Args:
        output_shape_list (tuple[Tensor | tuple]): a Tensor, or a shape, like the one that comes.
        input_tensor_list (tuple[Tensor] | list[Tensor]): of one Tensor.
        group, async_op: as for `all_reduce`.
    Returns:
        tuple of a tuple of one Tensor, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.all_to_all_with_output_shape
    """
    shapes = [tuple(getattr(each, "shape", each)) for each in output_shape_list]
    if shapes != [input_tensor_list.shape]:
        refuse(ValueError, "all_to_all_with_output_shape", "output_shape_list", f"[{input_tensor_list.shape}]", shapes)
    return (ops.AllReduce()(input_tensor_list),), _handle(async_op)


@_function
def all_to_all_single_with_output_shape(
    output_shape,
    tensor: Array,
    output_split_sizes=None,
    input_split_sizes=None,
    group: Group = None,
    async_op: Bool = False,
):
    """Each process sends each one slices of a Tensor: to itself, all.

    Args:
        output_shape (Tensor | tuple[int]): the shape of what comes, or a Tensor of it.
        tensor, group, async_op: as for `all_reduce`.
        output_split_sizes, input_split_sizes (list[int] | tuple[int]): how many slices come and go: one number, all.
            Default: ``None``.
    Returns:
        tuple of a Tensor like ``tensor``, and a handle or None.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.communication.comm_func.all_to_all_single_with_output_shape
    """
    owner = "all_to_all_single_with_output_shape"
    shape = tuple(getattr(output_shape, "shape", output_shape))
    if shape != tensor.shape:
        refuse(ValueError, owner, "output_shape", f"{tensor.shape}", shape)
    for name, sizes in (("output_split_sizes", output_split_sizes), ("input_split_sizes", input_split_sizes)):
        if sizes is not None and list(sizes) != [len(tensor)]:
            refuse(ValueError, owner, name, f"[{len(tensor)}]: there is one process", sizes)
    return ops.AllReduce()(tensor), _handle(async_op)


@_function
def get_cache_group_size(group: Group = WORLD):
    """How many processes a group has (int): 1."""
    return 1


@_function
def get_cache_group_rank(group: Group = WORLD):
    """The number of this process in a group (int): 0."""
    return 0


# What writes into its first argument, and what needs another process: those of ``ops``.
all_to_all_v_c = ops.all_to_all_v_c
batch_isend_irecv = ops.batch_isend_irecv
_LEFT_OUT = [
    ("P2POp(op, tensor, peer, group=None, tag=0, recv_dtype=None)", ops.P2POp.reason),
    ("irecv(tensor, src=0, group='hccl_world_group', tag=0)", ops.irecv.reason),
    ("isend(tensor, dst=0, group='hccl_world_group', tag=0)", ops.isend.reason),
    ("recv(tensor, src=0, group='hccl_world_group', tag=0)", ops.recv.reason),
    ("send(tensor, dst=0, group='hccl_world_group', tag=0)", ops.send.reason),
]

__all__ = [
    *leave_out(sys.modules[__name__], "communication.comm_func", _LEFT_OUT),
    "all_gather_into_tensor", "all_reduce", "all_to_all_single_with_output_shape", "all_to_all_v_c",
    "all_to_all_with_output_shape", "barrier", "batch_isend_irecv", "broadcast", "gather_into_tensor",
    "reduce", "reduce_scatter_tensor", "scatter_tensor",
]  # fmt: skip
