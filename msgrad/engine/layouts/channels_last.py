"""Programs with convolutions, rewritten so that arrays between these have channels in the last axis.

XLA's kernels for convolutions on a CPU take and give channels last. MindSpore's arrays have them in axis 1: so XLA
transposes the operands and the result of each convolution, one for the forward pass and one or two for the gradients,
and those in between are computed once in each order. In a rewritten program a convolution's result stays as it is, and
the operations on it take their axes in that order, until one needs another: a weight, a result of the program, or a
primitive without a rule.

``MSGRAD_LAYOUTS=off`` in the environment turns it off.
"""

import os

import jax
import jax.numpy as jnp

from .. import host
from .._jax_private import CALLED, Literal
from ..jax_options import Tracing
from ..separation.inlining import inlined, scope
from . import aligned, products, reshaping
from .stored import Stored, natural

ALLOWED = os.environ.get("MSGRAD_LAYOUTS", "").lower() not in ("off", "0")

_RULES = {**aligned.RULES, **reshaping.RULES, **products.RULES}
_FLOATS = (jnp.float32, jnp.float64)  # those of bfloat16 are lowered as products with channels first (`lowering`)


def are_on():
    """Whether programs may be rewritten: on one CPU."""
    return ALLOWED and host.is_cpu(host.current_device()) and jax.local_device_count() == 1


def rewritten(closed):
    """A traced program with channels last; None if it has no convolutions of images, or unknown lengths.

    Args:
        closed (ClosedJaxpr): of the program.
    Returns:
        ClosedJaxpr, or None.
    """
    if closed.effects or not all([isinstance(each, int) for aval in closed.in_avals for each in aval.shape]):
        return None
    equations, results = inlined(closed.jaxpr, CALLED)
    convolutions = [each for each in equations if each.primitive.name == "conv_general_dilated"]
    if not any(map(products.is_of_images, convolutions)):
        return None
    if any([each.outvars[0].aval.dtype not in _FLOATS for each in convolutions]):
        return None

    def run(*operands):
        values = dict(zip(closed.jaxpr.constvars, map(Stored, closed.consts), strict=True))
        for variable, operand in zip(closed.jaxpr.invars, operands, strict=True):
            values[variable] = Stored(operand, is_kept=True)

        def value_of(each):
            return Stored(each.val) if isinstance(each, Literal) else values[each]

        for equation in equations:
            with scope(equation):
                made = _evaluated(equation, [value_of(each) for each in equation.invars])
            values.update(zip(equation.outvars, made, strict=True))
        values = [value_of(each) for each in results]
        return [each.to(natural(len(each.shape))) for each in values]

    with Tracing():
        return jax.make_jaxpr(run)(*[jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in closed.in_avals])


def _evaluated(equation, values):
    name = equation.primitive.name
    rules = [products.SUMS.get(name), _RULES.get(name)]
    for rule in filter(None, rules):
        made = rule(equation, values)
        if made is not None:
            return made
    operands = [each.to(natural(len(each.shape))) for each in values]
    results = equation.primitive.bind(*operands, **equation.primitive.get_bind_params(equation.params))
    return [Stored(each) for each in (results if equation.primitive.multiple_results else [results])]
