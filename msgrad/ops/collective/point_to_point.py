"""Point-to-point messages between two processes, and collectives made of them.

A message is a collective of its sender and receiver only, which wait for each other. Asynchronous messages are queued
until one of them is waited for, and then sent in an order common to all processes, so that two processes that send to
each other do not deadlock.
"""

import dataclasses

from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.contracts import Array, Int, Ints, Text
from ...engine.collectives.collective import run
from ...engine.collectives.groups import group_of as members
from ...engine.processes.world import World
from ...tensor.tensor import Tensor
from .._core.define import composite
from .._core.faces import completed, primitive
from ..array.concatenation import concat
from ..array.creation import zeros
from ..array.splitting import split
from . import attributes, exchanges
from .collective import CommHandle
from .objects import shared
from .parts import parts_exchanged
from .process_group import Group, Rank, group_of

_MSG_ALONE = (
    "'{}' exchanges data with another process, and this program is one process: start it with "
    "`msgrad launch --worker_num=2 script.py`."
)


def check_peer(owner, peer, arg_name, group=None):
    """Checks that ``peer`` is the rank of another process.

    Raises:
        NotImplementedError: if there is only one process.  ValueError: if it is this process.
    """
    if group_of(group).size == 1:
        raise NotImplementedError(_MSG_ALONE.format(owner))
    if peer == World.rank:
        check.refuse(ValueError, owner, arg_name, "the rank of another process", peer)


@dataclasses.dataclass
class _Message:
    """A message of this process: ``tensor`` is sent, or receives the value."""

    is_sent: bool
    tensor: Tensor
    peer: int

    def pair(self):
        return (World.rank, self.peer) if self.is_sent else (self.peer, World.rank)

    def order(self):
        return min(self.pair()), max(self.pair()), self.pair()[0]

    def exchange(self):
        """Sends or receives the message."""
        result = run(exchanges.send(self.is_sent), members(self.pair()), self.tensor)
        if not self.is_sent:
            self.tensor._write_(result)


class _Handle(CommHandle):
    def wait(self):
        flush()


_waiting = []


def flush():
    """Sends and receives all queued messages."""
    messages = sorted(_waiting, key=_Message.order)
    _waiting.clear()
    for message in messages:
        message.exchange()


def begin(is_sent, tensor, peer):
    """Queues a message until its handle, which is returned, or another message is waited for."""
    _waiting.append(_Message(is_sent, tensor, peer))
    return _Handle()


# -- functions, in place ----------------------------------------------------------------------------------------------


@composite()
def send(tensor: Array, dst: Rank = 0, group: Group = None, tag: Int = 0):
    """Sends a Tensor to another process, which calls `recv`.

    Args:
        tensor (Tensor): any shape and dtype.
        dst (int): the process, by its number among all. Default: ``0``.
        group (str): a group. Default: ``None``, all processes.
        tag (int): without effect: messages between two processes arrive in order. Default: ``0``.
    Returns:
        None.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.send(Tensor([1.0]), 1)  # doctest: +SKIP
    Source: mindspore.ops.send
    """
    check_peer("ops.send", dst, "dst", group)
    flush()
    _Message(True, tensor, dst).exchange()


@composite()
def recv(tensor: Array, src: Rank = 0, group: Group = None, tag: Int = 0):
    """Receives a Tensor from another process, which calls `send`.

    Args:
        tensor (Tensor): receives the value; of its shape and dtype.
        src (int): the process, by its number among all. Default: ``0``.
        group, tag: as for `send`.
    Returns:
        int, 0.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.recv(ops.zeros(1), 1)  # doctest: +SKIP
        0
    Source: mindspore.ops.recv
    """
    check_peer("ops.recv", src, "src", group)
    flush()
    _Message(False, tensor, src).exchange()
    return 0


@composite()
def isend(tensor: Array, dst: Rank = 0, group: Group = None, tag: Int = 0):
    """Asynchronous `send`: the returned handle's ``wait()`` waits for the other process.

    Args:
        tensor, dst, group, tag: as for `send`.
    Returns:
        A handle.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.isend(Tensor([1.0]), 1).wait()  # doctest: +SKIP
    Source: mindspore.ops.isend
    """
    check_peer("ops.isend", dst, "dst", group)
    return begin(True, tensor, dst)


