"""Barriers between the parts of a deep program of small arrays, across which XLA does not fuse on a CPU.

XLA fuses such a program across its layers, and copies into each kernel what the sums within it depend on, so that
compiling takes time that grows with the square of the depth. Between two barriers there are some `LENGTH` equations.
XLA compiles equal kernels once, and parts of equal layers have the same kernels.

``MSGRAD_BARRIERS=off`` in the environment turns them off.
"""

import itertools
import os

import jax
from jax import lax

from .. import host
from .._jax_private import ClosedJaxpr, Jaxpr, Literal, Var, jaxpr_as_call
from ..interpreter.kernels import kernels_of
from .copies import copies
from .inlining import inlined, variables

ALLOWED = os.environ.get("MSGRAD_BARRIERS", "").lower() not in ("off", "0")

# Equations between two barriers. Processor seconds of compiling a training step by Adam, with barriers every 48, 100
# and 200 equations and without (JAX 0.10.2, load 20): transformer of width 32 and 4 layers 5.2, 5.3, 6.7, 9.9; LSTM of
# width 32 unrolled 50 times 6.6, 7.1, 8.8, 30; tanh, exp and a sum 64 times 1.8, 2.2, 4.4 with them.
LENGTH = 64

# The `copies` from which on a program gets barriers: of small arrays alone, and with convolutions or larger products,
# which end many fusions. They are chosen by training steps by Adam (JAX 0.10.2, AMD EPYC with AVX2, load 15 to 25):
# processor seconds of compiling and milliseconds of a step, without barriers and with them; * with such equations.
#
# | copies | program: width, batch | compiling | step |
# |---:|---|---|---|
# | 30.5 | GRU unrolled 30 times: 32, 4 | 6.4, 4.9 | 1.05, 0.76 |
# | 15.8* | LSTM unrolled 20 times: 64, 8 | 7.2, 5.6 | 1.83, 1.34 |
# | 15.5 | exp(tanh) over its sum 32 times: 16 | 4.9, 2.8 | 0.28, 0.13 |
# | 12.6* | LSTM unrolled 30 times: 128, 16 | 12.6, 4.8 | 13.8, 11.4 |
# | 9.3* | transformer of 6 layers: 64, 2 x 16 | 11.6, 6.2 | 8.3, 5.8 |
# | 8.8 | residual MLP of 24 layers with norms: 32, 16 | 2.7, 4.2 | 2.51, 1.47 |
# | 8.6* | the same: 128, 32 | 2.4, 3.6 | 5.36, 5.23 |
# | 8.0* | 24 residual blocks of convolutions with BatchNorm: 8, 2 | 3.6, 4.2 | 6.48, 6.27 |
# | 7.9 | exp(tanh) over its sum 16 times: 16 | 2.2, 2.2 | 0.13, 0.10 |
# | 7.9 | LSTM unrolled 10 times: 32, 4 | 3.1, 3.5 | 0.34, 0.38 |
# | 6.6 | transformer of 4 layers: 32, 2 x 8 | 11.7, 5.7 | 3.3, 1.3 |
# | 5.5* | 8 residual blocks of convolutions with GroupNorm: 16, 2 | 3.6, 3.9 | 3.06, 3.15 |
# | 4.6 | 32 coupling layers of a flow: 32, 16 | 3.4, 3.4 | 1.48, 0.90 |
# | 4.3 | residual MLP of 10 layers with norms: 32, 16 | 1.8, 3.4 | 0.47, 0.79 |
# | 3.7* | 8 residual blocks of convolutions with BatchNorm: 8, 2 | 2.4, 3.2 | 1.56, 1.98 |
# | 2.8 | 12 coupling layers: 32, 16 | 2.2, 2.9 | 0.43, 0.46 |
# | 2.3 | MLP of 20 layers with norms: 32, 16 | 2.2, 4.2 | 1.73, 1.16 |
# | 1.6 | graph network of 6 layers: 16, 32 | 1.5, 2.0 | 0.20, 0.27 |
# | 1.6 | MLP of 20 layers with tanh: 32, 8 | 1.2, 1.8 | 0.64, 0.61 |
# | 1.5 | MLPs of 40 layers: 32, 16; 16, 8 | 1.7, 2.9; 1.6, 2.1 | 2.22, 1.70; 1.38, 1.03 |
#
# Two that get barriers are compiled in more time with them: the residual MLP of width 32, the LSTM of 10 steps.
MOST_COPIES, MOST_WITH_ENDS = 6, 9

# XLA removes barriers before it fuses, unless told not to (the name of its pass in JAX 0.10.2 to 0.12.0).
OPTIONS = {"xla_disable_hlo_passes": "cse_barrier_expander"}


def are_on():
    """Whether programs may get barriers: on one CPU."""
    if not ALLOWED or "xla_disable_hlo_passes" in os.environ.get("XLA_FLAGS", ""):
        return False
    return host.is_cpu(host.current_device()) and jax.local_device_count() == 1


def placed(closed):
    """A traced program with barriers; None if it is better without.

    Args:
        closed (ClosedJaxpr): of the program.
    Returns:
        function of the flat arguments, that gives the flat results; or None.
    """
    if closed.effects:
        return None
    equations, results, consts = inlined(closed.jaxpr)
    if len(equations) < 2 * LENGTH:
        return None
    has_ends = any([kernels_of(each).cuts for each in equations])
    if copies(equations, results) < (MOST_WITH_ENDS if has_ends else MOST_COPIES):
        return None
    jaxpr = closed.jaxpr
    equations = _separated(equations, _starts(equations))
    jaxpr = Jaxpr([*jaxpr.constvars, *consts], jaxpr.invars, results, equations, debug_info=jaxpr.debug_info)
    return jaxpr_as_call(ClosedJaxpr(jaxpr, [*closed.consts, *consts.values()]))


def _starts(equations):
    """The numbers of the equations before which there is a barrier: where the next ones take the fewest bytes.

    What only later equations take, as those of the backward pass do, does not count, so equal layers are cut alike.
    """
    taken, makers, last = [0] * (len(equations) + 1), {}, {}  # changes of the bytes that cross a barrier
    for number, equation in enumerate(equations):
        for each in filter(makers.__contains__, variables(equation.invars)):
            first = max(last.get(each, makers[each]), number - LENGTH) + 1
            taken[first] += _bytes(each)
            taken[number + 1] -= _bytes(each)
            last[each] = number
        makers.update(dict.fromkeys(equation.outvars, number))
    taken = list(itertools.accumulate(taken))
    starts, start = [], 0
    while len(equations) - start > LENGTH * 3 // 2:
        start = min(range(start + LENGTH // 2, start + LENGTH * 3 // 2), key=taken.__getitem__)
        starts.append(start)
    return starts


def _bytes(variable):
    return variable.aval.size * variable.aval.dtype.itemsize


def _separated(equations, starts):
    """The equations with a barrier before each start, for what the following part takes of earlier ones."""
    (barrier,) = jax.make_jaxpr(lax.optimization_barrier)(0.0).eqns
    separated, made = [], set()
    for start, end in itertools.pairwise([0, *starts, len(equations)]):
        part = equations[start:end]
        taken = [each for each in variables([each for equation in part for each in equation.invars]) if each in made]
        passed = {each: Var(each.aval) for each in taken}
        if taken:
            separated.append(barrier.replace(invars=taken, outvars=list(passed.values())))
        for equation in part:
            operands = [each if isinstance(each, Literal) else passed.get(each, each) for each in equation.invars]
            separated.append(equation.replace(invars=operands))
            made.update(equation.outvars)
    return separated
