"""Classification losses, of scores or probabilities of classes."""

import math

import jax
import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Int
from ..._contracts.kinds import TensorOf
from ...tensor.host_values import host_values
from .._core.define import composite, op
from .._core.families import body
from ..index.gathering import check_within
from .regression_losses import Reduction, reduced

_FLOATS, _CLASSES = TensorOf("bfloat16", "float16", "float32"), TensorOf("int32", "int64")
CLASSES = "of classes in the range [{}, {})"
_SMALL = 1e-12  # MindSpore's smallest probability under a logarithm


def _look_at_classes(scores, target, ignore_index, owner):
    if target.aval[1].kind in "iu" and scores.aval[0]:
        count = scores.aval[0][len(scores.aval[0]) > 1]
        _check_classes(target, ignore_index, -count, count, RuntimeError, "target", owner)


def _check_classes(target, ignored, low, high, error, arg_name, owner):
    """Raises if concrete class numbers are neither in ``[low, high)`` nor the ignored one."""
    classes = host_values(target)
    if classes is not None:
        wrong = classes[((classes < low) | (classes >= high)) & (classes != ignored)]
        if wrong.size:
            check.refuse(error, owner, arg_name, CLASSES.format(low, high), int(wrong[0]))


@jax.custom_jvp
def _of_class(scores, target):
    """The last axis of ``scores`` at the numbers ``target``: NaN where there is no such class."""
    return jnp.take_along_axis(scores, target[..., None], -1, mode="fill", fill_value=jnp.nan)[..., 0]


@_of_class.defjvp
def _of_class_jvp(primals, tangents):
    # A comparison with each class is fused with what follows, where the derivative of a gather would be scattered into
    # zeros of the scores' shape: for the 50,304 words of GPT-2 those are 1.6 of the 2.5 GB that its loss needs.
    scores, target = primals
    count, classes = scores.shape[-1], target.astype(jnp.int32)
    is_own = jnp.where(classes < 0, classes + count, classes)[..., None] == jnp.arange(count, dtype=jnp.int32)
    return _of_class(scores, target), jnp.where(is_own, tangents[0], 0).sum(-1)


def _of_classes(scores, target, weight, ignore_index, label_smoothing):
    """The losses of targets whose classes' log probabilities are the last axis of ``scores``, and their weights."""
    counts = target != ignore_index
    target = jnp.where(counts, target, 0)
    of_target = jnp.where(counts, weight[target], 0)
    loss = -of_target * _of_class(scores, target) * (1 - label_smoothing)
    # Without smoothing the term is skipped: 0 times the infinite score of an impossible class would be NaN.
    spreads = counts & (label_smoothing != 0)
    spread = label_smoothing / scores.shape[-1] * jnp.where(spreads, jnp.sum(scores * weight, -1), 0)
    return loss - spread, of_target


def _averaged(loss, weights, reduction):
    if reduction != "mean":
        return reduced(loss, reduction)
    loss, total = jnp.sum(loss), jnp.sum(weights)
    # Where no target counts, the mean is NaN and its derivative 0.
    return jnp.where(total == 0, lax.stop_gradient(loss / total), loss / jnp.where(total == 0, 1, total))


def _check_shape(expected, target, owner, arg_name="target"):
    if expected != target.shape:
        check.refuse(ValueError, owner, arg_name, f"of shape {expected}", target.shape)


def _like_classes(expected, target, owner):
    """Class indices in the shape ``expected``, also of those with a last axis of length 1, or that are flat."""
    is_column = target.shape == (*expected, 1)
    if is_column or len(expected) > 1 and target.ndim and target.size == math.prod(expected):
        target = target.reshape(expected)
    _check_targets(expected, target, owner)
    return target


def _check_targets(expected, target, owner, arg_name="target"):
    if target.dtype.name not in ("int32", "int64"):
        check.refuse(TypeError, owner, arg_name, "a Tensor of int32 or int64", check.InWords(target.dtype.name))
    _check_shape(expected, target, owner, arg_name)


def _weight(weight, classes, dtype, owner):
    if weight is None:
        return jnp.ones(classes, dtype)
    if weight.shape != (classes,):
        check.refuse(ValueError, owner, "weight", f"of shape ({classes},), one for each class", weight.shape)
    return weight


