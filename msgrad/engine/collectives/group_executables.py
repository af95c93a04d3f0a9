"""Executables of Programs with collectives, which the processes of a group launch together."""

import jax

from .. import _jax_private, errors, jax_options
from ..execution import tiers
from ..execution.executables import strong
from ..processes import guard
from ..processes.global_arrays import GlobalArrays
from . import interpreted
from .joint import Joint
from .operands import of_process, refuse_sharded
from .ordering import in_order, marks_in
from .status import awaited

interpreted.register()


class GroupExecutable(Joint):
    """``fn``, which has collectives of ``group``, compiled over its processes; takes and gives this one's own arrays.

    Args:
        fn, key_parts, donated, operations: as for `Executable`.
        group (Group): the processes.
        is_global (bool): whether a value in it is sharded over all processes, which is refused.
    """

    __slots__ = ("marks", "passed", "inner")

    def __init__(self, fn, key_parts, group, donated=(), operations=0, is_global=False):
        refuse_sharded(is_global)
        super().__init__(fn, key_parts, group, donated, operations, interpreted.plan)
        self.marks = None
        self.passed = {}  # `_passed`: tokens, which would be copied in each launch
        self.inner = None  # the jaxpr of ``fn``, until there is a plan

    def __call__(self, *operands):
        try:
            return self.ready()(*operands)
        except jax.errors.JaxRuntimeError as error:
            restated = errors.of_device(error)
        raise restated from None

    def ready(self):
        self.note_call()
        return self._launch

    def _function(self):
        fn = strong(self.fn)

        def run(*operands):
            closed, shapes = jax.make_jaxpr(fn, return_shape=True)(*operands)
            self.marks, self.inner = marks_in(closed.jaxpr), (closed, jax.tree.structure(shapes))
            results, status = in_order(closed.jaxpr, closed.consts, jax.tree.leaves(operands))
            if type(shapes) is not list:
                return jax.tree.unflatten(jax.tree.structure(shapes), results), status
            self.passed = _passed(results, operands)
            return [result for number, result in enumerate(results) if number not in self.passed], status

        return self.group.within(run)

    def trace(self, operands):
        """The jaxpr in which each collective is one equation, and the structure of its results."""
        self.traceable = None  # so that it is traced now
        with jax_options.Tracing():
            self.jitted().trace(*operands)
        inner, self.inner = self.inner, None
        return inner

    def about(self):
        return self.marks, self.passed

    def learn(self, about):
        self.marks, self.passed = about

    def _launch(self, *operands):
        shards = tuple(map(self._as_shard, operands))
        # One launch at a time: two threads would run their collectives in an order that no other process knows.
        with guard.LOCK:
            if self.compiled is None:
                plan = self._prepare(shards)
                if plan is not None:
                    return plan.run(jax.tree.map(_jax_private.local_part, shards))
            results, _ = guard.run(self.group, self.marks, self._run, shards)
        if type(results) is not list:
            return jax.tree.map(_jax_private.local_part, results)
        results = _jax_private.local_parts(results)
        for number, (argument, position) in self.passed.items():
            results.insert(number, _jax_private.local_part(shards[argument][position]))
        return results

    def _prepare(self, shards):
        """NumPy's plan for this launch, or None: then it is compiled. The processes agree on what it runs."""
        plan = self.plan_for(shards) if self.plan is not None and tiers.are_on() else None
        if plan is None:
            name = self.name("executable", shards)
            if self.load(name) is None and self.marks is None:
                with jax_options.Tracing():
                    self.jitted().trace(*shards)
        guard.agree(self.group, self.marks)
        if plan is None and self.compiled is None:
            with self.noticed():
                self.made(name, shards)
        self.inner = None
        return plan

    def _run(self, *shards):
        return awaited(self.group, self.marks, self.retried(self._launched, *shards))

    def _launched(self, *shards):
        return self.compiled(*shards) if self.compiled else jax_options.launched(self.jitted(), *shards)

    def _as_shard(self, operand):
        """An operand, an array or a list of arrays, as a shard of the group's."""
        if GlobalArrays.are_in_use:
            operand = jax.tree.map(of_process, operand)
        return self.group.as_shards(operand) if type(operand) is list else self.group.as_shard(operand)


def _passed(results, operands):
    """The 0-d results that are operands: by the number of each, the operand's argument (a list) and position in it.

    Only 0-d ones, for operand and result then share a buffer: a larger one might be donated.
    """
    origins = {
        id(leaf): (argument, position)
        for argument, leaves in enumerate(operands)
        if type(leaves) is list
        for position, leaf in enumerate(leaves)
        if leaf.ndim == 0
    }
    return {number: origins[id(result)] for number, result in enumerate(results) if id(result) in origins}
