"""Sharding over several devices: the sharding constraint as an operation, and handles that keep their sharding.

XLA partitions a compiled program by the shardings of its leaves and by the constraints in it (GSPMD), and inserts the
collectives itself. So a sharding decides where the parts of a value lie and never what the value is.
"""

import functools
from typing import Any

import jax
from jax.sharding import PartitionSpec

from ... import _upcalls
from .. import foreign_tracing, observation
from ..execution.donation import lend
from ..handle import Promise, Shared, is_concrete, scope
from ..host import Hosted
from ..processes import global_arrays
from .links import ValueLink, number_of_leaf
from .program import Op
from .trace import apply


class Active:
    """The objects that shard calls of Cells and Primitives.

    Attributes:
        partition (Partition): of `_sharding.partition`; None where a program runs on one device.
    """

    partition: Any = None


class Constraint(Op):
    """``lax.with_sharding_constraint``; the sharding is the static argument."""

    __slots__ = ()

    def __init__(self, is_global):
        super().__init__("sharding_constraint")
        self.is_global = is_global

    def bind(self, static):
        (sharding,) = static
        return lambda value: jax.lax.with_sharding_constraint(value, sharding)


CONSTRAINT, GLOBAL_CONSTRAINT = Constraint(is_global=False), Constraint(is_global=True)


class Join(Op):
    """Joins each process's operand, its part by a sharding, to a global array; the sharding is the static argument.

    The operand is declared to be whole, though it differs from process to process, as those of collectives are.
    """

    __slots__ = ()

    def __init__(self):
        super().__init__("join_parts")
        self.is_global = self.custom = True

    def bind(self, static):
        return _joining(*static)


JOIN = Join()


@functools.lru_cache(maxsize=64)
def _joining(sharding):
    def between(before, after):
        specs = {"in_specs": before, "out_specs": after}
        return jax.shard_map(lambda value: value, mesh=sharding.mesh, check_vma=False, **specs)

    join = jax.custom_vjp(between(PartitionSpec(), sharding.spec))
    parted = between(sharding.spec, PartitionSpec())
    join.defvjp(lambda value: (join(value), None), lambda _, gradient: (parted(gradient),))
    return join


# Handles that move to their sharding when the open recording has ended, or is about to run. A list that every launch
# looks at, for a function would cost each a call.
waiting = []


def constrain(handle, sharding):
    """A handle on the value of ``handle``, sharded by ``sharding``; recorded if a recording is open."""
    return apply(CONSTRAINT if sharding.is_fully_addressable else GLOBAL_CONSTRAINT, (handle,), (sharding,))


def join(handle, sharding):
    """A handle on the global array whose parts, by ``sharding``, are the values of ``handle`` in each process."""
    return apply(JOIN, (handle,), (sharding,))


def is_joint(state):
    """Whether a state is a value of all processes together: a global array, or recorded from one."""
    if type(state) is not Promise:
        return global_arrays.is_global(state)
    if state.value is not None:
        return is_joint(state.value)
    segment, trace = state.trace, state.trace.owner
    used, is_found = {state.index}, False
    for node in segment.step.close().needed([state.index]):
        is_found = is_found or node.op.is_global
        used.update(node.inputs)
    if is_found:
        return True
    for link in [segment.links[~index] for index in used if index < 0]:
        if isinstance(link, ValueLink):
            earlier = trace if link.number == trace.number else trace.segments[link.number]
            is_leaf_joint = is_joint(earlier.promises[link.index])
        else:
            is_leaf_joint = is_joint(trace.leaf_states[number_of_leaf(link)])
        if is_leaf_joint:
            return True
    return False


def lay_out(handles, shardings):
    """Shards handles: moves their values, and every value that they are given later."""
    for handle, sharding in zip(handles, shardings, strict=True):
        handle._sharding = sharding
    waiting.extend(handles)
    if scope.trace is None:
        move()


def move(trace=None):
    """Moves the values of handles that got a sharding, also as leaves of ``trace``."""
    # A tracer has no devices yet; the handles wait for the next launch.
    if foreign_tracing.is_under_way():
        return
    olds = {}
    while waiting:
        handle = waiting.pop()
        if type(handle._own_state_()) is Shared:
            handle._leave_storage_()
        elif type(handle._own_state_()) is Hosted:
            handle._state_()
        # A Promise gets its sharding by the constraint in its recording.
        if is_concrete(handle._own_state_()) and fits(handle, handle._sharding):
            olds[id(handle)] = handle, handle._own_state_()
    if not olds:
        return
    handles, arrays = zip(*olds.values(), strict=True)
    shared = _shared(handles, arrays)
    for handle, old, array in zip(handles, arrays, shared, strict=True):
        new = placed(array, handle._sharding)
        handle._replace(old, new)
        if trace is not None:
            for position, each in enumerate(trace.leaf_handles):
                if each is handle and trace.leaf_states[position] is old:
                    trace.leaf_states[position] = new


def _shared(handles, arrays):
    """Broadcasts the first process's values before they are sharded over all processes."""
    local = [
        k
        for k, (handle, array) in enumerate(zip(handles, arrays, strict=True))
        if not handle._sharding.is_fully_addressable and not global_arrays.is_global(array)
    ]
    if not local:
        return arrays
    first, arrays = _upcalls.of_first_process([arrays[k] for k in local]), list(arrays)
    for k, array in zip(local, first or (), strict=False):
        arrays[k] = array
    return arrays


def placed(array, sharding):
    """Shards an array; the result is never donated, since its parts may share the memory of ``array``."""
    if getattr(array, "sharding", None) == sharding:
        return array
    if sharding.is_fully_addressable:
        move = functools.partial(jax.device_put, device=sharding)
        observer = observation.observer
        return lend(move(array) if observer is None else observer.copying(array, move, sharding))
    if global_arrays.is_cut(array):
        return _upcalls.resharded(array, sharding)
    return lend(global_arrays.cut(array, sharding))


def fits(handle, sharding):
    """Whether the shape of a handle is divisible as ``sharding`` asks."""
    shape, _ = handle.aval
    spec, lengths = sharding.spec, sharding.mesh.shape
    if len(spec) > len(shape):
        return False
    return all([length % parts_of(axes, lengths) == 0 for length, axes in zip(shape, spec, strict=False)])


def parts_of(axes, lengths):
    """Number of parts of an item of a PartitionSpec; ``lengths`` (dict): of the mesh's axes by name."""
    count = 1
    for name in (axes,) if isinstance(axes, str) else axes or ():
        count *= lengths[name]
    return count


def _kept(handle, sharding):
    """The state of a handle with ``sharding`` that is given the value of ``handle``."""
    return constrain(handle, sharding) if fits(handle, sharding) else handle


_upcalls.fill(sharded=_kept)
