"""Which array of a file belongs to which Parameter: by names, then by prefixes, the order of layers, and shapes.

Each step takes what is left of the file and of the network, and adds only pairs that fit and that nothing else rivals.
"""

import collections
import dataclasses

from .attention import common_name
from .fitting import SAME, TRANSPOSED, Form, form_of
from .order import by_order
from .pieces import Whole
from .rules import is_of_layer, module_and_leaf, why_no_weight
from .targets import Target

_DEEPEST_PREFIX = 3  # names
_MSG_PREFIXES = "several prefixes fit equally well ({}), so none was removed: give `rename`"
_MSG_NO_ORDER = "the file sorts its arrays by name, so that layers could not be matched by their order; a .pth has it"
_MSG_SQUARE = "{} is square, and its neighbours are partly transposed: it was not matched"


@dataclasses.dataclass(eq=False)
class Match:
    """An array of a file, a Parameter, the change between both, and the rule that found them."""

    piece: Whole
    target: Target
    form: Form
    rule: str


class Matching:
    """The state of matching.

    Attributes:
        pieces, targets (list): what is not matched yet.
        matches (list[Match]): what is.
        notes (list[str]): what was ambiguous.
    """

    def __init__(self, pieces, targets):
        self.pieces = list(pieces)
        self.targets = list(targets)
        self.matches = []
        self.notes = []

    def take(self, rule, pairs):
        """Matches ``(piece, target)`` pairs that fit."""
        for piece, target in pairs:
            self.pieces.remove(piece)
            self.targets.remove(target)
            self.matches.append(Match(piece, target, form_of(piece, target.parameter), rule))


def match(pieces, targets, has_order):
    """Matches pieces of a file with Parameters by all rules; returns the `Matching`.

    Args:
        pieces (list): of the file, see `pieces_of`.
        targets (list[Target]): the network's.
        has_order (bool): whether the pieces are in the order in which the file's model defines its layers.
    """
    matching = Matching(pieces, targets)
    for rule, key in (("same name", str), ("MindSpore's name", common_name), ("spelling", loosely)):
        matching.take(rule, _same(matching, key))
    _by_prefix(matching)
    if has_order:
        by_order(matching, pieces, targets)
    elif matching.pieces and matching.targets:
        matching.notes.append(_MSG_NO_ORDER)
    matching.take("only one of its shape", _alone(matching))
    _turn_squares(matching)
    return matching


def loosely(name):
    """A name by which spellings of one name are equal: ``'down_sample'`` and ``'downsample'``."""
    return common_name(name).replace("_", "").lower()


def fits(piece, target):
    """Whether an array can become a Parameter's value."""
    return form_of(piece, target.parameter) is not None


def _same(matching, key):
    """Pairs whose names have the same key, which no other has."""
    of_pieces, of_targets = collections.defaultdict(list), collections.defaultdict(list)
    for piece in matching.pieces:
        of_pieces[key(piece.name)].append(piece)
    for target in matching.targets:
        for each in dict.fromkeys(map(key, target.names)):
            of_targets[each].append(target)
    pairs = []
    for target in matching.targets:
        for each in dict.fromkeys(map(key, target.names)):
            found = of_pieces.get(each, [])
            if len(found) == len(of_targets[each]) == 1 and fits(found[0], target):
                pairs.append((found[0], target))
                break
    return pairs


# -- prefixes --------------------------------------------------------------------------------------------------------


def _by_prefix(matching):
    """Pairs names that differ by a prefix, if at least half of the names with the prefix get a partner."""
    for _ in range(_DEEPEST_PREFIX):
        targets = {loosely(name): target for target in matching.targets for name in target.names}
        pieces = {loosely(piece.name): piece for piece in matching.pieces}
        found = []
        for prefix in _prefixes(pieces):
            pairs = [(pieces[name], targets.get(name[len(prefix) :])) for name in pieces if name.startswith(prefix)]
            found.append((f"prefix {_shown(pairs, prefix, 0)!r}", pairs))
        for prefix in _prefixes(targets):
            pairs = [(pieces.get(name[len(prefix) :]), targets[name]) for name in targets if name.startswith(prefix)]
            found.append((f"prefix {_shown(pairs, prefix, 1)!r} of the net", pairs))
        best = _best(matching, found)
        if best is None:
            return
        matching.take(*best)


