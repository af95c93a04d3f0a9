"""``msgrad check``: the names that a text uses, their standing, and the command's report."""

import importlib
import json
import pathlib
import re
import sys
import textwrap
import traceback

import pytest

from msgrad.__main__ import main
from msgrad.alias import install
from msgrad.engine.execution import disk_cache
from msgrad.tools.checking import packages, sources
from msgrad.tools.checking.differences import PAGE, differences
from msgrad.tools.checking.lookup import look_up
from msgrad.tools.checking.python_names import GONE, gone
from msgrad.tools.checking.sources import files_under, read
from msgrad.tools.checking.standing import standing
from msgrad.tools.checking.syntax import AT_IMPORT, IN_BRANCH, LATER, names_used

from ..helpers import assert_each

# Texts, and the lines and names that they use of MindSpore.
TEXTS = {
    "import as": ("import mindspore.ops as P\nP.add(1, 2)", [(1, "ops"), (2, "ops.add")]),
    "import of a path": ("import mindspore.nn\nmindspore.nn.Cell", [(1, "nn"), (2, "nn.Cell")]),
    "from": (
        "from mindspore.ops import operations as P\nx = P.Add()(1, 2).sum()",
        [(1, "ops.operations"), (2, "ops.operations.Add")],
    ),
    "several": (
        "from mindspore import nn, ops as F\nnn.Cell, F.sin",
        [(1, "nn"), (1, "ops"), (2, "nn.Cell"), (2, "ops.sin")],
    ),
    "assignment": ("import mindspore\nnn = mindspore.nn\nnn.Cell", [(1, ""), (2, "nn"), (3, "nn.Cell")]),
    "assignment of several": (
        "import mindspore as ms\na, b = ms.nn, ms.ops\na.Cell\nb.sin",
        [(1, ""), (2, "nn"), (2, "ops"), (3, "nn.Cell"), (4, "ops.sin")],
    ),
    "assigned anew": ("from mindspore import ops\nops.sin\nops = 3\nops.cos", [(1, "ops"), (2, "ops.sin")]),
    "a value": ("from mindspore import ops\nx = ops.sin(1)\nx.cos()\nx.shape", [(1, "ops"), (2, "ops.sin")]),
    "a local import": (
        "def f():\n    from mindspore import ops\n    return ops.sin\nops.cos",
        [(2, "ops"), (3, "ops.sin")],
    ),
    "a parameter hides": ("from mindspore import ops\ndef f(ops):\n    return ops.sin", [(1, "ops")]),
    "a default does not": ("from mindspore import ops\ndef f(ops=ops.sin): pass", [(1, "ops"), (2, "ops.sin")]),
    "a lambda hides": ("from mindspore import ops\nf = lambda ops: ops.sin", [(1, "ops")]),
    "a comprehension hides": ("from mindspore import ops\n[ops.sin for ops in ()]", [(1, "ops")]),
    "a function sees what comes later": (
        "def f():\n    return ops.sin\nfrom mindspore import ops",
        [(2, "ops.sin"), (3, "ops")],
    ),
    "a method does not see its class's names": (
        "class A:\n    from mindspore import ops\n    a = ops.sin\n    def f(self): return ops.cos",
        [(2, "ops"), (3, "ops.sin")],
    ),
    "global": (
        "def f():\n    global ops\n    from mindspore import ops\ndef g(): return ops.sin",
        [(3, "ops"), (4, "ops.sin")],
    ),
    "either branch": (
        "if a:\n    from mindspore import ops as P\nelse:\n    import mindspore.mint as P\nP.add",
        [(2, "ops"), (4, "mint"), (5, "mint.add"), (5, "ops.add")],
    ),
    "a star": (
        "from mindspore.ops import *\nfrom os import path\ndef f(x): return sin(x), path, print, x",
        [(1, "ops"), (3, "ops.*.sin")],
    ),
    "a base class, a decorator, an annotation": (
        "import mindspore as ms\n@ms.jit\nclass A(ms.nn.Cell):\n    x: ms.Tensor = None",
        [(1, ""), (2, "jit"), (3, "nn.Cell"), (4, "Tensor")],
    ),
    "text in braces": ("import mindspore as ms\nf'{ms.float32}'", [(1, ""), (2, "float32")]),
    "written to": ("import mindspore as ms\nms.ops.mine = 1", [(1, ""), (2, "ops")]),
    "another package": ("import mindspore_lite\nfrom . import mindspore\nmindspore.nn", []),
}


