"""Similarity of two images: SSIM, multi-scale SSIM, and the peak signal-to-noise ratio."""

import math
from typing import Any

import numpy as np

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import PositiveFloat, PositiveInt, PositiveReal
from ..._contracts.enforcement import checked
from ..._contracts.kinds import TensorOf
from ...engine import dtypes
from ...tensor.tensor import Tensor
from ..basic.activation import ReLU
from ..cell import Cell
from ..containers import CellList
from ..convolution.conv import Conv2d
from ..convolution.pool import AvgPool2d
from .pixels import check_images

__all__ = ["MSSSIM", "PSNR", "SSIM"]


def _of_unit_range(image, maximum):
    return image.astype(dtypes.float32) * (1 / maximum) if maximum > 1 else image.astype(dtypes.float32)


def _prepared(owner, max_val, img1, img2):
    """``max_val`` and both images, scaled so that the largest value of an int dtype is 1."""
    check_images(owner, img1=img1, img2=img2)
    check.same_shape(img2, img1, "img2", "img1", owner)
    check.same_dtype(img2, img1, "img2", "img1", owner)
    kind = img1.dtype.numpy
    maximum = float(np.iinfo(kind).max) if np.issubdtype(kind, np.integer) else 1.0
    return max_val / maximum, _of_unit_range(img1, maximum), _of_unit_range(img2, maximum)


