"""Tone curves (auto-contrast, equalize, invert, posterize, solarize) and Gaussian blur."""

from typing import Any

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Real
from ..._contracts.kinds import Static
from ...engine.refusal import refuse, require
from ._libraries import opencv, pillow
from .base import Bits, ImageTransform, Kernel, Probability, saturated
from .flipping import RandomlyApplied


class _Table(ImageTransform):
    """The base of transforms that map tones by a lookup table for each channel."""

    _table: Any

    def _apply(self, value):
        if value.ndim == 2:
            return self._table(value)[value]
        return np.stack([self._table(plane)[plane] for plane in np.moveaxis(value, 2, 0)], 2)


class AutoContrast(_Table):
    """Maximizes contrast: stretches the tones of each channel to 0 to 255.

    Args:
        cutoff (float): the percentage of the darkest and of the brightest pixels to ignore. Default: ``0.0``.
        ignore (int | list[int]): tones to ignore. Default: ``None``.
    Source: mindspore.dataset.vision.AutoContrast
    """

    def __init__(self, cutoff: Real = 0.0, ignore=None):
        self.cutoff = _percent(cutoff, "cutoff", type(self).__name__)
        ignore = [ignore] if isinstance(ignore, int) else ignore
        for tone in require(ignore, (list, tuple, type(None)), type(self).__name__, "ignore") or ():
            if not 0 <= require(tone, int, type(self).__name__, "ignore") <= 255:
                refuse(ValueError, type(self).__name__, "ignore", "made of ints from 0 to 255", ignore)
        self.ignore = list(ignore or ())

    def _table(self, plane):
        counts = np.bincount(plane.reshape(-1), minlength=256)
        counts[self.ignore] = 0
        total = int(counts.sum())
        low, high = (
            _first_tone(counts, int(total * self.cutoff / 100)),
            255 - _first_tone(counts[::-1], int(total * self.cutoff / 100)),
        )
        if high <= low:
            return np.arange(256, dtype=np.uint8)
        scale = np.float32(255 / (high - low))  # in float32, as in MindSpore: the rounding is visible
        tones = np.arange(256, dtype=np.float32) * scale + np.float32(-low) * scale
        return np.clip(tones.astype(np.int32), 0, 255).astype(np.uint8)

    def _apply_pil(self, value):
        return pillow().ImageOps.autocontrast(value, self.cutoff, self.ignore or None)


def _first_tone(counts, left_out):
    """The first tone after ignoring the darkest ``left_out`` pixels."""
    reached = np.flatnonzero(np.cumsum(counts) > left_out)
    return int(reached[0]) if len(reached) else 256


def _percent(value, arg_name, owner):
    if not 0 <= value < 50:
        refuse(ValueError, owner, arg_name, "in the range [0, 50)", value)
    return value


class Equalize(ImageTransform):
    """Histogram equalization of each channel.  Source: mindspore.dataset.vision.Equalize"""

    def _apply(self, value):
        cv2 = opencv()
        if value.ndim == 2:
            return cv2.equalizeHist(value)
        return np.stack([cv2.equalizeHist(np.ascontiguousarray(plane)) for plane in np.moveaxis(value, 2, 0)], 2)

    def _apply_pil(self, value):
        return pillow().ImageOps.equalize(value)


def inverted(value):
    """255 minus an array, in its dtype."""
    return 255 - value if value.dtype == np.uint8 else saturated(255 - value.astype(np.float64), value.dtype)


class Invert(ImageTransform):
    """255 minus the image.  Source: mindspore.dataset.vision.Invert"""

    def _apply(self, value):
        return inverted(value)

    def _apply_pil(self, value):
        return pillow().ImageOps.invert(value)


class Posterize(ImageTransform):
    """Posterizes: keeps the highest bits of each tone.

    Args:
        bits (int): the number of bits, from 0 to 8.
    Source: mindspore.dataset.vision.Posterize
    """

    def __init__(self, bits: Bits):
        self.bits = bits

    def _apply(self, value):
        return value.view(np.uint8) & np.uint8(256 - (1 << (8 - self.bits)))


def _tones(value, arg_name, owner):
    """The smallest and the largest tone."""
    pair: Any = value if isinstance(value, (list, tuple)) and len(value) == 2 else (value, value)
    low, high = pair
    for each in pair:
        check.number(each, arg_name, owner)
        if not 0 <= each <= 255:
            refuse(ValueError, owner, arg_name, "in the range [0, 255]", value)
    if low > high:
        refuse(ValueError, owner, arg_name, "the smallest and the largest, in this order", value)
    return (low, high)


