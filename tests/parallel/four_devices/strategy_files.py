"""Strategy files beside those that MindSpore writes for the same network, and those read."""

import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad.train._files import strategies

from ..strategy_network import SETTINGS, settings, step
from .networks import specs

FOLDER = pathlib.Path(__file__).parents[2] / "golden" / "strategy_files"
OF_NO_OPERATION = {"beta1_power", "beta2_power", "global_step", "learning_rate"}  # MindSpore leaves them out


@pytest.mark.parametrize("name", SETTINGS)
def test_files_have_the_layouts_of_mindspore(name, tmp_path):
    path = tmp_path / name
    ms.set_auto_parallel_context(**settings(name, str(path)))
    cell, operand = step(ms, np)
    cell(operand)
    actual, expected = [strategies.read(str(each))[1] for each in (path, FOLDER / name)]
    assert {name: each for name, each in actual.items() if name not in OF_NO_OPERATION} == expected


@pytest.mark.parametrize("name", ["plain.ckpt", "all.json"])
def test_files_of_mindspore_are_followed(name, tmp_path):
    cell, operand = step(ms, np)
    loss = cell(operand).asnumpy()
    ms.set_auto_parallel_context(**settings(name, str(tmp_path / name)))
    followed, _ = step(ms, np)
    followed(operand)
    expected = specs(followed)
    ms.reset_auto_parallel_context()
    config = {"load_file": str(FOLDER / name)}
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True, strategy_ckpt_config=config)
    cell, _ = step(ms, np)
    np.testing.assert_allclose(cell(operand).asnumpy(), loss, rtol=1e-6)
    assert specs(cell) == expected
