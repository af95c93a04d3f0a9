"""The loss of Bayesian networks."""

from ...._contracts.contracts import NonNegativeReal
from ...._contracts.enforcement import checked
from ...cell import Cell
from ._variational import Variational


class WithBNNLossCell(Cell):
    """The loss of a network, plus the KL divergence of its weights' posteriors from their priors.

    ``loss_fn(backbone(x), label) * dnn_factor + (sum of all layers' compute_kl_loss) * bnn_factor``.

    Args:
        backbone (Cell): the network.
        loss_fn (Cell): of its output and the labels.
        dnn_factor (int | float): non-negative. Default: ``1``.
        bnn_factor (int | float): non-negative. Default: ``1``.
    Inputs: x (Tensor), label (Tensor). Output: Tensor, the loss.
    Raises:
        TypeError: if a factor is not a number.  ValueError: if it is negative.
    Example:
        >>> network = nn.probability.bnn_layers.DenseReparam(2, 1)
        >>> loss = nn.probability.bnn_layers.WithBNNLossCell(network, nn.MSELoss(), 1, 1e-3)
        >>> loss(Tensor([[1.0, 2.0]]), Tensor([[0.0]])).shape
        ()
    Source: mindspore.nn.probability.bnn_layers.WithBNNLossCell
    """

    @checked
    def __init__(self, backbone, loss_fn, dnn_factor: NonNegativeReal = 1, bnn_factor: NonNegativeReal = 1):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor

    @property
    def kl_loss(self):
        """``compute_kl_loss`` of each Bayesian layer (list of functions)."""
        layers = [cell for _, cell in self._backbone.cells_and_names() if isinstance(cell, Variational)]
        return [layer.compute_kl_loss for layer in layers]

    def construct(self, x, label):
        """The loss."""
        loss = self._loss_fn(self._backbone(x), label)
        return loss * self.dnn_factor + sum(compute() for compute in self.kl_loss) * self.bnn_factor

    @property
    def backbone_network(self):
        """The network (Cell)."""
        return self._backbone
