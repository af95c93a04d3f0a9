"""Arrays with more or fewer elements along their axes: how operands get padding, and results lose it.

The host does it if it has the values. From an accelerator it fetches them, until that has cost as much as compiling a
program for the two shapes.
"""

import functools
import math
import weakref
from typing import Any

import jax
import numpy as np
from jax import lax

from .. import foreign_tracing, host, jax_options
from ..interpreter.kernels import Kernels
from ..uncropped import Uncropped
from . import tiers

_MOST = 512  # pairs of shapes
_BYTE = 0.4e-9  # seconds of each byte that the host copies
_LITTLE = 1 << 20  # bytes that take little longer to fetch than one


def sharding_of(array):
    """The sharding of an array, or `Uncropped`, over several devices; None of one that lies on a single device."""
    array = array.padded if type(array) is Uncropped else array
    sharding = getattr(array, "sharding", None)  # the type of an operand may have none
    return sharding if sharding is not None and len(sharding.device_set) > 1 else None


def with_padding(array, shape, kind):
    """``array`` in the first elements of one of this shape, which is 0 elsewhere.

    Args:
        array (jax.Array | Uncropped): of one device, or sharded along axes that stay as long as they are.
        shape (tuple of int): of as many axes.
        kind (type): `Executable`, which is defined above this file.
    """
    original = array.padded if type(array) is Uncropped else _originals.get(id(array), array)
    return _resized(original, shape, kind)


def is_unpadded(array, shape):
    """Whether only the device has what `with_padding` takes, and has it without padding; None is no shape to pad to."""
    if shape is None or type(array) is Uncropped or array.shape == shape:
        return False
    return id(array) not in _originals and not host.has_values_of(array)


def cropped_by_host(array, shape, is_reused):
    """The first elements of a CPU's ``array``, as many as in this shape; `with_padding` finds a reused one again."""
    part = _placed(np.ascontiguousarray(np.asarray(array)[tuple(map(slice, shape))]), array)
    return _remembered(part, array) if is_reused else part


def _placed(values, array, is_shared=False):
    """NumPy's ``values`` as an array on the devices of ``array``, sharded like that."""
    if foreign_tracing.is_under_way() or _is_current(array):
        return host.to_device(values, is_shared=is_shared)
    placed = jax_options.launched(jax.device_put, values, array.sharding)
    placed.is_lent = True  # its parts may share the memory of ``values``
    return placed


def _is_current(array):
    """Whether an array lies on the current device alone."""
    return jax.local_device_count() == 1 or array.devices() == {host.current_device()}


class Cropping:
    """How results of padded programs lose their padding where an `Uncropped` asks for that.

    Where a bucket is much larger than the value, the device crops it to powers of two first, for which few programs are
    enough, so that the host need not fetch all of it.

    Args:
        kind (type): as for `with_padding`.
    """

    def __init__(self, kind):
        self._kind = kind

    def array(self, padded, shape):
        """The first elements of ``padded`` as a ``jax.Array`` of this shape."""
        return _remembered(_resized(self._smaller(padded, shape), shape, self._kind), padded)

    def values(self, padded, shape):
        """The same as a NumPy array."""
        return host.values_of(self._smaller(padded, shape))[tuple(map(slice, shape))]

    def _smaller(self, padded, shape):
        if padded.nbytes <= _LITTLE:
            return padded
        pairs = zip(shape, padded.shape, strict=True)
        near = tuple([min(1 << (length - 1).bit_length(), most) for length, most in pairs])
        return _resized(padded, near, self._kind) if 2 * math.prod(near) <= padded.size else padded


def _resized(array, shape, kind):
    if array.shape == shape:
        return array
    # Under the user's own transforms a compiled program would give a tracer, which a handle must not keep.
    if host.is_cpu(host.current_device()) or host.has_values_of(array) or foreign_tracing.is_under_way():
        return _by_host(array, shape)
    return _executable(kind, array.shape, shape, array.dtype, _is_current(array), sharding_of(array))(array)


def _by_host(array, shape):
    view = tiers.view_of(array) if sharding_of(array) is None else np.asarray(array)
    whole = np.zeros(shape, view.dtype)
    common = tuple(map(slice, map(min, shape, view.shape)))
    whole[common] = view[common]
    return _placed(whole, array, is_shared=True)


@functools.lru_cache(_MOST)
def _executable(kind, before, after, dtype, is_current, sharding):
    """The executable that resizes arrays of the shape ``before``; NumPy's results are on the current device alone."""
    plan: Any = functools.partial(_Plan, after) if is_current else None
    executable = kind(functools.partial(_by_device, after, sharding), ("resized", after), plan=plan)
    executable.owner, executable.may_pad = "padding", False
    return executable


def _by_device(shape, sharding, array):
    more = [(0, new - old, 0) for old, new in zip(array.shape, shape, strict=True)]
    result = lax.pad(array, np.zeros((), array.dtype), more)
    return result if sharding is None else lax.with_sharding_constraint(result, sharding)


class _Plan:
    """The host's way, as a NumPy plan: see `tiers.Trial`."""

    size = kinds = 1
    constant_bytes = 0
    kernels = Kernels()
    making = compiled_seconds = 0.0

    def __init__(self, shape, executable, operands):
        (array,) = operands
        self._shape = shape
        self.result_bytes = math.prod(shape) * array.dtype.itemsize
        self.seconds = _BYTE * (array.nbytes + self.result_bytes)

    def run(self, operands):
        tiers.Tiers.interpreted += 1
        (array,) = operands
        return _by_host(array, self._shape)


def _remembered(part, original):
    """``part``, cropped from ``original``, which `with_padding` finds again."""
    _originals[id(part)] = original
    weakref.finalize(part, _originals.pop, id(part), None).atexit = False
    return part


# Padded arrays from which others that are alive were cropped, by the ids of these: the next operands of a cache.
_originals = {}
