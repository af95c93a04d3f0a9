"""The line that tells a user that XLA has been compiling for long."""

import pytest

from msgrad.engine.execution import compile_notice
from msgrad.engine.execution.compile_notice import _Stretch


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets, beside an empty stretch."""
    times = [100.0]
    monkeypatch.setattr(compile_notice.time, "monotonic", lambda: times[0])
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
