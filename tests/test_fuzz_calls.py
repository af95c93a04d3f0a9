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

from .fuzz.recorded import answer
from .helpers import assert_each

SCOPE = {"ms": ms, "mnp": mnp, "np": np, "Tensor": Tensor, "mint": mint, "nn": nn, "ops": ops}
ROWS = json.loads((pathlib.Path(__file__).parent / "golden" / "fuzz_calls.json").read_text())
TOLERANCE = {"Float16": 2e-3, "Float32": 2e-5, "Complex64": 2e-5, "Float64": 1e-6, "Complex128": 1e-6}


def check(code, operands, expected):
    found = answer(code, operands, SCOPE)
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    assert [each[:2] for each in found] == [each[:2] for each in expected]
    for (dtype, _, values), (_, _, others) in zip(found, expected, strict=True):
        tolerance = TOLERANCE.get(dtype, 0)
        np.testing.assert_allclose(np.array(values), np.array(others), rtol=tolerance, atol=tolerance / 4)


@pytest.mark.parametrize("family", sorted({row[0] for row in ROWS}))
def test_answers(family):
    assert_each(check, {f"{row[1]} {row[2]}": row[1:] for row in ROWS if row[0] == family})
