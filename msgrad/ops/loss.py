"""Losses of predictions and targets."""

import jax
import jax.numpy as jnp

from ..engine.lifting import is_inexact
from . import check, elementwise, reduction
from .contracts import Array, Scalar
from .define import op
from .families import promoted

_REDUCTIONS = ("mean", "sum", "none")


def _reduced(loss, how, op_name):
    check.one_of(how, _REDUCTIONS, "reduction", op_name)
    if how == "none":
        return loss
    return reduction.mean(loss) if how == "mean" else jnp.sum(loss)


def _difference(x, y, op_name):
    check.broadcastable(x.shape, y.shape, op_name)
    x, y = promoted("sub", x, y)
    return x - y if is_inexact(x.dtype) else (x - y).astype(jnp.float32)


def _quadratic_near_zero(difference, bound):
    """``d^2 / 2`` up to ``bound``, from there on straight with the slope ``bound``."""
    size = elementwise.abs(difference)
    return jnp.where(size < bound, 0.5 * size * size, bound * (size - 0.5 * bound))


@op()
def mse_loss(input: Array, target: Array, reduction="mean"):
    """The square of the difference.

    Args:
        input, target (Tensor): shapes that broadcast.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the broadcast shape for ``'none'``; of ints in float32.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: if ``reduction`` is none of these.
    Example:
        >>> ops.mse_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        2.0
    Source: mindspore.ops.mse_loss
    """
    return _reduced(jnp.square(_difference(input, target, "mse_loss")), reduction, "mse_loss")


@op()
def l1_loss(input: Array, target: Array, reduction="mean"):
    """The absolute difference; its derivative is 0 at 0.

    Args:
        input, target (Tensor): of one shape.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of their shape for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: if ``reduction`` is none of these.
    Example:
        >>> ops.l1_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        1.0
    Source: mindspore.ops.l1_loss
    """
    return _reduced(elementwise.abs(_difference(input, target, "l1_loss")), reduction, "l1_loss")


def _check_beta(beta):
    if beta <= 0:
        raise RuntimeError(f"For 'SmoothL1Loss', the values for beta not support negative values, but got {beta}.")


def _check_delta(delta):
    if delta <= 0:
        raise ValueError(f"For 'huber_loss', the 'delta' must be above 0, but got {delta}.")


@op("SmoothL1Loss(beta=1.0, reduction='none')")
def smooth_l1_loss(input: Array, target: Array, beta: Scalar(_check_beta) = 1.0, reduction="none"):
    """``d^2 / (2 beta)`` where the absolute difference d is below ``beta``, else ``d - beta / 2``.

    Args:
        input, target (Tensor): of one shape, a float dtype.
        beta (int | float): above 0. Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'none'``.
    Returns:
        Tensor of rank 0, or of their shape for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or ``reduction`` is none of these.
        RuntimeError: if ``beta`` is not above 0.
    Example:
        >>> ops.smooth_l1_loss(Tensor([1.0, 3.0]), Tensor([0.0, 0.0])).tolist()
        [0.5, 2.5]
    Source: mindspore.ops.smooth_l1_loss, mindspore.ops.SmoothL1Loss
    """
    _check_same_shape(input, target, "SmoothL1Loss")
    difference = check.dtype(_difference(input, target, "SmoothL1Loss"), "f", "input", "SmoothL1Loss")
    return _reduced(_quadratic_near_zero(difference, beta) / beta, reduction, "SmoothL1Loss")


@op()
def huber_loss(input: Array, target: Array, reduction="mean", delta: Scalar(_check_delta) = 1.0):
    """``d^2 / 2`` where the absolute difference d is below ``delta``, else ``delta (d - delta / 2)``.

    Args:
        input, target (Tensor): of one shape, a float dtype.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        delta (int | float): above 0. Default: ``1.0``.
    Returns:
        Tensor of rank 0, or of their shape for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, ``reduction`` is none of these, or
            ``delta`` is not above 0.
    Example:
        >>> ops.huber_loss(Tensor([1.0, 3.0]), Tensor([0.0, 0.0]), "none").tolist()
        [0.5, 2.5]
    Source: mindspore.ops.huber_loss
    """
    _check_same_shape(input, target, "huber_loss")
    difference = check.dtype(_difference(input, target, "huber_loss"), "f", "input", "huber_loss")
    return _reduced(_quadratic_near_zero(difference, delta), reduction, "huber_loss")


def _check_same_shape(x, y, op_name):
    if x.shape != y.shape:
        raise ValueError(f"For '{op_name}', the 'target' must have the shape of 'input', {x.shape}, but got {y.shape}.")


@op()
def cross_entropy(
    input: Array,
    target: Array,
    weight: Array | None = None,
    ignore_index=-100,
    reduction="mean",
    label_smoothing: Scalar() = 0.0,
):
    """The cross entropy of class scores and target classes.

    Args:
        input (Tensor): scores, shape ``(C,)``, ``(N, C)`` or ``(N, C, d1, ...)``, a float dtype.
        target (Tensor): class indices, an int dtype, the shape of ``input`` without ``C``; or probabilities, of
            ``input``'s shape and dtype.
        weight (Tensor): of each class, shape ``(C,)``. Default: ``None``, ones.
        ignore_index (int): a class that does not count. Default: ``-100``.
        reduction (str): ``'mean'`` (by the targets' weights), ``'sum'`` or ``'none'``. Default: ``'mean'``.
        label_smoothing (float): the part of the target that is spread over all classes. Default: ``0.0``.
    Returns:
        Tensor of rank 0, or of the shape of ``input`` without ``C`` for ``'none'``.
    Raises:
        ValueError: if the shapes do not go together, or ``reduction`` is none of these.
    Example:
        >>> ops.cross_entropy(Tensor([[0.0, 0.0]]), Tensor([1])).tolist()
        0.6931471824645996
    Source: mindspore.ops.cross_entropy
    """
    check.one_of(reduction, _REDUCTIONS, "reduction", "cross_entropy_loss")
    axis = min(1, input.ndim - 1)
    scores = jnp.moveaxis(jax.nn.log_softmax(input, axis), axis, -1)
    weight = jnp.ones(scores.shape[-1], scores.dtype) if weight is None else weight
    spread = label_smoothing / scores.shape[-1]
    if jnp.issubdtype(target.dtype, jnp.floating):
        _check_targets(input.shape, target.shape)
        target = jnp.moveaxis(target, axis, -1) * (1 - label_smoothing) + spread
        loss = -jnp.sum(target * scores * weight, -1)
        return jnp.sum(loss) / max(loss.size, 1) if reduction == "mean" else _reduced(loss, reduction, "cross_entropy")
    _check_targets(scores.shape[:-1], target.shape)
    counts = target != ignore_index
    target = jnp.where(counts, target, 0)
    of_target = jnp.where(counts, weight[target], 0)
    picked = jnp.take_along_axis(scores, target[..., None], -1)[..., 0]
    loss = -of_target * picked * (1 - label_smoothing)
    # Nothing at all is spread without smoothing, not 0 times the infinite score of an impossible class.
    spreads = counts & (label_smoothing != 0)
    loss = loss - spread * jnp.where(spreads, jnp.sum(scores * weight, -1), 0)
    return jnp.sum(loss) / jnp.sum(of_target) if reduction == "mean" else _reduced(loss, reduction, "cross_entropy")


def _check_targets(expected, given):
    if expected != given:
        raise ValueError(f"For 'cross_entropy', the shape of 'target' must be {expected}, but got {given}.")
