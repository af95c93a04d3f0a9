"""Compares two recordings of one program: which values differ, and which is the first."""

import dataclasses
import json
from typing import Any

import numpy as np

from ..testing.comparison import difference, largest_error

_SHAPES_AND_DTYPES = "shape", "dtype"
_STATES = "initial", "update"  # the kinds of items that are values of Parameters
_REDUCED = ("Float16", "BFloat16")
_REDUCED_FACTOR = 30  # factor of the tolerance for half precision


class Recording:
    """A recording made by `recorder`: its ``items`` in the order of recording, and facts about the program."""

    outputs: Any

    def __init__(self, file):
        self.file = np.load(file)
        report = json.loads(self.file["report"].tobytes())
        self.items = report.pop("items")
        self.report = report

    def values(self, item):
        """The recorded values of an item, a vector; None if it has none."""
        return self.file[item["array"]] if "array" in item else None


@dataclasses.dataclass(eq=False)
class ComparedValue:
    """One value of the program on both sides.

    ``item`` names it; ``ours`` and ``theirs`` are the items, None if a side has none; ``problem`` says what differs,
    ``""`` if nothing; ``error`` is the largest absolute error, and ``relative`` is it divided by the size of theirs;
    ``share`` is the fraction of the elements that differ.
    """

    item: dict
    ours: dict | None
    theirs: dict | None
    problem: str = ""
    error: float = 0.0
    relative: float = 0.0
    share: float = 0.0

    def __str__(self):
        return title(self.item)

    def as_json(self):
        """A dict of plain values."""
        keys = ("kind", "path", "cell", "call", "label", "line")
        sides = {
            side: {key: item.get(key) for key in ("shape", "dtype", "statistics")}
            for side, item in (("ours", self.ours), ("theirs", self.theirs))
            if item is not None
        }
        return {
            **{key: self.item[key] for key in keys}, **sides, "problem": self.problem, "error": _finite(self.error),
            "relative error": _finite(self.relative),
        }  # fmt: skip


def _finite(number):
    return number if np.isfinite(number) else str(number)


def title(item):
    """The title of a value: ``output of Net.conv1 (Conv2d), call 2, net.py:12``."""
    at = f", {item['line']}" if item["line"] else ""
    match item["kind"]:
        case "initial":
            return f"initial value of Parameter {item['path']}{at}"
        case "update":
            return f"Parameter {item['path']} after outermost call {item['call']}{at}"
        case "parameter gradient":
            return f"gradient of Parameter {item['label']} in {item['path']} ({item['cell']}), call {item['call']}{at}"
        case "gradient":
            description = f"gradient of the {item['label']}"
        case "input":
            description = f"input '{item['label']}'"
        case kind:
            description = item["label"] if kind == "output" else kind
    return f"{description} of {item['path']} ({item['cell']}), call {item['call']}{at}"


def compared(ours, theirs, rtol, atol):
    """The compared values of two recordings, in the order of the program.

    A value that only one side has counts as a difference only in the program's own Cells, since MindSpore's layers are
    made of other parts. A Parameter that only one side has changed is compared with the other side's unchanged value.
    """
    copied = set(ours.report["copied"])
    parameters = _by_parameter(ours.items), _by_parameter(theirs.items)
    values = []
    for mine, other in _merged(ours.items, theirs.items):
        item: Any = mine or other
        if item["kind"] == "update":
            mine, other = mine or _latest(parameters[0], item), other or _latest(parameters[1], item)
        if mine is None or other is None:
            if _matters(item):
                problem = "only there" if mine is None else "only here"
                values.append(ComparedValue(item, mine, other, problem, np.inf, np.inf))
        elif item["kind"] != "initial" or item["label"] not in copied:
            values.append(_compared(ComparedValue(item, mine, other), ours, theirs, rtol, atol))
    return values


def _merged(ours, theirs):
    """Pairs of an item of each side, None if a side lacks it, in the order of ours."""
    mine, yours = dict(_keyed(ours)), dict(_keyed(theirs))
    following, anchor = {}, None
    for key, item in yours.items():
        if key in mine:
            anchor = key
        else:
            following.setdefault(anchor, []).append((None, item))
    yield from following.get(None, ())
    for key, item in mine.items():
        yield item, yours.get(key)
        yield from following.get(key, ())


def _by_parameter(items):
    """The items that are values of Parameters, by the Parameter."""
    values = {}
    for item in items:
        if item["kind"] in _STATES:
            values.setdefault(item["path"], []).append(item)
    return values


def _latest(values, item):
    """The current value of the Parameter of ``item`` on a side that did not change it in that call."""
    before = [each for each in values.get(item["path"], ()) if _moment(each) <= item["call"]]
    return before[-1] if before else None


def _moment(item):
    """The outermost call after which a Parameter has the value of an item."""
    return 0 if item["kind"] == "initial" else item["call"]


def _keyed(items):
    """Pairs of a key and an item; a gradient that is recorded twice has two keys."""
    seen = {}
    for item in items:
        key = item["kind"], item["path"], item["call"], item["label"]
        seen[key] = seen.get(key, 0) + 1
        yield (*key, seen[key]), item


def _matters(item):
    return item["kind"] in ("input", "output", "gradient", "parameter gradient") and not item["is_library"]


def _compared(value, mine, other, rtol, atol):
    """``value`` with its difference filled in; ``mine`` and ``other`` are the recordings."""
    ours, theirs = value.ours, value.theirs
    for attribute in _SHAPES_AND_DTYPES:
        if ours[attribute] != theirs[attribute]:
            value.problem = f"{attribute} {_shown(ours[attribute])} here, {_shown(theirs[attribute])} there"
            value.error = value.relative = np.inf
            return value
    left, right = mine.values(ours), other.values(theirs)
    if left is None or right is None:
        return value
    factor = _REDUCED_FACTOR if ours["dtype"] in _REDUCED else 1
    size = _size(theirs)
    value.error = largest_error(left, right)
    value.relative = value.error / size if size else value.error and np.inf
    differing = difference(left, right, factor * rtol, factor * (atol + rtol * size))
    if differing is not None:
        value.share = differing.count / differing.size
        index = _index(differing.index[0], left.size, ours["shape"])
        value.problem = (
            f"{differing.actual:.7g} here, {differing.expected:.7g} there at {index}; "
            f"{differing.count} of {differing.size} elements differ, by {differing.error:.3g} at most"
        )
    return value


def _shown(value):
    return tuple(value) if isinstance(value, list) else value


def _size(item):
    """The size of the numbers: their root mean square."""
    statistics = item["statistics"]
    return float(np.hypot(statistics["mean"], statistics["std"])) if "mean" in statistics else 0.0


def _index(flat_index, recorded, shape):
    """The index in the whole array of a recorded element."""
    count = int(np.prod(shape))
    stride = -(-count // recorded) if recorded else 1
    return [int(each) for each in np.unravel_index(flat_index * stride, shape)]


def inputs_of(value, values):
    """The inputs of the call that ``value`` is part of, on both sides."""
    call = value.item["path"], value.item["call"]
    return [each for each in values if each.item["kind"] == "input" and (each.item["path"], each.item["call"]) == call]


def gradient_of(value, values):
    """The last gradient of the Parameter of ``value`` recorded before it, or None."""
    for each in values[values.index(value) :: -1]:
        if each.item["kind"] == "parameter gradient" and each.item["label"] == value.item["label"]:
            return each
    return None