_OF_TARGETS = """{summary}

    Args:
        {scores} (Tensor): {phrase}, shape ``(C,)``, ``(N, C)`` or ``(N, C, d1, ...)``, a float dtype.
        target (Tensor): class indices, int32 or int64, the shape of ``{scores}`` without ``C``, or that with a last
            axis of length 1{target}.
        weight (Tensor): of each class, shape ``(C,)``. Default: ``None``, ones.
        ignore_index (int): a class that does not count. Default: ``-100``.
        reduction (str): ``'mean'`` (by the targets' weights), ``'sum'`` or ``'none'``. Default: ``'mean'``.
        label_smoothing (float): the part of the target that is spread over all classes. Default: ``0.0``.
    Returns:
        Tensor of rank 0, or of the shape of ``{scores}`` without ``C`` for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not go together, or ``reduction`` is
            none of these.  RuntimeError: if a class number is known to be out of range; recorded ones give NaN.
    Example:
        >>> ops.{name}(Tensor([[-1.0, -1.0]]), Tensor([1])).item()
        {value}
    Source: mindspore.ops.{name}
    """


def _of_targets(name, compute, look, summary, scores, phrase, value, target=""):
    """Defines a loss of scores and target classes."""
    text = (
        f"{name}({scores}: Array, target: Array, weight: Array | None = None, ignore_index: Int = -100, "
        "reduction: Reduction = 'mean', label_smoothing: Scalar() = 0.0)"
    )
    fields = {"summary": summary, "scores": scores, "phrase": phrase, "value": value, "target": target}
    return op(look=look, wide=True)(body(text, compute, _OF_TARGETS, {"Reduction": Reduction}, **fields))


def _cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing):
    axis = min(1, check.dtype(input, "f", "input", "cross_entropy").ndim - 1)
    scores = jnp.moveaxis(jax.nn.log_softmax(input, axis), axis, -1)
    weight = _weight(weight, scores.shape[-1], scores.dtype, "cross_entropy")
    if jnp.issubdtype(target.dtype, jnp.floating):
        _check_shape(input.shape, target, "cross_entropy")
        target = jnp.moveaxis(target, axis, -1) * (1 - label_smoothing) + label_smoothing / scores.shape[-1]
        loss = -jnp.sum(target * scores * weight, -1)
        return jnp.sum(loss) / max(loss.size, 1) if reduction == "mean" else reduced(loss, reduction)
    target = _like_classes(scores.shape[:-1], target, "cross_entropy")
    return _averaged(*_of_classes(scores, target, weight, ignore_index, label_smoothing), reduction)


def _nll_loss(inputs, target, weight, ignore_index, reduction, label_smoothing):
    scores = jnp.moveaxis(inputs, min(1, inputs.ndim - 1), -1)
    weight = _weight(weight, scores.shape[-1], scores.dtype, "nll_loss")
    target = _like_classes(scores.shape[:-1], target, "nll_loss")
    return _averaged(*_of_classes(scores, target, weight, ignore_index, label_smoothing), reduction)


cross_entropy = _of_targets(
    "cross_entropy",
    _cross_entropy,
    lambda input, target, ignore_index: _look_at_classes(input, target, ignore_index, "cross_entropy"),
    "The cross entropy of class scores and target classes.",
    "input",
    "scores",
    0.6931471824645996,
    "; or probabilities, of\n            its shape and dtype",
)
nll_loss = _of_targets(
    "nll_loss",
    _nll_loss,
    lambda inputs, target, ignore_index: _look_at_classes(inputs, target, ignore_index, "nll_loss"),
    "The negative log likelihood of target classes.",
    "inputs",
    "log probabilities",
    1.0,
)


def _look_at_labels(logits, labels, ignore_index):
    if logits.aval[0]:
        _check_classes(labels, ignore_index, 0, logits.aval[0][-1], ValueError, "labels", "NLLLoss")


