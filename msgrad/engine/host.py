"""Data from the host as ``jax.Array``s: always concrete ones, so that handles and caches may keep them.

Under the user's own ``jax.jit`` every array that JAX makes is a tracer, which is dead once the function is traced. What
Python data becomes (a Tensor of a list, a number beside a Tensor, positions in a list) has a value all the same.
"""

import functools

import jax
from jaxlib.xla_client import HostBufferSemantics, batched_device_put

# Copied by the calling thread, so that XLA owns the memory and may write over it (see `donation`).
_COPIED = HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL


def to_device(array):
    """The ``jax.Array`` of a NumPy array, whose values are copied before this returns.

    It goes beneath JAX's tracing. Neither ``jnp.asarray`` nor ``jax.device_put`` would do: the first runs a program
    compiled for each shape, for which a forked child, where XLA has no threads, waits for ever; the second takes 40 us
    where this takes 10; and both give tracers under ``jax.jit``.
    """
    sharding, devices = _placed(jax.config.jax_default_device or jax.local_devices()[0])
    aval = jax.core.ShapedArray(array.shape, array.dtype)
    return batched_device_put(aval, sharding, [array], devices, False, host_buffer_semantics=_COPIED)


@functools.lru_cache
def _placed(device):
    if isinstance(device, str):
        device = jax.local_devices(backend=device)[0]
    return jax.sharding.SingleDeviceSharding(device), [device]
