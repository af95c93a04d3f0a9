"""Collectives as functions that write into their Tensors, as MindSpore's do: those of `mint.distributed`.

Each is a row: its signature, and a function of its arguments that computes the result.
"""

from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.contracts import Array, Bool
from ..._contracts.kinds import Static, accepted
from ...engine.collectives.collective import run
from .._core.define import composite
from .._core.families import body
from ..array.concatenation import concat, stack
from ..array.splitting import split
from . import exchanges
from .collective import CommHandle, Reduction, check_divides, exchanged, wait_for_all
from .parts import check_parts, counts_of, gathered_parts, parts_exchanged
from .process_group import Group, Rank, group_of, number_in


def _tensors(value, arg_name, owner):
    """``value``, a Tensor or a list of Tensors; None if it is for another process."""
    if isinstance(value, (tuple, list)):
        return [accepted(Array, each, arg_name, owner) for each in value]
    return value if value is None else accepted(Array, value, arg_name, owner)


def _whole(parts, length, arg_name, owner):
    """Checks that ``parts``, the numbers of slices for each process, are a single one of ``length``."""
    if tuple(parts) != (length,):
        check.refuse(ValueError, owner, arg_name, f"[{length}]: there is one process", parts)


def _sole(value, arg_name, owner):
    """``value``, a Tensor, or the only element of a list with one Tensor for each process."""
    if isinstance(value, list):
        if len(value) != 1:
            check.refuse(TypeError, owner, arg_name, "a list of one Tensor, for there is one process", value)
        value = value[0]
    return accepted(Array, value, arg_name, owner)


def _each(value, arg_name, owner, group):
    """``value``, a list with a Tensor for each process.

    Raises:
        TypeError: if it is not.
    """
    if not isinstance(value, list) or len(value) != group.size:
        check.refuse(TypeError, owner, arg_name, f"a list of {group.size} Tensors, one for each process", value)
    return value


def _write(target, value, arg_name, owner):
    """Writes ``value`` into a Tensor of as many elements."""
    if target.dtype != value.dtype or target.size != value.size:
        check.refuse(TypeError, owner, arg_name, f"like the received Tensor, {check.shown(value)}", target)
    target._write_(value.reshape(target.shape))


KINDS = {
    "Group": Group,
    "Rank": Rank,
    "Reduction": Reduction,
    "Tensors": Static(_tensors, object),
    "Listed": Instance(list),
}
_WRITES = """{summary}

    Args:
        {output} (Tensor | list[Tensor]): where it arrives; a list has a Tensor for each process.
        {input} (Tensor | list[Tensor]): what this process sends.
        op (str): ``'sum'``, ``'prod'``, ``'max'``, ``'min'`` or ``'avg'``, how values become one. Default: ``'sum'``.
        dst, src (int): the process that receives or sends, by its number among all.
        output_split_sizes, input_split_sizes, send_count_matrix (list[int]): the slices, or elements, that come from
            and go to each process. Default: ``None``, as many for each.
        group (str): a group. Default: ``None``, all processes.
        async_op (bool): whether a handle is wanted. Default: ``False``.
    Returns:
        None, or a handle.
    Raises:
        TypeError: if an argument has a wrong type, shape or length.  ValueError: if there is no such process or group.
    Example:
        >>> output = ops.zeros(2)
        >>> ops.{name}({call})
        >>> output.tolist()
        [1.0, 2.0]
    Source: mindspore.ops.{name}
    """
