"""Communication between processes, of which there is one: each collective gives what it does in a group of one.

Functions write into their Tensors, as MindSpore's do; Primitives return a value. What needs a second process (``send``,
``recv``, ...) is left out (`left_out`).
"""

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Instance, Int, Ints, OneOf, Static
from .._core.define import composite, op
from .._core.faces import primitive
from .._core.families import body
from .process_group import Group, Rank

_GROUP = ("group",)


class ReduceOp:
    """How the values of several processes become one.

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


@op(name="_alone")
def _alone(input_x: Array):
    """The value that all processes agree on: there is one process, so it is its own.

    Args:
        input_x (Tensor): any shape and dtype.
        op (str): how values become one; without effect. Default: ``'sum'``.
        group (str): the processes; without effect.
        dest_rank, src_rank (int): a process; without effect.
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


primitive(_alone, "AllReduce(op='sum', group='hccl_world_group')(input_x)", hints=("op", "group"))
primitive(_alone, "AllGather(group='hccl_world_group')(input_x)", hints=_GROUP)
primitive(_alone, "ReduceScatter(op='sum', group='hccl_world_group')(input_x)", hints=("op", "group"))
primitive(_alone, "Reduce(dest_rank, op='sum', group='hccl_world_group')(input_x)", hints=("dest_rank", "op", "group"))
primitive(_alone, "CollectiveGather(dest_rank, group='hccl_world_group')(input_x)", hints=("dest_rank", "group"))
primitive(_alone, "CollectiveScatter(src_rank=0, group='hccl_world_group')(input_x)", hints=("src_rank", "group"))
primitive(
    _alone,
    "AlltoAll(split_count, split_dim, concat_dim, group='hccl_world_group')(input_x)",
    hints=("split_count", "split_dim", "concat_dim", "group"),
)


@composite(name="_shared")
def _shared(input_x):
    """The Tensors of one process, given to all, of which there is one.

    Args:
        input_x (tuple[Tensor]): what is sent.
        root_rank (int): the process that sends; without effect.
        group (str): the processes; without effect.
    Returns:
        tuple of Tensors, of the same values.
    Example:
        >>> ops.Broadcast(0)((Tensor([1.0]),))[0].tolist()
        [1.0]
    Source: mindspore.ops.Broadcast
    """
    return tuple(_alone(each) for each in input_x)


primitive(_shared, "Broadcast(root_rank, group='hccl_world_group')(input_x)", hints=("root_rank", "group"))


@composite(name="_waited")
def _waited():
    """Waits until all processes are here, of which there is one.

    Args:
        group (str): the processes; without effect.
    Returns:
        None.
    Example:
        >>> ops.Barrier()()
    Source: mindspore.ops.Barrier
    """


primitive(_waited, "Barrier(group='hccl_world_group')()", hints=_GROUP)


