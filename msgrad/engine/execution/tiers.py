"""Execution tiers: a new program is interpreted by NumPy if that takes less time than compiling it by XLA.

On a CPU the compiler takes 20 to 350 ms for one operation and 4 s for the gradient of LeNet; NumPy takes microseconds
for small arrays. So NumPy (`interpreter`) runs an operation at some shapes, or a Program, until it has taken so much
longer than compiled code that compiling would have paid: an addition some 600 times, the gradient of LeNet 4 times.
(The ski-rental rule: at most twice the optimal cost, whether or not the program comes again.)

On an accelerator compiling takes longer still, and each operand that only the device has is fetched first. What NumPy
computes goes to the device while Python continues, and the host keeps it as well; so a program of small operations on
values from the host stays with NumPy, which takes no longer than a launch (`costs`).

The choice depends on nothing but the program, its shapes, how often it was launched and which values the host has: the
same script takes the same tiers each time that it runs. ``MSGRAD_TIERS=off`` and ``set_deterministic(True)`` compile
everything at once.
"""

import contextlib
import functools
import math
import os
from typing import Any

import jax
import numpy as np

from .. import foreign_tracing, host
from .._jax_private import kept_values, values_beside
from ..bounded import Bounded, share_of_memory
from ..handle import size_of
from ..interpreter import NotCovered, generated_programs, pickled
from ..interpreter.blas_threads import one_thread
from ..interpreter.kernels import Kernels
from ..interpreter.subnormals import flushed
from . import costs, stored

# Bytes of all plans: 256 MB, for Python's garbage collector scans their objects. An equation takes 2 kB: 0.4 in the
# plan, 0.5 in the trace that JAX keeps with it, 1.1 in JAX's caches (a training step of two layers, 735 equations, at
# ten lengths). A plan that was dropped is made again for 0.3 s: a bound that an epoch of 100 lengths exceeds (150 MB)
# costs a lot.
_EQUATION = 2000
_kept = Bounded(share_of_memory(1 << 28))

# Seconds that making a plan for one more size takes, for each equation: of a Program most operations have plans.
TRACED, PLANNED = 100e-6, 10e-6

TIERED = os.environ.get("MSGRAD_TIERS", "").lower() not in ("off", "0")


class Tiers:
    """Whether NumPy may run first launches.

    Attributes:
        compiles (bool): whether XLA may compile anything at all (``MSGRAD_EAGER``); else NumPy runs what it can, and
            JAX the rest primitive by primitive.
        allowed (bool): whether nothing is against it: ``MSGRAD_TIERS``, or what is named by `forbid`.
        against (set of str): who wants everything compiled: ``set_deterministic``, a profiler that is recording.
        interpreted (int): how many launches NumPy has run.
    """

    compiles = os.environ.get("MSGRAD_EAGER", "") in ("", "0")
    allowed = TIERED
    against: set[str] = set()
    interpreted = 0


def forbid(name, is_forbidden):
    """Notes whether ``name`` wants everything compiled, from now on."""
    (Tiers.against.add if is_forbidden else Tiers.against.discard)(name)
    Tiers.allowed = TIERED and not Tiers.against


def are_on():
    """Whether NumPy may run first launches now: outside of the user's own JAX transforms, on one device."""
    # In the order of their cost: the last one asks JAX, in 0.3 us.
    return Tiers.allowed and costs.allow_numpy() and not foreign_tracing.is_under_way()


class Trial:
    """A NumPy plan, used until its launches have cost as much as compiling the program.

    Args:
        plan: with an estimate of the ``seconds`` that it takes, and compiled code, ``compiled_seconds``; the number of
            its equations, ``size``, ``kinds`` and ``kernels``; the seconds that making it for one more size took,
            ``making``; and the bytes of its results, ``result_bytes``, and of its constants, ``constant_bytes``.
        shared (function): of the seconds that compiling takes: what it shares with programs of other sizes, an object
            whose ``seconds_left`` NumPy has until they are compiled as one. None if it is compiled alone.
    """

    __slots__ = ("_plan", "_costs", "_each", "_left", "_shared", "compiling", "__weakref__")

    def __init__(self, plan, shared=None):
        self._costs, self._shared = costs.current(), shared
        self._each = self._costs.of_launch(plan)
        self.compiling = self._left = self._costs.of_compiling(plan) if Tiers.compiles else math.inf
        self._plan = None
        self._keep(plan)
        budget = shared and shared(self.compiling)
        if budget:
            budget.seconds_left -= plan.making  # which one program for all sizes would have saved

    def plan(self, operands, make_plan):
        """The plan, for one launch at ``operands``; ``make_plan()`` makes it again if it was dropped.

        Raises:
            NotCovered: if it had better be compiled by now.
        """
        cost = self._each + self._costs.of_fetching(operands)
        shared = self._shared and self._shared(self.compiling)
        if cost > self._left or (shared and cost > shared.seconds_left):
            raise NotCovered("NumPy takes longer than compiling it")
        self._left -= cost
        if shared:
            shared.seconds_left -= cost
        return self._plan or self._keep(make_plan())

    def _keep(self, plan):
        if self._each <= self._left:
            self._plan = plan
            _kept.add(self, _EQUATION * plan.size + plan.constant_bytes)
        return plan

    def drop(self):
        """Frees the plan: the next launch by NumPy makes it again."""
        self._plan = None


