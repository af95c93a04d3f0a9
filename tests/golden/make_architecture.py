"""Draws the floors of msgrad, in the order that `tests/engine/test_rules.py` checks, and writes docs/architecture.svg.

python -m tests.golden.make_architecture
"""

import pathlib

from ..engine.test_rules import ORDER, ROOMS

PICTURE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "architecture.svg"
# The floors from the ground up, each with the last of its rooms in `ORDER`.
FLOORS = (
    ("the log, the version, upcalls", "_upcalls"),
    ("recording, compiling, launching", "engine"),
    ("tables of names, random bits", "_random"),
    ("Tensors, contracts, semantics", "initializer"),
    ("settings, devices, shardings", "context"),
    ("operations", "ops"),
    ("gradients, NumPy's names", "runtime"),
    ("layers and dialects", "mint"),
    ("training and data", "parallel"),
    ("MindSpore's other names", "alias"),
    ("the command, comparisons", "tools"),
)
_WIDTH, _HEIGHT, _LABEL, _GAP = 960, 44, 250, 6
_STYLE = (
    "text{font:14px sans-serif;fill:#1c2733}.label{fill:#5a6775}.floor{fill:#eef3f8}.engine{fill:#dbe8f5}"
    ".room{fill:#fff;stroke:#9db2c6}"
)


def floors():
    """``(label, rooms)`` of each floor, from the ground up."""
    rooms, result = [each.removesuffix(".py") for each in ORDER], []
    for label, last in FLOORS:
        end = rooms.index(last) + 1
        result.append((label, rooms[:end]))
        rooms = rooms[end:]
    assert not rooms, rooms
    return result


def picture():
    """The picture as text."""
    rows, top = [], _GAP
    for label, rooms in reversed(floors()):
        rooms = [*rooms, *[f"engine/{each}" for each in ROOMS]] if "engine" in rooms else rooms
        lines = list(_lines(rooms))
        height = _HEIGHT * len(lines)
        kind = "engine" if "engine" in rooms else "floor"
        rows.append(f'<rect class="{kind}" x="0" y="{top}" width="{_WIDTH}" height="{height}" rx="6"/>')
        rows.append(f'<text class="label" x="12" y="{top + 27}">{label}</text>')
        for number, line in enumerate(lines):
            for left, room in line:
                y = top + number * _HEIGHT
                rows.append(f'<rect class="room" x="{left}" y="{y + 8}" width="{_width(room)}" height="28" rx="4"/>')
                rows.append(f'<text class="name" x="{left + 8}" y="{y + 27}">{room}</text>')
        top += height + _GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" role="img">'
    title = "<title>The floors of msgrad: each imports only those below it, and of one floor those to its left</title>"
    return "\n".join([head, title, f"<style>{_STYLE}</style>", *rows, "</svg>"]) + "\n"


def _width(room):
    return 18 + 9 * len(room)


def _lines(rooms):
    """The rooms from left to right, ``(left, room)``, as many lines as they take."""
    left, line = _LABEL, []
    for room in rooms:
        if line and left + _width(room) > _WIDTH - 12:
            yield line
            left, line = _LABEL, []
        line.append((left, room))
        left += _width(room) + 8
    yield line


if __name__ == "__main__":
    PICTURE.write_text(picture())
