"""Bayesian convolutions: their kernels are sampled from learned distributions."""

from ...._contracts.choices import Lengths
from ...._contracts.contracts import Bool, PositiveInt
from ...._contracts.enforcement import checked
from ...convolution.conv import Conv2d
from ._variational import Variational
from .layer_distribution import NormalPrior, normal_post_fn

_SHOWN = (
    "in_channels", "out_channels", "kernel_size", "stride", "pad_mode", "padding", "dilation", "group",
)  # fmt: skip


class ConvReparam(Conv2d, Variational):
    """2-d convolution of ``(N, C, H, W)`` with kernels sampled at each call, plus a bias.

    Args:
        in_channels, out_channels (int): channels of the input and of the output.
        kernel_size, stride, pad_mode, padding, dilation, group: as for `nn.Conv2d`.
        has_bias (bool): whether to add the bias. Default: ``False``.
        weight_prior_fn, bias_prior_fn (Cell | callable): the prior, or a function that makes it. Default:
            `NormalPrior`.
        weight_posterior_fn, bias_posterior_fn (callable): makes the posterior from ``name`` and ``shape``.
            Default: a `NormalPosterior`.
    Inputs: x (Tensor): a float dtype. Output: Tensor of shape ``(N, out_channels, ...)``.
    Parameters: ``mean`` and ``untransformed_std`` of ``weight_posterior`` and ``bias_posterior``; and ``weight`` and
        ``bias``, which have no effect, as in MindSpore.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.probability.bnn_layers.ConvReparam(3, 8, 3)(ops.ones((1, 3, 5, 5))).shape
        (1, 8, 5, 5)
    Source: mindspore.nn.probability.bnn_layers.ConvReparam
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: Lengths(2),
        stride: Lengths(2) = 1,
        pad_mode="same",
        padding=0,
        dilation: Lengths(2) = 1,
        group: PositiveInt = 1,
        has_bias: Bool = False,
        weight_prior_fn=NormalPrior,
        weight_posterior_fn=normal_post_fn,
        bias_prior_fn=NormalPrior,
        bias_posterior_fn=normal_post_fn,
    ):
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init="normal",
            bias_init="zeros",
        )
        self.weight.requires_grad = False
        self._learn_("weight", self.weight.shape, weight_prior_fn, weight_posterior_fn)
        if has_bias:
            self.bias.requires_grad = False
            self._learn_("bias", (out_channels,), bias_prior_fn, bias_posterior_fn)

    def construct(self, x):
        """The convolution, plus a bias."""
        y = self.conv2d(x, self._drawn_("weight"))
        return self.bias_add(y, self._drawn_("bias")) if self.has_bias else y

    def extend_repr(self):
        """The arguments and the Parameters."""
        return self._shown_(_SHOWN)
