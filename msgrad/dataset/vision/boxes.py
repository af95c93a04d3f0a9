"""Transforms of images with bounding boxes: two columns, the boxes as left, top, width, height, ...."""

from typing import Any

import numpy as np

from ..._contracts.contracts import Bool, PositiveInt
from .._pipeline.draws import within
from ..transforms.base import Transform
from ._accepted_images import ACCEPTED, AcceptedImages
from ._libraries import fail_as
from .base import BorderMode, Fill, Interpolation, Margins, Probability, Range, Size
from .cropping import RandomCrop, padded
from .enums import Border, Inter
from .flipping import mirrored
from .resizing import MODES, RandomResizedCrop, Resize, resized


class _WithBoxes(Transform):
    """The base of transforms of an image and its boxes."""

    _boxed: Any

    _accepted = AcceptedImages()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._accepted = ACCEPTED[cls.__name__]

    def __call__(self, image, boxes=None):
        if boxes is None:
            self._fail("it needs the image and its boxes: map(..., input_columns=['image', 'bbox']).")
        image, boxes = np.asarray(image), np.asarray(boxes)
        self._accepted.check(image, self)
        if boxes.ndim != 2 or boxes.shape[1] < 4 or not len(boxes) or boxes.dtype != np.float32:
            got = f"{boxes.dtype} of the shape {boxes.shape}"
            self._fail(f"boxes must be float32, rows of left, top, width and height, one at least, but got {got}.")
        height, width = image.shape[:2]
        left, top, wide, high = boxes[:, :4].T
        if (left < 0).any() or (top < 0).any() or (left + wide > width).any() or (top + high > height).any():
            self._fail(f"the boxes must lie within the image of the shape {image.shape}, but got {boxes.tolist()}.")
        try:
            result, boxes = self._boxed(image.view(np.uint8) if image.dtype == bool else image, boxes.copy())
        except Exception as error:
            fail_as(self, image, error)
        return result != 0 if image.dtype == bool and self._accepted.is_bool else result, boxes


def cut(boxes, top, left, height, width):
    """Clips boxes to a part of the image, in its coordinates; boxes outside are dropped."""
    ends = np.minimum(boxes[:, :2] + boxes[:, 2:4], [left + width, top + height])
    starts = np.maximum(boxes[:, :2], [left, top])
    inside = (ends >= starts).all(1)
    boxes = boxes[inside]
    boxes[:, :2], boxes[:, 2:4] = (starts - [left, top])[inside], (ends - starts)[inside]
    return boxes


def scale(boxes, before, after):
    """Scales boxes for an image resized from the shape ``before`` to ``after``."""
    across, down = after[1] / before[1], after[0] / before[0]
    boxes[:, :4] = boxes[:, :4] * [across, down, across, down]
    return boxes


class RandomHorizontalFlipWithBBox(_WithBoxes):
    """Random horizontal flip of an image and its boxes, with probability ``prob`` (float, default ``0.5``).

    Source: mindspore.dataset.vision.RandomHorizontalFlipWithBBox
    """

    def __init__(self, prob: Probability = 0.5):
        self.prob = prob

    def _boxed(self, image, boxes):
        if not self._draws().chance(self.prob):
            return image, boxes
        boxes[:, 0] = image.shape[1] - boxes[:, 0] - boxes[:, 2]
        return mirrored(image), boxes


class RandomVerticalFlipWithBBox(_WithBoxes):
    """Random vertical flip of an image and its boxes, with probability ``prob`` (float, default ``0.5``).

    Source: mindspore.dataset.vision.RandomVerticalFlipWithBBox
    """

    def __init__(self, prob: Probability = 0.5):
        self.prob = prob

    def _boxed(self, image, boxes):
        if not self._draws().chance(self.prob):
            return image, boxes
        boxes[:, 1] = image.shape[0] - boxes[:, 1] - boxes[:, 3]
        return np.ascontiguousarray(image[::-1]), boxes


class ResizeWithBBox(_WithBoxes):
    """`Resize` of an image and its boxes, with the same arguments.  Source: mindspore.dataset.vision.ResizeWithBBox"""

    def __init__(self, size: Size, interpolation: Interpolation = Inter.BILINEAR):
        self.resize = Resize(size, interpolation)

    def _boxed(self, image, boxes):
        result = self.resize(image)
        return result, scale(boxes, image.shape, result.shape)


class RandomResizeWithBBox(_WithBoxes):
    """`RandomResize` of an image and its boxes.  Source: mindspore.dataset.vision.RandomResizeWithBBox"""

    def __init__(self, size: Size):
        self.transforms = [Resize(size, mode) for mode in MODES]

    def _boxed(self, image, boxes):
        result = self._draws().choice(self.transforms)(image)
        return result, scale(boxes, image.shape, result.shape)


class RandomCropWithBBox(_WithBoxes):
    """`RandomCrop` of an image and its boxes, with the same arguments.

    Source: mindspore.dataset.vision.RandomCropWithBBox
    """

    def __init__(
        self,
        size: Size,
        padding: Margins | None = None,
        pad_if_needed: Bool = False,
        fill_value: Fill = 0,
        padding_mode: BorderMode = Border.CONSTANT,
    ):
        self.crop = RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)

    def _boxed(self, image, boxes):
        crop = self.crop
        for margins in crop._margins(*image.shape[:2]):
            image = padded(image, margins, crop.fill_value, crop.padding_mode)
            boxes[:, :2] += np.asarray(margins[:2], boxes.dtype)
        top, left = crop._corner(*image.shape[:2])
        part = image[top : top + crop.height, left : left + crop.width].copy()
        return part, cut(boxes, top, left, crop.height, crop.width)


class RandomResizedCropWithBBox(_WithBoxes):
    """`RandomResizedCrop` of an image and its boxes, with the same arguments.

    Source: mindspore.dataset.vision.RandomResizedCropWithBBox
    """

    def __init__(
        self,
        size: Size,
        scale: Range = (0.08, 1.0),
        ratio: Range = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Interpolation = Inter.BILINEAR,
        max_attempts: PositiveInt = 10,
    ):
        self.crop = RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def _boxed(self, image, boxes):
        top, left, height, width = self.crop._part(*image.shape[:2])
        part = image[top : top + height, left : left + width]
        boxes = scale(cut(boxes, top, left, height, width), part.shape, self.crop.size)
        return resized(part, self.crop.size, self.crop.interpolation), boxes


class BoundingBoxAugment(_WithBoxes):
    """Applies a transform within randomly selected boxes.

    Args:
        transform (callable): a transform of an image that keeps its shape.
        ratio (float): the fraction of the boxes, from 0 to 1. Default: ``0.3``.
    Source: mindspore.dataset.vision.BoundingBoxAugment
    """

    def __init__(self, transform, ratio: Probability = 0.3):
        if not callable(transform):
            raise TypeError(f"For 'BoundingBoxAugment', the 'transform' must be a function, but got {transform!r}.")
        self.transform, self.ratio = transform, ratio

    def _boxed(self, image, boxes):
        image = image.copy()
        draws = self._draws()
        for box in boxes:
            if draws.uniform() >= self.ratio:
                continue
            left, top, wide, high = box[:4].astype(int)
            part = slice(top, top + high), slice(left, left + wide)
            changed = np.asarray(within(self.transform, image[part]))
            image[part] = (
                changed if changed.shape == image[part].shape else resized(changed, (high, wide), Inter.LINEAR)
            )
        return image, boxes
