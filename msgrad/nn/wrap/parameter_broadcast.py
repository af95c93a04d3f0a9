"""``parameter_broadcast``: broadcasts the first process's Parameters before training."""

from ..._common.auto_parallel import get_auto_parallel_context
from ...engine.calls.staging import note_side_effect
from ...engine.collectives import collective
from ...engine.processes.world import World
from ...ops.collective import exchanges
from ...ops.collective.process_group import group_of

_MODES = ("data_parallel", "hybrid_parallel")


def is_data_parallel():
    """Whether several processes train one network, each on its own data."""
    return World.size > 1 and get_auto_parallel_context("parallel_mode") in _MODES


def share_parameters(cell):
    """Broadcasts a Cell's Parameters from the first process, once, if ``parameter_broadcast`` is set."""
    if World.size == 1 or not is_data_parallel() or not get_auto_parallel_context("parameter_broadcast"):
        return
    if getattr(cell, "has_shared_parameters", False):
        return
    note_side_effect()  # a cached staged call would repeat the broadcast at each step
    cell.has_shared_parameters = True
    parameters = list({id(each): each for each in cell.get_parameters()}.values())
    values = collective.run_all(exchanges.broadcast(0), group_of(None), parameters)
    for parameter, value in zip(parameters, values, strict=True):
        parameter._write_(value)
