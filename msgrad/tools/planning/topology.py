"""Chips that are not here: the process that compiles for them, and their devices for JAX."""

import functools
import os

import jax

from ...engine._jax_private import assume_cudnn
from ...engine.execution import families
from ...engine.lowering import tpu_lowering
from ...ops.attention import kernels

_VARIABLES = {
    "cuda": {"JAX_PLATFORMS": "cpu", "JAX_SKIP_CUDA_CONSTRAINTS_CHECK": "1", "CUDA_VISIBLE_DEVICES": "-1"},
    "tpu": {
        "JAX_PLATFORMS": "cpu",
        "TPU_SKIP_MDS_QUERY": "1",
        "TPU_WORKER_HOSTNAMES": "localhost",
        "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",
    },
    "cpu": {"JAX_PLATFORMS": "cpu"},
}


_CUDNN = 90800  # the version of the descriptions in `targets`


def environment(place):
    """Environment variables of a process that plans for a `Place`; it computes on the CPU."""
    flags = f"--xla_force_host_platform_device_count={place.chips} {os.environ.get('XLA_FLAGS', '')}"
    kept = {name: value for name, value in os.environ.items() if name not in ("JAX_PLATFORMS", "XLA_FLAGS")}
    variables = _VARIABLES[place.target.platform if place.target.has_compiler() else "cpu"]
    if place.target.accelerator:
        variables = variables | {"TPU_ACCELERATOR_TYPE": place.target.accelerator}
    return kept | variables | {"XLA_FLAGS": flags.strip(), "MSGRAD_CACHE": "off", "MSGRAD_QUIET": "1"}


def pretend(target):
    """Lets this process trace as one that has the chips: formulations and precision are those of their platform.

    It is for a process that does nothing but plan.
    """
    families.ALLOWED = False  # padding to a bucket of sizes is for CPUs
    if target.platform == "cpu":
        return
    own_devices = jax.local_devices

    def local_devices(process_index=None, backend=None, host_id=None):
        return own_devices(process_index, None if backend == target.backend else backend, host_id)

    jax.default_backend, jax.local_devices = lambda: target.backend, local_devices
    kernels.platforms = lambda: (target.platform,)
    if target.platform == "cuda" and not target.has_compiler():
        assume_cudnn(_CUDNN)
    tpu_lowering.is_current = lambda: target.platform == "tpu"


@functools.cache
def devices(place):
    """The chips of a `Place`, as JAX's devices (list)."""
    from jax.experimental import topologies  # which few programs use, and takes 20 ms

    target = place.target
    if target.platform == "cpu":
        return jax.devices()[: place.chips]
    if target.platform == "cuda":
        return _of_gpus(topologies, target, place.chips)
    # libtpu has whole hosts alone: of one chip's program, the first device of four.
    grid = place.grid if place.chips > 1 else (2, 2, 1)[: 3 if target.name == "v5p" else 2]
    name = f"{target.name}:{'x'.join(map(str, grid))}"
    return topologies.get_topology_desc(platform="tpu", topology_name=name).devices[: place.chips]


def _of_gpus(topologies, target, chips):
    topology = topologies.get_topology_desc(platform="cuda", target_config=target.gpu_text(), topology=f"1x1x{chips}")
    jax.config.update("jax_platforms", "cpu")
    return topology.devices
