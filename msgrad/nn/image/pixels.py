"""Layers over images: pixel shuffle, patches, cropping, gradients."""

from ... import ops
from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked
from ...ops.image.patches import extract_patches
from .._rows import layer
from ..cell import Cell

__all__ = [
    "CentralCrop", "ChannelShuffle", "ImageGradients", "PixelShuffle", "PixelUnshuffle", "ResizeBilinear", "Unfold",
    "Upsample",
]  # fmt: skip

PixelShuffle = layer(ops.pixel_shuffle, "PixelShuffle(upscale_factor)(input)")
PixelUnshuffle = layer(ops.pixel_unshuffle, "PixelUnshuffle(downscale_factor)(input)")
Upsample = layer(
    ops.interpolate,
    "Upsample(size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)(x)",
)

_WINDOWS = ("ksizes", "strides", "rates")


class ChannelShuffle(Cell):
    """Channel shuffle: interleaves the channels (axis 1) of groups.

    Args:
        groups (int): a divisor of the number of channels.
    Inputs: x (Tensor): shape ``(N, C, ...)``. Output: Tensor of the same shape.
    Raises:
        TypeError, ValueError: if ``groups`` is not a positive int.  ValueError: if it exceeds ``C``.
    Example:
        >>> nn.ChannelShuffle(2)(Tensor([[1.0, 2.0, 3.0, 4.0]])).tolist()
        [[1.0, 3.0, 2.0, 4.0]]
    Source: mindspore.nn.ChannelShuffle
    """

    @checked
    def __init__(self, groups: PositiveInt):
        super().__init__()
        self.groups = groups

    def construct(self, x):
        """The shuffled channels."""
        # Not by `ops.channel_shuffle`, whose checks MindSpore's layer lacks: two and three axes are accepted here.
        grouped = x.reshape(x.shape[0], self.groups, x.shape[1] // self.groups, -1)
        return grouped.swapaxes(1, 2).reshape(x.shape)


class ResizeBilinear(Cell):
    """Bilinear resizing of images; a layer of MindSpore 1.x, now `Upsample`.

    Args:
        half_pixel_centers (bool): whether coordinates refer to pixel centers. Default: ``False``.
    Inputs: x (Tensor): shape ``(N, C, H, W)``; size (tuple[int] | None): height and width of the result; scale_factor
        (int | None): or their factor; align_corners (bool): whether the corner pixels are kept. Output: Tensor.
    Raises:
        TypeError: if an argument has another type.  ValueError: if both or none of ``size`` and ``scale_factor`` is
            given.
    Example:
        >>> nn.ResizeBilinear()(ops.ones((1, 1, 2, 2)), size=(4, 4)).shape
        (1, 1, 4, 4)
    Source: mindspore.nn.ResizeBilinear
    """

    @checked
    def __init__(self, half_pixel_centers: Bool = False):
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(self, x, size=None, scale_factor=None, align_corners=False):
        """The resized images."""
        check_images("ResizeBilinear", x=x)
        if (size is None) == (scale_factor is None):
            check.refuse(ValueError, "ResizeBilinear", "size", "given, or 'scale_factor', and not both", size)
        size = tuple(length * scale_factor for length in x.shape[2:]) if size is None else size
        return ops.ResizeBilinear(size, align_corners, self.half_pixel_centers)(x)


class Unfold(Cell):
    """Extracts sliding windows of images, with their elements as channels.

    Args:
        ksizes, strides, rates (tuple[int] | list[int]): ``(1, row, column, 1)``: sizes and strides of the windows, and
            the spacing of a window's elements.
        padding (str): ``'valid'``, or ``'same'`` for as many windows as steps. Default: ``'valid'``.
    Inputs: input_x (Tensor): shape ``(N, C, H, W)``. Output: Tensor of shape ``(N, row * column * C, ...)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if they are not of that form.
    Example:
        >>> nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1])(ops.ones((1, 1, 4, 4))).shape
        (1, 4, 2, 2)
    Source: mindspore.nn.Unfold
    """

    @checked
    def __init__(self, ksizes, strides, rates, padding: OneOf("valid", "same", "VALID", "SAME") = "valid"):
        super().__init__()
        self.windows = [
            self._inner(name, value) for name, value in zip(_WINDOWS, (ksizes, strides, rates), strict=True)
        ]
        self.padding = padding

    def _inner(self, name, value):
        if not isinstance(value, (tuple, list)):
            check.refuse(TypeError, "Unfold", name, "a tuple or list of four ints", value)
        if len(value) != 4 or value[0] != 1 or value[3] != 1:
            check.refuse(ValueError, "Unfold", name, "of the form (1, row, column, 1)", value)
        return Lengths(2).take(tuple(value[1:3]), name, "Unfold")

    def construct(self, input_x):
        """The patches."""
        return extract_patches(input_x, *self.windows, self.padding.lower())


class CentralCrop(Cell):
    """Center crop of images.

    Args:
        central_fraction (float): the fraction of height and width to keep, in ``(0, 1]``.
    Inputs: image (Tensor): shape ``(C, H, W)`` or ``(N, C, H, W)``. Output: Tensor of as many axes.
    Raises:
        TypeError: if ``central_fraction`` is not a float.  ValueError: if it is out of range, or ``image`` of another
            rank.
    Example:
        >>> nn.CentralCrop(0.5)(ops.ones((1, 4, 6))).shape
        (1, 2, 4)
    Source: mindspore.nn.CentralCrop
    """

    def __init__(self, central_fraction):
        super().__init__()
        if not isinstance(central_fraction, float):
            check.refuse(TypeError, "CentralCrop", "central_fraction", "a float", central_fraction)
        if not 0 < central_fraction <= 1:
            check.refuse(ValueError, "CentralCrop", "central_fraction", "in the range (0, 1]", central_fraction)
        self.central_fraction = central_fraction

    def construct(self, image):
        """The cropped images."""
        if image.ndim not in (3, 4):
            check.refuse(ValueError, "CentralCrop", "image", "of 3 or 4 axes", image.shape)
        top, left = [int((length - length * self.central_fraction) / 2) for length in image.shape[-2:]]
        return image[..., top : image.shape[-2] - top, left : image.shape[-1] - left]


class ImageGradients(Cell):
    """Image gradients: differences of vertically and horizontally adjacent pixels; 0 in the last row and column.

    Inputs: images (Tensor): shape ``(N, C, H, W)``. Output: tuple of two Tensors of that shape.
    Raises:
        ValueError: if ``images`` have another rank.
    Example:
        >>> nn.ImageGradients()(Tensor([[[[1, 3], [6, 10]]]]))[0].tolist()
        [[[[5, 7], [0, 0]]]]
    Source: mindspore.nn.ImageGradients
    """

    def __init__(self):
        super().__init__()

    def construct(self, images):
        """The differences."""
        check_images("ImageGradients", images=images)
        below, right = images[:, :, 1:] - images[:, :, :-1], images[..., 1:] - images[..., :-1]
        return ops.pad(below, (0, 0, 0, 1)), ops.pad(right, (0, 1))


def check_images(owner, **values):
    """Raises ValueError unless the images have four axes."""
    for argument, images in values.items():
        if images.ndim != 4:
            check.refuse(ValueError, owner, argument, "of shape (N, C, H, W)", images.shape)
