"""Executables of Programs with collectives, which the processes of a group launch together."""

import jax

from .. import _jax_private, errors
from ..execution import compile_notice, compiled_code
from ..execution.executables import Executable, strong
from ..processes import guard
from ..processes.global_arrays import GlobalArrays, is_cut, is_global
from .ordering import in_order, marks_in
from .status import awaited

_MSG_GLOBAL = (
    "A collective takes the value of each process, and this Tensor or program is sharded over all processes by a "
    "strategy (semi-automatic parallel mode): remove the collective, XLA adds those that are needed; or use "
    "parallel_mode='data_parallel'."
)


def of_process(array):
    """This process's shard of ``array`` if that is over all processes; else ``array``.

    Raises:
        RuntimeError: if a process has a part of it alone.
    """
    if not (GlobalArrays.are_in_use and is_global(array)):
        return array
    if is_cut(array):
        raise RuntimeError(_MSG_GLOBAL)
    return _jax_private.local_part(array)


class GroupExecutable(Executable):
    """``fn``, which has collectives of ``group``, compiled over its processes; takes and gives this one's own arrays.

    Args:
        fn, key_parts, donated, operations: as for `Executable`.
        group (Group): the processes.
        is_global (bool): whether a value in it is sharded over all processes, which is refused.
    """

    __slots__ = ("group", "marks", "passed")

    def __init__(self, fn, key_parts, group, donated=(), operations=0, is_global=False):
        if is_global:
            raise RuntimeError(_MSG_GLOBAL)
        super().__init__(fn, key_parts, donated, operations)
        self.group = group
        self.marks = None
        self.passed = {}  # `_passed`: tokens, which would be copied in each launch

    def __call__(self, *operands):
        try:
            return self.ready()(*operands)
        except jax.errors.JaxRuntimeError as error:
            restated = errors.of_device(error)
        raise restated from None

    def ready(self):
        return self._launch

    def _function(self):
        fn = strong(self.fn)

        def run(*operands):
            closed, shapes = jax.make_jaxpr(fn, return_shape=True)(*operands)
            self.marks = marks_in(closed.jaxpr)
            results, status = in_order(closed.jaxpr, closed.consts, jax.tree.leaves(operands))
            if type(shapes) is not list:
                return jax.tree.unflatten(jax.tree.structure(shapes), results), status
            self.passed = _passed(results, operands)
            return [result for number, result in enumerate(results) if number not in self.passed], status

        return self.group.within(run)

    def _launch(self, *operands):
        operands = tuple(map(self._as_shard, operands))
        # One launch at a time: two threads would run their collectives in an order that no other process knows.
        with guard.LOCK:
            if self.compiled is None:
                self._prepare(operands)
            results, _ = guard.run(self.group, self.marks, self._run, operands)
        if type(results) is not list:
            return jax.tree.map(_jax_private.local_part, results)
        results = _jax_private.local_parts(results)
        for number, (argument, position) in self.passed.items():
            results.insert(number, _jax_private.local_part(operands[argument][position]))
        return results

    def _prepare(self, operands):
        """Compiles it, or loads what an earlier process compiled, once the processes agree on what it runs."""
        name = self.name("executable of a group", operands) if jax.default_backend() == "cpu" else None
        compiled, about = self._load(name, tuple(self.group.mesh.devices))
        if compiled is not None:
            self.marks, self.passed = about
        elif self.marks is None:
            self.jitted().trace(*operands)
        guard.agree(self.group, self.marks)
        if compiled is None and name is not None:
            with compile_notice.compiling():
                compiled = compiled_code.compiled(name, self.jitted(), operands, lambda: (self.marks, self.passed))
        self._launched_by(compiled)

    def _run(self, *operands):
        return awaited(self.group, self.marks, (self.compiled or self.jitted())(*operands))

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
