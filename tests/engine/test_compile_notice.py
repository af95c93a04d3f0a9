"""The notice of a long compilation: what compiles, renewed while it lasts, and how long it took."""

import contextlib
import os
import pty
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import msgrad as ms
from msgrad import nn, ops
from msgrad.engine.execution import compile_notice, executables, stored, tiers
from msgrad.engine.execution.compile_notice import Notice


@pytest.fixture(autouse=True)
def is_shown(monkeypatch):
    monkeypatch.delenv("MSGRAD_QUIET", raising=False)


class Compiler:
    """A pretended compiler whose seconds pass on a clock of its own, each look of the watcher at its time."""

    def __init__(self):
        self.now = 100.0
        self.notice = Notice(lambda: self.now, is_watched=False)

    def passes(self, seconds):
        end = self.now + seconds
        while (wait := self.notice.look()) is not None and self.now + wait <= end:
            self.now += wait
        self.now = end

    def compile(self, seconds, name="Net", operations=34, doing=compile_notice.COMPILING):
        with self.notice.compiling(name, operations, doing):
            self.passes(seconds)

    def loaded(self, seconds, pause, count):
        """Compilations that are known when they have ended."""
        for _ in range(count):
            self.now += seconds + pause
            self.notice.compiled(seconds)


@pytest.fixture
def compiler():
    return Compiler()


def test_a_line_within_5_s_then_every_10_s_and_how_long_it_took(compiler, capsys):
    with compiler.notice.compiling("Net", 34):
        compiler.passes(3.9)
        assert capsys.readouterr().err == ""
        compiler.passes(1.0)
        (first,) = capsys.readouterr().err.splitlines()
        assert (
            first.startswith("msgrad: compiling for 4 s, now Net at ") and " (34 operations) (kept on disk; " in first
        )
        assert "test_compile_notice.py:" in first and "--explain" in first and "MSGRAD_QUIET=1" in first
        compiler.passes(20.0)
        seconds = [line.split(", now Net at ")[0] for line in capsys.readouterr().err.splitlines()]
        assert seconds == ["msgrad: compiling for 14 s", "msgrad: compiling for 24 s"]
    (last,) = capsys.readouterr().err.splitlines()
    assert last.startswith("msgrad: compiling took 25 s: Net at ") and last.endswith(" (34 operations)")
    compiler.passes(20.0)
    assert capsys.readouterr().err == ""


def test_a_line_of_a_short_one_is_not_shown(compiler, capsys):
    compiler.compile(3.9)
    compiler.passes(2.0)  # a pause
    compiler.compile(3.9)
    assert capsys.readouterr().err == ""


def test_many_short_ones_are_one_stretch(compiler, capsys):
    for _ in range(6):
        compiler.compile(0.85, "ReLU", 0)
        compiler.passes(0.1)
    now, took = capsys.readouterr().err.splitlines()
    assert now.startswith("msgrad: compiling for 4 s, now ReLU at ")
    assert took.startswith("msgrad: compiling took 1 s: ReLU at ") and took.endswith("; 5 programs in a row took 4 s")


def test_what_is_known_only_when_it_has_ended(compiler, capsys):
    compiler.loaded(0.5, 0.2, 7)
    compiler.loaded(2.0, 1.5, 5)  # a pause ends a stretch
    assert capsys.readouterr().err == ""
    compiler.loaded(6.0, 0.2, 1)
    assert capsys.readouterr().err.startswith("msgrad: compiling took 6 s: a program at ")


def test_the_launch_after_it_is_not_compiling(compiler, capsys):
    with compiler.notice.compiling("Net", 34):
        compiler.passes(3.0)
        compiler.notice.compiled(2.5)  # as JAX says
        compiler.passes(60.0)
    assert capsys.readouterr().err == ""


