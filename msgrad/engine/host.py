"""Transfers between host and device: Python and NumPy data as concrete ``jax.Array``s, and back.

Under the user's own ``jax.jit`` every array that JAX makes is a tracer, which is dead once the function is traced. What
Python data becomes (a Tensor of a list, a number beside a Tensor, positions in a list) has a value all the same.
"""

import functools

import jax
import numpy as np

from .. import _upcalls
from . import errors, observation
from ._jax_private import COPIED, X64, ShapedArray, Tracer, device_put, keep_values, kept_values
from .jax_options import Device, config
from .waiting import wait

SMALL = 1 << 14  # bytes of an array whose values the host keeps beside those on a CPU, for NumPy (`execution.at_once`)
_MOST_KEPT = 1 << 20  # bytes of an array on an accelerator whose values the host keeps as well


def to_device(array, is_shared=False):
    """The ``jax.Array`` of a NumPy array, whose values are copied before this returns.

    Small values stay known to the host (`has_values_of`); with ``is_shared``, the array itself is kept, not a copy of
    it, and may not be written to any more.

    It goes beneath JAX's tracing. Neither ``jnp.asarray`` nor ``jax.device_put`` would do: the first runs a program
    compiled for each shape, for which a forked child, where XLA has no threads, waits for ever; the second takes 40 us
    where this takes 10; and both give tracers under ``jax.jit``.
    """
    sharding, devices = _placed(current_device())
    aval, x64 = _aval(array.shape, array.dtype), _x64()
    if not array.flags.c_contiguous and min(array.strides) <= 0:
        # Reversed or repeated, XLA copies it element by element: 4 MB in 2.9 ms, NumPy's copy and its in 0.3.
        array = np.ascontiguousarray(array)
    try:
        _set_x64(True)  # without it 64-bit types would become 32-bit ones
        result = device_put(aval, sharding, [array], devices, False, host_buffer_semantics=COPIED)
    finally:
        _set_x64(x64)
    if array.nbytes <= SMALL or array.nbytes <= _MOST_KEPT and not is_cpu(devices[0]):
        # A view may be one of XLA's own memory, which it would keep XLA from writing over (`donation`).
        keep_values(result, array if is_shared and array.flags.owndata else np.array(array))
    return result


class Hosted:
    """A value, mostly a small one, that only the host has, until a launch needs it on the device.

    It is a state of a handle (`handle.INDIRECT`), and two handles may have the same one. To give the device four bytes
    takes 6 us, to add them up by NumPy 1 us. So what Python data becomes, and what NumPy computes of it at once
    (`execution.at_once`), stays on the host as long as nothing compiled takes it.

    Args:
        values (numpy.ndarray): the value, which nothing writes to any more; it may be a transposed view.
    Attributes:
        aval (tuple): the shape and dtype, as of a `Promise`.
    """

    __slots__ = ("values", "aval", "_array")

    def __init__(self, values):
        self.values, self.aval, self._array = values, (values.shape, values.dtype), None

    def contiguous(self):
        """The values as a read-only array in C's order."""
        values = self.values
        if not values.flags.c_contiguous:
            values = self.values = np.ascontiguousarray(values)
        values.flags.writeable = False
        return values

    def array(self):
        """The value as a ``jax.Array``, the same one each time."""
        array = self._array
        if array is None:
            array = self._array = to_device(self.values, is_shared=True)
        return array


def state_of(array, is_shared=False):
    """The state of a new handle on the values of a NumPy array, which are copied before this returns.

    With ``is_shared``, the array itself may be kept, as by `to_device`.
    """
    if array.nbytes > SMALL:
        return to_device(array, is_shared)
    return Hosted(np.asarray(array, order="C") if is_shared else np.array(array, order="C"))


def current_device():
    """The device on which new arrays are made."""
    return Device.chosen or config.jax_default_device or jax.local_devices()[0]


def platform_of(device):
    """The name of a device's kind, which JAX's options may have in place of a device."""
    return device if isinstance(device, str) else device.platform


def is_cpu(device):
    """Whether a device shares the host's memory."""
    return platform_of(device) == "cpu"


def has_values_of(array):
    """Whether the host has the values of an array, so that reading them waits for no device."""
    return isinstance(array, np.ndarray) or kept_values(array) is not None


_x64, _set_x64 = X64.get_local, X64.set_local
_aval = functools.lru_cache(4096)(ShapedArray)  # making one takes as long as the transfer, 4 us


@functools.lru_cache
def _placed(device):
    if isinstance(device, str):
        device = jax.local_devices(backend=device)[0]
    return jax.sharding.SingleDeviceSharding(device), [device]


def values_of(array):
    """The values of a ``jax.Array`` as a NumPy array; errors of the device are restated.

    Raises:
        NoValueError: if one of the user's own JAX transforms is tracing it.
    """
    if isinstance(array, Tracer):
        raise errors.NoValueError
    if isinstance(array, jax.Array):
        if observation.observer is not None:
            observation.observer.fetched(array)
        try:
            if _has_cpu_only() or _upcalls.check_before_read is not None or _upcalls.gathered is not None:
                wait(array)
            else:  # which waits by itself, as long as polling does on an H100
                return np.asarray(array)
        except jax.errors.JaxRuntimeError as error:
            raise errors.of_device(error) from None
        if _upcalls.check_before_read is not None:
            _upcalls.check_before_read()
        if _upcalls.gathered is not None:
            array = _upcalls.gathered(array)
    return np.asarray(array)


@functools.cache
def _has_cpu_only():
    return jax.default_backend() == "cpu"


def is_on_one_device(array):
    """Whether all of a concrete array lies on one device."""
    return isinstance(array.sharding, jax.sharding.SingleDeviceSharding)


# NumPy has two dtypes of 64 bits for ints; these are the numbers of the one that it gives, and the other.
LONG = {np.dtype("l").num: np.longlong, np.dtype("L").num: np.ulonglong}


def long_long(array):
    """``array``, if it is of int64 or uint64 a view of it as ``longlong``: as MindSpore's arrays are, and print.

    They are equal to other arrays of int64 in all but ``repr``: ``array([1, 2], dtype=int64)``.

    Example:
        >>> long_long(np.array([1, 2]))
        array([1, 2], dtype=int64)
    """
    kind = LONG.get(array.dtype.num)
    return array if kind is None or array.itemsize != 8 else array.view(kind)
