"""What matched between a file and a network, by which rule, and what did not."""

import collections
import dataclasses

from .attention import common_name
from .matching import loosely
from .order import RULE as ORDER
from .rules import why_no_weight

_MOST = 5  # names shown of a list
_MSG_ORDER = "{} were matched by the order of layers alone: compare an output with the other library's"


@dataclasses.dataclass(frozen=True)
class Pair:
    """A Parameter and the arrays of a file that it has its value of.

    Attributes:
        parameter (str): the path of the Parameter.
        names (tuple[str]): of the arrays: one, or three that are joined.
        rule (str): by which they were found.
        change (str): of the array: ``'transposed'``; empty for none.
    """

    parameter: str
    names: tuple
    rule: str
    change: str


@dataclasses.dataclass(frozen=True, repr=False)
class Report:
    """What `load` matched. Printed, it is a short table.

    Attributes:
        source (str): the file.
        net (str): the network's class.
        matched (list[Pair]): Parameters with a value in the file.
        missing (list[str]): Parameters without one.
        unexpected (list[str]): arrays of the file without a Parameter.
        shapes (list[tuple]): of arrays whose Parameter has another shape: both names, the file's shape, the network's.
        ignored (dict[str, str]): arrays that are no weights, and why.
        notes (list[str]): what to know of the matches.
    """

    source: str
    net: str
    matched: list
    missing: list
    unexpected: list
    shapes: list
    ignored: dict
    notes: list

    @property
    def ok(self):
        """Whether each Parameter has a value, and each weight of the file a Parameter."""
        return not (self.missing or self.unexpected or self.shapes)

    def __str__(self):
        count = len(self.matched) + len(self.missing) + len(self.shapes)
        lines = [f"{self.net}: {len(self.matched)} of {count} Parameters matched in {self.source}"]
        groups = collections.defaultdict(list)
        for pair in self.matched:
            groups[pair.rule + (f", {pair.change}" if pair.change else "")].append(pair)
        width = max(map(len, groups), default=0)
        for rule, pairs in groups.items():
            first = pairs[0]
            lines.append(f"  {len(pairs):5}  {rule:{width}}  {first.parameter} = {', '.join(first.names)}")
        lines += _listed("missing in the file", self.missing)
        lines += _listed("unexpected in the file", self.unexpected)
        shapes = [f"{name} {new}, in the file {old}" for name, _, old, new in self.shapes]
        lines += _listed("other shapes", shapes)
        for reason in dict.fromkeys(self.ignored.values()):
            names = [name for name, own in self.ignored.items() if own == reason]
            lines += _listed(f"ignored, {reason}", names, 1)
        return "\n".join([*lines, *[f"  note: {each}" for each in self.notes]])

    __repr__ = __str__  # at a prompt and in a notebook


def _listed(title, names, most=_MOST):
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return [f"  {len(names):5}  {title}: {', '.join(names[:most])}{rest}"] if names else []


def report_of(matching, source, net):
    """The `Report` of a `Matching`."""
    pairs = []
    for each in matching.matches:
        change = ", ".join([words for words in (each.piece.words, each.form.words) if words])
        pairs.append(Pair(each.target.name, each.piece.names, each.rule, change))
    pieces, targets = list(matching.pieces), list(matching.targets)
    ignored = _ignored(matching)
    shapes = []
    for key in (common_name, loosely):
        names = {key(name): target for target in targets for name in target.names}
        for piece in [each for each in pieces if each.name not in ignored]:
            target = names.get(key(piece.name))
            if target is not None and target in targets:
                shapes.append((target.name, piece.names, piece.shape, target.shape))
                pieces.remove(piece)
                targets.remove(target)
    by_order = sum(each.rule == ORDER for each in matching.matches)
    notes = [*matching.notes, *([_MSG_ORDER.format(by_order)] if by_order else [])]
    unexpected = dict.fromkeys(name for each in pieces if each.name not in ignored for name in each.names)
    missing = [target.name for target in targets]
    return Report(source, net, pairs, missing, list(unexpected), shapes, ignored, notes)


def _ignored(matching):
    """Why arrays that nothing matches are no weights, or need no Parameter."""
    reasons = {piece.name: why_no_weight(piece.name, piece) for piece in matching.pieces}
    found = {name: reason for name, reason in reasons.items() if reason is not None}
    return found | {piece.name: f"the same as {first.names[0]}" for piece, first in twins(matching)}


def twins(matching):
    """``(piece, matched piece)`` of each array that nothing matches and that is the same as a matched one."""
    places = {each.piece.place: each.piece for each in matching.matches if each.piece.place is not None}
    shared = {common_name(name): each.piece for each in matching.matches for name in each.target.names}
    for piece in matching.pieces:
        first = places.get(piece.place) or shared.get(common_name(piece.name))
        if first is not None and _are_one(piece, first):
            yield piece, first


def _are_one(piece, other):
    if piece.place is not None and piece.place == other.place:
        return True
    return piece.shape == other.shape and bool((piece.values() == other.values()).all())