_STAYS = """{summary}

    Args:
        tensor (Tensor): what is sent, and where it arrives.
        op (str): ``'sum'``, ``'prod'``, ``'max'``, ``'min'`` or ``'avg'``, how values become one. Default: ``'sum'``.
        dst, src (int): the process that receives or sends, by its number among all.
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


def _writing(compute, text, summary, call="output, Tensor([1.0, 2.0])"):
    """Defines a collective that computes a result from its second argument and writes it into its first.

    Args:
        compute (function): takes the name, the group, the two arguments, and the others by name; writes the result.
        text, summary, call (str): name and signature; for the docstring.
    """
    name, _, rest = text.partition("(")
    output, sent, *parameters = [each.partition(":")[0].strip() for each in rest.split(",")]

    def collective(first, second, *arguments):
        arguments = dict(zip(parameters, arguments, strict=True))
        group, is_async = group_of(arguments.pop("group")), arguments.pop("async_op")
        if group.size == 1:
            _copy(name, output, sent, first, second, arguments)
        else:
            compute(name, group, first, second, **arguments)
        return CommHandle() if is_async else None

    fields = {"summary": summary, "output": output, "input": sent, "call": call}
    composite()(body(text, collective, _WRITES, KINDS, **fields))


def _copy(name, output, sent, first, second, arguments):
    """The implementation of these collectives in a group of one process."""
    first, second = _sole(first, output, name), _sole(second, sent, name)
    for parts, tensor in (("output_split_sizes", first), ("input_split_sizes", second)):
        if arguments.get(parts) is not None:
            _whole(arguments[parts], len(tensor), parts, name)
    if "send_count_matrix" in arguments:
        _whole(arguments["send_count_matrix"], second.size, "send_count_matrix", name)
    if first.aval != second.aval:
        check.refuse(TypeError, name, output, f"like '{sent}': {check.shown(second)}", first)
    first._write_(second)


def _gathered(group, tensor):
    """The members' Tensors stacked along a new first axis."""
    return exchanged(exchanges.all_gather(), group, tensor.reshape((1, *tensor.shape)))


def _all_gather(name, group, tensor_list, tensor):
    targets = _each(tensor_list, "tensor_list", name, group)
    for target, value in zip(targets, _gathered(group, tensor), strict=True):
        _write(target, value, "tensor_list", name)


def _all_gather_into_tensor(name, group, output_tensor, input_tensor):
    _write(output_tensor, _gathered(group, input_tensor), "output_tensor", name)


def _all_gather_into_tensor_uneven(name, group, output, input, output_split_sizes):
    if output_split_sizes is None:
        return _all_gather_into_tensor(name, group, output, input)
    check_parts(output_split_sizes, len(output), "output_split_sizes", name, group)
    row = output.size // max(len(output), 1)
    lengths = [n * row for n in output_split_sizes]
    _write(output, gathered_parts(input.reshape(-1), lengths, group), "output", name)


def _all_to_all(name, group, output_tensor_list, input_tensor_list):
    targets = _each(output_tensor_list, "output_tensor_list", name, group)
    inputs = _each(input_tensor_list, "input_tensor_list", name, group)
    arrived = exchanged_lists(inputs, [target.size for target in targets], group)
    for target, value in zip(targets, arrived, strict=True):
        _write(target, value, "output_tensor_list", name)


def exchanged_lists(inputs, sizes, group):
    """Sends a list of Tensors, one to each member; returns the received flat Tensors, of these sizes."""
    flat = concat([each.reshape(-1) for each in inputs])
    arrived = parts_exchanged(flat, [each.size for each in inputs], sizes, group)
    return split(arrived, list(sizes))


def _all_to_all_single(name, group, output, input, output_split_sizes, input_split_sizes):
    value = exchanged_slices(name, group, output.shape, input, output_split_sizes, input_split_sizes)
    _write(output, value, "output", name)


