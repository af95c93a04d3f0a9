"""Regression losses."""

import math

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool
from ..._contracts.kinds import Scalar
from ...engine.transforms.lifting import is_inexact
from .._core.define import op
from .._core.faces import face
from .._core.families import promoted
from ..math import elementwise, reduction

Reduction = OneOf("none", "mean", "sum")


def reduced(loss, how):
    """The mean or the sum of ``loss``, or for ``'none'`` itself."""
    if how == "none":
        return loss
    return reduction.mean(loss) if how == "mean" else jnp.sum(loss, dtype=loss.dtype)


def _difference(x, y, op_name):
    difference = _exact_difference(x, y, op_name)
    return difference if is_inexact(difference.dtype) else difference.astype(jnp.float32)


def _exact_difference(x, y, op_name):
    check.broadcastable(x.shape, y.shape, op_name)
    x, y = promoted("sub", x, y)
    return x - y


@op(wide=True)
def mse_loss(input: Array, target: Array, reduction: Reduction = "mean"):
    """Squared error loss: the squared difference, reduced.

    Args:
        input, target (Tensor): shapes that broadcast.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the broadcast shape for ``'none'``; of ints in float32.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: for another ``reduction``.
    Example:
        >>> ops.mse_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        2.0
    Source: mindspore.ops.mse_loss
    """
    return reduced(jnp.square(_difference(input, target, "mse_loss")), reduction)


@op(wide=True)
def l1_loss(input: Array, target: Array, reduction: Reduction = "mean"):
    """L1 loss: the absolute difference; its derivative is 0 at 0.

    Args:
        input, target (Tensor): of the same shape.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of their shape for ``'none'``; an int dtype for ints.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: for another ``reduction``.
    Example:
        >>> ops.l1_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        1.0
    Source: mindspore.ops.l1_loss
    """
    return reduced(elementwise.abs(_exact_difference(input, target, "l1_loss")), reduction)  # ints stay ints


def _check_beta(beta):
    if beta < 0:
        check.refuse(RuntimeError, "SmoothL1Loss", "beta", "at least 0", beta)


def _check_eps(eps):
    if eps <= 0:
        check.refuse(ValueError, "gaussian_nll_loss", "eps", "above 0", eps)


def _check_delta(delta):
    if delta <= 0:
        check.refuse(ValueError, "huber_loss", "delta", "above 0", delta)


@op("SmoothL1Loss(beta=1.0, reduction='none')", wide=True)
def smooth_l1_loss(input: Array, target: Array, beta: Scalar(_check_beta) = 1.0, reduction: Reduction = "none"):
    """Smooth L1 loss: ``d^2 / (2 beta)`` where the absolute difference d is below ``beta``, else ``d - beta / 2``.

    Args:
        input, target (Tensor): of the same shape, a float dtype.
        beta (int | float): above 0, or 0 for `l1_loss`. Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'none'``.
    Returns:
        Tensor of rank 0, or of their shape for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or for another ``reduction``.
        RuntimeError: if ``beta`` is negative.
    Example:
        >>> ops.smooth_l1_loss(Tensor([1.0, 3.0]), Tensor([0.0, 0.0])).tolist()
        [0.5, 2.5]
    Source: mindspore.ops.smooth_l1_loss, mindspore.ops.SmoothL1Loss
    """
    check.same_shape(target, input, "target", "input", "SmoothL1Loss")
    difference = check.dtype(_difference(input, target, "SmoothL1Loss"), "f", "input", "SmoothL1Loss")
    size = elementwise.abs(difference)
    near = size * size / (2 * jnp.where(beta > 0, beta, 1)).astype(size.dtype)
    return reduced(jnp.where(size < beta, near, size - 0.5 * beta), reduction)


@op(wide=True)
def huber_loss(input: Array, target: Array, reduction: Reduction = "mean", delta: Scalar(_check_delta) = 1.0):
    """Huber loss: ``d^2 / 2`` where the absolute difference d is below ``delta``, else ``delta (d - delta / 2)``.

    Args:
        input, target (Tensor): shapes that broadcast, a float dtype.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        delta (int | float): above 0. Default: ``1.0``.
    Returns:
        Tensor of rank 0, or of the broadcast shape for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not broadcast, ``reduction`` is none of
            these, or ``delta`` is not above 0.
    Example:
        >>> ops.huber_loss(Tensor([1.0, 3.0]), Tensor([0.0, 0.0]), "none").tolist()
        [0.5, 2.5]
    Source: mindspore.ops.huber_loss
    """
    size = elementwise.abs(check.dtype(_difference(input, target, "huber_loss"), "f", "input", "huber_loss"))
    return reduced(jnp.where(size < delta, 0.5 * size * size, delta * (size - 0.5 * delta)), reduction)


@op("L2Loss()", name="_l2_loss", wide=True)
def _l2_loss(input_x: Array):
    """Half the sum of squares.

    Args:
        input_x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of rank 0.
    Raises:
        TypeError: if ``input_x`` is not a Tensor of floats.
    Example:
        >>> ops.L2Loss()(Tensor([1.0, 3.0])).item()
        5.0
    Source: mindspore.ops.L2Loss
    """
    return jnp.sum(jnp.square(check.dtype(input_x, "f", "input_x", "L2Loss"))) / 2


@op(wide=True)
def gaussian_nll_loss(
    x: Array,
    target: Array,
    var: Array,
    full: Bool = False,
    eps: Scalar(_check_eps) = 1e-6,
    reduction: Reduction = "mean",
):
    """Gaussian negative log-likelihood: ``(log(v) + (x - target)^2 / v) / 2`` with ``v = max(var, eps)``.

    Args:
        x, target (Tensor): expectations and what came, a float dtype, shapes that broadcast.
        var (Tensor): the variances, of the shape of ``x``, or without its last axis, or of length 1 there.
        full (bool): whether the constant ``log(2 pi) / 2`` is added. Default: ``False``.
        eps (float): the smallest variance, above 0. Default: ``1e-6``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Returns:
        Tensor of rank 0, or of the shape of ``x`` for ``'none'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``eps`` is not above 0, a variance has no place, or
            ``reduction`` is another str.
    Example:
        >>> ops.gaussian_nll_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])).item()
        2.0
    Source: mindspore.ops.gaussian_nll_loss
    """
    if var.shape == x.shape[:-1] and var.shape != x.shape:
        var = var[..., None]
    var = jnp.maximum(var, eps)
    loss = (jnp.log(var) + jnp.square(x - target) / var) / 2
    return reduced(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


face(mse_loss, "mse_loss_ext(input, target, reduction='mean')")
