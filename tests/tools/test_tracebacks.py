"""Shortened tracebacks: each way to show an exception, each kind of exception; what is shown of whose frames."""

import io
import logging
import os
import pathlib
import re
import subprocess
import sys
import threading
import traceback
import unittest

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._common import tracebacks
from msgrad.dataset import GeneratorDataset, NumpySlicesDataset

x = Tensor(np.ones((2, 3), np.float32))


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.delenv("MSGRAD_TRACEBACK", raising=False)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Dense(3, 4), nn.Dense(5, 2)

    def construct(self, x):
        return self.fc2(self.fc1(x))


net = Net()


def cell():
    net(x)


def gradient():
    def loss(x):
        return net(x).sum()

    ms.grad(loss)(x)


def staged():
    ms.jit(lambda x: net(x))(x)


def trained():
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    ms.Model(net, nn.MSELoss(), optimizer).train(1, NumpySlicesDataset((np.ones((2, 3), np.float32),) * 2).batch(2))


def operation():
    ops.matmul(x, x)


def operator():
    return x @ x


def method():
    x.reshape(7)


def constructor():
    nn.Dense(-1, 2)


def argument():
    nn.Dense()


def file():
    ms.load_checkpoint("nowhere.ckpt")


def pipeline():
    def rows():
        yield (1,)
        raise KeyError("row")

    [*GeneratorDataset(rows, ["a"], shuffle=False)]


def rethrown():
    try:
        cell()
    except ValueError:
        raise


def cause():
    try:
        operation()
    except RuntimeError as error:
        raise KeyError("own") from error


def context():
    try:
        operation()
    except RuntimeError:
        return {}["own"]


def group():
    errors = []
    for fails in (operation, method):
        try:
            fails()
        except Exception as error:
            errors.append(error)
    raise ExceptionGroup("both", errors)


def callback():
    def fails(x):
        return 1 // 0

    ms.vmap(fails)(x)


KINDS = {  # the user's frames, below that of the test, of each traceback; and whether msgrad's innermost ends it
    cell: [("cell construct", 1)],
    gradient: [("gradient loss construct", 1)],
    staged: [("staged <lambda> construct", 1)],
    trained: [("trained construct", 1)],
    operation: [("operation", 1)],
    operator: [("operator", 1)],
    method: [("method", 1)],
    constructor: [("constructor", 1)],
    argument: [("argument", 0)],
    file: [("file", 1)],
    pipeline: [("rows", 0), ("pipeline", 1), ("rows", 0)],  # the last is in the message, as MindSpore's
    rethrown: [("rethrown cell construct", 1)],
    cause: [("cause operation", 1), ("cause", 0)],
    context: [("context operation", 1), ("context", 0)],
    group: [("group", 0), ("group operation", 1), ("group method", 1)],
    callback: [("callback fails", 0)],
}


def _logged():
    stream = io.StringIO()
    logging.Logger("a", 0).addHandler(handler := logging.StreamHandler(stream))
    handler.handle(logging.LogRecord("a", 40, "", 1, "failed", (), sys.exc_info()))
    return stream.getvalue()


def _hooked(capsys):
    sys.excepthook(*sys.exc_info())
    return capsys.readouterr().err


def _threads_hook(capsys):
    tracebacks._thread_hook(threading.__excepthook__)(threading.ExceptHookArgs((*sys.exc_info(), None)))
    return capsys.readouterr().err


def _by_name():
    names = dict(zip(("exc_type", "exc_value", "exc_traceback"), sys.exc_info(), strict=True))
    return "".join(traceback.TracebackException(**names, limit=99).format())


def _test_result():
    result = unittest.TestResult()
    result.addError(unittest.FunctionTestCase(len), sys.exc_info())
    return result.errors[0][1]


WAYS = {
    "traceback.format_exc": lambda _: traceback.format_exc(),
    "traceback.TracebackException": lambda _: _by_name(),
    "logging": lambda _: _logged(),
    "unittest": lambda _: _test_result(),
    "sys.excepthook": _hooked,
    "threading.excepthook": _threads_hook,
}
_FRAME = re.compile(r'File "([^"]+)", line \d+, in (\S+)')


def _shown(text):
    """The user's functions in each traceback of ``text``, and how many frames of others there are."""
    for part in re.split(r"Traceback \(most recent call last\)", text)[1:]:
        frames = _FRAME.findall(part)
        users = [name for path, name in frames if path == __file__ and not name.startswith("test_")]
        yield " ".join(users), sum(path != __file__ for path, _ in frames)


@pytest.mark.parametrize("way", WAYS)
def test_the_users_frames_and_the_innermost_of_ours_are_shown(way, capsys):
    shown, show = {}, WAYS[way]
    for kind in KINDS:
        try:
            kind()
        except Exception:
            shown[kind] = [*_shown(show(capsys))]
    assert shown == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_no_remark_of_jax_follows_the_message(kind):
    with pytest.raises(Exception) as raised:
        kind()
    assert "JAX has removed" not in "".join(traceback.format_exception(raised.value))


def test_without_an_exception():
    assert traceback.format_exc() == "NoneType: None\n"


def test_the_layer_is_named_and_the_exception_keeps_its_frames(monkeypatch):
    for kind in (cell, trained):
        with pytest.raises(ValueError) as raised:
            kind()
        lines = traceback.format_exception(raised.value)
        assert lines[-1] == "In the Cell net.fc2 (Dense), called with Float32(2, 4).\n"
        assert len([*traceback.walk_tb(raised.value.__traceback__)]) > len(lines)
    monkeypatch.setenv("MSGRAD_TRACEBACK", "full")
    assert len(traceback.format_exception(raised.value)) > 2 * len(lines)


PROGRAM = """
import threading
import {mindspore}
from mindspore import Tensor, nn, ops

def test_net():
    ops.matmul(Tensor([[1.0]]), Tensor([[1.0, 2.0]] * 2))

if __name__ == "__main__":
    thread = threading.Thread(target=test_net)
    thread.start()
    thread.join()
    test_net()
"""
SHELL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
shell.run_cell("import msgrad.alias; msgrad.alias.install()")
shell.run_cell("import runpy; test_net = runpy.run_path('test_program.py')['test_net']; test_net()")
"""
_BOTH = ["threading", "threading", "test_program", "matmul", "test_program", "test_program", "matmul"]
RUNS = {  # what is run, and which frames it shows, by the ends of files' names
    "script": (["test_program.py"], _BOTH),
    "msgrad run": (["-m", "msgrad", "run", "test_program.py"], _BOTH),
    "pytest": (["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "test_program.py"], ["test_program"]),
    "IPython": (["-c", SHELL], ["test_program", "matmul"]),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_program(run, tmp_path):
    if run == "IPython":
        pytest.importorskip("IPython")
    imported = "mindspore" if run == "msgrad run" else "msgrad.alias; msgrad.alias.install()"
    (tmp_path / "test_program.py").write_text(PROGRAM.format(mindspore=imported))
    paths = [str(pathlib.Path(ms.__file__).parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "HOME": str(tmp_path)}
    arguments = [sys.executable, *RUNS[run][0]]
    ran = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path, env=environment)
    text = ran.stdout + ran.stderr
    assert re.findall(r'(\w+)\.py(?:", line |:)\d', text) == RUNS[run][1]
