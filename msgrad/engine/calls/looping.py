"""Sink mode: many staged calls in one launch, the Program of a `Plan` in a ``lax.scan`` over stacked arguments.

The scan carries what a call overwrites (Parameters, an optimizer's slots) from turn to turn; other writes and the
result are those of the last turn, and the loss of each turn is kept if it is watched. Each turn draws the random keys
that its call would have drawn.

On a CPU a Program with a convolution runs call by call: XLA has no fast convolution within a loop there, and LeNet's
training step takes six times as long.
"""

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .._jax_private import jaxprs_in_parameters
from ..execution.executables import strengthen
from ..execution.tiers import Tiers
from ..handle import Handle, scope, size_of
from ..jax_options import launched
from ..random import Draw
from ..recording.program import Op, Step
from ..recording.results import wrap
from ..recording.views import only_has_aliases
from . import staging
from .plan import Plan, has_identity, position_of_first

MOST_BYTES = 1 << 26  # of arguments on the device at once, for one launch
MOST_TURNS = 64  # of one launch: stacking as many Tensors compiles in 30 ms, and a launch costs nothing beside them


@dataclasses.dataclass(frozen=True)
class Losses:
    """The first Tensor of the result of each call that one launch has run, as for a training step the loss.

    Attributes:
        count (int): the number of calls.
        tensor (Tensor | None): that of the only call, or one with a row for each; None if results have no such Tensor.
        is_alone (bool): whether the Tensor is the whole result.
    """

    count: int
    tensor: Any  # a Handle, or None
    is_alone: bool

    def rows(self):
        """The values as a NumPy array with a row for each call."""
        values = self.tensor.asnumpy()
        return values[None] if self.count == 1 else values


def call_each(fn, batches, count, site, memo, staged=False, watch=None):
    """Calls ``fn`` with each of ``batches`` in turn, as `staging.call` does, and returns the last result.

    Where calls are staged, those of one signature run many at a time; what fails then fails before any of them.

    Args:
        batches (iterable of tuple): the arguments of each call.
        count (int): how many there will be.
        fn, site, memo, staged: as for `staging.call`.
        watch (function): called after each launch, with its `Losses`. Default: None.
    """
    if scope.trace is not None or not Tiers.compiles or not (staged or staging.Policy.staged):
        result = None
        for args in batches:
            result = watched(staging.call(fn, args, {}, site, memo, staged), watch)
        return result
    return _call_staged(fn, batches, count, site, memo, watch)


def _call_staged(fn, batches, count, site, memo, watch):
    result = None
    for chunk in _chunks(batches, count, memo):
        plan, done = None, 0
        if len(chunk) > 1:
            plan, done, result = _plan_of(fn, chunk[0][0], site, memo)
            if done:
                watched(result, watch)
        if plan is not None and _can_repeat(plan, chunk[0][1]) and (watch is None or _keeps(plan, len(chunk))):
            result = _repeated(plan, [tensors for _, tensors in chunk], watch)
        else:
            for args, _ in chunk[done:]:
                result = watched(staging.call(fn, args, {}, site, memo, staged=True), watch)
    return result


def watched(result, watch):
    """The result of one call, after ``watch`` has seen it."""
    if watch is not None:
        is_alone = not isinstance(result, (tuple, list))
        first = result if is_alone else next(iter(result), None)
        watch(Losses(1, first if isinstance(first, Handle) else None, is_alone))
    return result


