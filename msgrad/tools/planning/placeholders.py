"""Placeholders: ``jax.Array``s of zeros, of which no memory is ever touched.

Their memory is mapped, not allocated: the system gives a page when it is first written to, which never happens. So
arrays of 100 GB exist on a laptop, and reading one gives zeros.
"""

import math
import mmap
import weakref

import jax
import numpy as np

from ...engine import host
from ...engine._jax_private import NOT_COPIED, ShapedArray, device_put
from ...engine.jax_options import Launching

_FLAGS = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)


class Placeholders:
    """The placeholders that are alive, by their ids."""

    def __init__(self):
        self._alive = {}

    def make(self, shape, dtype, sharding=None, maker=None):
        """A new placeholder.

        Args:
            sharding: of an array over several devices. Default: ``None``, the current device's.
            maker: the program whose result it stands for. Default: ``None``.
        """
        sharding = sharding or jax.sharding.SingleDeviceSharding(host.current_device())
        devices = list(sharding.device_set) if len(sharding.device_set) == 1 else list(sharding.mesh.devices.flat)
        part = zeros(sharding.shard_shape(tuple(shape)), dtype)
        with Launching():
            aval = ShapedArray(tuple(shape), np.dtype(dtype))
            array = device_put(aval, sharding, [part] * len(devices), devices, False, host_buffer_semantics=NOT_COPIED)
        key = id(array)
        self._alive[key] = weakref.ref(array, lambda _: self._alive.pop(key, None)), maker
        return array

    def has(self, array):
        """Whether an array is one of them."""
        return id(array) in self._alive

    def maker_of(self, array):
        """The program whose result it stands for, or None."""
        return self._alive.get(id(array), (None, None))[1]


def zeros(shape, dtype):
    """A NumPy array of zeros in memory that is mapped and not allocated."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    if not size:
        return np.zeros(shape, dtype)
    return np.frombuffer(mmap.mmap(-1, size, flags=_FLAGS), np.uint8).view(dtype).reshape(shape)
