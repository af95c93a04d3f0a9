"""Enums of image transforms."""

import enum


class Inter(enum.IntEnum):
    """Interpolation modes.  Source: mindspore.dataset.vision.Inter"""

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(str, enum.Enum):  # noqa: UP042  as in MindSpore, whose str() of a member is its name
    """Padding modes of images.  Source: mindspore.dataset.vision.Border"""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"

    __str__ = enum.Enum.__str__


class ConvertMode(enum.IntEnum):
    """Conversions of `ConvertColor`.  Source: mindspore.dataset.vision.ConvertMode"""

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class ImageBatchFormat(enum.IntEnum):
    """The position of the channel axis of a batch.  Source: mindspore.dataset.vision.ImageBatchFormat"""

    NHWC = 0
    NCHW = 1


class ImageReadMode(enum.IntEnum):
    """The color mode of `read_image`.  Source: mindspore.dataset.vision.ImageReadMode"""

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class SliceMode(enum.IntEnum):
    """The remainder in `SlicePatches`: padded or dropped.  Source: mindspore.dataset.vision.SliceMode"""

    PAD = 0
    DROP = 1


class AutoAugmentPolicy(str, enum.Enum):  # noqa: UP042  as `Border`
    """Policies of `AutoAugment`.  Source: mindspore.dataset.vision.AutoAugmentPolicy"""

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"

    __str__ = enum.Enum.__str__
