"""Seeded scripts print MindSpore's losses: initial values, random numbers and orders are the same."""

import json
import pathlib
import runpy

import numpy as np
import pytest

import msgrad.alias

msgrad.alias.install()

import mindspore  # noqa: E402  (the alias must be there first)

TESTS = pathlib.Path(__file__).parents[1]
LOSSES = json.loads((TESTS / "golden" / "seeded_losses.json").read_text())
NEEDS = {"resnet": "cv2"}  # packages of extras


@pytest.fixture(autouse=True)
def keep_workers():
    before = mindspore.dataset.config.get_num_parallel_workers()
    yield
    mindspore.dataset.config.set_num_parallel_workers(before)


@pytest.mark.parametrize("name", LOSSES)
def test_prints_mindspores_losses(name, capsys):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    runpy.run_path(str(TESTS / "seeded_scripts" / f"{name}.py"), run_name="__main__")
    printed = [float(line) for line in capsys.readouterr().out.splitlines()]
    assert len(printed) == len(LOSSES[name]) >= 20
    np.testing.assert_allclose(printed, LOSSES[name], rtol=0, atol=1e-5)
