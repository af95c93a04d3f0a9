"""Runs the code of pages, each from a new folder, and compares what it prints with what the pages show.

    msgrad run docs/site/run.py [--write] PAGE ...

With ``--write`` the pages get what is printed, and the pictures that are drawn. Three dots in a page stand for any
text. Without matplotlib, code that draws is left out.
"""

import contextlib
import doctest
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from cells import cells  # noqa: E402

_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_MEASURED = re.compile(r"\d[\d.,]*(?= ?(?:s|ms|B|KB|MB|GB)\b)")  # times and sizes are not compared
_NUMBER = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?|\d+(?=%)")
_CLOSE = 0.05  # how far other numbers may be apart: processors round differently, and training amplifies it
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)
_LOGGED = re.compile(r"^\[WARNING\] ME\(.*?\] ", re.MULTILINE)


def main(arguments):
    """Runs the pages; returns whether one shows something else."""
    pages = [pathlib.Path(each).resolve() for each in arguments if each != "--write"]
    return any([_differs(page, "--write" in arguments) for page in pages])


def _differs(page, writes):
    text = page.read_text()
    place, changes, differs = os.getcwd(), [], False
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell, printed in _run(page, text, writes):
                if cell.output is not None and not _agree(cell.output, printed):
                    changes.append((cell.span, printed))
                    if not writes:
                        differs = True
                        print(f"{page}: {cell.text}\nprints\n{printed}\nand the page shows\n{cell.output}")
        finally:
            os.chdir(place)
            _reset()
    for (start, end), printed in reversed(changes if writes else []):
        text = text[:start] + printed + text[end:]
    page.write_text(text) if writes and changes else None
    return differs


def _reset():
    """Sets back what a page may have set for its process."""
    if "mindspore" in sys.modules:
        mindspore = sys.modules["mindspore"]
        mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
        mindspore.set_deterministic(False)


def _run(page, text, writes):
    """Runs each cell, and yields it with what it prints."""
    names = {"__name__": "__main__"}
    for cell in cells(text):
        if cell.kind == "file":
            pathlib.Path(cell.name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(cell.name).write_text(cell.text)
        elif cell.kind == "command":
            yield cell, _printed_by(cell.text)
        elif cell.kind == "code" and not (cell.picture and importlib.util.find_spec("matplotlib") is None):
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(cell.text, page.name, "exec"), names)
                if cell.picture:
                    _draw(page.parent / cell.picture, writes)
            yield cell, _tidy(printed.getvalue())


def _printed_by(command):
    """What a command prints; it runs with this interpreter's own commands first."""
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    # Without the lines that tell how far a command is, which a slow machine prints.
    environment = {**os.environ, "PATH": path, "MSGRAD_QUIET": "1"}
    done = subprocess.run(command, shell=True, text=True, env=environment, **both)
    return _tidy(done.stdout)


def _tidy(printed):
    """What is printed, without what differs from run to run: the folder, and the beginnings of logged lines."""
    printed = _LOGGED.sub("[WARNING] ... ", printed).replace(f"{os.getcwd()}/", "")
    return _SPACES.sub("", printed)


def _draw(path, writes):
    import matplotlib.pyplot as plt

    if writes:
        plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "msgrad"}  # small files, and the same ones each time
        path.parent.mkdir(exist_ok=True)
        plt.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close("all")


def _agree(shown, printed):
    """Whether a page shows what is printed, but for measured times and sizes, and the last digits of other numbers."""
    shown, printed = _MEASURED.sub("#", shown), _MEASURED.sub("#", printed)
    mine, its = _NUMBER.findall(shown), _NUMBER.findall(printed)
    are_close = len(mine) == len(its) and all(
        abs(float(a) - float(b)) <= _CLOSE * max(abs(float(a)), abs(float(b))) + 1e-3
        for a, b in zip(mine, its, strict=True)
    )
    if are_close:
        shown, printed = _NUMBER.sub("#", shown), _NUMBER.sub("#", printed)
    return doctest.OutputChecker().check_output(shown, printed, _FLAGS)


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    sys.exit(main(sys.argv[1:]))
