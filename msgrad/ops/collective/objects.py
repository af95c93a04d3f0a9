"""Collectives of Python objects, which are sent as pickles through the coordination service."""

import base64
import pickle
from typing import Any

from ..._contracts import check
from ...engine.processes import guard
from ...engine.processes.world import World
from .._core.define import composite
from .._core.families import body
from .in_place import KINDS
from .process_group import group_of, number_in

_OBJECTS = """{summary}

    Args:
        {lists} (list): one object for each process, or those that are sent.
        obj (object): what this process sends.
        src, dst (int): the process that sends or receives, by its number among all.
        group (str): a group. Default: ``None``, all processes.
        device (str): a hint without effect. Default: ``None``.
    Returns:
        None.
    Raises:
        TypeError: if an argument has a wrong type or length.  ValueError: if there is no such process or group.
        RuntimeError: if the processes share no secret (``MSGRAD_SECRET``; `msgrad launch` makes one).
    Example:
        >>> objects = [None]
        >>> ops.{call}
        >>> objects
        {value}
    Source: mindspore.ops.{name}
    """


def _of_objects(text, compute, summary, lists, call, value="['a']"):
    """Defines a collective of objects; ``compute`` gets its name, the group and its other arguments."""
    name, _, rest = text.partition("(")
    position = [each.partition(":")[0].strip() for each in rest.split(",")].index("group")

    def collective(*arguments):
        return compute(name, group_of(arguments[position]), *arguments[:position])

    fields = {"summary": summary, "lists": lists, "call": call, "value": value}
    composite()(body(text, collective, _OBJECTS, KINDS, **fields))


def shared(name, group, item) -> Any:
    """All-gather of objects: a list with the object of each member of a group.

    Raises:
        RuntimeError: if the launch has no secret, so that others could send a pickle, too.
    """
    if group.size == 1:
        return [item]
    World.store.require_secret(name)
    text = base64.b64encode(pickle.dumps(item)).decode()
    return [pickle.loads(base64.b64decode(each)) for each in guard.exchanged(group, name, text)]


def _put(name, group, objects: Any, items: Any):
    """Puts objects into a list with one for each process."""
    if not isinstance(objects, list) or len(objects) != group.size:
        alone = "of one item, for there is one process"
        expected = alone if group.size == 1 else f"of {group.size} items, one for each process"
        check.refuse(TypeError, name, "list", expected, objects)
    objects[:] = items


def _gather(name, group, values, object_list, dst):
    items = shared(name, group, values)
    if group.rank == number_in(group, dst) and (object_list is not None or group.size > 1):
        _put(name, group, object_list, items)


def _scatter(name, group, object_list: Any, values: Any, src):
    root = number_in(group, src)
    items = shared(name, group, list(values) if group.rank == root and values else None)[root]
    if len(items) != group.size and group.size > 1:
        check.refuse(ValueError, name, "list", f"of {group.size} items, one for each process", items)
    if group.size == 1:
        _put(name, group, object_list, items[:1])
    elif object_list:
        object_list[0] = items[group.rank]
    else:
        check.refuse(TypeError, name, "list", "of one item at least", object_list)


def _broadcast(name, group, object_list, src):
    if group.size > 1:
        root = number_in(group, src)
        object_list[:] = shared(name, group, list(object_list) if group.rank == root else None)[root]


_of_objects(
    "all_gather_object(object_list: Listed, obj, group: Group = None)",
    lambda name, group, object_list, obj: _put(name, group, object_list, shared(name, group, obj)),
    "The objects of all processes, in a list.",
    "object_list",
    "all_gather_object(objects, 'a')",
)
_of_objects(
    "gather_object(obj, object_gather_list: Listed | None = None, dst: Rank = 0, group: Group = None)",
    _gather,
    "The objects of all processes, in a list of one of them.",
    "object_gather_list",
    "gather_object('a', objects)",
)
_of_objects(
    "scatter_object_list(scatter_object_output_list: Listed, scatter_object_input_list: Listed | None, src: Rank = 0, "
    "group: Group = None)",
    _scatter,
    "The object for this process, from another process's list.",
    "scatter_object_output_list, scatter_object_input_list",
    "scatter_object_list(objects, ['a'])",
)
_of_objects(
    "broadcast_object_list(object_list: Listed, src: Rank = 0, group: Group = None, device=None)",
    _broadcast,
    "The objects of one process for all, in place.",
    "object_list",
    "broadcast_object_list(objects)",
    "[None]",
)
