"""What optimizers do to all gradients before the `Update`: checks, weight decay, scaling, centralization."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays
from ...engine.handle import Handle
from .._core.define import op
from ..index.row_gradient import ROWS, as_dense, through_rows, with_rows
from .parts import on_gradients

_CENTRALIZED_MULTIPLE = 16  # MindSpore centralizes gradients whose second axis is a multiple of this


@op(name="_scheduled_rate")
def rate_at(rates: Array, step: Array):
    """The learning rate of a step; the last one for later steps."""
    return rates[jnp.minimum(step, rates.shape[0] - 1)]


@op(name="_next_counts")
def next_counts(step: Array, powers: Arrays, bases: Arrays):
    """The number of the step after this one, and each power times its base."""
    return (step + 1, *[power * base.astype(power.dtype) for power, base in zip(powers, bases, strict=True)])


def checked_gradients(gradients, count, owner, by_rows=False):
    """Checks that ``gradients`` is a tuple or list of ``count`` Tensors; their shapes are checked at their use.

    Args:
        by_rows (bool): whether a `RowGradient` stays one, and a RowTensor becomes one; otherwise they become dense.
    Returns:
        the gradients.
    Raises:
        TypeError: if an item is not a Tensor.  RuntimeError: for anything else, or another number of them.
    """
    if not isinstance(gradients, (tuple, list)):
        check.refuse(RuntimeError, owner, "gradients", "a tuple of Tensors", gradients)
    if not ROWS.isdisjoint(map(type, gradients)):
        gradients = with_rows(gradients) if by_rows else as_dense(gradients)
    if not all([isinstance(each, Handle) for each in gradients]):
        check.refuse(TypeError, owner, "gradients", "a tuple of Tensors", gradients)
    if len(gradients) != count:
        every = f"{count} Tensors, one for each Parameter"
        check.refuse(RuntimeError, owner, "gradients", every, len(gradients))
    return gradients


def check_shapes(gradients, parameters, error: type[Exception] = ValueError):
    """Checks that each gradient has the shape of its Parameter; raises ``error``."""
    for gradient, parameter in zip(gradients, parameters, strict=True):
        if gradient.shape != parameter.shape:
            expected = f"of the shapes of their Parameters, here {parameter.shape}"
            check.refuse(error, "Optimizer", "gradients", expected, gradient.shape)


@on_gradients("_add_weight_decay")
def decayed(gradients: Arrays, parameters: Arrays, decays: Arrays, flags):
    """Adds weight decay to the gradients of the Parameters selected by ``flags``."""
    check_shapes(gradients, parameters)
    decays = decays * len(gradients) if len(decays) == 1 else decays
    return tuple(
        gradient + parameter * decay.reshape(()).astype(parameter.dtype) if flag else gradient
        for gradient, parameter, decay, flag in zip(gradients, parameters, decays, flags, strict=True)
    )


@op(name="_descent_direction")
def directed(gradients: Arrays, parameters: Arrays, decay: Array, upwards, decays):
    """The gradients to descend along: negated for ``maximize``, plus weight decay."""
    gradients = [-gradient if upwards else gradient for gradient in gradients]
    if not decays:
        return tuple(gradients)
    return tuple([g + decay.astype(p.dtype) * p for g, p in zip(gradients, parameters, strict=True)])


@on_gradients("_scale_gradients")
def scaled(gradients: Arrays, scale: Array):
    """Gradients times ``scale``."""
    return tuple(gradient * scale.astype(gradient.dtype) for gradient in gradients)


def scaled_rows(gradients, scale):
    """As `scaled`; a gradient by rows stays one."""
    return through_rows(lambda values: scaled(values, scale), gradients)


@on_gradients("_centralize_gradients")
def centralized(gradients: Arrays, flags):
    """Gradient centralization: subtracts the mean over all axes but the first, where ``flags`` is set."""

    def centralize(gradient):
        if gradient.ndim < 2 or gradient.shape[1] % _CENTRALIZED_MULTIPLE:
            return gradient
        return gradient - gradient.mean(axis=tuple(range(1, gradient.ndim)), keepdims=True)

    return tuple(centralize(g) if flag else g for g, flag in zip(gradients, flags, strict=True))
