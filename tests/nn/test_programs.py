"""Training programs as public model zoos have them print the losses that MindSpore prints, and keep its scales."""

import pathlib
import re
import runpy

import numpy as np
import pytest

import msgrad as ms
import msgrad.alias

msgrad.alias.install()

PROGRAMS = pathlib.Path(__file__).parent / "programs"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")
MODES = {  # of programs that take long to compile, one
    "bert": ["GRAPH_MODE"],
    "graphs": ["PYNATIVE_MODE", "GRAPH_MODE"],
    "vit": ["PYNATIVE_MODE"],
    "wide_and_deep": ["PYNATIVE_MODE", "GRAPH_MODE"],
    "yolo": ["GRAPH_MODE"],
}
WITHIN = {"vit": 1e-3}  # float16; MindSpore's own two modes differ by 1.4e-4


@pytest.mark.parametrize("program, mode", [(name, mode) for name, modes in MODES.items() for mode in modes])
def test_learns_as_with_mindspore(program, mode, capsys, monkeypatch):
    monkeypatch.syspath_prepend(PROGRAMS)
    ms.set_context(mode=getattr(ms, mode))
    try:
        runpy.run_path(str(PROGRAMS / f"{program}.py"))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    printed, expected = capsys.readouterr().out, (PROGRAMS / "expected" / f"{program}.txt").read_text()
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", expected)
    actual, figures = [np.array(NUMBER.findall(text), float) for text in (printed, expected)]
    assert np.allclose(actual, figures, rtol=WITHIN.get(program, 2e-5), atol=0)


def test_every_program_is_run():
    assert set(MODES) == {path.stem for path in PROGRAMS.glob("[a-z]*.py")}