def _tones_in_a_tuple(value, arg_name, owner):
    return _tones(require(value, tuple, owner, arg_name), arg_name, owner)


Tones = Static(_tones, int, float, list, tuple)


class Solarize(ImageTransform):
    """Inverts tones within a range.

    Args:
        threshold (float | tuple[float]): the smallest, or the smallest and the largest tone.
    Source: mindspore.dataset.vision.Solarize
    """

    def __init__(self, threshold: Tones):
        self.threshold = threshold

    def _apply(self, value):
        low, high = self.threshold
        high = np.inf if low == high else high
        return np.where((value >= low) & (value <= high), inverted(value), value)


class GaussianBlur(ImageTransform):
    """Gaussian blur.

    Args:
        kernel_size (int | tuple[int]): the width and height of the kernel, odd.
        sigma (float | tuple[float]): its standard deviations. Default: ``None``, for both that of the width,
            ``((width - 1) * 0.5 - 1) * 0.3 + 0.8``, as in MindSpore.
    Source: mindspore.dataset.vision.GaussianBlur
    """

    def __init__(self, kernel_size: Kernel, sigma=None):
        self.kernel_size = kernel_size
        if sigma is None:
            sigma = ((kernel_size[0] - 1) * 0.5 - 1) * 0.3 + 0.8
        across, down = sigma if isinstance(sigma, (list, tuple)) else (sigma, sigma)
        self.sigma = tuple([check.number(each, "sigma", "GaussianBlur") for each in (across, down)])
        if min(self.sigma) <= 0:
            refuse(ValueError, "GaussianBlur", "sigma", "above 0", sigma)

    def _apply(self, value):
        blurred = opencv().GaussianBlur(value, self.kernel_size, sigmaX=self.sigma[0], sigmaY=self.sigma[1])
        return blurred.reshape(value.shape)


class RandomInvert(RandomlyApplied):
    """`Invert` with the probability ``prob`` (float, default ``0.5``).

    Source: mindspore.dataset.vision.RandomInvert
    """

    def __init__(self, prob: Probability = 0.5):
        self.prob, self.transform = prob, Invert()


class RandomEqualize(RandomlyApplied):
    """`Equalize` with the probability ``prob`` (float, default ``0.5``).

    Source: mindspore.dataset.vision.RandomEqualize
    """

    def __init__(self, prob: Probability = 0.5):
        self.prob, self.transform = prob, Equalize()


class RandomAutoContrast(RandomlyApplied):
    """`AutoContrast` with the probability ``prob``.

    Args:
        cutoff, ignore: as for `AutoContrast`.
        prob (float): the probability. Default: ``0.5``.
    Source: mindspore.dataset.vision.RandomAutoContrast
    """

    def __init__(self, cutoff: Real = 0.0, ignore=None, prob: Probability = 0.5):
        self.prob, self.transform = prob, AutoContrast(cutoff, ignore)


class RandomPosterize(ImageTransform):
    """`Posterize` to a random number of bits.

    Args:
        bits (int | tuple[int]): the number, or the smallest and the largest. Default: ``(8, 8)``.
    Source: mindspore.dataset.vision.RandomPosterize
    """

    def __init__(self, bits=(8, 8)):
        low, high = bits if isinstance(bits, (list, tuple)) and len(bits) == 2 else (bits, bits)
        self.low, self.high = (Bits.take(each, "bits", "RandomPosterize") for each in (low, high))
        if self.low == 0:
            refuse(ValueError, "RandomPosterize", "bits", "in the range [1, 8]", bits)
        if self.low > self.high:
            refuse(ValueError, "RandomPosterize", "bits", "the smallest and the largest, in this order", bits)

    def _apply(self, value):
        return Posterize(self.low if self.low == self.high else self._draws().integer(self.low, self.high))(value)


class RandomSolarize(ImageTransform):
    """`Solarize` of a random range within another.

    Args:
        threshold (tuple[int]): the smallest and the largest tone. Default: ``(0, 255)``.
    Source: mindspore.dataset.vision.RandomSolarize
    """

    def __init__(self, threshold: Static(_tones_in_a_tuple, tuple) = (0, 255)):
        self.low, self.high = (int(each) for each in threshold)

    def _apply(self, value):
        draws = self._draws()
        return Solarize(tuple(sorted(draws.integer(self.low, self.high) for _ in range(2))))(value)
