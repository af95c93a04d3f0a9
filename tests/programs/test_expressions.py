"""Values, dtypes and errors of expressions are MindSpore's, except those of `different`."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms

from ..expressions import CASES, namespace, outcome
from ..expressions.different import DIFFERENT
from ..helpers import assert_close, assert_each

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "expressions.json").read_text())


def _decoded(value):
    parse = {"b": "True".__eq__, "i": int, "u": int, "f": float, "c": complex}[np.dtype(value["dtype"]).kind]
    return np.array([parse(each) for each in value["data"]]).astype(value["dtype"]).reshape(value["shape"])


def assert_same(actual, expected):
    """Asserts that two encoded values are equal, floats to the usual tolerance."""
    if isinstance(expected, list):
        assert isinstance(actual, list) and len(actual) == len(expected), f"{actual}, expected {expected}"
        for got, want in zip(actual, expected, strict=True):
            assert_same(got, want)
    elif isinstance(expected, dict):
        assert isinstance(actual, dict), f"{actual}, expected {expected}"
        assert_close(_decoded(actual), _decoded(expected))
    else:
        assert actual == expected


@pytest.mark.parametrize("table", CASES)
def test_expressions_are_mindspores(table):
    assert_each(check, {each: (each, GOLDEN[table][each]) for each in CASES[table] if each not in DIFFERENT})


def check(expression, expected):
    actual = outcome(expression, namespace(ms))
    assert actual.keys() == expected.keys(), f"{actual}, expected {expected}"
    if "raises" in expected:
        assert actual["raises"] == expected["raises"]
    else:
        assert_same(actual["value"], expected["value"])


@pytest.mark.parametrize("expression", DIFFERENT)
def test_expression_is_right_where_mindspore_is_not(expression):
    expected = DIFFERENT[expression]
    if isinstance(expected, str):
        assert outcome(expression, namespace(ms)) == {"raises": expected}
        return
    actual = eval(expression, namespace(ms))
    if isinstance(actual, tuple) and isinstance(expected, list):
        assert [each.asnumpy().tolist() for each in actual] == expected
    else:
        assert (actual if expected is None or isinstance(expected, tuple) else actual.asnumpy().tolist()) == expected
