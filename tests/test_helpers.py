"""The comparisons of `helpers` accept what they should and refuse the rest."""

import numpy as np
import pytest

from .helpers import assert_close, assert_each, assert_same_display

ONE = np.ones(2, np.float32)


@pytest.mark.parametrize(
    "actual, expected",
    [
        (ONE, ONE + np.float32(5e-6)),
        (np.float32([np.nan, np.inf]), np.float32([np.nan, np.inf])),
        (np.int32([1, 2]), np.int32([1, 2])),
        (np.zeros((0, 3)), np.zeros((0, 3))),
    ],
)
def test_close_is_accepted(actual, expected):
    assert_close(actual, expected)


@pytest.mark.parametrize(
    "actual, expected",
    [
        (ONE, ONE + np.float32(1e-3)),
        (ONE, ONE.astype(np.float64)),
        (ONE, np.ones((1, 2), np.float32)),
        (ONE, np.float32([1, np.nan])),
        (np.float32([np.inf]), np.float32([-np.inf])),
        (np.int32([1]), np.int32([2])),
        (np.array([True]), np.array([False])),
    ],
)
def test_not_close_is_refused(actual, expected):
    with pytest.raises(AssertionError):
        assert_close(actual, expected)


@pytest.mark.parametrize(
    "actual, expected",
    [
        ("[[4.5 2.7]\n [1.  2. ]]\n", "[[4.5 2.7] [1. 2.]]"),
        ("[10.]", "[10]"),
        ("[4.5099998 2.7]", "[4.51 2.7]"),
        ("[[4.51 2.7 3.6000001]]", "[[4.5, 2.7, 3.6]]"),
    ],
)
def test_same_display_is_accepted(actual, expected):
    assert_same_display(actual, expected)


@pytest.mark.parametrize(
    "actual, expected",
    [
        ("[4.51 2.7]", "[4.5 2.7]"),
        ("[[4.57 2.7]]", "[[4.5, 2.7]]"),
        ("(Tensor(shape=[1], value= [4.51]),)", "(Tensor(shape=[1], value= [4.5]),)"),
        ("[1. 2.]", "(1. 2.)"),
        ("[1. 2.]", "[1. 2. 3.]"),
    ],
)
def test_other_display_is_refused(actual, expected):
    with pytest.raises(AssertionError):
        assert_same_display(actual, expected)


def test_each_row_that_fails_is_listed():
    def check(value):
        assert value > 0, f"{value} is not positive"

    with pytest.raises(AssertionError, match="2 of 3 rows:\nb: AssertionError: -1 is not positive\nc: TypeError: "):
        assert_each(check, {"a": (1,), "b": (-1,), "c": ("x",)})
    with pytest.raises(AssertionError):
        assert_each(check, {})
