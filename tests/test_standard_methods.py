"""``mindspore._extends.parse.standard_method``: its functions give what MindSpore's give."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad._compat.compiler.standard_methods import _METHODS
from msgrad.alias import LEGACY

from .golden.make_standard_methods import arguments, as_data
from .helpers import assert_each

GOLDEN = json.loads((pathlib.Path(__file__).parent / "golden" / "standard_methods.json").read_text())
MODULE = LEGACY["mindspore._extends.parse.standard_method"]


def test_functions_give_what_mindspore_s_give():
    assert_each(check_function, {name: (name,) for name in sorted(_METHODS)})


def check_function(name):
    index, expected = GOLDEN[name]
    assert_same(as_data(getattr(MODULE, name)(*arguments(ms)[index])), expected)


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
    with pytest.raises(AttributeError, match="hypermap_dynamic_list"):
        _ = MODULE.hypermap_dynamic_list
