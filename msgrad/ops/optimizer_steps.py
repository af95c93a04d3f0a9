"""The Primitives of optimizers: one row each, with its formula. Attributes named ``use_locking`` have no effect."""

import jax.numpy as jnp

from .update_rules import rule

_LOCKING = ("use_locking",)
_ADA_FACTOR = (
    "The step of Adafactor: a matrix's squared gradients are kept as the means of its rows and columns.\n"
    "    ``epsilons`` are two: one added to the squares, one the least size of the Parameter that scales the rate."
)


def _momentum(var, accum, rate, grad, momentum, nesterov, scale):
    accum = accum * momentum + grad * scale
    return var - rate * (grad * scale + momentum * accum if nesterov else accum), accum


def _keras_momentum(var, accum, rate, grad, momentum, nesterov):
    accum = accum * momentum - rate * grad
    return var + (accum * momentum - rate * grad if nesterov else accum), accum


def _sgd(var, grad, rate, accum, momentum, stat, dampening, decay, nesterov):
    grad = grad + decay * var
    accum = jnp.where(stat > 0, grad, momentum * accum + (1 - dampening) * grad)
    return var - rate * (grad + momentum * accum if nesterov else accum), accum, jnp.minimum(stat, 0)


def _scaled_momentum(decay, scale, var, accum, rate, grad, momentum):
    return _momentum(var, accum, rate, grad + decay * var, momentum, False, scale)


def _rms(x):
    return jnp.sqrt(jnp.mean(jnp.square(x)))


def _ada_factor(
    epsilons, threshold, beta1, beta2, decay, rate, grad, var, mean, row, column, square, scaled, first, decayed
):
    rate = rate * jnp.maximum(epsilons[1], _rms(var)) if scaled else rate
    squares = jnp.square(grad) + epsilons[0]
    if grad.ndim > 1:
        row = beta2 * row + (1 - beta2) * squares.mean(-1)
        column = beta2 * column + (1 - beta2) * squares.mean(-2)
        share = row / row.mean(-1, keepdims=True)
        step = grad / jnp.sqrt(share[..., None] * column[..., None, :])
    else:
        square = beta2 * square + (1 - beta2) * squares
        step = grad / jnp.sqrt(square)
    step = rate * step / jnp.maximum(_rms(step) / threshold, 1)
    if first:
        step = mean = beta1 * mean + (1 - beta1) * step
    return var - (decay * rate * var if decayed else 0) - step, mean, row, column, square


def _ada_factor_by_norm(epsilons, threshold, beta1, beta2, decay, rate, grad, *state_and_options):
    *state, norm, scaled, first, decayed = state_and_options
    return _ada_factor(epsilons, threshold, beta1, beta2, decay, rate, grad / norm, *state, scaled, first, decayed)


def _moved(m, v, grad, beta1, beta2):
    return beta1 * m + (1 - beta1) * grad, beta2 * v + (1 - beta2) * jnp.square(grad)


def _corrected(rate, power1, power2):
    return rate * jnp.sqrt(1 - power2) / (1 - power1)


def adam(var, m, v, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov):
    m, v = _moved(m, v, grad, beta1, beta2)
    step = m * beta1 + (1 - beta1) * grad if nesterov else m
    return var - _corrected(rate, power1, power2) * step / (jnp.sqrt(v) + epsilon), m, v


def _adam_step(m, v, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov):
    delta, m, v = adam(jnp.zeros_like(grad), m, v, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov)
    return m, v, delta


def _adam_weight_decay(var, m, v, rate, beta1, beta2, epsilon, decay, grad):
    m, v = _moved(m, v, grad.astype(m.dtype), beta1, beta2)
    return var - rate * (m / (jnp.sqrt(v) + epsilon) + decay * var), m, v


def _amsgrad(var, m, v, vhat, power1, power2, rate, beta1, beta2, epsilon, grad):
    m, v = _moved(m, v, grad, beta1, beta2)
    vhat = jnp.maximum(vhat, v)
    return var - _corrected(rate, power1, power2) * m / (jnp.sqrt(vhat) + epsilon), m, v, vhat


def _amsgrad_of(var, m, v, vhat, power1, power2, rate, grad, beta1, beta2, epsilon):
    return _amsgrad(var, m, v, vhat, power1, power2, rate, beta1, beta2, epsilon, grad)


def _adamax(var, m, v, power1, rate, beta1, beta2, epsilon, grad):
    m, v = beta1 * m + (1 - beta1) * grad, jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - rate / (1 - power1) * m / (v + epsilon), m, v


def adadelta(var, accum, moved, rate, rho, epsilon, grad):
    accum = rho * accum + (1 - rho) * jnp.square(grad)
    step = jnp.sqrt(moved + epsilon) / jnp.sqrt(accum + epsilon) * grad
    return var - rate * step, accum, rho * moved + (1 - rho) * jnp.square(step)


