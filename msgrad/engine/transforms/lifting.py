"""Gradients through integers and bools, which MindSpore has and JAX has not.

MindSpore differentiates integer arithmetic like float arithmetic, and the gradient of a cast is the identity, whatever
the dtypes. Where integers lie between the inputs and the outputs of a derivative, the Program is replayed with a
*carrier* beside each of them: a float64 array of the same numbers, through which JAX differentiates.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

CARRIER = np.dtype(np.float64)  # holds all int32 exactly, and int64 up to 2**53


@functools.cache  # NumPy's own test takes 1 us
def is_inexact(dtype):
    """Whether JAX differentiates through values of this dtype."""
    return jnp.issubdtype(dtype, jnp.inexact)


def is_needed(program, wrt):
    """Whether carriers are needed: an integer or bool depends on ``wrt`` in a differentiable way."""
    active = set(wrt)
    # An integer input is active itself, whatever the operations do with it.
    if any(not is_inexact(program.aval_of(index)[1]) for index in wrt):
        return True
    for node in program.nodes:
        if any(i in active for i in node.inputs):
            if node.op.differentiable_cast and not is_inexact(node.avals[0][1]):
                return True
            active.update(node.first + k for k in range(len(node.avals)))
    return False


def moved(program, starts):
    """Activity analysis: indices (frozenset) of the values that depend differentiably on values ``starts`` (tuple)."""
    # With the Program: a chain asks for the same segment at each turn of its loop.
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
    """Casts a gradient to the dtype of its value as MindSpore does: truncated to an int, or ``!= 0`` for a bool."""
    if dtype == np.bool_:
        return gradient != 0
    if jnp.issubdtype(gradient.dtype, jnp.complexfloating) and not jnp.issubdtype(dtype, jnp.complexfloating):
        # Taken out first, since a cast that drops an imaginary part warns.
        gradient = jnp.real(gradient)
    return gradient.astype(dtype)


def _rounded(dtype, value):
    """The identity, whose gradient is cast to ``dtype`` and back."""

    @jax.custom_vjp
    def identity(value):
        return value

    # The forward rule calls the function itself, so that the rule holds for derivatives of higher order too.
    identity.defvjp(lambda value: (identity(value), None), lambda _, gradient: (_cast_and_back(dtype, gradient),))
    return identity(value)


def _cast_and_back(dtype, value):
    """``value`` cast to ``dtype`` and back; its gradient is the identity, rounded in the same way."""

    @jax.custom_vjp
    def casts(value):
        return quantize(value, dtype).astype(value.dtype)

    casts.defvjp(lambda value: (casts(value), None), lambda _, gradient: (_cast_and_back(dtype, gradient),))
    return casts(value)


def _attached(value, smooth):
    """``value`` with the derivative of ``smooth``."""

    @jax.custom_jvp
    def pick(value, smooth):
        return value

    pick.defjvp(lambda primals, tangents: (pick(*primals), tangents[1].astype(primals[0].dtype)))
    return pick(jax.lax.stop_gradient(value), smooth)


def replay(program, leaves, outputs, carriers, intercept, rules, also):
    """`Program.replay` with carriers: ``(values, {index: carrier})``, with those of the ``outputs`` that have one."""
    env = {~i: leaf for i, leaf in enumerate(leaves)}
    carriers = dict(carriers)
    for index in [i for i in intercept if i < 0]:
        env[index] = intercept[index](env[index], env)
    for node in program.needed([*outputs, *intercept, *also]):
        inputs = [env[i] for i in node.inputs]
        fn = node.bound(rules, env)
        result = fn(*inputs)
        values = (result,) if node.single else result
        # The result itself is the Program's; only its derivative comes from floats.
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
    """The results of ``node`` computed from carriers; None if it has no active integer."""
    if node.op.differentiable_cast:
        (value,), (carrier,) = values, carriers
        source = inputs[0].dtype
        if carrier is None and (is_inexact(value.dtype) or not is_inexact(source)):
            return None
        start = inputs[0] if carrier is None else carrier
        # A carrier is real, as an integer is.
        start = jnp.real(start) if jnp.iscomplexobj(start) else start
        return [_rounded(source, start.astype(CARRIER))]
    if all(carrier is None for carrier in carriers):
        return None
    floats = [value if carrier is None else carrier for value, carrier in zip(inputs, carriers, strict=True)]
    for lifted in _choices(_partners(inputs, carriers)):
        try:
            result = fn(*[each.astype(CARRIER) if i in lifted else each for i, each in enumerate(floats)])
            break
        except (TypeError, ValueError, IndexError):  # what JAX raises for floats where it needs ints
            pass
    else:
        return None  # an index or a bit pattern: no gradient flows through it
    results = (result,) if node.single else result
    return [
        # Only carriers with as many elements as the result fit: other shapes come from values used as sizes.
        r.reshape(v.shape) if is_inexact(r.dtype) and r.size == v.size else None
        for r, v in zip(results, values, strict=True)
    ]


def _partners(inputs, carriers):
    """Positions of the constant integers of a dtype that an operand with a carrier has, too.

    Most are operands of the same arithmetic, of which many operations need one dtype; others are indices.
    """
    active = {value.dtype for value, carrier in zip(inputs, carriers, strict=True) if carrier is not None}
    return [
        i
        for i, (value, carrier) in enumerate(zip(inputs, carriers, strict=True))
        if carrier is None and value.dtype in active and value.dtype != np.bool_
    ]


def _choices(partners):
    """Sets of partners to lift to floats, in the order in which they are tried: all, all but one, one, none."""
    everything = frozenset(partners)
    return dict.fromkeys(
        [everything, *[everything - {i} for i in partners], *[frozenset([i]) for i in partners], frozenset()]
    )
