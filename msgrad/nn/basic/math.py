"""Layers of mathematics: special functions, sums, norms, moments, ranges."""

import math

import numpy as np

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Axes, Bool, IntOrInts, Real
from ..._contracts.enforcement import checked
from ..._contracts.kinds import TensorOf
from ...engine import dtypes
from ...ops.math.special import log_beta
from ...tensor.tensor import Tensor
from .._half_precision import in_float32
from .._rows import layer
from ..cell import Cell

__all__ = [
    "ClipByNorm", "DiGamma", "IGamma", "L1Regularizer", "LBeta", "LGamma", "Moments", "Norm", "Range",
    "ReduceLogSumExp",
]  # fmt: skip

_Floats = TensorOf("float16", "float32")

DiGamma = layer(ops.digamma, "DiGamma()(x)")
IGamma = layer(ops.igamma, "IGamma()(a, x)", x="other")
LBeta = layer(log_beta, "LBeta()(x, y)")
LGamma = layer(ops.lgamma, "LGamma()(x)")
ReduceLogSumExp = layer(ops.logsumexp, "ReduceLogSumExp(axis, keep_dims=False)(x)")


class Range(Cell):
    """Evenly spaced numbers in ``[start, limit)``.

    Args:
        start (int | float): the first number; the limit if ``limit`` is None, with 0 as the first number.
        limit (int | float | None): Default: ``None``.
        delta (int | float): the step. Default: ``1``.
    Output: Tensor of int32, or of float32 if one of them is a float.
    Raises:
        ValueError: if ``delta`` is 0.
    Example:
        >>> nn.Range(1, 8, 2)().tolist()
        [1, 3, 5, 7]
    Source: mindspore.nn.Range
    """

    def __init__(self, start, limit=None, delta=1):
        super().__init__()
        if delta == 0:
            check.refuse(ValueError, "Range", "delta", "not 0", delta)
        values = np.arange(start, limit, delta)
        self.result_tensor = Tensor(values, dtypes.float32 if values.dtype == np.float64 else dtypes.int32)

    def construct(self):
        """The numbers."""
        return self.result_tensor


class Norm(Cell):
    """The Euclidean norm along axes.

    Args:
        axis (int | tuple[int]): Default: ``()``, all.
        keep_dims (bool): whether to keep the axes with length 1. Default: ``False``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> nn.Norm()(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.nn.Norm
    """

    @checked
    def __init__(self, axis: Axes = (), keep_dims: Bool = False):
        super().__init__()
        self.axis = axis
        self.keep_dims = keep_dims

    @in_float32
    def construct(self, x):
        """The norm."""
        return ops.sqrt(ops.ReduceSum(self.keep_dims)(ops.square(x), self.axis))

    def extend_repr(self):
        """The arguments."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class ClipByNorm(Cell):
    """Clips a Tensor's norm: scales it down if the norm exceeds ``clip_norm``.

    Args:
        axis (int | tuple[int] | None): the axes of the norm. Default: ``None``, all.
    Inputs: x (Tensor): a float dtype; clip_norm (Tensor): above 0, of a shape that broadcasts. Output: Tensor, of half
        types in float32.
    Raises:
        TypeError: if ``axis`` is something else.
    Example:
        >>> nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)).asnumpy().round(2).tolist()
        [0.6000000238418579, 0.800000011920929]
    Source: mindspore.nn.ClipByNorm
    """

    @checked
    def __init__(self, axis: IntOrInts | None = None):
        super().__init__()
        self.axis = () if axis is None else axis

    def construct(self, x, clip_norm):
        """The scaled input."""
        x = x.astype(dtypes.float32) if x.dtype in (dtypes.float16, dtypes.bfloat16) else x
        squares = ops.ReduceSum(True)(ops.square(x), self.axis)
        positive = squares > 0
        norm = ops.where(positive, ops.sqrt(ops.where(positive, squares, 1.0)), squares)
        return x * clip_norm / ops.maximum(norm, clip_norm)


class L1Regularizer(Cell):
    """L1 regularization: ``scale`` times the sum of the absolute values of weights.

    Args:
        scale (int | float): finite and above 0.
    Inputs: weights (Tensor): a number dtype. Output: Tensor, 0-d.
    Raises:
        TypeError, ValueError: if ``scale`` is something else.
    Example:
        >>> nn.L1Regularizer(0.5)(Tensor([1.0, -3.0])).item()
        2.0
    Source: mindspore.nn.L1Regularizer
    """

    @checked
    def __init__(self, scale: Real):
        super().__init__()
        if not 0 < scale < math.inf:
            check.refuse(ValueError, "L1Regularizer", "scale", "finite and above 0", scale)
        self.scale = Tensor(scale, dtypes.float32)

    def construct(self, weights):
        """The sum."""
        return self.scale * ops.abs(weights).sum()


class Moments(Cell):
    """Mean and variance along axes.

    Args:
        axis (int | tuple[int] | None): Default: ``None``, all.
        keep_dims (bool | None): whether to keep the axes with length 1. Default: ``None``, no.
    Inputs: x (Tensor): float16 or float32. Output: tuple of two Tensors of the same dtype: mean and variance.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> [each.item() for each in nn.Moments()(Tensor([1.0, 3.0]))]
        [2.0, 1.0]
    Source: mindspore.nn.Moments
    """

    @checked
    def __init__(self, axis: IntOrInts | None = None, keep_dims: Bool | None = None):
        super().__init__()
        self.axis = () if axis is None else axis
        self.keep_dims = bool(keep_dims)

    def construct(self, x):
        """Mean and variance."""
        _Floats.take(x, "x", "Moments")
        wide = x.astype(dtypes.float32)
        mean = ops.ReduceMean(True)(wide, self.axis)
        variance = ops.ReduceMean(self.keep_dims)(ops.square(wide - mean), self.axis)
        return mean.reshape(variance.shape).astype(x.dtype), variance.astype(x.dtype)
