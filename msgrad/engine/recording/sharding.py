"""Values over several devices: the constraint as an operation, and handles that keep their sharding.

XLA partitions a compiled program by the shardings of its leaves and by the constraints in it (GSPMD), and inserts the
collectives itself. So a sharding decides where the parts of a value lie and never what the value is.
"""

import jax

from .. import foreign_tracing
from ..execution.donation import lend
from ..handle import Promise, Shared, scope, set_constraint
from .program import Op
from .trace import apply


class Active:
    """What calls of Cells and Primitives are laid out by.

    Attributes:
        partition (Partition): of `_sharding.partition`; None where a program runs on one device.
    """

    partition = None


class Constraint(Op):
    """Its operand, laid out by a sharding; the static argument."""

    __slots__ = ()

    def bind(self, static):
        (sharding,) = static
        return lambda value: jax.lax.with_sharding_constraint(value, sharding)


CONSTRAINT = Constraint("sharding_constraint")

# Handles that move to their sharding when the open recording has ended, or is about to run. A list that every launch
# looks at, for a function would cost each a call.
waiting = []


def constrain(handle, sharding):
    """A handle on the value of ``handle``, laid out by ``sharding``; recorded where a recording is open."""
    return apply(CONSTRAINT, (handle,), (sharding,))


def lay_out(handle, sharding):
    """Gives a handle a sharding: its value moves there, and so does every value that it is given later."""
    handle._sharding = sharding
    waiting.append(handle)
    if scope.trace is None:
        move()


def move(trace=None):
    """Moves the values of the handles that got a sharding, also where they are leaves of ``trace``."""
    # A value that JAX traces lies nowhere yet; the handles wait for the next launch.
    if foreign_tracing.is_under_way():
        return
    while waiting:
        handle = waiting.pop()
        if type(handle.own_state()) is Shared:
            handle.leave_storage()
        old = handle.own_state()
        # A Promise gets its sharding by the constraint in its recording.
        if type(old) is Promise or not fits(handle, handle._sharding):
            continue
        new = placed(old, handle._sharding)
        handle._replace(old, new)
        if trace is not None:
            for position, each in enumerate(trace.leaf_handles):
                if each is handle and trace.leaf_states[position] is old:
                    trace.leaf_states[position] = new


def placed(array, sharding):
    """An array laid out by ``sharding``; it is not written over, since its parts may share the memory of ``array``."""
    return array if getattr(array, "sharding", None) == sharding else lend(jax.device_put(array, sharding))


def fits(handle, sharding):
    """Whether the shape of a handle can be cut as ``sharding`` says."""
    shape, _ = handle.aval
    spec, lengths = sharding.spec, sharding.mesh.shape
    if len(spec) > len(shape):
        return False
    return all([length % parts_of(axes, lengths) == 0 for length, axes in zip(shape, spec, strict=False)])


def parts_of(axes, lengths):
    """Into how many parts an item of a PartitionSpec cuts; ``lengths`` (dict): of the mesh's axes by name."""
    count = 1
    for name in (axes,) if isinstance(axes, str) else axes or ():
        count *= lengths[name]
    return count


def _kept(handle, sharding):
    """What a handle with ``sharding`` gets when it is given the value of ``handle``."""
    return constrain(handle, sharding) if fits(handle, sharding) else handle


set_constraint(_kept)