def test_tracing_and_launches_by_numpy_are_named_and_count_together(compiler, capsys):
    compiler.compile(3.0, doing=compile_notice.TRACING)
    with compiler.notice.compiling("Net", 34, compile_notice.BY_NUMPY):
        compiler.notice.compiled(0.1)  # an operation that is compiled meanwhile does not end it
        compiler.passes(12.0)
    compiler.compile(11.0)
    first, later, took, now, compiled = capsys.readouterr().err.splitlines()
    assert first.startswith("msgrad: running by NumPy for 1 s, now Net at ") and first.endswith("=1 silences this)")
    assert later.startswith("msgrad: running by NumPy for 11 s, now Net at ") and later.endswith(" (34 operations)")
    assert took.startswith("msgrad: running by NumPy took 12 s: Net at ")
    assert now.startswith("msgrad: compiling for 10 s, now Net at ") and "(kept on disk; " in now
    assert compiled.startswith("msgrad: compiling took 11 s: Net at ")


def test_threads_have_lines_of_their_own(compiler, capsys):
    begun, goes_on = threading.Event(), threading.Event()

    def other():
        with compiler.notice.compiling("Other", 5):
            begun.set()
            goes_on.wait(10)

    with compiler.notice.compiling("Net", 34):
        compiler.passes(3.0)
        thread = threading.Thread(target=other)
        thread.start()
        assert begun.wait(10)
        compiler.passes(5.0)
        first, second = capsys.readouterr().err.splitlines()
        assert "for 4 s, now Net at " in first and "for 4 s, now Other at " in second
        goes_on.set()
        thread.join(10)
        assert "took 5 s: Other at " in capsys.readouterr().err
        compiler.passes(10.0)
        assert "for 14 s, now Net at " in capsys.readouterr().err
    assert "took 18 s: Net at " in capsys.readouterr().err


@pytest.mark.parametrize("end", ["quiet", "close", "leave"])
def test_silence(compiler, capsys, monkeypatch, end):
    """By the variable, at the end of the process, and in a forked child."""
    if end == "quiet":
        monkeypatch.setenv("MSGRAD_QUIET", "1")
    else:
        getattr(compiler.notice, end)()
    compiler.compile(60.0)
    compiler.loaded(6.0, 0.0, 2)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("end", ["close", "leave"])
def test_silence_of_a_compilation_under_way(compiler, capsys, end):
    with compiler.notice.compiling("Net", 34):
        compiler.passes(5.0)
        capsys.readouterr()
        getattr(compiler.notice, end)()
    assert capsys.readouterr().err == ""


def test_an_error_passes_and_ends_it(compiler, capsys):
    with pytest.raises(ValueError), compiler.notice.compiling("Net", 34):
        raise ValueError
    assert compiler.notice.look() is None


def _until(holds):
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.005)
    return holds()


def test_one_thread_serves_all_and_sleeps_where_nothing_compiles(monkeypatch, capsys):
    monkeypatch.setattr(compile_notice, "_FIRST", 0.02)
    monkeypatch.setattr(compile_notice, "_PAUSE", -1.0)
    notice, looks, shown, watchers = Notice(), [], [], set()
    look = notice.look
    monkeypatch.setattr(notice, "look", lambda: looks.append(look()) or looks[-1])
    for name in ("First", "Second"):
        with notice.compiling(name, 34):
            assert _until(lambda: shown.append(capsys.readouterr().err) or f"now {name} at " in "".join(shown))  # noqa: B023
            watchers.add(notice._watcher)
    with notice._changed:
        notice._changed.notify()  # as the time of its next look would
    assert _until(lambda: looks[-1] is None)
    count = len(looks)
    time.sleep(0.1)
    (watcher,) = watchers
    assert len(looks) == count and watcher.daemon and watcher.is_alive()
    notice.close()
    assert not watcher.is_alive()


