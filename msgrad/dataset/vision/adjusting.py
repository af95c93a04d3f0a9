"""Color adjustment: brightness, contrast, saturation, hue, gamma, sharpness."""

from typing import Any

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Real
from ..._contracts.kinds import Static
from ...engine.refusal import refuse
from ._libraries import opencv, pillow
from .base import Factor, FactorRange, Factors, ImageTransform, Probability, saturated
from .flipping import RandomlyApplied


class _ByFactor(ImageTransform):
    """The base of adjustments that blend a uint8 image with another one derived from it."""

    factor: Any
    _other: Any
    _enhancer: Any

    def _apply(self, value):
        factor = np.float32(self.factor)
        result = opencv().addWeighted(self._other(value), 1 - float(factor), value, float(factor), 0)
        return result.reshape(value.shape)

    def _apply_pil(self, value):
        return getattr(pillow().ImageEnhance, self._enhancer)(value).enhance(self.factor)


class AdjustBrightness(_ByFactor):
    """Adjusts brightness: multiplies an image by a factor; 0 gives black, 1 the image.

    Args:
        brightness_factor (float): the factor.
    Source: mindspore.dataset.vision.AdjustBrightness
    """

    _enhancer = "Brightness"

    def __init__(self, brightness_factor: Factor):
        self.factor = brightness_factor

    def _apply(self, value):
        if value.dtype == np.uint8:
            return opencv().convertScaleAbs(value, alpha=self.factor).reshape(value.shape)
        return saturated(value * np.float64(self.factor), value.dtype)


class AdjustContrast(_ByFactor):
    """Adjusts contrast: blends an image with its mean gray; 0 gives gray, 1 the image.

    Args:
        contrast_factor (float): the factor.
    Source: mindspore.dataset.vision.AdjustContrast
    """

    _enhancer = "Contrast"

    def __init__(self, contrast_factor: Factor):
        self.factor = contrast_factor

    def _other(self, value):
        cv2 = opencv()
        mean = cv2.mean(cv2.cvtColor(value, cv2.COLOR_RGB2GRAY))[0]
        return np.full_like(value, mean if value.dtype.kind == "f" else int(mean + 0.5))


class AdjustSaturation(_ByFactor):
    """Adjusts saturation: blends an image with its grayscale image; 0 gives grayscale, 1 the image.

    Args:
        saturation_factor (float): the factor.
    Source: mindspore.dataset.vision.AdjustSaturation
    """

    _enhancer = "Color"

    def __init__(self, saturation_factor: Factor):
        self.factor = saturation_factor

    def _other(self, value):
        cv2 = opencv()
        return cv2.cvtColor(cv2.cvtColor(value, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)


class AdjustSharpness(_ByFactor):
    """Adjusts sharpness: blends an image with a smoothed one; 0 gives the smoothed, 1 the image.

    Args:
        sharpness_factor (float): the factor.
    Source: mindspore.dataset.vision.AdjustSharpness
    """

    _enhancer = "Sharpness"
    _kernel = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / 13

    def __init__(self, sharpness_factor: Factor):
        self.factor = sharpness_factor

    def _other(self, value):
        smooth = value.copy()
        smooth[1:-1, 1:-1] = opencv().filter2D(value, -1, self._kernel).reshape(value.shape)[1:-1, 1:-1]
        return smooth


def _hue(value, arg_name, owner):
    if not -0.5 <= check.number(value, arg_name, owner) <= 0.5:
        refuse(ValueError, owner, arg_name, "in the range [-0.5, 0.5]", value)
    return float(value)


class AdjustHue(ImageTransform):
    """Adjusts hue: rotates the hues of an image.

    Args:
        hue_factor (float): the rotation, from -0.5 to 0.5 turns.
    Source: mindspore.dataset.vision.AdjustHue
    """

    def __init__(self, hue_factor: Static(_hue, int, float)):
        self.factor = hue_factor

    def _apply(self, value):
        cv2 = opencv()
        hsv = cv2.cvtColor(value, cv2.COLOR_RGB2HSV_FULL)
        if value.dtype == np.uint8:
            hsv[:, :, 0] += np.uint8(int(self.factor * 255) % 256)
        else:
            hsv[:, :, 0] = (hsv[:, :, 0] + np.float32(self.factor * 360)) % 360
        return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB_FULL)

    def _apply_pil(self, value):
        if value.mode in ("L", "1", "I", "F"):
            return value
        hue, saturation, brightness = value.convert("HSV").split()
        turned = np.asarray(hue) + np.uint8(int(self.factor * 255) % 256)
        planes = (pillow().Image.fromarray(turned), saturation, brightness)
        return pillow().Image.merge("HSV", planes).convert(value.mode)


