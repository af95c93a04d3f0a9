"""Programs over several devices: a mesh, and a table of Parameter names that says what lies on it how.

``use`` lays out whatever runs after it; a program's numbers do not depend on that. XLA partitions each compiled program
(GSPMD) and adds the collectives. ``docs/sharding.md`` says what maps to what.
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
    """What `use` returns: as a context manager it ends the use."""

    def __init__(self, partition, before):
        self.mesh = partition.mesh
        self._before = before

    def __enter__(self):
        return self

    def __exit__(self, *error):
        activate(self._before)


def use(mesh, parameters=None, batch=None, optimizer=False):
    """Lays programs out over a mesh of devices from now on, or, as a context manager, while it is entered.

    Parameters move when the Cell that has them is called, and stay where they are when they get new values; slots of
    optimizers lie as their Parameters do.

    Args:
        mesh (jax.sharding.Mesh | dict[str, int]): the devices; a dict has the lengths of the axes by name, over the
            first devices that JAX has. In one of several processes it must have the one device of each, in order.
        parameters (dict[str, tuple]): by a regular expression that is searched for in the names of Parameters, which
            axis of the mesh cuts each of their axes: a name, a tuple of names, or None; the first expression that is
            found counts. Default: ``None``, Parameters lie whole on every device.
        batch (str | tuple[str]): the axes that cut the first axis of the outermost Cell's arguments, where it is
            divisible; each of several processes gives its part. Default: ``None``, they lie whole on every device.
        optimizer (bool): whether slots are cut further along the axes of the mesh on which their Parameter lies whole.
            Default: ``False``.
    Returns:
        a context manager with the attribute ``mesh``; leaving it goes back to what was in use before.
    Raises:
        TypeError, ValueError: for other values, axes that the mesh has not, and more devices than there are.
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
    """Ends what `use` began: programs run on one device again, on which new values are made.

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
        refuse(ValueError, "use", "mesh", f"of at most {jax.device_count()} devices, as many as JAX has", lengths)
    return Mesh(np.array(jax.devices()[:count]).reshape(tuple(lengths.values())), tuple(lengths))


def _names(axes):
    """The names that an item of a PartitionSpec has."""
    return () if axes is None else (axes,) if isinstance(axes, str) else tuple(axes)


def _check_axes(names, mesh, argument):
    for name in names:
        if name not in mesh.axis_names:
            refuse(ValueError, "use", argument, f"of the mesh's axes {mesh.axis_names}", name)
    if len(set(names)) != len(names):
        refuse(ValueError, "use", argument, "of axes of which none comes twice", names)
