"""Operations at the edges of their domains: where terms vanish, values saturate, and gradients have kinks.

Each row has the values that MindSpore 2.10 gives, or, where it hides a NaN, the definition's. The operations run
compiled: XLA may reassociate sums there, so that a small term is lost.
"""

import numpy as np
import pytest

import msgrad as ms
import msgrad.numpy as mnp
from msgrad import Tensor, nn, ops

from ..eager import run_eagerly

pytestmark = pytest.mark.usefixtures("compiled")

NAN, INF = np.nan, np.inf
ZERO_COLUMN = [[3.0, 0.0], [4.0, 0.0]]


def tensor(values):
    return Tensor(np.array(values, np.float32))


VALUES = [
    (
        "bce",
        nn.BCELoss(reduction="none"),
        ([1, 0.2, 1, 0, 0],),
        ([1, 0, 0, 1, 0],),
        [0, 0.22314353, 27.631021, 27.631021, 0],
    ),
    ("relu6", ops.relu6, ([NAN, INF, -INF, 1, 8],), (), [NAN, 6, 0, 1, 6]),
    ("hardshrink", ops.hardshrink, ([NAN, INF, -INF, 0.5, 1],), (), [NAN, INF, -INF, 0, 1]),
    ("softshrink", ops.softshrink, ([NAN, INF, -INF, 0.5, 1],), (), [NAN, INF, -INF, 0, 0.5]),
    ("median", lambda x: ops.median(x)[0], ([[1, NAN, 2], [3, 4, 5]],), (), [NAN, 4]),
    ("median indices", lambda x: ops.median(x)[1], ([[1, NAN, 2], [3, 4, 5]],), (), [1, 1]),
    ("nanmedian", lambda x: ops.nanmedian(x)[0], ([3, NAN, 1, 2],), (), 2),
    ("var, ddof = count", lambda x: ops.var(x, ddof=3), ([1, 2, 4],), (), INF),
    ("std, ddof = count", lambda x: ops.std(x, ddof=3), ([1, 2, 4],), (), INF),
    ("lp_pool1d of a part", lambda x: ops.lp_pool1d(x, 2, 2, 2, True), ([[[3, 4, 5]]],), (), [[[5, 7.0710678]]]),
    ("LPPool1d of a part", nn.LPPool1d(1, 3, 3, True), ([[[1, 2, 3, 7]]],), (), [[[6, 21]]]),
    ("resize to nothing", lambda x: x.resize(), ([[1, 2]],), (), [[1, 2]]),
    ("dropout at rest", lambda x: ops.dropout(x.astype(ms.int32), training=False), ([1, 2],), (), [1, 2]),
    ("dropout1d at rest", lambda x: ops.dropout1d(x, 0.5, False), ([1, 2],), (), [1, 2]),
    ("y0", ops.bessel_y0, ([-1, 0, 1, NAN],), (), [-INF, -INF, 0.08825696, NAN]),
    ("k1", ops.bessel_k1, ([-1, 0, 1, NAN],), (), [INF, INF, 0.6019072, NAN]),
    (
        "crop between two pixels",
        lambda x, box: ops.crop_and_resize(x, box, Tensor([0], ms.int32), (1, 3), "nearest")[0, 0, :, 0],
        ([[[[0], [1], [2], [3]]]],),
        ([[0, 0, 0, 1]],),
        [0, 2, 3],
    ),
    ("cross of other ranks", lambda x: ops.cross(x, tensor([1, 0, 2]), dim=1), ([[1, 2, 3]],), (), [[4, 1, -2]]),
    ("area", lambda x: ops.interpolate(x, size=2, mode="area"), ([[[INF, 0, 0, 0]]],), (), [[[INF, 0]]]),
    ("uneven area", lambda x: ops.interpolate(x, size=2, mode="area"), ([[[INF, 0, 0]]],), (), [[[INF, 0]]]),
    ("linear", lambda x: ops.interpolate(x, size=6, mode="linear"), ([[[NAN, 0, 0]]],), (), [[[NAN] * 3 + [0] * 3]]),
    (
        "bilinear",
        nn.Upsample(size=(2, 4), mode="bilinear"),
        ([[[[INF, 0], [0, 1]]]],),
        (),
        [[[[INF, INF, INF, 0], [0, 0.25, 0.75, 1]]]],
    ),
    (
        "adaptive_avg_pool2d",
        lambda x: ops.adaptive_avg_pool2d(x, 2),
        ([[[0, 0, 1], [0, 0, 1], [1, 1, INF]]],),
        (),
        [[[0, 0.5], [0.5, INF]]],
    ),
    ("var, ddof > count", lambda x: ops.std(x, ddof=4), ([1, 2, 4],), (), NAN),
]