@pytest.mark.parametrize("text", TEXTS)
def test_names_used(text):
    source, expected = TEXTS[text]
    uses, _ = names_used(source, {"mindspore"})
    actual = [(line, name) for line, name, *_ in uses]
    assert actual == [(line, f"mindspore.{name}" if name else "mindspore") for line, name in expected]


@pytest.mark.parametrize(
    "source, is_guarded",
    [
        ("try:\n    from mindspore import ops\nexcept ImportError:\n    ops = None", True),
        ("try:\n    from mindspore import ops\nexcept (ValueError, AttributeError):\n    ops = None", True),
        ("try:\n    from mindspore import ops\nexcept:\n    ops = None", True),
        ("if TYPE_CHECKING:\n    from mindspore import ops", True),
        ("try:\n    from mindspore import ops\nexcept ValueError:\n    ops = None", False),
        ("try:\n    from mindspore import ops\nexcept ImportError:\n    raise", False),
        ("try:\n    pass\nexcept ImportError:\n    from mindspore import ops", False),
        ("if True:\n    from mindspore import ops", False),
    ],
)
def test_what_a_program_provides_for(source, is_guarded):
    uses, imports = names_used(source, {"mindspore"})
    assert [guarded for _, _, guarded, *_ in uses] == [is_guarded]
    assert len([module for _, _, module, _, _ in imports if module == "mindspore"]) == (not is_guarded)


