"""The processes of the program and their groups."""

from typing import Any

from ..engine.processes import world
from ..engine.processes.world import World
from ..engine.refusal import refuse, require
from ..ops.collective import process_group
from ..ops.collective.process_group import WORLD

__all__ = [
    "HCCL_WORLD_COMM_GROUP", "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP", "create_group", "destroy_group",
    "get_comm_name", "get_group_rank_from_world_rank", "get_group_size", "get_local_rank", "get_local_rank_size",
    "get_process_group_ranks", "get_rank", "get_world_rank_from_group_rank", "init", "release",
]  # fmt: skip

HCCL_WORLD_COMM_GROUP = WORLD
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"
_WORLDS = {"hccl": HCCL_WORLD_COMM_GROUP, "nccl": NCCL_WORLD_COMM_GROUP, "mccl": MCCL_WORLD_COMM_GROUP}
_MSG_NOT_INITIALIZED = "For '{}', call init() first."


class GlobalComm:
    """The backend and groups that `init` has set.

    Attributes:
        BACKEND (str): ``'hccl'``, ``'nccl'`` or ``'mccl'``.
        WORLD_COMM_GROUP (str): the name of the group of all processes.
        INITED (bool): whether `init` has been called.
        CHECK_ENVS (bool): without effect.
    Example:
        >>> mindspore.communication.GlobalComm.WORLD_COMM_GROUP
        'hccl_world_group'
    Source: mindspore.communication.GlobalComm
    """

    BACKEND: Any = "hccl"
    WORLD_COMM_GROUP: Any = HCCL_WORLD_COMM_GROUP
    INITED: Any = False
    CHECK_ENVS = True


def init(backend_name=None):
    """Initializes communication between the processes, which were connected when msgrad was imported.

    Args:
        backend_name (str): ``'hccl'``, ``'nccl'`` or ``'mccl'``, without effect on results. Default: ``'hccl'``.
    Raises:
        TypeError: if it is no str.  ValueError: if it is another.  RuntimeError: if a launcher has started several
            processes, which this one has not joined.
    Example:
        >>> mindspore.communication.init()
        >>> mindspore.communication.get_group_size()
        1
        >>> mindspore.communication.release()
    Source: mindspore.communication.init
    """
    backend = require(backend_name, (str, type(None)), "init", "backend_name") or "hccl"
    if backend not in _WORLDS:
        refuse(ValueError, "init", "backend_name", f"None or one of {list(_WORLDS)}", backend)
    world.serve_if_scheduler()
    process_group.init_process_group(backend)
    GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP, GlobalComm.INITED = backend, _WORLDS[backend], True


def release():
    """Ends communication. Source: mindspore.communication.release"""
    process_group.destroy_process_group()
    GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP, GlobalComm.INITED = "hccl", HCCL_WORLD_COMM_GROUP, False


def get_rank(group=WORLD):
    """The rank of this process in a group (str).

    Raises:
        TypeError: if the group is no str.  RuntimeError: if this process is in no such group.
    Example:
        >>> mindspore.communication.get_rank()
        0
    Source: mindspore.communication.get_rank
    """
    return _members(group, "get_rank").index(World.rank)


def get_local_rank(group=WORLD):
    """The rank of this process among those of a group (str) on its machine.

    Raises:
        TypeError: if the group is no str.  RuntimeError: if this process is in no such group.
    Source: mindspore.communication.get_local_rank
    """
    members = _members(group, "get_local_rank")
    return World.local_rank if len(members) == World.size else _local(members).index(World.rank)


def get_group_size(group=WORLD):
    """The number of processes in a group (str).

    Raises:
        TypeError: if the group is no str.  RuntimeError: if this process is in no such group.
    Example:
        >>> mindspore.communication.get_group_size()
        1
    Source: mindspore.communication.get_group_size
    """
    return len(_members(group, "get_group_size"))


def get_local_rank_size(group=WORLD):
    """The number of processes of a group (str) on this machine.

    Raises:
        TypeError: if the group is no str.  RuntimeError: if this process is in no such group.
    Source: mindspore.communication.get_local_rank_size
    """
    members = _members(group, "get_local_rank_size")
    return World.local_size if len(members) == World.size else len(_local(members))


def _members(group, owner):
    ranks = process_group.own_ranks(require(group, str, owner, "group"))
    if not ranks:
        expected = f"one that create_group made with the rank {World.rank}"
        refuse(RuntimeError, owner, "group", expected, group)
    return ranks


def _local(members):
    """Those of the members that are on this machine; ranks of one machine are consecutive."""
    if World.local_size == World.size:
        return members
    first = World.rank - World.local_rank
    return [rank for rank in members if first <= rank < first + World.local_size]


