"""Losses that compare logits with classes."""

from .. import ops
from ..engine import dtypes
from ..ops import check
from ..ops.gather import out_of_range
from ..tensor.tensor import Tensor
from .loss import LossBase, check_tensors

_LOGITS = (dtypes.float16, dtypes.float32)
_LABELS = (dtypes.int32, dtypes.int64)
_MSG_DTYPE = "For primitive[{}], the input argument[{}] must be a type of {{{}}}, but got Tensor[{}]."
_MSG_LABEL = "For 'SparseSoftmaxCrossEntropyWithLogits' got error label! label[index] must be in [0, {}), but got {}"


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

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = check.boolean(sparse, "sparse", "SoftmaxCrossEntropyWithLogits")

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels)
        if self.sparse and self.reduce and self.average:
            return _mean_over_classes(logits, labels)
        if self.sparse:
            _check_dtype("OneHot", "indices", labels, _LABELS)
            one, zero = Tensor(1.0, dtypes.float32), Tensor(0.0, dtypes.float32)
            labels = ops.one_hot(labels, logits.shape[-1], one, zero)
        _check_dense(logits, labels)
        return self.get_loss(-(labels * ops.log_softmax(logits, -1)).sum(-1))


def _check_dense(logits, labels):
    name = "SoftmaxCrossEntropyWithLogits"
    if logits.dtype != labels.dtype:
        raise TypeError(
            f"For primitive[{name}], the input type must be same. But got logits of {logits.dtype} and labels of "
            f"{labels.dtype}."
        )
    _check_dtype(name, "label_type", labels, _LOGITS)
    for argument, value in (("logits", logits), ("labels", labels)):
        if value.ndim != 2:
            raise ValueError(
                f"For primitive[{name}], the dimension of {argument} must be equal to 2, but got {value.ndim}."
            )
    if logits.shape != labels.shape:
        raise ValueError(
            f"For '{name}', evaluator arg 'label' shape must be consistent with 'logits' shape, but got 'label' shape: "
            f"{labels.shape}, 'logits' shape: {logits.shape}."
        )


def _mean_over_classes(logits, labels):
    name = "SparseSoftmaxCrossEntropyWithLogits"
    if logits.ndim < 2:
        raise ValueError(f"For '{name}': Features shape length must be greater than 1, but got {logits.ndim}")
    if logits.ndim != labels.ndim + 1:
        raise ValueError(
            f"For '{name}': Features shape length must be equal to Labels shape length plus 1, but got {logits.shape} "
            f"and {labels.shape}"
        )
    if logits.shape[:-1] != labels.shape:
        raise ValueError(
            f"For '{name}': Labels shape value must be equal to the Features except the last dimension of Features, "
            f"but got {labels.shape} and {logits.shape}"
        )
    _check_dtype(name, "logits_type(features_type)", logits, _LOGITS)
    _check_dtype(name, "labels_type", labels, _LABELS)
    classes = logits.shape[-1]
    wrong = out_of_range(labels, 0, classes)
    if wrong is not None:
        raise RuntimeError(_MSG_LABEL.format(classes, wrong))
    rows, labels = ops.log_softmax(logits, -1).reshape((-1, classes)), labels.reshape((-1,))
    chosen = ops.gather_elements(rows, 1, ops.maximum(labels, 0).reshape((-1, 1))).reshape((-1,))
    return -ops.where(labels < 0, float("nan"), chosen).mean()


def _check_dtype(name, argument, value, allowed):
    if value.dtype not in allowed:
        names = ", ".join(f"Tensor[{dtype}]" for dtype in allowed)
        raise TypeError(_MSG_DTYPE.format(name, argument, names, value.dtype))
