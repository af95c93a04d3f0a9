"""Attributes that MindSpore's collective Primitives have besides their constructors' arguments."""

from ..._contracts import check
from ...engine.processes.world import World
from ...engine.refusal import require
from .process_group import WORLD, own_ranks

# By Primitive: attributes in MindSpore's order, which its printed form shows; further ones, which it does not show.
_ATTRIBUTES = {
    "AllReduce": ("fusion index no_eliminate", ""),
    "AllGather": ("rank_size fusion mean_flag no_eliminate", "rank"),
    "ReduceScatter": ("rank_size fusion no_eliminate", ""),
    "Broadcast": ("no_eliminate", ""),
    "AlltoAll": ("no_eliminate rank_size", ""),
    "CollectiveGather": ("rank_size rank_id", ""),
    "CollectiveScatter": ("rank_id rank_size", ""),
    "Barrier": ("side_effect_mem", ""),
    "AllGatherV": ("rank_size mean_flag rank_id", "rank"),
    "ReduceScatterV": ("rank_size rank_id", ""),
    "AlltoAllV": ("", "rank_size"),
    "AlltoAllVC": ("rank_size rank_id", ""),
    "Send": ("no_eliminate", "rank"),
    "Receive": ("no_eliminate", "rank tag"),
    "NeighborExchange": ("input_names output_names no_eliminate", ""),
    "NeighborExchangeV2": ("input_names output_names no_eliminate", "format rank_size"),
    "BatchISendIRecv": ("receive_shapes receive_dtypes group no_eliminate", ""),
}
_CONSTANTS = {
    "fusion": 0,
    "index": 0,
    "mean_flag": False,
    "no_eliminate": True,
    "side_effect_mem": True,
    "input_names": ["x"],
    "output_names": ["output"],
}
_IF_NONE = {"receive_shapes": (), "receive_dtypes": (), "group": WORLD}
_ARGUMENTS = {  # the constructor's argument of which the attribute is another name
    ("Send", "rank"): "dest_rank",
    ("Receive", "rank"): "src_rank",
    ("Receive", "tag"): "sr_tag",
    ("NeighborExchangeV2", "format"): "data_format",
}


def complete(primitive):
    """The last step of constructors (`completed`): stores the attributes, and checks messages and neighbours."""
    shown, hidden = _ATTRIBUTES[primitive.name]
    for name in shown.split():
        primitive.add_prim_attr(name, _value(primitive, name))
    for name in hidden.split():
        setattr(primitive, name, _value(primitive, name))
    if primitive.name == "BatchISendIRecv":
        _check_alike(primitive, "op_types", "remote_ranks")
        _check_alike(primitive, "receive_shapes", "receive_dtypes")
    if primitive.name == "NeighborExchangeV2":
        for argument in ("send_rank_ids", "recv_rank_ids"):
            _check_neighbors(getattr(primitive, argument), argument, primitive)


def _value(primitive, name):
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if (primitive.name, name) in _ARGUMENTS:
        return getattr(primitive, _ARGUMENTS[primitive.name, name])
    if name in _IF_NONE:
        return _IF_NONE[name] if getattr(primitive, name) is None else getattr(primitive, name)
    ranks = own_ranks(primitive.group)
    if not ranks:
        expected = f"one that create_group made with the rank {World.rank}"
        check.refuse(RuntimeError, primitive.name, "group", expected, primitive.group)
    return len(ranks) if name == "rank_size" else ranks.index(World.rank)


def _check_alike(primitive, name, other):
    """Checks that two arguments are tuples or lists of one length."""
    lengths = [len(require(getattr(primitive, each), (tuple, list), primitive.name, each)) for each in (name, other)]
    if lengths[0] != lengths[1]:
        check.refuse(ValueError, primitive.name, other, f"as long as '{name}', {lengths[0]}", getattr(primitive, other))


def _check_neighbors(ranks, argument, primitive):
    for rank in ranks:
        if not -1 <= rank < primitive.rank_size:
            expected = f"-1, for no neighbour, or in [0, {primitive.rank_size})"
            check.refuse(ValueError, primitive.name, argument, expected, rank)
