"""Networks on images of many sizes share compiled programs: they resize to a size, pool to windows, or have strides."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import execute, tiers
from tests.engine.lengths.arrays import floats


class Patches(nn.Cell):
    """A vision transformer's patches, with positions that are interpolated to the image's size."""

    def __init__(self, mode):
        super().__init__()
        self.mode, self.patches = mode, nn.Conv2d(2, 4, 2, 2, pad_mode="valid")
        self.positions = Parameter(Tensor(floats(1, 4, 5, 5)))

    def construct(self, x):
        x = self.patches(x)
        x = x + ops.interpolate(self.positions, size=x.shape[2:], mode=self.mode)
        x = x.reshape(*x.shape[:2], -1).swapaxes(1, 2)
        return ops.matmul(ops.softmax(ops.matmul(x, x.swapaxes(1, 2)), -1), x)


class Segments(nn.Cell):
    """Features of half the resolution, resized to that of the image."""

    def __init__(self, mode):
        super().__init__()
        self.mode, self.features = mode, nn.Conv2d(2, 2, 3, 2, pad_mode="pad", padding=1)

    def construct(self, x):
        return ops.interpolate(ops.relu(self.features(x)), size=x.shape[2:], mode=self.mode)


def strided(pool):
    """Two steps of 2, before whose windows 0 or 1 is added by the length, and one more of pooling."""
    return nn.SequentialCell(
        nn.Conv2d(2, 4, 3, 2, pad_mode="same"),
        nn.Tanh(),
        nn.Conv2d(4, 4, 5, 2, pad_mode="same"),
        pool(kernel_size=3, stride=2, pad_mode="same"),
    )


# name: (network, and for images of which sides: this factor times a number, and a rest)
NETWORKS = {
    "linear positions": (lambda: Patches("bilinear"), 2, 0),
    "cubic positions": (lambda: Patches("bicubic"), 2, 0),
    "linear segments": (lambda: Segments("bilinear"), 1, 0),
    "nearest segments": (lambda: Segments("nearest"), 2, 1),
    "same, maxima": (lambda: strided(nn.MaxPool2d), 1, 20),
    "same, means": (lambda: strided(nn.AvgPool2d), 1, 20),
    "windows": (lambda: nn.SequentialCell(nn.Conv2d(2, 2, 3, pad_mode="valid"), nn.AdaptiveAvgPool2d(7)), 1, 0),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_images_of_many_sizes_share_programs(name, exact, monkeypatch):
    make, factor, rest = NETWORKS[name]
    ms.set_seed(3)
    net = make()
    gradient = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), 0, net.trainable_params())
    sides = [19, 26, 14, 21, 28, 17, 24, 31, 15, 22, 29, 18, 25, 16, 23, 30]
    sizes = [(side, sides[k - 3]) for k, side in enumerate(sides)]
    images = [Tensor(floats(1, 2, *[factor * side + rest for side in size])) for size in sizes]

    def values(images):
        results = []
        for image in images:
            value, (by_image, by_weights) = gradient(image)
            results.append([each.asnumpy() for each in (value, by_image, *by_weights)])
        return results

    with monkeypatch.context() as patch:
        patch.setattr(tiers.Tiers, "allowed", False)
        before = execute.report()["programs compiled"]
        shared = values(images)
        assert execute.report()["programs compiled"] - before <= 7  # 16 without
    for results, expected in zip(shared[-3:], exact(values, images[-3:]), strict=True):
        for result, each in zip(results, expected, strict=True):
            np.testing.assert_allclose(result, each, rtol=1e-5, atol=1e-6)
