"""The Primitives of optimizers: one row each, by its formula. Attributes named ``use_locking`` have no effect."""

from . import optimizer_formulas as formulas
from .update_rules import rule

_LOCKING = ("use_locking",)
_ADA_FACTOR = (
    "The step of Adafactor: a matrix's squared gradients are kept as the means of its rows and columns.\n"
    "    ``epsilons`` are two: one added to the squares, one the smallest size of the Parameter that scales the rate."
)


def _sgd(var, grad, rate, accum, momentum, stat, dampening, decay, nesterov):
    return formulas.sgd(var, accum, stat, rate, grad + decay * var, momentum, dampening, nesterov)


def _scaled_momentum(decay, scale, var, accum, rate, grad, momentum):
    return formulas.momentum(var, accum, rate, grad + decay * var, momentum, False, scale)


def _ada_factor(epsilons, threshold, beta1, beta2, decay, rate, grad, *state_and_options):
    var, mean, row, column, square, scaled, first, decayed = state_and_options
    limits = epsilons[0], epsilons[1], threshold, beta1, beta2, decay if decayed else 0
    return formulas.adafactor(var, mean, row, column, square, rate, grad, *limits, scaled, first)


def _ada_factor_by_norm(epsilons, threshold, beta1, beta2, decay, rate, grad, *state_and_options):
    *state, norm, scaled, first, decayed = state_and_options
    return _ada_factor(epsilons, threshold, beta1, beta2, decay, rate, grad / norm, *state, scaled, first, decayed)


