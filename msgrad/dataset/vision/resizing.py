"""Resizing, and crops that resize."""

import math

import numpy as np

from ..._contracts.contracts import NonNegativeInt, PositiveInt
from .._pipeline.failures import broken
from ._libraries import opencv, pillow
from .base import ImageTransform, Interpolation, Range, Size
from .enums import Inter


def resized(value, size, mode):
    """Resizes an array.

    Args:
        value (numpy.ndarray): height, width, channels; leading axes are a batch.
        size (tuple of int): height, width.
        mode (Inter): the interpolation.
    """
    if value.ndim > 3:
        parts = [resized(each, size, mode) for each in value.reshape(-1, *value.shape[-3:])]
        return np.stack(parts).reshape(*value.shape[:-3], *parts[0].shape)
    if value.shape[:2] == size:
        return value
    if mode == Inter.PILCUBIC:
        if value.ndim != 3 or value.shape[2] != 3 or value.dtype != np.uint8:
            raise broken("Resize", f"PILCUBIC takes 3 channels of uint8, but got {value.dtype} of shape {value.shape}")
        kind, image = pillow().Image.Resampling.BICUBIC, pillow().Image.fromarray(value)
        wide = image.resize((size[1], value.shape[0]), kind)  # in this order, instead of Pillow's choice
        return np.array(wide.resize(size[::-1], kind))
    cv2 = opencv()
    result = cv2.resize(value, size[::-1], interpolation=flag(mode))
    return result if result.ndim == value.ndim else result[:, :, None]


def flag(mode):
    """OpenCV's flag of an interpolation, for arrays."""
    cv2 = opencv()
    if mode == Inter.ANTIALIAS:
        raise broken("Resize", "the interpolation ANTIALIAS is none for an array")
    return {
        Inter.NEAREST: cv2.INTER_NEAREST,
        Inter.CUBIC: cv2.INTER_CUBIC,
        Inter.AREA: cv2.INTER_AREA,
    }.get(mode, cv2.INTER_LINEAR)


def resampling(mode):
    """Pillow's constant of an interpolation, for Pillow images."""
    kinds = pillow().Image.Resampling
    return {
        Inter.NEAREST: kinds.NEAREST,
        Inter.LINEAR: kinds.BILINEAR,
        Inter.CUBIC: kinds.BICUBIC,
        Inter.ANTIALIAS: kinds.LANCZOS,
    }[mode]


def scaled(height, width, size):
    """The height and width of an image after resizing to ``size`` (an int for the shorter side; or both)."""
    if not isinstance(size, int):
        return size
    if height < width:
        return size, int(size / height * width)
    return int(size / width * height), size


class Resize(ImageTransform):
    """Resizes an image.

    Args:
        size (int | tuple[int]): height and width; one int for the shorter side, keeping the aspect ratio.
        interpolation (Inter): the interpolation. Default: ``Inter.LINEAR``.
    Raises:
        TypeError, ValueError: for other arguments.
    Source: mindspore.dataset.vision.Resize
    """

    def __init__(self, size: Size, interpolation: Interpolation = Inter.LINEAR):
        self.size, self.interpolation = size, interpolation

    def _apply(self, value):
        height, width = value.shape[:2] if value.ndim < 4 else value.shape[-3:-1]
        return resized(value, scaled(height, width, self.size), self.interpolation)

    def _apply_pil(self, value):
        height, width = scaled(value.height, value.width, self.size)
        if isinstance(self.size, int) and min(value.size) == self.size:
            return value
        return value.resize((width, height), resampling(self.interpolation))


MODES = (Inter.LINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)  # in the order in which MindSpore draws them


class RandomResize(ImageTransform):
    """`Resize` with an interpolation drawn at random.

    Args:
        size (int | tuple[int]): as for `Resize`.
    Source: mindspore.dataset.vision.RandomResize
    """

    def __init__(self, size: Size):
        self.transforms = [Resize(size, mode) for mode in MODES]

    _has_choice = True

    def _chosen(self, first, *other_images):
        return self._draws().choice(self.transforms)

    def _applied(self, value, choice):
        return choice(value)


