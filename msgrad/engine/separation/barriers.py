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
from ..interpreter.kernels import Kernels, kernels_of
from .inlining import inlined

ALLOWED = os.environ.get("MSGRAD_BARRIERS", "").lower() not in ("off", "0")

# Equations between two barriers. Processor seconds of compiling a training step by Adam, with barriers every 48, 100
# and 200 equations and without (JAX 0.10.2, load 20): transformer of width 32 and 4 layers 5.2, 5.3, 6.7, 9.9; LSTM of
# width 32 unrolled 50 times 6.6, 7.1, 8.8, 30; tanh, exp and a sum 64 times 1.8, 2.2, 4.4 with them.
LENGTH = 64

# XLA removes barriers before it fuses, unless told not to (the name of its pass in JAX 0.10.2 to 0.12.0).
OPTIONS = {"xla_disable_hlo_passes": "cse_barrier_expander"}


def are_on():
    """Whether programs may get barriers: on one CPU."""
    if not ALLOWED or "xla_disable_hlo_passes" in os.environ.get("XLA_FLAGS", ""):
        return False
    return host.is_cpu(host.current_device()) and jax.local_device_count() == 1


def placed(closed, is_wanted):
    """A traced program with barriers; None if it is better without.

    Args:
        closed (ClosedJaxpr): of the program.
        is_wanted (function): whether it gets barriers, of its `Kernels`.
    Returns:
        function of the flat arguments, that gives the flat results; or None.
    """
    if closed.effects:
        return None
    equations, results = inlined(closed.jaxpr)
    if len(equations) < 2 * LENGTH or not is_wanted(sum(map(kernels_of, equations), Kernels())):
        return None
    jaxpr = closed.jaxpr
    equations = _separated(equations, _starts(equations))
    jaxpr = Jaxpr(jaxpr.constvars, jaxpr.invars, results, equations, debug_info=jaxpr.debug_info)
    return jaxpr_as_call(ClosedJaxpr(jaxpr, closed.consts))


def _variables(atoms):
    return dict.fromkeys([each for each in atoms if not isinstance(each, Literal)])


def _starts(equations):
    """The numbers of the equations before which there is a barrier: where the next ones take the fewest bytes.

    What only later equations take, as those of the backward pass do, does not count, so equal layers are cut alike.
    """
    taken, makers, last = [0] * (len(equations) + 1), {}, {}  # changes of the bytes that cross a barrier
    for number, equation in enumerate(equations):
        for each in filter(makers.__contains__, _variables(equation.invars)):
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
        taken = [each for each in _variables([each for equation in part for each in equation.invars]) if each in made]
        passed = {each: Var(each.aval) for each in taken}
        if taken:
            separated.append(barrier.replace(invars=taken, outvars=list(passed.values())))
        for equation in part:
            operands = [each if isinstance(each, Literal) else passed.get(each, each) for each in equation.invars]
            separated.append(equation.replace(invars=operands))
            made.update(equation.outvars)
    return separated