def test_a_terminal_is_rewritten_in_place(compiler, monkeypatch):
    master, slave = pty.openpty()
    with open(slave, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        with compiler.notice.compiling("Net", 34):
            compiler.passes(5.5)
        print("loss 0.5", file=stream, flush=True)
        shown = ""
        while not shown.endswith("loss 0.5\r\n"):
            shown += os.read(master, 4096).decode()
    os.close(master)
    four, five, took, rest = shown.removeprefix("\r\033[K").replace("\r\033[K", "\n").split("\n", 3)
    assert four.startswith("msgrad: compiling for 4 s, now Net at ") and len(four) < 80
    assert five.startswith("msgrad: compiling for 5 s, now Net at ")
    assert took.startswith("msgrad: compiling took 6 s: Net at ") and rest == "loss 0.5\r\n"


def test_a_notebook_shows_one_bar(compiler, monkeypatch, capsys):
    displayed = []

    class Handle:
        def update(self, bar):
            displayed.append((repr(bar), bar._repr_html_()))

    def display(bar, display_id):
        assert display_id
        Handle().update(bar)
        return Handle()

    monkeypatch.setitem(
        sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1))
    )
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=display))
    compiler.compile(5.5)
    (four, four_html), (five, _), (took, took_html) = displayed
    assert four.startswith("msgrad: compiling for 4 s, now Net at ") and "kept on disk" not in four
    assert four_html.startswith("<div><progress></progress> <code>msgrad: compiling for 4 s")
    assert five.startswith("msgrad: compiling for 5 s") and took.startswith("msgrad: compiling took 6 s: Net at ")
    assert "<progress" not in took_html and capsys.readouterr().err == ""
    compiler.notice._line.show("half", 0.5)  # another line
    assert displayed[-1] == ("half", '<div><progress value="0.500"></progress> <code>half</code></div>')


_PROGRAM = """
import os, threading, time
from msgrad.engine.execution import compile_notice
compile_notice._FIRST = 0.02

def compile():
    with compile_notice.compiling("Net", 34):
        started.set()
        time.sleep(60)

started = threading.Event()
threading.Thread(target=compile, daemon=True).start()
started.wait()
pid = os.fork()
if pid == 0:
    with compile_notice.compiling("Child", 34):
        time.sleep(0.1)
    os._exit(0)
os.waitpid(pid, 0)
"""


def test_a_forked_child_prints_nothing_and_the_thread_does_not_keep_the_process():
    result = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=50)
    lines = [line for line in result.stderr.splitlines() if line.startswith("msgrad: ")]
    assert result.returncode == 0 and len(lines) == 1 and "now Net" in lines[0]


class SlowNet(nn.Cell):
    def construct(self, x):
        return (x * 3.25 + x).sum()


def test_what_is_traced_and_run_by_numpy_is_named(monkeypatch):
    told = []
    monkeypatch.setattr(compile_notice, "compiling", lambda *row: told.append(row) or contextlib.nullcontext())
    monkeypatch.setattr(executables, "_LONG", 0.0)
    monkeypatch.setattr(executables, "_MANY", 3)
    monkeypatch.setattr(tiers, "are_on", lambda: True)
    monkeypatch.setattr(stored, "is_on", lambda: False)
    float(SlowNet()(ms.Tensor(np.ones(41, np.float32))))
    assert told == [("SlowNet", 3, "tracing"), ("SlowNet", 3, "running by NumPy")]


def test_cells_gradients_and_operations_are_named(monkeypatch):
    """From what is launched to what the notice tells of."""
    told = []
    monkeypatch.setattr(compile_notice._notice, "_is_closed", False)
    monkeypatch.setattr(compile_notice, "_described", lambda *row: told.append(row) or "")
    monkeypatch.setattr(tiers, "are_on", lambda: False)
    monkeypatch.setattr(stored, "is_on", lambda: False)
    net, x = SlowNet(), ms.Tensor(np.ones(37, np.float32))
    float(net(x))
    ms.grad(net)(x).asnumpy()
    ops.sinc(x).asnumpy()
    assert told == [("SlowNet", 3), ("SlowNet", 3), ("Sinc", 1)]
