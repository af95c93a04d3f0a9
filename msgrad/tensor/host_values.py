"""Values already on the host, which checks can read without waiting for a device."""

import numpy as np

from ..engine._jax_private import Tracer
from ..engine.handle import Promise
from ..engine.processes.global_arrays import is_cut


def host_values(tensor):
    """The values of ``tensor`` as a numpy array if they are in host memory, else None.

    MindSpore's CPU kernels refuse indices out of range. msgrad does so if reading the values is free: not for a
    recorded value, nor for one on an accelerator, where MindSpore does not check either.

    Args:
        tensor (Tensor): any dtype and shape.
    Returns:
        numpy.ndarray | None.
    """
    state = tensor.state()
    if type(state) is Promise or isinstance(state, Tracer) or state.platform() != "cpu" or is_cut(state):
        return None
    return np.asarray(state)