@composite()
def irecv(tensor: Array, src: Rank = 0, group: Group = None, tag: Int = 0):
    """Asynchronous `recv`: the returned handle's ``wait()`` waits for the other process.

    Args:
        tensor, src, group, tag: as for `recv`.
    Returns:
        A handle; after its ``wait()`` the Tensor has the value.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.irecv(ops.zeros(1), 1).wait()  # doctest: +SKIP
    Source: mindspore.ops.irecv
    """
    check_peer("ops.irecv", src, "src", group)
    return begin(False, tensor, src)


class P2POp:
    """A message for `batch_isend_irecv`.

    Args:
        op (str | function): ``'isend'`` or ``'irecv'``, or one of these functions.
        tensor (Tensor): what is sent, or where it arrives.
        peer (int): the other process, by its number among all.
        group (str): a group. Default: ``None``, all processes.
        tag (int): without effect. Default: ``0``.
    Raises:
        ValueError: if ``op`` is another.
    Example:
        >>> ops.P2POp("isend", Tensor([1.0]), 1).op
        'isend'
    Source: mindspore.ops.P2POp
    """

    def __init__(self, op, tensor, peer, group=None, tag=0):
        name = op if isinstance(op, str) else getattr(op, "__name__", op)
        if name not in ("isend", "irecv"):
            check.refuse(ValueError, "P2POp", "op", "'isend' or 'irecv'", op)
        self.op, self.tensor, self.peer, self.group, self.tag = name, tensor, peer, group, tag


@composite()
def batch_isend_irecv(p2p_op_list: Instance(list)):
    """Sends and receives many Tensors at once.

    Args:
        p2p_op_list (list[P2POp]): the messages; those between two processes arrive in order.
    Returns:
        list of handles, one for each message; all messages are done.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.batch_isend_irecv([ops.P2POp("isend", Tensor([1.0]), 1)])  # doctest: +SKIP
    Source: mindspore.ops.batch_isend_irecv
    """
    for each in p2p_op_list:
        if not isinstance(each, P2POp):
            check.refuse(TypeError, "batch_isend_irecv", "p2p_op_list", "a list of P2POp", each)
        check_peer("ops.batch_isend_irecv", each.peer, "peer", each.group)
    handles = [begin(each.op == "isend", each.tensor, each.peer) for each in p2p_op_list]
    flush()
    return handles


@composite()
def send_object_list(object_list: Instance(list), dst: Rank, group: Group = None, device=None):
    """Sends Python objects to another process, which calls `recv_object_list`.

    Args:
        object_list (list): what is sent.
        dst (int): the process, by its number among all.
        group (str): a group. Default: ``None``, all processes.
        device (str): a hint without effect. Default: ``None``.
    Returns:
        None.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.send_object_list(["a"], 1)  # doctest: +SKIP
    Source: mindspore.ops.send_object_list
    """
    check_peer("ops.send_object_list", dst, "dst", group)
    shared("send_object_list", members((World.rank, dst)), object_list)


@composite()
def recv_object_list(object_list: Instance(list), src: Rank = 0, group: Group = None, device=None):
    """Receives the Python objects that another process sends with `send_object_list`.

    Args:
        object_list (list): receives the objects.
        src (int): the process, by its number among all. Default: ``0``.
        group, device: as for `send_object_list`.
    Returns:
        int, the process that sent them.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.recv_object_list([None], 1)  # doctest: +SKIP
        1
    Source: mindspore.ops.recv_object_list
    """
    check_peer("ops.recv_object_list", src, "src", group)
    object_list[:] = shared("recv_object_list", members((src, World.rank)), None)[0]
    return src


# -- Primitives -------------------------------------------------------------------------------------------------------


@composite(name="_send")
def _send(input_x: Array, dest_rank: Rank, group: Group = None):
    """Sends a Tensor to another process, which calls `Receive`; its gradient comes from there.

    Args:
        input_x (Tensor): any shape and dtype.
        dest_rank (int): the process's number in the group.
        group (str): the processes. Default: all.
    Returns:
        Tensor, the one that is sent; its gradient comes from the receiver.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.Send(0, 1)(Tensor([1.0]))  # doctest: +SKIP
    Source: mindspore.ops.Send
    """
    peer = group_of(group).members[dest_rank]
    check_peer("ops.Send", peer, "dest_rank", group)
    flush()
    return input_x + 0 * run(exchanges.send(True), members((World.rank, peer)), input_x)


primitive(
    _send,
    "Send(sr_tag, dest_rank, group: Text | None='hccl_world_group', group_back='hccl_world_group')(input_x)",
    hints=("sr_tag", "group_back"),
)


