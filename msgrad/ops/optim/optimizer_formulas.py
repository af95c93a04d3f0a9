"""Optimizer formulas: the new values of a Parameter and of its slots, as ``jax.Array``s.

The Primitives of `optimizer_steps` and the optimizers of ``nn.optim`` and ``experimental.optim`` are built on these. A
formula takes values in the order of its Primitive, if there is one. What precedes ``/`` it updates: the Parameter, then
its slots; it returns their new values in the same order.
"""

import functools
import inspect

import jax.numpy as jnp


@functools.cache  # `inspect` takes 20 us, and a step asks for each Parameter
def updated_by(formula):
    """The names of what a formula updates (tuple of str): its parameters before ``/``."""
    parameters = inspect.signature(formula).parameters.values()
    return tuple([each.name for each in parameters if each.kind is each.POSITIONAL_ONLY])


def descent(var, /, rate, grad):
    return (var - rate * grad,)


def momentum(var, accum, /, rate, grad, momentum, nesterov, scale=1):
    accum = accum * momentum + grad * scale
    return var - rate * (grad * scale + momentum * accum if nesterov else accum), accum


def keras_momentum(var, accum, /, rate, grad, momentum, nesterov):
    accum = accum * momentum - rate * grad
    return var + (accum * momentum - rate * grad if nesterov else accum), accum


def sgd(var, accum, stat, /, rate, grad, momentum, dampening, nesterov):
    accum = jnp.where(stat > 0, grad, momentum * accum + (1 - dampening) * grad)
    return var - rate * (grad + momentum * accum if nesterov else accum), accum, jnp.minimum(stat, 0)


def _moved(m, v, grad, beta1, beta2):
    return beta1 * m + (1 - beta1) * grad, beta2 * v + (1 - beta2) * jnp.square(grad)


def _corrected(rate, power1, power2):
    return rate * jnp.sqrt(1 - power2) / (1 - power1)


def adam(var, m, v, /, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov):
    m, v = _moved(m, v, grad, beta1, beta2)
    step = m * beta1 + (1 - beta1) * grad if nesterov else m
    return var - _corrected(rate, power1, power2) * step / (jnp.sqrt(v) + epsilon), m, v


def adam_step(m, v, /, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov):
    delta, m, v = adam(jnp.zeros_like(grad), m, v, power1, power2, rate, beta1, beta2, epsilon, grad, nesterov)
    return m, v, delta


def adam_weight_decay(var, m, v, /, rate, beta1, beta2, epsilon, decay, grad):
    m, v = _moved(m, v, grad.astype(m.dtype), beta1, beta2)
    return var - rate * (m / (jnp.sqrt(v) + epsilon) + decay * var), m, v


def amsgrad(var, m, v, vhat, /, power1, power2, rate, beta1, beta2, epsilon, grad):
    m, v = _moved(m, v, grad, beta1, beta2)
    vhat = jnp.maximum(vhat, v)
    return var - _corrected(rate, power1, power2) * m / (jnp.sqrt(vhat) + epsilon), m, v, vhat


def amsgrad_of(var, m, v, vhat, /, power1, power2, rate, grad, beta1, beta2, epsilon):
    return amsgrad(var, m, v, vhat, power1, power2, rate, beta1, beta2, epsilon, grad)


def adamax(var, m, v, /, power1, rate, beta1, beta2, epsilon, grad):
    m, v = beta1 * m + (1 - beta1) * grad, jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - rate / (1 - power1) * m / (v + epsilon), m, v


def adadelta(var, accum, moved, /, rate, rho, epsilon, grad):
    accum = rho * accum + (1 - rho) * jnp.square(grad)
    step = jnp.sqrt(moved + epsilon) / jnp.sqrt(accum + epsilon) * grad
    return var - rate * step, accum, rho * moved + (1 - rho) * jnp.square(step)


def adagrad(var, accum, /, rate, grad, update_slots, epsilon=0.0):
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - rate * grad / (jnp.sqrt(accum) + epsilon), accum


def adagrad_da(var, total, squares, /, grad, rate, l1, l2, step):
    total, squares = total + grad, squares + jnp.square(grad)
    shrunk = jnp.sign(total) * jnp.maximum(jnp.abs(total) - l1 * step, 0)
    return -rate * shrunk / (l2 * step * rate + jnp.sqrt(squares)), total, squares


