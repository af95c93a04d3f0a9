"""Hinge and margin losses: 0 once scores or distances differ by a margin."""

from ... import ops
from ..._contracts import check
from ..._contracts.choices import Instance, OneOf
from ..._contracts.contracts import Bool, Float, Real
from ..._contracts.enforcement import checked
from ...ops.loss.margin_losses import _cosine_embedding_loss
from .._rows import layer
from .regression import LossBase, check_tensors

__all__ = [
    "CosineEmbeddingLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "MultilabelMarginLoss", "MultiMarginLoss",
    "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip


CosineEmbeddingLoss = layer(
    _cosine_embedding_loss,  # labels broadcast; those of the function do not
    "CosineEmbeddingLoss(margin: FloatWithin('[-1, 1]') = 0.0, reduction='mean')(logits_x1, logits_x2, labels)",
    LossBase,
    logits_x2="input2",
)
HingeEmbeddingLoss = layer(
    ops.hinge_embedding_loss, "HingeEmbeddingLoss(margin=1.0, reduction='mean')(logits, labels)", LossBase
)
MarginRankingLoss = layer(
    ops.margin_ranking_loss, "MarginRankingLoss(margin=0.0, reduction='mean')(input1, input2, target)", LossBase
)
MultilabelMarginLoss = layer(ops.multilabel_margin_loss, "MultilabelMarginLoss(reduction='mean')(x, target)", LossBase)
SoftMarginLoss = layer(ops.soft_margin_loss, "SoftMarginLoss(reduction='mean')(logits, labels)", LossBase)


class MultiMarginLoss(LossBase):
    """Multi-class margin loss: the mean over the other classes of ``weight * max(0, margin - target_score + score)^p``.

    Args:
        p (int): 1 or 2. Default: ``1``.
        margin (float): Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        weight (Tensor): of each class, shape ``(C,)``. Default: ``None``, that of the call.
    Inputs: x (Tensor): scores, shape ``(N, C)``, a float dtype; target (Tensor): class indices, shape ``(N,)``, an int
        dtype; weight (Tensor): as above. Default: ``None``, ones.
    Output: Tensor, 0-d, or of shape ``(N,)`` for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``p`` or ``reduction`` has another value, or the
            shapes do not match.
    Example:
        >>> nn.MultiMarginLoss()(Tensor([[1.0, 1.0]]), Tensor([0])).item()
        0.5
    Source: mindspore.nn.MultiMarginLoss
    """

    @checked
    def __init__(self, p: OneOf(1, 2) = 1, margin: Float = 1.0, reduction="mean", weight=None):
        super().__init__(reduction)
        self.p = p
        self.margin = margin
        self.weight = weight

    def construct(self, x, target, weight=None):
        """The loss."""
        weight = weight if self.weight is None else self.weight
        return ops.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class TripletMarginLoss(LossBase):
    """Triplet margin loss: ``max(0, d(x, positive) - d(x, negative) + margin)``, with distances along axis 1.

    Args:
        p (int): the order of the distance. Default: ``2``.
        swap (bool): whether to use ``d(positive, negative)`` if it is less than ``d(x, negative)``. Default: ``False``.
        eps (float): added to each difference. Default: ``1e-6``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        margin (float): if not 1, it overrides that of the call. Default: ``1.0``.
    Inputs: x, positive, negative (Tensor): shapes ``(N, D, ...)`` that broadcast, real dtypes; margin (float).
        Default: ``1.0``.
    Output: Tensor, 0-d, or of the broadcast shape without axis 1 for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``reduction``.
    Example:
        >>> nn.TripletMarginLoss(p=1, eps=0.0)(Tensor([[0.0]]), Tensor([[2.0]]), Tensor([[1.0]])).item()
        2.0
    Source: mindspore.nn.TripletMarginLoss
    """

    @checked
    def __init__(self, p: Real = 2, swap: Bool = False, eps: Real = 1e-06, reduction="mean", margin: Real = 1.0):
        super().__init__(reduction)
        self.p = p
        self.swap = swap
        self.eps = eps
        self.margin = margin

    def construct(self, x, positive, negative, margin=1.0):
        """The loss."""
        margin = margin if self.margin == 1.0 else self.margin
        return ops.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """Triplet margin loss: ``max(0, d(x, positive) - d(x, negative) + margin)`` with a given distance.

    Args:
        distance_function (callable): of two Tensors. Default: ``None``, the Euclidean one along axis 1.
        swap (bool): whether to use ``d(positive, negative)`` if it is less than ``d(x, negative)``. Default: ``False``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        margin (float): Default: ``1.0``.
    Inputs: x, positive, negative (Tensor): of the same shape, ``(N, D, ...)``. Output: Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an input is 0-d.
    Example:
        >>> nn.TripletMarginWithDistanceLoss()(Tensor([[0.0]]), Tensor([[2.0]]), Tensor([[1.0]])).item()
        2.0
    Source: mindspore.nn.TripletMarginWithDistanceLoss
    """

    @checked
    def __init__(self, distance_function=None, swap: Bool = False, reduction="mean", margin: Instance(float) = 1.0):
        super().__init__(reduction)
        self.distance_function = _distance if distance_function is None else distance_function
        self.swap = swap
        self.margin = margin

    def construct(self, x, positive, negative):
        """The loss."""
        check_tensors("TripletMarginWithDistanceLoss", x=x, positive=positive, negative=negative)
        far = self.distance_function(x, negative)
        if self.swap:
            far = ops.minimum(far, self.distance_function(positive, negative))
        return self.get_loss(ops.maximum(self.distance_function(x, positive) - far + self.margin, 0))


def _distance(x, y):
    difference = ops.abs(x - y)
    if difference.ndim == 0:
        check.refuse(ValueError, "TripletMarginWithDistanceLoss", "x", "of at least one axis", difference)
    return ops.LpNorm(1)(difference)
