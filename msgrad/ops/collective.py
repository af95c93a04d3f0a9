"""Communication between processes, of which there is one: each Primitive gives what it does in a group of one.

`jax` spreads arrays over devices itself; `msgrad` programs that run in several processes do not talk to each other.
"""

from .contracts import Array
from .define import composite, op
from .faces import primitive

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
    """What processes agree on, of which there is one: its own value.

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
