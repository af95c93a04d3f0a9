"""Values already on the host, which checks can read without waiting for a device."""

import os

import numpy as np

from ..engine._jax_private import Tracer
from ..engine.handle import Promise
from ..engine.host import Hosted, has_values_of, is_cpu
from ..engine.processes.global_arrays import is_cut
from ..engine.uncropped import Uncropped


class Checks:
    """Whether checks fetch values from an accelerator, and wait for it: ``MSGRAD_CHECKS=on``."""

    fetch = os.environ.get("MSGRAD_CHECKS", "").lower() in ("on", "1")


def host_values(tensor):
    """The values of ``tensor`` as a numpy array if they are in host memory, else None.

    MindSpore's CPU kernels refuse indices out of range. msgrad does so if reading the values is free: not for a
    recorded value, and for one on an accelerator, where MindSpore does not check either, only if the host has it, too.

    Args:
        tensor (Tensor): any dtype and shape.
    Returns:
        numpy.ndarray | None.
    """
    state = tensor._state_to_give_()
    if type(state) is Hosted:
        return state.values
    if type(state) is Uncropped:  # a result of a compiled program
        return state.values() if Checks.fetch else None
    if type(state) is Promise or isinstance(state, Tracer) or is_cut(state):
        return None
    if not is_cpu(state.platform()) and not Checks.fetch and not has_values_of(state):
        return None
    return np.asarray(state)
