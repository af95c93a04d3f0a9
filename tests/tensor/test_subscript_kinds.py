"""Subscripts of each kind, right and wrong: values and exceptions in ``tests/golden/subscript_kinds.json``."""

import json

import pytest

import msgrad as ms
from tests.golden import make_subscript_kinds as golden

ROWS = {row: made for row, *made in json.loads(golden.FILE.read_text())}
# MindSpore takes a mask in a tuple that is shorter than its axis, and floats for ints; in a graph a mask takes values
# row by row; nested lists of strings have exceptions of their own.
DIFFERENT = {"x[1.0]=1", "x[x>2]=Tensor([1,2,3])", "x[0]=[1j,2]"}
INNER = ("[True,False])", "[1.5]", "[0,1.5]", '["a"]')


def _is_different(row):
    in_tuple = row.replace(" ", "").partition("=")[0].count(",") > row.count("[True,False]") + row.count("[0,1.5]")
    return row in DIFFERENT or (in_tuple and any(inner in row for inner in INNER))


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    rows = list(ROWS)
    return dict(zip(rows, golden.functions(rows, "msgrad", tmp_path_factory.mktemp("kinds")), strict=True))


@pytest.mark.parametrize("row", [row for row in ROWS if not _is_different(row)])
def test_a_subscript(row, functions):
    assert golden.figures(ms, functions[row]) == ROWS[row]
