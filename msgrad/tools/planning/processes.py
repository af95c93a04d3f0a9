"""The processes of a program that is started several times: this one stands for the first of them, on its chip."""

import contextlib
from types import SimpleNamespace

import jax
import numpy as np
from jax.sharding import Mesh

from ...engine.collectives.groups import Group
from ...engine.collectives.headers import AXIS
from ...engine.processes import guard
from ...engine.processes.world import World

# What the others would tell is what this one says: they run the same script.
_STORE = SimpleNamespace(require_secret=lambda name: None)


@contextlib.contextmanager
def pretended(count):
    """Lets this process be the first of ``count``, of which no other exists, within a block.

    Programs with collectives are traced over a mesh of this process's devices, which stand for those of the others.
    None may be launched.
    """
    own = World.size, World.local_size, World.store, Group.mesh, guard.exchanged
    World.size = World.local_size = count
    if count > 1:
        World.store, guard.exchanged = _STORE, lambda group, name, value: [value] * group.size
        Group.mesh = property(_mesh)
    try:
        yield
    finally:
        World.size, World.local_size, World.store, Group.mesh, guard.exchanged = own


def _mesh(group):
    return Mesh(np.array(jax.devices())[list(group.members)], (AXIS,))
