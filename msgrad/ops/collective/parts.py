"""Collectives of flat Tensors in parts of different lengths."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Int, Ints, PositiveInt
from ...engine.collectives.collective import run
from ...engine.processes import guard
from .._core.define import composite, op
from .._core.faces import completed, primitive
from ..array.rearrange import tile
from . import attributes, exchanges
from .collective import Reduction, exchanged, single_process
from .process_group import Group, group_of


def parts_exchanged(value, sent, received, group, most=None):
    """All-to-all with parts of different lengths of a flat Tensor.

    Args:
        value (Tensor): the parts to send, concatenated.
        sent, received (sequence of int): the lengths of the parts.
        group (Group): the processes.
        most (int): the length of the longest part of all processes, if known; otherwise they exchange it.
    """
    if most is None:
        most = max(map(int, guard.exchanged(group, "AlltoAllV", str(max(*sent, *received)))))
    arrived = run(exchanges.blocks(), group, _pad_to_length(value, tuple(sent), max(most, 1)))
    return _remove_padding(arrived, tuple(received))


@op(name="_pad_to_length")
def _pad_to_length(value: Array, lengths: Ints, length: Int):
    """Parts of these lengths as rows padded to ``length``, since all processes exchange arrays of the same shape."""
    starts = [sum(lengths[:k]) for k in range(len(lengths))]
    parts = [value[start : start + n] for start, n in zip(starts, lengths, strict=True)]
    return jnp.stack([jnp.pad(part, (0, length - len(part))) for part in parts])


@op(name="_remove_padding")
def _remove_padding(rows: Array, lengths: Ints):
    """The valid elements of each row, concatenated."""
    return jnp.concatenate([row[:n] for row, n in zip(rows, lengths, strict=True)])


def check_parts(parts, length, arg_name, owner, group):
    """Checks that ``parts`` has a length for each member, and that they add up to ``length``."""
    if len(parts) != group.size or sum(parts) != length or min(parts) < 0:
        alone = f"[{length}]: there is one process"
        expected = alone if group.size == 1 else f"{group.size} lengths, {length} together"
        check.refuse(ValueError, owner, arg_name, expected, list(parts))


@composite(name="_all_to_all_parts")
def _all_to_all_parts(
    input_x: Array, sent: Ints, received: Ints | None = None, block_size: PositiveInt = 1, group: Group = None
):
    """All-to-all with parts of different lengths of a flat Tensor; so do the gradients.

    Args:
        input_x (Tensor): shape ``(N,)``.
        sent, received (list[int]): the numbers of blocks to send to and receive from each process. Default: ``None``.
        block_size (int): elements of a block. Default: ``1``.
        group (str): the processes. Default: all.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the parts are not all elements.
    Example:
        >>> ops.AlltoAllV()(Tensor([1.0, 2.0]), [2], [2]).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AlltoAllV
    """
    group = group_of(group)
    check_parts(sent, len(input_x) // block_size, "send_numel_list", "AlltoAllV", group)
    if group.size == 1:
        if received is not None:
            check_parts(received, len(input_x) // block_size, "recv_numel_list", "AlltoAllV", group)
        return single_process(input_x)
    if received is None:
        check.refuse(TypeError, "AlltoAllV", "recv_numel_list", "given where there are several processes", received)
    check_parts(received, sum(received), "recv_numel_list", "AlltoAllV", group)
    return parts_exchanged(input_x, [n * block_size for n in sent], [n * block_size for n in received], group)


primitive(
    _all_to_all_parts,
    "AlltoAllV(group: Text='hccl_world_group', block_size=1)(input_x, send_numel_list, recv_numel_list)",
    send_numel_list="sent",
    recv_numel_list="received",
)


def counts_of(matrix, group, owner):
    """From the flat matrix of block counts: those this process sends, those it receives, and the largest one."""
    size = group.size
    if len(matrix) != size * size:
        check.refuse(ValueError, owner, "send_count_matrix", f"{size * size} numbers", list(matrix))
    rows = [list(matrix[k * size : (k + 1) * size]) for k in range(size)]
    return rows[group.rank], [row[group.rank] for row in rows], max(matrix)


@composite(name="_all_to_all_matrix")
def _all_to_all_matrix(
    input_x: Array, matrix: Ints, transposed: Bool = False, block_size: PositiveInt = 1, group: Group = None
):
    """`AlltoAllV` with the block counts of all processes.

    Args:
        input_x (Tensor): shape ``(N,)``.
        matrix (list[int]): the number of blocks that process ``i`` sends to ``j``, at ``i * processes + j``.
        transposed (bool): whether ``i`` receives them. Default: ``False``.
        block_size (int): elements of a block. Default: ``1``.
        group (str): the processes. Default: all.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the parts are not all elements.
    Example:
        >>> ops.AlltoAllVC()(Tensor([1.0, 2.0]), [2]).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AlltoAllVC
    """
    group = group_of(group)
    sent, received, most = counts_of(matrix, group, "AlltoAllVC")
    sent, received = (received, sent) if transposed else (sent, received)
    check_parts(sent, len(input_x) // block_size, "send_count_matrix", "AlltoAllVC", group)
    if group.size == 1:
        return single_process(input_x)
    sent, received = [n * block_size for n in sent], [n * block_size for n in received]
    return parts_exchanged(input_x, sent, received, group, most * block_size)


primitive(
    _all_to_all_matrix,
    "AlltoAllVC(group: Text='hccl_world_group', block_size=1, transpose=False)(input_x, send_count_matrix)",
    send_count_matrix="matrix",
    transpose="transposed",
)


@composite(name="_all_gather_parts")
def _all_gather_parts(input_x: Array, received: Ints, group: Group = None):
    """`AllGather` of flat Tensors of different lengths.

    Args:
        input_x (Tensor): shape ``(N,)``.
        received (list[int]): the length of each process's.
        group (str): the processes. Default: all.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the lengths do not fit.
    Example:
        >>> ops.AllGatherV()(Tensor([1.0, 2.0]), [2]).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AllGatherV
    """
    group = group_of(group)
    check_parts(received, sum(received), "output_split_sizes", "AllGatherV", group)
    if received[group.rank] != len(input_x):
        check.refuse(ValueError, "AllGatherV", "output_split_sizes", f"{len(input_x)} for this process", list(received))
    return gathered_parts(input_x, received, group)


def gathered_parts(value, lengths, group):
    """The flat Tensors of all members, of these lengths, concatenated."""
    if group.size == 1:
        return single_process(value)
    copies = tile(value, (group.size,))
    return parts_exchanged(copies, [len(value)] * group.size, lengths, group, max(lengths))


primitive(
    _all_gather_parts,
    "AllGatherV(group: Text='hccl_world_group')(input_x, output_split_sizes)",
    output_split_sizes="received",
)


@composite(name="_reduce_scatter_parts")
def _reduce_scatter_parts(input_x: Array, sent: Ints, op: Reduction = "sum", group: Group = None):
    """`ReduceScatter` in parts of different lengths.

    Args:
        input_x (Tensor): shape ``(N,)``.
        sent (list[int]): the length of each process's part.
        op (str): as for `AllReduce`. Default: ``'sum'``.
        group (str): the processes. Default: all.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the lengths do not fit.
    Example:
        >>> ops.ReduceScatterV()(Tensor([1.0, 2.0]), [2]).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.ReduceScatterV
    """
    group = group_of(group)
    check_parts(sent, len(input_x), "input_split_sizes", "ReduceScatterV", group)
    start = sum(sent[: group.rank])
    total = exchanged(exchanges.all_reduce(op), group, input_x)
    return total if group.size == 1 else total[start : start + sent[group.rank]]


primitive(
    _reduce_scatter_parts,
    "ReduceScatterV(op='sum', group: Text='hccl_world_group')(input_x, input_split_sizes)",
    input_split_sizes="sent",
)

completed("AllGatherV", "ReduceScatterV", "AlltoAllV", "AlltoAllVC")(attributes.complete)
