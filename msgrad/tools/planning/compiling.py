"""Compiles the programs of a plan for chips that are not here."""

import dataclasses
import time

import jax
import jax.export
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ...engine import jax_options
from ...engine.lowering import tpu_lowering
from . import topology
from .hlo import Module
from .launching import is_sharded
from .schedule import Schedule

# Calls of kernels in a program that is exported: not stable over versions of JAX, which here is one.
_KERNELS = (
    *("__cudnn$fmhaSoftmax", "__cudnn$fmhaSoftmaxBackward", "__cudnn$fmhaScaleBiasSoftmax"),
    *("__cudnn$fmhaScaleBiasSoftmaxBackward", "tpu_custom_call", "Sharding"),
)


@dataclasses.dataclass
class Memory:
    """The memory that a program needs on one chip, in bytes, as its compiler reports it."""

    arguments: int
    results: int
    overwritten: int
    temporaries: int

    @property
    def total(self):
        """All at once."""
        return self.arguments + self.results - self.overwritten + self.temporaries


@dataclasses.dataclass
class Compiled:
    """A compiled program: its `Memory`, its `Schedule`, and the seconds that compiling took."""

    memory: Memory
    schedule: Schedule
    seconds: float


def compiled(planned, place):
    """A planned program, compiled for a `Place`.

    Raises:
        NotImplementedError, jax.errors.JaxRuntimeError, ValueError: if the compiler refuses it.
    """
    begun = time.monotonic()
    if tpu_lowering.is_current():
        tpu_lowering.check(planned.jaxpr.jaxpr)
    lowered = _lowered_for_one if planned.chips == 1 else _lowered_for_several
    with jax_options.Tracing():
        compile_ = lambda *specs: lowered(planned, place, specs).compile()  # noqa: E731
        result = planned.executable.retried(compile_, *planned.specs)
    stats = result.memory_analysis()
    memory = Memory(
        stats.argument_size_in_bytes,
        stats.output_size_in_bytes,
        stats.alias_size_in_bytes,
        stats.temp_size_in_bytes,
    )
    return Compiled(memory, Schedule(Module(result.as_text()), planned.chips), time.monotonic() - begun)


def _lowered_for_one(planned, place, specs):
    sharding = jax.sharding.SingleDeviceSharding(topology.devices(place)[0])
    return planned.executable.jitted().trace(*_at(specs, lambda spec: sharding)).lower()


def _lowered_for_several(planned, place, specs):
    """Of a program over a mesh of this process's devices, which stand for the chips."""
    executable = planned.executable
    mesh = _mesh_of(specs) if planned.group is None else planned.group.mesh
    devices = np.array(topology.devices(place)[: mesh.size]).reshape(mesh.devices.shape)
    there = Mesh(devices, mesh.axis_names)

    def sharding(spec, mesh):
        return NamedSharding(mesh, spec.sharding.spec if is_sharded(spec) else PartitionSpec())

    # As exported the program knows of no devices, only how many there are.
    checks = [jax.export.DisabledSafetyCheck.custom_call(name) for name in _KERNELS]
    export = jax.export.export(executable.jitted(), platforms=[place.target.platform], disabled_checks=checks)
    exported = export(*_at(specs, lambda spec: sharding(spec, mesh)))
    fn = jax.jit(exported.call, donate_argnums=executable.donated, compiler_options=executable.compiler_options())
    return fn.lower(*_at(specs, lambda spec: sharding(spec, there)))


def _mesh_of(specs):
    meshes = [spec.sharding.mesh for spec in jax.tree.leaves(specs) if is_sharded(spec)]
    if not meshes:
        raise NotImplementedError("its values are sharded, and none of its arguments is")
    return meshes[0]


def _at(specs, sharding_of):
    def put(spec):
        return jax.ShapeDtypeStruct(spec.shape, spec.dtype, sharding=sharding_of(spec), weak_type=spec.weak_type)

    return jax.tree.map(put, specs)
