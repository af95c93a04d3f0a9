"""The processes of the program, and process groups."""

import itertools
import os

from ..._contracts import check
from ..._contracts.choices import Instance, OneOf
from ..._contracts.contracts import Bool, Int, Ints, Text
from ..._contracts.kinds import Static
from ...engine.collectives import groups
from ...engine.processes.world import World
from .._core.define import composite

WORLD = "hccl_world_group"
_WORLDS = (WORLD, "nccl_world_group", "mccl_world_group")
_LAUNCHED = ("RANK_SIZE", "MS_WORKER_NUM", "OMPI_COMM_WORLD_SIZE")  # launchers' variables for the number of processes
_MSG_LAUNCHED = (
    "{1} says that there are {0} processes, but this one has not joined the others, so it would train on its part of "
    "the data alone: start them with `msgrad launch --worker_num={0} script.py`, which sets the rank of each "
    "(RANK_ID), or unset the variable to run one."
)
_MSG_OTHER_RANKS = "The group {} has been created with the ranks {}, and cannot be with {}: destroy it first."
_MSG_OUTSIDE = "Rank {} is not in the group '{}', which has the ranks {}."


_numbers = itertools.count()  # of groups without a name of the user's


class _State:
    """Whether the processes were initialised, and the ranks of additional groups by name."""

    is_initialized = False
    backend = "hccl"
    groups = {}


def _group(value, arg_name, owner):
    """``value``, the name of a group; None means all processes."""
    if value is not None and not is_known(check.text(value, arg_name, owner)):
        check.refuse(ValueError, owner, arg_name, "None, or a group that create_group or new_group made", value)
    return value


def is_known(group):
    """Whether there is a group of this name."""
    return group in (*_WORLDS, *_State.groups)


def add(group, ranks=(0,)):
    """Makes a group of these ranks, of this name.

    Raises:
        ValueError: if there is one of other ranks.
    """
    ranks = tuple(ranks)
    if _State.groups.setdefault(group, ranks) != ranks:
        raise ValueError(_MSG_OTHER_RANKS.format(group, list(_State.groups[group]), list(ranks)))


def ranks_of(group):
    """The ranks of a group, by its name; None means all."""
    return _State.groups[group] if group in _State.groups else tuple(range(World.size))


def own_ranks(group):
    """The ranks of a group in which this process is, by its name; empty if it is in none of this name.

    A single process is in every group, as in MindSpore.
    """
    ranks = ranks_of(group) if World.size == 1 or group is None or is_known(group) else ()
    return ranks if World.rank in ranks else ()


def group_of(group):
    """The `groups.Group` of this name, in which this process is.

    Raises:
        ValueError: if it is not.
    """
    result = groups.group_of(ranks_of(group))
    if result.rank < 0:
        raise ValueError(_MSG_OUTSIDE.format(World.rank, group, list(result.members)))
    return result


def number_in(group, rank):
    """The rank in a `groups.Group` of a global rank.

    Raises:
        ValueError: if it is not in there.
    """
    if rank not in group.members:
        raise ValueError(_MSG_OUTSIDE.format(rank, group.key, list(group.members)))
    return group.members.index(rank)


def _check_launcher():
    """Raises RuntimeError if a launcher started several processes and this one has not joined them."""
    if World.size > 1:
        return
    for name in _LAUNCHED:
        count = os.environ.get(name, "")
        if count.isdigit() and int(count) > 1:
            raise RuntimeError(_MSG_LAUNCHED.format(count, f"{name}={count}"))


def _rank(value, arg_name, owner):
    """``value``, the number of a process."""
    if not 0 <= check.integer(value, arg_name, owner) < World.size:
        expected = "0, the only process" if World.size == 1 else f"from 0 to {World.size - 1}, a rank"
        check.refuse(ValueError, owner, arg_name, expected, value)
    return value


def check_ranks(ranks, arg_name, owner):
    """``ranks`` as a tuple of distinct ranks.

    Raises:
        ValueError: if one is not a process, or is repeated.
    """
    ranks = tuple([_rank(rank, arg_name, owner) for rank in ranks])
    if not ranks or len(set(ranks)) < len(ranks):
        check.refuse(ValueError, owner, arg_name, "different ranks", list(ranks))
    return ranks


Group = Static(_group, str, type(None))
Rank = Static(_rank, int)


@composite()
def is_available():
    """Whether collectives are available.

    Returns:
        bool, True.
    Example:
        >>> ops.is_available()
        True
    Source: mindspore.ops.is_available
    """
    return True


@composite()
def is_initialized():
    """Whether `init_process_group` was called.

    Returns:
        bool.
    Example:
        >>> ops.init_process_group()
        >>> ops.is_initialized()
        True
        >>> ops.destroy_process_group()
    Source: mindspore.ops.is_initialized
    """
    return _State.is_initialized


