"""Color spaces: grayscale, RGB and BGR, HSV; lighting."""

import numpy as np

from ..._contracts.choices import Instance, OneOf
from ...engine.refusal import refuse, require
from ._libraries import opencv, pillow
from .base import Factor, ImageTransform, Probability, saturated
from .enums import ConvertMode
from .flipping import RandomlyApplied


class Grayscale(ImageTransform):
    """Converts to grayscale.

    Args:
        num_output_channels (int): 1, or 3 equal ones. Default: ``1``.
    Source: mindspore.dataset.vision.Grayscale
    """

    _is_python = True

    def __init__(self, num_output_channels: OneOf(1, 3) = 1):
        self.num_output_channels = num_output_channels

    def _apply_pil(self, value):
        grey = value.convert("L")
        return grey if self.num_output_channels == 1 else pillow().Image.merge("RGB", [grey] * 3)


class RandomGrayscale(RandomlyApplied):
    """Converts to grayscale with probability ``prob`` (float, default ``0.1``), keeping the number of channels.

    Source: mindspore.dataset.vision.RandomGrayscale
    """

    _is_python = True

    def __init__(self, prob: Probability = 0.1):
        self.prob, self.transform = prob, Grayscale(3)

    def _apply_pil(self, value):
        return value if value.mode == "L" else super()._apply_pil(value)


_CONVERSIONS = {
    ConvertMode.COLOR_BGR2BGRA: "COLOR_BGR2BGRA",
    ConvertMode.COLOR_BGRA2BGR: "COLOR_BGRA2BGR",
    ConvertMode.COLOR_BGR2RGBA: "COLOR_BGR2RGBA",
    ConvertMode.COLOR_RGBA2BGR: "COLOR_RGBA2BGR",
    ConvertMode.COLOR_BGR2RGB: "COLOR_BGR2RGB",
    ConvertMode.COLOR_BGRA2RGBA: "COLOR_BGRA2RGBA",
    ConvertMode.COLOR_BGR2GRAY: "COLOR_BGR2GRAY",
    ConvertMode.COLOR_RGB2GRAY: "COLOR_RGB2GRAY",
    ConvertMode.COLOR_GRAY2BGR: "COLOR_GRAY2BGR",
    ConvertMode.COLOR_GRAY2BGRA: "COLOR_GRAY2BGRA",
    ConvertMode.COLOR_BGRA2GRAY: "COLOR_BGRA2GRAY",
    ConvertMode.COLOR_RGBA2GRAY: "COLOR_RGBA2GRAY",
}


class ConvertColor(ImageTransform):
    """Converts between color spaces.

    Args:
        convert_mode (ConvertMode): the conversion.
    Source: mindspore.dataset.vision.ConvertColor
    """

    def __init__(self, convert_mode: Instance(ConvertMode)):
        self.convert_mode = convert_mode

    def _apply(self, value):
        cv2 = opencv()
        return cv2.cvtColor(value, getattr(cv2, _CONVERSIONS[self.convert_mode]))


_LIGHTS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])


_LIGHTS_STRENGTH = np.array([55.46, 4.794, 1.148])  # eigenvalues and eigenvectors of ImageNet's colors


class RandomLighting(ImageTransform):
    """AlexNet-style lighting noise: adds a random color along the principal components of ImageNet's colors.

    Args:
        alpha (float): the standard deviation of the noise. Default: ``0.05``.
    Source: mindspore.dataset.vision.RandomLighting
    """

    def __init__(self, alpha: Factor = 0.05):
        self.alpha = alpha

    def _apply(self, value):
        return saturated(value + self._light(self._draws()), value.dtype)

    def _apply_pil(self, value):
        lit = np.asarray(value.convert("RGB")) + self._light(self._draws(in_python=True))
        return pillow().Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8))

    def _light(self, draws):
        return _LIGHTS @ (_LIGHTS_STRENGTH * [draws.normal(0, self.alpha) for _ in range(3)])


class RgbToHsv(ImageTransform):
    """Converts RGB to HSV, both with values from 0 to 1.

    Args:
        is_hwc (bool): whether the channels are the last axis; otherwise the first of an image, or the second of a
            batch. Default: ``False``.
    Source: mindspore.dataset.vision.RgbToHsv
    """

    _is_python = True

    def __init__(self, is_hwc=False):
        self.axis = -1 if require(is_hwc, bool, type(self).__name__, "is_hwc") else -3

    def _apply(self, value):
        if value.ndim not in (3, 4) or value.shape[self.axis] != 3:
            refuse(TypeError, type(self).__name__, "image", "of three channels", value.shape)
        return np.stack(self._converted(*np.moveaxis(value.astype(np.float64), self.axis, 0)), self.axis)

    @staticmethod
    def _converted(red, green, blue):
        maximum, minimum = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
        spread = maximum - minimum
        safe = np.where(spread == 0, 1, spread)
        sixth = np.where(
            maximum == red,
            (green - blue) / safe % 6,
            np.where(maximum == green, (blue - red) / safe + 2, (red - green) / safe + 4),
        )
        return np.where(spread == 0, 0, sixth / 6 % 1), spread / np.where(maximum == 0, 1, maximum), maximum


class HsvToRgb(RgbToHsv):
    """Converts HSV to RGB, both with values from 0 to 1.

    Args:
        is_hwc (bool): as for `RgbToHsv`. Default: ``False``.
    Source: mindspore.dataset.vision.HsvToRgb
    """

    @staticmethod
    def _converted(hue, saturation, value):
        sector = np.floor(hue * 6)
        rest = hue * 6 - sector
        low, falling, rising = (
            value * (1 - saturation),
            value * (1 - saturation * rest),
            value * (1 - saturation * (1 - rest)),
        )
        sector = sector.astype(np.int64) % 6
        red = np.choose(sector, [value, falling, low, low, rising, value])
        green = np.choose(sector, [rising, value, value, falling, low, low])
        blue = np.choose(sector, [low, low, rising, value, value, falling])
        return red, green, blue
