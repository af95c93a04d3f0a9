"""LARS: gradients scaled by the trust ratio of the weight's and the gradient's norms."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Float, Operand
from ..._contracts.kinds import Scalar
from .._core.define import op
from . import optimizer_formulas as formulas


@op("LARSUpdate(epsilon=1e-05, hyperpara=0.001, use_clip=False)", name="_lars_update")
def _lars_update(
    weight: Array,
    gradient: Array,
    norm_weight: Array,
    norm_gradient: Array,
    weight_decay: Operand,
    learning_rate: Operand,
    epsilon: Scalar(of=Float) = 1e-05,
    hyperpara: Scalar(of=Float) = 0.001,
    use_clip: Bool = False,
):
    """The gradient scaled by the trust ratio of LARS.

    Args:
        weight (Tensor): any shape, a float dtype.
        gradient (Tensor): of the shape and dtype of ``weight``.
        norm_weight, norm_gradient (Tensor): the sums of the squares of the two.
        weight_decay (Tensor | Number): how much of the weight is added to the gradient.
        learning_rate (Tensor | Number): that of the step, which ``use_clip`` takes into account.
        epsilon (float): added where it is divided. Default: ``1e-05``.
        hyperpara (float): the share. Default: ``0.001``.
        use_clip (bool): whether the gradient is scaled so that the whole step, ``learning_rate`` times it, is at most
            that of the gradient itself. Default: ``False``.
    Returns:
        Tensor of the shape and dtype of ``gradient``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes differ.
    Example:
        >>> x = Tensor([3.0, 4.0])
        >>> ops.LARSUpdate(epsilon=0.0, hyperpara=0.5)(x, x, Tensor(25.0), Tensor(25.0), 0.0, 1.0).tolist()
        [1.5, 2.0]
    Source: mindspore.ops.LARSUpdate
    """
    check.same_shape(gradient, weight, "gradient", "weight", "LARSUpdate")
    norms = jnp.sqrt(norm_weight), jnp.sqrt(norm_gradient)
    rates = learning_rate, weight_decay, epsilon, hyperpara
    return formulas.trusted(weight, gradient, *norms, *rates, use_clip).astype(gradient.dtype)
