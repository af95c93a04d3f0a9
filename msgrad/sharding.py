"""Programs over several devices: a mesh, and a table of Parameter names with their partition specs.

``use`` shards all programs that run after it; their results do not depend on it. XLA partitions each compiled program
(GSPMD) and adds the collectives. ``docs/sharding.md`` compares this with MindSpore's settings.
"""

import math

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec

from ._sharding.from_settings import by_first_axis, check_processes
from ._sharding.partition import OptimizerSharding, Partition, activate
from .engine.recording.sharding import Active
from .engine.refusal import refuse, require

__all__ = ["stop", "use"]

_MSG_ORDER = "For 'use', the devices of the 'mesh' must be in the order of jax.devices(), one of each process."


class _InUse:
    """The result of `use`: leaving it as a context manager restores the previous setting."""

    def __init__(self, partition, before):
        self.mesh = partition.mesh
        self._before = before

    def __enter__(self):
        return self

    def __exit__(self, *error):
        activate(self._before)


def use(mesh, parameters=None, batch=None, optimizer=False):
    """Shards programs over a mesh of devices from now on, or inside a ``with`` block.

    Parameters move to their devices when their Cell is called, and new values keep the sharding; optimizer slots are
    sharded as their Parameters.

    Args:
        mesh (jax.sharding.Mesh | dict[str, int]): the devices; a dict gives the axis lengths by name, over the first
            devices that JAX has. In one of several processes it must have the one device of each, in order.
        parameters (dict[str, tuple]): partition specs by regular expressions: for each axis of the Parameters whose
            names match, the mesh axis that shards it: a name, a tuple of names, or None. The first match applies.
            Default: ``None``, Parameters are replicated.
        batch (str | tuple[str]): the mesh axes that shard the first axis of the outermost Cell's arguments, where it is
            divisible; each of several processes gives its part. Default: ``None``, arguments are replicated.
        optimizer (bool): whether to shard slots further, along the mesh axes on which their Parameter is replicated.
            Default: ``False``.
    Returns:
        a context manager with the attribute ``mesh``; leaving it restores the previous setting.
    Raises:
        TypeError, ValueError: for other values, unknown mesh axes, and more devices than there are.
        NotImplementedError: in one of several processes, for a mesh of other devices than the one of each.
        ValueError: at the call, for a Parameter whose length is not divisible by its number of parts.
    Example:
        >>> with msgrad.sharding.use({"data": 1, "model": 1}, {"weight": (None, "model")}, batch="data"):
        ...     nn.Dense(2, 3)(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    """
    mesh = _mesh(mesh)
    if jax.process_count() > 1:
        check_processes(mesh.size, "msgrad.sharding.use")
        if list(mesh.devices.flat) != jax.devices():
            raise NotImplementedError(_MSG_ORDER)
    rules = []
    for pattern, axes in (require(parameters, (dict, type(None)), "use", "parameters") or {}).items():
        require(pattern, str, "use", "key of the parameters")
        axes = tuple(require(axes, (tuple, PartitionSpec), "use", "item of the parameters"))
        _check_axes([name for item in axes for name in _names(item)], mesh, "parameters")
        rules.append((pattern, PartitionSpec(*axes)))
    along = None
    if batch is not None:
        _check_axes(_names(batch), mesh, "batch")
        along = by_first_axis(_names(batch), mesh)
    shared = OptimizerSharding(cuts_parameters=False) if require(optimizer, bool, "use", "optimizer") else None
    before, partition = Active.partition, Partition(mesh, rules, along, shared)
    activate(partition if mesh.size > 1 else None)
    return _InUse(partition, before)


def stop():
    """Undoes `use`: programs run on one device again.

    Example:
        >>> msgrad.sharding.stop()
    """
    activate(None)


def _mesh(mesh):
    if isinstance(mesh, Mesh):
        return mesh
    lengths = require(mesh, (Mesh, dict), "use", "mesh")
    for name, length in lengths.items():
        require(name, str, "use", "key of the mesh")
        if require(length, int, "use", "item of the mesh") < 1:
            refuse(ValueError, "use", "item of the mesh", "a positive int", length)
    count = math.prod(lengths.values())
    if count > jax.device_count():
        refuse(ValueError, "use", "mesh", f"of at most {jax.device_count()} devices, the number that JAX has", lengths)
    return Mesh(np.array(jax.devices()[:count]).reshape(tuple(lengths.values())), tuple(lengths))


def _names(axes):
    """The names that an item of a PartitionSpec has."""
    return () if axes is None else (axes,) if isinstance(axes, str) else tuple(axes)


def _check_axes(names, mesh, argument):
    for name in names:
        if name not in mesh.axis_names:
            refuse(ValueError, "use", argument, f"of the mesh's axes {mesh.axis_names}", name)
    if len(set(names)) != len(names):
        refuse(ValueError, "use", argument, "of distinct axes", names)
