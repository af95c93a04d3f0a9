"""Convolution or dense layers with batch norm and an activation."""

from typing import Any

from ..._contracts.contracts import Bool
from ..._contracts.enforcement import checked
from ..basic.activation import LeakyReLU, activation_of
from ..basic.dense import Dense
from ..cell import Cell
from ..normalization.batch_norm import BatchNorm1d, BatchNorm2d
from .conv import Conv2d

__all__ = ["Conv2dBnAct", "DenseBnAct"]


class _Combined(Cell):
    activation: Any

    def _keep(self, batch_norm, has_bn, activation, alpha, after_fake):
        self.has_bn = has_bn
        self.has_act = activation is not None
        self.after_fake = after_fake
        if has_bn:
            self.batchnorm = batch_norm
        is_leaky = activation == "leakyrelu"
        self.activation = LeakyReLU(alpha) if is_leaky else activation_of(activation, self.cls_name)

    def _finished(self, x):
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_Combined):
    """`Conv2d`, then `BatchNorm2d`, then an activation.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init: as for `Conv2d`, but ``weight_init`` is ``'normal'`` and ``bias_init`` ``'zeros'`` by default.
        has_bn (bool): whether there is batch normalisation. Default: ``False``.
        momentum, eps (float): as for `BatchNorm2d`. Default: ``0.997``, ``1e-5``.
        activation (str | Cell | Primitive | None): Default: ``None``.
        alpha (float): of ``'leakyrelu'``. Default: ``0.2``.
        after_fake (bool): a hint for quantisation without effect. Default: ``True``.
    Inputs: x (Tensor): shape ``(N, C, H, W)``. Output: Tensor.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.Conv2dBnAct(3, 8, 3, has_bn=True, activation="relu")(ops.ones((1, 3, 4, 4))).shape
        (1, 8, 4, 4)
    Source: mindspore.nn.Conv2dBnAct
    """

    @checked
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_init="normal",
        bias_init="zeros",
        has_bn: Bool = False,
        momentum=0.997,
        eps=1e-5,
        activation=None,
        alpha=0.2,
        after_fake: Bool = True,
    ):
        super().__init__()
        windows = kernel_size, stride, pad_mode, padding, dilation
        self.conv = Conv2d(in_channels, out_channels, *windows, group, has_bias, weight_init, bias_init)
        batch_norm = BatchNorm2d(out_channels, eps, momentum) if has_bn else None
        self._keep(batch_norm, has_bn, activation, alpha, after_fake)

    def construct(self, x):
        """The result of all steps."""
        return self._finished(self.conv(x))


class DenseBnAct(_Combined):
    """`Dense`, then `BatchNorm1d`, then an activation.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: as for `Dense`, but ``weight_init`` is
            ``'normal'`` and ``bias_init`` ``'zeros'`` by default.
        has_bn (bool): whether there is batch normalisation. Default: ``False``.
        momentum, eps (float): as for `BatchNorm1d`. Default: ``0.9``, ``1e-5``.
        activation (str | Cell | Primitive | None): Default: ``None``.
        alpha (float): of ``'leakyrelu'``. Default: ``0.2``.
        after_fake (bool): a hint for quantisation without effect. Default: ``True``.
    Inputs: x (Tensor): shape ``(N, in_channels)``. Output: Tensor.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.DenseBnAct(3, 8, has_bn=True, activation="relu")(ops.ones((1, 3))).shape
        (1, 8)
    Source: mindspore.nn.DenseBnAct
    """

    @checked
    def __init__(
        self,
        in_channels,
        out_channels,
        weight_init="normal",
        bias_init="zeros",
        has_bias=True,
        has_bn: Bool = False,
        momentum=0.9,
        eps=1e-5,
        activation=None,
        alpha=0.2,
        after_fake: Bool = True,
    ):
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        batch_norm = BatchNorm1d(out_channels, eps, momentum) if has_bn else None
        self._keep(batch_norm, has_bn, activation, alpha, after_fake)

    def construct(self, x):
        """The result of all steps."""
        return self._finished(self.dense(x))
