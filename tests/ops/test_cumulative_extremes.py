"""Cumulative extremes of arrays that a loop over rows computes: NumPy's values, the last index of equal elements."""

import numpy as np
import pytest

from msgrad import Tensor, ops
from msgrad.ops.math import cumulative

NAMES = {"cummax": np.maximum, "cummin": np.minimum}


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64])
@pytest.mark.parametrize(("shape", "axis"), [((400, 400), 0), ((400, 400), 1), ((20, 80, 100), -1)])
@pytest.mark.parametrize("name", NAMES)
def test_values_and_indices(name, shape, axis, dtype):
    assert cumulative._is_long(shape, axis % len(shape))
    x = np.random.RandomState(0).randint(-9, 9, shape).astype(dtype)
    x.reshape(-1)[::7777] = np.nan
    x.reshape(-1)[::5555] = -np.inf
    values, indices = [each.asnumpy() for each in getattr(ops, name)(Tensor(x), axis)]
    extremes = NAMES[name].accumulate(x, axis)
    np.testing.assert_array_equal(values, extremes)
    count = np.arange(shape[axis]).reshape([-1 if at == axis % len(shape) else 1 for at in range(len(shape))])
    is_extreme = (x == extremes) | np.isnan(x)
    np.testing.assert_array_equal(indices, np.maximum.accumulate(np.where(is_extreme, count, 0), axis))
