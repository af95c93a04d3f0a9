"""Pipelines and transforms give what MindSpore 2.10 gives: tests/golden/make_dataset.py."""

import json
import pathlib

import pytest

import msgrad.dataset as ds

from .cases import run
from .cases.modules import MODULES

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"

# Cases that end differently on purpose (docs/differences.md).
ELSE = {
    "iterator_after_stop": "raises RuntimeError",
    "split_at_random": [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [5, 5]],
}


def _cases():
    for name, module in MODULES.items():
        golden = json.loads((GOLDEN / f"dataset_{name}.json").read_text())
        for case, function in run.cases_of(module).items():
            yield pytest.param(function, ELSE.get(case, golden[case]), id=f"{name}-{case}")


@pytest.mark.parametrize("case, expected", list(_cases()))
def test_gives_what_mindspore_gives(case, expected):
    assert run.outcome(case, ds) == expected
