"""Cells as JAX pytrees: the leaves are arrays, the rest of the Cell is static.

The leaves are the Parameters and buffers of the whole subtree, each distinct one once, in ``parameters_dict`` order. So
a tied weight has one leaf, gets one summed gradient, and is tied again afterwards.
"""

import jax

from ..engine.nests import items_of, like
from ..tensor import _pytree as tensors

_CONTAINERS = (list, tuple, dict)


class Layout:
    """What of a Cell is not an array. Equal for Cells that were made of one another and not changed since.

    Versions are drawn anew at every attribute assignment and go along when a Cell is rebuilt, so that equal versions
    mean the same attributes.
    """

    __slots__ = ("cell", "members", "key")

    def __init__(self, cell, members):
        self.cell = cell
        self.members = members
        versions = tuple([each._version for _, each in cell.cells_and_names()])
        self.key = versions, tuple([tensors.static_part(member) for member in members])

    def __eq__(self, other):
        return type(other) is Layout and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return f"Layout({self.cell.cls_name})"


def register(cls):
    """Registers a Cell class with JAX."""
    jax.tree_util.register_pytree_with_keys(cls, _flatten_with_keys, _unflatten, _flatten)


def _members(cell):
    """The distinct Parameters and buffers by path."""
    found = {}
    for path, member in (*cell.parameters_and_names(), *cell.named_buffers()):
        found.setdefault(id(member), (path, member))
    return list(found.values())


def _flatten(cell):
    members = [member for _, member in _members(cell)]
    return [tensors.leaf(member) for member in members], Layout(cell, members)


def _flatten_with_keys(cell):
    named = _members(cell)
    leaves = [(jax.tree_util.GetAttrKey(path), tensors.leaf(member)) for path, member in named]
    return leaves, Layout(cell, [member for _, member in named])


def _unflatten(layout, leaves):
    """A Cell like the one that was flattened: new Parameters and Cells, the other attributes shared."""
    made = {id(member): tensors.rebuilt(member, leaf) for member, leaf in zip(layout.members, leaves, strict=True)}
    cells = [cell for _, cell in layout.cell.cells_and_names()]
    for cell in cells:
        made[id(cell)] = object.__new__(type(cell))
    for cell in cells:
        state = {name: _replaced(value, made) for name, value in cell.__getstate__().items()}
        version = state["_version"]
        rebuilt = made[id(cell)]
        rebuilt.__setstate__(state)
        rebuilt.__dict__["_version"] = version
    return made[id(layout.cell)]


def _replaced(value, made):
    """``value`` with the members and Cells in it, also inside containers, replaced by the new ones."""
    if id(value) in made:
        return made[id(value)]
    if not isinstance(value, _CONTAINERS) or not _holds(value, made):
        return value
    return like(value, [_replaced(item, made) for item in items_of(value)])


def _holds(value, made):
    return any(id(item) in made or (isinstance(item, _CONTAINERS) and _holds(item, made)) for item in items_of(value))
