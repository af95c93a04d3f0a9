"""The text of Tensors against what MindSpore prints: ``tests/golden/printing.json``, made by ``make_printing.py``."""

import json
import pathlib

import numpy as np

from msgrad.engine import dtypes
from msgrad.tensor.printing import tensor_repr, tensor_str
from tests.helpers import assert_each

ROWS = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "printing.json").read_text())
BY_NAME = {f"{number} {row[0]}": (row,) for number, row in enumerate(ROWS)}


def case(row):
    """The values, as a Tensor of the row would have them, and their dtype."""
    _, values, dtype, *_ = row
    array = np.asarray(eval(values, {"np": np}))
    dtype = dtypes.of(array.dtype) if dtype is None else getattr(dtypes, dtype)
    with np.errstate(over="ignore"):
        return array.astype(dtype.numpy), dtype


def test_str():
    assert_each(check_str, BY_NAME)


def check_str(row):
    assert tensor_str(*case(row)) == row[4]


def test_repr():
    assert_each(check_repr, BY_NAME)


def check_repr(row):
    assert tensor_repr(*case(row), shows_memory=row[3]) == row[5]


def test_str_follows_numpys_print_options_and_repr_does_not():
    values = np.array([1.23456, 1e-5], np.float32)
    with np.printoptions(precision=2, suppress=True):
        assert tensor_str(values, dtypes.float32) == "[1.23 0.  ]"
        assert tensor_repr(values, dtypes.float32).endswith("value= [ 1.23456001e+00,  9.99999975e-06])")
        assert tensor_repr(values, dtypes.float32, shows_memory=True).endswith("value= [1.23, 0.  ])")


def test_printing_leaves_numpys_print_options_alone():
    before = np.get_printoptions()
    tensor_str(np.ones(2), dtypes.float64)
    tensor_repr(np.ones(2), dtypes.float64)
    assert np.get_printoptions() == before
