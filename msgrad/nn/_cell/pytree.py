"""Cells as JAX pytrees: the leaves are arrays, the rest of the Cell is static.

The leaves are the Parameters and buffers of the whole subtree, each once, in ``parameters_dict`` order. So a tied
weight is one leaf, has one summed gradient, and is still tied after unflattening.
"""

import types

import jax

from ...engine.handle import Handle
from ...engine.pytrees import items_of, like
from ...engine.static import Boxed, freeze
from ...tensor import _pytree as tensors
from .abstract import made

_CONTAINERS = (list, tuple, dict)
# Caches, which are not part of what a Cell computes; and those of them that a copy does not take along.
OF_THIS_OBJECT = {"_structure_", "_lowered_members_", "_repeats_", "_checked_"}
CACHES = {"_version_", "_plans_", "_is_named_", "_init_flag", "_create_time", *OF_THIS_OBJECT}


class CellLayout:
    """The static part of a Cell. Equal for Cells of one structure whose other attributes are equal.

    The structure is computed once and cached with the versions of the Cells in it. A Cell gets a new version at each
    attribute assignment, and a rebuilt Cell keeps its version, so equal versions mean unchanged attributes.
    """

    __slots__ = ("cell", "members", "key")

    def __init__(self, cell, members):
        self.cell = cell
        self.members = members
        self.key = _structure(cell, members), tuple([tensors.static_part(member) for member in members])

    def __eq__(self, other):
        return type(other) is CellLayout and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return f"CellLayout({self.cell.cls_name})"


class _Structure:
    """The attributes of a Cell and its sub-cells as a key: members and Cells by their index, the rest by value.

    Values that cannot be compared (a Tensor that is not a Parameter, a function) are compared by identity.
    """

    __slots__ = ("key", "hash")

    def __init__(self, cells, members):
        numbers = {id(part): number for number, part in enumerate((*cells, *members))}
        self.key = tuple([(type(cell), _frozen(cell.__getstate__(), numbers)) for cell in cells])
        self.hash = hash(self.key)

    def __eq__(self, other):
        return self is other or (self.hash == other.hash and self.key == other.key)

    def __hash__(self):
        return self.hash


def _structure(cell, members):
    cells = [each for _, each in cell.cells_and_names()]
    versions = tuple([each._version_ for each in cells])
    cached = cell.__dict__.get("_structure_")
    if cached is None or cached[0] != versions:
        cached = cell.__dict__["_structure_"] = versions, _Structure(cells, members)
    return cached[1]


def _frozen(value, numbers):
    """``value`` as a hashable key; ``numbers`` has the indices of members and Cells, by id."""
    if id(value) in numbers:
        return Boxed(None, ("part", numbers[id(value)]))
    if isinstance(value, dict):
        return dict, tuple([(freeze(key), _frozen(item, numbers)) for key, item in value.items() if key not in CACHES])
    if isinstance(value, (list, tuple)):
        return type(value), tuple([_frozen(item, numbers) for item in value])
    if isinstance(value, (set, frozenset)):
        return type(value), frozenset([_frozen(item, numbers) for item in value])
    if isinstance(value, types.MethodType):
        return value.__func__, _frozen(value.__self__, numbers)
    return Boxed(value, (Handle, id(value))) if isinstance(value, Handle) else freeze(value)


def register(cls):
    """Registers a Cell class with JAX."""
    jax.tree_util.register_pytree_with_keys(cls, _flatten_with_keys, _unflatten, _flatten)


def _members(cell):
    """The distinct Parameters and buffers by path."""
    members = {}
    for path, member in (*cell.parameters_and_names(), *cell.named_buffers()):
        members.setdefault(id(member), (path, member))
    return list(members.values())


def _flatten(cell):
    members = [member for _, member in _members(cell)]
    return [tensors.leaf(member) for member in members], CellLayout(cell, members)


def _flatten_with_keys(cell):
    named = _members(cell)
    leaves = [(jax.tree_util.GetAttrKey(path), tensors.leaf(member)) for path, member in named]
    return leaves, CellLayout(cell, [member for _, member in named])


def _unflatten(layout, leaves):
    """A copy of the flattened Cell: new Parameters and Cells, the other attributes shared."""
    new_of = {id(member): tensors.rebuilt(member, leaf) for member, leaf in zip(layout.members, leaves, strict=True)}
    cells = [cell for _, cell in layout.cell.cells_and_names()]
    for cell in cells:
        new_of[id(cell)] = made(type(cell))  # the constructor would need arguments, and draw initial values
    for cell in cells:
        state = {name: _replaced(value, new_of) for name, value in cell.__getstate__().items()}
        version = state["_version_"]
        rebuilt = new_of[id(cell)]
        rebuilt.__setstate__(state)
        rebuilt.__dict__["_version_"] = version  # the original's, whose structure is reused below
    root = new_of[id(layout.cell)]
    root.__dict__["_structure_"] = tuple([cell._version_ for cell in cells]), layout.key[0]
    return root


def _replaced(value, new_of):
    """``value`` with the members and Cells in it, also inside containers, replaced by the new ones."""
    if id(value) in new_of:
        return new_of[id(value)]
    if not isinstance(value, _CONTAINERS) or not _holds(value, new_of):
        return value
    return like(value, [_replaced(item, new_of) for item in items_of(value)])


def _holds(value, new_of):
    return any(
        id(item) in new_of or (isinstance(item, _CONTAINERS) and _holds(item, new_of)) for item in items_of(value)
    )
