"""Arrays with more or fewer elements along their axes: how operands get padding, and results lose it.

The host does it if it has the values. From an accelerator it fetches them, until that has cost as much as compiling a
program for the two shapes.
"""

import functools
from typing import Any

import jax
import numpy as np
from jax import lax

from .. import foreign_tracing, host
from . import tiers

_MOST = 512  # pairs of shapes
_ELEMENT_BYTES = 0.4e-9  # seconds of each byte that the host copies


def resized(array, shape, kind):
    """The elements of ``array`` that an array of this shape has, too, in one that is 0 elsewhere.

    Args:
        array (jax.Array): of one device.
        shape (tuple of int): of as many axes.
        kind (type): `Executable`, which is defined above this file.
    """
    device = host.current_device()
    is_current = jax.local_device_count() == 1 or array.devices() == {device}
    # Under the user's own transforms a compiled program would give a tracer, which a handle must not keep.
    if is_current and (host.is_cpu(device) or host.has_values_of(array)) or foreign_tracing.is_under_way():
        return _by_host(array, shape)
    return _executable(kind, array.shape, shape, array.dtype, is_current)(array)


def _by_host(array, shape):
    view = tiers.view_of(array)
    whole = np.zeros(shape, view.dtype)
    common = tuple(map(slice, map(min, shape, view.shape)))
    whole[common] = view[common]
    return host.to_device(whole, is_shared=True)


@functools.lru_cache(_MOST)
def _executable(kind, before, after, dtype, is_current):
    """What resizes an array of the shape ``before`` and a dtype; NumPy's results lie on the current device alone."""
    plan: Any = functools.partial(_Plan, after) if is_current else None
    executable = kind(functools.partial(_by_device, after), ("resized", after), plan=plan)
    executable.owner, executable.may_pad = "padding", False
    return executable


def _by_device(shape, array):
    more = [(0, new - old, 0) for old, new in zip(array.shape, shape, strict=True)]
    return lax.pad(array, np.zeros((), array.dtype), more)


class _Plan:
    """The host's way, as a NumPy plan: see `tiers.Trial`."""

    size, making, constant_bytes, compiled_seconds = 1, 0.0, 0, 0.0

    def __init__(self, shape, executable, operands):
        (array,) = operands
        self._shape = shape
        self.result_bytes = int(np.prod(shape)) * array.dtype.itemsize
        self.seconds = _ELEMENT_BYTES * (array.nbytes + self.result_bytes)

    def run(self, operands):
        tiers.Tiers.interpreted += 1
        return _by_host(*operands, self._shape)
