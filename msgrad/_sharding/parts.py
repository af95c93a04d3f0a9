"""Each process's parts of Parameters that are sharded over all processes, as in per-rank checkpoints."""

from ..engine._jax_private import local_part
from ..engine.execution.donation import lend
from ..engine.handle import Handle
from ..engine.processes.global_arrays import is_cut, joined
from ..engine.recording.results import wrap


def own_part(value):
    """A Tensor of this process's part where ``value`` is a Parameter that is cut over processes; else ``value``."""
    if not isinstance(value, Handle) or not is_cut(value._state_()):
        return value
    return wrap(lend(local_part(value._array_())))


def from_parts(value, parameter):
    """A Tensor with the sharding of ``parameter``, of which each process's ``value`` is its part."""
    return wrap(lend(joined(value._array_(), parameter._state_().sharding)))
