"""Classification losses: cross entropy, CTC and focal loss."""

from ... import ops
from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.contracts import Array, Bool, Int
from ..._contracts.enforcement import checked
from ..._contracts.kinds import Static, TensorOf, accepted
from ...engine import dtypes
from ...tensor.tensor import Tensor
from .._half_precision import in_float32
from .._rows import layer, on_demand
from ..basic.activation import LogSoftmax
from .regression import LossBase, check_tensors

_ROWS = {
    "BCELoss": lambda: layer(
        ops.binary_cross_entropy, "BCELoss(weight=None, reduction='mean')(logits, labels)", LossBase
    ),
    "BCEWithLogitsLoss": lambda: layer(
        ops.binary_cross_entropy_with_logits,
        "BCEWithLogitsLoss(reduction='mean', weight=None, pos_weight=None)(input, target)",
        LossBase,
    ),
    "CrossEntropyLoss": lambda: _with_checked_labels(
        layer(
            ops.cross_entropy,
            "CrossEntropyLoss(weight=None, ignore_index=-100, reduction='mean', "
            "label_smoothing: FloatWithin('[0, 1]') = 0.0)(logits, labels)",
            LossBase,
        )
    ),
    "KLDivLoss": lambda: layer(ops.kl_div, "KLDivLoss(reduction='mean')(logits, labels)", _OwnReduction),
    "MultiLabelSoftMarginLoss": lambda: layer(
        ops.multilabel_soft_margin_loss, "MultiLabelSoftMarginLoss(weight=None, reduction='mean')(x, target)", LossBase
    ),
    "NLLLoss": lambda: layer(
        ops.nll_loss, "NLLLoss(weight=None, ignore_index=-100, reduction='mean')(logits, labels)", LossBase
    ),
}
__getattr__ = on_demand(__name__, _ROWS)
__all__ = [*_ROWS, "CTCLoss", "FocalLoss", "SoftmaxCrossEntropyWithLogits"]


_CLASSES = TensorOf("int32", "int64")
_INDICES, _PROBABILITIES = TensorOf("int32"), TensorOf("float16", "float32", "float64")
_FOCAL_LABELS = TensorOf("int32", "int64", "float16", "float32")


def _with_checked_labels(kind):
    """Makes the layer over ``cross_entropy`` check the labels, as MindSpore's does; the function takes any ints."""
    compute = kind.construct

    def construct(self, logits, labels):
        """The result of ``cross_entropy``."""
        check_tensors("CrossEntropyLoss", logits=logits, labels=labels)
        if logits.ndim == labels.ndim:
            _PROBABILITIES.take(labels, "labels", "CrossEntropyLoss")
        elif logits.ndim == labels.ndim + 1:
            _INDICES.take(labels, "labels", "CrossEntropyLoss")
        return compute(self, logits, labels)

    kind.construct = construct
    return kind


class _OwnReduction(LossBase):
    """The base of losses with a reduction of their own instead of `LossBase.get_loss`."""

    def __init__(self):
        super().__init__()


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
        RuntimeError: for a class number out of range, with ``'mean'`` outside a recording; in recordings it gives NaN.
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