def exchanged_slices(name, group, shape, value, received, sent):
    """Sends slices of ``value`` to each member; returns the received slices of a Tensor of ``shape``."""
    if received is None and sent is None:
        check_divides(group.size, value, "input", name)
        return run(exchanges.all_to_all(0, 0), group, value)
    lengths = []
    rows = ((sent, len(value), "input_split_sizes"), (received, shape[0], "output_split_sizes"))
    for parts, length, arg_name in rows:
        parts = [length // group.size] * group.size if parts is None else parts
        check_parts(parts, length, arg_name, name, group)
        lengths.append(parts)
    row = value.size // max(len(value), 1)
    return parts_exchanged(value.reshape(-1), *[[n * row for n in parts] for parts in lengths], group)


def _all_to_all_v_c(name, group, output, input, send_count_matrix):
    sent, received, most = counts_of(send_count_matrix, group, name)
    check_parts(sent, input.size, "send_count_matrix", name, group)
    _write(output, parts_exchanged(input.reshape(-1), sent, received, group, most), "output", name)


def _gather_into_tensor(name, group, output_tensor, input_tensor, dst):
    root = number_in(group, dst)
    whole = exchanged(exchanges.gather(root), group, input_tensor.reshape((1, *input_tensor.shape)))
    if group.rank != root:
        return
    if isinstance(output_tensor, list):
        for target, value in zip(_each(output_tensor, "gather_list", name, group), whole, strict=True):
            _write(target, value, "gather_list", name)
    else:
        _write(output_tensor, whole, "output_tensor", name)


def _scatter_tensor(name, group, output_tensor, input_tensor, src):
    root = number_in(group, src)
    if isinstance(input_tensor, list) and group.rank == root:
        whole = stack(_each(input_tensor, "scatter_list", name, group))
    elif isinstance(input_tensor, list) or input_tensor is None:
        whole = stack([output_tensor] * group.size)
    else:
        whole = input_tensor
        check_divides(group.size, whole, "input_tensor", name)
    _write(output_tensor, exchanged(exchanges.scatter(root), group, whole), "output_tensor", name)


def _reduce_scatter(name, group, output, input_list, op):
    whole = stack(_each(input_list, "input_list", name, group))
    _write(output, exchanged(exchanges.reduce_scatter(op), group, whole), "output", name)


def _reduce_scatter_tensor(name, group, output, input, op):
    check_divides(group.size, input, "input", name)
    _write(output, exchanged(exchanges.reduce_scatter(op), group, input), "output", name)


def _reduce_scatter_tensor_uneven(name, group, output, input, input_split_sizes, op):
    if input_split_sizes is None:
        return _reduce_scatter_tensor(name, group, output, input, op)
    check_parts(input_split_sizes, len(input), "input_split_sizes", name, group)
    start = sum(input_split_sizes[: group.rank])
    total = exchanged(exchanges.all_reduce(op), group, input)
    _write(output, total[start : start + input_split_sizes[group.rank]], "output", name)


_writing(
    _all_gather,
    "all_gather(tensor_list: Tensors, tensor: Tensors, group: Group = None, async_op: Bool = False)",
    "The Tensors of all processes, in a list.",
    "[output], Tensor([1.0, 2.0])",
)
_writing(
    _all_gather_into_tensor,
    "all_gather_into_tensor(output_tensor: Tensors, input_tensor: Tensors, group: Group = None, "
    "async_op: Bool = False)",
    "The Tensors of all processes, in sequence.",
)
_writing(
    _all_gather_into_tensor_uneven,
    "all_gather_into_tensor_uneven(output: Tensors, input: Tensors, output_split_sizes: Ints | None = None, "
    "group: Group = None, async_op: Bool = False)",
    "The Tensors of all processes, of different lengths, in sequence.",
)
_writing(
    _all_to_all,
    "all_to_all(output_tensor_list: Tensors, input_tensor_list: Tensors, group: Group = None, async_op: Bool = False)",
    "Each process sends each one a Tensor.",
    "[output], [Tensor([1.0, 2.0])]",
)
_writing(
    _all_to_all_single,
    "all_to_all_single(output: Tensors, input: Tensors, output_split_sizes: Ints | None = None, "
    "input_split_sizes: Ints | None = None, group: Group = None, async_op: Bool = False)",
    "Each process sends each one slices of a Tensor.",
)
_writing(
    _all_to_all_v_c,
    "all_to_all_v_c(output: Tensors, input: Tensors, send_count_matrix: Ints, group: Group = None, "
    "async_op: Bool = False)",
    "Each process sends each one elements of a flat Tensor.",
    "output, Tensor([1.0, 2.0]), [2]",
)
_writing(
    _gather_into_tensor,
    "gather_into_tensor(output_tensor: Tensors, input_tensor: Tensors, dst: Rank = 0, group: Group = None, "
    "async_op: Bool = False)",
    "The Tensors of all processes, in sequence, for one of them.",
)
_writing(
    _scatter_tensor,
    "scatter_tensor(output_tensor: Tensors, input_tensor: Tensors, src: Rank = 0, group: Group = None, "
    "async_op: Bool = False)",
    "This process's slice of another process's Tensor.",
)
_writing(
    _reduce_scatter,
    "reduce_scatter(output: Tensors, input_list: Tensors, op: Reduction = 'sum', group: Group = None, "
    "async_op: Bool = False)",
    "The sum, say, of what all processes have for this one.",
    "output, [Tensor([1.0, 2.0])]",
)
_writing(
    _reduce_scatter_tensor,
    "reduce_scatter_tensor(output: Tensors, input: Tensors, op: Reduction = 'sum', group: Group = None, "
    "async_op: Bool = False)",
    "The slice for this process of the sum, say, of all processes' Tensors.",
)
_writing(
    _reduce_scatter_tensor_uneven,
    "reduce_scatter_tensor_uneven(output: Tensors, input: Tensors, input_split_sizes: Ints | None = None, "
    "op: Reduction = 'sum', group: Group = None, async_op: Bool = False)",
    "The slices for this process, for each another number, of the sum, say, of all processes' Tensors.",
)


def _staying(compute, text, summary, call):
    """Defines an in-place collective; ``compute`` maps the Tensor, the group and the arguments to the new value."""

    def collective(tensor, *arguments):
        *arguments, group, is_async = arguments
        group = group_of(group)
        if group.size > 1:
            value = compute(tensor, group, *arguments)
            if value is not None:
                tensor._write_(value)
        return CommHandle() if is_async else None

    composite()(body(text, collective, _STAYS, KINDS, summary=summary, call=call))


def _reduced_for(tensor, group, dst, op):
    root = number_in(group, dst)
    total = exchanged(exchanges.reduce(op, root), group, tensor)
    return total if group.rank == root else None


_staying(
    lambda tensor, group, op: exchanged(exchanges.all_reduce(op), group, tensor),
    "all_reduce(tensor: Array, op: Reduction = 'sum', group: Group = None, async_op: Bool = False)",
    "The sum, say, of the processes' Tensors, in place.",
    "all_reduce(x)",
)
_staying(
    _reduced_for,
    "reduce(tensor: Array, dst: Rank, op: Reduction = 'sum', group: Group = None, async_op: Bool = False)",
    "`all_reduce` for one process.",
    "reduce(x, 0)",
)
_staying(
    lambda tensor, group, src: exchanged(exchanges.broadcast(number_in(group, src)), group, tensor),
    "broadcast(tensor: Array, src: Rank, group: Group = None, async_op: Bool = False)",
    "The Tensor of one process for all, in place.",
    "broadcast(x, 0)",
)


@composite()
def barrier(group: Group = None, async_op: Bool = False, device_ids=None):
    """Barrier: waits until all processes have called it.

    Args:
        group (str): a group. Default: ``None``, all processes.
        async_op (bool): whether to return a handle. Default: ``False``.
        device_ids (list[int]): a hint without effect. Default: ``None``.
    Returns:
        None, or a handle.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.barrier()
    Source: mindspore.ops.barrier
    """
    wait_for_all(group_of(group))
    return CommHandle() if async_op else None
