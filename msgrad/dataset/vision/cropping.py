"""Crops and padding. Arrays need only NumPy; Pillow images need Pillow."""

import functools
from typing import Any

import numpy as np

from ..._contracts.check import non_negative_int
from ..._contracts.choices import Instance
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.kinds import Static
from ...engine.refusal import refuse, require
from ._libraries import pillow
from .base import BorderMode, Fill, ImageTransform, Margins, Size, saturated
from .enums import Border, SliceMode
from .flipping import HorizontalFlip, VerticalFlip

_NUMPY: dict[Any, Any] = {Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


def padded(value, margins, fill=(0, 0, 0), mode=Border.CONSTANT):
    """Pads an array.

    Args:
        value (numpy.ndarray): the image.
        margins (tuple of int): left, top, right, bottom.
        fill (tuple of int): the constant padding value of each channel.
        mode (Border): the padding mode.
    """
    left, top, right, bottom = margins
    if mode != Border.CONSTANT:
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (value.ndim - 2)
        return np.pad(value, widths, _NUMPY[mode])
    height, width = value.shape[:2]
    result = np.empty((height + top + bottom, width + left + right, *value.shape[2:]), value.dtype)
    fill = _filling(tuple(fill), value.dtype)
    result[...] = fill[0] if value.ndim == 2 or value.shape[2] != 3 else fill
    result[top : top + height, left : left + width] = value
    return result


@functools.lru_cache(64)
def _filling(values, dtype):
    return saturated(np.float64(values), dtype)


def padded_pil_image(value, margins, fill, mode):
    """As `padded`, for a Pillow image."""
    if mode == Border.CONSTANT:
        fill = fill if value.mode not in ("L", "1") else fill[0]
        return pillow().ImageOps.expand(value, border=margins, fill=fill)
    return pillow().Image.fromarray(padded(np.asarray(value), margins, fill, mode))


class Crop(ImageTransform):
    """Crops an image.

    Args:
        coordinates (tuple[int]): top and left of the crop.
        size (int | tuple[int]): its height and width; one int for a square.
    Raises:
        RuntimeError: if the crop is not within the image.
    Source: mindspore.dataset.vision.Crop
    """

    def __init__(self, coordinates, size: Size):
        if len(require(coordinates, (tuple, list), "Crop", "coordinates")) != 2:
            refuse(TypeError, "Crop", "coordinates", "the top and the left", coordinates)
        self.top, self.left = (non_negative_int(each, "coordinates", "Crop") for each in coordinates)
        self.height, self.width = (size, size) if isinstance(size, int) else size

    def _apply(self, value):
        bottom, right = self.top + self.height, self.left + self.width
        if bottom > value.shape[0] or right > value.shape[1]:
            self._fail(f"the part ends at ({bottom}, {right}), but the image has the shape {value.shape}.")
        return value[self.top : bottom, self.left : right].copy()


class CenterCrop(ImageTransform):
    """Center crop; a smaller image is padded with black.

    Args:
        size (int | tuple[int]): height and width; one int for a square.
    Source: mindspore.dataset.vision.CenterCrop
    """

    def __init__(self, size: Size):
        self.height, self.width = (size, size) if isinstance(size, int) else size

    def _apply(self, value):
        missing = max(0, self.height - value.shape[0]), max(0, self.width - value.shape[1])
        if any(missing):
            if value.ndim == 3 and value.shape[2] not in (1, 3):
                self._fail(f"an image with margins must have 1 or 3 channels, but got the shape {value.shape}.")
            top, left = -(-missing[0] // 2), -(-missing[1] // 2)
            value = padded(value, (left, top, missing[1] - left, missing[0] - top))
        top, left = (value.shape[0] - self.height) // 2, (value.shape[1] - self.width) // 2
        return value[top : top + self.height, left : left + self.width].copy()

    def _apply_pil(self, value):
        top, left = round((value.height - self.height) / 2), round((value.width - self.width) / 2)
        return value.crop((left, top, left + self.width, top + self.height))


class FiveCrop(ImageTransform):
    """Crops the four corners and the center of an image, as a tuple.

    Args:
        size (int | tuple[int]): height and width of each; one int for a square.
    Raises:
        ValueError: if the image is smaller.
    Source: mindspore.dataset.vision.FiveCrop
    """

    _is_python = True

    def __init__(self, size: Size):
        self.height, self.width = (size, size) if isinstance(size, int) else size
        self._middle = CenterCrop(size)

    def _apply_pil(self, value):
        if self.height > value.height or self.width > value.width:
            size = (value.height, value.width)
            refuse(
                ValueError, type(self).__name__, "size", f"at most that of the image, {size}", (self.height, self.width)
            )
        right, bottom = value.width - self.width, value.height - self.height
        corners = [(left, top) for top in (0, bottom) for left in (0, right)]
        parts = [value.crop((left, top, left + self.width, top + self.height)) for left, top in corners]
        return (*parts, self._middle._apply_pil(value))


class TenCrop(FiveCrop):
    """`FiveCrop` of an image and of its flipped copy, as a tuple.

    Args:
        size (int | tuple[int]): as for `FiveCrop`.
        use_vertical_flip (bool): whether to flip vertically instead of horizontally. Default: ``False``.
    Source: mindspore.dataset.vision.TenCrop
    """

    def __init__(self, size: Size, use_vertical_flip: Bool = False):
        super().__init__(size)
        self._flip = VerticalFlip() if use_vertical_flip else HorizontalFlip()

    def _apply_pil(self, value):
        return (*super()._apply_pil(value), *super()._apply_pil(self._flip._apply_pil(value)))


class Pad(ImageTransform):
    """Pads an image.

    Args:
        padding (int | list[int] | tuple[int]): one width for all sides; (left and right, top and bottom); or (left,
            top, right, bottom).
        fill_value (int | tuple[int]): the constant padding value. Default: ``0``.
        padding_mode (Border): the padding mode. Default: ``Border.CONSTANT``.
    Source: mindspore.dataset.vision.Pad
    """

    def __init__(self, padding: Margins, fill_value: Fill = 0, padding_mode: BorderMode = Border.CONSTANT):
        self.padding, self.fill_value, self.padding_mode = padding, fill_value, padding_mode

    def _apply(self, value):
        return padded(value, self.padding, self.fill_value, self.padding_mode)

    def _apply_pil(self, value):
        return padded_pil_image(value, self.padding, self.fill_value, self.padding_mode)


class PadToSize(ImageTransform):
    """Pads an image to a size.

    Args:
        size (int | tuple[int]): height and width; one int for a square.
        offset (int | tuple[int]): the top and left padding. Default: ``None``, half of the padding.
        fill_value, padding_mode: as for `Pad`.
    Raises:
        RuntimeError: if the image is larger.
    Source: mindspore.dataset.vision.PadToSize
    """

    def __init__(self, size: Size, offset=None, fill_value: Fill = 0, padding_mode: BorderMode = Border.CONSTANT):
        self.height, self.width = (size, size) if isinstance(size, int) else size
        if isinstance(offset, int):
            offset = (offset, offset)
        self.offset = None if not offset else tuple([non_negative_int(each, "offset", "PadToSize") for each in offset])
        self.fill_value, self.padding_mode = fill_value, padding_mode

    def _apply(self, value):
        down, across = self.height - value.shape[0], self.width - value.shape[1]
        top, left = self.offset or (down // 2, across // 2)
        if min(down - top, across - left) < 0:
            self._fail(f"the image of the shape {value.shape} does not fit into {(self.height, self.width)}.")
        return padded(value, (left, top, across - left, down - top), self.fill_value, self.padding_mode)


class RandomCrop(ImageTransform):
    """Random crop.

    Args:
        size (int | tuple[int]): height and width; one int for a square.
        padding (int | list[int] | tuple[int]): padding before the crop, as for `Pad`. Default: ``None``.
        pad_if_needed (bool): whether to pad a smaller image. Default: ``False``.
        fill_value, padding_mode: as for `Pad`.
    Raises:
        RuntimeError: if the image is smaller.
    Source: mindspore.dataset.vision.RandomCrop
    """

    def __init__(
        self,
        size: Size,
        padding: Margins | None = None,
        pad_if_needed: Bool = False,
        fill_value: Fill = 0,
        padding_mode: BorderMode = Border.CONSTANT,
    ):
        self.height, self.width = (size, size) if isinstance(size, int) else size
        self.padding, self.pad_if_needed = padding, pad_if_needed
        self.fill_value, self.padding_mode = fill_value, padding_mode

    _has_choice = True

    def _chosen(self, first, *other_images):
        self._check_one_size(first, *other_images)
        height, width = first.shape[:2]
        for left, top, right, bottom in self._margins(height, width):
            height, width = height + top + bottom, width + left + right
        return self._corner(height, width)

    def _applied(self, value, choice):
        for margins in self._margins(*value.shape[:2]):
            value = padded(value, margins, self.fill_value, self.padding_mode)
        top, left = choice
        return value[top : top + self.height, left : left + self.width].copy()

    def _apply_pil(self, value):
        for margins in self._margins(value.height, value.width):
            value = padded_pil_image(value, margins, self.fill_value, self.padding_mode)
        if self.height > value.height or self.width > value.width:
            maximum = (value.height, value.width)
            refuse(ValueError, "RandomCrop", "size", f"at most that of the image, {maximum}", (self.height, self.width))
        top, left = self._corner(value.height, value.width, in_python=True)
        return value.crop((left, top, left + self.width, top + self.height))

    def _margins(self, height, width):
        """Yields the paddings to apply in turn to an image of this height and width."""
        if self.padding is not None:
            left, top, right, bottom = self.padding
            height, width = height + top + bottom, width + left + right
            yield self.padding
        if self.pad_if_needed and (height < self.height or width < self.width):
            down, across = max(0, self.height - height), max(0, self.width - width)
            yield across, down, across, down

    def _corner(self, height, width, in_python=False):
        """The top and left of the crop of an image of this height and width."""
        if self.height > height or self.width > width:
            size = (self.height, self.width)
            self._fail(f"the part of {size} is larger than the image of {(height, width)}: set pad_if_needed.")
        if (self.height, self.width) == (height, width):
            return 0, 0
        draws = self._draws(in_python)
        if in_python:
            return draws.integer(0, height - self.height), draws.integer(0, width - self.width)
        left = draws.integer(0, width - self.width)
        return draws.integer(0, height - self.height), left


def _byte(value, arg_name, owner):
    if not 0 <= non_negative_int(value, arg_name, owner) <= 255:
        refuse(ValueError, owner, arg_name, "in the range [0, 255]", value)
    return value


class SlicePatches(ImageTransform):
    """Splits an image into a tuple of patches, in row-major order.

    Args:
        num_height, num_width (int): the number of patches vertically and horizontally. Default: ``1``.
        slice_mode (SliceMode): whether the remainder is padded or dropped. Default: ``SliceMode.PAD``.
        fill_value (int): the padding value. Default: ``0``.
    Source: mindspore.dataset.vision.SlicePatches
    """

    def __init__(
        self,
        num_height: PositiveInt = 1,
        num_width: PositiveInt = 1,
        slice_mode: Instance(SliceMode) = SliceMode.PAD,
        fill_value: Static(_byte, int) = 0,
    ):
        self.num_height, self.num_width = num_height, num_width
        self.slice_mode, self.fill_value = slice_mode, fill_value

    def _apply(self, value):
        height, width = value.shape[:2]
        if self.num_height > height or self.num_width > width:
            self._fail(
                f"an image of the shape {value.shape} is smaller than {self.num_height} x {self.num_width} patches."
            )
        high, wide = height // self.num_height, width // self.num_width
        if self.slice_mode == SliceMode.PAD:
            high, wide = -(-height // self.num_height), -(-width // self.num_width)
            margins = (0, 0, wide * self.num_width - width, high * self.num_height - height)
            value = padded(value, margins, (self.fill_value,) * 3)
        corners = [(row * high, column * wide) for row in range(self.num_height) for column in range(self.num_width)]
        return tuple([value[top : top + high, left : left + wide].copy() for top, left in corners])
