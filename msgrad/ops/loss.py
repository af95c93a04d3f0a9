"""Losses of two Tensors of one shape."""

import jax.numpy as jnp

from . import check, elementwise, reduction
from .define import Array, op
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
    return x - y if jnp.issubdtype(x.dtype, jnp.inexact) else (x - y).astype(jnp.float32)


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


@op("SmoothL1Loss", attrs=("beta", "reduction"))
def smooth_l1_loss(input: Array, target: Array, beta=1.0, reduction="none"):
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
    if check.number(beta, "beta", "SmoothL1Loss") <= 0:
        raise RuntimeError(f"For 'SmoothL1Loss', the values for beta not support negative values, but got {beta}.")
    _check_same_shape(input, target, "SmoothL1Loss")
    difference = check.dtype(_difference(input, target, "SmoothL1Loss"), "f", "input", "SmoothL1Loss")
    return _reduced(_quadratic_near_zero(difference, beta) / beta, reduction, "SmoothL1Loss")


@op()
def huber_loss(input: Array, target: Array, reduction="mean", delta=1.0):
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
    if check.number(delta, "delta", "huber_loss") <= 0:
        raise ValueError(f"For 'huber_loss', the 'delta' must be above 0, but got {delta}.")
    _check_same_shape(input, target, "huber_loss")
    difference = check.dtype(_difference(input, target, "huber_loss"), "f", "input", "huber_loss")
    return _reduced(_quadratic_near_zero(difference, delta), reduction, "huber_loss")


def _check_same_shape(x, y, op_name):
    if x.shape != y.shape:
        raise ValueError(f"For '{op_name}', the 'target' must have the shape of 'input', {x.shape}, but got {y.shape}.")
