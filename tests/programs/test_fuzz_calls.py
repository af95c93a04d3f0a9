"""Calls that the differential fuzzer drew: values, dtypes and types of exceptions are MindSpore's.

Calls whose answers differ on purpose (docs/differences.md) were left out.
"""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
import msgrad.numpy as mnp
from msgrad import Tensor, mint, nn, ops

from ..fuzz.recorded import answer, answer_of_graph, graphs
from ..helpers import assert_each

SCOPE = {"ms": ms, "mnp": mnp, "np": np, "Tensor": Tensor, "mint": mint, "nn": nn, "ops": ops}
ROWS = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "fuzz_calls.json").read_text())
GRAPHS = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "fuzz_graphs.json").read_text())
TOLERANCE = {"Float16": 2e-3, "Float32": 2e-5, "Complex64": 2e-5, "Float64": 1e-6, "Complex128": 1e-6}


def check(code, operands, expected):
    same(answer(code, operands, SCOPE), expected)


def same(actual, expected):
    """Asserts that two answers are equal, floats to the tolerance of their dtype."""
    if isinstance(expected, str) or isinstance(actual, str):
        assert actual == expected
        return
    assert [each[:2] for each in actual] == [each[:2] for each in expected]
    for (dtype, _, values), (_, _, others) in zip(actual, expected, strict=True):
        tolerance = TOLERANCE.get(dtype, 0)
        np.testing.assert_allclose(np.array(values), np.array(others), rtol=tolerance, atol=tolerance / 4)


@pytest.mark.parametrize("family", sorted({row[0] for row in ROWS}))
def test_answers(family):
    assert_each(check, {f"{row[1]} {row[2]}": row[1:] for row in ROWS if row[0] == family})


@pytest.mark.parametrize("family", sorted({row[0] for row in GRAPHS}))
def test_answers_in_graphs(family, tmp_path):
    rows = [row for row in GRAPHS if row[0] == family]
    functions = graphs(rows, SCOPE, tmp_path)

    def check_graph(function, operands, expected):
        same(answer_of_graph(function, operands, SCOPE), expected)

    named = zip(rows, functions, strict=True)
    assert_each(check_graph, {f"{row[1]} {row[2]}": (function, row[2], row[3]) for row, function in named})