@pytest.mark.parametrize(
    ("function", "inputs", "more", "expected"), [row[1:] for row in VALUES], ids=[r[0] for r in VALUES]
)
def test_values(function, inputs, more, expected):
    np.testing.assert_allclose(function(*map(tensor, inputs), *map(tensor, more)).asnumpy(), expected, 1e-6)


ONES = tensor([1, -1, 1])
GRADIENTS = [
    ("bce", nn.BCELoss(reduction="sum"), [1, 0.2, 1, 0, 0], ([1, 0, 0, 1, 0],), [0, 1.25, 1e12, -1e12, 0]),
    ("norm, 2", lambda x: ops.norm(x, 2, 0), ZERO_COLUMN, (), [[0.6, 0], [0.8, 0]]),
    ("norm, 3", lambda x: ops.norm(x, 3, 0), ZERO_COLUMN, (), [[0.44485134, 0], [0.790847, 0]]),
    ("clip_by_norm", lambda x: ops.clip_by_norm(x, 1.0), [0, 0], (), [1, 1]),
    ("lp_pool1d", lambda x: ops.lp_pool1d(x, 2.0, 2), [[[0, 0, 1, 2]]], (), [[[0, 0, 0.4472136, 0.8944272]]]),
    ("hardswish", ops.hardswish, [INF, -INF, 3, -3], (), [1, 0, 1.5, -0.5]),
    ("copysign", lambda x: ops.copysign(x, tensor([1, -1, 1, -1])), [0, 0, -2, 2], (), [0, 0, -1, -1]),
    (
        "margin_ranking_loss",
        lambda x: ops.margin_ranking_loss(x, tensor([1, 1, 2]), ONES, reduction="sum"),
        [1, 1, 2],
        (),
        [-1, 1, -1],
    ),
    (
        "multi_margin_loss",
        lambda x: ops.multi_margin_loss(x, Tensor([0, 1]), reduction="sum"),
        [[2, 1, 1], [1, 1, 0]],
        (),
        [[0, 0, 0], [1 / 3, -1 / 3, 0]],
    ),
]


@pytest.mark.parametrize(
    ("function", "x", "more", "expected"), [row[1:] for row in GRADIENTS], ids=[r[0] for r in GRADIENTS]
)
def test_gradients(function, x, more, expected):
    np.testing.assert_allclose(ms.grad(function)(tensor(x), *map(tensor, more)).asnumpy(), expected, 1e-6)


def uncompiled():
    """The values and gradients of all rows."""
    values = [function(*map(tensor, inputs), *map(tensor, more)).asnumpy() for _, function, inputs, more, _ in VALUES]
    gradients = [ms.grad(function)(tensor(x), *map(tensor, more)).asnumpy() for _, function, x, more, _ in GRADIENTS]
    return values, gradients


def test_uncompiled_operations_agree():
    for rows, actual in zip((VALUES, GRADIENTS), run_eagerly(__name__, "uncompiled"), strict=True):
        for row, figures in zip(rows, actual, strict=True):
            np.testing.assert_allclose(figures, row[-1], 2e-6, err_msg=row[0])  # sums in another order


