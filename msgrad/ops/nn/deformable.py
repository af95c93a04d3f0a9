"""Deformable convolution: each element of a window is sampled at a learned offset."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Array, Ints, PositiveInt
from .._core.define import op
from .._shared.interpolation import interpolated
from .._shared.windows import counts, pairs
from .convolution import conv2d


def _pads(owner, name, pads):
    if len(pads) != 4:
        check.refuse(ValueError, owner, name, "4 ints: top, bottom, left, right", pads)
    return pairs(pads)


@op(
    "DeformableOffsets(strides, pads, ksize, dilations=(1, 1, 1, 1), data_format='NCHW', deformable_groups=1, "
    "modulated=True)(x, offsets)"
)
def _deformable_offsets(
    x: Array,
    offsets: Array,
    strides: Lengths(2),
    pads: Ints,
    ksize: Lengths(2),
    dilations: Lengths(2) = 1,
    data_format: OneOf("NCHW") = "NCHW",
    deformable_groups: PositiveInt = 1,
    modulated: OneOf(True) = True,
):
    """The elements of each sliding window of images, sampled at offset positions and scaled.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, a float dtype.
        offsets (Tensor): shape ``(N, 3 * G * kernel height * kernel width, windows down, windows across)``, ``G``
            groups of channels: how far to the right, how far down, and the factor.
        strides (tuple[int]): steps of the windows, ``(1, 1, height, width)``.
        pads (tuple[int]): how far windows reach over the top, bottom, left and right.
        ksize (tuple[int]): height and width of the windows.
        dilations (tuple[int]): steps within a window, ``(1, 1, height, width)``. Default: ``(1, 1, 1, 1)``.
        data_format (str): must be ``'NCHW'``, the default.
        deformable_groups (int): ``G``, a divisor of ``C``. Default: ``1``.
        modulated (bool): must be True, the default.
    Returns:
        Tensor of shape ``(N, C, windows down * kernel height, windows across * kernel width)``, windows side by side.
        Between pixels it is interpolated, outside the image it is 0.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or shapes do not fit.
    Example:
        >>> still = ops.cat((ops.zeros((1, 8, 2, 2)), ops.ones((1, 4, 2, 2))), 1)
        >>> ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(ops.ones((1, 3, 3, 3)), still).shape
        (1, 3, 4, 4)
    Source: mindspore.ops.DeformableOffsets
    """
    owner = "DeformableOffsets"
    if x.ndim != 4 or x.shape[1] % deformable_groups:
        expected = f"of shape (N, C, H, W), with C a multiple of {deformable_groups}"
        check.refuse(ValueError, owner, "x", expected, x.shape)
    edges = _pads(owner, "pads", pads)
    down, across = counts(owner, x.shape[2:], ksize, strides, dilations, edges)
    expected = (x.shape[0], 3 * deformable_groups * ksize[0] * ksize[1], down, across)
    if offsets.shape != expected:
        check.refuse(ValueError, owner, "offsets", f"of shape {expected}", offsets.shape)
    parts = offsets.reshape((x.shape[0], 3, deformable_groups, *ksize, down, across))
    starts = [np.arange(n) * step - edge[0] for n, step, edge in zip((down, across), strides, edges, strict=True)]
    steps = [np.arange(n) * step for n, step in zip(ksize, dilations, strict=True)]
    rows = steps[0][:, None, None, None] + starts[0][:, None]
    columns = steps[1][:, None, None] + starts[1]

    def one(group, right, below, factor):
        return interpolated(group, [rows + below, columns + right]) * factor

    groups = x.reshape((x.shape[0], deformable_groups, -1, *x.shape[2:]))
    samples = jax.vmap(jax.vmap(one))(groups, *jnp.moveaxis(parts, 1, 0))  # (N, G, C / G, kernel, windows)
    samples = samples.transpose(0, 1, 2, 5, 3, 6, 4)
    return samples.reshape((*x.shape[:2], down * ksize[0], across * ksize[1])).astype(x.dtype)


@op()
def deformable_conv2d(
    x: Array,
    weight: Array,
    offsets: Array,
    kernel_size: Lengths(2),
    strides: Lengths(2),
    padding: Ints,
    bias: Array | None = None,
    dilations: Lengths(2) = (1, 1, 1, 1),
    groups: PositiveInt = 1,
    deformable_groups: PositiveInt = 1,
    modulated: OneOf(True) = True,
):
    """Deformable convolution: a convolution over the elements sampled by `DeformableOffsets`.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, a float dtype.
        weight (Tensor): shape ``(out channels, C / groups, kernel height, kernel width)``.
        offsets (Tensor): shape ``(N, 3 * G * kernel height * kernel width, windows down, windows across)``: how far to
            the right, how far down, and the factor of each element.
        kernel_size (tuple[int]): height and width of the windows.
        strides (tuple[int]): steps of the windows, ``(1, 1, height, width)``.
        padding (tuple[int]): how far windows reach over the top, bottom, left and right.
        bias (Tensor): shape ``(out channels,)``. Default: ``None``.
        dilations (tuple[int]): steps within a window, ``(1, 1, height, width)``. Default: ``(1, 1, 1, 1)``.
        groups (int): of channels that the convolution keeps apart. Default: ``1``.
        deformable_groups (int): ``G``, groups of channels of the same offsets. Default: ``1``.
        modulated (bool): must be True, the default.
    Returns:
        Tensor of shape ``(N, out channels, windows down, windows across)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or shapes do not fit.
    Example:
        >>> still = ops.cat((ops.zeros((1, 8, 2, 2)), ops.ones((1, 4, 2, 2))), 1)
        >>> x, weight = ops.ones((1, 3, 3, 3)), ops.ones((5, 3, 2, 2))
        >>> ops.deformable_conv2d(x, weight, still, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0)).shape
        (1, 5, 2, 2)
    Source: mindspore.ops.deformable_conv2d
    """
    values = _deformable_offsets(
        x, offsets, strides, padding, kernel_size, dilations, deformable_groups=deformable_groups
    )
    return conv2d(values, weight, bias, kernel_size, groups=groups)
