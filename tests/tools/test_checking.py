"""``msgrad check``: which names a text uses, how each stands, and what the command says of it."""

import importlib
import json
import sys

import pytest

from msgrad.__main__ import main
from msgrad.alias import install
from msgrad.tools.checking.differences import differences
from msgrad.tools.checking.lookup import look_up
from msgrad.tools.checking.python_names import GONE, gone
from msgrad.tools.checking.sources import files_under, read
from msgrad.tools.checking.standing import standing
from msgrad.tools.checking.syntax import names_used

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
    found = [(line, name) for line, name, _ in names_used(source, {"mindspore"})]
    assert found == [(line, f"mindspore.{name}" if name else "mindspore") for line, name in expected]


@pytest.mark.parametrize(
    "source, is_guarded",
    [
        ("try:\n    from mindspore import ops\nexcept ImportError:\n    ops = None", True),
        ("try:\n    from mindspore import ops\nexcept (ValueError, AttributeError):\n    ops = None", True),
        ("try:\n    from mindspore import ops\nexcept:\n    ops = None", True),
        ("if TYPE_CHECKING:\n    from mindspore import ops", True),
        ("try:\n    from mindspore import ops\nexcept ValueError:\n    ops = None", False),
        ("try:\n    pass\nexcept ImportError:\n    from mindspore import ops", False),
        ("if True:\n    from mindspore import ops", False),
    ],
)
def test_what_a_program_provides_for(source, is_guarded):
    assert [guarded for _, _, guarded in names_used(source, {"mindspore"})] == [is_guarded]


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
    found = files_under([str(tmp_path), str(tmp_path / "b.py")])
    assert found == [str(tmp_path / name) for name in ("a.ipynb", "b.py", "sub/f.py")]


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
    found = standing(name)
    assert (found.name, found.kind, found.gone_from) == (told, kind, gone_from)
    assert note in found.note and bool(note) == bool(found.note)


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
    assert item.startswith("Functions of") and item.endswith("as the documentation has it.")
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
        found = importlib.import_module(module or name)
        is_there = not module or hasattr(found, attribute)
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


def test_the_command_lists_names_and_sums_up(programs, capsys):
    assert main(["check", str(programs)]) == 1
    listed, differing, summary = capsys.readouterr().out.replace(f"{programs}/", "").split("\n\n", 2)
    line = standing("mindspore.ops.tanh").differences[0].line
    assert listed.splitlines() == [
        "lacking.py:2: mindspore.ops: here",
        f"lacking.py:3: mindspore.ops.CustomOpBuilder: not here: {standing('mindspore.ops.CustomOpBuilder').note}",
        f"lacking.py:3: numpy.float: here: {standing('numpy.float').note}",
        "lacking.py:5: mindspore.nowhere: not here, which the program provides for",
        "whole.py:1: mindspore.nn: here",
        "whole.py:1: mindspore.ops: here",
        f"whole.py:2: mindspore.ops.tanh: here with a difference (docs/differences.md, line {line})",
    ]
    assert f"{line:4}  `tanh` of float32" in differing
    assert summary.splitlines() == [
        "2 files read, 2 of them with MindSpore.",
        "3 of 5 MindSpore names here (60.0%), 1 of them with a difference.",
        "1 of 2 files with every name (50.0%).",
        "1 name gone from NumPy, 1 of them here nevertheless.",
        "",
        "Names that would unlock most (files that miss it; that miss nothing else):",
        "     1      1  mindspore.ops.CustomOpBuilder",
    ]


def test_the_command_lists_only_what_is_missing(programs, capsys):
    assert main(["check", "--missing-only", str(programs)]) == 1
    listed = capsys.readouterr().out.partition("\n\n")[0]
    assert (
        listed.startswith(f"{programs}/lacking.py:3: mindspore.ops.CustomOpBuilder: not here: ") and "\n" not in listed
    )


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
    assert "broken.py: cannot be read: invalid syntax (line 1)" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "nothing")]) == 2


def test_modules_of_the_programs_own_are_not_the_library_s(tmp_path, capsys):
    (tmp_path / "user.py").write_text("import parser, imp\n")
    (tmp_path / "parser.py").touch()
    main(["check", str(tmp_path)])
    out = capsys.readouterr().out
    assert "user.py:1: imp: " in out and "parser: " not in out


def test_nothing_is_imported_or_run(tmp_path, capsys):
    (tmp_path / "never_imported.py").write_text("import mindspore, never_imported_either\nraise SystemExit(3)\n")
    assert main(["check", str(tmp_path)]) == 0
    assert not {"never_imported", "never_imported_either"} & set(sys.modules)
