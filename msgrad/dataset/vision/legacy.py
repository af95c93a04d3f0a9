"""Transforms of MindSpore 1.x's ``mindspore.dataset.vision.py_transforms`` whose names or defaults 2.x changed."""

import numpy as np

from ..._contracts.contracts import PositiveInt
from ...engine.refusal import refuse
from .._pipeline.values import is_pil_image
from . import layout
from .base import ImageTransform
from .decoding import Decode as _Decode
from .erasing import CutOut


class Decode(_Decode):
    """Decodes the bytes of a file to a Pillow image.  Source: mindspore.dataset.vision.py_transforms.Decode"""

    def __init__(self):
        super().__init__(to_pil=True)


class Normalize(layout.Normalize):
    """As ``vision.Normalize``, of an image with the channels first.

    Args:
        mean, std (list | tuple): of each channel, or one for all.
    Source: mindspore.dataset.vision.py_transforms.Normalize
    """

    def __init__(self, mean: layout.Statistics, std: layout.Statistics):
        super().__init__(mean, std, False)


class NormalizePad(layout.NormalizePad):
    """As ``vision.NormalizePad``, of an image with the channels first.

    Source: mindspore.dataset.vision.py_transforms.NormalizePad
    """

    def __init__(self, mean: layout.Statistics, std: layout.Statistics, dtype="float32"):
        super().__init__(mean, std, dtype, False)


class Cutout(CutOut):
    """CutOut of an image with the channels first.  Source: mindspore.dataset.vision.py_transforms.Cutout"""

    def __init__(self, length: PositiveInt, num_patches: PositiveInt = 1):
        super().__init__(length, num_patches, False)


class HWC2CHW(ImageTransform):
    """Moves the channel axis to the front.  Source: mindspore.dataset.vision.py_transforms.HWC2CHW"""

    def _apply(self, value):
        return layout.channels_first(np.atleast_3d(value))


class ToType(layout.ToType):
    """Converts to another dtype.  Source: mindspore.dataset.vision.py_transforms.ToType"""

    def __init__(self, output_type):
        super().__init__(output_type)


def is_pil(img):
    """Whether ``img`` is a Pillow image.  Source: mindspore.dataset.vision.py_transforms_util.is_pil"""
    return is_pil_image(img)


def is_numpy(img):
    """Whether ``img`` is an array.  Source: mindspore.dataset.vision.py_transforms_util.is_numpy"""
    return isinstance(img, np.ndarray)


def hwc_to_chw(img):
    """Moves the last of three axes to the front; a 2-d array is returned unchanged.

    Args:
        img (numpy.ndarray): shape ``(height, width, channels)`` or ``(height, width)``.
    Returns:
        numpy.ndarray of shape ``(channels, height, width)``, or ``img``.
    Raises:
        TypeError: if ``img`` is not an array, or of another number of axes.
    Source: mindspore.dataset.vision.py_transforms_util.hwc_to_chw
    """
    if not is_numpy(img) or img.ndim not in (2, 3):
        refuse(TypeError, "hwc_to_chw", "img", "an array of two or three axes", img)
    return img if img.ndim == 2 else layout.channels_first(img)
