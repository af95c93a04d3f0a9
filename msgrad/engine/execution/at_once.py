"""Single small operations on values of the host, computed by NumPy at once: a launch alone takes as long as several.

JAX launches a compiled program in 5 to 7 us, and a value reaches the device in 6; NumPy adds a few numbers in 0.5. So
an operation of few NumPy calls stays with NumPy as long as the host has all of its operands, and its result is
`Hosted`. As with all tiers (`tiers`), what is computed where depends on the program alone, never on time: an array that
compiled code has computed is not waited for here, even if it is there already.
"""

from typing import Any

import numpy as np

from ... import _upcalls
from .. import observation
from .._jax_private import TOP_TRACE, ArrayImpl, active_trace, values_beside
from ..handle import Promise, Shared, scope, size_of
from ..host import SMALL, Hosted
from ..interpreter import NotCovered
from ..interpreter.generated import function_of
from ..interpreter.plan import SHORT
from ..precision import Chosen, current
from . import costs
from .op_traces import trace_of
from .tiers import are_flushed

_LAUNCH = 4e-6  # seconds of a launch by JAX that NumPy's calls may take instead, besides Python's for each of them
_MOST_SHAPES = 512  # of one operation that are remembered
_MOST_OPERATIONS = 32  # of a Program: as many take as long as to record and launch it
_UNKNOWN = object()
_new, _asarray = object.__new__, np.asarray


def run(op, operands, static):
    """A handle on the result of an operation, `Hosted`, or a tuple of them, if NumPy computes it at once; else None.

    Args:
        op (Op): the operation.
        operands (sequence of Handle): its array operands.
        static (hashable): its static arguments.
    """
    if scope.written:
        return None
    values, avals = [], []
    for operand in operands:
        state = operand._state
        kind = type(state)
        if kind is Promise:  # as of a Cell's result, until its value is asked for
            state = operand._state_(is_cropped=False)
            kind = type(state)
        if kind is Hosted:
            values.append(state.values)
            avals.append(state.aval)
            continue
        known = values_beside(state) if kind is ArrayImpl else state.snapshot() if kind is Shared else None
        if known is None:
            return None
        values.append(known)
        avals.append((known.shape, known.dtype))
    # By identity and then by value: NumPy's results have the shapes and dtypes of the last ones.
    last_static, last_avals, computation = op.latest_at_once
    if last_static is not static or last_avals != avals:
        computation = _computation(op, static, tuple(avals))
        op.latest_at_once = static, avals, computation
    # Nor while a tool observes launches, or the user's own transform traces (`foreign_tracing.is_under_way`).
    if computation is None or observation.observer is not None or active_trace.value is not TOP_TRACE:
        return None
    compute, aval = computation
    result = compute(values)
    if type(aval) is list:
        results = result if len(aval) > 1 else [result]
        return tuple([_upcalls.Result._wrap(Hosted(np.asarray(each, order="C"))) for each in results])
    hosted: Any = _new(Hosted)  # the constructors are written out
    hosted.values, hosted.aval, hosted._array = _asarray(result, None, order="C"), aval, None
    handle: Any = _new(_upcalls.Result)
    handle._state = hosted
    return handle


def takes(program):
    """Whether NumPy computes each operation of a Program at once, so long as the host has its operands."""
    if len(program.nodes) > _MOST_OPERATIONS or program.weight > len(program.nodes):  # a derivative weighs more
        return False
    aval_of = program.aval_of
    return all([_computation(n.op, n.static, tuple(map(aval_of, n.inputs))) is not None for n in program.nodes])


def _computation(op, static, avals) -> Any:
    """What computes the operation at operands of these shapes and dtypes: known, or `_made`."""
    key = static, avals
    computation = op.known_at_once.get(key, _UNKNOWN)
    if computation is _UNKNOWN:
        if len(op.known_at_once) >= _MOST_SHAPES:
            op.known_at_once.clear()
        computation = op.known_at_once[key] = _made(op, static, avals)
    return computation


def _made(op, static, avals):
    """A function of a list of NumPy arrays, and the shape and dtype of its result; a list of these for several.

    None if NumPy is not to compute the operation at once.
    """
    is_local = not (op.host or op.is_global or op.collective is not None)
    if not is_local or not costs.allow_numpy() or max(map(size_of, avals), default=0) > SMALL:
        return None
    known = NotImplemented if op.by_numpy is None else op.by_numpy(static, avals)
    if known is not NotImplemented:
        return known if known is None or size_of(known[1]) <= SMALL else None
    trace = trace_of(op, static, avals, Chosen.always or current())
    if sum(map(size_of, trace.avals)) > SMALL or not trace.avals:
        return None
    try:
        plan = trace.plan()
    except NotCovered:
        return None
    is_slow = len(plan.calls) > SHORT or plan.working > plan.compiled_seconds + _LAUNCH
    if is_slow or plan.has_inner or plan.may_stop:
        return None
    has_fractions = any([dtype.kind in "fcV" for _, dtype in (*avals, *trace.avals)])
    compute = function_of(plan, len(avals), plan.computes, has_fractions and are_flushed())
    return compute, trace.avals[0] if trace.single else list(trace.avals)
