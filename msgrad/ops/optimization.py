"""Steps of optimizers; what ``nn.optim`` computes, for all Parameters at once."""

import jax.numpy as jnp

from .contracts import Array, Arrays, Scalar
from .define import op

_CENTRALIZED_MULTIPLE = 16  # MindSpore centralizes gradients whose second axis is a multiple of this


@op(name="_rate_at")
def rate_at(rates: Array, step: Array):
    """The rate of a step; the last one after the end."""
    return rates[jnp.minimum(step, rates.shape[0] - 1)]


@op(name="_decayed")
def decayed(gradients: Arrays, parameters: Arrays, decays: Arrays, flags):
    """Gradients with the decay times the parameters added, where ``flags`` says so."""
    decays = decays * len(gradients) if len(decays) == 1 else decays
    return tuple(
        gradient + parameter * decay.reshape(()).astype(parameter.dtype) if flag else gradient
        for gradient, parameter, decay, flag in zip(gradients, parameters, decays, flags, strict=True)
    )


@op(name="_scaled")
def scaled(gradients: Arrays, scale: Array):
    """Gradients times ``scale``."""
    return tuple(gradient * scale.astype(gradient.dtype) for gradient in gradients)


@op(name="_centralized")
def centralized(gradients: Arrays, flags):
    """Gradients less their mean over all axes but the first, where ``flags`` says so."""

    def centralize(gradient):
        if gradient.ndim < 2 or gradient.shape[1] % _CENTRALIZED_MULTIPLE:
            return gradient
        return gradient - gradient.mean(axis=tuple(range(1, gradient.ndim)), keepdims=True)

    return tuple(centralize(g) if flag else g for g, flag in zip(gradients, flags, strict=True))


def _each_rate(rates, parameters):
    """One rate for each parameter, in its dtype."""
    rates = rates * len(parameters) if len(rates) == 1 else rates
    return [rate.astype(parameter.dtype) for rate, parameter in zip(rates, parameters, strict=True)]


@op(name="_descended")
def descended(parameters: Arrays, gradients: Arrays, rates: Arrays):
    """The parameters after a step without momentum."""
    return tuple(
        parameter - rate * gradient.astype(parameter.dtype)
        for parameter, gradient, rate in zip(parameters, gradients, _each_rate(rates, parameters), strict=True)
    )


@op(name="_descended_with_momentum")
def descended_with_momentum(
    parameters: Arrays,
    gradients: Arrays,
    rates: Arrays,
    accums: Arrays,
    stats: Arrays,
    momentum: Array,
    dampening: Scalar(),
    nesterov,
):
    """The parameters, the accumulated gradients and the marks of a first step, after a step."""
    results = []
    rows = zip(parameters, gradients, _each_rate(rates, parameters), accums, stats, strict=True)
    for parameter, gradient, rate, accum, stat in rows:
        gradient = gradient.astype(parameter.dtype)
        factor = momentum.astype(parameter.dtype)
        accum = jnp.where(stat > 0, gradient, factor * accum + (1 - dampening) * gradient)
        step = gradient + factor * accum if nesterov else accum
        results.append((parameter - rate * step, accum, jnp.zeros_like(stat)))
    return tuple(value for column in zip(*results, strict=True) for value in column)


@op(name="_moved")
def moved(parameters: Arrays, gradients: Arrays, rates: Arrays, moments: Arrays, momentum: Array, nesterov):
    """The parameters and the moments after a step."""
    moved, kept = [], []
    for parameter, gradient, rate, moment in zip(
        parameters, gradients, _each_rate(rates, parameters), moments, strict=True
    ):
        gradient = gradient.astype(parameter.dtype)
        factor = momentum.astype(parameter.dtype)
        moment = factor * moment + gradient
        moved.append(parameter - rate * (gradient + factor * moment if nesterov else moment))
        kept.append(moment)
    return (*moved, *kept)