class CTCLoss(LossBase):
    """CTC loss: the negative log-likelihood of labels under classes over time, repeated ones merged.

    Args:
        blank (int): the class that is not a label. Default: ``0``.
        reduction (str): ``'mean'`` (of the losses by the numbers of labels), ``'sum'`` or ``'none'``.
            Default: ``'mean'``.
        zero_infinity (bool): whether infinite losses (too many labels) become 0. Default: ``False``.
    Inputs: log_probs (Tensor): log probabilities, shape ``(T, N, C)``, or ``(T, C)`` for one sequence; targets
        (Tensor): the labels, ``(N, S)``, or ``(S,)`` or ``(1, S)`` for one; input_lengths, target_lengths (Tensor):
        the numbers of time steps, and of labels.
    Output: Tensor of shape ``(N,)`` or 0-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or the shapes do not fit.
    Example:
        >>> probs = ops.log_softmax(ops.zeros((1, 1, 2)))
        >>> round(nn.CTCLoss()(probs, Tensor([[1]]), Tensor([1]), Tensor([1])).item(), 4)
        0.6931
    Source: mindspore.nn.CTCLoss
    """

    @checked
    def __init__(self, blank: Int = 0, reduction="mean", zero_infinity: Bool = False):
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        """The loss."""
        check_tensors("CTCLoss", log_probs=log_probs, targets=targets)
        is_single = log_probs.ndim == 2
        if is_single:
            targets = targets.expand_dims(0) if targets.ndim == 1 else targets
            if targets.ndim != 2 or targets.shape[0] != 1:
                check.refuse(ValueError, "CTCLoss", "targets", "of shape (S,) or (1, S) for one sequence", targets)
            log_probs = log_probs.expand_dims(1)
        lengths = input_lengths, target_lengths
        loss, _ = ops.ctc_loss(log_probs, targets, *lengths, self.blank, self.reduction, self.zero_infinity)
        return loss.squeeze(0) if is_single and loss.ndim else loss


def _weight_of_classes(value, arg_name, owner):
    if accepted(Array, value, arg_name, owner).ndim != 1:
        check.refuse(ValueError, owner, arg_name, "of one axis, a number for each class", value)
    return value


class FocalLoss(LossBase):
    """Focal loss: cross entropy weighted by ``(1 - p) ** gamma``, less for classes predicted well.

    Args:
        weight (Tensor): of each class, shape ``(C,)``. Default: ``None``, ones.
        gamma (float): Default: ``2.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Inputs: logits (Tensor): scores, shape ``(N, C)``, ``(N, C, H)`` or ``(N, C, H, W)``, with ``C`` above 1; labels
        (Tensor): probabilities of that shape, or class numbers of that shape with 1 instead of ``C``.
    Output: Tensor, 0-d; with ``'none'``, of shape ``(N, C)`` for probabilities, ``(N,)`` for class numbers.
    Raises:
        TypeError: if an argument has a wrong type or dtype.  ValueError: if the shapes do not fit.
    Example:
        >>> round(nn.FocalLoss()(Tensor([[0.0, 0.0]]), Tensor([[1]], mindspore.int32)).item(), 4)
        0.1733
    Source: mindspore.nn.FocalLoss
    """

    @checked
    def __init__(
        self, weight: Static(_weight_of_classes) | None = None, gamma: Instance(float) = 2.0, reduction="mean"
    ):
        super().__init__(reduction)
        self.gamma = gamma
        self.weight = weight
        self.logsoftmax = LogSoftmax(1)

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("FocalLoss", logits=logits, labels=labels)
        if logits.ndim not in (2, 3, 4) or labels.ndim != logits.ndim:
            check.refuse(ValueError, "FocalLoss", "labels", "of as many axes as 'logits', 2 to 4", labels)
        classes = logits.shape[1]
        if classes == 1:
            check.refuse(ValueError, "FocalLoss", "logits", "of at least two classes along axis 1", logits)
        if labels.shape[1] not in (1, classes):
            check.refuse(ValueError, "FocalLoss", "labels", f"of length 1 or {classes} along axis 1", labels)
        labels = _FOCAL_LABELS.take(labels, "labels", "FocalLoss")
        labels = labels.astype(dtypes.int32) if labels.shape[1] == 1 else labels
        return self._of(logits, labels, *([] if self.weight is None else [self.weight]))

    @in_float32
    def _of(self, logits, labels, weight=None):
        logits, labels = (x.reshape((*x.shape[:2], -1)) for x in (logits, labels))
        logs = self.logsoftmax(logits)
        weighted = logs if weight is None else logs * weight.expand_dims(-1)
        if labels.shape[1] == 1:
            logs, weighted = (ops.gather_elements(x, 1, labels).squeeze(1) for x in (logs, weighted))
            return self.get_loss((-((1 - ops.exp(logs)) ** self.gamma) * weighted).mean(1))
        return self.get_loss((-((1 - ops.exp(logs)) ** self.gamma) * labels * weighted).mean(-1))
