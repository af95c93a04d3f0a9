"""Single small operations on values of the host, computed by NumPy at once: a launch alone takes as long as several.

JAX launches a compiled program in 5 to 7 us, and a value reaches the device in 6; NumPy adds a few numbers in 0.5. So
an operation of few NumPy calls stays with NumPy as long as the host has all of its operands, and its result is
`Hosted`. As with all tiers (`tiers`), what is computed where depends on the program alone, never on time: an array that
compiled code has computed is not waited for here, even if it is there already.

In a call that is not recorded (`calls.unrecorded`) this goes further, since there NumPy saves recording, too: an array
on a CPU is waited for, whatever its size, and NumPy may take a little longer than compiled code.
"""

import math
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

_MOST_CALLS = 16  # of NumPy's: they take as long as a launch; a layer norm has 15
_LAUNCH = 4e-6  # seconds of a launch by JAX that NumPy's calls may take instead, besides Python's for each of them

# In a call that is not recorded:
_CALL, _RECORDED = 15e-6, 1e-6  # seconds saved: to open a recording and launch its program, and for each operation
_LONGEST = 40e-6  # seconds that one operation may take longer than compiled code
_LARGEST = 1 << 20  # bytes of results that are no views
_MOST_OPERATIONS = 1024  # of the program that it would launch

_MOST_SHAPES = 512  # of one operation that are remembered
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
            known = None if scope.unrecorded is None else _view(operand._state_(is_cropped=False))
            if known is None:
                return None
        values.append(known)
        avals.append((known.shape, known.dtype))
    # By identity and then by value: NumPy's results have the shapes and dtypes of the last ones.
    last_static, last_avals, computation = op.latest_at_once
    if last_static is not static or last_avals != avals:
        computation = _computation(op, static, tuple(avals))
        op.latest_at_once = static, avals, computation
    if computation is None or not (computation.is_small or scope.unrecorded is not None):
        return None
    # Nor while a tool observes launches, or the user's own transform traces (`foreign_tracing.is_under_way`).
    if observation.observer is not None or active_trace.value is not TOP_TRACE:
        return None
    result, aval = (computation.compute or computation.made())(values), computation.aval
    if type(aval) is list:
        return tuple(map(_hosted, result if len(aval) > 1 else [result], aval))
    hosted: Any = _new(Hosted)  # as `_hosted`, without the call
    hosted.values, hosted.aval, hosted._array = _asarray(result), aval, None
    handle: Any = _new(_upcalls.Result)
    handle._state = hosted
    return handle


def _hosted(values, aval):
    """A handle on one of several results."""
    hosted: Any = _new(Hosted)  # the constructors are written out
    hosted.values, hosted.aval, hosted._array = _asarray(values), aval, None
    handle: Any = _new(_upcalls.Result)
    handle._state = hosted
    return handle


def _view(array):
    """A NumPy view of an array on a CPU, for which it waits; None where there is none."""
    try:
        return _asarray(memoryview(array))
    except (BufferError, TypeError):  # bfloat16, another device, what is no array
        return None


def takes(program):
    """Whether NumPy computes a Program, operation by operation, in no more time than to record and launch it takes."""
    nodes = program.nodes
    # A derivative weighs more than one operation.
    if len(nodes) > _MOST_OPERATIONS or program.weight > len(nodes) or costs.current() is not costs.CPU:
        return False
    left = _CALL + _RECORDED * len(nodes)
    for node in nodes:
        computation = _computation(node.op, node.static, tuple(map(program.aval_of, node.inputs)))
        left -= math.inf if computation is None else computation.longer
        if left < 0:
            return False
    return True


class _Computation:
    """An operation at operands of some shapes and dtypes, as NumPy computes it at once.

    Attributes:
        compute (function): of a list of NumPy arrays. None until it is used.
        aval (tuple): the shape and dtype of its result; a list of these for several.
        is_small (bool): whether NumPy computes it at once everywhere, not only in a call that is not recorded.
        longer (float): the seconds that NumPy takes longer than compiled code, without its launch.
        plan (NumpyPlan): what ``compute`` is made of.
        count (int): of the operands.
        is_flushed (bool): whether it flushes subnormal numbers.
    """

    __slots__ = ("compute", "aval", "is_small", "longer", "plan", "count", "is_flushed")

    def __init__(self, aval, is_small, compute=None, longer=0.0, plan=None, count=0, is_flushed=False):
        self.aval, self.is_small, self.compute, self.longer = aval, is_small, compute, longer
        self.plan, self.count, self.is_flushed = plan, count, is_flushed

    def made(self):
        """``compute``, when it is used first."""
        plan: Any = self.plan
        self.compute = function_of(plan, self.count, plan.computes, self.is_flushed)
        return self.compute


def _computation(op, static, avals) -> Any:
    """The `_Computation` of the operation at operands of these shapes and dtypes: a known one, or `_made`."""
    key = static, avals
    computation = op.known_at_once.get(key, _UNKNOWN)
    if computation is _UNKNOWN:
        if len(op.known_at_once) >= _MOST_SHAPES:
            op.known_at_once.clear()
        computation = op.known_at_once[key] = _made(op, static, avals)
    return computation


def _made(op, static, avals):
    """The `_Computation` of an operation; None if NumPy is not to compute it at once, anywhere."""
    is_local = not (op.host or op.is_global or op.collective is not None)
    if not is_local or not costs.allow_numpy():
        return None
    largest = max(map(size_of, avals), default=0)
    known = NotImplemented if op.by_numpy is None else op.by_numpy(static, avals)
    if known is None:
        return None
    if known is not NotImplemented:
        compute, aval = known
        size = size_of(aval)
        return _Computation(aval, max(largest, size) <= SMALL, compute) if size <= _LARGEST else None
    trace = trace_of(op, static, avals, Chosen.always or current())
    size = sum(map(size_of, trace.avals))
    if not trace.avals:
        return None
    try:
        plan = trace.plan()
    except NotCovered:
        return None
    is_view = not plan.computes and size <= largest  # mostly, such as the transpose of a weight
    longer = max(0.0, plan.seconds - plan.python_seconds - plan.compiled_seconds)
    if not (size <= _LARGEST or is_view) or longer > _LONGEST:
        return None
    if len(plan.calls) > SHORT or plan.has_inner or plan.may_stop:
        return None
    is_small = max(largest, size) <= SMALL and longer <= _LAUNCH and len(plan.calls) <= _MOST_CALLS
    has_fractions = any([dtype.kind in "fcV" for _, dtype in (*avals, *trace.avals)])
    aval = trace.avals[0] if trace.single else list(trace.avals)
    return _Computation(aval, is_small, None, longer, plan, len(avals), has_fractions and are_flushed())
