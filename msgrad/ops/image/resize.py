"""Resizing and interpolation: nearest, linear, cubic and area."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, IntOrInts, Ints
from ..._contracts.kinds import Static
from .._core.define import op
from .._core.faces import face, primitive
from .._core.families import body
from .._shared.windows import weighted
from ..nn.adaptive_pooling import adaptive_mean
from .interpolating import STEPS, cubic, cubic_weights, factor_of, linear, nearest


def _coordinates(length, count, at, scale):
    """The coordinate of each of ``count`` output elements among ``length`` input elements."""
    pixels = np.arange(count)
    if at == "align_corners":
        return pixels * ((length - 1) / (count - 1) if count > 1 else 0.0)
    scale = length / count if scale is None else 1 / scale
    return (pixels + 0.5) * scale - 0.5 if at == "half_pixel" else pixels * scale


def indices_of_nearest(length, count, at, scale):
    coordinates = _coordinates(length, count, at, scale)
    rounded = np.floor(coordinates) if at == "asymmetric" else np.floor(coordinates + 0.5)
    return np.clip(rounded.astype(int), 0, length - 1)


def _linear_shares(length, count, at, scale):
    """The linear interpolation weights of input elements; beyond the ends the last element repeats."""
    coordinates = np.maximum(_coordinates(length, count, at, scale), 0)
    shares, rows = np.zeros((count, length)), np.arange(count)
    low = np.floor(coordinates)
    for indices, share in ((low, low + 1 - coordinates), (low + 1, coordinates - low)):
        np.add.at(shares, (rows, np.clip(indices, 0, length - 1).astype(int)), share)
    return shares


def _cubic_shares(length, count, at, scale):
    """The weights of a cubic kernel. MindSpore has two kernels: with half pixels, elements outside have weight 0."""
    coordinates = _coordinates(length, count, at, scale)
    shares, rows = np.zeros((count, length)), np.arange(count)
    low = np.floor(coordinates)
    fraction = np.rint((coordinates - low) * STEPS) / STEPS
    for step in range(-1, 3):
        indices = low + step
        share = cubic_weights(fraction - step, -0.5 if at == "half_pixel" else -0.75)
        if at == "half_pixel":
            share = np.where((indices < 0) | (indices >= length), 0, share)
        np.add.at(shares, (rows, np.clip(indices, 0, length - 1).astype(int)), share)
    return shares / shares.sum(1, keepdims=True)


def _area_shares(length, count, at, scale):
    """The weights of area interpolation: the part of each input element that an interval covers."""
    width = (length - 1) / (count - 1) if at == "align_corners" and count > 1 else length / count
    starts, old = np.arange(count)[:, None] * width, np.arange(length + 1)
    covered = np.maximum(np.minimum(starts + width, old + 1) - np.maximum(starts, old), 0)
    covered[:, -2] += covered[:, -1]
    return covered[:, :-1] / width


_ARITHMETIC = {"linear": linear, "cubic": cubic}  # without tables, where they can
_SHARES = {"linear": _linear_shares, "cubic": _cubic_shares, "area": _area_shares}


def _resized(x: Any, sizes, kind, at, scales=None):
    """``x`` with its last axes resized."""
    scales = scales or [None] * len(sizes)
    for axis, (size, scale) in enumerate(zip(sizes, scales, strict=True), x.ndim - len(sizes)):
        length = x.shape[axis]
        if kind == "nearest":
            indices, factor = indices_of_nearest(length, size, at, scale), factor_of(length, size, at, scale)
            if factor and np.array_equal(indices, np.arange(size) // factor):
                x = jnp.repeat(x, factor, axis)
            else:
                x = nearest(x, indices, axis, at if scale is None else None)
            continue
        result = _ARITHMETIC[kind](x, size, axis, at, scale) if kind in _ARITHMETIC else None
        x = weighted(x, _SHARES[kind](length, size, at, scale), axis) if result is None else result
    return x


_KINDS = {  # for each mode of `interpolate`: the ranks, the kind, the coordinates
    "nearest": ((3, 4, 5), "nearest", "asymmetric"),
    "nearest-exact": ((3, 4), "nearest", "half_pixel"),
    "linear": ((3,), "linear", "half_pixel"),
    "bilinear": ((4,), "linear", "half_pixel"),
    "trilinear": ((5,), "linear", "half_pixel"),
    "bicubic": ((4,), "cubic", "half_pixel"),
    "area": ((3, 4, 5), "area", None),
}


def _factors(value, arg_name, owner):
    is_one = not isinstance(value, (tuple, list))
    for each in (value,) if is_one else value:
        check.positive_float(each, arg_name, owner)
    return value if is_one else tuple(value)


def _each(owner, name, values, rank) -> Any:
    values = values if isinstance(values, tuple) else (values,) * rank
    if len(values) != rank:
        check.refuse(ValueError, owner, name, f"one number, or {rank}", values)
    return values


@op()
def interpolate(
    input: Array,
    size: IntOrInts | None = None,
    scale_factor: Static(_factors, float, tuple, list) | None = None,
    mode: OneOf(*_KINDS) = "nearest",
    align_corners: Bool | None = None,
    recompute_scale_factor: Bool | None = None,
):
    """Resizes the axes after the first two.

    Args:
        input (Tensor): shape ``(N, C, L)``, ``(N, C, H, W)`` or ``(N, C, D, H, W)``, a float dtype.
        size (int | tuple[int]): the new lengths. Default: ``None``.
        scale_factor (float | tuple[float]): or by what the old ones are multiplied. Default: ``None``.
        mode (str): ``'nearest'``, ``'nearest-exact'``, ``'linear'`` (three axes), ``'bilinear'``, ``'bicubic'`` (four),
            ``'trilinear'`` (five) or ``'area'``. Default: ``'nearest'``.
        align_corners (bool): whether the first and last elements stay at the ends; for the linear and cubic modes.
            Default: ``None``, no.
        recompute_scale_factor (bool): whether to compute coordinates from the lengths instead of ``scale_factor``.
            Default: ``None``, no.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or arguments do not go
            together.
    Example:
        >>> ops.interpolate(Tensor([[[1.0, 3.0]]]), 4).tolist()
        [[[1.0, 1.0, 3.0, 3.0]]]
    Source: mindspore.ops.interpolate
    """
    owner, rank = "interpolate", input.ndim - 2
    ranks, kind, at = _KINDS[mode]
    if input.ndim not in ranks:
        check.refuse(ValueError, owner, "input", f"of {' or '.join(map(str, ranks))} axes for {mode!r}", input.shape)
    if (size is None) == (scale_factor is None):
        check.refuse(ValueError, owner, "size", "given, or 'scale_factor', and not both", (size, scale_factor))
    if align_corners is not None and kind not in ("linear", "cubic"):
        check.refuse(ValueError, owner, "align_corners", f"None for mode {mode!r}", align_corners)
    scales = None
    if size is None:
        factors = _each(owner, "scale_factor", scale_factor, rank)
        size = tuple([int(length * factor) for length, factor in zip(input.shape[2:], factors, strict=True)])
        scales = None if recompute_scale_factor else factors
    size = _each(owner, "size", size, rank)
    if min(size) < 1:
        check.refuse(ValueError, owner, "size", "positive", size)
    check.dtype(input, "f", "input", owner)
    if kind == "area":
        return adaptive_mean(owner, input, rank, size)
    return _resized(input, size, kind, "align_corners" if align_corners else at, scales)


face(
    interpolate,
    "upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)",
)


def _coordinate_mode(owner, align_corners, half_pixel_centers):
    if align_corners and half_pixel_centers:
        check.refuse(ValueError, owner, "half_pixel_centers", "False where 'align_corners' is True", True)
    return "align_corners" if align_corners else "half_pixel" if half_pixel_centers else "asymmetric"


def _image(owner, image, size, kind, align_corners, half_pixel_centers):
    if image.ndim != 4 or len(size) != 2 or min(size) < 1:
        check.refuse(ValueError, owner, "size", "two positive lengths, for an image of four axes", size)
    return _resized(image, size, kind, _coordinate_mode(owner, align_corners, half_pixel_centers))


_RESIZE = """Resizes images, {phrase}.

    Args:
        image (Tensor): shape ``(N, C, H, W)``.
        size (tuple[int] | Tensor): the new height and width.
        align_corners (bool): whether the corners stay at the corners. Default: ``False``.
        half_pixel_centers (bool): whether elements are taken at their centres. Default: ``False``.
    Returns:
        Tensor of the dtype of ``image``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> {example}
        (1, 1, 4, 4)
    Source: {source}
    """


def _resize(name, kind):
    def compute(image, size, align_corners, half_pixel_centers):
        if kind == "linear":
            check.dtype(image, "f", "image", name)
        return _image(name, image, size, kind, align_corners, half_pixel_centers)

    return compute


_TEXT = "(image: Array, size: Ints, align_corners: Bool = False, half_pixel_centers: Bool = False)"


def _row(definition, name, kind, phrase):
    example = f"ops.{name}()(ops.ones((1, 1, 2, 2)), (4, 4)).shape"
    resize = body(f"{definition}{_TEXT}", _resize(name, kind), _RESIZE, phrase=phrase, example=example,
                source=f"mindspore.ops.{name}")  # fmt: skip
    return op(name=definition)(resize)


bilinear = _row("_resize_bilinear", "ResizeBilinearV2", "linear", "by linear interpolation")
_bicubic = _row("_resize_bicubic", "ResizeBicubic", "cubic", "by cubic interpolation")
_near = _row("_resize_nearest", "ResizeNearestNeighborV2", "nearest", "by the nearest element")
primitive(bilinear, "ResizeBilinearV2(align_corners=False, half_pixel_centers=False)(image, size)")
primitive(_bicubic, "ResizeBicubic(align_corners=False, half_pixel_centers=False)(image, size)")
primitive(_near, "ResizeNearestNeighborV2(align_corners=False, half_pixel_centers=False)(image, size)")


@op(
    "ResizeNearestNeighbor(size: Sequence, align_corners=False, half_pixel_centers=False)(input_x)",
    name="_resize_nearest_to",
)
def _resize_nearest_to(input_x: Array, size: Ints, align_corners: Bool = False, half_pixel_centers: Bool = False):
    """Resizes images by nearest-neighbour interpolation.

    Args:
        input_x (Tensor): shape ``(N, C, H, W)``.
        size (tuple[int]): the new height and width.
        align_corners (bool): whether the corners stay at the corners. Default: ``False``.
        half_pixel_centers (bool): whether elements are taken at their centres. Default: ``False``.
    Returns:
        Tensor of the dtype of ``input_x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> ops.ResizeNearestNeighbor((4, 4))(ops.ones((1, 1, 2, 2))).shape
        (1, 1, 4, 4)
    Source: mindspore.ops.ResizeNearestNeighbor
    """
    return _image("ResizeNearestNeighbor", input_x, size, "nearest", align_corners, half_pixel_centers)


@op("ResizeLinear1D(coordinate_transformation_mode='align_corners')(x, size)", name="_resize_linear1d")
def _resize_linear1d(
    x: Array, size: Ints, coordinate_transformation_mode: OneOf("align_corners", "half_pixel") = "align_corners"
):
    """Resizes the last axis by linear interpolation.

    Args:
        x (Tensor): shape ``(N, C, L)``, a float dtype.
        size (tuple[int] | Tensor): the new length.
        coordinate_transformation_mode (str): ``'align_corners'`` or ``'half_pixel'``. Default: ``'align_corners'``.
    Returns:
        Tensor of the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> ops.ResizeLinear1D()(Tensor([[[1.0, 3.0]]]), (3,)).tolist()
        [[[1.0, 2.0, 3.0]]]
    Source: mindspore.ops.ResizeLinear1D
    """
    if check.dtype(x, "f", "x", "ResizeLinear1D").ndim != 3 or len(size) != 1 or min(size) < 1:
        check.refuse(ValueError, "ResizeLinear1D", "size", "one positive length, for three axes", size)
    return _resized(x, size, "linear", coordinate_transformation_mode)


def _volume(owner, x, output_size, scales, kind, at):
    if x.ndim != 5 or (output_size is None) == (scales is None):
        check.refuse(ValueError, owner, "output_size", "given, or 'scales', for five axes", (output_size, scales))
    if output_size is None:
        output_size = [int(length * scale) for length, scale in zip(x.shape[2:], scales, strict=True)]
    return _resized(x, output_size, kind, at, scales)


_Scales = Static(_factors, tuple, list) | None


@op("UpsampleNearest3D()(x, output_size=None, scales=None)", name="_upsample_nearest3d")
def _upsample_nearest3d(x: Array, output_size: Ints | None = None, scales: _Scales = None):
    """Resizes volumes by nearest-neighbour interpolation.

    Args:
        x (Tensor): shape ``(N, C, D, H, W)``.
        output_size (tuple[int] | list[int]): the new lengths. Default: ``None``.
        scales (tuple[float] | list[float]): or by what the old ones are multiplied. Default: ``None``.
    Returns:
        Tensor of the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> ops.UpsampleNearest3D()(ops.ones((1, 1, 2, 2, 2)), [4, 4, 4]).shape
        (1, 1, 4, 4, 4)
    Source: mindspore.ops.UpsampleNearest3D
    """
    return _volume("UpsampleNearest3D", x, output_size, scales, "nearest", "asymmetric")


@op("UpsampleTrilinear3D(align_corners=False)(x, output_size=None, scales=None)", name="_upsample_trilinear3d")
def _upsample_trilinear3d(
    x: Array, output_size: Ints | None = None, scales: _Scales = None, align_corners: Bool = False
):
    """Resizes volumes by linear interpolation.

    Args:
        x (Tensor): shape ``(N, C, D, H, W)``, a float dtype.
        output_size (tuple[int] | list[int]): the new lengths. Default: ``None``.
        scales (tuple[float] | list[float]): or by what the old ones are multiplied. Default: ``None``.
        align_corners (bool): whether the corners stay at the corners. Default: ``False``.
    Returns:
        Tensor of the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> ops.UpsampleTrilinear3D()(ops.ones((1, 1, 2, 2, 2)), [4, 4, 4]).shape
        (1, 1, 4, 4, 4)
    Source: mindspore.ops.UpsampleTrilinear3D
    """
    at = "align_corners" if align_corners else "half_pixel"
    return _volume("UpsampleTrilinear3D", x, output_size, scales, "linear", at)


@op("ResizeArea(align_corners=False)(images, size)", name="_resize_area")
def _resize_area(images: Array, size: Ints, align_corners: Bool = False):
    """Resizes images with the channels last, by area interpolation.

    Args:
        images (Tensor): shape ``(N, H, W, C)``, a real dtype.
        size (tuple[int] | Tensor): the new height and width.
        align_corners (bool): whether the corners stay at the corners. Default: ``False``.
    Returns:
        Tensor of float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> ops.ResizeArea()(Tensor([[[[1.0], [3.0]]]]), Tensor([1, 1])).tolist()
        [[[[2.0]]]]
    Source: mindspore.ops.ResizeArea
    """
    x = jnp.moveaxis(images, -1, 1).astype(jnp.float32) if images.ndim == 4 else images
    return jnp.moveaxis(_image("ResizeArea", x, size, "area", align_corners, False), 1, -1)
