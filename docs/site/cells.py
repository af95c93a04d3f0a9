"""Pages as cells, and cells as a Jupyter notebook.

A block of a page is one of four: ``python`` is code, whose output is the ``text`` block after it; ``python
title="a.py"`` is a file; ``console`` has commands after ``$``, each with its output; all else is prose. A picture after
code is what the code draws.
"""

import dataclasses
import json
import re

_BLOCK = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"\n*!\[[^\]]*\]\(([^)]+)\)(?:\{[^}]*\})?\n?")
_TITLE = re.compile(r'title="([^"]+)"')
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!http)[^)]+\)")


@dataclasses.dataclass
class Cell:
    """A part of a page: its kind (``prose``, ``code``, ``file``, ``command``), and its text.

    Attributes:
        name (str | None): the name of a file.
        output (str | None): what is printed, if the page shows it.
        picture (str | None): the picture that is drawn, relative to the page.
        span (tuple of int | None): the place of ``output`` in the page.
    """

    kind: str
    text: str
    name: str | None = None
    output: str | None = None
    picture: str | None = None
    span: tuple | None = None


def cells(page):
    """The cells of the text of a page, in order."""
    found, end = [], 0
    for block in _BLOCK.finditer(page):
        language, attributes, text = block.groups()
        between = page[end : block.start()]
        if language == "text" and found and found[-1].kind == "code" and not between.strip():
            found[-1].output, found[-1].span, end = text, block.span(3), block.end()
            continue
        if language not in ("python", "console"):
            continue
        _add_prose(found, between)
        end = block.end()
        title = _TITLE.search(attributes)
        if language == "console":
            found += _commands(text, block.start(3))
        elif title:
            found.append(Cell("file", text, name=title[1]))
        else:
            found.append(Cell("code", text))
        picture = _PICTURE.match(page, end)
        if picture and language == "python":
            found[-1].picture, end = picture[1], picture.end()
    _add_prose(found, page[end:])
    return found


def _add_prose(found, text):
    picture = _PICTURE.match(text)
    if picture and found and found[-1].kind == "code":  # after the output
        found[-1].picture, text = picture[1], text[picture.end() :]
    if text.strip():
        found.append(Cell("prose", text.strip("\n")))


def _commands(text, start):
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    place = start + len(parts[0])
    commands = []
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        first = place + len("$ ") + len(command) + 1
        commands.append(Cell("command", command, output=output, span=(first, first + len(output))))
        place += len("$ ") + len(part)
    return commands


def notebook(page):
    """The text of a page as the JSON of a notebook, without outputs."""
    made = [_notebook_cell("code", "%load_ext msgrad")]
    for cell in cells(page):
        if cell.kind == "prose":
            made.append(_notebook_cell("markdown", _LINK.sub(r"\1", cell.text)))
        else:
            text = {"file": f"%%writefile {cell.name}\n", "command": "!"}.get(cell.kind, "") + cell.text
            made.append(_notebook_cell("code", text))
    made[:2] = reversed(made[:2])  # the title comes first
    for number, cell in enumerate(made):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1) + "\n"


def _notebook_cell(kind, text):
    cell = {"cell_type": kind, "metadata": {}, "source": text.rstrip("\n").splitlines(keepends=True)}
    return cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []}