def _signs(grad, m, beta):
    m = beta * m + (1 - beta) * grad
    return m, jnp.sign(grad) * jnp.sign(m)


def add_sign(var, m, /, rate, alpha, decay, beta, grad):
    m, sign = _signs(grad, m, beta)
    return var - rate * (alpha + decay * sign) * grad, m


def power_sign(var, m, /, rate, base, decay, beta, grad):
    m, sign = _signs(grad, m, beta)
    return var - rate * jnp.exp(base * decay * sign) * grad, m


def rms_prop(var, squares, moment, /, rate, grad, decay, momentum, epsilon):
    squares = decay * squares + (1 - decay) * jnp.square(grad)
    moment = momentum * moment + rate * grad / jnp.sqrt(squares + epsilon)
    return var - moment, squares, moment


def centered_rms_prop(var, mean, squares, moment, /, grad, rate, decay, momentum, epsilon):
    mean, squares = decay * mean + (1 - decay) * grad, decay * squares + (1 - decay) * jnp.square(grad)
    moment = momentum * moment + rate * grad / jnp.sqrt(squares - jnp.square(mean) + epsilon)
    return var - moment, mean, squares, moment


def ftrl(var, accum, linear, /, grad, rate, l1, l2, power, shrinkage=0.0):
    total = accum + jnp.square(grad)
    linear = linear + grad + 2 * shrinkage * var - (total**-power - accum**-power) / rate * var
    quadratic = total**-power / rate + 2 * l2
    var = jnp.where(jnp.abs(linear) > l1, (jnp.sign(linear) * l1 - linear) / quadratic, 0)
    return var, total, linear


def proximal(var, rate, l1, l2, grad):
    near = var - rate * grad
    return jnp.sign(near) / (1 + rate * l2) * jnp.maximum(jnp.abs(near) - rate * l1, 0)


def proximal_step(var, /, rate, l1, l2, grad):
    return (proximal(var, rate, l1, l2, grad),)


def proximal_adagrad(var, accum, /, rate, l1, l2, grad):
    accum = accum + jnp.square(grad)
    return proximal(var, rate / jnp.sqrt(accum), l1, l2, grad), accum


def asgd(var, mu, eta, mean, /, rate, grad, lambd, alpha, start, step):
    eta = jnp.where(step == 1, rate, eta)
    var = var * (1 - lambd * eta) - eta * grad
    mean = jnp.where(mu == 1, var, mean + (var - mean) * mu)
    return var, 1 / jnp.maximum(1, step - start), rate / (1 + lambd * rate * step) ** alpha, mean


def rprop(var, before, size, /, rate, grad, minus, plus, minimum, maximum, step):
    turn = jnp.sign(grad * before)
    size = jnp.where(step == 1, rate, size) * jnp.where(turn > 0, plus, jnp.where(turn < 0, minus, 1))
    size = jnp.clip(size, minimum, maximum)
    grad = jnp.where(turn < 0, 0, grad)
    return var - jnp.sign(grad) * size, grad, size


def _norm(value):
    return jnp.sqrt(jnp.sum(jnp.square(value)))


def lamb(var, m, v, /, rate, beta1, beta2, epsilon, decay, step, grad):
    m, v = _moved(m, v, grad, beta1, beta2)
    move = m / (1 - beta1**step) / (jnp.sqrt(v / (1 - beta2**step)) + epsilon) + decay * var
    weight_norm, move_norm = _norm(var), _norm(move)
    trust = jnp.where((weight_norm > 0) & (move_norm > 0), weight_norm / jnp.where(move_norm > 0, move_norm, 1), 1)
    return var - rate * trust * move, m, v


def lars(var, /, grad, rate, decay, epsilon, coefficient, clip):
    """The gradient in the scale of the Parameter."""
    return (trusted(var, grad, _norm(var), _norm(grad), rate, decay, epsilon, coefficient, clip),)


def trusted(var, grad, weight_norm, gradient_norm, rate, decay, epsilon, coefficient, clip):
    """The gradient in the scale of the Parameter; both norms are arguments."""
    trust = coefficient * weight_norm / (gradient_norm + decay * weight_norm + epsilon)
    trust = jnp.where((weight_norm > 0) & (gradient_norm > 0), trust, 1)
    trust = jnp.clip(trust / rate, 0, 1) if clip else trust
    return (grad + decay * var) * trust


