"""Random erasing, CutOut, CutMix and MixUp of images."""

import math
from typing import Any

import numpy as np

from ..._contracts.choices import Instance
from ..._contracts.contracts import Bool, NonNegativeInt, PositiveInt, PositiveReal
from ...engine.refusal import refuse, require
from ..transforms.base import Transform
from ._accepted_images import ACCEPTED
from .base import Fill, ImageTransform, Probability, Range, saturated
from .enums import ImageBatchFormat


class Erase(ImageTransform):
    """Fills a rectangle with one color.

    Args:
        top, left, height, width (int): the rectangle.
        value (int | tuple[int]): the color. Default: ``0``.
        inplace (bool): whether to write to the input array. Default: ``False``.
    Source: mindspore.dataset.vision.Erase
    """

    def __init__(
        self,
        top: NonNegativeInt,
        left: NonNegativeInt,
        height: PositiveInt,
        width: PositiveInt,
        value: Fill = 0.0,
        inplace: Bool = False,
    ):
        self.part = slice(top, top + height), slice(left, left + width)
        self.value, self.inplace = value, inplace

    def _apply(self, value):
        if self.part[0].stop > value.shape[0] or self.part[1].stop > value.shape[1]:
            self._fail(
                f"the part ends at {(self.part[0].stop, self.part[1].stop)}, outside of the shape {value.shape}."
            )
        result = value if self.inplace else value.copy()
        result[self.part] = saturated(np.float64(self.value), value.dtype)
        return result


class CutOut(ImageTransform):
    """CutOut: sets random squares to black.

    Args:
        length (int): the side of a square.
        num_patches (int): the number of squares. Default: ``1``.
        is_hwc (bool): whether the channels are the last axis; otherwise the first. Default: ``True``.
    Raises:
        RuntimeError: if a square is larger than the image.
    Source: mindspore.dataset.vision.CutOut
    """

    def __init__(self, length: PositiveInt, num_patches: PositiveInt = 1, is_hwc: Bool = True):
        self.length, self.num_patches, self.is_hwc = length, num_patches, is_hwc

    def _apply(self, value):
        result, draws = value.copy(), self._draws()
        image = result if self.is_hwc or value.ndim == 2 else np.moveaxis(result, 0, 2)
        height, width = image.shape[:2]
        if self.length > height or self.length > width:
            self._fail(f"a square of {self.length} is larger than the image of {(height, width)}.")
        for _ in range(self.num_patches):
            # The square may lie partly or completely outside the image.
            top = draws.integer(0, height + self.length) - self.length
            left = draws.integer(0, width + self.length) - self.length
            image[max(0, top) : top + self.length, max(0, left) : left + self.length] = 0
        return result


class RandomErasing(Transform):
    """Random erasing: fills a random rectangle of an image, channels first, with probability ``prob``.

    Args:
        prob (float): the probability. Default: ``0.5``.
        scale (tuple[float]): the smallest and largest area, as fractions of the image. Default: ``(0.02, 0.33)``.
        ratio (tuple[float]): the smallest and largest aspect ratio. Default: ``(0.3, 3.3)``.
        value (int | str | tuple): the color, or ``'random'``. Default: ``0``.
        inplace (bool): whether to write to the input array. Default: ``False``.
        max_attempts (int): the number of rectangles to try before giving up. Default: ``10``.
    Source: mindspore.dataset.vision.RandomErasing
    """

    value: Any

    _is_python = True

    def __init__(
        self,
        prob: Probability = 0.5,
        scale: Range = (0.02, 0.33),
        ratio: Range = (0.3, 3.3),
        value=0,
        inplace: Bool = False,
        max_attempts: PositiveInt = 10,
    ):
        if isinstance(value, str) and value != "random":
            refuse(ValueError, "RandomErasing", "value", "an int, three ints or 'random'", value)
        self.prob, self.scale, self.ratio, self.max_attempts = prob, scale, ratio, max_attempts
        self.value = value if value == "random" else Fill.take(value, "value", "RandomErasing")
        self.inplace = inplace

    def _taken(self, value):
        return value

    def _apply(self, value):
        draws, result = self._draws(in_python=True), value
        if not draws.chance(self.prob):
            return value
        if require(value, np.ndarray, "RandomErasing", "image").ndim != 3:
            refuse(ValueError, "RandomErasing", "image", "of channels, height and width", value.shape)
        channels, height, width = value.shape
        for _ in range(self.max_attempts):
            area, ratio = draws.uniform(*self.scale) * (height * width), draws.uniform(*self.ratio)
            wide = round(math.sqrt(area * ratio))
            high = round(wide / ratio)
            if high < height and wide < width:
                result = value if self.inplace else value.copy()
                top, left = draws.integer(0, height - high), draws.integer(0, width - wide)
                result[:, top : top + high, left : left + wide] = self._colour(draws, channels, high, wide)
                break
        return result

    def _colour(self, draws, channels, high, wide):
        if self.value == "random":
            return draws.generator().standard_normal((channels, high, wide))
        if channels != 3 and len(set(self.value)) > 1:
            refuse(ValueError, "RandomErasing", "value", f"one number for {channels} channels", self.value)
        return np.reshape(self.value if channels == 3 else self.value[0], (-1, 1, 1))


