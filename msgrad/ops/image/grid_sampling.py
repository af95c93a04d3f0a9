"""Sampling of images at fractional coordinates: grids, affine maps, crops of boxes, regions of interest."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf, Word
from ..._contracts.contracts import Array, Bool, Float, Ints, NonNegativeInt, PositiveInt
from ..._contracts.kinds import Scalar
from ...tensor.host_values import host_values
from .._core.define import op
from .._core.faces import primitive
from .._core.families import body
from .._shared.interpolation import interpolated, pixels_at
from ..index.gathering import check_within


def _pixels(coordinates, length, align_corners):
    """Converts coordinates from [-1, 1] to pixel indices."""
    return (coordinates + 1) / 2 * (length - 1) if align_corners else ((coordinates + 1) * length - 1) / 2


def _reflected(coordinates, length, align_corners):
    """Indices reflected at the ends: at the centres of the last pixels, or at their edges."""
    low, span = (0, length - 1) if align_corners else (-0.5, length)
    if span == 0:
        return jnp.zeros_like(coordinates)
    distance = jnp.abs(coordinates - low)
    turns, rest = jnp.floor(distance / span), jnp.mod(distance, span)
    return jnp.where(turns % 2 == 0, rest + low, span - rest + low)


def _sampled(owner, x, grid, mode, padding_mode, align_corners):
    rank = x.ndim - 2
    if grid.ndim != x.ndim or grid.shape[-1] != rank or grid.shape[0] != x.shape[0]:
        check.refuse(
            ValueError, owner, "grid", f"of shape (N, ..., {rank}), with as many axes as {x.shape}", grid.shape
        )

    def one(image, grid):
        coordinates = []
        for axis, length in enumerate(image.shape[1:]):
            coordinate = _pixels(grid[..., rank - 1 - axis], length, align_corners)
            if padding_mode == "reflection":
                coordinate = _reflected(coordinate, length, align_corners)
            coordinates.append(coordinate if padding_mode == "zeros" else jnp.clip(coordinate, 0, length - 1))
        if mode == "nearest":
            return pixels_at(image, [jnp.round(coordinate) for coordinate in coordinates])
        return interpolated(image, coordinates)

    return jax.vmap(one)(x, grid).astype(x.dtype)


_MODE, _PADDING = Word("bilinear", "nearest"), Word("zeros", "border", "reflection")


@op()
def grid_sample(
    input: Array,
    grid: Array,
    mode: _MODE = "bilinear",
    padding_mode: _PADDING = "zeros",
    align_corners: Bool | None = None,
):
    """Samples of images at the coordinates in a grid: from -1 to 1 along each axis, the last axis first.

    Args:
        input (Tensor): shape ``(N, C, H, W)`` or ``(N, C, D, H, W)``, a float dtype.
        grid (Tensor): shape ``(N, ..., 2)`` or ``(N, ..., 3)``, of as many axes as ``input``.
        mode (str): ``'bilinear'`` or ``'nearest'``. Default: ``'bilinear'``.
        padding_mode (str): the values outside: ``'zeros'``, ``'border'`` or ``'reflection'``. Default: ``'zeros'``.
        align_corners (bool): whether -1 and 1 are the centres of the last pixels, not their edges.
            Default: ``None``, no.
    Returns:
        Tensor of shape ``(N, C, ...)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or the shapes do not fit.
    Example:
        >>> ops.grid_sample(Tensor([[[[1.0, 3.0]]]]), Tensor([[[[0.0, 0.0]]]])).tolist()
        [[[[2.0]]]]
    Source: mindspore.ops.grid_sample
    """
    if input.ndim not in (4, 5):
        check.refuse(ValueError, "grid_sample", "input", "of four or five axes", input.shape)
    return _sampled("grid_sample", input, grid, mode, padding_mode, bool(align_corners))


_GRID_SAMPLER = """Samples of {phrase} at the coordinates in a grid: from -1 to 1 along each axis, the last axis first.

    Args:
        input_x (Tensor): shape ``(N, C, {lengths})``, a float dtype.
        grid (Tensor): shape ``(N, ..., {rank})``, of as many axes.
        interpolation_mode (str): ``'bilinear'`` or ``'nearest'``. Default: ``'bilinear'``.
        padding_mode (str): the values outside: ``'zeros'``, ``'border'`` or ``'reflection'``. Default: ``'zeros'``.
        align_corners (bool): whether -1 and 1 are the centres of the last pixels, not their edges. Default: ``False``.
    Returns:
        Tensor of shape ``(N, C, ...)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or the shapes do not fit.
    Example:
        >>> ops.{primitive}()({call}).tolist()
        {value}
    Source: mindspore.ops.{primitive}
    """
_GRID_SAMPLER_TEXT = (
    "(input_x: Array, grid: Array, interpolation_mode: Mode = 'bilinear', padding_mode: Padding = 'zeros', "
    "align_corners: Bool = False)"
)


def _grid_sampler(rank, phrase, lengths, call, value):
    owner = f"GridSampler{rank}D"

    def compute(*arguments):
        return _sampled(owner, *arguments)

    fields = {"phrase": phrase, "lengths": lengths, "rank": str(rank), "primitive": owner, "call": call, "value": value}
    text = f"_grid_sampler{rank}d{_GRID_SAMPLER_TEXT}"
    sampler = op(name=f"_grid_sampler{rank}d")(
        body(text, compute, _GRID_SAMPLER, {"Mode": _MODE, "Padding": _PADDING}, **fields)
    )
    options = "interpolation_mode='bilinear', padding_mode='zeros', align_corners=False"
    primitive(sampler, f"{owner}({options})(input_x, grid)")
    return sampler


_grid_sampler2d = _grid_sampler(
    2, "images", "H, W", "Tensor([[[[1.0, 3.0]]]]), Tensor([[[[0.0, 0.0]]]])", "[[[[2.0]]]]"
)
_grid_sampler3d = _grid_sampler(
    3, "volumes", "D, H, W", "ops.ones((1, 1, 1, 1, 1)), ops.zeros((1, 1, 1, 1, 3))", "[[[[[1.0]]]]]"
)


@op("AffineGrid(align_corners=False)")
def affine_grid(theta: Array, size: Ints, align_corners: Bool = False):
    """The grid, for `grid_sample`, of an affine map for each image.

    Args:
        theta (Tensor): the maps, shape ``(N, 2, 3)`` or ``(N, 3, 4)``, a float dtype.
        size (tuple[int]): the shape of the images, ``(N, C, H, W)`` or ``(N, C, D, H, W)``.
        align_corners (bool): whether -1 and 1 are the centres of the last pixels, not their edges. Default: ``False``.
    Returns:
        Tensor of shape ``(N, H, W, 2)`` or ``(N, D, H, W, 3)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> ops.affine_grid(Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2)).tolist()
        [[[[-0.5, 0.0], [0.5, 0.0]]]]
    Source: mindspore.ops.affine_grid, mindspore.ops.AffineGrid
    """
    rank = len(size) - 2
    if rank not in (2, 3):
        check.refuse(ValueError, "AffineGrid", "size", "of four or five lengths", size)
    if theta.shape != (size[0], rank, rank + 1):
        check.refuse(ValueError, "AffineGrid", "theta", f"of shape {(size[0], rank, rank + 1)}", theta.shape)

    def line(length):
        if align_corners:
            return jnp.linspace(-1, 1, length, dtype=theta.dtype) if length > 1 else jnp.zeros(1, theta.dtype)
        return ((2 * jnp.arange(length) + 1) / length - 1).astype(theta.dtype)

    coordinates = jnp.meshgrid(*[line(length) for length in size[2:]], indexing="ij")
    base = jnp.stack([*coordinates[::-1], jnp.ones_like(coordinates[0])], -1)
    return jnp.einsum("...k,njk->n...j", base, theta)


def _crop_coordinates(start, end, length, count, method):
    """The coordinates of ``count`` pixels of a crop along an axis, for the ends of each box."""
    start, end = start[:, None], end[:, None]
    steps = jnp.arange(count)
    if method == "bilinear_v2":
        first = jnp.trunc(start * length)
        size = jnp.maximum(jnp.trunc(end * length) - first + 1, 1)
        return first + jnp.clip((steps + 0.5) * size / count - 0.5, 0, size - 1)
    if count == 1:
        return 0.5 * (start + end) * (length - 1)
    return start * (length - 1) + steps * (end - start) * (length - 1) / (count - 1)


def _look_at_images(image, box_indices):
    if image.ndim:
        check_within(box_indices, 0, image.shape[0], "box_indices", "CropAndResize", ValueError)


@op("CropAndResize(method='bilinear', extrapolation_value=0.0)", look=_look_at_images)
def crop_and_resize(
    image: Array,
    boxes: Array,
    box_indices: Array,
    crop_size: Lengths(2),
    method: Word("bilinear", "nearest", "bilinear_v2") = "bilinear",
    extrapolation_value: Scalar(of=Float) = 0.0,
):
    """Crops boxes from images and resizes them to one size.

    Args:
        image (Tensor): shape ``(N, H, W, C)``, a real dtype.
        boxes (Tensor): ``(y1, x1, y2, x2)`` of each box, by the lengths; shape ``(B, 4)``, float32.
        box_indices (Tensor): the image of each box, shape ``(B,)``, int32.
        crop_size (tuple[int]): height and width of the crops.
        method (str): ``'bilinear'``, ``'nearest'``, or ``'bilinear_v2'``, which resizes boxes of whole pixels.
            Default: ``'bilinear'``.
        extrapolation_value (float): the value outside of an image. Default: ``0.0``.
    Returns:
        Tensor of shape ``(B, *crop_size, C)``, float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or the shapes do not fit.
    Example:
        >>> image = Tensor([[[[1.0], [3.0]]]])
        >>> ops.crop_and_resize(image, Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([0], mindspore.int32), (1, 3)).tolist()
        [[[[1.0], [2.0], [3.0]]]]
    Source: mindspore.ops.crop_and_resize, mindspore.ops.CropAndResize
    """
    if image.ndim != 4 or boxes.ndim != 2 or boxes.shape[1] != 4 or box_indices.shape != boxes.shape[:1]:
        check.refuse(
            ValueError, "CropAndResize", "boxes", "of shape (B, 4), for images of four axes and B 'box_indices'",
            boxes.shape,
        )  # fmt: skip
    height, width = image.shape[1:3]
    rows = _crop_coordinates(boxes[:, 0], boxes[:, 2], height, crop_size[0], method)
    columns = _crop_coordinates(boxes[:, 1], boxes[:, 3], width, crop_size[1], method)

    def one(index, rows, columns):
        pixels = jnp.moveaxis(image[index], -1, 0).astype(jnp.float32)
        y, x = coordinates = jnp.meshgrid(rows, columns, indexing="ij")
        inside = (y >= 0) & (y <= height - 1) & (x >= 0) & (x <= width - 1)
        if method == "nearest":
            values = pixels_at(pixels, [jnp.floor(coordinate + 0.5) for coordinate in coordinates])
        else:
            values = interpolated(pixels, coordinates)
        return jnp.moveaxis(jnp.where(inside, values, extrapolation_value), 0, -1).astype(jnp.float32)

    return jax.vmap(one)(box_indices, rows, columns)


def _look_at_regions(features, rois):
    values = host_values(rois)
    if values is None or values.ndim != 2 or not values.size:
        return
    images, count = values[:, 0], features.shape[0]
    outside = images[(images < 0) | (images > count - 1)]
    if outside.size:
        expected = f"of images (column 0) in the range [0, {count})"
        check.refuse(RuntimeError, "ROIAlign", "rois", expected, outside[0].item())


@op(
    "ROIAlign(pooled_height, pooled_width, spatial_scale, sample_num=2, roi_end_mode=1)",
    name="_roi_align",
    look=_look_at_regions,
)
def _roi_align(
    features: Array,
    rois: Array,
    pooled_height: PositiveInt,
    pooled_width: PositiveInt,
    spatial_scale: Scalar(of=Float),
    sample_num: NonNegativeInt = 2,
    roi_end_mode: OneOf(0, 1) = 1,
):
    """ROI align: mean features in the cells of regions of interest.

    Args:
        features (Tensor): shape ``(N, C, H, W)``, a float dtype.
        rois (Tensor): the image and ``(x1, y1, x2, y2)`` of each region, shape ``(R, 5)``, the same dtype.
        pooled_height, pooled_width (int): how many cells a region has.
        spatial_scale (float): what the regions are multiplied by, to be in pixels of the features.
        sample_num (int): how many samples count along each axis of a cell. Default: ``2``.
        roi_end_mode (int): 1 if the last pixel belongs to a region, else 0. Default: ``1``.
    Returns:
        Tensor of shape ``(R, C, pooled_height, pooled_width)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or the shapes do not fit.
        RuntimeError: if a region is of no image.
    Example:
        >>> ops.ROIAlign(1, 1, 1.0)(ops.ones((1, 1, 4, 4)), Tensor([[0.0, 1.0, 1.0, 2.0, 2.0]])).tolist()
        [[[[1.0]]]]
    Source: mindspore.ops.ROIAlign
    """
    if features.ndim != 4 or rois.ndim != 2 or rois.shape[1] != 5:
        check.refuse(ValueError, "ROIAlign", "rois", "of shape (R, 5), for features of four axes", rois.shape)
    if sample_num == 0:
        check.refuse(ValueError, "ROIAlign", "sample_num", "above 0: msgrad's shapes do not depend on values", 0)
    height, width = features.shape[2:]

    def line(start, end, count, length):
        start, end = start * spatial_scale, (end + roi_end_mode) * spatial_scale
        size = end - start if roi_end_mode else jnp.maximum(end - start, 1)
        steps = (jnp.arange(count * sample_num) + 0.5) * size / (count * sample_num)
        coordinates = start + steps
        return jnp.clip(coordinates, 0, length - 1), (coordinates >= -1) & (coordinates <= length)

    def one(roi):
        rows, has_row = line(roi[2], roi[4], pooled_height, height)
        columns, has_column = line(roi[1], roi[3], pooled_width, width)
        values = interpolated(features[roi[0].astype(int)], jnp.meshgrid(rows, columns, indexing="ij"))
        values = jnp.where(has_row[:, None] & has_column, values, 0)
        cells = values.reshape((-1, pooled_height, sample_num, pooled_width, sample_num))
        return cells.mean((2, 4)).astype(features.dtype)

    return jax.vmap(one)(rois)