@composite(name="_receive")
def _receive(input_x=None, src_rank: Rank = 0, shape: Ints = (), dtype=None, group: Group = None):
    """Receives a Tensor from another process, which calls `Send`; its gradient goes back there.

    Args:
        input_x (Tensor): without meaning. Default: ``None``.
        src_rank (int): the process's number in the group. Default: ``0``.
        shape (list[int]): of what arrives. Default: ``()``.
        dtype (mindspore.dtype): of what arrives. Default: ``None``, float32.
        group (str): the processes. Default: all.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.Receive(0, 1, [1], ms.float32)(Tensor(0.0))  # doctest: +SKIP
    Source: mindspore.ops.Receive
    """
    peer = group_of(group).members[src_rank]
    check_peer("ops.Receive", peer, "src_rank", group)
    flush()
    return run(exchanges.send(False), members((peer, World.rank)), zeros(tuple(shape), dtype))


primitive(
    _receive,
    "Receive(sr_tag, src_rank, shape, dtype, group: Text | None='hccl_world_group', group_back='hccl_world_group')"
    "(input_x=None)",
    hints=("sr_tag", "group_back"),
)


@composite(name="_batch")
def _batch(input_x, op_types, remote_ranks: Ints, receive_shapes=None, receive_dtypes=None, group: Group = None):
    """`batch_isend_irecv` as a Primitive, which returns what arrives.

    Args:
        input_x (tuple[Tensor]): what is sent, in order.
        op_types (tuple[str]): ``'isend'`` or ``'irecv'`` for each message.
        remote_ranks (tuple[int]): the other process of each.
        receive_shapes, receive_dtypes (tuple): of what arrives, in order. Default: ``None``.
        group (str): the processes. Default: all.
    Returns:
        tuple of Tensors, one for each message: what arrives, or 0.0 for one that is sent.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.BatchISendIRecv(("isend", "irecv"), (1, 1), ((),), (ms.float32,))((Tensor(1.0),))  # doctest: +SKIP
    Source: mindspore.ops.BatchISendIRecv
    """
    tensors = iter(input_x or ())
    arriving = iter(zip(receive_shapes or (), receive_dtypes or (), strict=True))
    results = []
    for kind, peer in zip(op_types, remote_ranks, strict=True):
        peer = group_of(group).members[peer]
        check_peer("ops.BatchISendIRecv", peer, "remote_ranks", group)
        if kind == "isend":
            begin(True, next(tensors), peer)
            results.append(zeros(()))
        else:
            shape, dtype = next(arriving)
            results.append(zeros(tuple(shape), dtype))
            begin(False, results[-1], peer)
    flush()
    return tuple(results)


primitive(
    _batch,
    "BatchISendIRecv(op_types, remote_ranks, receive_shapes=None, receive_dtypes=None, "
    "group: Text | None='hccl_world_group')(input_x)",
)


@composite(name="_neighbors")
def _neighbors(input_x, send_rank_ids: Ints, recv_rank_ids: Ints, recv_shapes, recv_type=None, group: Group = None):
    """Sends Tensors to some processes, and receives Tensors from some; so do the gradients.

    Args:
        input_x (tuple[Tensor]): the Tensors to send, one for each of ``send_rank_ids``.
        send_rank_ids, recv_rank_ids (list[int]): the processes' ranks in the group.
        recv_shapes (tuple[tuple[int]]): the shapes of the received Tensors.
        recv_type (mindspore.dtype): the dtype of all Tensors. Default: ``None``.
        group (str): the processes. Default: all.
    Returns:
        tuple of Tensors.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> ops.NeighborExchange([1], [1], ([1],), ([1],), ms.float32)((Tensor([1.0]),))  # doctest: +SKIP
    Source: mindspore.ops.NeighborExchange
    """
    if group_of(group).size == 1:
        raise NotImplementedError(_MSG_ALONE.format("ops.NeighborExchange"))
    shapes = [tuple(shape) for shape in recv_shapes]
    return tuple(exchanged_tensors(list(input_x), send_rank_ids, recv_rank_ids, shapes, recv_type, group_of(group)))


