"""What a type checker says of user code: nothing where it runs, one error where it raises (needs pyright)."""

import json
import pathlib
import shutil
import subprocess

import pytest

import msgrad
from msgrad import alias

from .probes import PREAMBLE, RIGHT, WRONG

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


@pytest.mark.skipif(shutil.which("pyright") is None, reason="needs pyright")
def test_a_checker_finds_what_is_wrong_and_nothing_else(tmp_path):
    expected = {}
    for root in ("mindspore", "msgrad"):
        text, wrong = programs(root)
        if root == "msgrad":  # legacy paths are MindSpore's
            text = text.replace("from msgrad.ops import operations as P", "P = ops").replace(".common.", ".")
        (tmp_path / f"{root}_user.py").write_text(text)
        expected |= {(f"{root}_user.py", line): name for line, name in wrong.items()}
    settings = {"include": ["."], "extraPaths": [str(ROOT)], "reportMissingModuleSource": False,
                "reportUnusedExpression": False}  # fmt: skip
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    ran = subprocess.run(["pyright", "-p", str(tmp_path), "--outputjson"], capture_output=True, text=True)
    found = {
        (pathlib.Path(each["file"]).name, each["range"]["start"]["line"] + 1): each["message"]
        for each in json.loads(ran.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    }
    false = [f"{file}:{line}: {found[file, line]}" for file, line in sorted(found.keys() - expected.keys())]
    missed = [f"{file}:{line}: {expected[file, line]}" for file, line in sorted(expected.keys() - found.keys())]
    assert not false, "\n".join(false)
    assert not missed, "\n".join(missed)
