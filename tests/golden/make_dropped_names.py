"""Writes ``msgrad/tools/checking/dropped_names.txt``: names that public programs use and MindSpore does not have.

Run with an interpreter that has MindSpore, outside of this repository:

    python make_dropped_names.py LIST [PATH ...]

``LIST`` is a text of dotted names, one a line, that public programs use; ``PATH`` are folders of such programs, whose
names are added. Below a name that is not there none is, so only the first is kept.
"""

import importlib
import pathlib
import sys
import types
import warnings

CHECKING = pathlib.Path(__file__).resolve().parents[2] / "msgrad" / "tools" / "checking"
HEAD = """\
# Names that public programs use and that MindSpore {} does not have: of its 1.x, and some that it never had.
# tests/golden/make_dropped_names.py writes this list.
"""


def used(folders):
    """The names that the Python files below the folders use."""
    sys.path.insert(0, str(CHECKING))
    syntax = importlib.import_module("syntax")
    names = set()
    for file in [file for folder in folders for file in pathlib.Path(folder).rglob("*.py")]:
        try:
            names |= {name for _, name, _ in syntax.names_used(file.read_bytes(), {"mindspore"})}
        except SyntaxError as error:
            print(f"{file}: {error}", file=sys.stderr)
    return {name for name in names if "*" not in name}


def first_missing(name):
    """The shortest part of a dotted name that leads nowhere, or None."""
    root, *parts = name.split(".")
    value, path = importlib.import_module(root), root
    for part in parts:
        if not isinstance(value, (types.ModuleType, type)):
            value = module(path) or value  # `mindspore.common.tensor` is a function, and a module too
        path = f"{path}.{part}"
        if hasattr(value, part):
            value = getattr(value, part)
        else:
            value = module(path)
            if value is None:
                return path
    return None


def module(path):
    """The module at ``path``, or None."""
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def main(listed, *folders):
    warnings.simplefilter("ignore")
    names = used(folders) | set(pathlib.Path(listed).read_text().split())
    version = importlib.import_module("mindspore").__version__
    missing = {first_missing(name) for name in names} - {None}
    (CHECKING / "dropped_names.txt").write_text(HEAD.format(version) + "".join(f"{name}\n" for name in sorted(missing)))


if __name__ == "__main__":
    main(*sys.argv[1:])
