"""Distinct elements by sorting integers with their index, against NumPy's."""

import numpy as np
import pytest

from msgrad.ops._shared.distinct import distinct

RNG = np.random.default_rng(3)
WORDS = {
    "int8": RNG.integers(-128, 128, 300, np.int8),
    "int32": RNG.integers(-(2**31), 2**31, (20, 30), np.int32).repeat(2, 1),
    "uint8": RNG.integers(0, 5, 300, np.uint8),
    "uint64": RNG.integers(2**64 - 50, 2**64 - 1, 300, np.uint64),
    "int64": RNG.integers(-(2**63), 2**63 - 1, 300).repeat(2),
    "close": RNG.integers(2**40, 2**40 + 50, 300),
    "least": np.array([2**63 - 1, -(2**63), -(2**63)]),
    "one": np.array([7]),
    "none": np.array([], np.int32),
    "scalar": np.array(7),
    "floats": np.array([0.0, -0.0, np.nan, 1.0, np.nan, 1.0]),
    "bools": np.array([True, False, True]),
}


@pytest.mark.parametrize("values", WORDS.values(), ids=WORDS)
def test_the_same_as_by_numpy(values):
    expected = np.unique(values.reshape(-1), return_index=True, return_inverse=True)
    for ours, theirs in zip(distinct(values), expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs.reshape(-1))
