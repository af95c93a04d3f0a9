"""The entries of docs/differences.md, found by the MindSpore names that they concern.

The page is package data: ``differences.md`` in this folder is a link to it; an installation has a copy. An entry is a
row of a table or an item of a list. It concerns the names in its code: of a row, those in its first column; a bare name
is looked for in ``mindspore``, ``ops``, ``nn`` and so on. If these are too many or too few, a comment in the
entry lists the names: ``<!-- concerns: nn.SeLU, ops.selu -->``.
"""

import dataclasses
import functools
import importlib.resources
import re
import types

from .lookup import look_up

PAGE = importlib.resources.files("msgrad.tools.checking").joinpath("differences.md")

_COMMENT = re.compile(r"\s*<!-- concerns: ?(.*?) ?-->")
_CODE = re.compile(r"`([^`]+)`")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])\)? +(?=[A-Z(`])")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?!\w|=)")  # but not the keyword in `dtype=float64`
_PLACES = [
    "", "ops", "nn", "train", "amp", "common.initializer", "dataset", "dataset.vision", "dataset.text",
    "dataset.transforms",
]  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Difference:
    """An entry.

    Attributes:
        line (int): the line of the page on which it begins.
        text (str): its text.
        sentence (str): the first sentence of an item; the whole text of a row.
        names (tuple of str): the dotted names that it concerns.
    """

    line: int
    text: str
    sentence: str
    names: tuple[str, ...]


@functools.cache
def differences():
    """All entries, a list of `Difference`."""
    page = PAGE.read_text(encoding="utf-8")
    return [Difference(line, _plain(text), _sentence(text), _concerned(text)) for line, text in _entries(page)]


def concerning(name, value):
    """The entries that concern the object at the dotted ``name``, under any of its names."""
    by_name, by_identity = _index()
    return tuple(by_identity.get(id(value), ()) if callable(value) else by_name.get(name, ()))


@functools.cache
def _index():
    by_name, by_identity = {}, {}
    for entry in differences():
        for name in entry.names:
            value = look_up(name).value
            by_name.setdefault(name, []).append(entry)
            if callable(value) and entry not in by_identity.setdefault(id(value), []):
                by_identity[id(value)].append(entry)
    return by_name, by_identity


def _entries(page):
    """``(line, text)`` of each row and item."""
    begun, text = 0, []
    lines = page.splitlines()
    for number, line in enumerate([*lines, ""], 1):
        is_item, is_row = line.startswith("- "), line.startswith("| ")
        if text and (is_item or not line.startswith("  ")):
            yield begun, " ".join(text)
            text = []
        if is_row and not lines[number].startswith("|---") and not line.startswith("| where"):
            yield number, line
        elif is_item or (text and line.startswith("  ")):
            begun = begun if text else number
            text.append(line.removeprefix("- ").strip())


def _cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split(" | ")]


def _plain(text):
    text = _COMMENT.sub("", text)
    if not text.startswith("| "):
        return text
    where, theirs, ours = _cells(text)
    return f"{where}: MindSpore: {theirs}; msgrad: {ours}"


def _sentence(text):
    plain = _plain(text)
    return plain if text.startswith("| ") else _END_OF_SENTENCE.split(plain, maxsplit=1)[0]


def _concerned(text):
    comment = _COMMENT.search(text)
    if comment is not None:
        return tuple([_full_name(name) or f"mindspore.{name}" for name in comment[1].split(", ") if name])
    subject = _cells(text)[0] if text.startswith("| ") else text
    names = [_NAME.match(code) for code in _CODE.findall(subject)]
    entries = [_full_name(match[0]) for match in names if match is not None]
    return tuple(dict.fromkeys([name for name in entries if name is not None]))


def _full_name(name):
    """The full dotted name for a name on the page, or None; no entry concerns a module as a whole."""
    name = name.removeprefix("mindspore.").removeprefix("ms.")
    for position in _PLACES:
        whole = ".".join(filter(None, ["mindspore", position, name]))
        looked_up = look_up(whole)
        if looked_up.error is None and looked_up.name == whole and not isinstance(looked_up.value, types.ModuleType):
            return whole
    return None
