"""Executables that the processes of a group launch together."""

import jax

from ..execution.executables import Executable


class Joint(Executable):
    """An `Executable` compiled over the processes of a group.

    Args:
        fn, key_parts, donated, operations, plan: as for `Executable`.
        group (Group): the processes.
    """

    __slots__ = ("group",)

    def __init__(self, fn, key_parts, group, donated=(), operations=0, plan=None):
        super().__init__(fn, key_parts, donated, operations, plan)
        self.group = group

    def name(self, kind, operands):
        # On GPUs JAX's own cache serves all processes; that code can be loaded without JAX there is not known.
        return super().name(kind, operands) if jax.default_backend() == "cpu" else None

    def devices(self):
        return tuple(self.group.mesh.devices)
