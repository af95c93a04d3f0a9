"""Writes ``docs/coverage.md``: how much of MindSpore's public surface is here, module by module.

    python -m tests.golden.make_coverage_page PATH/surface.json.gz

``surface.json.gz`` lists every public name of MindSpore 2.10 by module or class.
"""

import functools
import gzip
import importlib
import json
import pathlib
import sys

import msgrad.alias
from msgrad.ops.legacy.left_out import LeftOut

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
# Modules whose names are not meant for programs: the generator's output, and others' names over again.
INNER = {
    "mindspore.ops.auto_generate",
    "mindspore.train.serialization",
    "mindspore.train.amp",
    "mindspore.train.callback",
}
HEAD = """# Supported names of MindSpore

The public names of MindSpore 2.10, by module or class. A name that is *left out* can be imported, so that programs
which import it without using it start; using it is an error that says why, and what to use instead. A *missing* name
cannot be imported; these are listed below the table. `python -m tests.golden.make_coverage_page` writes this page.

| module or class | names | supported | left out | missing |
| --- | ---: | ---: | ---: | ---: |
"""
_ABSENT = object()


def owner_of(path):
    """The module or class ``path``, or None."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:count]))
            return functools.reduce(getattr, parts[count:], module)
        except (ImportError, AttributeError):
            continue
    return None


def value_of(owner, name):
    try:
        return getattr(owner, name)
    except (ImportError, AttributeError):
        return _ABSENT


def page(surface):
    """The text of the page."""
    rows, lists, totals = [], [], [0, 0, 0, 0]
    for path, names in sorted(surface.items()):
        if path in INNER:
            continue
        owner = owner_of(path)
        values = {name: value_of(owner, name) for name in sorted(names)}
        missing = [name for name, value in values.items() if value is _ABSENT]
        left_out = sum([isinstance(value, LeftOut) for value in values.values()])
        counts = len(values), len(values) - left_out - len(missing), left_out, len(missing)
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        rows.append(f"| `{path}` | {' | '.join(map(str, counts))} |")
        if missing:
            lists.append(f"- `{path}`: {', '.join([f'`{name}`' for name in missing])}")
    rows.append(f"| all | {' | '.join(map(str, totals))} |")
    return HEAD + "\n".join(rows) + "\n\n## Missing\n\n" + "\n".join(lists) + "\n"


if __name__ == "__main__":
    msgrad.alias.install()
    PAGE.write_text(page(json.loads(gzip.open(sys.argv[1]).read())))