@op("NLLLoss(reduction='mean', ignore_index=-100)", name="_nll_loss_and_weight", look=_look_at_labels, wide=True)
def _nll_loss_and_weight(
    logits: Array, labels: Array, weight: Array, reduction: Reduction = "mean", ignore_index: Int = -100
):
    """The negative log likelihood of target classes, and the sum of their weights.

    Args:
        logits (Tensor): log probabilities, shape ``(N, C)``, a float dtype.
        labels (Tensor): class indices, shape ``(N,)``, int32 or int64.
        weight (Tensor): of each class, shape ``(C,)``.
        reduction (str): ``'mean'`` (by the targets' weights), ``'sum'`` or ``'none'``. Default: ``'mean'``.
        ignore_index (int): a class that does not count. Default: ``-100``.
    Returns:
        tuple of two Tensors: the loss, of rank 0, or of shape ``(N,)`` for ``'none'``; the sum of weights, of rank 0.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not go together, ``reduction`` is none
            of these, or a class number is known to be out of range.
    Example:
        >>> ops.NLLLoss()(Tensor([[-1.0, -2.0]]), Tensor([1]), Tensor([1.0, 3.0]))[1].item()
        3.0
    Source: mindspore.ops.NLLLoss
    """
    weight = _weight(weight, logits.shape[-1], logits.dtype, "NLLLoss")
    _check_targets(logits.shape[:-1], labels, "NLLLoss", "labels")
    loss, weights = _of_classes(logits, labels, weight, ignore_index, 0)
    return _averaged(loss, weights, reduction), jnp.sum(weights)


@op("SoftmaxCrossEntropyWithLogits()", name="_softmax_cross_entropy", wide=True)
def _softmax_cross_entropy(logits: Array, labels: Array):
    """Softmax cross entropy of logits and target probabilities, and its derivative.

    Args:
        logits (Tensor): scores, shape ``(N, C)``, a float dtype.
        labels (Tensor): probabilities, of the same shape and dtype.
    Returns:
        tuple of two Tensors: the losses, shape ``(N,)``, and their gradient by ``logits``, shape ``(N, C)``.
    Raises:
        TypeError: if an argument has a wrong dtype.  ValueError: if the shapes do not go together.
    Example:
        >>> loss, gradient = ops.SoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
        >>> gradient.tolist()
        [[-0.5, 0.5]]
    Source: mindspore.ops.SoftmaxCrossEntropyWithLogits
    """
    owner = "SoftmaxCrossEntropyWithLogits"
    check.dtype(logits, "f", "logits", owner)
    check.same_dtype(labels, logits, "labels", "logits", owner)
    if logits.ndim != 2 or logits.shape != labels.shape:
        check.refuse(ValueError, owner, "labels", "of the shape of 'logits', (N, C)", (logits.shape, labels.shape))
    labels = jax.lax.stop_gradient(labels)
    scores = jax.nn.log_softmax(logits, -1)
    # The derivative is MindSpore's, which takes the labels of a row to add up to 1.
    smooth = jax.nn.logsumexp(logits, -1) - jnp.sum(labels * logits, -1)
    loss = smooth + jax.lax.stop_gradient(-jnp.sum(labels * scores, -1) - smooth)
    return loss, jnp.exp(scores) - labels


@op(name="_mean_over_classes", wide=True)
def _mean_over_classes(logits: Array, labels: Array, is_grad):
    def mean_loss(logits):
        scores = _of_class(jax.nn.log_softmax(logits, -1), labels)
        return -jnp.mean(jnp.where(labels < 0, jnp.nan, scores))

    return (jax.grad(mean_loss) if is_grad else mean_loss)(logits)


@composite("SparseSoftmaxCrossEntropyWithLogits(is_grad=False)", name="_sparse_softmax_cross_entropy")
def _sparse_softmax_cross_entropy(logits: _FLOATS, labels: _CLASSES, is_grad: Bool = False):
    """Mean softmax cross entropy of logits and target classes, or its derivative.

    Args:
        logits (Tensor): scores, shape ``(*N, C)``, float16 or float32.
        labels (Tensor): class indices, shape ``(*N,)``, int32 or int64.
        is_grad (bool): whether the derivative with respect to ``logits`` is the result. Default: ``False``.
    Returns:
        Tensor of rank 0, or of the shape of ``logits`` for the derivative.
    Raises:
        TypeError: if an argument has a wrong dtype.  ValueError: if the shapes do not go together.
        RuntimeError: if a class number out of range is known; recorded ones give NaN.
    Example:
        >>> ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(Tensor([[0.0, 0.0]]), Tensor([0])).tolist()
        [[-0.5, 0.5]]
    Source: mindspore.ops.SparseSoftmaxCrossEntropyWithLogits
    """
    owner = "SparseSoftmaxCrossEntropyWithLogits"
    shape = logits.shape
    if len(shape) < 2:
        check.refuse(ValueError, owner, "logits", "of at least two axes", shape)
    if shape[:-1] != labels.shape:
        expected = f"of the shape of 'logits' but its last axis, {shape[:-1]}"
        check.refuse(ValueError, owner, "labels", expected, labels.shape)
    check_within(labels, 0, shape[-1], "labels", owner, expected=CLASSES)
    return _mean_over_classes(logits, labels, is_grad)


