"""Writes the stubs, and the table of what each file defines: run when a public name is added, changed or moved.

    python -m tests.golden.make_stubs

The ``.pyi`` files beside msgrad's packages have each public name as a ``def`` or a ``class``, with types from contracts
and docstrings; those of ``mindspore-stubs`` take their names from them, under MindSpore's paths. `_names.contents` says
which file to import for a name. `tests/test_contents.py` fails where they are not what the files define.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HANDWRITTEN = {"msgrad/_contracts/contracts.pyi"}


def written():
    """The text of each stub, by path."""
    from .stubs.aliases import alias_stubs
    from .stubs.modules import Tree

    tree = Tree()
    return tree.texts() | alias_stubs(tree.homes)


def present():
    """The stubs that there are, but for those written by hand."""
    return {path for path in (ROOT / "msgrad").rglob("*.pyi") if path.relative_to(ROOT).as_posix() not in HANDWRITTEN}


if __name__ == "__main__":
    subprocess.run([sys.executable, "-m", "tests.golden.stubs.contents"], check=True)
    texts = written()
    for stale in present() - texts.keys():
        stale.unlink()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