class ResizedCrop(ImageTransform):
    """Crops an image and resizes the crop.

    Args:
        top, left, height, width (int): the crop.
        size (int | tuple[int]), interpolation (Inter): as for `Resize`, one int for a square.
    Source: mindspore.dataset.vision.ResizedCrop
    """

    def __init__(
        self,
        top: NonNegativeInt,
        left: NonNegativeInt,
        height: PositiveInt,
        width: PositiveInt,
        size: Size,
        interpolation: Interpolation = Inter.BILINEAR,
    ):
        self.box = top, left, height, width
        self.size = (size, size) if isinstance(size, int) else size
        self.interpolation = interpolation

    def _apply(self, value):
        top, left, height, width = self.box
        if top + height > value.shape[0] or left + width > value.shape[1]:
            self._fail(f"the part {self.box} is not within the image of the shape {value.shape}.")
        return resized(value[top : top + height, left : left + width], self.size, self.interpolation)


class RandomResizedCrop(ImageTransform):
    """Crops a random area with a random aspect ratio and resizes it.

    Args:
        size (int | tuple[int]): of the result; one int for a square.
        scale (tuple[float]): the smallest and largest area, as fractions of the image. Default: ``(0.08, 1.0)``.
        ratio (tuple[float]): the smallest and largest aspect ratio. Default: ``(3 / 4, 4 / 3)``.
        interpolation (Inter): the interpolation. Default: ``Inter.BILINEAR``.
        max_attempts (int): the number of crops to try before using the largest center crop. Default: ``10``.
    Source: mindspore.dataset.vision.RandomResizedCrop
    """

    def __init__(
        self,
        size: Size,
        scale: Range = (0.08, 1.0),
        ratio: Range = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Interpolation = Inter.BILINEAR,
        max_attempts: PositiveInt = 10,
    ):
        self.size = (size, size) if isinstance(size, int) else size
        self.scale, self.ratio, self.interpolation, self.max_attempts = scale, ratio, interpolation, max_attempts

    _has_choice = True

    def _chosen(self, first, *other_images):
        self._check_one_size(first, *other_images)
        return self._part(*(first.shape[:2] if first.ndim < 4 else first.shape[-3:-1]))

    def _applied(self, value, choice):
        top, left, height, width = choice
        part = (slice(top, top + height), slice(left, left + width))
        return resized(value[part if value.ndim < 4 else (..., *part, slice(None))], self.size, self.interpolation)

    def _apply_pil(self, value):
        top, left, height, width = self._part_in_python(value.height, value.width)
        part = value.crop((left, top, left + width, top + height))
        return part.resize(self.size[::-1], resampling(self.interpolation))

    def _part(self, height, width):
        """The top, left, height and width of the crop of an image of this height and width."""
        draws, logarithms = self._draws(), [math.log(each) for each in self.ratio]
        for _ in range(self.max_attempts):
            area, ratio = height * width * draws.uniform(*self.scale), math.exp(draws.uniform(*logarithms))
            wide = _rounded(math.sqrt(area * ratio))
            wide, high = max(wide, 1), max(_rounded(wide / ratio), 1)
            if wide <= width and high <= height:
                left = draws.integer(0, width - wide)
                return draws.integer(0, height - high), left, high, wide
        minimum, maximum = self.ratio
        high = max(_rounded(width / minimum), 1) if width / height < minimum else height
        wide = max(_rounded(height * maximum), 1) if width / height > maximum else width
        return _rounded((height - high) / 2), _rounded((width - wide) / 2), high, wide

    def _part_in_python(self, height, width):
        """As `part`, for a Pillow image: corners are drawn in another order, and halves are rounded to even."""
        draws, logarithms = self._draws(in_python=True), [math.log(each) for each in self.ratio]
        for _ in range(self.max_attempts):
            area, ratio = draws.uniform(*self.scale) * (width * height), math.exp(draws.uniform(*logarithms))
            wide = round(math.sqrt(area * ratio))
            high = round(wide / ratio)
            if 0 < wide <= width and 0 < high <= height:
                return draws.integer(0, height - high), draws.integer(0, width - wide), high, wide
        minimum, maximum = self.ratio
        high = round(width / minimum) if width / height < minimum else height
        wide = round(height * maximum) if width / height > maximum else width
        return round((height - high) / 2), round((width - wide) / 2), high, wide


def _rounded(value):
    """A non-negative float rounded to the nearest int, halves up."""
    return math.floor(value + 0.5)
