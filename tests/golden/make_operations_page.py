"""Writes ``docs/operations.md`` from the operations' registries and the rows that test them.

python -m tests.golden.make_operations_page
"""

import collections
import importlib
import pathlib
import pkgutil
import re

import msgrad
from msgrad import ops
from msgrad._contracts.doc import Doc
from msgrad.ops import Primitive
from msgrad.ops._core.faces import FUNCTIONS, METHODS, PRIMITIVES
from msgrad.ops.legacy.left_out import LEFT_OUT

from ..op_cases import CASES

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "operations.md"
HEAD = """# Operations

One line for each operation: its names (functions and Primitives of `mindspore.ops`, methods of `Tensor`), what it
computes, and what the tests check:

- *dtypes*: the dtypes, besides float32, whose values are compared with MindSpore's;
- *order*: the number of derivatives that are compared with finite differences (0: it has none, or finite differences
  cannot show them);
- *devices*: the devices that XLA lowers it for, unless they are CPU, CUDA and TPU; *reads values*: its shape depends on
  values, so that `vmap` and `jax.jit` refuse it;
- *note*: if values are not compared with MindSpore's, or fewer derivatives than the order says, the reason.

Names that [are left out](#left-out) are listed at the end. `python -m tests.golden.make_operations_page` writes this
page.

"""
LEFT_OUT_HEAD = """
## Left out

These names can be imported, so that programs which import them without using them start. Using one raises a
`NotImplementedError` that says, as this table does, why it is left out, and what to use instead.

| names | why | instead |
| --- | --- | --- |
"""


def groups():
    """The names of each operation, by the function that all its faces lead to."""
    ops.import_all()
    result = collections.defaultdict(list)
    tables = (("ops.", FUNCTIONS), ("ops.", PRIMITIVES), ("Tensor.", METHODS))
    for prefix, table in tables:
        for name, made in table.items():
            if not name.startswith("_") and not isinstance(made, Primitive):
                result[_base(made)].append(prefix + name)
    return result


def _base(made):
    while getattr(made, "_targets_", None):
        made = made._targets_[0]
    return made


def rows_by_name():
    """The rows that name an operation, by its name in `ops` or as a method."""
    result = collections.defaultdict(list)
    for case in CASES:
        text = " ".join((case.expression, *case.faces))
        for name in set(re.findall(r"\bops\.\w+", text)):
            result[name].append(case)
    return result


def line(base, names, cases):
    rows = {case.name: case for name in names for case in cases.get(name, ())}.values()
    dtypes = sorted({dtype for case in rows for dtype in case.dtypes})
    order = str(max((case.order for case in rows if case.exact_slope), default=0)) if rows else ""
    platforms = {platform for case in rows for platform in case.platforms}
    devices = [", ".join(sorted(platforms))] if len(platforms) < 3 else []
    devices += ["reads values"] if any(case.looks for case in rows) else []
    notes = sorted({case.reason for case in rows if case.reason})
    summary = Doc(base.__doc__).summary.partition("\n")[0].replace("|", "\\|")
    shown = ", ".join(f"`{name}`" for name in names)
    return f"| {' | '.join((shown, summary, ', '.join(dtypes), order, '; '.join(devices), '; '.join(notes)))} |"


def _place(path):
    """Operations first, the other modules in the order of their names, each name where its module has it."""
    return "" if path.startswith(("ops.", "Tensor.")) else path.rpartition(".")[0]


def left_out():
    """The rows of the table of what is left out, of every module: the names of each reason."""
    for module in pkgutil.walk_packages(msgrad.__path__, "msgrad."):
        if not module.name.endswith("__main__"):  # importing it runs it
            importlib.import_module(module.name)
    result = collections.defaultdict(list)
    for path in sorted(sorted(LEFT_OUT), key=_place):
        result[LEFT_OUT[path].reason].append(f"`{path}`")
    return [f"| {', '.join(names)} | {why} | {instead} |" for (why, instead), names in result.items()]


def page():
    """The text of the page."""
    cases = rows_by_name()
    table = sorted(((names, base) for base, names in groups().items()), key=lambda row: row[0][0].lower())
    lines = ["| names | | dtypes | order | devices | note |", "| --- | --- | --- | --- | --- | --- |"]
    lines += [line(base, names, cases) for names, base in table]
    return HEAD + "\n".join(lines) + "\n" + LEFT_OUT_HEAD + "\n".join(left_out()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