@op("SigmoidCrossEntropyWithLogits()", name="_sigmoid_cross_entropy", wide=True)
def sigmoid_cross_entropy(logits: Array, label: Array):
    """Binary cross entropy of logits and target probabilities.

    Args:
        logits (Tensor): scores, any shape, a float dtype.
        label (Tensor): probabilities, of the same shape.
    Returns:
        Tensor of the shape of ``logits``.
    Raises:
        TypeError: if an argument is not a Tensor of floats.  ValueError: if shapes differ.
    Example:
        >>> ops.SigmoidCrossEntropyWithLogits()(Tensor([0.0]), Tensor([1.0])).tolist()
        [0.6931471824645996]
    Source: mindspore.ops.SigmoidCrossEntropyWithLogits
    """
    check.same_shape(label, logits, "label", "logits", "SigmoidCrossEntropyWithLogits")
    return _with_logits(check.dtype(logits, "f", "logits", "SigmoidCrossEntropyWithLogits"), label, 1)


def _with_logits(x, target, positive):
    return (1 - target) * x + ((positive - 1) * target + 1) * jax.nn.softplus(-x)


@op("BCEWithLogitsLoss(reduction='mean')(input, target, weight=None, posWeight=None)", wide=True)
def binary_cross_entropy_with_logits(
    input: Array,
    target: Array,
    weight: Array | None = None,
    pos_weight: Array | None = None,
    reduction: Reduction = "mean",
):
    """Binary cross entropy of logits and target probabilities.

    Args:
        input (Tensor): scores, any shape, a float dtype.
        target (Tensor): probabilities, of the same shape, a float dtype, which is that of the result.
        weight (Tensor): of the losses, broadcast to them. Default: ``None``, ones.
        pos_weight (Tensor): of what is expected, broadcast to the shape of ``input``. Default: ``None``, ones.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the shape of ``input`` for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor of floats. ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> ops.binary_cross_entropy_with_logits(Tensor([0.0]), Tensor([1.0])).item()
        0.6931471824645996
    Source: mindspore.ops.binary_cross_entropy_with_logits, mindspore.ops.BCEWithLogitsLoss
    """
    check.same_shape(target, input, "target", "input", "BCEWithLogitsLoss")
    x = check.dtype(input, "f", "input", "BCEWithLogitsLoss")
    check.dtype(target, "f", "target", "BCEWithLogitsLoss")
    loss = _with_logits(x, target, 1 if pos_weight is None else pos_weight)
    return reduced((loss if weight is None else loss * weight).astype(target.dtype), reduction)


@jax.custom_jvp
def _bernoulli_loss(probability, label):
    """The cross entropy of each label, with 1e-12 added under the logarithms."""
    return -(label * jnp.log(probability + _SMALL) + (1 - label) * _log_of_complement(probability))


@_bernoulli_loss.defjvp
def _bernoulli_loss_jvp(primals, tangents):
    # MindSpore divides by at least 1e-12, so the gradient is 0 where a probability of 1 is right.
    probability, label = primals
    by_probability = (probability - label) / jnp.maximum(probability * (1 - probability), _SMALL)
    by_label = _log_of_complement(probability) - jnp.log(probability + _SMALL)
    return _bernoulli_loss(probability, label), by_probability * tangents[0] + by_label * tangents[1]


def _log_of_complement(probability):
    """``log(1 - probability + 1e-12)``; XLA would reassociate that sum to ``1 - probability``, so it is rearranged."""
    return jnp.log(jnp.where(probability == 1, _SMALL, 1 - probability))


def _look_at_probabilities(logits):
    probabilities = host_values(logits)
    if probabilities is not None and probabilities.size and (probabilities.min() < 0 or probabilities.max() > 1):
        worst = probabilities.min() if probabilities.min() < 0 else probabilities.max()
        check.refuse(RuntimeError, "BinaryCrossEntropy", "logits", "of probabilities in [0, 1]", float(worst))


