"""The notice of a long compilation: one line; on a terminal it counts the seconds."""

import os
import pty
import sys
import time
import types

import pytest

from msgrad.engine.execution import compile_notice
from msgrad.engine.execution.compile_notice import _Stretch


def _clock(monotonic):
    """The module ``time`` with another clock, for `compile_notice` alone: other threads need the real one."""
    return types.SimpleNamespace(monotonic=monotonic, sleep=time.sleep)


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets, beside an empty stretch."""
    times = [100.0]
    monkeypatch.setattr(compile_notice, "time", _clock(lambda: times[0]))
    monkeypatch.delenv("MSGRAD_QUIET", raising=False)
    for name in ("seconds", "end"):
        monkeypatch.setattr(_Stretch, name, 0.0)
    monkeypatch.setattr(_Stretch, "is_told", False)
    return times


def compilations(clock, seconds, pause, count):
    for _ in range(count):
        clock[0] += seconds + pause
        compile_notice.compiled(seconds)


def test_one_line_once_with_the_user_s_line(clock, capsys):
    compilations(clock, 0.5, 0.2, 10)
    assert capsys.readouterr().err == ""
    compilations(clock, 0.5, 0.2, 20)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("msgrad: XLA has been compiling for 6 s, now for ")
    assert "test_compile_notice.py:" in line and "--explain" in line


def test_pauses_end_a_stretch(clock, capsys):
    compilations(clock, 2.0, 1.5, 10)
    assert capsys.readouterr().err == ""


def test_quiet(clock, capsys, monkeypatch):
    monkeypatch.setenv("MSGRAD_QUIET", "1")
    compilations(clock, 0.5, 0.2, 30)
    assert capsys.readouterr().err == ""


@pytest.fixture
def terminal(monkeypatch):
    """A terminal, where any compilation counts as long: what is written to, and what reads from it until a text."""
    monkeypatch.delenv("MSGRAD_QUIET", raising=False)
    for name in ("seconds", "end"):
        monkeypatch.setattr(_Stretch, name, 0.0)  # what earlier tests have compiled does not count
    monkeypatch.setattr(compile_notice, "_LONG", -1.0)
    monkeypatch.setattr(compile_notice, "_INTERVAL", 0.05)
    monkeypatch.setattr(compile_notice, "time", _clock(lambda: 100.0))  # no second passes on a slow machine
    master, slave = pty.openpty()

    def read(end):
        shown = ""
        while not shown.endswith(end):
            shown += os.read(master, 1).decode()
        return shown

    with open(slave, "w") as stream:
        yield stream, read
    os.close(master)


def test_seconds_on_a_terminal_are_erased_before_the_program_goes_on(terminal, monkeypatch):
    stream, read = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    for _ in range(2):
        with compile_notice.compiling():
            assert "\r\033[Kmsgrad: compiling for 0 s, now for " in read("test_compile_notice.py:")
            compile_notice.compiled(0.1)
            print("loss 0.5", file=sys.stderr)
        print("end", file=sys.stderr)
        assert read("end\r\n").endswith("\r\033[Kloss 0.5\r\nend\r\n")


def test_a_terminal_is_quiet_too(terminal, monkeypatch):
    stream, read = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("MSGRAD_QUIET", "1")
    with compile_notice.compiling():
        compile_notice.compiled(9.0)
    print("end", file=sys.stderr)
    assert read("end\r\n") == "end\r\n"
