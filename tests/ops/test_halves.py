"""Half types: what a sum, norm or loss of float16 and bfloat16 gives is what float32 gives, rounded at the end.

Where it is not, in a few gradients that pass through a value rounded in between, it is what MindSpore gives.
"""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms

from .half_rows import DTYPES, KINDS, ROWS, evaluated

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "halves.json").read_text())
PRECISION = {"float16": 2e-3, "bfloat16": 1.6e-2}
TINY = 1.2e-7  # twice the smallest number of float16


def agree(actual, expected, precision):
    """Whether lists of ``[dtype, elements]`` are equal within ``precision``; what is too large for float16 is inf."""
    if actual is None or expected is None or len(actual) != len(expected):
        return False
    for (dtype, mine), (_, others) in zip(actual, expected, strict=True):
        mine, others = np.array(mine), np.array(others)
        if dtype == "Float16":
            with np.errstate(over="ignore"):
                others = others.astype(np.float16).astype(float)
        largest = np.abs(others[np.isfinite(others)]).max(initial=0)
        if not np.allclose(mine, others, rtol=precision, atol=precision / 2 * largest + TINY, equal_nan=True):
            return False
    return True


@pytest.mark.filterwarnings("ignore:.* needed [0-9]+ different programs")  # each row is one
@pytest.mark.parametrize("row", ROWS)
def test_half_types_are_computed_in_float32(row):
    wrong = []
    for kind in KINDS:
        exact = evaluated(ms, row, "float32", kind)
        for dtype in DTYPES:
            golden = GOLDEN[f"{row} | {dtype} | {kind}"]
            for name, mine, truth, theirs in zip(
                ("value", "gradient"), evaluated(ms, row, dtype, kind), exact, golden, strict=True
            ):
                if truth is not None and not any([agree(mine, each, PRECISION[dtype]) for each in (truth, theirs)]):
                    wrong.append((name, dtype, kind, mine, truth, theirs))
                if theirs is not None and [each[0] for each in mine] != [each[0] for each in theirs]:
                    wrong.append((name, dtype, kind, "dtypes", mine, theirs))
    assert not wrong
