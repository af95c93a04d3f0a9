"""Normalization and layout of images, with NumPy only."""

import numpy as np

from ..._contracts.choices import OneOf
from ..._contracts.contracts import Bool, Real
from ..._contracts.kinds import Static
from ...engine.refusal import refuse, require
from ..transforms.arrays import DataType, TypeCast
from ._libraries import pillow
from ._pointwise import PointwiseTransform
from .base import ImageTransform


def _statistics(value, arg_name, owner):
    values = require(value, (list, tuple), owner, arg_name)
    for each in values:
        if isinstance(each, bool) or not isinstance(each, (int, float)):
            refuse(TypeError, owner, arg_name, "made of numbers", value)
    return tuple(map(float, values))


Statistics = Static(_statistics, list, tuple)


class Normalize(PointwiseTransform):
    """Normalizes each channel: subtracts a mean and divides by a standard deviation.

    Args:
        mean, std (list | tuple): of each channel, or one for all; up to 255, the deviations above 0.
        is_hwc (bool): whether the channels are the last axis; otherwise the first. Default: ``True``.
    Returns:
        numpy.ndarray, of float32.
    Raises:
        TypeError, ValueError: for other arguments.  RuntimeError: if their number is not that of the channels.
    Example:
        >>> normalize = mindspore.dataset.vision.Normalize(mean=[100.0], std=[50.0])
        >>> normalize(np.array([[50, 200]], np.uint8)).tolist()
        [[-1.0, 2.0]]
    Source: mindspore.dataset.vision.Normalize
    """

    def __init__(self, mean: Statistics, std: Statistics, is_hwc: Bool = True):
        _check_statistics(mean, std, type(self).__name__)
        self.mean, self.std, self.is_hwc = mean, std, is_hwc
        self._spread = {}

    def _apply(self, value):
        channels = self._channels(value)
        mean, std, shape = self._parameters(value.shape, channels)
        result = np.subtract(value.reshape(shape), mean, dtype=np.float32)
        return np.divide(result, std, out=result).reshape(value.shape)

    def _layout_after(self, layout):
        return layout if self.is_hwc == (layout == "HWC") else None

    def _channels(self, value):
        """The number of channels of an image; raises unless there are as many means."""
        channels = 1 if value.ndim == 2 else value.shape[2 if self.is_hwc else 0]
        if len(self.mean) not in (1, channels):
            self._fail(f"there are {len(self.mean)} means, but the image has {channels} channels.")
        return channels

    def _parameters(self, shape, channels):
        """The means and deviations as rows as long as the image's, which NumPy works on faster than on three

        numbers.
        """
        if shape not in self._spread:
            mean, std = (np.broadcast_to(np.float32(each), channels) for each in (self.mean, self.std))
            if self.is_hwc or len(shape) == 2:
                width = shape[1]
                self._spread[shape] = np.tile(mean, width), np.tile(std, width), (shape[0], width * channels)
            else:
                self._spread[shape] = mean[:, None, None], std[:, None, None], shape
        return self._spread[shape]


class NormalizePad(Normalize):
    """As `Normalize`, and adds a channel of zeros.

    Args:
        mean, std, is_hwc: as for `Normalize`.
        dtype (str): of the result, ``'float32'`` or ``'float16'``. Default: ``'float32'``.
    Source: mindspore.dataset.vision.NormalizePad
    """

    def __init__(
        self, mean: Statistics, std: Statistics, dtype: OneOf("float32", "float16") = "float32", is_hwc: Bool = True
    ):
        super().__init__(mean, std, is_hwc)
        self.dtype = np.dtype(dtype)

    def _apply(self, value):
        axis = 2 if self.is_hwc else 0
        if value.ndim == 2:
            if not self.is_hwc:
                self._fail(f"an image with the channels first has three axes, but got the shape {value.shape}.")
            value = value[:, :, None]
        result = super()._apply(value)
        more = np.zeros_like(np.take(result, [0], axis))
        return np.concatenate([result, more], axis).astype(self.dtype, copy=False)


class Rescale(PointwiseTransform):
    """``image * rescale + shift``, in float32.

    Args:
        rescale, shift (float): the factor, and what is added.
    Source: mindspore.dataset.vision.Rescale
    """

    def __init__(self, rescale: Real, shift: Real):
        self.rescale, self.shift = np.float32(rescale), np.float32(shift)

    def _apply(self, value):
        result = np.multiply(value, self.rescale, dtype=np.float32)
        return np.add(result, self.shift, out=result) if self.shift else result

    def _layout_after(self, layout):
        return layout


