"""Layer norm, group norm and local response normalization."""

import numbers
from typing import Any

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Bool, Int, NonNegativeFloat, PositiveInt, Real
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...initializer import initializer
from ...tensor.parameter import Parameter
from .._rows import layer
from ..cell import Cell

__all__ = ["GroupNorm", "LRN", "LayerNorm", "LayerNormExt"]


class LayerNorm(Cell):
    """Layer normalization over the axes from ``begin_norm_axis`` on, then ``gamma * y + beta``.

    Args:
        normalized_shape (tuple[int] | list[int]): the lengths of the axes from ``begin_params_axis`` on.
        begin_norm_axis, begin_params_axis (int): Default: ``-1``.
        gamma_init, beta_init (Tensor | str | Initializer | Number): Default: ones, zeros.
        epsilon (float): added to the variance. Default: ``1e-7``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Parameters: ``gamma`` and ``beta`` of shape ``normalized_shape``.
    Raises:
        TypeError: if ``normalized_shape`` is not a tuple or list.  ValueError: if it is empty or does not fit.
    Example:
        >>> nn.LayerNorm([2])(Tensor([[1.0, 3.0]])).asnumpy().round(3).tolist()
        [[-1.0, 1.0]]
    Source: mindspore.nn.LayerNorm
    """

    @checked
    def __init__(
        self,
        normalized_shape,
        begin_norm_axis: Int = -1,
        begin_params_axis: Int = -1,
        gamma_init="ones",
        beta_init="zeros",
        epsilon: Real = 1e-7,
        dtype=dtypes.float32,
    ):
        super().__init__()
        _check_lengths("LayerNorm", normalized_shape)
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, normalized_shape, dtype), name="beta")
        self.layer_norm = ops.LayerNorm(begin_norm_axis, begin_params_axis, epsilon)

    def construct(self, input_x):
        """The normalised input, of its shape and dtype."""
        return self.layer_norm(input_x, self.gamma, self.beta)[0]

    def extend_repr(self):
        """The arguments and the Parameters."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    """Layer normalization over the last axes, then ``weight * y + bias``.

    Args:
        normalized_shape (int | tuple[int] | list[int]): the lengths of these axes.
        eps (float): added to the variance. Default: ``1e-5``.
        elementwise_affine (bool): whether there are ``weight`` and ``bias``. Default: ``True``.
        bias (bool): whether there is a ``bias``, if ``elementwise_affine``. Default: ``True``.
        dtype (mindspore.dtype | None): of the Parameters. Default: ``None``, float32.
    Inputs: input (Tensor): a float dtype. Output: Tensor of the same shape and dtype.
    Parameters: ``weight`` (ones) and ``bias`` (zeros) of shape ``normalized_shape``, or None.
    Raises:
        TypeError: if ``normalized_shape`` is something else.  ValueError: if it is empty or does not fit the input.
    Example:
        >>> nn.LayerNormExt(2)(Tensor([[1.0, 3.0]])).asnumpy().round(3).tolist()
        [[-1.0, 1.0]]
    Source: mindspore.nn.LayerNormExt
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        _check_lengths("LayerNormExt", normalized_shape)
        shape: Any = tuple(normalized_shape)
        self.normalized_shape = shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        dtype = dtypes.float32 if dtype is None else dtype
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = Parameter(initializer("ones", shape, dtype), name="weight")
            if bias:
                self.bias = Parameter(initializer("zeros", shape, dtype), name="bias")

    def construct(self, input):
        """The normalised input."""
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self):
        """The arguments."""
        shape, affine = self.normalized_shape, self.elementwise_affine
        return f"normalized_shape={shape}, eps={self.eps}, elementwise_affine={affine}"


class GroupNorm(Cell):
    """Group normalization of each sample, then ``gamma * y + beta`` for each channel.

    Args:
        num_groups, num_channels (int): the number of groups, and of channels (axis 1), a multiple of it.
        eps (float): added to the variance. Default: ``1e-5``.
        affine (bool): whether ``gamma`` and ``beta`` are trainable. Default: ``True``.
        gamma_init, beta_init (Tensor | str | Initializer | Number): Default: ones, zeros.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: x (Tensor): shape ``(N, num_channels, ...)``, a float dtype. Output: Tensor of the same shape and dtype.
    Parameters: ``gamma`` and ``beta`` of shape ``(num_channels,)``.
    Raises:
        TypeError, ValueError: for other values, and for an input of another number of channels.
    Example:
        >>> nn.GroupNorm(1, 2)(ops.ones((1, 2, 4, 4))).shape
        (1, 2, 4, 4)
    Source: mindspore.nn.GroupNorm
    """

    @checked
    def __init__(
        self,
        num_groups: PositiveInt,
        num_channels: PositiveInt,
        eps: NonNegativeFloat = 1e-5,
        affine: Bool = True,
        gamma_init="ones",
        beta_init="zeros",
        dtype=dtypes.float32,
    ):
        super().__init__()
        if num_channels % num_groups:
            check.refuse(ValueError, "GroupNorm", "num_channels", f"divisible by {num_groups} groups", num_channels)
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.gamma = Parameter(initializer(gamma_init, num_channels, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, num_channels, dtype), name="beta", requires_grad=affine)

    def construct(self, x):
        """The normalised input."""
        return ops.group_norm(x, self.num_groups, self.gamma.astype(x.dtype), self.beta.astype(x.dtype), self.eps)

    def extend_repr(self):
        """The sizes."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


LRN = layer(
    ops.lrn,
    "LRN(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region='ACROSS_CHANNELS')(input_x)",
)


def _check_lengths(owner, lengths):
    if not isinstance(lengths, (tuple, list)):
        check.refuse(TypeError, owner, "normalized_shape", "a tuple or list of ints", lengths)
    if not lengths:
        check.refuse(ValueError, owner, "normalized_shape", "of at least one length", lengths)