def adagrad(var, accum, rate, grad, update_slots, epsilon=0.0):
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - rate * grad / (jnp.sqrt(accum) + epsilon), accum


def _adagrad_da(var, total, squares, grad, rate, l1, l2, step):
    total, squares = total + grad, squares + jnp.square(grad)
    shrunk = jnp.sign(total) * jnp.maximum(jnp.abs(total) - l1 * step, 0)
    return -rate * shrunk / (l2 * step * rate + jnp.sqrt(squares)), total, squares


def _signs(grad, m, beta):
    m = beta * m + (1 - beta) * grad
    return m, jnp.sign(grad) * jnp.sign(m)


def _add_sign(var, m, rate, alpha, decay, beta, grad):
    m, sign = _signs(grad, m, beta)
    return var - rate * (alpha + decay * sign) * grad, m


def _power_sign(var, m, rate, base, decay, beta, grad):
    m, sign = _signs(grad, m, beta)
    return var - rate * jnp.exp(base * decay * sign) * grad, m


def rms_prop(var, squares, moment, rate, grad, decay, momentum, epsilon):
    squares = decay * squares + (1 - decay) * jnp.square(grad)
    moment = momentum * moment + rate * grad / jnp.sqrt(squares + epsilon)
    return var - moment, squares, moment


def _centered_rms_prop(var, mean, squares, moment, grad, rate, decay, momentum, epsilon):
    mean, squares = decay * mean + (1 - decay) * grad, decay * squares + (1 - decay) * jnp.square(grad)
    moment = momentum * moment + rate * grad / jnp.sqrt(squares - jnp.square(mean) + epsilon)
    return var - moment, mean, squares, moment


def ftrl(var, accum, linear, grad, rate, l1, l2, power, shrinkage=0.0):
    total = accum + jnp.square(grad)
    linear = linear + grad + 2 * shrinkage * var - (total**-power - accum**-power) / rate * var
    quadratic = total**-power / rate + 2 * l2
    var = jnp.where(jnp.abs(linear) > l1, (jnp.sign(linear) * l1 - linear) / quadratic, 0)
    return var, total, linear


def _proximal(var, rate, l1, l2, grad):
    near = var - rate * grad
    return jnp.sign(near) / (1 + rate * l2) * jnp.maximum(jnp.abs(near) - rate * l1, 0)


def proximal_adagrad(var, accum, rate, l1, l2, grad):
    accum = accum + jnp.square(grad)
    return _proximal(var, rate / jnp.sqrt(accum), l1, l2, grad), accum