def interpret(plan, arrays):
    """The results of a plan at concrete arrays, as a list of ``jax.Array``s.

    Raises:
        NotCovered: if it turns out to take longer than was estimated.
    """
    # XLA says nothing of overflow and division by zero, so NumPy must not warn of them.
    with np.errstate(all="ignore"), one_thread, flushed if are_flushed() else contextlib.nullcontext():
        results = plan(*views_of(arrays))
    Tiers.interpreted += 1
    return [host.to_device(np.asarray(result), is_shared=True) for result in results]


@functools.cache
def are_flushed():
    """Whether compiled code flushes subnormal numbers, and so NumPy does: XLA keeps them on a GPU."""
    return jax.default_backend() != "gpu"


def view_of(array):
    """A NumPy view of an array, without a copy if the host has its values.

    The buffer protocol, which has no bfloat16, gives a view that ends with this launch: NumPy's own, which the array
    keeps, would keep XLA from writing over it (see `donation`).
    """
    known = None if isinstance(array, np.ndarray) else kept_values(array)
    if known is not None:
        return known
    try:
        return np.asarray(memoryview(array))
    except BufferError:
        return np.asarray(array)


def views_of(arrays):
    """`view_of` of each array, mostly without calls for each: a small model has 100 operands."""
    try:
        pairs = zip(arrays, map(values_beside, arrays), strict=True)
        return [np.asarray(memoryview(array)) if known is None else known for array, known in pairs]
    except (AttributeError, BufferError):  # an array of NumPy's, with nothing beside it; a bfloat16
        return list(map(view_of, arrays))


def _take_costs(own, plan):
    """Gives ``own`` the costs of a plan that it runs."""
    own.seconds, own.compiled_seconds = plan.seconds, plan.compiled_seconds
    own.size, own.kinds, own.kernels = plan.size, plan.kinds, plan.kernels
    own.result_bytes, own.constant_bytes = plan.result_bytes, plan.constant_bytes


class TracedPlan:
    """NumPy plan of a function of pytrees of arrays, traced by JAX now or in an earlier process.

    Args:
        executable (Executable): of the function.
        operands (tuple): its arguments.
    Raises:
        NotCovered: if NumPy cannot run it.
    """

    plan: Any
    size: Any
    may_stop: Any

    def __init__(self, executable, operands):
        name = executable.name("plan", operands)
        entry = stored.load(name)
        if entry is None:
            jaxpr, self.tree = executable.trace(operands)
            self.plan = pickled.made(jaxpr)
            # A refusal is kept as well, so that the next process does not look for a plan in vain.
            if name is not None and (data := pickled.dumped(self.plan)) is not None:
                stored.save(name, (data, self.tree, executable.about()))
        else:
            self.plan, self.tree = pickled.loaded(entry[0]), entry[1]
            executable.learn(entry[2])
        if isinstance(self.plan, NotCovered):
            raise NotCovered(*self.plan.args)  # itself it would be in a cycle with the frames of its traceback
        _take_costs(self, self.plan)
        self.making = TRACED * self.size

    def run(self, operands):
        return jax.tree.unflatten(self.tree, interpret(self.plan, jax.tree.leaves(operands)))


class OperationPlan:
    """NumPy plan of a single operation.

    Args:
        trace (OpTrace): of the operation.
    Raises:
        NotCovered: if NumPy cannot run it.
    """

    def __init__(self, trace):
        self.plan, self.single = trace.plan(), trace.single
        _take_costs(self, self.plan)
        self.making = 0.0  # it shares nothing with other sizes

    def run(self, arrays):
        results = interpret(self.plan, arrays)
        return results[0] if self.single else results


class ProgramPlan:
    """NumPy plan of a Program, operation by operation; each is traced once for all Programs.

    Args:
        program (Program): what is recorded.
        wanted (sequence of int): the indices of the values that it gives.
    Raises:
        NotCovered: if NumPy cannot run it.
    """

    def __init__(self, program, wanted):
        nodes = [(node, node.fn.plan()) for node in program.needed(wanted)]
        plans = [plan for _, plan in nodes]
        self.seconds = sum([plan.seconds for plan in plans])
        self.compiled_seconds = sum([plan.compiled_seconds for plan in plans])
        self.size = sum([plan.size for plan in plans])
        self.kinds = sum([plan.kinds for plan in set(plans)])
        self.kernels = sum([plan.kernels for plan in plans], Kernels())
        self.making = PLANNED * self.size
        self.constant_bytes = sum([plan.constant_bytes for plan in plans])
        self.nodes, self.count, self.wanted = nodes, len(program.avals), wanted
        self.function = None
        self.result_bytes = sum([size_of(program.avals[index]) for index in wanted if index >= 0])

    def __call__(self, *leaves):
        if self.function is None:
            calls = [(node.inputs, node.first, len(node.avals)) for node, _ in self.nodes]
            wiring = generated_programs.wiring_of(calls, len(leaves), self.wanted)
            if not wiring.is_worth_code():
                return self._in_turn(leaves)
            self.function = wiring.function_of([node.fn.by_numpy(plan) for node, plan in self.nodes])
        return self.function(*leaves)

    def _in_turn(self, leaves):
        # Values by their indices; a leaf's is negative, so leaves are at the end.
        values = [*[None] * self.count, *leaves[::-1]]
        for node, plan in self.nodes:
            first = node.first
            values[first : first + len(node.avals)] = plan(*[values[index] for index in node.inputs])
        return [values[index] for index in self.wanted]

    def run(self, operands):
        (leaves,) = operands
        return interpret(self, leaves)