@op("BinaryCrossEntropy(reduction='mean')(input, target, weight=None)", look=_look_at_probabilities, wide=True)
def binary_cross_entropy(logits: Array, labels: Array, weight: Array | None = None, reduction: Reduction = "mean"):
    """Binary cross entropy of probabilities and targets; logarithms are at least that of 1e-12.

    Args:
        logits (Tensor): probabilities, any shape, a float dtype.
        labels (Tensor): what they should be, of the same shape and dtype.
        weight (Tensor): of the losses, of the same shape and dtype. Default: ``None``, ones.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the shape of ``logits`` for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor of floats. ValueError: if shapes differ, or for another ``reduction``.
            RuntimeError: if a probability is known not to lie in ``[0, 1]``.
    Example:
        >>> ops.binary_cross_entropy(Tensor([0.5]), Tensor([1.0])).item()
        0.6931471824645996
    Source: mindspore.ops.binary_cross_entropy, mindspore.ops.BinaryCrossEntropy
    """
    check.same_shape(labels, logits, "labels", "logits", "BinaryCrossEntropy")
    check.same_dtype(labels, logits, "labels", "logits", "BinaryCrossEntropy")
    if weight is not None:
        check.same_dtype(weight, logits, "weight", "logits", "BinaryCrossEntropy")
    wide = jnp.promote_types(check.dtype(logits, "f", "logits", "BinaryCrossEntropy").dtype, jnp.float32)
    x, y = logits.astype(wide), labels.astype(wide)
    loss = _bernoulli_loss(x, y)
    loss = (loss if weight is None else loss * weight).astype(logits.dtype)
    return reduced(loss, reduction)


@op("KLDivLoss(reduction='mean')", wide=True)
def kl_div(logits: Array, labels: Array, reduction: OneOf("none", "mean", "batchmean", "sum") = "mean"):
    """Kullback-Leibler divergence: ``labels * (log(labels) - logits)``.

    Args:
        logits (Tensor): log probabilities, any shape, a float dtype.
        labels (Tensor): probabilities, of the same shape and dtype; elements that are not above 0 add nothing.
        reduction (str): ``'mean'``, ``'sum'``, ``'none'``, or ``'batchmean'``: the sum divided by the length of the
            first axis. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the shape of ``logits`` for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor of floats. ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> ops.kl_div(Tensor([-1.0, -2.0]), Tensor([1.0, 0.0]), "sum").item()
        1.0
    Source: mindspore.ops.kl_div, mindspore.ops.KLDivLoss
    """
    check.same_shape(labels, logits, "labels", "logits", "KLDivLoss")
    check.same_dtype(labels, logits, "labels", "logits", "KLDivLoss")
    check.dtype(logits, "f", "logits", "KLDivLoss")
    loss = divergences(logits, labels)
    if reduction == "batchmean":
        return jnp.sum(loss) / logits.shape[0]
    return reduced(loss, reduction)


def divergences(logits, labels, log_target=False):
    """``labels * (log(labels) - logits)``, broadcast, in the dtype of ``logits``; 0 where a label is not above 0.

    With ``log_target`` the ``labels`` are logarithms.
    """
    if log_target:
        return (jnp.exp(labels) * (labels - logits)).astype(logits.dtype)
    counts = labels > 0
    return jnp.where(counts, labels * (jnp.log(jnp.where(counts, labels, 1)) - logits), 0).astype(logits.dtype)


@op(wide=True)
def multilabel_soft_margin_loss(
    input: Array, target: Array, weight: Array | None = None, reduction: Reduction = "mean"
):
    """The mean over classes of the cross entropy of each score's `sigmoid` and the probability that it should be.

    Args:
        input (Tensor): scores, shape ``(N, C)``, a float dtype.
        target (Tensor): probabilities, of a shape that broadcasts with that.
        weight (Tensor): of the classes, broadcast to the losses. Default: ``None``, ones.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of shape ``(N,)`` for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor of floats. ValueError: if shapes do not
            broadcast, or for another ``reduction``.
    Example:
        >>> ops.multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])).item()
        0.6931471824645996
    Source: mindspore.ops.multilabel_soft_margin_loss
    """
    loss = _with_logits(check.dtype(input, "f", "input", "multilabel_soft_margin_loss"), target, 1)
    loss = loss if weight is None else loss * weight
    return reduced(jnp.mean(loss, axis=min(1, input.ndim - 1)), reduction)