rule(
    "ApplyMomentum(use_nesterov: Bool = False, use_locking: Bool = False, gradient_scale: Scalar() = 1.0)"
    "(variable, accumulation, learning_rate, gradient, momentum)",
    2, _momentum,
    "``accumulation = accumulation * momentum + gradient * gradient_scale``, ``variable -= learning_rate * it``.",
    gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyKerasMomentum(use_locking: Bool = False, use_nesterov: Bool = False)(var, accum, lr, grad, momentum)",
    2, _keras_momentum, "``accum = accum * momentum - lr * grad``, ``var += accum``.", hints=_LOCKING,
)  # fmt: skip
rule(
    "Adam(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)",
    3, adam,
    "``m`` and ``v`` move to the gradient and its square; ``var -= lr' * m / (sqrt(v) + epsilon)``,\n"
    "    ``lr' = lr * sqrt(1 - beta2_power) / (1 - beta1_power)``.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "AdamNoUpdateParam(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)",
    2, _adam_step, "What `Adam` adds to its Parameter; ``m`` and ``v`` move.", gives="extra", hints=_LOCKING,
)  # fmt: skip
rule(
    "AdamWeightDecay(use_locking: Bool = False)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)",
    3, _adam_weight_decay, "``var -= lr * (m / (sqrt(v) + epsilon) + decay * var)``, after ``m`` and ``v`` move.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "FusedCastAdamWeightDecay(use_locking: Bool = False)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)",
    3, _adam_weight_decay, "`AdamWeightDecay`, with a gradient of another float dtype.", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAdamWithAmsgrad(beta1: Scalar() = 0.9, beta2: Scalar() = 0.999, epsilon: Scalar() = 1e-08, "
    "use_locking: Bool = False)"
    "(var, m, v, vhat, beta1_power, beta2_power, lr, grad)",
    4, _amsgrad_of, "`Adam` with ``vhat``, the greatest ``v`` so far, in the place of ``v``.", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAdamWithAmsgradV2(use_locking: Bool = False)"
    "(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)",
    4, _amsgrad, "`Adam` with ``vhat``, the greatest ``v`` so far, in the place of ``v``.", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAdaMax()(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)",
    3, _adamax, "``var -= lr / (1 - beta1_power) * m / (v + epsilon)``, with ``v = max(beta2 * v, |grad|)``.",
)  # fmt: skip
rule(
    "ApplyAdadelta()(var, accum, accum_update, lr, rho, epsilon, grad)",
    3, adadelta, "``var -= lr * sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad``.",
)  # fmt: skip
rule(
    "ApplyAdagrad(update_slots: Bool = True)(var, accum, lr, grad)",
    2, adagrad, "``accum += grad^2`` if ``update_slots``, ``var -= lr * grad / sqrt(accum)``.",
)  # fmt: skip
rule(
    "ApplyAdagradV2(epsilon: Scalar(), update_slots: Bool = True)(var, accum, lr, grad)",
    2, lambda var, accum, rate, grad, epsilon, slots: adagrad(var, accum, rate, grad, slots, epsilon),
    "``accum += grad^2`` if ``update_slots``, ``var -= lr * grad / (sqrt(accum) + epsilon)``.",
)  # fmt: skip
rule(
    "ApplyAdagradDA(use_locking: Bool = False)"
    "(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step)",
    3, _adagrad_da, "The step of adagrad with dual averages, of all gradients so far.", gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAddSign()(var, m, lr, alpha, sign_decay, beta, grad)",
    2, _add_sign, "``var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad``.",
)  # fmt: skip
rule(
    "ApplyPowerSign()(var, m, lr, logbase, sign_decay, beta, grad)",
    2, _power_sign, "``var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad``.",
)  # fmt: skip
rule(
    "ApplyRMSProp(use_locking: Bool = False)"
    "(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)",
    3, rms_prop, "``moment = momentum * moment + learning_rate * grad / sqrt(mean_square + epsilon)``, ``var -= it``.",
    gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyCenteredRMSProp(use_locking: Bool = False)"
    "(var, mean_gradient, mean_square, moment, grad, learning_rate, decay, momentum, epsilon)",
    4, _centered_rms_prop, "`ApplyRMSProp` with the variance, ``mean_square - mean_gradient^2``.",
    gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyFtrl(use_locking: Bool = False)(var, accum, linear, grad, lr, l1, l2, lr_power)",
    3, ftrl, "The step of FTRL.", gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyGradientDescent()(var, alpha, delta)",
    1, lambda var, rate, delta: (var - rate * delta,), "``var -= alpha * delta``.",
)  # fmt: skip
rule(
    "ApplyProximalGradientDescent()(var, alpha, l1, l2, delta)",
    1, lambda *given: (_proximal(*given),), "``var -= alpha * delta``, shrunk by ``alpha * l1`` and ``alpha * l2``.",
)  # fmt: skip
rule(
    "ApplyProximalAdagrad(use_locking: Bool = False)(var, accum, lr, l1, l2, grad)",
    2, proximal_adagrad, "``accum += grad^2``, then `ApplyProximalGradientDescent` with ``lr / sqrt(accum)``.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "SGD(dampening: Scalar() = 0.0, weight_decay: Scalar() = 0.0, nesterov: Bool = False)"
    "(parameters, gradient, learning_rate, accum, momentum, stat)",
    (0, 3, 5), _sgd,
    "``accum = momentum * accum + (1 - dampening) * gradient``, at first the gradient; ``parameters -=\n"
    "    learning_rate * accum``. ``stat`` is above 0 where it is the first step.",
    gives="first",
)  # fmt: skip
rule(
    "FusedWeightScaleApplyMomentum()"
    "(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, momentum)",
    (2, 3), _scaled_momentum, "`ApplyMomentum` with ``loss_scale * (gradient + weight_decay * variable)``.",
    gives="first",
)  # fmt: skip
rule(
    "FusedAdaFactor(enable_scale_parameter: Bool = False, enable_first_moment: Bool = False, "
    "enable_weight_decay: Bool = False)"
    "(epsilons, clip_threshold, beta1, beta2, weight_decay, learning_rate, gradient, param, exp_avg, "
    "exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)",
    (7, 8, 9, 10, 11), _ada_factor, _ADA_FACTOR, gives="first",
)  # fmt: skip
rule(
    "FusedAdaFactorWithGlobalNorm(enable_scale_parameter: Bool = False, enable_first_moment: Bool = False, "
    "enable_weight_decay: Bool = False)"
    "(epsilons, clip_threshold, beta1, beta2, weight_decay, learning_rate, gradient, param, exp_avg, "
    "exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq, global_norm)",
    (7, 8, 9, 10, 11), _ada_factor_by_norm, "`FusedAdaFactor` with ``gradient / global_norm``.", gives="first",
)  # fmt: skip
