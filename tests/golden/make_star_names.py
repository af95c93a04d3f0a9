"""Writes ``msgrad/_compat/star_names.txt``: what ``from mindspore.path import *`` gives, for paths on stdin.

    ORACLE_PYTHON tests/golden/make_star_names.py < PATHS

Run it outside of this repository. ``PATHS`` are the modules that are no files of msgrad's:
``python -c "from msgrad.alias import LEGACY; print(*LEGACY)"``. Of a module without ``__all__`` those names count that
MindSpore itself defines; modules of its inside, from which nobody imports all, are left out.
"""

import importlib
import pathlib
import re
import sys
import types
import warnings

FILE = pathlib.Path(__file__).resolve().parents[2] / "msgrad" / "_compat" / "star_names.txt"
INSIDE = re.compile(r"[.]_|[.]auto_generate|[.]tensor_method")
HEAD = "# What `from module import *` gives in MindSpore {}. tests/golden/make_star_names.py writes this list.\n"


def names_of(path):
    """The names that a module gives, or None if MindSpore has no such module."""
    try:
        module = importlib.import_module(path)
    except ImportError:
        return None
    if hasattr(module, "__all__"):
        return sorted({name for name in module.__all__ if isinstance(name, str) and hasattr(module, name)})
    return sorted([name for name, value in vars(module).items() if name[0] != "_" and is_its_own(value)])


def is_its_own(value):
    """Whether MindSpore defines it: not a module, and nothing of another package."""
    of = getattr(value, "__module__", None) or "mindspore"
    return not isinstance(value, types.ModuleType) and of.startswith(("mindspore", "abc"))


def main():
    warnings.simplefilter("ignore")
    paths = [path for path in sorted(sys.stdin.read().split()) if not INSIDE.search(path)]
    names_by_path = {path: names_of(path) for path in paths}
    lines = [f"{path}: {' '.join(names)}\n" for path, names in names_by_path.items() if names is not None]
    FILE.write_text(HEAD.format(importlib.import_module("mindspore").__version__) + "".join(lines))


if __name__ == "__main__":
    main()