def test_unwrap_of_float16_is_computed_in_float32():
    angles = ms.numpy.unwrap(Tensor([0, 4, 8], ms.float16))
    assert angles.dtype == ms.float32
    np.testing.assert_allclose(angles.asnumpy(), [0, -2.2831853, -4.5663706], 1e-6)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: ops.softmax(Tensor(1.0)), "'axis' must be one of a Tensor that has axes, but got -1"),
        (lambda: mnp.split(Tensor(1.0), 1), "'axis' must be one of a Tensor that has axes"),
        (lambda: mnp.repeat(Tensor(1.0), 2, 0), "'axis' must be one of a Tensor that has axes"),
        (lambda: mnp.gradient(Tensor(1.0)), "'f' must be of two elements or more"),
        (lambda: mnp.nanmin(mnp.zeros((2, 0)), 1), "'a' must be of at least one element along the axis"),
        (lambda: ops.cross(ops.ones((2, 3)), ops.ones((3, 3))), "^For 'Cross', .*broadcast"),
        (lambda: ops.cross(ops.ones((2, 3)), ops.ones((2, 3)), 0), "'dim' must be an axis of length 3"),
        (lambda: Tensor([1.0]).resize(2, -1), "'new_shape' must be made of non-negative lengths"),
    ],
)
def test_shapes_that_do_not_fit(call, match):
    with pytest.raises(ValueError, match=match):
        call()


HUGE = 1 << 40
TOO_LARGE = {
    "zeros": lambda: ops.zeros((HUGE, HUGE), ms.float32),
    "ones": lambda: ops.ones((HUGE, HUGE), ms.float32),
    "full": lambda: ops.full((HUGE, HUGE), 1.0, dtype=ms.float32),
    "tile": lambda: ops.tile(tensor([1]), (HUGE, HUGE)),
    "broadcast_to": lambda: ops.broadcast_to(tensor([1]), (HUGE, HUGE)),
    "standard_normal": lambda: ops.standard_normal((HUGE, HUGE)),
    "recorded": lambda: ms.grad(lambda x: ops.broadcast_to(x, (HUGE, HUGE)).sum())(tensor([1])),
}


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("create", TOO_LARGE.values(), ids=TOO_LARGE)
def test_sizes_that_xla_cannot_hold(create, seed):
    if seed is not None:
        ms.set_seed(seed)
    with pytest.raises(
        RuntimeError, match="Allocate memory failed: (4,835,703,278,458,516,698,824,704 bytes|the results do)"
    ):
        create()


@pytest.mark.parametrize(
    "create",
    [
        lambda: ops.eye(HUGE, HUGE),
        lambda: ops.arange(HUGE * HUGE),
        lambda: ops.tril_indices(HUGE, HUGE),
        lambda: ops.hamming_window(HUGE),
        lambda: ops.interpolate(ops.ones((1, 1, 4)), size=HUGE),
        lambda: nn.Dense(HUGE, HUGE),
        lambda: nn.Embedding(HUGE * HUGE, 3),
        lambda: nn.LayerNorm((HUGE * HUGE,)),
        lambda: nn.LSTM(HUGE, HUGE),
        lambda: nn.GRU(HUGE * HUGE, 3),
        lambda: ms.Tensor(shape=(HUGE * HUGE,), dtype=ms.float32),
        lambda: mnp.arange(HUGE),
    ],
)
def test_sizes_that_numpy_cannot_hold(create):
    with pytest.raises(RuntimeError, match="Allocate memory failed: the results do not fit"):
        create()


def test_boxes_and_samples_of_which_there_are_none(mode):  # figures are MindSpore's
    boxes, indices, stays = ops.NMSWithMask(0.5)(ops.zeros((0, 5)))
    assert (boxes.shape, indices.shape, stays.shape) == ((0, 5), (0,), (0,))
    assert (indices.dtype, stays.dtype) == (ms.int32, ms.bool_)
    for shape in ((4,), (2, 4)):
        none = ops.multinomial(ops.ones(shape), 0)
        assert (none.shape, none.dtype) == ((*shape[:-1], 0), ms.int32)
