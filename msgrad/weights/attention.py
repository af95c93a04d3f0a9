"""Query, key and value, in one array or in three: a file is given the form that the network has."""

from typing import Any

from .pieces import Joined, Third, Whole
from .rules import FUSED, FUSED_LEAVES, QUERY_KEY_VALUE, as_in_torch, module_and_leaf

_WHICH = {name: k for names in QUERY_KEY_VALUE for k, name in enumerate(names)}
_COMMON = QUERY_KEY_VALUE[0]


def common_name(name) -> Any:
    """A name with torch's last part, and one name for the layers of attention: ``'query'`` for ``'q_proj'``."""
    if fused := _fused(name):
        path, leaf = fused
        return _under(path, FUSED[0], leaf)
    if part := _part(name):
        path, which, leaf = part
        return _under(path, _COMMON[which], leaf)
    return as_in_torch(name)


def pieces_of(entries, names):
    """The arrays of a file, with attention in the form of the network: split, joined or as it is.

    Args:
        entries (dict[str, Entry]): the file.
        names (list[str]): of the network's Parameters.
    Returns:
        list of `Whole`, `Third` and `Joined`, in the order of the file.
    """
    has_fused, has_parts = any(map(_fused, names)), any(map(_part, names))
    if has_parts and not has_fused:
        return [piece for name, entry in entries.items() for piece in _split(name, entry)]
    if has_fused and not has_parts:
        return _joined(entries)
    return [Whole(name, entry) for name, entry in entries.items()]


def _fused(name):
    """``(path, leaf)`` of an array of all three; None of another."""
    module, leaf = module_and_leaf(name)
    if leaf in FUSED_LEAVES:
        return module, FUSED_LEAVES[leaf]
    path, layer = module_and_leaf(module)
    return (path, leaf) if layer in FUSED and leaf in ("weight", "bias") else None


def _part(name):
    """``(path, which of the three, leaf)`` of an array of one of them; None of another."""
    module, leaf = module_and_leaf(name)
    path, layer = module_and_leaf(module)
    return (path, _WHICH[layer], leaf) if layer in _WHICH and leaf in ("weight", "bias") else None


def _under(*parts):
    return ".".join([each for each in parts if each])


def _split(name, entry):
    fused = _fused(name)
    axis = _axis_of_three(entry.shape) if fused else None
    if axis is None:
        return [Whole(name, entry)]
    path, leaf = fused
    return [Third(_under(path, own, leaf), name, entry, which, axis) for which, own in enumerate(_COMMON)]


def _axis_of_three(shape):
    """The axis along which an array of all three is split; None if its shape has none."""
    if len(shape) == 2 and shape[1] == 3 * shape[0]:
        return 1  # of GPT-2, whose arrays are transposed
    return 0 if len(shape) in (1, 2) and shape[0] and shape[0] % 3 == 0 else None


def _joined(entries):
    groups = {}
    for name in entries:
        if part := _part(name):
            path, which, leaf = part
            groups.setdefault((path, leaf), {})[which] = name
    pieces = []
    for name, entry in entries.items():
        part = _part(name)
        group = groups[part[0], part[2]] if part else {}
        names = [group[which] for which in sorted(group)]
        if len(names) < 3 or len({entries[each].shape for each in names}) > 1 or not entry.shape:
            pieces.append(Whole(name, entry))
        elif name == min(names, key=list(group.values()).index):
            path, _, leaf = part
            pieces.append(Joined(_under(path, FUSED[0], leaf), {each: entries[each] for each in names}))
    return pieces