@composite(name="_parted")
def _parted(input_x: Array, sent: Ints | None = None, received: Ints | None = None, block_size: Int = 1):
    """Parts of a flat Tensor for each process, of which there is one: all of it.

    Args:
        input_x (Tensor): shape ``(N,)``.
        sent, received (list[int]): how many elements, in blocks, go to and come from each process. Default: ``None``.
        block_size (int): elements of a block. Default: ``1``.
    Returns:
        Tensor of the same values.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the parts are not one of all elements.
    Example:
        >>> ops.AlltoAllV()(Tensor([1.0, 2.0]), [2], [2]).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.AlltoAllV
    """
    for name, parts in (("send_numel_list", sent), ("recv_numel_list", received)):
        if parts is not None:
            _whole(parts, len(input_x) // block_size, name, "AlltoAllV")
    return _alone(input_x)


primitive(
    _parted,
    "AlltoAllV(group='hccl_world_group', block_size=1)(input_x, send_numel_list, recv_numel_list)",
    hints=_GROUP,
    send_numel_list="sent",
    recv_numel_list="received",
)
primitive(
    _parted,
    "AlltoAllVC(group='hccl_world_group', block_size=1, transpose=False)(input_x, send_count_matrix)",
    hints=("group", "transpose"),
    send_count_matrix="sent",
)
primitive(
    _parted,
    "AllGatherV(group='hccl_world_group')(input_x, output_split_sizes)",
    hints=_GROUP,
    output_split_sizes="received",
)
primitive(
    _parted,
    "ReduceScatterV(op='sum', group='hccl_world_group')(input_x, input_split_sizes)",
    hints=("op", "group"),
    input_split_sizes="sent",
)

# -- functions, which write -----------------------------------------------------------------------------------------


class CommHandle:
    """A collective that runs, whose work here is done already.

    Example:
        >>> ops.barrier(async_op=True).wait()
    Source: mindspore.communication.comm_func.CommHandle
    """

    def wait(self):
        """Waits until it is done: it is."""


def _whole(parts, length, arg_name, owner):
    """Checks that ``parts``, the slices for each process, are one part of all ``length`` slices."""
    if tuple(parts) != (length,):
        check.refuse(ValueError, owner, arg_name, f"[{length}]: there is one process", parts)


def _sole(value, arg_name, owner):
    """``value``, a Tensor, or the one in a list with one for each process."""
    if isinstance(value, (tuple, list)):
        if len(value) != 1:
            check.refuse(TypeError, owner, arg_name, "a list of one Tensor, for there is one process", value)
        value = value[0]
    return Array.take(value, arg_name, owner)


KINDS = {
    "Group": Group,
    "Rank": Rank,
    "Way": OneOf(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MAX, ReduceOp.MIN, "avg"),
    "Sole": Static(_sole, object),
    "Listed": Instance(list),
}
_WRITES = """{summary}

    Args:
        {output} (Tensor | list[Tensor]): where it arrives; of a list, for each process, there is one Tensor.
        {input} (Tensor | list[Tensor]): what this process sends, of the same shape and dtype.
        op (str): ``'sum'``, ``'prod'``, ``'max'``, ``'min'`` or ``'avg'``, how values become one. Default: ``'sum'``.
        dst, src (int): the process that receives or sends, 0.
        output_split_sizes, input_split_sizes, send_count_matrix (list[int]): the slices, or elements, that come from
            and go to each process: one number, all. Default: ``None``.
        group (str): a group. Default: ``None``, all processes.
        async_op (bool): whether a handle is wanted. Default: ``False``.
    Returns:
        None, or a handle.
    Raises:
        TypeError: if an argument has a wrong type, shape or length.  ValueError: if there is no such process or group.
    Example:
        >>> found = ops.zeros(2)
        >>> ops.{name}({call})
        >>> found.tolist()
        [1.0, 2.0]
    Source: mindspore.ops.{name}
    """
_STAYS = """{summary}

    Args:
        tensor (Tensor): what is sent, and where it arrives.
        op (str): ``'sum'``, ``'prod'``, ``'max'``, ``'min'`` or ``'avg'``, how values become one. Default: ``'sum'``.
        dst, src (int): the process that receives or sends, 0.
        group (str): a group. Default: ``None``, all processes.
        async_op (bool): whether a handle is wanted. Default: ``False``.
    Returns:
        None, or a handle.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such process or group.
    Example:
        >>> x = Tensor([1.0, 2.0])
        >>> ops.{call}
        >>> x.tolist()
        [1.0, 2.0]
    Source: mindspore.ops.{name}
    """


def _writing(text, summary, call="found, Tensor([1.0, 2.0])"):
    """Defines a collective that writes its second argument into its first."""
    name, _, rest = text.partition("(")
    output, sent, *others = [each.partition(":")[0].strip() for each in rest.split(",")]

    def compute(first, second, *given):
        given = dict(zip(others, given, strict=True))
        for parts, tensor in (("output_split_sizes", first), ("input_split_sizes", second)):
            if given.get(parts) is not None:
                _whole(given[parts], len(tensor), parts, name)
        if "send_count_matrix" in given:
            _whole(given["send_count_matrix"], second.size, "send_count_matrix", name)
        if first.aval != second.aval:
            check.refuse(TypeError, name, output, f"like '{sent}': {check.shown(second)}", first)
        first.write(second)
        return CommHandle() if given["async_op"] else None

    words = {"summary": summary, "output": output, "input": sent, "call": call}
    composite()(body(text, compute, _WRITES, KINDS, **words))


_writing(
    "all_gather(tensor_list: Sole, tensor: Sole, group: Group = None, async_op: Bool = False)",
    "The Tensors of all processes, in a list.",
    "[found], Tensor([1.0, 2.0])",
)
_writing(
    "all_gather_into_tensor(output_tensor: Sole, input_tensor: Sole, group: Group = None, async_op: Bool = False)",
    "The Tensors of all processes, in sequence.",
)
_writing(
    "all_gather_into_tensor_uneven(output: Sole, input: Sole, output_split_sizes: Ints | None = None, "
    "group: Group = None, async_op: Bool = False)",
    "The Tensors of all processes, of different lengths, in sequence.",
)
_writing(
    "all_to_all(output_tensor_list: Sole, input_tensor_list: Sole, group: Group = None, async_op: Bool = False)",
    "Each process sends each one a Tensor.",
    "[found], [Tensor([1.0, 2.0])]",
)
_writing(
    "all_to_all_single(output: Sole, input: Sole, output_split_sizes: Ints | None = None, "
    "input_split_sizes: Ints | None = None, group: Group = None, async_op: Bool = False)",
    "Each process sends each one slices of a Tensor.",
)
_writing(
    "all_to_all_v_c(output: Sole, input: Sole, send_count_matrix: Ints, group: Group = None, async_op: Bool = False)",
    "Each process sends each one elements of a flat Tensor.",
    "found, Tensor([1.0, 2.0]), [2]",
)
_writing(
    "gather_into_tensor(output_tensor: Sole, input_tensor: Sole, dst: Rank = 0, group: Group = None, "
    "async_op: Bool = False)",
    "The Tensors of all processes, in sequence, for one of them.",
)
_writing(
    "scatter_tensor(output_tensor: Sole, input_tensor: Sole, src: Rank = 0, group: Group = None, "
    "async_op: Bool = False)",
    "The slice for this process of another one's Tensor.",
)
_writing(
    "reduce_scatter(output: Sole, input_list: Sole, op: Way = 'sum', group: Group = None, async_op: Bool = False)",
    "The sum, say, of what all processes have for this one.",
    "found, [Tensor([1.0, 2.0])]",
)
_writing(
    "reduce_scatter_tensor(output: Sole, input: Sole, op: Way = 'sum', group: Group = None, async_op: Bool = False)",
    "The slice for this process of the sum, say, of all processes' Tensors.",
)
_writing(
    "reduce_scatter_tensor_uneven(output: Sole, input: Sole, input_split_sizes: Ints | None = None, "
    "op: Way = 'sum', group: Group = None, async_op: Bool = False)",
    "The slices for this process, for each another number, of the sum, say, of all processes' Tensors.",
)


def _staying(text, summary, call):
    """Defines a collective that leaves a Tensor as it is."""

    def compute(*given):
        return CommHandle() if given[-1] else None

    composite()(body(text, compute, _STAYS, KINDS, summary=summary, call=call))


_staying(
    "all_reduce(tensor: Array, op: Way = 'sum', group: Group = None, async_op: Bool = False)",
    "The sum, say, of the processes' Tensors, in place: of one, the Tensor as it is.",
    "all_reduce(x)",
)
_staying(
    "reduce(tensor: Array, dst: Rank, op: Way = 'sum', group: Group = None, async_op: Bool = False)",
    "`all_reduce` for one process.",
    "reduce(x, 0)",
)
_staying(
    "broadcast(tensor: Array, src: Rank, group: Group = None, async_op: Bool = False)",
    "The Tensor of one process for all, in place.",
    "broadcast(x, 0)",
)


@composite()
def barrier(group: Group = None, async_op: Bool = False, device_ids=None):
    """Waits until all processes are here: they are.

    Args:
        group (str): a group. Default: ``None``, all processes.
        async_op (bool): whether a handle is wanted. Default: ``False``.
        device_ids (list[int]): a hint without effect. Default: ``None``.
    Returns:
        None, or a handle.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.barrier()
    Source: mindspore.ops.barrier
    """
    return CommHandle() if async_op else None


_OBJECTS = """{summary}

    Args:
        {lists} (list): one object for each process: one.
        obj (object): what this process sends.
        src, dst (int): the process that sends or receives, 0.
        group (str): a group. Default: ``None``, all processes.
        device (str): a hint without effect. Default: ``None``.
    Returns:
        None.
    Raises:
        TypeError: if an argument has a wrong type or length.  ValueError: if there is no such process or group.
    Example:
        >>> found = [None]
        >>> ops.{call}
        >>> found
        {value}
    Source: mindspore.ops.{name}
    """


def _of_objects(text, compute, summary, lists, call, value="['a']"):
    """Defines a collective of Python objects; ``compute`` gets its name and its arguments."""
    name = text.partition("(")[0]
    words = {"summary": summary, "lists": lists, "call": call, "value": value}
    composite()(body(text, lambda *given: compute(name, *given), _OBJECTS, KINDS, **words))


def _put(name, objects, item):
    """Puts an object into a list with one item for each process."""
    if len(objects) != 1:
        check.refuse(TypeError, name, "list", "of one item, for there is one process", objects)
    objects[0] = item


_of_objects(
    "all_gather_object(object_list: Listed, obj, group: Group = None)",
    lambda name, found, given, group: _put(name, found, given),
    "The objects of all processes, in a list.",
    "object_list",
    "all_gather_object(found, 'a')",
)
_of_objects(
    "gather_object(obj, object_gather_list: Listed | None = None, dst: Rank = 0, group: Group = None)",
    lambda name, given, found, dst, group: found is not None and _put(name, found, given) or None,
    "The objects of all processes, in a list of one of them.",
    "object_gather_list",
    "gather_object('a', found)",
)
_of_objects(
    "scatter_object_list(scatter_object_output_list: Listed, scatter_object_input_list: Listed, src: Rank = 0, "
    "group: Group = None)",
    lambda name, found, given, src, group: _put(name, found, given[0]),
    "The object for this process in a list of another one's.",
    "scatter_object_output_list, scatter_object_input_list",
    "scatter_object_list(found, ['a'])",
)
_of_objects(
    "broadcast_object_list(object_list: Listed, src: Rank = 0, group: Group = None, device=None)",
    lambda name, found, src, group, device: None,
    "The objects of one process for all, in place.",
    "object_list",
    "broadcast_object_list(found)",
    "[None]",
)
