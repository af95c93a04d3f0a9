"""Compiles the programs of a plan for chips that are not here."""

import dataclasses
import time

import jax

from ...engine import jax_options, tpu_lowering
from . import topology
from .hlo import Module
from .schedule import Schedule


@dataclasses.dataclass
class Memory:
    """Bytes of one chip that a program needs, as its compiler says."""

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
    executable = planned.executable
    sharding = jax.sharding.SingleDeviceSharding(topology.devices(place)[0])

    def put(spec):
        return jax.ShapeDtypeStruct(spec.shape, spec.dtype, sharding=sharding, weak_type=spec.weak_type)

    def compile_(*specs):
        traced = executable.jitted().trace(*specs)
        if tpu_lowering.is_current():
            tpu_lowering.check(traced.jaxpr.jaxpr)
        return traced.lower().compile()

    with jax_options.Tracing():
        result = executable.retried(compile_, *jax.tree.map(put, planned.specs))
    stats = result.memory_analysis()
    memory = Memory(
        stats.argument_size_in_bytes,
        stats.output_size_in_bytes,
        stats.alias_size_in_bytes,
        stats.temp_size_in_bytes,
    )
    return Compiled(memory, Schedule(Module(result.as_text()), place.chips), time.monotonic() - begun)
