"""The group of processes, of which there is one: who is in it.

A program of msgrad is one process; `jax` spreads arrays over devices itself.
"""

import os

from ..._contracts import check
from ..._contracts.contracts import Bool, Instance, Int, Ints, OneOf, Static, Text
from .._core.define import composite

WORLD = "hccl_world_group"
_WORLDS = (WORLD, "nccl_world_group", "mccl_world_group")
_LAUNCHED = ("RANK_SIZE", "MS_WORKER_NUM", "OMPI_COMM_WORLD_SIZE")  # how launchers say how many processes there are
_MSG_LAUNCHED = (
    "A launcher has started {} processes ({}), but a program of msgrad is one, which would train on its part of the "
    "data alone: start it without the launcher."
)


class _State:
    """Whether the group was initialised, and the further groups of this process by name."""

    is_initialized = False
    backend = "hccl"
    groups = ()


def _group(value, arg_name, owner):
    """``value``, the name of a group; None stands for all processes."""
    if value not in (None, *_WORLDS, *_State.groups):
        check.refuse(ValueError, owner, arg_name, "None, or a group that new_group made", value)
    return value


def add(group):
    """Makes a group of this process, of this name."""
    _State.groups = (*_State.groups, group)


def _check_launcher():
    """Raises RuntimeError where this process is one of several."""
    for name in _LAUNCHED:
        count = os.environ.get(name, "")
        if count.isdigit() and int(count) > 1:
            raise RuntimeError(_MSG_LAUNCHED.format(count, f"{name}={count}"))


def _rank(value, arg_name, owner):
    """``value``, the number of a process."""
    if check.integer(value, arg_name, owner) != 0:
        check.refuse(ValueError, owner, arg_name, "0, the only process", value)
    return 0


Group = Static(_group, str, type(None))
Rank = Static(_rank, int)


@composite()
def is_available():
    """Whether there are collectives: those of one process.

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
    """Initialises the group of this process.

    Args:
        backend (str): kept for `get_backend`. Default: ``'hccl'``.
        world_size (int): -1 or 1. Default: ``-1``.
        rank (int): -1 or 0. Default: ``-1``.
        init_method (str), timeout (timedelta), store, group_name (str), pg_options, device_id (int): hints for several
            processes, without effect.
    Returns:
        None.
    Raises:
        ValueError: if ``world_size`` or ``rank`` say that there are more processes.
        RuntimeError: if a launcher has started more than one.
    Example:
        >>> ops.init_process_group()
        >>> ops.get_world_size()
        1
        >>> ops.destroy_process_group()
    Source: mindspore.ops.init_process_group
    """
    if world_size not in (-1, 1):
        check.refuse(
            ValueError, "init_process_group", "world_size", "1: a program of msgrad is one process", world_size
        )
    if rank != -1:
        _rank(rank, "rank", "init_process_group")
    _check_launcher()
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
        _State.groups = tuple([each for each in _State.groups if each != group])
    else:
        _State.is_initialized, _State.groups = False, ()


@composite()
def new_group(
    ranks: Ints | None = None,
    timeout=None,
    backend: Text | None = None,
    pg_options=None,
    use_local_synchronization: Bool = False,
    group_desc: Text | None = None,
):
    """Makes a group of this process.

    Args:
        ranks (list[int]): its members, ``[0]``. Default: ``None``, all.
        timeout, backend (str), pg_options, use_local_synchronization (bool), group_desc (str): hints for several
            processes, without effect.
    Returns:
        str, its name.
    Raises:
        ValueError: if another process is to be in it.
    Example:
        >>> ops.get_world_size(ops.new_group([0]))
        1
    Source: mindspore.ops.new_group
    """
    if ranks not in (None, (0,)):
        check.refuse(ValueError, "new_group", "ranks", "[0], the only process", ranks)
    name = f"group_{len(_State.groups)}"
    add(name)
    return name


@composite()
def get_rank(group: Group = None):
    """The number of this process.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        int, 0.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.get_rank()
        0
    Source: mindspore.ops.get_rank
    """
    return 0


@composite()
def get_world_size(group: Group = None):
    """How many processes there are.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        int, 1.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.get_world_size()
        1
    Source: mindspore.ops.get_world_size
    """
    return 1


@composite()
def get_backend(group: Group = None):
    """The backend that `init_process_group` was given.

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
    """The number, among all, of a member of a group.

    Args:
        group (str): a group.
        group_rank (int): its number there, 0.
    Returns:
        int, 0.
    Raises:
        ValueError: if there is no such group or member.
    Example:
        >>> ops.get_global_rank("hccl_world_group", 0)
        0
    Source: mindspore.ops.get_global_rank
    """
    return 0


@composite()
def get_group_rank(group: Group, global_rank: Rank):
    """The number in a group of a process.

    Args:
        group (str): a group.
        global_rank (int): its number among all, 0.
    Returns:
        int, 0.
    Raises:
        ValueError: if there is no such group or process.
    Example:
        >>> ops.get_group_rank("hccl_world_group", 0)
        0
    Source: mindspore.ops.get_group_rank
    """
    return 0


@composite()
def get_process_group_ranks(group: Group = None):
    """The members of a group.

    Args:
        group (str): a group. Default: ``None``, all.
    Returns:
        list of int, ``[0]``.
    Raises:
        ValueError: if there is no such group.
    Example:
        >>> ops.get_process_group_ranks()
        [0]
    Source: mindspore.ops.get_process_group_ranks
    """
    return [0]


@composite()
def set_comm_ops_inplace(is_enable: Bool, func_list: Instance(list) | None = None):
    """Says whether collectives write into their argument or return a new Tensor.

    Args:
        is_enable (bool): whether they write: True.
        func_list (list): of which functions. Default: ``None``, all.
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
