"""Data from the host as ``jax.Array``s: always concrete ones, so that handles and caches may keep them.

Under the user's own ``jax.jit`` every array that JAX makes is a tracer, which is dead once the function is traced. What
Python data becomes (a Tensor of a list, a number beside a Tensor, positions in a list) has a value all the same.
"""

import functools

import jax
import numpy as np
from jaxlib.xla_client import HostBufferSemantics, batched_device_put

# Copied by the calling thread, so that XLA owns the memory and may write over it (see `donation`).
_COPIED = HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
_ALIGNED = 64  # bytes: from such an address on XLA's CPU backend takes memory over as it is
_SMALL = 1 << 16  # bytes: less is copied by the calling thread, so that where it lies does not matter


def to_device(array):
    """The ``jax.Array`` of a NumPy array, whose memory it may take over: nobody may write to it from now on.

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


def empty(shape, dtype):
    """A NumPy array to be filled and given to `to_device`, which takes it over without a copy or another thread."""
    dtype = np.dtype(dtype)
    size = dtype.itemsize
    for length in shape:
        size *= length
    if size < _SMALL:
        return np.empty(shape, dtype)
    buffer = np.empty(size + _ALIGNED, np.uint8)
    start = -buffer.ctypes.data % _ALIGNED
    return buffer[start : start + size].view(dtype).reshape(shape)


def zeros(shape, dtype):
    """A NumPy array of zeros to be given to `to_device`."""
    array = empty(shape, dtype)
    array.fill(0)
    return array


def copied(array, dtype=None):
    """A copy of a NumPy array, in ``dtype`` as C converts, to be given to `to_device`."""
    copy = empty(array.shape, array.dtype if dtype is None else dtype)
    np.copyto(copy, array, casting="unsafe")
    return copy
