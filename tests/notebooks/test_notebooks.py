"""Notebooks run in a kernel: all cells, what the tools show there, tracebacks, and completion of names."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import msgrad
from msgrad import Tensor

HERE = pathlib.Path(__file__).parent
NOTEBOOKS = sorted(path.stem for path in HERE.glob("*.py") if not path.name.startswith(("_", "test_")))
BEGIN = "%load_ext msgrad"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs cells, given as texts, in a new kernel; returns them with their outputs."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    paths = [str(pathlib.Path(msgrad.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.delenv("MSGRAD_TRACEBACK", raising=False)
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.chdir(tmp_path)

    def run(texts):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "python3", "language": "python"}
        return nbclient.NotebookClient(notebook, timeout=300, allow_errors=True).execute().cells

    return run


def test_there_are_ten():
    assert len(NOTEBOOKS) == 10


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook(name, run):
    _, *parts = re.split(r"^# %%(.*)$", (HERE / f"{name}.py").read_text(), flags=re.MULTILINE)
    titles, cells = parts[::2], parts[1::2]
    _, *ran = run([BEGIN, *cells])
    errors = [[each for each in cell.outputs if each.output_type == "error"] for cell in ran]
    assert [bool(each) for each in errors] == [title == " raises" for title in titles], errors
    if name == "model":
        table, picture, (error,) = ran[-3].outputs[0].data, ran[-2].outputs[0].data, errors[-1]
        assert table["text/html"].startswith("<table>") and "Parameters: 874" in table["text/plain"]
        assert picture["image/svg+xml"].startswith("<svg ")
        text = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(error.traceback))
        assert "In the Cell net.dense_relu.0 (Dense), called with Float32(2, 5)" in text
        files = re.findall(r"^(?:File|Cell)[^\n]*?(\w+)(?:\.py:\d+|\[\d+\])", text, re.MULTILINE)
        assert files == ["In", "In", "matmul"]


COMPLETED = {"nn.Conv2d(in_": "in_channels=", "x.mean(ax": "axis=", "x.mean(di": "dim=", "net.weig": "weight"}
COMPLETE = """
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("%load_ext msgrad")
shell.run_cell("from mindspore import Tensor, nn; x = Tensor([1.0]); net = nn.Dense(3, 4)")
for shell.Completer.use_jedi in {use_jedi}:
    for text in {texts}:
        with provisionalcompleter():
            print(*[each.text for each in shell.Completer.completions(text, len(text))])
"""


def test_names_are_completed(tmp_path):
    pytest.importorskip("IPython")
    pytest.importorskip("jedi")
    paths = [str(pathlib.Path(msgrad.__file__).parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "HOME": str(tmp_path)}
    code = COMPLETE.format(use_jedi=[True, False], texts=list(COMPLETED))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    lines = [line.split() for line in ran.stdout.split("\n")[:-1]]
    assert len(lines) == 2 * len(COMPLETED), ran.stderr
    for line, expected in zip(lines, [*COMPLETED.values()] * 2, strict=True):
        assert expected in [word.removeprefix(".") for word in line], (line, expected)


def test_what_completion_relies_on():
    assert not hasattr(msgrad, "__module__") and not hasattr(msgrad.nn, "__module__")
    assert {"axis", "dim", "keep_dims", "keepdim"} <= inspect.signature(Tensor([1.0]).mean).parameters.keys()
