"""Devices that are not here: what a compiler for them needs to know."""

import functools
import os

KINDS = {"h100": "cuda", "v5e": "tpu"}  # the platform, by JAX's name
PACKAGES = {"h100": "jax_cuda12_plugin", "v5e": "libtpu"}  # the compiler

# An H100 as XLA describes it; without a driver nothing can be asked for it.
_H100 = """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152 shared_memory_per_core: 233472
  threads_per_core_limit: 2048 core_count: 132 fpus_per_core: 128 block_dim_limit_x: 2147483647
  block_dim_limit_y: 65535 block_dim_limit_z: 65535 memory_bandwidth: 3352320000000 l2_cache_size: 52428800
  clock_rate_ghz: 1.98 device_memory_size: 84929347584 shared_memory_per_block_optin: 232448
  cuda_compute_capability { major: 9 } registers_per_core_limit: 65536 registers_per_block_limit: 65536
}
platform_name: "CUDA" dnn_version_info { major: 9 minor: 8 } runtime_version { major: 12 minor: 9 patch: 0 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""
_VARIABLES = {
    "cuda": {"JAX_SKIP_CUDA_CONSTRAINTS_CHECK": "1", "CUDA_VISIBLE_DEVICES": "-1"},
    "tpu": {
        "JAX_PLATFORMS": "cpu",
        "TPU_SKIP_MDS_QUERY": "1",
        "TPU_ACCELERATOR_TYPE": "v5litepod-4",
        "TPU_WORKER_HOSTNAMES": "localhost",
        "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",
    },
}


def environment(kind):
    """The variables of a process that compiles for a device of ``kind``."""
    base = {name: value for name, value in os.environ.items() if name not in ("JAX_PLATFORMS", "XLA_FLAGS")}
    return base | _VARIABLES[KINDS[kind]] | {"MSGRAD_QUIET": "1", "MSGRAD_CACHE": "off"}


@functools.cache
def devices(kind):
    """Four such devices; all other computation stays on the CPU."""
    import jax
    from jax.experimental import topologies

    if KINDS[kind] == "tpu":
        return topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2").devices
    topology = topologies.get_topology_desc(platform="cuda", target_config=_H100, topology="1x1x4")
    jax.config.update("jax_platforms", "cpu")
    return topology.devices


def sharding(kind):
    """The sharding over one such device."""
    import jax

    return jax.sharding.SingleDeviceSharding(devices(kind)[0])