@composite()
def init_process_group(
    backend: OneOf("hccl", "nccl", "mccl") = "hccl",
    init_method: Text | None = None,
    timeout=None,
    world_size: Int = -1,
    rank: Int = -1,
    store=None,
    group_name: Text = "",
    pg_options=None,
    device_id: Int | None = None,
):
    """Initialises the group of all processes, which were connected when msgrad was imported.

    Args:
        backend (str): stored for `get_backend`. Default: ``'hccl'``.
        world_size (int): -1, or the number of processes. Default: ``-1``.
        rank (int): -1, or the rank of this one. Default: ``-1``.
        init_method (str), timeout (timedelta), store, group_name (str), pg_options, device_id (int): hints, without
            effect.
    Returns:
        None.
    Raises:
        ValueError: if ``world_size`` or ``rank`` differ from that.
        RuntimeError: if a launcher has started several processes and this one has not joined them.
    Example:
        >>> ops.init_process_group()
        >>> ops.get_world_size()
        1
        >>> ops.destroy_process_group()
    Source: mindspore.ops.init_process_group
    """
    _check_launcher()
    if world_size not in (-1, World.size):
        hint = "Start as many with `msgrad launch --worker_num`."
        check.refuse(ValueError, "init_process_group", "world_size", f"{World.size}, or -1", world_size, hint)
    if rank not in (-1, World.rank):
        check.refuse(ValueError, "init_process_group", "rank", f"{World.rank}, or -1", rank)
    _State.is_initialized, _State.backend = True, backend


@composite()
def destroy_process_group(group: Group = None):
    """Removes a group, or undoes `init_process_group`.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        None.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.destroy_process_group()
    Source: mindspore.ops.destroy_process_group
    """
    if group in _State.groups:
        del _State.groups[group]
    else:
        _State.is_initialized, _State.groups = False, {}


@composite()
def new_group(
    ranks: Ints | None = None,
    timeout=None,
    backend: Text | None = None,
    pg_options=None,
    use_local_synchronization: Bool = False,
    group_desc: Text | None = None,
):
    """Makes a group of some of the processes; each of them must make it.

    Args:
        ranks (list[int]): its members, which are sorted. Default: ``None``, all.
        timeout, backend (str), pg_options, use_local_synchronization (bool), group_desc (str): hints, without effect.
    Returns:
        str, its name.
    Raises:
        ValueError: if there is no such process.
    Example:
        >>> ops.get_world_size(ops.new_group([0]))
        1
    Source: mindspore.ops.new_group
    """
    ranks = check_ranks(tuple(range(World.size)) if ranks is None else ranks, "ranks", "new_group")
    name = f"group_{next(_numbers)}"
    add(name, sorted(ranks))
    return name


@composite()
def get_rank(group: Text | None = None):
    """The rank of this process.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        int, 0 for the only one; -1 if it is in no group of this name.
    Example:
        >>> ops.get_rank()
        0
    Source: mindspore.ops.get_rank
    """
    ranks = own_ranks(group)
    return ranks.index(World.rank) if ranks else -1


@composite()
def get_world_size(group: Text | None = None):
    """The number of processes.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        int, 1 for the only one; -1 if this process is in no group of this name.
    Example:
        >>> ops.get_world_size()
        1
    Source: mindspore.ops.get_world_size
    """
    return len(own_ranks(group)) or -1


@composite()
def get_backend(group: Group = None):
    """The backend passed to `init_process_group`.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        str.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.get_backend()
        'hccl'
    Source: mindspore.ops.get_backend
    """
    return _State.backend


@composite()
def get_global_rank(group: Group, group_rank: Rank):
    """The global rank of a member of a group.

    Args:
        group (str): a group.
        group_rank (int): its number there.
    Returns:
        int.
    Raises:
        ValueError: if there is no such group or member.
    Example:
        >>> ops.get_global_rank("hccl_world_group", 0)
        0
    Source: mindspore.ops.get_global_rank
    """
    ranks = ranks_of(group)
    if group_rank >= len(ranks):
        check.refuse(ValueError, "get_global_rank", "group_rank", f"from 0 to {len(ranks) - 1}", group_rank)
    return ranks[group_rank]


@composite()
def get_group_rank(group: Group, global_rank: Rank):
    """The rank in a group of a process.

    Args:
        group (str): a group.
        global_rank (int): its number among all.
    Returns:
        int.
    Raises:
        ValueError: if there is no such group or process.
    Example:
        >>> ops.get_group_rank("hccl_world_group", 0)
        0
    Source: mindspore.ops.get_group_rank
    """
    return number_in(groups.group_of(ranks_of(group)), global_rank)


@composite()
def get_process_group_ranks(group: Group = None):
    """The members of a group.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        list of int.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.get_process_group_ranks()
        [0]
    Source: mindspore.ops.get_process_group_ranks
    """
    return list(ranks_of(group))


@composite()
def set_comm_ops_inplace(is_enable: Bool, func_list: Instance(list) | None = None):
    """Sets whether collectives write into their argument or return a new Tensor.

    Args:
        is_enable (bool): whether they write; only True is supported.
        func_list (list): the functions. Default: ``None``, all.
    Returns:
        None.
    Raises:
        TypeError: if ``is_enable`` is not a bool.  ValueError: if it is False.
    Example:
        >>> ops.set_comm_ops_inplace(True)
    Source: mindspore.ops.set_comm_ops_inplace
    """
    if not is_enable:
        hint = "Copy the Tensor first: x.copy()."
        check.refuse(ValueError, "set_comm_ops_inplace", "is_enable", "True: collectives write here", is_enable, hint)