def _prefixes(names):
    parts = [name.split(".") for name in names]
    found = {tuple(part[:depth]) for part in parts for depth in range(1, min(len(part) - 1, _DEEPEST_PREFIX) + 1)}
    return [".".join(each) + "." for each in sorted(found) if not each[-1].isdigit()]


def _shown(pairs, prefix, side):
    """A prefix as it is in the file or the network, which spell it in their own way."""
    name = next(pair[side].name for pair in pairs if pair[side] is not None)
    return ".".join(name.split(".")[: prefix.count(".")]) + "."


def _best(matching, found):
    """``(rule, pairs)`` of the prefix that serves most names; None if there is none, or several serve as many."""
    candidates = {}
    for rule, all_pairs in found:
        pairs = {(id(piece), id(target)): (piece, target) for piece, target in all_pairs if piece and target}
        pairs = {each: pair for each, pair in pairs.items() if fits(*pair)}
        one_each = len({target for _, target in pairs}) == len(pairs) == len({piece for piece, _ in pairs})
        if pairs and one_each and 2 * len(pairs) >= len(all_pairs):
            candidates.setdefault(frozenset(pairs), (rule, list(pairs.values())))
    most = max(map(len, candidates), default=0)
    best = [each for pairs, each in candidates.items() if len(pairs) == most]
    if len(best) > 1:
        matching.notes.append(_MSG_PREFIXES.format(", ".join(rule for rule, _ in best)))
    return best[0] if len(best) == 1 else None


# -- shapes ----------------------------------------------------------------------------------------------------------


def _alone(matching):
    """Layers of which the file and the network have one of these shapes each; likewise Parameters of other kinds."""
    weights = [piece for piece in matching.pieces if why_no_weight(piece.name, piece) is None]
    layers = [[_by_leaf(layer) for layer in _by(_layer_of, side).values()] for side in (weights, matching.targets)]
    pairs = [(one[leaf], other[leaf]) for one, other in _only(_shapes_of_layer, *layers) for leaf in one]
    taken = {each for pair in pairs for each in pair}
    singles = [
        [each for each in side if _is_single(each) and each not in taken] for side in (weights, matching.targets)
    ]
    pairs += _only(lambda each: each.shape, *singles)
    return [pair for pair in pairs if fits(*pair)]


def _only(key, ours, theirs):
    """Pairs of one of ``ours`` and one of ``theirs`` that have the same key, and no other has it; None is no key."""
    ours, theirs = _by(key, ours), _by(key, theirs)
    shared = [each for each in ours if each is not None and len(ours[each]) == 1 == len(theirs.get(each, ()))]
    return [(ours[each][0], theirs[each][0]) for each in shared]


def _by(key, values):
    groups = collections.defaultdict(list)
    for each in values:
        groups[key(each)].append(each)
    return groups


def _layer_of(each):
    return module_and_leaf(common_name(each.name))[0]


def _by_leaf(layer):
    return {module_and_leaf(common_name(each.name))[1]: each for each in layer}


def _shapes_of_layer(layer):
    return frozenset((leaf, each.shape) for leaf, each in layer.items()) if any(map(is_of_layer, layer)) else None


def _is_single(each):
    return not is_of_layer(common_name(each.name)) and len(each.shape) > 1


# -- square matrices -------------------------------------------------------------------------------------------------


def _turn_squares(matching):
    """Transposes square matrices whose nearest neighbours of other shapes are transposed: GPT-2's layers are."""
    flat = [each for each in matching.matches if len(each.piece.shape) == 2 and not each.target.is_table]
    known = [each for each in flat if each.piece.shape[0] != each.piece.shape[1] or each.piece.is_transposed]
    if not any(each.form is TRANSPOSED for each in known):
        return
    for each in flat:
        if each not in known:
            forms = _forms_near(each.piece.name, known)
            if len(forms) > 1:
                matching.notes.append(_MSG_SQUARE.format(each.piece.name))
                matching.matches.remove(each)
                matching.pieces.append(each.piece)
                matching.targets.append(each.target)
            else:
                each.form = TRANSPOSED if forms == {TRANSPOSED.words} else SAME


def _forms_near(name, known):
    """The words of the forms of the matches under the longest path that ``name`` shares with any of them."""
    path = name
    while path:
        path = path.rpartition(".")[0]
        forms = {each.form.words for each in known if each.piece.name.startswith(f"{path}." if path else "")}
        if forms:
            return forms
    return set()
