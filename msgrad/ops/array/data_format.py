"""Data formats: indices and vectors of four axes converted between ``NHWC`` and ``NCHW``."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array
from .._core.define import op

_FORMATS = ("NHWC", "NCHW")


@op("DataFormatDimMap(src_format='NHWC', dst_format='NCHW')", name="_data_format_dim_map")
def _data_format_dim_map(input_x: Array, src_format: OneOf(*_FORMATS) = "NHWC", dst_format: OneOf(*_FORMATS) = "NCHW"):
    """Maps axis indices from one data format to another.

    Args:
        input_x (Tensor): any shape, an int dtype, values in ``[-4, 4)``.
        src_format, dst_format (str): the order of the result and that of ``input_x``, ``'NHWC'`` or ``'NCHW'``.
            Default: ``'NHWC'``, ``'NCHW'``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for another dtype.  ValueError: for another order.
    Example:
        >>> ops.DataFormatDimMap()(Tensor([0, 1, 2, 3])).tolist()
        [0, 3, 1, 2]
    Source: mindspore.ops.DataFormatDimMap
    """
    axes = np.array(
        [src_format.index(axis) for axis in dst_format], check.dtype(input_x, "i", "input_x", "DataFormatDimMap").dtype
    )
    return jnp.take(axes, input_x % 4)


@op("DataFormatVecPermute(src_format='NHWC', dst_format='NCHW')", name="_data_format_vec_permute")
def _data_format_vec_permute(
    input_x: Array, src_format: OneOf(*_FORMATS) = "NHWC", dst_format: OneOf(*_FORMATS) = "NCHW"
):
    """Permutes a vector of values by axis from one data format to another.

    Args:
        input_x (Tensor): shape ``(4,)`` or ``(4, 2)``, int32 or int64.
        src_format, dst_format (str): ``'NHWC'`` or ``'NCHW'``. Default: ``'NHWC'``, ``'NCHW'``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for another dtype.  ValueError: for another order or shape.
    Example:
        >>> ops.DataFormatVecPermute()(Tensor([1, 2, 3, 4])).tolist()
        [1, 4, 2, 3]
    Source: mindspore.ops.DataFormatVecPermute
    """
    if check.dtype(input_x, "i", "input_x", "DataFormatVecPermute").shape not in ((4,), (4, 2)):
        check.refuse(ValueError, "DataFormatVecPermute", "input_x", "of shape (4,) or (4, 2)", input_x)
    return input_x[np.array([src_format.index(axis) for axis in dst_format])]
