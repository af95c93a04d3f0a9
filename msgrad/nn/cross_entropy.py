"""Losses that compare logits with classes."""

from .. import ops
from ..engine import dtypes
from ..ops.contracts import Bool, TensorOf, checked
from ..tensor.tensor import Tensor
from .loss import LossBase, check_tensors

__all__ = ["SoftmaxCrossEntropyWithLogits"]

_CLASSES = TensorOf("int32", "int64")


class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross entropy between ``softmax(logits)`` and the labels, for each row, reduced.

    Args:
        sparse (bool): whether labels are class numbers instead of probabilities. Default: ``False``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'none'``.
    Inputs: logits (Tensor): shape ``(N, C)``, float16 or float32; labels (Tensor): ``(N, C)`` of the same dtype, or
        ``(N,)``, int32 or int64, if ``sparse``. With ``'mean'`` and ``sparse`` there may be more axes before ``C``;
        with the other reductions a class number out of range adds nothing, and the logits are float32.
    Output: Tensor of shape ``(N,)`` or 0-d.
    Raises:
        TypeError: if an argument has the wrong type or dtype.  ValueError: if the shapes do not fit.
        RuntimeError: if, with ``'mean'``, a class number out of range is known; recorded ones give NaN.
    Example:
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> round(loss(Tensor([[0.0, 0.0]]), Tensor([1], mindspore.int32)).item(), 4)
        0.6931
    Source: mindspore.nn.SoftmaxCrossEntropyWithLogits
    """

    @checked
    def __init__(self, sparse: Bool = False, reduction="none"):
        super().__init__(reduction)
        self.sparse = sparse
        self.softmax_cross_entropy = ops.SoftmaxCrossEntropyWithLogits()
        self.sparse_softmax_cross_entropy = ops.SparseSoftmaxCrossEntropyWithLogits()

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels)
        if self.sparse and self.reduction == "mean":
            return self.sparse_softmax_cross_entropy(logits, labels)
        if self.sparse:
            one, zero = Tensor(1.0, dtypes.float32), Tensor(0.0, dtypes.float32)
            labels = ops.one_hot(_CLASSES.take(labels, "indices", "OneHot"), logits.shape[-1], one, zero)
        return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])
