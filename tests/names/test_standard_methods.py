"""``mindspore._extends.parse.standard_method``: its functions give what MindSpore's give."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad._compat.compiler import standard_methods as M  # noqa: N812
from msgrad.alias import LEGACY

from ..golden.make_standard_methods import call
from ..helpers import assert_each

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "standard_methods.json").read_text())
MODULE = LEGACY["mindspore._extends.parse.standard_method"]


NAMES = sorted({*M._METHODS, *M._OF_TENSORS, *M._OF_SPARSE, *M._OF_PYTHON} | set(GOLDEN) & set(vars(M)))


def test_functions_give_what_mindspore_s_give():
    compared = [name for name in NAMES if name in GOLDEN]
    assert len(compared) > 300
    assert_each(check_function, {name: (name,) for name in compared})


def check_function(name):
    index, expected = GOLDEN[name]
    assert_same(call(getattr(MODULE, name), name, index, ms), expected)


def test_what_mindspore_does_not_compute_on_a_cpu_is_the_method_of_that_name():
    others = [name for name in NAMES if name not in GOLDEN and name in M._METHODS]
    assert others and [name for name in others if getattr(MODULE, name) is not getattr(Tensor, name)] == []


def assert_same(actual, expected):
    if isinstance(expected, list):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            assert_same(one, other)
    elif isinstance(expected, float):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
    else:
        assert actual == expected


def test_what_is_no_method_is_missing():
    with pytest.raises(AttributeError, match="list_append"):
        _ = MODULE.list_append
