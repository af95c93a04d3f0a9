"""Order of collectives in XLA: a *token* that each takes and returns makes the next depend on it (see `collective`).

The token is always 0.0, which XLA does not know: operands are chosen by it and it is chosen by results. A choice
between numbers stays in the compiled program; `lax.optimization_barrier` is removed before XLA orders operations.
"""

import functools

import jax
import jax.numpy as jnp
from jax.interpreters import batching, mlir

from .._jax_private import Primitive, jaxprs_in_parameters
from ..processes.peers import Mark

_NEVER = 1.0  # what the token never is
_MSG_LOOP = "Collectives cannot be in a branch or a loop on values on the device ({}): use Python's own there."


def _primitive(name, compute, aval_of, axis_of):
    """A primitive of JAX's that differentiation does not see; ``axis_of`` gives its batch axis from its operands'."""
    primitive = Primitive(name)
    primitive.def_impl(lambda *operands, **params: jax.jit(functools.partial(compute, **params))(*operands))
    primitive.def_abstract_eval(lambda *avals, **params: aval_of(*avals))
    mlir.register_lowering(primitive, mlir.lower_fun(compute, multiple_results=False))

    def batch(operands, axes, **params):
        tokens = [  # which are the same in all samples
            each if axis is None else jnp.take(each, 0, axis) for each, axis in zip(operands[1:], axes[1:], strict=True)
        ]
        return primitive.bind(operands[0], *tokens, **params), axis_of(axes)

    batching.primitive_batchers[primitive] = batch
    return primitive


# The operand of a collective, to be had only when the token is: a copy, which costs a sixth of an all-reduce of 64 MB,
# so not where the token ``is_there`` when the program begins. The other parameters describe the collective.
entering = _primitive(
    "enter_collective",
    lambda value, token, what, line, is_there: (
        value if is_there else jnp.where(token == _NEVER, jnp.zeros((), value.dtype), value)
    ),
    lambda value, token: value,
    lambda axes: axes[0],
)
# The token after a collective: to be had only when its result is. ``witness`` is a token that XLA cannot know.
leaving = _primitive(
    "leave_collective",
    lambda result, token, witness: jnp.where(witness == _NEVER, _first(result), token),
    lambda result, token, witness: token,
    lambda axes: None,
)


def _first(value):
    value = value.reshape(-1)[:1]
    value = jnp.real(value) if jnp.iscomplexobj(value) else value
    return jnp.sum(value.astype(jnp.float32))


@jax.custom_vjp
def followed(token, later, witness):
    """``token``, made to depend on the token ``later``."""
    return leaving.bind(later, token, witness)


# The rule calls the function itself, so that it holds for derivatives of higher order too.
followed.defvjp(lambda *operands: (followed(*operands), None), lambda _, cotangent: (cotangent, cotangent, None))


def marks_in(jaxpr):
    """The `Mark` of each collective in a jaxpr, in order."""
    marks = []
    for equation in jaxpr.eqns:
        if equation.primitive is entering:
            aval = equation.invars[0].aval
            # A collective of the same name outside of recordings sends something else (`single`).
            marks.append(Mark(f"compiled {equation.params['what']}", aval.shape, aval.dtype, equation.params["line"]))
            continue
        for inner in jaxprs_in_parameters(equation.params):
            found = marks_in(inner)
            name = equation.primitive.name
            # On the device their number depends on values, which may differ between processes.
            if found and name in ("while", "cond"):
                raise RuntimeError(_MSG_LOOP.format(name))
            marks += found * (equation.params["length"] if name == "scan" else 1)
    return marks
