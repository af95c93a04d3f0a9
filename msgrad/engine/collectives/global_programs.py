"""Executables over global arrays (SPMD programs that all processes run), and transfers between processes.

A program with a sharded operand, or with a constraint that shards a value over the processes, is run by all: XLA
partitions it (GSPMD). Its results are replicated, unless the program itself shards them, so
that any one of them may read it alone. Any other program is run by each process for itself.
"""

import functools
import hashlib
import re

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from ... import _upcalls
from .. import _jax_private, errors, jax_options
from ..execution.executables import Executable, strong
from ..host import to_device, values_of
from ..processes import guard
from ..processes.global_arrays import GlobalArrays, begin, is_cut, is_global, joined, own
from ..processes.peers import Mark
from ..processes.world import World
from ..user_code import place
from .groups import everyone
from .status import is_synchronous

_MOST = 64  # combinations of shapes and shardings for which one executable is kept
_PROGRAM = "a program of {} operations over all processes"


class Global(Executable):
    """An `Executable` whose operands may be global arrays.

    Args:
        fn, key_parts, donated, operations, plan: as for `Executable`.
        is_global (bool): whether it lays something out over the processes itself.
    """

    __slots__ = ("is_global", "launches")

    def __init__(self, fn, key_parts, donated=(), operations=0, plan=None, is_global=False):
        super().__init__(fn, key_parts, donated, operations, plan)
        self.is_global = is_global
        self.launches = {}  # by the shapes, dtypes and shardings of the operands

    def __call__(self, *operands):
        if not GlobalArrays.are_in_use:
            return super().__call__(*operands)
        leaves = jax.tree.leaves(operands)
        if self.is_global or any(map(is_cut, leaves)):
            try:
                return self._together(jax.tree.map(_as_shard, operands))
            except jax.errors.JaxRuntimeError as error:
                restated = errors.of_device(error)
            raise restated from None
        if any(map(is_global, leaves)):
            return jax.tree.map(_whole, super().__call__(*jax.tree.map(own, operands)))
        return super().__call__(*operands)

    def ready(self):
        return self if GlobalArrays.are_in_use else super().ready()

    def _together(self, operands):
        """Launches the operation in all processes."""
        key = tuple([(array.shape, array.dtype, array.sharding) for array in jax.tree.leaves(operands)])
        _, marks = self._entry(key, operands)
        launch = functools.partial(self.retried, lambda *operands: self._entry(key, operands)[0](*operands))
        return _launched(launch, marks, operands)

    def forget(self):
        super().forget()
        self.launches.clear()

    def _entry(self, key, operands):
        entry = self.launches.get(key)
        if entry is None:
            if len(self.launches) >= _MOST:
                self.launches.clear()
            entry = self.launches[key] = self._prepared(operands)
        return entry

    def _prepared(self, operands):
        """The function that JAX compiles, and the marks by which the processes compare it."""
        fn, leaves = strong(self.fn), jax.tree.leaves(operands)
        with jax_options.Tracing():
            traced = jax.jit(fn).trace(*operands)
        shardings = _out_shardings(traced.jaxpr.jaxpr, [array.sharding for array in leaves])
        shardings = jax.tree.unflatten(jax.tree.structure(traced.out_info), shardings)
        compiled = jax.jit(fn, out_shardings=shardings, donate_argnums=self.donated, compiler_options=self.options)
        return compiled, _marks(max(self.operations, 1), leaves, str(traced.jaxpr))


def _whole(array):
    """A local or host array as a replicated global one, without a copy."""
    return everyone().as_shard(array)


def _as_shard(array):
    return array if is_global(array) else _whole(array)


def _out_shardings(jaxpr, of_operands):
    """The sharding of each result of a jaxpr: the program's constraint, that of an operand returned, or replicated."""
    sharding_of = dict(zip(jaxpr.invars, of_operands, strict=True))
    for equation in jaxpr.eqns:
        if equation.primitive.name == "sharding_constraint":
            sharding_of[equation.outvars[0]] = equation.params["sharding"]
    everywhere = everyone().sharding
    return [
        everywhere if isinstance(each, _jax_private.Literal) else sharding_of.get(each, everywhere)
        for each in jaxpr.outvars
    ]


def _marks(operations, leaves, text):
    """Marks of a program, by which processes compare it: its size, its operands, and a digest."""
    name, line = _PROGRAM.format(operations), place()
    digest = hashlib.blake2s(re.sub("0x[0-9a-f]+", "", text).encode()).hexdigest()[:8]
    operands = [
        Mark(f"{name} with operand {k}{_cut_as(array)}", array.shape, array.dtype, line)
        for k, array in enumerate(leaves)
    ]
    return [Mark(name, (), "", line), *operands, Mark(f"{name} with the digest {digest}", (), "", line)]


def _cut_as(array):
    return "" if array.is_fully_replicated else f", cut as {array.sharding.spec}"


def _launched(fn, marks, operands):
    """Runs ``fn`` in all processes, after they have compared ``marks``; returns its results."""

    def launch(*operands):
        results = jax_options.launched(fn, *operands)
        if is_synchronous():  # so errors are raised here, not where a value is read
            jax.block_until_ready(jax.tree.leaves(results)[:1])  # one launch: all are ready at its end
        return results

    with guard.LOCK:
        guard.agree(everyone(), marks)
        return guard.run(everyone(), marks[:1], launch, operands)


_gathering = {}  # the launch that gathers a global array, by its shape, dtype and sharding


def gathered(array):
    """Gathers a sharded global array into a local one; all processes must call it."""
    key = array.shape, array.dtype, array.sharding
    if key not in _gathering:
        mark = Mark(f"the reading of all of a Tensor cut as {array.sharding.spec}", *key[:2], place())
        _gathering[key] = jax.jit(lambda x: x, out_shardings=everyone().sharding), [mark]
    return _jax_private.local_part(_launched(*_gathering[key], (array,)))


def moved(array, sharding):
    """Reshards a global array; all processes must call it."""
    mark = Mark(f"the layout of a Tensor as {sharding.spec}", array.shape, array.dtype, place())
    return _launched(jax.jit(lambda x: x, out_shardings=sharding), [mark], (array,))


def _rows(array):
    """Stacks the processes' local arrays as rows of one global array."""
    sharding = NamedSharding(everyone().mesh, PartitionSpec(everyone().mesh.axis_names))
    return joined(to_device(np.asarray(array)[None]), sharding)


_first_rows = Global(lambda arrays: [array[0] for array in arrays], ())


def of_the_first(arrays):
    """The first process's arrays if any other process has different ones, else None; all processes must call it."""
    digest = hashlib.blake2s()
    for array in arrays:
        digest.update(f"{array.shape} {array.dtype}".encode() + np.ascontiguousarray(values_of(array)).tobytes())
    digests = guard.exchanged(everyone(), f"the comparison of {len(arrays)} Parameters", digest.hexdigest())
    if len(set(digests)) == 1:
        return None
    return list(map(_jax_private.local_part, _first_rows(list(map(_rows, arrays)))))


def use():
    """Begins to use global arrays in this process."""
    if not GlobalArrays.are_in_use:
        begin(gathered)


def register():
    """Allows global arrays in this process's programs, if there are several processes."""
    if World.size > 1:
        _upcalls.fill(ProcessesExecutable=Global, resharded=moved, of_first_process=of_the_first)