def _root_mean_square(value):
    return jnp.sqrt(jnp.mean(jnp.square(value)))


def adafactor(
    var, m, row, column, v, /, rate, grad, least_square, min_scale, threshold, beta1, beta2, decay, scaled, has_m
):
    """``row`` and ``column`` are the factors of the mean square of a matrix; ``v`` is that of a vector."""
    rate = rate * jnp.maximum(min_scale, _root_mean_square(var)) if scaled else rate
    square = jnp.square(grad) + least_square
    if var.ndim > 1:
        row, column = (beta2 * old + (1 - beta2) * square.mean(axis) for old, axis in ((row, -1), (column, -2)))
        move = grad / jnp.sqrt(row / row.mean(-1, keepdims=True))[..., None] / jnp.sqrt(column)[..., None, :]
    else:
        v = beta2 * v + (1 - beta2) * square
        move = grad / jnp.sqrt(v)
    move = rate * move / jnp.maximum(1, _root_mean_square(move) / threshold)
    if has_m:
        move = m = beta1 * m + (1 - beta1) * move
    return var * (1 - decay * rate) - move, m, row, column, v


def adam_at(var, m, v, /, rate, beta1, beta2, epsilon, grad, step):
    return adam(var, m, v, beta1**step, beta2**step, rate, beta1, beta2, epsilon, grad, False)


def amsgrad_at(var, m, v, vhat, /, rate, beta1, beta2, epsilon, grad, step):
    return amsgrad(var, m, v, vhat, beta1**step, beta2**step, rate, beta1, beta2, epsilon, grad)


def adamw(var, m, v, vhat, /, rate, decay, beta1, beta2, epsilon, grad, step, has_vhat):
    m, v = _moved(m, v, grad, beta1, beta2)
    vhat = jnp.maximum(vhat, v) if has_vhat else vhat
    root = jnp.sqrt(vhat if has_vhat else v) / jnp.sqrt(1 - beta2**step) + epsilon
    return var * (1 - rate * decay) - rate / (1 - beta1**step) * m / root, m, v, vhat


def adamax_at(var, m, v, /, rate, beta1, beta2, epsilon, grad, step):
    m, v = beta1 * m + (1 - beta1) * grad, jnp.maximum(beta2 * v, jnp.abs(grad) + epsilon)
    return var - rate / (1 - beta1**step) * m / v, m, v


def nadam(var, m, v, product, /, rate, beta1, beta2, epsilon, fade, grad, step):
    now, later = (beta1 * (1 - 0.5 * 0.96 ** (each * fade)) for each in (step, step + 1))
    product = product * now
    m, v = _moved(m, v, grad, beta1, beta2)
    root = jnp.sqrt(v / (1 - beta2**step)) + epsilon
    move = (1 - now) / (1 - product) * grad + later / (1 - product * later) * m
    return var - rate * move / root, m, v, product


def radam(var, m, v, /, rate, beta1, beta2, epsilon, grad, step):
    m, v = _moved(m, v, grad, beta1, beta2)
    maximum = 2 / (1 - beta2) - 1
    length = maximum - 2 * step * beta2**step / (1 - beta2**step)
    share = (length - 4) * (length - 2) * maximum / ((maximum - 4) * (maximum - 2) * length)
    by_root = jnp.sqrt(jnp.maximum(share, 0) * (1 - beta2**step)) / (jnp.sqrt(v) + epsilon)
    return var - rate / (1 - beta1**step) * m * jnp.where(length > 5, by_root, 1), m, v


def adagrad_at(var, accum, /, rate, grad, epsilon, fade, step):
    return adagrad(var, accum, rate / (1 + step * fade), grad, True, epsilon)


def rms_step(var, squares, mean, moment, /, rate, grad, alpha, epsilon, momentum, centered):
    squares = alpha * squares + (1 - alpha) * jnp.square(grad)
    mean = alpha * mean + (1 - alpha) * grad if centered else mean
    move = grad / (jnp.sqrt(squares - jnp.square(mean) if centered else squares) + epsilon)
    moment = jnp.where(momentum > 0, momentum * moment + move, moment)
    return var - rate * jnp.where(momentum > 0, moment, move), squares, mean, moment