# Texts in which a name of several may be missing, and what is reported of them.
ALTERNATIVES = {
    "bound by an import": (
        "try:\n    import collections.abc as c\nexcept ImportError:\n    import collections as c\nc.Mapping",
        [],
    ),
    "imported": (
        "try:\n    from collections.abc import Set\nexcept ImportError:\n    from collections import Set\nSet()",
        [],
    ),
    "of the standard library": ("try:\n    import queue\nexcept ImportError:\n    import sets, Queue as queue\n", []),
    "of a package": (
        "try:\n    from six import c\nexcept ImportError:\n    import mindspore.no as c",
        ["mindspore.no"],
    ),
    "neither is there": (
        "try:\n    import mindspore.no as c\nexcept ImportError:\n    import mindspore.nn as c\nc.No",
        ["mindspore.nn.No", "mindspore.no"],
    ),
    "one of another module": (
        "try:\n    from six import abc as c\nexcept ImportError:\n    import collections as c\nc.Mapping",
        [],
    ),
    "bound anew": (
        "try:\n    import collections.abc as c\nexcept ImportError:\n    c = 1\nimport collections as c\nc.Mapping",
        ["collections.Mapping"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ALTERNATIVES)
def test_one_of_several_names_is_enough(case, tmp_path, capsys):
    text, missing = ALTERNATIVES[case]
    (tmp_path / "a.py").write_text(text)
    main(["check", "--json", str(tmp_path)])
    files = json.loads(capsys.readouterr().out)["files"]
    uses = [use for each in files for use in each["uses"] if use["standing"] == "not here" and not use["guarded"]]
    assert [use["name"] for use in uses] == missing


# Texts of one use of MindSpore, and when its line runs.
TIMES = {
    "ms.nn": AT_IMPORT,
    "class A(ms.nn.Cell): pass": AT_IMPORT,
    "class A:\n    x = ms.nn": AT_IMPORT,
    "@ms.jit\ndef f(): pass": AT_IMPORT,
    "def f(x=ms.nn): pass": AT_IMPORT,
    "[ms.nn for x in y]": AT_IMPORT,
    "try:\n    ms.nn\nexcept ValueError:\n    pass": AT_IMPORT,
    "if TYPE_CHECKING:\n    pass\nelse:\n    ms.nn": AT_IMPORT,
    "if x:\n    ms.nn": IN_BRANCH,
    "for x in y:\n    ms.nn": IN_BRANCH,
    "try:\n    pass\nexcept ValueError:\n    ms.nn": IN_BRANCH,
    "def f():\n    ms.nn": LATER,
    "lambda: ms.nn": LATER,
    "class A:\n    def f(self):\n        if x:\n            ms.nn": LATER,
    "if __name__ == '__main__':\n    ms.nn": LATER,
    "if __name__ != '__main__':\n    ms.nn": IN_BRANCH,
    "from __future__ import annotations\ndef f(x: ms.nn): pass": LATER,
}


@pytest.mark.parametrize("text", TIMES)
def test_when_a_line_runs(text):
    before, newline, after = text.partition("\n") if "__future__" in text else ("", "", text)
    uses, _ = names_used(f"{before}{newline}import mindspore as ms\n{after}", {"mindspore"})
    assert [when for _, name, _, when, _ in uses if name != "mindspore"] == [TIMES[text]]


@pytest.mark.parametrize("source", ["print 1", "a\0b", "f(" * 10_000])
def test_what_is_no_python(source):
    with pytest.raises(SyntaxError):
        names_used(source, {"mindspore"})


def notebook(*cells):
    return json.dumps({"cells": [{"cell_type": kind, "source": text.splitlines(True)} for kind, text in cells]})


def test_a_notebook(tmp_path):
    path = tmp_path / "a.ipynb"
    cells = [
        ("markdown", "import mindspore"),
        ("code", "%matplotlib inline\n!pip install mindspore\nfrom mindspore import ops\nfiles = !ls\nops?"),
        ("code", "%%bash\nrm -rf mindspore.nn"),
        ("code", "%%time\nif files:\n    %timeit 3\n    ops.sin"),
    ]
    path.write_text(notebook(*cells))
    source = read(str(path), {"mindspore"})
    assert source.error is None
    assert [(use.cell, use.line, use.name) for use in source.uses] == [
        (1, 3, "mindspore.ops"),
        (3, 4, "mindspore.ops.sin"),
    ]


@pytest.mark.parametrize(
    "name, text, error",
    [
        ("a.py", "x = (1\n", "'(' was never closed (line 1)"),
        ("a.ipynb", notebook(("code", "1"), ("code", "\nx = = 2")), "invalid syntax (cell 2, line 2)"),
        ("a.ipynb", "[]", "it is not a notebook of version 4"),
        ("a.ipynb", "{", "Expecting property name"),
    ],
)
def test_what_cannot_be_read(tmp_path, name, text, error):
    path = tmp_path / name
    path.write_text(text)
    source = read(str(path), {"mindspore"})
    assert error in source.error and not source.uses


def test_files_under(tmp_path):
    for name in ("b.py", "a.ipynb", "c.txt", ".hidden/d.py", "__pycache__/e.py", "sub/f.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    actual = files_under([str(tmp_path), str(tmp_path / "b.py")])
    assert actual == [str(tmp_path / name) for name in ("a.ipynb", "b.py", "sub/f.py")]


@pytest.fixture(autouse=True, scope="module")
def _alias():
    install()


# Names, what is told of them, how it stands, a part of the remark, and who has it no longer.
STANDINGS = [
    ("mindspore", "mindspore", "here", "", None),
    ("mindspore.nn.Dense", "mindspore.nn.Dense", "here", "", None),
    ("mindspore.ops.operations.Add", "mindspore.ops.operations.Add", "here", "", None),
    ("mindspore.common.tensor.Tensor", "mindspore.common.tensor.Tensor", "here with a difference", "", None),
    ("mindspore.float32.anything", "mindspore.float32", "here", "", None),
    ("mindspore.ops.tanh", "mindspore.ops.tanh", "here with a difference", "", None),
    ("mindspore.ops.functional.tanh", "mindspore.ops.functional.tanh", "here with a difference", "", None),
    (
        "mindspore.ops.CustomOpBuilder",
        "mindspore.ops.CustomOpBuilder",
        "not here",
        "Write the function with the operations",
        None,
    ),
    ("mindspore.Tensor.pin_memory", "mindspore.Tensor.pin_memory", "not here", "Use move_to", None),
    ("mindspore.nn.DenseThor.bias", "mindspore.nn.DenseThor", "not here", "Use nn.Dense and", None),
    ("mindspore.nn.sin", "mindspore.nn.sin", "not here", "there is mindspore.ops.sin", None),
    ("mindspore.nn.Module", "mindspore.nn.Module", "not here", "MindSpore 2.10.0 does not have it", "MindSpore"),
    ("mindspore.engine.apply", "mindspore.engine", "not here", "does not have this part", None),
    ("mindspore.mint.functional.relu", "mindspore.mint.functional.relu", "here", "", None),  # of mint.nn
    ("mindspore.ms_function", "mindspore.ms_function", "here with a difference", "does not have it", "MindSpore"),
    ("mindspore.ops.*.sin", "mindspore.ops.sin", "here", "", None),
    ("numpy.float", "numpy.float", "here", "write float", "NumPy"),
    ("numpy.bool8", "numpy.bool8", "here", "write np.bool_", "NumPy"),
    ("numpy.cast", "numpy.cast", "not here", "np.asarray(arr, dtype=dtype)", "NumPy"),
    ("numpy.random.sinus", "numpy.random.sinus", "not here", "does not have it", "NumPy"),
    ("numpy.lib.format.sinus", "numpy.lib.format.sinus", "not here", "does not have it", "NumPy"),
    ("collections.Mapping.get", "collections.Mapping", "not here", "3.10: use collections.abc.Mapping", "Python"),
]


@pytest.mark.parametrize("row", STANDINGS, ids=lambda row: row[0])
def test_standing(row):
    name, told, kind, note, gone_from = row
    actual = standing(name)
    assert (actual.name, actual.kind, actual.gone_from) == (told, kind, gone_from)
    assert note in actual.note and bool(note) == bool(actual.note)


@pytest.mark.parametrize(
    "name", ["mindspore.ops.*.nowhere", "numpy", "numpy.sin", "numpy.f2py.tests.util.x", "collections.OrderedDict"]
)
def test_what_needs_no_word(name):
    assert standing(name) is None


def test_entries_of_the_page_are_found_by_name():
    by_name = {name: entry for entry in differences() for name in entry.names}
    tanh = by_name["mindspore.ops.tanh"]
    assert tanh.text.startswith("`tanh` of float32 beyond 2: `tanh(5)`: MindSpore: 1.0000098, and a negative")
    assert standing("mindspore.ops.tanh").differences == (tanh,)
    item = by_name["mindspore.numpy.gcd"].text
    assert item.startswith("Functions of") and item.endswith("are a TypeError, as documented.")
    assert {"mindspore.nn.KLDivLoss", "mindspore.export", "mindspore.vmap"} <= set(by_name)
    assert "mindspore.ops.abs" not in by_name and "mindspore.ops.dtype" not in by_name


def test_names_that_entries_list_themselves_exist():
    names = [name for entry in differences() for name in entry.names]
    assert len(names) > 100 and not [name for name in names if look_up(name).error is not None]


# Of another platform than this one, not built here, or kept alive by setuptools.
_NOT_EVERYWHERE = {"crypt", "distutils", "nis", "ossaudiodev", "spwd"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_python_lacks_what_is_gone_and_has_what_is_not():
    assert_each(check_gone, {name: (name,) for name in sorted(set(GONE) - _NOT_EVERYWHERE)})


def check_gone(name):
    _, _, is_missing = gone(f"{name}.part")
    module, _, attribute = name.rpartition(".")
    try:
        actual = importlib.import_module(module or name)
        is_there = not module or hasattr(actual, attribute)
    except ImportError:
        is_there = False
    assert is_there is not is_missing


@pytest.fixture
def programs(tmp_path):
    (tmp_path / "whole.py").write_text("from mindspore import nn, ops\nops.tanh\n")
    (tmp_path / "lacking.py").write_text(
        "import numpy as np\nfrom mindspore import ops\nops.CustomOpBuilder(np.float)\n"
        "try:\n    from mindspore import nowhere\nexcept ImportError:\n    pass\n"
    )
    return tmp_path


def test_the_command_lists_names_and_sums_up(programs, capsys, monkeypatch):
    monkeypatch.chdir(programs)
    assert main(["check", "--all", "."]) == 1
    sections = capsys.readouterr().out.replace("./", "").lstrip().split("\n\n")
    tanh = standing("mindspore.ops.tanh").differences[0]
    assert [section.splitlines() for section in sections] == [
        [
            "Missing, on lines that run later, or raising only when called:",
            f"mindspore.ops.CustomOpBuilder: {standing('mindspore.ops.CustomOpBuilder').note}",
            "    lacking.py:3",
        ],
        [
            "Missing, in code that handles their absence:",
            "mindspore.nowhere: msgrad has no such name",
            "    lacking.py:5 (provided for)",
        ],
        [
            f"Supported with a difference (lines of {PAGE}):",
            "mindspore.ops.tanh",
            f"    {tanh.sentence} (differences.md:{tanh.line})",
            "    whole.py:2",
        ],
        ["Supported, though removed elsewhere:", f"numpy.float: {standing('numpy.float').note}", "    lacking.py:3"],
        ["Supported:", "mindspore.nn", "    whole.py:1", "mindspore.ops", "    lacking.py:2; whole.py:1"],
        [
            "2 files read, 2 of them with MindSpore.",
            "3 of 5 MindSpore names here (60.0%), 1 of them with a difference.",
            "1 of 2 files with every name (50.0%).",
            "1 name gone from NumPy, 1 of them here nevertheless.",
        ],
        [
            "Names that would unlock most (files that miss it; that miss nothing else):",
            "     1      1  mindspore.ops.CustomOpBuilder",
        ],
    ]


def test_the_command_lists_only_what_is_missing(programs, capsys):
    assert main(["check", "--missing-only", str(programs)]) == 1
    sections = capsys.readouterr().out.lstrip().split("\n\n")
    assert [section.splitlines()[0].partition(",")[0] for section in sections] == [
        "Missing", "2 files read", "Names that would unlock most (files that miss it; that miss nothing else):"
    ]  # fmt: skip


def test_a_difference_has_one_sentence():
    by_name = {name: entry for entry in differences() for name in entry.names}
    assert by_name["mindspore.Model"].sentence.count(". ") == 0
    row = by_name["mindspore.ops.tanh"]
    assert row.sentence == row.text


# Packages, as their files, and the line of their import that is said to stop it.
_FINE = "from mindspore import nn\n"
_BAD = "\nfrom mindspore.nn import nowhere\n"
PACKAGES = {
    "its own file": ({"__init__.py": _BAD}, "__init__.py:2"),
    "a relative import": ({"__init__.py": "from . import a\n", "a.py": _FINE + "x = nn.nowhere\n"}, "a.py:2"),
    "a module of a module": (
        {"__init__.py": "from .a.b import c\n", "a/__init__.py": "", "a/b.py": "from .c import *\n", "a/c.py": _BAD},
        "a/c.py:2",
    ),
    "from further up": (
        {"__init__.py": "import PACKAGE.a.b\n", "a/__init__.py": "", "a/b.py": "from ..c import d\n", "c.py": _BAD},
        "c.py:2",
    ),
    "a folder without __init__": ({"__init__.py": "import PACKAGE.a.b\n", "a/b.py": _BAD}, "a/b.py:2"),
    "the first in order": (
        {"__init__.py": "from . import b, a\n", "a.py": _BAD, "b.py": "class A:\n    from mindspore.nn import no\n"},
        "b.py:2",
    ),
    "a circle": ({"__init__.py": "from . import a\n", "a.py": "from . import b\n", "b.py": f"import PACKAGE.a{_BAD}"},
                 "b.py:2"),
    "a module that nothing imports": ({"__init__.py": "", "a.py": _BAD}, None),
    "a function": ({"__init__.py": "def f():\n    from . import a\n", "a.py": _BAD}, None),
    "a module that it provides for": (
        {"__init__.py": "try:\n    from . import a\nexcept ImportError:\n    pass\n", "a.py": _BAD},
        None,
    ),
    "a name that is left out": ({"__init__.py": "from mindspore.ops import CustomOpBuilder\n"}, None),
}  # fmt: skip


def _write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace("PACKAGE", folder.name))


@pytest.mark.parametrize("case", PACKAGES)
def test_the_line_that_stops_an_import_is_the_one_that_does(case, tmp_path, capsys, monkeypatch):
    files, place = PACKAGES[case]
    package = tmp_path / f"package_{list(PACKAGES).index(case)}"
    _write(package, files)
    monkeypatch.syspath_prepend(tmp_path)
    main(["check", "--json", str(package)])
    stops = json.loads(capsys.readouterr().out)["imports"][package.name]
    assert [f"{stop['path']}:{stop['line']}" for stop in stops] == ([f"{package}/{place}"] if place else [])
    assert all(stop["certain"] for stop in stops)
    error = None
    try:
        importlib.import_module(package.name)
    except (ImportError, AttributeError) as raised:
        error = raised
    frames = [frame for frame in traceback.extract_tb(error and error.__traceback__) if str(package) in frame.filename]
    assert [f"{frame.filename}:{frame.lineno}" for frame in frames[-1:]] == ([f"{package}/{place}"] if place else [])


def test_the_command_says_first_what_stops_an_import(tmp_path, capsys):
    _write(
        tmp_path / "stopped",
        {"__init__.py": "if x:\n    from . import a\nfrom . import b\n", "a.py": _BAD, "b.py": _BAD},
    )
    _write(tmp_path / "fine", {"__init__.py": _FINE})
    main(["check", "--missing-only", str(tmp_path)])
    printed = capsys.readouterr().out.replace(f"{tmp_path}/", "")
    note = standing("mindspore.nn.nowhere").note
    assert printed.splitlines()[:6] == [
        "`import fine`: no missing name stops it",
        f"`import stopped` may stop, in a branch, at stopped/a.py:2: mindspore.nn.nowhere: {note}",
        f"`import stopped` stops at stopped/b.py:2: mindspore.nn.nowhere: {note}",
        "",
        "Missing, on lines that run at import:",
        f"mindspore.nn.nowhere: {note}",
    ]


def test_the_example_of_the_documentation_is_what_is_printed(tmp_path, capsys, monkeypatch):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "tools.md").read_text()
    before, after = page.partition("\n## `msgrad launch")[0].split("`msgrad check net` prints", 1)
    text = before.rpartition("`layers.py`:\n\n")[2]
    shown = [line[4:] for line in after.splitlines() if line.startswith("    ")]
    _write(tmp_path / "net", {"__init__.py": "from . import layers\n", "layers.py": textwrap.dedent(text)})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(packages, "_is_installed", lambda name: name != "easydict")
    main(["check", "net"])
    main(["check", "--all", "net"])
    printed = capsys.readouterr().out.rpartition("\n2 files read")[0].replace(str(PAGE.parent), "...")
    moving = re.compile(r"NumPy \d[\w.]*|md:\d+")  # the line and the version
    assert [moving.sub("", line) for line in printed.splitlines() if line] == [moving.sub("", line) for line in shown]


def test_the_default_is_one_screen(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(300):
        text = f"import absent_{number % 12}\nfrom mindspore import nn\nnn.no_{number % 30}\ntry:\n    import wanted\n"
        _write(tmp_path / f"net_{number}", {"__init__.py": f"{text}except ImportError:\n    pass\n"})
    (tmp_path / "net_0" / "a.ipynb").write_text(notebook(("code", "import absent_11, json, net_1, mindspore.nn")))
    main(["check", "."])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "300 of 300 imports fail; 12 packages are not installed."
    assert len(lines) < 35 and max(map(len, lines)) <= 120
    for title, first, rest, count in [
        ("What stops an import:", "net_0: ./net_0/__init__.py:3: mindspore.nn.no_0: msgrad has no such name", 295, 5),
        ("Missing names, and in how many files:", "10  mindspore.nn.no_0: msgrad has no such name", 20, 10),
    ]:
        begin = lines.index(title)
        assert lines[begin + 1].strip().startswith(first) and lines[begin + count + 1] == f"    ... and {rest} more"
    text = " ".join(lines[lines.index("Packages that are not installed, and how many files import them:") + 1 :])
    assert text.startswith("    absent_11 26, absent_0 25, absent_1 25, absent_10 25, ") and " and 2 more " in text


VERDICTS = {
    "import mindspore.nn": "No name is missing.",
    "from mindspore import nowhere": "1 file stops at a missing name.",
    "import mindspore\ndef f():\n    mindspore.nowhere": (
        "No import fails, but 1 file uses a missing name on a line that runs later."
    ),
    "import (": "1 file cannot be read as Python.",
    "import mindspore.nn, no_package": "No name is missing; 1 package is not installed.",
    None: "There is no Python file or notebook.",
}  # fmt: skip


@pytest.mark.parametrize("text", VERDICTS)
def test_the_verdict_on_a_script(text, tmp_path, capsys):
    if text is not None:
        (tmp_path / "a.py").write_text(text)
    main(["check", str(tmp_path)])
    assert capsys.readouterr().out.splitlines()[0] == VERDICTS[text]


def test_a_file_and_an_inner_package_have_their_dotted_names(tmp_path, capsys):
    _write(tmp_path / "outer", {"__init__.py": _BAD, "inner/__init__.py": "", "inner/a.py": "x = (\n"})
    paths = [str(tmp_path / "outer" / name) for name in ("inner", "inner/a.py")]
    main(["check", "--all", *paths])
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "`import outer.inner`: no missing name stops it",
        f"`import outer.inner.a` stops at {paths[1]}: '(' was never closed (line 1)",
    ]


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setattr(disk_cache.Private, "folder", str(folder))
    return folder


def test_a_file_that_has_not_changed_is_not_parsed_again(programs, cache_folder, capsys, monkeypatch):
    main(["check", str(programs)])
    first = capsys.readouterr().out
    assert len(list(cache_folder.iterdir())) == 1
    parsed = []
    monkeypatch.setattr(sources, "read", lambda file, roots: parsed.append(file) or read(file, roots))
    main(["check", str(programs)])
    assert capsys.readouterr().out == first and not parsed
    (programs / "whole.py").write_text("import mindspore.nowhere\n")
    main(["check", str(programs)])
    assert parsed == [str(programs / "whole.py")] and "  mindspore.nowhere: " in capsys.readouterr().out


def test_a_damaged_entry_is_read_anew(programs, cache_folder, capsys):
    main(["check", str(programs)])
    first = capsys.readouterr().out
    [entry] = cache_folder.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    main(["check", str(programs)])
    assert capsys.readouterr().out == first


def test_without_a_private_folder_nothing_is_kept(programs, capsys, monkeypatch):
    monkeypatch.setattr(disk_cache.Private, "folder", None)
    written = []
    monkeypatch.setattr(disk_cache, "write", lambda *entry: written.append(entry))
    assert main(["check", str(programs)]) == 1 and not written


def test_the_command_prints_json(programs, capsys):
    assert main(["check", "--json", str(programs / "whole.py"), str(programs / "lacking.py")]) == 1
    printed = json.loads(capsys.readouterr().out)
    lacking, whole = printed["files"]
    assert [use["standing"] for use in whole["uses"]] == ["here", "here", "here with a difference"]
    assert "tanh" in whole["uses"][2]["differences"][0]["text"]
    assert [use["name"] for use in lacking["uses"] if use["guarded"]] == ["mindspore.nowhere"]
    assert printed["summary"]["names_missing"] == 2 and printed["summary"]["files_with_every_name"] == 1
    assert printed["summary"]["unlocking"][0]["name"] == "mindspore.ops.CustomOpBuilder"


def test_the_exit_status(programs, tmp_path, capsys):
    assert main(["check", str(programs / "whole.py")]) == 0
    (tmp_path / "broken.py").write_text("import mindspore as")
    assert main(["check", str(tmp_path / "broken.py")]) == 1
    assert "1 import fails; 1 file cannot be read as Python." in capsys.readouterr().out
    assert main(["check", str(tmp_path / "nothing")]) == 2


def test_modules_of_the_programs_own_are_not_the_library_s(tmp_path, capsys):
    (tmp_path / "user.py").write_text("import parser, imp\n")
    (tmp_path / "parser.py").touch()
    main(["check", "--all", str(tmp_path)])
    out = capsys.readouterr().out
    assert "\nimp: " in out and "parser: " not in out


def test_nothing_is_imported_or_run(tmp_path, capsys):
    (tmp_path / "never_imported.py").write_text("import mindspore, never_imported_either\nraise SystemExit(3)\n")
    assert main(["check", str(tmp_path)]) == 0
    assert not {"never_imported", "never_imported_either"} & set(sys.modules)