class _Mixing(Transform):
    """The base of transforms that mix the images of a batch and their one-hot labels: two columns."""

    _mixed: Any

    _axes = (1, 3)  # possible channel axes

    def __call__(self, images, labels=None):
        if labels is None:
            self._fail("it needs the images and the labels: map(..., input_columns=['image', 'label']).")
        images, labels = np.asarray(images), np.asarray(labels)
        channels = [images.shape[axis] for axis in self._axes] if images.ndim == 4 else []
        if not {1, 3} & set(channels) or not images.size:
            self._fail(f"the images must be a batch, of 1 or 3 channels, but got the shape {images.shape}.")
        if images.dtype not in ACCEPTED["Crop"].dtypes:
            self._fail(f"the images must be of a dtype that OpenCV has, but got {images.dtype}.")
        if labels.ndim not in (2, 3) or len(labels) != len(images) or labels.dtype.kind not in "biuf":
            got = f"{labels.dtype} of the shape {labels.shape}"
            self._fail(f"the labels must be one-hot, of as many rows as images, but got {got}.")
        return self._mixed(images, labels.astype(np.float32), self._draws())


class MixUpBatch(_Mixing):
    """MixUp: blends each image of a batch with another, by a factor from a beta distribution.

    Args:
        alpha (float): of the distribution, above 0. Default: ``1.0``.
    Source: mindspore.dataset.vision.MixUpBatch
    """

    def __init__(self, alpha: PositiveReal = 1.0):
        self.alpha = alpha

    def _mixed(self, images, labels, draws):
        part = np.float32(draws.betas(self.alpha)())
        partners = draws.shuffled(range(len(images)))
        blended = float(part) * images + float(1 - part) * images[partners]
        return saturated(blended, images.dtype), (part * labels + (1 - part) * labels[partners]).astype(np.float32)


class CutMixBatch(_Mixing):
    """CutMix: replaces a random box of each image of a batch by that of another, with probability ``prob``.

    Args:
        image_batch_format (ImageBatchFormat): the position of the channel axis.
        alpha (float): of the beta distribution of the box's area. Default: ``1.0``.
        prob (float): the probability, for each image. Default: ``1.0``.
    Source: mindspore.dataset.vision.CutMixBatch
    """

    def __init__(
        self,
        image_batch_format: Instance(ImageBatchFormat),
        alpha: PositiveReal = 1.0,
        prob: Probability = 1.0,
    ):
        self.format, self.alpha, self.prob = image_batch_format, alpha, prob
        self._axes = (3,) if image_batch_format == ImageBatchFormat.NHWC else (1,)

    def _mixed(self, images, labels, draws):
        partners, share = draws.shuffled(range(len(images))), draws.betas(self.alpha)
        images, labels, before = images.copy(), labels.copy(), (images, labels)
        first = 1 if self.format == ImageBatchFormat.NHWC else 2
        height, width = images.shape[first : first + 2]
        for position, other in enumerate(partners):
            side = math.sqrt(np.float32(1) - np.float32(share()))
            if draws.double() >= self.prob:
                continue
            columns = _slice_around(draws.integer(0, width), int(width * side), width)
            rows = _slice_around(draws.integer(0, height), int(height * side), height)
            part = (rows, columns) if first == 1 else (slice(None), rows, columns)
            images[(position, *part)] = before[0][(other, *part)]
            fraction = 1 - (rows.stop - rows.start) * (columns.stop - columns.start) / (height * width)
            labels[position] = fraction * before[1][position] + (1 - fraction) * before[1][other]
        return images, labels


def _slice_around(middle, length, maximum):
    start, end = (min(max(each, 0), maximum - 1) for each in (middle - length // 2, middle + length // 2))
    return slice(start, start + min(max(end - start, 1), maximum - 1))


class MixUp(Transform):
    """MixUp: blends each image of a batch with the next one of the batch, or with the previous result.

    Args:
        batch_size (int): the batch size.
        alpha (float): of the beta distribution of the factors, one for each image.
        is_single (bool): whether to mix within a batch; otherwise with the previous result. Default: ``True``.
    Raises:
        ValueError: if images or labels are not a batch.
    Source: mindspore.dataset.vision.MixUp
    """

    _is_python = True

    def __init__(self, batch_size: PositiveInt, alpha: PositiveReal, is_single: Bool = True):
        self.batch_size, self.alpha, self.is_single = batch_size, alpha, is_single
        self._before: Any = None

    def __call__(self, image, label):
        batch = np.asarray(image), np.asarray(label)
        if self.is_single and batch[0].size and len(batch[0]) < self.batch_size:
            refuse(IndexError, "MixUp", "image", f"a batch of {self.batch_size} images", batch[0].shape)
        parts = self._draws(in_python=True).generator().beta(self.alpha, self.alpha, self.batch_size)
        if not self.is_single and self._before is None:
            self._before, parts = (0.0, 0.0), np.ones(self.batch_size)
        try:
            partners = [np.roll(each[: self.batch_size], -1, 0) for each in batch] if self.is_single else self._before
            factors = parts.reshape(-1, 1, 1, 1), parts.reshape(-1, 1)
            mixed = [
                part * value + (1 - part) * other for part, value, other in zip(factors, batch, partners, strict=True)
            ]
        except ValueError:
            expected = f"a batch of {self.batch_size} images with labels"
            refuse(ValueError, "MixUp", "image", expected, [each.shape for each in batch])
        if not self.is_single:
            self._before = mixed
        return tuple(mixed)
