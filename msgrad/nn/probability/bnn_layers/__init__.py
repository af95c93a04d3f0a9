"""Bayesian layers, which learn distributions of their weights, and the loss of such networks."""

from .bnn_cell_wrapper import WithBNNLossCell
from .conv_variational import ConvReparam
from .dense_variational import DenseLocalReparam, DenseReparam
from .layer_distribution import NormalPosterior, NormalPrior

__all__ = ["ConvReparam", "DenseLocalReparam", "DenseReparam", "NormalPosterior", "NormalPrior", "WithBNNLossCell"]
