"""Hinge and margin losses, which are 0 if scores or distances differ by at least a margin."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Float, Int, Real
from ..._contracts.kinds import Scalar
from .._core.define import op
from .._core.faces import face, primitive
from ..index.gathering import check_within
from .classification_losses import CLASSES
from .regression_losses import Reduction, reduced

_MSG_BETWEEN = "of the dtype of 'input1', {}"


@op(wide=True)
def margin_ranking_loss(
    input1: Array, input2: Array, target: Array, margin: Scalar() = 0.0, reduction: Reduction = "mean"
):
    """Margin ranking loss: ``max(0, margin - target (input1 - input2))``: which of two scores should be greater.

    Args:
        input1, input2 (Tensor): scores, of shapes that broadcast, a float dtype.
        target (Tensor): 1 where the first should be greater, -1 where the second; of their dtype.
        margin (float): Default: ``0.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of their common shape for ``'none'``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if shapes do not broadcast, or for another ``reduction``.
    Example:
        >>> ops.margin_ranking_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])).item()
        2.0
    Source: mindspore.ops.margin_ranking_loss
    """
    if target.dtype != input1.dtype:
        check.refuse(TypeError, "margin_ranking_loss", "target", _MSG_BETWEEN.format(input1.dtype), target.dtype.name)
    check.same_dtype(input2, input1, "input2", "input1", "margin_ranking_loss")
    loss = margin - target * (input1 - input2)
    return reduced(jnp.where(loss < 0, 0, loss), reduction)  # where, not maximum: the gradient at 0 is not halved


@op(wide=True)
def hinge_embedding_loss(inputs: Array, targets: Array, margin: Scalar() = 1.0, reduction: Reduction = "mean"):
    """Hinge embedding loss: ``inputs`` where ``targets`` is 1, ``max(0, margin - inputs)`` where it is -1.

    Args:
        inputs (Tensor): distances, any shape, a float dtype.
        targets (Tensor): of 1 and -1, a float dtype, a shape that broadcasts.
        margin (float): Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the broadcast shape for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor of floats.  ValueError: for another ``reduction``.
    Example:
        >>> ops.hinge_embedding_loss(Tensor([2.0, 0.5]), Tensor([1.0, -1.0]), reduction="none").tolist()
        [2.0, 0.5]
    Source: mindspore.ops.hinge_embedding_loss
    """
    check.dtype(inputs, "f", "inputs", "HingeEmbeddingLoss")
    check.dtype(targets, "f", "targets", "HingeEmbeddingLoss")
    near, far = jnp.where(targets > 0, inputs, 0), jnp.where(targets < 0, jnp.maximum(margin - inputs, 0), 0)
    return reduced(near + far, reduction)


@op(wide=True, name="_cosine_embedding_loss")
def _cosine_embedding_loss(
    input1: Array, input2: Array, target: Array, margin: Scalar() = 0.0, reduction: Reduction = "mean"
):
    """Cosine embedding loss: ``1 - cos`` where ``target`` is 1, ``max(0, cos - margin)`` where it is -1.

    Args:
        input1, input2 (Tensor): vectors along axis 1, of the same shape.
        target (Tensor): of 1 and -1, a shape that broadcasts with theirs without axis 1.
        margin (float): from -1 to 1. Default: ``0.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the broadcast shape for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> nn.CosineEmbeddingLoss()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1])).item()
        1.0
    Source: mindspore.nn.CosineEmbeddingLoss
    """
    check.same_shape(input2, input1, "input2", "input1", "cosine_embedding_loss")
    check.broadcastable(target.shape, input1.shape[:1] + input1.shape[2:], "cosine_embedding_loss")
    product, *squares = (jnp.sum(x * y, 1) for x, y in ((input1, input2), (input1, input1), (input2, input2)))
    cosine = product / jnp.sqrt((squares[0] + 1e-12) * (squares[1] + 1e-12))
    near, far = jnp.where(target == 1, 1 - cosine, 0), jnp.where(target == -1, jnp.maximum(cosine - margin, 0), 0)
    return reduced(near + far, reduction)


@op(wide=True)
def cosine_embedding_loss(
    input1: Array, input2: Array, target: Array, margin: Scalar() = 0.0, reduction: Reduction = "mean"
):
    """Cosine embedding loss: ``1 - cos`` where ``target`` is 1, ``max(0, cos - margin)`` where it is -1.

    Args:
        input1, input2 (Tensor): vectors along axis 1, of the same shape.
        target (Tensor): of 1 and -1, their shape without axis 1.
        margin (float): from -1 to 1. Default: ``0.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the shape of ``target`` for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> ops.cosine_embedding_loss(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1])).item()
        1.0
    Source: mindspore.ops.cosine_embedding_loss
    """
    check.same_shape(input2, input1, "input2", "input1", "cosine_embedding_loss")
    if target.shape != input1.shape[:1] + input1.shape[2:]:
        check.refuse(
            ValueError, "cosine_embedding_loss", "target", "of the shape of 'input1' without axis 1", target.shape
        )
    return _cosine_embedding_loss(input1, input2, target, margin, reduction)


@op(wide=True)
def soft_margin_loss(input: Array, target: Array, reduction: Reduction = "mean"):
    """Soft margin loss: ``log(1 + exp(-target * input))``.

    Args:
        input (Tensor): scores, any shape, a float dtype.
        target (Tensor): of 1 and -1, of the same shape.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the shape of ``input`` for ``'none'``.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.  ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> ops.soft_margin_loss(Tensor([0.0]), Tensor([1.0])).item()
        0.6931471824645996
    Source: mindspore.ops.soft_margin_loss
    """
    check.same_shape(target, input, "target", "input", "SoftMarginLoss")
    return reduced(jax.nn.softplus(-target * check.dtype(input, "f", "input", "SoftMarginLoss")), reduction)


primitive(soft_margin_loss, "SoftMarginLoss(reduction='mean')(input, target)")


def _look_at_classes(x, target):
    if len(x.aval[0]) == 2:
        check_within(target, 0, x.aval[0][1], "target", "MultiMarginLoss", ValueError, CLASSES)


@op(
    "MultiMarginLoss(p=1, margin: Float = 1.0, reduction='mean')(x, target, weight=None)",
    name="_multi_margin_loss",
    look=_look_at_classes,
    wide=True,
)
def _multi_margin_loss(
    x: Array,
    target: Array,
    weight: Array | None = None,
    p: OneOf(1, 2) = 1,
    margin: Scalar() = 1.0,
    reduction: Reduction = "mean",
):
    """The mean over the other classes of ``weight * max(0, margin - (score of the target) + score)^p``.

    Args:
        x (Tensor): scores, shape ``(N, C)``, a float dtype.
        target (Tensor): class indices, shape ``(N,)``, an int dtype.
        weight (Tensor): of each class, shape ``(C,)``. Default: ``None``, ones.
        p (int): 1 or 2. Default: ``1``.
        margin (float): Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of shape ``(N,)`` for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``p`` or for another ``reduction``, the shapes
            do not go together, or a class number is known to be out of range.
    Example:
        >>> ops.MultiMarginLoss()(Tensor([[1.0, 1.0]]), Tensor([0])).item()
        0.5
    Source: mindspore.ops.MultiMarginLoss
    """
    check.dtype(target, "i", "target", "MultiMarginLoss")
    if x.ndim != 2 or target.shape != x.shape[:1]:
        check.refuse(ValueError, "MultiMarginLoss", "target", "of shape (N,) for scores of shape (N, C)", target.shape)
    own = jnp.take_along_axis(x, target[:, None], 1)
    loss = margin - own + x
    loss = jnp.where(loss > 0, loss, 0) ** p
    loss = loss if weight is None else loss * weight[target][:, None]
    is_own = target[:, None] == jnp.arange(x.shape[1])
    return reduced(jnp.where(is_own, 0, loss).sum(1) / x.shape[1], reduction)


face(_multi_margin_loss, "multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction='mean')", input="x")


@op(name="_multilabel_margin_loss", wide=True)
def _multilabel_margin_loss(x: Array, target: Array, reduction: Reduction = "mean"):
    """The mean over pairs of a target and another class of ``max(0, 1 - (the target's score) + (the other's))``.

    Args:
        x (Tensor): scores, shape ``(C,)`` or ``(N, C)``, a float dtype.
        target (Tensor): class indices, an int dtype, of the same shape; the first -1 of a row ends its targets.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        tuple of two Tensors: the loss, of rank 0, or of shape ``(N,)`` for ``'none'``; and which classes are targets,
        int32, of the shape of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> ops.MultilabelMarginLoss()(Tensor([0.0, 0.0]), Tensor([1, -1]))[0].item()
        0.5
    Source: mindspore.ops.MultilabelMarginLoss
    """
    check.same_shape(target, x, "target", "x", "MultilabelMarginLoss")
    check.dtype(target, "i", "target", "MultilabelMarginLoss")
    classes = jnp.arange(x.shape[-1])
    counts = jnp.cumsum(target < 0, -1) == 0
    is_target = jnp.any(counts[..., None] & (target[..., None] == classes), -2)
    own = jnp.take_along_axis(x, jnp.maximum(target, 0), -1)
    pairs = jnp.maximum(1 - own[..., :, None] + x[..., None, :], 0)
    pairs = jnp.where(counts[..., :, None] & ~is_target[..., None, :], pairs, 0)
    return reduced(pairs.sum((-2, -1)) / x.shape[-1], reduction), is_target.astype(jnp.int32)


primitive(_multilabel_margin_loss, "MultilabelMarginLoss(reduction='mean')(x, target)")


@op(wide=True)
def multilabel_margin_loss(input: Array, target: Array, reduction: Reduction = "mean"):
    """The mean over pairs of a target and another class of ``max(0, 1 - (the target's score) + (the other's))``.

    Args:
        input (Tensor): scores, shape ``(C,)`` or ``(N, C)``, a float dtype.
        target (Tensor): class indices, an int dtype, of the same shape; the first -1 of a row ends its targets.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of shape ``(N,)`` for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or for another ``reduction``.
    Example:
        >>> ops.multilabel_margin_loss(Tensor([0.0, 0.0]), Tensor([1, -1])).item()
        0.5
    Source: mindspore.ops.multilabel_margin_loss
    """
    return _multilabel_margin_loss(input, target, reduction)[0]


@op(wide=True)
def triplet_margin_loss(
    anchor: Array,
    positive: Array,
    negative: Array,
    margin: Scalar() = 1.0,
    p: Real = 2,
    eps: Scalar(of=Float) = 1e-6,
    swap: Bool = False,
    reduction: Reduction = "mean",
):
    """Triplet margin loss: ``max(0, d(anchor, positive) - d(anchor, negative) + margin)``, with distances along axis 1.

    Args:
        anchor, positive, negative (Tensor): shapes ``(N, D, ...)`` that broadcast, real dtypes.
        margin (float): Default: ``1.0``.
        p (int): the order of the distance. Default: ``2``.
        eps (float): added to each difference. Default: ``1e-6``.
        swap (bool): whether to use ``d(positive, negative)`` if it is less than ``d(anchor, negative)``.
            Default: ``False``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the broadcast shape without axis 1 for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``reduction``.
    Example:
        >>> ops.triplet_margin_loss(Tensor([[0.0]]), Tensor([[2.0]]), Tensor([[1.0]]), p=1, eps=0.0).item()
        2.0
    Source: mindspore.ops.triplet_margin_loss
    """

    def distance(x, y):
        return jnp.sum(jnp.abs(x - y + eps) ** p, 1) ** (1 / p)

    far = distance(anchor, negative)
    far = jnp.minimum(far, distance(positive, negative)) if swap else far
    return reduced(jnp.maximum(distance(anchor, positive) - far + margin, 0), reduction)


@op("TripletMarginLoss(p=2, swap=False, eps=1e-6, reduction='mean')", name="_triplet_margin_loss", wide=True)
def _triplet_margin_loss(
    x: Array,
    positive: Array,
    negative: Array,
    margin: Array,
    p: Int = 2,
    swap: Bool = False,
    eps: Scalar(of=Float) = 1e-6,
    reduction: Reduction = "mean",
):
    """Triplet margin loss: ``max(0, d(x, positive) - d(x, negative) + margin)``, with distances along axis 1.

    Args:
        x, positive, negative (Tensor): shapes ``(N, D, ...)`` that broadcast, real dtypes.
        margin (Tensor): a float32 number.
        p (int): the order of the distance. Default: ``2``.
        swap (bool): whether to use ``d(positive, negative)`` if it is less than ``d(x, negative)``. Default: ``False``.
        eps (float): added to each difference. Default: ``1e-6``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the broadcast shape without axis 1 for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``reduction``.
    Example:
        >>> loss = ops.TripletMarginLoss(1, eps=0.0)
        >>> loss(Tensor([[0.0]]), Tensor([[2.0]]), Tensor([[1.0]]), Tensor(1.0)).item()
        2.0
    Source: mindspore.ops.TripletMarginLoss
    """
    return triplet_margin_loss(x, positive, negative, margin, p, eps, swap, reduction)
