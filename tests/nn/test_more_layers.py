"""Layers, apart from the rows of `layer_cases`: channels last, layers of MindSpore 1.x, dropout, unsupported layers."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

from ..helpers import assert_close

RANDOM = np.random.RandomState(0)
IMAGES = RANDOM.uniform(-1, 1, (2, 4, 6, 5)).astype(np.float32)


def last(array):
    return np.moveaxis(array, 1, -1)


@pytest.mark.parametrize("options", [{}, {"pad_mode": "valid", "stride": (2, 1)}, {"group": 2, "has_bias": True}])
def test_convolution_with_channels_last(options, mode):
    # MindSpore 2.10 has it on GPUs alone.
    first = nn.Conv2d(4, 6, 3, **options)
    weight = Tensor(last(first.weight.asnumpy()).copy())
    bias = first.bias.value() if first.has_bias else None
    layer = nn.Conv2d(4, 6, 3, **options, weight_init=weight, bias_init=bias, data_format="NHWC")
    assert layer.weight.shape == (6, 3, 3, 4 // first.group)
    expected = last(first(Tensor(IMAGES)).asnumpy())
    assert_close(layer(Tensor(last(IMAGES).copy())).asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", [nn.MaxPool2d, nn.AvgPool2d])
def test_pooling_with_channels_last(kind):
    expected = last(kind(2, 2, "same")(Tensor(IMAGES)).asnumpy())
    actual = kind(2, 2, "same", data_format="NHWC")(Tensor(last(IMAGES).copy()))
    assert_close(actual.asnumpy(), expected)


def test_resize_bilinear_of_former_versions(mode):
    x = Tensor(IMAGES)
    expected = ops.interpolate(x, size=(12, 10), mode="bilinear", align_corners=True).asnumpy()
    assert_close(nn.ResizeBilinear()(x, scale_factor=2, align_corners=True).asnumpy(), expected)
    assert_close(ops.ResizeBilinear((12, 10), align_corners=True)(x).asnumpy(), expected)
    with pytest.raises(ValueError, match="For 'ResizeBilinear', the 'size' must be given"):
        nn.ResizeBilinear()(x)


DROPOUTS = [  # layer, the shape of an input, and of what is dropped as one
    (nn.Dropout(p=0.25), (40, 100), (40, 100)),
    (nn.DropoutExt(0.25), (40, 100), (40, 100)),
    (nn.Dropout1d(0.25), (40, 50, 3), (40, 50, 1)),
    (nn.Dropout2d(0.25), (40, 50, 3, 2), (40, 50, 1, 1)),
    (nn.Dropout2dExt(0.25), (40, 50, 3, 2), (40, 50, 1, 1)),
    (nn.Dropout3d(0.25), (40, 50, 3, 2, 2), (40, 50, 1, 1, 1)),
]


@pytest.mark.parametrize("layer, shape, parts", DROPOUTS, ids=lambda value: getattr(value, "cls_name", ""))
def test_dropout(layer, shape, parts, mode):
    ms.set_seed(3)
    layer.set_train()
    first, second = (layer(ops.ones(shape)).asnumpy() for _ in range(2))
    assert set(np.unique(first.round(4))) == {0.0, np.float32(1.3333)}
    kept = first[tuple(slice(length) for length in parts)]
    assert_close(first, np.broadcast_to(kept, shape))
    assert abs((kept != 0).mean() - 0.75) < 0.05
    assert (first != second).any()


def test_dropout_in_place():
    x = ops.ones((4, 4))
    assert nn.DropoutExt(1.0, inplace=True).set_train()(x) is x
    assert not x.asnumpy().any()


def test_rrelu_in_training_and_evaluation(mode):
    y = nn.RReLU(0.1, 0.3)(Tensor([-1.0] * 1000)).asnumpy()
    assert -0.3 <= y.min() < -0.29 and -0.11 < y.max() <= -0.1


@pytest.mark.parametrize("dtype", [ms.int32, ms.int64])
def test_rrelu_of_ints_has_slopes_of_ints(dtype):  # figures are MindSpore's
    x = Tensor([-2, 0, 3], dtype)
    assert nn.RReLU()(x).tolist() == [0, 0, 3] and ops.rrelu(x, 1.5, 1.75).tolist() == [-2, 0, 3]
    assert nn.RReLU()(x).dtype == dtype


def test_moving_statistics_of_instances():
    layer = nn.InstanceNorm2d(4, momentum=0.4)
    layer(Tensor(IMAGES))
    means, variances = IMAGES.mean((2, 3)).mean(0), IMAGES.var((2, 3), ddof=1).mean(0)
    assert_close(layer.moving_mean.asnumpy(), 0.6 * means, rtol=1e-4)
    assert_close(layer.moving_variance.asnumpy(), 0.4 + 0.6 * variances, rtol=1e-4)


def test_layers_of_thor_are_left_out():
    with pytest.raises(
        NotImplementedError, match="'nn.DenseThor' is left out of msgrad: it belongs to THOR.* Use nn.D"
    ):
        nn.DenseThor(2, 3)
    assert not isinstance(nn.Dense(2, 3), nn.DenseThor)
    with pytest.raises(AttributeError, match="module 'mindspore.nn' has no attribute 'Nothing'"):
        nn.Nothing  # noqa: B018


def test_rows_are_classes_like_others():
    class Scaled(nn.ELU):
        def construct(self, x):
            return 2 * super().construct(x)

    assert Scaled(1.0)(Tensor([3.0])).tolist() == [6.0]
    assert nn.ELU.__module__ == "msgrad.nn.basic.activation" and nn.ELU(alpha=1.0).alpha == 1.0
