"""What a type checker says of user code: nothing where it runs, one error where it raises (needs pyright)."""

import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest

import msgrad
from msgrad import alias

from ..layer_cases import CASES as LAYERS
from ..nn.optim_cases import CASES as OPTIMIZERS
from ..op_cases import CASES as OPERATIONS
from .probes import PREAMBLE, RIGHT, WRONG

IMPORTS = """
import msgrad as ms
import msgrad.numpy as mnp
import numpy as np
from msgrad import Parameter, Tensor, mint, nn, ops
from msgrad.experimental import optim
def rows(x: Tensor, y: Tensor, z: Tensor, u: Tensor, v: Tensor, w: Tensor, p: list[Parameter]):
"""
# Rows that are right, though their operations document less than they accept; or whose results a checker cannot count.
NARROWER = {
    "ops.Morph(lambda x: x * x, None, None)(x)",
    "x.col2im(Tensor([4, 4], ms.int32), [2, 2], [1, 1], [0, 0], [1, 1])",
    "mnp.add([1, 2, 3], x)",
    "ops.AdaptiveMaxPool3D()(x, Tensor([2, 2, 2], ms.int32))[0]",
    "mnp.matmul(*ms.scipy.linalg.lu(x, True))",
    "ops.PadV3()(x, (1, 2), 0.0)",
    "ops.PadV3()(x, (1, 2, 0, 1), 0.5)",
    "ops.PadV3(paddings_contiguous=False)(x, (0, 0, 1, 0, 1, 2), 0.5)",
}

ROOT = pathlib.Path(msgrad.__file__).parents[1]


def programs(root):
    """The probes as one file, and the line of each that a checker may complain of."""
    lines, expected = PREAMBLE.format(root=root).splitlines(), {}
    for number, (name, code) in enumerate([*RIGHT.items(), *WRONG.items()]):
        lines.append(f"def probe_{number}():")
        lines += [f"    {line}" for line in code.splitlines()]
        if name in WRONG:
            expected[len(lines)] = name
    return "\n".join(lines) + "\n", expected


@pytest.fixture(scope="module")
def scope():
    alias.install()
    scope = {}
    exec(PREAMBLE.format(root="mindspore"), scope)
    return scope


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_runs(name, scope):
    exec(RIGHT[name], dict(scope))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_raises(name, scope):
    with pytest.raises(Exception):  # noqa: B017  of several types
        exec(WRONG[name], dict(scope))


def errors_in(folder):
    """What pyright says of the programs in a folder: ``(file, line)`` and message of each error."""
    settings = {
        "include": ["."],
        "extraPaths": [str(ROOT), str(ROOT / "msgrad" / "_typing")],
        "reportMissingModuleSource": False,
        "reportUnusedExpression": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "-p", str(folder), "--pythonpath", sys.executable, "--outputjson"]
    ran = subprocess.run(command, capture_output=True, text=True)
    return {
        (pathlib.Path(each["file"]).name, each["range"]["start"]["line"] + 1): each["message"]
        for each in json.loads(ran.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    }


needs_pyright = pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="needs pyright")


@needs_pyright
def test_a_checker_finds_nothing_in_the_rows_of_operations_layers_and_optimizers(tmp_path):
    rows = [expression for case in OPERATIONS for expression in (case.expression, *case.faces)]
    rows += [case.constructor for case in LAYERS] + [case.text for case in OPTIMIZERS]
    rows = [row for row in rows if "\n" not in row]
    lines = [*IMPORTS.splitlines(), *[f"    {row}" for row in rows]]
    (tmp_path / "rows.py").write_text("\n".join(lines) + "\n")
    found = {lines[line - 1].strip(): message for (_, line), message in errors_in(tmp_path).items()}
    assert {row: found[row] for row in found.keys() - NARROWER} == {}


@needs_pyright
def test_a_checker_finds_what_is_wrong_and_nothing_else(tmp_path):
    expected = {}
    for root in ("mindspore", "msgrad"):
        text, wrong = programs(root)
        if root == "msgrad":  # legacy paths are MindSpore's
            text = text.replace("from msgrad.ops import operations as P", "P = ops").replace(".common.", ".")
        (tmp_path / f"{root}_user.py").write_text(text)
        expected |= {(f"{root}_user.py", line): name for line, name in wrong.items()}
    found = errors_in(tmp_path)
    false = [f"{file}:{line}: {found[file, line]}" for file, line in sorted(found.keys() - expected.keys())]
    missed = [f"{file}:{line}: {expected[file, line]}" for file, line in sorted(expected.keys() - found.keys())]
    assert not false, "\n".join(false)
    assert not missed, "\n".join(missed)