def _chunks(batches, count, memo):
    """Consecutive batches of one signature, in lists of nearly equal length, each as long as one launch may be."""
    chunk, key, maximum = [], None, MOST_TURNS
    for args in batches:
        new, tensors, _ = staging.looked_up(args, {}, memo)
        if chunk and (new != key or len(chunk) == maximum):
            yield chunk
            chunk = []
        if new != key:
            key = new
            longest = max(1, min(MOST_TURNS, MOST_BYTES // max(1, sum(size_of(each.aval) for each in tensors))))
            # Nearly equal lengths, so that all launches but one have the same number of turns, and one program.
            launches = -(-count // longest)
            maximum = -(-count // launches)
        chunk.append((args, tensors))
    if chunk:
        yield chunk


def _plan_of(fn, args, site, memo):
    """``(Plan or None, calls run, result)``: without a Plan the call was recorded, and so has run already."""
    key, tensors, plan = staging.looked_up(args, {}, memo)
    if plan is not None:
        return plan, 0, None
    plan, result = staging.recorded(fn, key, tensors, site, memo)
    if plan is None:
        return None, 1, result
    staging.keep(memo, key, plan)
    return plan, 0, None


def _can_repeat(plan, tensors):
    """Whether a loop can run the calls: the handles they write to have no slices and keep their shape and dtype."""
    if plan.fits_loops is None:
        writes_to_arguments = bool(plan.argument_writes)  # of each turn its own, which the loop does not give out
        plan.fits_loops = not (
            plan.program.host
            or plan.program.is_large()
            or plan.has_tracers()
            or writes_to_arguments
            or _is_slow_in_a_loop(plan.program)
        )
    handles = [reference() for reference, _ in plan.effects]
    if not plan.fits_loops or not all(handle is None or only_has_aliases(handle) for handle in handles):
        return False
    aval_of = plan.program.aval_of
    return all(aval_of(~position) == aval_of(plan.wanted[output]) for position, output in plan.writes(tensors))


def _keeps(plan, count):
    """Whether one launch can keep the loss of each of ``count`` calls: a result that is too large is no loss."""
    first = position_of_first(plan.result)
    return first is not None and count * size_of(plan.program.aval_of(plan.wanted[first])) <= MOST_BYTES


def _is_slow_in_a_loop(program):
    return jax.default_backend() == "cpu" and _convolves(program.jaxpr().jaxpr)


def _convolves(jaxpr):
    for equation in jaxpr.eqns:
        if equation.primitive.name == "conv_general_dilated":
            return True
        if any(map(_convolves, jaxprs_in_parameters(equation.params))):
            return True
    return False


def _repeated(plan, rows, watch):
    """Runs one call for each of ``rows`` (of Tensors), and returns the last result."""
    key = len(rows), watch is not None
    if key not in plan.loops:
        plan.loops[key] = Repeated(plan, rows[0], *key)
    result, losses = plan.loops[key].over(rows)
    if watch is not None:
        watch(losses)
    return result


class Repeated(Plan):
    """A Plan of ``count`` calls in sequence; arguments are stacked, except Parameters. Its result has `Losses`, too."""

    def __init__(self, plan, tensors, count, is_watched=False):
        # The Plan's findings hold here too: it is the same call with stacked leaves.
        vars(self).update(vars(plan))
        self.count = count
        self.draws = [k for k, item in enumerate(plan.fixed) if isinstance(item, Draw)]
        self.columns = [k for k, tensor in enumerate(tensors) if not has_identity(tensor)]
        varied = {*self.columns, *[plan.argument_count + k for k in self.draws]}
        stacked = [position for position, k in enumerate(plan.order) if k in varied]
        # Not interned in the tree of Steps, since no recording would reach it: only the Plan keeps it.
        step = Step(None, precision=plan.program.precision)
        for position, (shape, dtype) in enumerate(plan.program.leaves):
            step = step.grow_leaf(((count, *shape) if position in stacked else shape, dtype))
        kept = position_of_first(plan.result) if is_watched else None
        loop = Loop(
            plan.program, tuple(plan.wanted), dict(plan.writes(tensors)), stacked, _shardings(plan), count, kept
        )
        leaves = [~position for position in range(len(plan.order))]
        step = step.grow((loop, (), *leaves), plan.program.leaves)
        self.program, self.wanted = step.close(), list(range(len(plan.wanted) + (kept is not None)))
        self.made = functools.partial(_made, plan, count, kept is not None)
        self.overwriting, self.replaced = self._overwriting(tensors)
        self.fn = self._compiled() if self.overwriting is None else None

    def over(self, rows):
        """Runs the calls with these Tensors; the last result, and the `Losses` of all."""
        tensors = list(rows[0])
        for k in self.columns:
            tensors[k] = wrap(launched(_stack, [row[k]._array_() for row in rows]))
        return self(tensors)

    def _gathered(self, tensors):
        """The arrays of the leaves; keys are drawn in the order in which the calls would draw them."""
        if not self.draws:
            return super()._gathered(tensors)
        keys = [[self.fixed[k].key() for k in self.draws] for _ in range(self.count)]
        stacks = dict(zip(self.draws, map(np.stack, zip(*keys, strict=True)), strict=True))
        fixed = [stacks.get(k, item) for k, item in enumerate(self.fixed)]
        return self._arrays(tensors, fixed)


def _made(plan, count, has_losses, results):
    """The result of the last of the calls of ``plan``, and their `Losses`."""
    losses = wrap(results[-1]) if has_losses else None
    return plan.made(results), Losses(count, losses, not isinstance(plan.result, (tuple, list)))


def _shardings(plan):
    """Sharding of each handle that a Plan writes to, by output."""
    written = [(reference(), output) for reference, output in plan.effects]
    return {output: handle._sharding for handle, output in written if getattr(handle, "_sharding", None) is not None}


class Loop(Op):
    """``lax.scan`` of a Program over its stacked leaves; returns the values ``outs`` of the last iteration.

    Args:
        carried (dict): the position in ``outs`` of the next turn's value, by the position of the leaf that takes it.
        stacked (list of int): the leaves that have a row for each turn.
        shardings (dict): how results lie on several devices, by their position in ``outs``.
        count (int): the number of turns.
        kept (int): the position in ``outs`` of a value that is wanted of each turn, too, as a further result. Or None.
    """

    __slots__ = ("program", "outs", "carried", "stacked", "shardings", "count", "kept")

    def __init__(self, program, outs, carried, stacked, shardings, count, kept=None):
        super().__init__("loop")
        self.count, self.kept = count, kept
        self.program, self.outs, self.carried, self.stacked = program, outs, carried, stacked
        self.custom, self.collective, self.is_global = program.custom, program.collective, program.is_global
        self.shardings = shardings

    def stable_parts(self):
        return self.program, self.outs, self.carried, self.stacked, self.count, self.kept

    def bind(self, static):
        return self.run

    def output_avals(self, avals):
        """The ``(shape, dtype)`` of each result; known without tracing."""
        return tuple([self.program.aval_of(index) for index in self.outs] + self._kept_avals())

    def _kept_avals(self):
        if self.kept is None:
            return []
        shape, dtype = self.program.aval_of(self.outs[self.kept])
        return [((self.count, *shape), dtype)]

    def run(self, *leaves):
        """The results for these leaves."""

        def turn(results, rows):
            operands = list(leaves)
            for position, output in self.carried.items():
                operands[position] = results[output]
            for position, row in zip(self.stacked, rows, strict=True):
                operands[position] = row
            results = list(map(strengthen, self.program.replay(operands, self.outs)))
            return results, None if self.kept is None else results[self.kept]

        # All results are carried, not stacked, for of all but one only those of the last turn are wanted.
        start = [jnp.zeros(*self.program.aval_of(index)) for index in self.outs]
        for position, output in self.carried.items():
            # `lax.scan` refuses a carry of which the type changes, and weak types are part of it.
            start[output] = strengthen(leaves[position])
        results, kept = lax.scan(turn, start, [leaves[position] for position in self.stacked])
        for output, sharding in self.shardings.items():  # constraints within the loop do not hold for its results
            results[output] = lax.with_sharding_constraint(results[output], sharding)
        return tuple(results) if kept is None else (*results, kept)


@jax.jit
def _stack(arrays):
    return jnp.stack(arrays)