def exchanged_tensors(tensors, send_to, receive_from, shapes, dtype, group):
    """Sends Tensors to some members of a group; returns the Tensors of ``shapes`` received from others."""
    sent, received = [0] * group.size, [0] * group.size
    for peer, value in zip(send_to, tensors, strict=True):
        sent[peer] += value.size
    sizes = [zeros(shape).size for shape in shapes]
    for peer, size in zip(receive_from, sizes, strict=True):
        received[peer] += size
    ordered = [tensors[k].reshape(-1) for k in sorted(range(len(tensors)), key=lambda k: send_to[k])]
    flat = parts_exchanged(concat(ordered) if ordered else zeros((0,), dtype), sent, received, group)
    order = sorted(range(len(shapes)), key=lambda k: receive_from[k])
    arrived = split(flat, [sizes[k] for k in order]) if order else ()
    results = dict(zip(order, arrived, strict=True))
    return [results[k].reshape(shapes[k]) for k in range(len(shapes))]


primitive(
    _neighbors,
    "NeighborExchange(send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, "
    "group: Text | None='hccl_world_group')(input_x)",
    hints=("send_shapes",),
)


# The offset (row, column) of each of the eight neighbours, clockwise from the top.
_PLACES = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


@composite(name="_halo_exchange")
def _halo_exchange(
    input_x: Array,
    send_rank_ids: Ints,
    send_lens: Ints,
    recv_rank_ids: Ints,
    recv_lens: Ints,
    data_format: Text = "NCHW",
    group: Group = None,
):
    """Halo exchange: an image with the borders of its eight neighbours, each in another process.

    Args:
        input_x (Tensor): ``(N, C, H, W)``.
        send_rank_ids, recv_rank_ids (list[int]): the neighbours, clockwise from the top, -1 for none.
        send_lens, recv_lens (list[int]): the rows and columns to send and receive: top, bottom, left, right.
        data_format (str): ``'NCHW'``. Default: ``'NCHW'``.
        group (str): the processes. Default: all.
    Returns:
        Tensor ``(N, C, H + top + bottom, W + left + right)``; 0 where there is no neighbour.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: where there is one process.
    Example:
        >>> to = [-1, -1, -1, -1, 1, -1, -1, -1]
        >>> exchange = ops.NeighborExchangeV2(to, [0, 1, 0, 0], [-1] * 8, [0] * 4, "NCHW")  # doctest: +SKIP
        >>> exchange(ops.ones((1, 1, 2, 2)))  # doctest: +SKIP
    Source: mindspore.ops.NeighborExchangeV2
    """
    if group_of(group).size == 1:
        raise NotImplementedError(_MSG_ALONE.format("ops.NeighborExchangeV2"))
    if data_format != "NCHW":
        check.refuse(ValueError, "NeighborExchangeV2", "data_format", "'NCHW'", data_format)
    height, width = input_x.shape[2:]
    borders, to = [], []
    for direction, peer in zip(_PLACES, send_rank_ids, strict=True):
        if peer >= 0:
            rows, columns = _border(direction[0], send_lens[:2], height), _border(direction[1], send_lens[2:], width)
            borders.append(input_x[:, :, rows, columns])
            to.append(peer)
    # Both processes use the sender's order: my top neighbour has me as its bottom neighbour.
    directions = sorted([k for k, peer in enumerate(recv_rank_ids) if peer >= 0], key=lambda k: (k + 4) % 8)
    heights = {-1: recv_lens[0], 0: height, 1: recv_lens[1]}
    widths = {-1: recv_lens[2], 0: width, 1: recv_lens[3]}
    shapes = [(*input_x.shape[:2], heights[_PLACES[k][0]], widths[_PLACES[k][1]]) for k in directions]
    peers = [recv_rank_ids[k] for k in directions]
    arrived = exchanged_tensors(borders, to, peers, shapes, input_x.dtype, group_of(group))
    parts = {_PLACES[k]: value for k, value in zip(directions, arrived, strict=True)}
    parts[0, 0] = input_x
    rows = []
    for row in (-1, 0, 1):
        blocks = []
        for column in (-1, 0, 1):
            shape = (*input_x.shape[:2], heights[row], widths[column])
            blocks.append(parts[row, column] if (row, column) in parts else zeros(shape, input_x.dtype))
        rows.append(concat(blocks, 3))
    return concat(rows, 2)


def _border(side, lengths, whole):
    """The slice at one side of an axis: -1 for its start, 1 for its end, 0 for all of it."""
    before, after = lengths
    return {-1: slice(0, before), 0: slice(0, whole), 1: slice(whole - after, whole)}[side]


primitive(
    _halo_exchange,
    "NeighborExchangeV2(send_rank_ids, send_lens, recv_rank_ids, recv_lens, data_format, "
    "group: Text | None='hccl_world_group')(input_x)",
)

completed("Send", "Receive", "BatchISendIRecv", "NeighborExchange", "NeighborExchangeV2")(attributes.complete)
