"""Programs with Model and callbacks print what MindSpore prints, in both modes."""

import pathlib
import runpy

import pytest

import msgrad.alias

msgrad.alias.install()

PROGRAMS = pathlib.Path(__file__).parent / "programs"


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("[a-z]*.py")), ids=lambda program: program.stem)
def test_prints_what_mindspore_prints(program, mode, capsys, monkeypatch):
    monkeypatch.syspath_prepend(PROGRAMS)
    runpy.run_path(str(program))
    assert capsys.readouterr().out == (PROGRAMS / "expected" / f"{program.stem}.txt").read_text()
