"""Layers matched by their order: between layers that names match, those of the file and of the network one by one.

A layer has a weight, a bias or moving statistics. Other Parameters, such as tables of positions, come after them.
"""

import itertools

from .attention import common_name
from .fitting import form_of
from .rules import is_of_layer, module_and_leaf, why_no_weight

RULE = "order of layers"
_MSG_CROSSING = "the layers that names match are in another order in the file, so the others were not matched by order"
_MSG_RIVALS = "the order of layers suggests {} for {}, but their names do not: they were not matched"


def by_order(matching, pieces, targets):
    """Matches layers by their order, where the file and the network have as many, of the same kinds and shapes.

    Args:
        matching (Matching): gets the pairs.
        pieces, targets (list): all, also those that are matched.
    """
    left = {*matching.pieces, *matching.targets}
    weights = [piece for piece in pieces if piece not in left or why_no_weight(piece.name, piece) is None]
    ours, theirs = [_Layers([each for each in side if _is_of_layer(each)], left) for side in (weights, targets)]
    anchors = _anchors(matching, ours, theirs)
    if any(here[1] >= following[1] for here, following in itertools.pairwise(anchors)):
        if ours.left() and theirs.left():
            matching.notes.append(_MSG_CROSSING)
        return
    ends = [(-1, -1), *anchors, (len(theirs.named), len(ours.named))]
    for (start, own_start), (end, own_end) in itertools.pairwise(ends):
        found = _in_turn(ours.left(own_start + 1, own_end), theirs.left(start + 1, end))
        rivals = _rivals(found)
        if rivals:
            matching.notes.append(_MSG_RIVALS.format(*rivals))
        else:
            matching.take(RULE, [pair for one, other in found for pair in _pairs(one, other)])
    others = [[each for each in side if each in left and not _is_of_layer(each)] for side in (weights, targets)]
    if len(others[0]) == len(others[1]) and all(map(_fit, *others)):
        matching.take(RULE, list(zip(*others, strict=True)))


def _anchors(matching, ours, theirs):
    """The places of the layers that are matched already, in the network's order: ``(network's, file's)``."""
    layers = [each for each in matching.matches if _is_of_layer(each.target) and _is_of_layer(each.piece)]
    return sorted({(theirs.index_of(each.target), ours.index_of(each.piece)) for each in layers})


def _is_of_layer(each):
    return is_of_layer(common_name(each.name))


def _fit(piece, target):
    return form_of(piece, target.parameter) is not None


class _Layers:
    """The layers of a file or a network, in order; each is a dict of its arrays or Parameters by their last name."""

    def __init__(self, members, left):
        layers, places = {}, {}
        self._places, self._taken = {}, set()
        for each in members:
            name, leaf = module_and_leaf(common_name(each.name))
            layers.setdefault(name, {})[leaf] = each
            self._places[each] = places.setdefault(name, len(places))
            if each not in left:
                self._taken.add(name)
        self.named = list(layers.items())

    def index_of(self, each):
        """The place of the layer that has it."""
        return self._places[each]

    def left(self, start=0, end=None):
        """``(name, layer)`` of each layer between of which nothing is matched."""
        return [(name, layer) for name, layer in self.named[start:end] if name not in self._taken]


def _in_turn(ours, theirs):
    """Pairs of layers in order, if as many of the same kinds mostly fit, or all fit at one place alone."""
    short, long = sorted((ours, theirs), key=len)
    if not short:
        return []
    starts = range(len(long) - len(short) + 1)
    is_swapped = short is not ours
    runs = [list(zip(short, long[start : start + len(short)], strict=True)) for start in starts]
    runs = [[pair[::-1] for pair in run] for run in runs] if is_swapped else runs
    kinds = [run for run in runs if all(one.keys() == other.keys() for (_, one), (_, other) in run)]
    whole = [run for run in kinds if all(_fits(one, other) for (_, one), (_, other) in run)]
    if len(whole) == 1:
        return whole[0]
    if whole or len(ours) != len(theirs):
        return []
    fitting = [[pair for pair in run if _fits(pair[0][1], pair[1][1])] for run in kinds]
    return fitting[0] if fitting and 2 * len(fitting[0]) > len(ours) else []


def _fits(one, other):
    return one.keys() == other.keys() and all(_fit(one[leaf], other[leaf]) for leaf in one)


def _pairs(one, other):
    return [(one[1][leaf], other[1][leaf]) for leaf in one[1]]


def _rivals(found):
    """The names of two layers, if one of the first's namesakes beside the second is matched with another layer."""
    own = {other[0]: one[0] for one, other in found}
    for (name, _), (target, _) in found:
        last = name.rpartition(".")[2]
        namesake = ".".join([*target.split(".")[:-1], last])
        if namesake != target and not last.isdigit() and namesake in own:
            return name, target
    return None