class AdjustGamma(ImageTransform):
    """Gamma correction: ``255 * gain * (image / 255) ** gamma``.

    Args:
        gamma (float): the exponent.
        gain (float): the factor. Default: ``1``.
    Source: mindspore.dataset.vision.AdjustGamma
    """

    def __init__(self, gamma: Factor, gain: Real = 1):
        self.gamma, self.gain = gamma, gain

    def _apply(self, value):
        if value.dtype.kind == "f":
            return np.clip(self.gain * value.astype(np.float32) ** self.gamma, 0, 1).astype(np.float32)
        if value.dtype != np.uint8:
            return np.clip((255 + 1 - 1e-3) * self.gain * (value / 255) ** self.gamma, 0, 255).astype(value.dtype)
        return np.clip(self._table(), 0, 255).astype(np.uint8)[value]

    def _table(self):
        return (255 + 1 - 1e-3) * self.gain * (np.arange(256) / 255) ** self.gamma

    def _apply_pil(self, value):
        bands = len(value.getbands())
        if bands not in (1, 3):  # images with alpha and CMYK images are returned unchanged, as in MindSpore
            return value
        return value.point([int(each) for each in np.clip(self._table(), 0, 255)] * bands)


class RandomAdjustSharpness(RandomlyApplied):
    """`AdjustSharpness` with the probability ``prob``.

    Args:
        degree (float): the factor.
        prob (float): the probability. Default: ``0.5``.
    Source: mindspore.dataset.vision.RandomAdjustSharpness
    """

    def __init__(self, degree: Factor, prob: Probability = 0.5):
        self.prob, self.transform = prob, AdjustSharpness(degree)


class _RandomFactor(ImageTransform):
    """An adjustment by a random factor; a subclass has ``_adjustment(draws)``, the transform with a drawn factor."""

    _adjustment: Any

    def __init__(self, degrees: FactorRange = (0.1, 1.9)):
        self.degrees = degrees

    def _apply(self, value):
        return self._adjustment(self._draws())(value)

    def _apply_pil(self, value):
        return self._adjustment(self._draws(in_python=True))._apply_pil(value)


class RandomSharpness(_RandomFactor):
    """`AdjustSharpness` by a random factor.

    Args:
        degrees (list[float] | tuple[float]): the smallest and the largest. Default: ``(0.1, 1.9)``.
    Source: mindspore.dataset.vision.RandomSharpness
    """

    def _adjustment(self, draws):
        return AdjustSharpness(draws.about_middle(*self.degrees))


class RandomColor(_RandomFactor):
    """`AdjustSaturation` by a random factor; arguments as for `RandomSharpness`.

    Source: mindspore.dataset.vision.RandomColor
    """

    def _adjustment(self, draws):
        return AdjustSaturation(draws.uniform(*self.degrees))


def _hues(value, arg_name, owner):
    pair: Any = value if isinstance(value, (list, tuple)) and len(value) == 2 else (None, value)
    low, high = pair
    low = -high if low is None else low
    if isinstance(value, (int, float)) and value < 0:
        refuse(ValueError, owner, arg_name, "non-negative, or two numbers", value)
    for each in (low, high):
        _hue(each, arg_name, owner)
    if low > high:
        refuse(ValueError, owner, arg_name, "the smallest and the largest, in this order", value)
    return (float(low), float(high))


class RandomColorAdjust(ImageTransform):
    """Adjusts brightness, contrast, saturation and hue by random factors, in random order.

    Args:
        brightness, contrast, saturation (float | tuple[float]): the smallest and largest factor, or the largest
            distance from 1. Default: ``(1, 1)``.
        hue (float | tuple[float]): the smallest and the largest, or the largest distance from 0. Default: ``(0, 0)``.
    Source: mindspore.dataset.vision.RandomColorAdjust
    """

    def __init__(
        self,
        brightness: Factors = (1, 1),
        contrast: Factors = (1, 1),
        saturation: Factors = (1, 1),
        hue: Static(_hues, int, float, list, tuple) = (0, 0),
    ):
        ranges = (brightness, contrast, saturation, hue)
        kinds = (AdjustBrightness, AdjustContrast, AdjustSaturation, AdjustHue)
        neutral = ((1, 1), (1, 1), (1, 1), (0, 0))
        self.every = list(zip(kinds, ranges, strict=True))
        self.steps = [(kind, each) for (kind, each), same in zip(self.every, neutral, strict=True) if each != same]

    def _apply(self, value):
        draws = self._draws()
        for step in draws.shuffled(self.every):
            if step in self.steps:
                kind, (low, high) = step
                value = kind(draws.uniform(low, high))(value)
        return value

    def _apply_pil(self, value):
        draws = self._draws(in_python=True)
        adjustments = [kind(draws.uniform(low, high)) for kind, (low, high) in self.every]
        for adjust in draws.shuffled(adjustments):  # a rotation by 0 still rounds, as in MindSpore
            value = adjust(value)
        return value
