"""The scripts of ``compat_examples/`` print what MindSpore prints, to the letter, in both modes."""

import pathlib
import runpy

import pytest

import msgrad.alias

msgrad.alias.install()

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "compat_examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NEEDS = {"lenet_mnist": "cv2", "fine_tuning": "flatbuffers"}  # packages of extras


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_prints_what_mindspore_prints(script, mode, capsys):
    if script.stem in NEEDS:
        pytest.importorskip(NEEDS[script.stem])
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out == (EXAMPLES / "expected" / f"{script.stem}.txt").read_text()


def test_every_script_has_expected_output():
    assert SCRIPTS
    assert {path.stem for path in (EXAMPLES / "expected").glob("*.txt")} == {path.stem for path in SCRIPTS}