class _Similarity(Cell):
    """The base of SSIM and MSSSIM: a Gaussian window, and the two factors of similarity."""

    def __init__(self, max_val, filter_size, filter_sigma, k1, k2):
        super().__init__()
        for name, value in (("k1", k1), ("k2", k2)):
            if not isinstance(value, float):
                check.refuse(TypeError, self.cls_name, name, "a float", value)
        self.max_val = max_val
        self.filter_size = filter_size
        self.filter_sigma = filter_sigma
        self.k1 = k1
        self.k2 = k2

    def _window(self):
        """A one-channel convolution with the fixed window."""
        size = self.filter_size
        offsets = np.arange(-size // 2 + 1, size // 2 + 1, dtype=np.float32)
        heights = np.exp(-(offsets[:, None] ** 2 + offsets**2) / (2 * self.filter_sigma**2))
        weight = Tensor((heights / heights.sum())[None, None], dtypes.float32)
        window = Conv2d(1, 1, size, pad_mode="valid", weight_init=weight)
        window.weight.requires_grad = False
        return window

    def _factors(self, window, max_val, img1, img2):
        """The means over pixels of SSIM and of its contrast-structure factor, for each channel."""
        if min(img1.shape[2:]) < self.filter_size:
            check.refuse(ValueError, self.cls_name, "img1", f"at least {self.filter_size} high and wide", img1.shape)
        c1, c2 = (self.k1 * max_val) ** 2, (self.k2 * max_val) ** 2
        channels = img1.shape[:2]

        def mean(x):
            return window(x.reshape((-1, 1, *x.shape[2:])))

        mean1, mean2 = mean(img1), mean(img2)
        variances = mean(img1 * img1) - mean1 * mean1 + mean(img2 * img2) - mean2 * mean2
        structure = (2 * (mean(img1 * img2) - mean1 * mean2) + c2) / (variances + c2)
        whole = structure * (2 * mean1 * mean2 + c1) / (mean1 * mean1 + mean2 * mean2 + c1)
        return [each.mean((1, 2, 3)).reshape(channels) for each in (whole, structure)]


class SSIM(_Similarity):
    """The structural similarity of two images, 1 for equal ones.

    Args:
        max_val (int | float): the range of the pixels. Default: ``1.0``.
        filter_size (int): length of the window. Default: ``11``.
        filter_sigma (float): its standard deviation. Default: ``1.5``.
        k1, k2 (float): small constants that keep quotients finite. Default: ``0.01``, ``0.03``.
    Inputs: img1, img2 (Tensor): shape ``(N, C, H, W)``, float32 or float16. Output: Tensor of shape ``(N,)``.
    Raises:
        TypeError, ValueError: for other values, and for images of other shapes or dtypes.
    Example:
        >>> nn.SSIM()(ops.ones((1, 3, 16, 16)), ops.ones((1, 3, 16, 16))).shape
        (1,)
    Source: mindspore.nn.SSIM
    """

    @checked
    def __init__(
        self,
        max_val: PositiveReal = 1.0,
        filter_size: PositiveInt = 11,
        filter_sigma: PositiveFloat = 1.5,
        k1=0.01,
        k2=0.03,
    ):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = self._window()

    def construct(self, img1, img2):
        """The similarity of each pair."""
        TensorOf("float16", "float32").take(img1, "img1", "SSIM")
        return self._factors(self.conv, *_prepared("SSIM", self.max_val, img1, img2))[0].mean(-1)


class MSSSIM(_Similarity):
    """The structural similarity of two images over several scales, each half of the one before.

    Args:
        max_val (int | float): the range of the pixels. Default: ``1.0``.
        power_factors (tuple[float] | list[float]): the exponent of each scale. Default: ``(0.0448, 0.2856, 0.3001,
            0.2363, 0.1333)``.
        filter_size (int): length of the window. Default: ``11``.
        filter_sigma (float): its standard deviation. Default: ``1.5``.
        k1, k2 (float): small constants that keep quotients finite. Default: ``0.01``, ``0.03``.
    Inputs: img1, img2 (Tensor): shape ``(N, C, H, W)``, a float dtype or uint8. Output: Tensor of shape ``(N,)``.
    Raises:
        TypeError, ValueError: for other values, and for images of other shapes or dtypes.
    Example:
        >>> nn.MSSSIM(power_factors=(0.5, 0.5))(ops.ones((1, 3, 32, 32)), ops.ones((1, 3, 32, 32))).shape
        (1,)
    Source: mindspore.nn.MSSSIM
    """

    @checked
    def __init__(
        self,
        max_val: PositiveReal = 1.0,
        power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: PositiveInt = 11,
        filter_sigma: PositiveFloat = 1.5,
        k1=0.01,
        k2=0.03,
    ):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        if not isinstance(power_factors, (tuple, list)):
            check.refuse(TypeError, "MSSSIM", "power_factors", "a tuple or list of floats", power_factors)
        self.power_factors = tuple(power_factors)
        self.multi_convs_list = CellList([self._window() for _ in power_factors])
        self.avg_pool = AvgPool2d(kernel_size=2, stride=2, pad_mode="valid")
        self.relu = ReLU()

    def construct(self, img1, img2):
        """The similarity of each pair."""
        max_val, img1, img2 = _prepared("MSSSIM", self.max_val, img1, img2)
        similarity: Any = 1
        last = len(self.power_factors) - 1
        for scale, (power, window) in enumerate(zip(self.power_factors, self.multi_convs_list, strict=True)):
            whole, structure = self._factors(window, max_val, img1, img2)
            similarity = similarity * self.relu(whole if scale == last else structure) ** power
            img1, img2 = self.avg_pool(img1), self.avg_pool(img2)
        return similarity.mean(-1)


class PSNR(Cell):
    """The peak signal-to-noise ratio of two images, in decibels.

    Args:
        max_val (int | float): the range of the pixels. Default: ``1.0``.
    Inputs: img1, img2 (Tensor): shape ``(N, C, H, W)``, one dtype. Output: Tensor of shape ``(N,)``; infinite for equal
        images.
    Raises:
        TypeError, ValueError: for another ``max_val``, and for images of other shapes or dtypes.
    Example:
        >>> nn.PSNR()(Tensor([[[[0.0]]]]), Tensor([[[[0.1]]]])).asnumpy().round(3).tolist()
        [20.0]
    Source: mindspore.nn.PSNR
    """

    @checked
    def __init__(self, max_val: PositiveReal = 1.0):
        super().__init__()
        self.max_val = max_val

    def construct(self, img1, img2):
        """The ratio of each pair."""
        max_val, img1, img2 = _prepared("PSNR", self.max_val, img1, img2)
        error = ops.square(img1 - img2).mean((-3, -2, -1))
        return ops.log(max_val**2 / error) * (10 / math.log(10))
