"""Programs with convolutions, rewritten so that arrays between these have channels in the last axis, or in the first.

XLA's kernels for convolutions on a CPU take and give channels last. MindSpore's arrays have them in axis 1: so XLA
transposes the operands and the result of each convolution, one for the forward pass and one or two for the gradients,
and those in between are computed once in each order. In a rewritten program a convolution's result stays as it is, and
the operations on it take their axes in that order, until one needs another: a weight, a result of the program, or a
primitive without a rule.

Convolutions of bfloat16 are products (`lowering/cpu_convolutions.py`): those of weights by matrices that have channels
first, then images and positions. So channels are the first axis there. A training step of ResNet-50, 8 images, takes
0.95 s instead of 1.03 (processor time, two cores of Zen 5, JAX 0.10.2); with channels last 1.08.

``MSGRAD_LAYOUTS=off`` in the environment turns it off.
"""

import os
import warnings

import jax
import jax.numpy as jnp
import numpy as np

from .. import host
from .._jax_private import CALLED, Literal
from ..jax_options import Tracing
from ..separation.inlining import inlined, results_of, scope
from . import aligned, products, reshaping
from .stored import Stored, natural

_MSG_FAILED = (
    "A program with convolutions cannot keep channels last ({}: {}), and is compiled as it is, which is slower: please "
    "report this, with JAX's version, {}. MSGRAD_LAYOUTS=off silences it."
)

ALLOWED = os.environ.get("MSGRAD_LAYOUTS", "").lower() not in ("off", "0")

# Each takes an equation and its values, and gives those of its results; or None, if it needs them in their own order.
_RULES = {**aligned.RULES, **reshaping.RULES, **products.RULES}
_BFLOAT16 = jnp.dtype(jnp.bfloat16)
_FLOATS = {np.dtype(np.float32), np.dtype(np.float64), _BFLOAT16}  # MindSpore's float16 is computed in float32

# Transposed elements of a rewritten program, over those of the original, below which it is faster. Training steps of
# U-Net, DCGAN and YOLO have 0.13, 0.36 and 0.04, and take 0.92, 0.58 and 0.81 of the time; ResNeXt's, whose groups of
# convolutions have channels first, 0.95, and 1.05 of the time; MobileNetV2's 0.68, and 1.0. In bfloat16, where
# convolutions of few channels are in float32, and have channels last, ResNet-50's, U-Net's and YOLO's have 0.01, 0.20
# and 0.31, and take 0.92, 0.90 and 1.05 of the time.
_MOST, _MOST_IN_BFLOAT16 = 0.5, 0.25


def are_on():
    """Whether programs may be rewritten: on one CPU."""
    return ALLOWED and host.is_cpu(host.current_device()) and jax.local_device_count() == 1


def rewritten(closed):
    """A traced program with channels last; None if that saves few transpositions, or lengths are unknown.

    Args:
        closed (ClosedJaxpr): of the program.
    Returns:
        ClosedJaxpr, or None.
    """
    if closed.effects or not all([isinstance(each, int) for aval in closed.in_avals for each in aval.shape]):
        return None
    equations, results, consts = inlined(closed.jaxpr, CALLED)
    convolutions = [each for each in equations if each.primitive.name == "conv_general_dilated"]
    if not any(map(products.is_of_images, convolutions)):
        return None
    dtypes = {each.outvars[0].aval.dtype for each in convolutions}
    if not dtypes <= _FLOATS:
        return None
    try:
        made = _made(closed, equations, results, consts)
    except Exception as error:  # a primitive of a JAX that the rules do not know; without them the program is as right
        warnings.warn(_MSG_FAILED.format(type(error).__name__, error, jax.__version__), RuntimeWarning, stacklevel=2)
        return None
    most = _MOST_IN_BFLOAT16 if _BFLOAT16 in dtypes else _MOST
    return made if _moved(made.jaxpr.eqns) < _moved(equations) * most else None


def _made(closed, equations, results, consts):
    """The program ``closed``, of which the others are `inlined`, with channels last, as a ``ClosedJaxpr``."""

    def run(*operands):
        values = {variable: Stored(each) for variable, each in consts.items()}
        values.update(zip(closed.jaxpr.constvars, map(Stored, closed.consts), strict=True))
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

    operands = [jax.ShapeDtypeStruct(each.shape, each.dtype, weak_type=each.weak_type) for each in closed.in_avals]
    with Tracing():
        return jax.make_jaxpr(run)(*operands)


def _moved(equations):
    """How many elements are transposed, by the equations and around XLA's convolutions."""
    total = 0
    for each in equations:
        if each.primitive.name == "transpose":
            total += each.outvars[0].aval.size
        elif each.primitive.name == "conv_general_dilated" and products.is_of_images(each):
            numbers = each.params["dimension_numbers"]
            order = products.order_of_images(each)
            for spec, array in ((numbers.lhs_spec, each.invars[0]), (numbers.out_spec, each.outvars[0])):
                total += array.aval.size * (tuple(np.argsort(spec)) != order)
    return total


def _evaluated(equation, values):
    rule = _RULES.get(equation.primitive.name)
    made = rule and rule(equation, values)
    if made is not None:
        return made
    operands = [each.to(natural(len(each.shape))) for each in values]
    return list(map(Stored, results_of(equation, operands)))
