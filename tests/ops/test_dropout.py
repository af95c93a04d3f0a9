"""Dropout of channels sets whole channels to 0, with the given probability."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import ops

CALLS = [
    ("ops.dropout1d(x, 0.25)", (500, 8, 3), 2),
    ("ops.dropout2d(x, 0.25)", (500, 8, 3, 2), 2),
    ("ops.dropout3d(x, 0.25)", (500, 8, 1, 3, 2), 2),
    ("ops.Dropout2D(0.75)(x)[1].astype(ms.float32) / 0.75", (500, 8, 3, 2), 2),
]


@pytest.mark.parametrize("expression, shape, lead", CALLS, ids=[row[0] for row in CALLS])
def test_whole_channels(expression, shape, lead, mode):
    ms.set_seed(1)
    result = eval(expression, {"ms": ms, "ops": ops, "x": ops.ones(shape)}).asnumpy()
    channels = result.reshape((*shape[:lead], -1))
    assert (channels == channels[..., :1]).all()
    assert set(np.unique(channels.round(5))) == {np.float32(0), np.float32(1.33333)}
    assert abs((channels[..., 0] == 0).mean() - 0.25) < 5 * (0.25 * 0.75 / 4000) ** 0.5


HALVES = [
    "ops.dropout(x, 0.1)",
    "ops.Dropout(0.9)(x)[0]",
    "ops.dropout2d(x.reshape(60, 20, 1, 1), 0.1).reshape(-1)",
    "ops.DropoutDoMask()(x, ops.DropoutGenMask()(x.shape, ms.Tensor(0.9)), ms.Tensor(0.9))",
]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("expression", HALVES)
def test_what_stays_is_rounded_once(expression, dtype, mode):
    """MindSpore's kernels divide by 0.9 in float32; 0.9 as a half would shift all that stays the same way."""
    ms.set_seed(1)
    x = ops.arange(1, 1201).astype(ms.float32).astype(getattr(ms, dtype))
    result = eval(expression, {"ms": ms, "ops": ops, "x": x}).astype(ms.float32).asnumpy()
    expected = ms.Tensor(x.astype(ms.float32).asnumpy() / np.float32(0.9)).astype(x.dtype).astype(ms.float32).asnumpy()
    assert set(np.unique(result / expected)) == {np.float32(0), np.float32(1)}