class HWC2CHW(PointwiseTransform):
    """Moves the channel axis to the front; an image without one is returned unchanged.

    Source: mindspore.dataset.vision.HWC2CHW
    """

    def _apply(self, value):
        return value if value.ndim == 2 else channels_first(value)

    def _layout_after(self, layout):
        return "CHW" if layout == "HWC" else None


class ToTensor(PointwiseTransform):
    """Converts an image with values 0 to 255 to an array with values 0 to 1 and channels first.

    Args:
        output_type (numpy.dtype | mindspore.dtype): of the result. Default: ``numpy.float32``.
    Source: mindspore.dataset.vision.ToTensor
    """

    def __init__(self, output_type: DataType = np.float32):
        self.output_type = output_type

    def _apply(self, value):
        value = value[None] if value.ndim == 2 else channels_first(value)
        if value.dtype == np.uint8:
            return _fraction(self.output_type)[value]
        return (value / np.float32(255)).astype(self.output_type, copy=False)

    def _layout_after(self, layout):
        return "CHW" if layout == "HWC" else None

    def _apply_pil(self, value):
        value = np.asarray(value)
        value = value[None] if value.ndim == 2 else channels_first(value)
        return (value / np.float32(255)).astype(self.output_type, copy=False)


class ToType(TypeCast):
    """Converts to another dtype.

    Args:
        data_type (mindspore.dtype | numpy.dtype): the dtype.
    Source: mindspore.dataset.vision.ToType
    """


class ToNumpy(ImageTransform):
    """Converts a Pillow image, or a list of arrays, to an array.  Source: mindspore.dataset.vision.ToNumpy"""

    def _taken(self, value):
        return value

    def _apply(self, value):
        return np.array(value)


class ToPIL(ImageTransform):
    """Converts an array to a Pillow image.  Source: mindspore.dataset.vision.ToPIL"""

    _is_python = True

    def _apply(self, value):
        if value.ndim == 3 and value.shape[2] == 1:
            value = value[:, :, 0]
        if value.ndim not in (2, 3) or (value.ndim == 3 and (value.shape[2] > 4 or value.dtype != np.uint8)):
            error = TypeError if value.ndim == 3 and value.shape[2] <= 4 else ValueError
            refuse(error, "ToPIL", "image", "of uint8, of height, width and up to 4 channels", value)
        return pillow().Image.fromarray(value)

    def _apply_pil(self, value):
        return value


class LinearTransformation(ImageTransform):
    """Flattens an image, subtracts a mean vector, and multiplies by a square matrix (whitening).

    Args:
        transformation_matrix (numpy.ndarray): square, with a row for each value of the image.
        mean_vector (numpy.ndarray): of the same length.
    Raises:
        TypeError, ValueError: if they are not arrays of such shapes.
    Source: mindspore.dataset.vision.LinearTransformation
    """

    _is_python = True

    def __init__(self, transformation_matrix, mean_vector):
        owner = "LinearTransformation"
        self.matrix = require(transformation_matrix, np.ndarray, owner, "transformation_matrix")
        self.mean = require(mean_vector, np.ndarray, owner, "mean_vector")
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            refuse(ValueError, owner, "transformation_matrix", "square", self.matrix.shape)
        if self.mean.shape != self.matrix.shape[:1]:
            refuse(ValueError, owner, "mean_vector", f"of {self.matrix.shape[0]} numbers", self.mean.shape)

    def _apply(self, value):
        if value.size != len(self.mean):
            refuse(ValueError, "LinearTransformation", "image", f"of {len(self.mean)} numbers", value.shape)
        return ((value.reshape(1, -1) - self.mean) @ self.matrix).reshape(value.shape)


def channels_first(value):
    """A copy of an image with the channels first, made plane by plane, which is faster than ``numpy.transpose``."""
    height, width, channels = value.shape
    planes = np.empty((channels, height, width), value.dtype)
    for channel in range(channels):
        planes[channel] = value[:, :, channel]
    return planes


_fractions = {}


def _fraction(dtype):
    """The 256 fractions of 255 in a dtype."""
    if dtype not in _fractions:
        _fractions[dtype] = (np.arange(256, dtype=np.float32) * np.float32(1 / 255)).astype(dtype)
    return _fractions[dtype]


def _check_statistics(mean, std, owner):
    if len(mean) != len(std) or not mean:
        refuse(ValueError, owner, "std", f"{len(mean)} numbers, as the 'mean'", std)
    if not all([0 <= each <= 255 for each in mean]):
        refuse(ValueError, owner, "mean", "made of numbers in the range [0, 255]", mean)
    if not all([0 < each <= 255 for each in std]):
        refuse(ValueError, owner, "std", "made of numbers in the range (0, 255]", std)
