"""Order of collectives in XLA: each takes the status that the previous one returns (`headers`).

While JAX differentiates and batches a Program, a collective is one primitive. The jaxpr has them in the order of the
Python program, in gradients in the reverse order; `in_order` evaluates it and hands the status on.
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.interpreters import batching

from .._jax_private import CALLED, ClosedJaxpr, Literal, Primitive, computes_anew, jaxprs_in_parameters, scan_lengths
from ..processes.peers import Mark
from ..separation.inlining import results_of, scope
from .headers import compared

_MSG_LOOP = "Collectives cannot be in a branch or a loop on values on the device ({}): use Python's own there."

# A collective, of the operands ``(value, token)`` and with such results. The token is always 0.0; it makes a collective
# depend on the one before, so that JAX drops none. The parameters are an `Exchange`, a `Group`, and the user's line.
collective = Primitive("collective")
collective.multiple_results = True


@collective.def_abstract_eval
def _shapes(value, token, exchange, group, line):
    result = jax.eval_shape(lambda value: exchange.forward(value, group), value)
    return value.update(shape=result.shape, dtype=result.dtype, weak_type=False), token


def _batched(operands, axes, exchange, **params):
    (value, token), (axis, axis_of_token) = operands, axes
    if axis_of_token is not None:
        token = jnp.take(token, 0, axis_of_token)  # the same in all samples
    if axis is None:
        return collective.bind(value, token, exchange=exchange, **params), (None, None)
    value = jnp.moveaxis(value, axis, 0)
    return collective.bind(value, token, exchange=exchange.of_samples(), **params), (0, None)


batching.primitive_batchers[collective] = _batched


def marks_in(jaxpr):
    """The `Mark` of each collective in a jaxpr, in order."""
    marks = []
    for equation in jaxpr.eqns:
        if equation.primitive is collective:
            marks.append(_mark(equation))
            continue
        for inner in jaxprs_in_parameters(equation.params):
            inner_marks = marks_in(inner)
            name = equation.primitive.name
            # On the device their number depends on values, which may differ between processes.
            if inner_marks and name in ("while", "cond"):
                raise RuntimeError(_MSG_LOOP.format(name))
            marks += inner_marks * (equation.params["length"] if name == "scan" else 1)
    return marks


def _mark(equation):
    aval = equation.invars[0].aval
    return mark_of(equation.params["exchange"], aval.shape, aval.dtype, equation.params["line"])


def mark_of(exchange, shape, dtype, line):
    """The `Mark` of a collective in a Program; one outside of recordings is no match for it."""
    return Mark(f"compiled {exchange.label}", shape, dtype, line)


def in_order(jaxpr, consts, operands, status=None):
    """Evaluates a jaxpr with collectives, inside `Group.within`.

    Args:
        jaxpr (Jaxpr): what to evaluate.
        consts, operands (list): its constants and operands.
        status (array): that after the last collective before. Default: ``None``, there is none.
    Returns:
        tuple: the list of results, and the status after its last collective.
    """
    values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *operands], strict=True))
    for equation in jaxpr.eqns:
        inputs = [each.val if isinstance(each, Literal) else values[each] for each in equation.invars]
        with scope(equation):
            results, status = _evaluated(equation, inputs, status)
        values.update(zip(equation.outvars, results, strict=True))
    return [each.val if isinstance(each, Literal) else values[each] for each in jaxpr.outvars], status


def _evaluated(equation, inputs, status):
    params = equation.params
    if equation.primitive is collective:
        result, status = compared(params["exchange"], params["group"], _mark(equation), inputs[0], status)
        return [result, inputs[1]], status
    if any(map(marks_in, jaxprs_in_parameters(params))):
        return _within(equation, inputs, status)
    return results_of(equation, inputs), status


def _within(equation, inputs, status):
    """`in_order` for an equation that calls a jaxpr with collectives."""
    params, name = equation.params, equation.primitive.name
    jaxpr = params[CALLED.get(name, "jaxpr")]
    jaxpr, consts = (jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, ClosedJaxpr) else (jaxpr, ())
    if name == "scan":
        return _scanned(params, jaxpr, consts, inputs, status)
    if computes_anew(equation):
        inputs = lax.optimization_barrier(inputs)
    return in_order(jaxpr, consts, inputs, status)


def _scanned(params, jaxpr, consts, inputs, status):
    fixed, count = scan_lengths(params)
    carried = fixed + count

    def turn(carry, rows):
        values, status = carry
        results, status = in_order(jaxpr, consts, [*inputs[:fixed], *values, *rows], status)
        return (results[:count], status), results[count:]

    start = inputs[fixed:carried], jnp.zeros((), jnp.int32) if status is None else status
    how = {key: params[key] for key in ("length", "reverse", "unroll")}
    (values, status), rows = lax.scan(turn, start, inputs[carried:], **how)
    return [*values, *rows], status
