"""Global arrays: ``jax.Array``s over all processes, of which each process holds a part.

A process's other arrays are its own. A global array is either sharded, and then only a program of all processes can
use it, or replicated, and then it says that its value is the program's, not this process's alone.
"""

import numpy as np

from ... import _upcalls
from .. import _jax_private
from ..host import to_device


class GlobalArrays:
    """Whether there may be any.

    Attributes:
        are_in_use (bool): for this process; if not, no launch looks for them.
    """

    are_in_use = False


def begin(gather):
    """Allows global arrays from now on; ``gather`` makes a local array of a sharded one."""
    GlobalArrays.are_in_use = True
    _upcalls.fill(gathered=lambda array: gather(array) if is_cut(array) else array)


def is_global(state):
    """Whether a state is a global array."""
    return isinstance(state, _jax_private.ArrayImpl) and not state.is_fully_addressable


def is_cut(state):
    """Whether a state is an array of which this process holds only a part."""
    return GlobalArrays.are_in_use and is_global(state) and not state.is_fully_replicated


def own(array):
    """This process's part of a global array; any other array unchanged."""
    return _jax_private.local_part(array) if is_global(array) else array


def joined(array, sharding):
    """Joins the processes' local arrays, as parts by ``sharding``, to a global array, without a copy."""
    return _jax_private.as_part(array, sharding, joined_shape(array.shape, sharding))


def joined_shape(shape, sharding):
    """The shape of a global array with parts of a ``shape``."""
    lengths = sharding.mesh.shape
    counts = [np.prod([lengths[name] for name in _names(item)], dtype=int) for item in sharding.spec]
    counts += [1] * (len(shape) - len(counts))
    return tuple([int(length * count) for length, count in zip(shape, counts, strict=True)])


def _names(item):
    return () if item is None else (item,) if isinstance(item, str) else item


def cut(array, sharding):
    """Shards a replicated or local array by ``sharding``; each process keeps only its part."""
    array = own(array)
    if sharding.is_fully_replicated:
        return _jax_private.as_part(array, sharding)
    (place,) = sharding.addressable_devices_indices_map(array.shape).values()
    part = to_device(np.ascontiguousarray(np.asarray(array)[place]))
    return _jax_private.as_part(part, sharding, array.shape)