rule(
    "ApplyMomentum(use_nesterov: Bool = False, use_locking: Bool = False, gradient_scale: Scalar(of=Float) = 1.0)"
    "(variable, accumulation, learning_rate, gradient, momentum)",
    formulas.momentum,
    "``accumulation = accumulation * momentum + gradient * gradient_scale``, ``variable -= learning_rate * it``.",
    gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyKerasMomentum(use_locking: Bool = False, use_nesterov: Bool = False)(var, accum, lr, grad, momentum)",
    formulas.keras_momentum, "``accum = accum * momentum - lr * grad``, ``var += accum``.", hints=_LOCKING,
)  # fmt: skip
rule(
    "Adam(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)",
    formulas.adam,
    "``m`` and ``v`` move to the gradient and its square; ``var -= lr' * m / (sqrt(v) + epsilon)``,\n"
    "    ``lr' = lr * sqrt(1 - beta2_power) / (1 - beta1_power)``.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "AdamNoUpdateParam(use_locking: Bool = False, use_nesterov: Bool = False)"
    "(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)",
    formulas.adam_step, "What `Adam` adds to its Parameter; ``m`` and ``v`` move.", gives="extra", hints=_LOCKING,
)  # fmt: skip
rule(
    "AdamWeightDecay(use_locking: Bool = False)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)",
    formulas.adam_weight_decay,
    "``var -= lr * (m / (sqrt(v) + epsilon) + decay * var)``, after ``m`` and ``v`` move.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "FusedCastAdamWeightDecay(use_locking: Bool = False)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)",
    formulas.adam_weight_decay, "`AdamWeightDecay`, with a gradient of another float dtype.", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAdamWithAmsgrad(beta1: Scalar(of=Float) = 0.9, beta2: Scalar(of=Float) = 0.999, "
    "epsilon: Scalar(of=Float) = 1e-08, "
    "use_locking: Bool = False)"
    "(var, m, v, vhat, beta1_power, beta2_power, lr, grad)",
    formulas.amsgrad_of, "`Adam` with ``vhat``, the largest ``v`` so far, instead of ``v``.", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAdamWithAmsgradV2(use_locking: Bool = False)"
    "(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)",
    formulas.amsgrad, "`Adam` with ``vhat``, the largest ``v`` so far, instead of ``v``.", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAdaMax()(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)",
    formulas.adamax, "``var -= lr / (1 - beta1_power) * m / (v + epsilon)``, with ``v = max(beta2 * v, |grad|)``.",
)  # fmt: skip
rule(
    "ApplyAdadelta()(var, accum, accum_update, lr, rho, epsilon, grad)",
    formulas.adadelta, "``var -= lr * sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad``.",
)  # fmt: skip
rule(
    "ApplyAdagrad(update_slots: Bool = True)(var, accum, lr, grad)",
    formulas.adagrad, "``accum += grad^2`` if ``update_slots``, ``var -= lr * grad / sqrt(accum)``.",
)  # fmt: skip
rule(
    "ApplyAdagradV2(epsilon: Scalar(of=Float), update_slots: Bool = True)(var, accum, lr, grad)",
    lambda var, accum, /, rate, grad, epsilon, slots: formulas.adagrad(var, accum, rate, grad, slots, epsilon),
    "``accum += grad^2`` if ``update_slots``, ``var -= lr * grad / (sqrt(accum) + epsilon)``.",
)  # fmt: skip
rule(
    "ApplyAdagradDA(use_locking: Bool = False)"
    "(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step)",
    formulas.adagrad_da,
    "The step of adagrad with dual averages, of all gradients so far.", gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyAddSign()(var, m, lr, alpha, sign_decay, beta, grad)",
    formulas.add_sign, "``var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad``.",
)  # fmt: skip
rule(
    "ApplyPowerSign()(var, m, lr, logbase, sign_decay, beta, grad)",
    formulas.power_sign, "``var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad``.",
)  # fmt: skip
rule(
    "ApplyRMSProp(use_locking: Bool = False)"
    "(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)",
    formulas.rms_prop,
    "``moment = momentum * moment + learning_rate * grad / sqrt(mean_square + epsilon)``, ``var -= it``.",
    gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyCenteredRMSProp(use_locking: Bool = False)"
    "(var, mean_gradient, mean_square, moment, grad, learning_rate, decay, momentum, epsilon)",
    formulas.centered_rms_prop, "`ApplyRMSProp` with the variance, ``mean_square - mean_gradient^2``.",
    gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyFtrl(use_locking: Bool = False)(var, accum, linear, grad, lr, l1, l2, lr_power)",
    formulas.ftrl, "The step of FTRL.", gives="first", hints=_LOCKING,
)  # fmt: skip
rule(
    "ApplyGradientDescent()(var, alpha, delta)",
    lambda var, /, rate, delta: (var - rate * delta,), "``var -= alpha * delta``.",
)  # fmt: skip
rule(
    "ApplyProximalGradientDescent()(var, alpha, l1, l2, delta)",
    formulas.proximal_step,
    "``var -= alpha * delta``, shrunk by ``alpha * l1`` and ``alpha * l2``.",
)  # fmt: skip
rule(
    "ApplyProximalAdagrad(use_locking: Bool = False)(var, accum, lr, l1, l2, grad)",
    formulas.proximal_adagrad, "``accum += grad^2``, then `ApplyProximalGradientDescent` with ``lr / sqrt(accum)``.",
    hints=_LOCKING,
)  # fmt: skip
rule(
    "SGD(dampening: Scalar() = 0.0, weight_decay: Scalar() = 0.0, nesterov: Bool = False)"
    "(parameters, gradient, learning_rate, accum, momentum, stat)",
    _sgd,
    "``accum = momentum * accum + (1 - dampening) * gradient``, at first the gradient; ``parameters -=\n"
    "    learning_rate * accum``. ``stat`` is above 0 where it is the first step.",
    gives="first", written=(0, 3, 5),
)  # fmt: skip
rule(
    "FusedWeightScaleApplyMomentum()"
    "(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, momentum)",
    _scaled_momentum, "`ApplyMomentum` with ``loss_scale * (gradient + weight_decay * variable)``.",
    gives="first", written=(2, 3),
)  # fmt: skip
rule(
    "FusedAdaFactor(enable_scale_parameter: Bool = False, enable_first_moment: Bool = False, "
    "enable_weight_decay: Bool = False)"
    "(epsilons, clip_threshold, beta1, beta2, weight_decay, learning_rate, gradient, param, exp_avg, "
    "exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)",
    _ada_factor, _ADA_FACTOR, gives="first", written=(7, 8, 9, 10, 11),
)  # fmt: skip
rule(
    "FusedAdaFactorWithGlobalNorm(enable_scale_parameter: Bool = False, enable_first_moment: Bool = False, "
    "enable_weight_decay: Bool = False)"
    "(epsilons, clip_threshold, beta1, beta2, weight_decay, learning_rate, gradient, param, exp_avg, "
    "exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq, global_norm)",
    _ada_factor_by_norm, "`FusedAdaFactor` with ``gradient / global_norm``.", gives="first", written=(7, 8, 9, 10, 11),
)  # fmt: skip
