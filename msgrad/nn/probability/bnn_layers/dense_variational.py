"""Bayesian fully connected layers: their weights are sampled from learned distributions."""

from .... import ops
from ...._contracts.contracts import Bool, PositiveInt
from ...._contracts.enforcement import checked
from ....engine.refusal import refuse
from ...basic.activation import activation_of
from ...cell import Cell
from ..distribution.normal import Normal
from ._variational import Variational
from .layer_distribution import NormalPrior, normal_post_fn


class _DenseVariational(Variational):
    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        activation=None,
        has_bias: Bool = True,
        weight_prior_fn=NormalPrior,
        weight_posterior_fn=normal_post_fn,
        bias_prior_fn=NormalPrior,
        bias_posterior_fn=normal_post_fn,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        self._learn_("weight", (out_channels, in_channels), weight_prior_fn, weight_posterior_fn)
        if has_bias:
            self._learn_("bias", (out_channels,), bias_prior_fn, bias_posterior_fn)
        if activation and not isinstance(activation, (str, Cell)):
            refuse(ValueError, self.cls_name, "activation", "a str or a Cell", activation)
        self.activation = activation_of(activation or None, self.cls_name)
        self._prepare_()

    def _prepare_(self):
        """Creates the layer's further parts; subclasses override it."""

    def construct(self, x):
        """The activation of the product with the weights, plus a bias."""
        y = self._multiplied_(x)
        y = y + self._drawn_("bias") if self.has_bias else y
        return y if self.activation is None else self.activation(y)

    def extend_repr(self):
        """The sizes and the Parameters."""
        text = self._shown_(("in_channels", "out_channels"))
        return text if self.activation is None else f"{text}, activation={self.activation}"


class DenseReparam(_DenseVariational):
    """Fully connected layer with weights sampled at each call: ``activation(x @ weight.T + bias)``.

    Args:
        in_channels, out_channels (int): length of the last axis of the input and of the output.
        activation (str | Cell): applied to the result. Default: ``None``.
        has_bias (bool): whether to add the bias. Default: ``True``.
        weight_prior_fn, bias_prior_fn (Cell | callable): the prior, or a function that makes it. Default:
            `NormalPrior`.
        weight_posterior_fn, bias_posterior_fn (callable): makes the posterior from ``name`` and ``shape``.
            Default: a `NormalPosterior`.
    Inputs: x (Tensor): shape ``(N, in_channels)``. Output: Tensor of shape ``(N, out_channels)``.
    Parameters: ``mean`` and ``untransformed_std`` of ``weight_posterior`` and ``bias_posterior``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.probability.bnn_layers.DenseReparam(2, 3)(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    Source: mindspore.nn.probability.bnn_layers.DenseReparam
    """

    def _multiplied_(self, x):
        """The product with a sample of the weights."""
        return ops.dense(x, self._drawn_("weight"))


class DenseLocalReparam(_DenseVariational):
    """Local reparametrization: a fully connected layer that samples its products instead of its weights.

    Arguments, inputs and Parameters are those of `DenseReparam`; the distribution of the output is the same.

    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.probability.bnn_layers.DenseLocalReparam(2, 3)(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    Source: mindspore.nn.probability.bnn_layers.DenseLocalReparam
    """

    def _prepare_(self):
        """The distribution of the products."""
        self.normal = Normal()

    def _multiplied_(self, x):
        """A sample of the products with the weights."""
        mean = ops.dense(x, self.weight_posterior("mean"))
        var = ops.dense(ops.square(x), ops.square(self.weight_posterior("sd")))
        return self.normal("sample", mean=mean, sd=ops.sqrt(var))
