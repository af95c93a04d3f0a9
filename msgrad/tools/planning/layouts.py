"""Layouts over several chips for a program that has none: data, fsdp and tensor, by the shapes of its Parameters."""

import contextlib
import math

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec

from ..._sharding.from_settings import by_first_axis
from ..._sharding.partition import Partition, activate
from ...engine.recording.sharding import Active

_LEAST_BYTES = 1 << 16  # of a Parameter that is sharded: exchanging a smaller one costs more than keeping it
_AXIS = "chips"

LAYOUTS = {
    "data": "the batch over all chips, Parameters on each",
    "fsdp": "the batch, and each Parameter and slot along its longest axis",
    "tensor": "each matrix by columns or rows, the batch on each chip",
}


class ByShape(Partition):
    """A `Partition` that shards Parameters by their shapes.

    Args:
        name (str): one of `LAYOUTS`.
        chips (int): the number of chips.
    """

    def __init__(self, name, chips):
        mesh = Mesh(np.array(jax.devices()[:chips]), (_AXIS,))
        super().__init__(mesh, batch=None if name == "tensor" else by_first_axis((_AXIS,), mesh))
        self.name = name

    def _spec_by_name(self, member, owner):
        shape, dtype = member.aval
        if self.name == "data" or math.prod(shape) * dtype.itemsize < _LEAST_BYTES:
            return PartitionSpec()
        axes = [axis for axis, length in enumerate(shape) if length % self.mesh.size == 0]
        if self.name == "tensor":
            axes = [axis for axis in axes if axis < 2] if len(shape) > 1 else []
        if not axes:
            return PartitionSpec()
        longest = max(axes, key=lambda axis: shape[axis])
        return PartitionSpec(*[None] * longest, _AXIS)


class Tried:
    """The layout that is tried, while the script runs.

    Attributes:
        is_kept (bool): whether the script has left it in force: one with a strategy of its own has not.
    """

    def __init__(self, name, chips):
        self.partition, self.is_kept = name and ByShape(name, chips), True

    @contextlib.contextmanager
    def active(self):
        """Shards the script's programs within a block."""
        if self.partition is None:
            yield
            return
        activate(self.partition)
        try:
            yield
        finally:
            self.is_kept = Active.partition is self.partition
            activate(None)
