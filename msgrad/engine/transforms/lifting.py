"""Gradients through integers and bools, which JAX does not have and MindSpore does.

MindSpore differentiates integer arithmetic like float arithmetic, and a cast has the identity as gradient whatever the
dtypes. A Program in which such a value lies on the differentiated path is replayed with a *carrier* beside each active
integer value: a float64 array of the same numbers, which gradients flow through.
"""

import jax
import jax.numpy as jnp
import numpy as np

CARRIER = np.dtype(np.float64)


def is_inexact(dtype):
    """Whether gradients flow through values of this dtype by JAX's own rules."""
    return jnp.issubdtype(dtype, jnp.inexact)


def is_needed(program, wrt):
    """Whether an integer or bool value carries a gradient from ``wrt`` on."""
    active = set(wrt)
    if any(not is_inexact(program.aval_of(index)[1]) for index in wrt):
        return True
    for node in program.nodes:
        if any(i in active for i in node.inputs):
            if node.op.differentiable_cast and not is_inexact(node.avals[0][1]):
                return True
            active.update(node.first + k for k in range(len(node.avals)))
    return False


def moved(program, starts):
    """The values, as a frozenset of indices, through which gradients flow from the values ``starts`` (a tuple) on."""
    cached = program.moved.get(starts)
    if cached is None:
        active = set(starts)
        for node in program.nodes:
            sources = [i for i in node.inputs if i in active]
            if not sources:
                continue
            # An integer passes a gradient on only as the cast of an active value, or computed from an active integer.
            passes = node.op.differentiable_cast or any(not is_inexact(program.aval_of(i)[1]) for i in sources)
            active.update([node.first + k for k, (_, dtype) in enumerate(node.avals) if passes or is_inexact(dtype)])
        cached = program.moved[starts] = frozenset([index for index in active if index >= 0])
    return cached


def quantize(gradient, dtype):
    """A gradient as MindSpore casts it back to the dtype of its value: truncated for ints, nonzero for bools."""
    if dtype == np.bool_:
        return gradient != 0
    if jnp.issubdtype(gradient.dtype, jnp.complexfloating) and not jnp.issubdtype(dtype, jnp.complexfloating):
        gradient = jnp.real(gradient)
    return gradient.astype(dtype)


def _rounded(dtype, value):
    """``value`` unchanged, its gradient cast to ``dtype`` and back on the way."""

    @jax.custom_vjp
    def identity(value):
        return value

    # The forward rule calls the function itself, so that the rule holds for derivatives of higher order too.
    identity.defvjp(lambda value: (identity(value), None), lambda _, gradient: (_there_and_back(dtype, gradient),))
    return identity(value)


def _there_and_back(dtype, value):
    """``value`` cast to ``dtype`` and back; like any cast its gradient is the identity, cast the same way."""

    @jax.custom_vjp
    def casts(value):
        return quantize(value, dtype).astype(value.dtype)

    casts.defvjp(lambda value: (casts(value), None), lambda _, gradient: (_there_and_back(dtype, gradient),))
    return casts(value)


def _attached(value, smooth):
    """The number ``value`` with the derivative of ``smooth``."""

    @jax.custom_jvp
    def pick(value, smooth):
        return value

    pick.defjvp(lambda primals, tangents: (pick(*primals), tangents[1].astype(primals[0].dtype)))
    return pick(jax.lax.stop_gradient(value), smooth)


def replay(program, leaves, outputs, carriers, intercept, rules, also):
    """Like ``Program.replay``, and the carriers of active integer values: ``(values, {index: carrier})``."""
    env = {~i: leaf for i, leaf in enumerate(leaves)}
    carriers = dict(carriers)
    for index in [i for i in intercept if i < 0]:
        env[index] = intercept[index](env[index], env)
    for node in program.needed([*outputs, *intercept, *also]):
        inputs = [env[i] for i in node.inputs]
        fn = node.bound(rules, env)
        result = fn(*inputs)
        values = (result,) if node.single else result
        smooth = _smooth(node, fn, inputs, [carriers.get(i) for i in node.inputs], values)
        for k, value in enumerate(values):
            index = node.first + k
            if smooth is not None and smooth[k] is not None:
                if is_inexact(value.dtype):
                    value = _attached(value, smooth[k])
                else:
                    carriers[index] = _attached(value.astype(CARRIER), smooth[k])
            env[index] = intercept[index](value, env) if index in intercept else value
    return [env[i] for i in outputs], {i: carriers[i] for i in outputs if i in carriers}


def _smooth(node, fn, inputs, carriers, values):
    """Results of ``node`` computed on floats where integers are active, or None where the ordinary ones do."""
    if node.op.differentiable_cast:
        (value,), (carrier,) = values, carriers
        source = inputs[0].dtype
        if carrier is None and (is_inexact(value.dtype) or not is_inexact(source)):
            return None
        start = inputs[0] if carrier is None else carrier
        start = jnp.real(start) if jnp.iscomplexobj(start) else start
        return [_rounded(source, start.astype(CARRIER))]
    if all(carrier is None for carrier in carriers):
        return None
    floats = [value if carrier is None else carrier for value, carrier in zip(inputs, carriers, strict=True)]
    try:
        result = fn(*floats)
    except (TypeError, ValueError, IndexError):
        return None  # an index or a bit pattern: no gradient flows through it
    results = (result,) if node.single else result
    return [
        r.reshape(v.shape) if is_inexact(r.dtype) and r.size == v.size else None
        for r, v in zip(results, values, strict=True)
    ]
