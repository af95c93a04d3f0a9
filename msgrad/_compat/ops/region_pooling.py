"""Position-sensitive pooling of regions: each bin of a region is the mean of its own group of channels."""

import numpy as np

from ... import ops
from ..._contracts import check
from ...tensor.tensor import Tensor


def psroi_pooling(features, rois, spatial_scale, group_size, output_dim):
    """Position-sensitive pooling of regions.

    Args:
        features (Tensor): shape ``(N, output_dim * group_size ** 2, H, W)``.
        rois (Tensor): shape ``(batch, 5, number)``: index of the image, and the corners ``x1, y1, x2, y2``.
        spatial_scale (float): from corners to elements of ``features``.
        group_size, output_dim (int): bins along an axis, and channels of the result.
    Returns:
        Tensor of shape ``(batch * number, output_dim, group_size, group_size)``.
    """
    if features.shape[1] != output_dim * group_size**2:
        expected = f"of {output_dim * group_size**2} channels"
        check.refuse(ValueError, "PSROIPooling", "features", expected, features.shape)
    regions = rois.asnumpy().astype(np.float64).transpose(0, 2, 1).reshape(-1, 5)
    # MindSpore 2.10 rounds the scaled corners, halves up, and makes a region at least a tenth of an element long.
    starts, ends = (np.floor(regions[:, part] * spatial_scale + 0.5) for part in (slice(1, 3), slice(3, 5)))
    bins = np.maximum(ends - starts, 0.1) / group_size
    steps = np.arange(group_size)
    masks = [
        _inside(starts[:, axis, None] + steps * bins[:, axis, None], bins[:, axis, None], features.shape[3 - axis])
        for axis in (0, 1)
    ]  # of columns, and of rows: (regions, bins, elements)
    counts = masks[1].sum(-1)[:, :, None] * masks[0].sum(-1)[:, None, :]
    columns, rows = (Tensor(each.astype(np.float32)).astype(features.dtype) for each in masks)
    images = features[Tensor(regions[:, 0].astype(np.int64))]
    images = images.reshape((len(regions), output_dim, group_size, group_size, *features.shape[2:]))
    sums = ops.einsum("rcijhw,rih,rjw->rcij", images, rows, columns)
    return sums / Tensor(np.maximum(counts, 1)[:, None].astype(np.float32)).astype(features.dtype)


def _inside(start, length, size):
    """Mask of the elements of an axis that are in each bin."""
    first, last = np.clip(np.floor(start), 0, size), np.clip(np.ceil(start + length), 0, size)
    positions = np.arange(size)
    return (positions >= first[..., None]) & (positions < last[..., None])
