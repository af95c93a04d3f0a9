"""Operands of collectives: arrays of this process, which no strategy has sharded."""

from .. import _jax_private
from ..processes.global_arrays import GlobalArrays, is_cut, is_global

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
    refuse_sharded(is_cut(array))
    return _jax_private.local_part(array)


def refuse_sharded(is_sharded):
    """Raises RuntimeError for an operand, or a program, that is sharded over all processes."""
    if is_sharded:
        raise RuntimeError(_MSG_GLOBAL)