def get_world_rank_from_group_rank(group, group_rank_id) -> int:
    """The global rank of a member of a group.

    Args:
        group (str): a group.
        group_rank_id (int): its rank in the group.
    Raises:
        RuntimeError: before `init`, and if there is no such group or member.  TypeError: for an argument of another
            type, or a negative rank.
    Source: mindspore.communication.get_world_rank_from_group_rank
    """
    owner = "get_world_rank_from_group_rank"
    _check_initialized(owner)
    ranks = _ranks(group, owner)
    return ranks[_index(group_rank_id, len(ranks), "group_rank_id", owner)]


def get_group_rank_from_world_rank(world_rank_id, group) -> int:
    """The rank in a group of a process.

    Args:
        world_rank_id (int): its global rank.
        group (str): a group.
    Raises:
        RuntimeError: before `init`, and if there is no such group or process.  TypeError: for an argument of another
            type, or a negative rank.
    Source: mindspore.communication.get_group_rank_from_world_rank
    """
    owner = "get_group_rank_from_world_rank"
    _check_initialized(owner)
    ranks, rank = _ranks(group, owner), _index(world_rank_id, World.size, "world_rank_id", owner)
    if rank not in ranks:
        refuse(RuntimeError, owner, "world_rank_id", f"one of {list(ranks)}, the ranks of the group '{group}'", rank)
    return ranks.index(rank)


def _ranks(group, owner):
    """All ranks of a group that exists."""
    if not process_group.is_known(require(group, str, owner, "group")):
        refuse(RuntimeError, owner, "group", "one that create_group made", group)
    return process_group.ranks_of(group)


def _index(value, count, arg_name, owner):
    """``value``, an int from 0 to ``count - 1``; MindSpore raises TypeError for negative ones."""
    if require(value, int, owner, arg_name) < 0:
        refuse(TypeError, owner, arg_name, "an int from 0", value)
    if value >= count:
        refuse(RuntimeError, owner, arg_name, f"below {count}, the number of processes", value)
    return value


def create_group(group, rank_ids, options=None):
    """Creates a group of some of the processes; each member must call it.

    Args:
        group (str): its name.
        rank_ids (list[int]): its members.
        options (GroupOptions): hints, without effect. Default: ``None``.
    Raises:
        RuntimeError: before `init`, and for a rank that is too large.  TypeError: for an argument of another type, or
            a negative rank.  ValueError: for no name, no or equal ranks, or a group of this name that has others.
    Example:
        >>> mindspore.communication.init()
        >>> mindspore.communication.create_group("alone", [0])
        >>> mindspore.communication.get_process_group_ranks("alone")
        [0]
        >>> mindspore.communication.release()
    Source: mindspore.communication.create_group
    """
    _check_initialized("create_group")
    if not require(group, str, "create_group", "group"):
        refuse(ValueError, "create_group", "group", "a name", group)
    for rank in require(rank_ids, list, "create_group", "rank_ids"):
        _index(rank, World.size, "rank_ids", "create_group")
    process_group.add(group, process_group.check_ranks(rank_ids, "rank_ids", "create_group"))


def destroy_group(group):
    """Destroys a group (str) made by `create_group`.

    Raises:
        RuntimeError: before `init`.  TypeError: if it is no str.  KeyError: if there is no such group.
            ValueError: for the group of all processes, which cannot be destroyed.
    Source: mindspore.communication.destroy_group
    """
    _check_initialized("destroy_group")
    if require(group, str, "destroy_group", "group") in _WORLDS.values():
        refuse(ValueError, "destroy_group", "group", "one that create_group made", group)
    if not process_group.is_known(group):
        refuse(KeyError, "destroy_group", "group", "one that create_group made", group)
    process_group.destroy_process_group(group)


def get_process_group_ranks(group=WORLD):
    """The global ranks of the members of a group (str), a list of int.

    Raises:
        RuntimeError: before `init`, and if there is no such group.  TypeError: if it is no str.
    Source: mindspore.communication.get_process_group_ranks
    """
    _check_initialized("get_process_group_ranks")
    return list(_ranks(group, "get_process_group_ranks"))


def get_comm_name(group=WORLD):
    """The name of a group (str) in the communication library, which is the same name.

    Raises:
        RuntimeError: before `init`.  TypeError: if the group is no str.
    Source: mindspore.communication.get_comm_name
    """
    _check_initialized("get_comm_name")
    return require(group, str, "get_comm_name", "group")


def _check_initialized(owner):
    if not GlobalComm.INITED:
        raise RuntimeError(_MSG_NOT_INITIALIZED.format(owner))
