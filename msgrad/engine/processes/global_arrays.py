"""Global arrays: those that lie over all processes, of which each holds its own part (`jax.Array`'s own term).

A process's other arrays are its own. A global array is either cut, and then only a program that all processes run can
use it, or whole in each of them, and then it tells that its value is the program's, not this process's alone.
"""

import numpy as np

from .. import _jax_private
from ..host import set_gather, to_device


class GlobalArrays:
    """What `collectives.global_programs` says of them.

    Attributes:
        are_in_use (bool): whether there may be any in this process; if not, no launch looks for them.
        moved (function): takes one that is cut and a sharding, and gives it laid out by that.
        of_the_first (function): gives the local arrays of the first process where those of any other differ, else None.
    """

    are_in_use = False
    moved = of_the_first = None


def begin(gather):
    """Says that there may be global arrays from now on; ``gather`` gives this process the whole of one that is cut."""
    GlobalArrays.are_in_use = True
    set_gather(lambda array: gather(array) if is_cut(array) else array)


def is_global(state):
    """Whether a state is an array that lies over all processes."""
    return isinstance(state, _jax_private.ArrayImpl) and not state.is_fully_addressable


def is_cut(state):
    """Whether a state is an array of which this process holds a part alone."""
    return is_global(state) and not state.is_fully_replicated


def own(array):
    """This process's part of a global array; any other array as it is."""
    return _jax_private.local_part(array) if is_global(array) else array


def joined(array, sharding):
    """The global array of which each process's local array is its part by ``sharding``, without a copy."""
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
    """A global array that is whole, or a local one, laid out by ``sharding``; each process keeps its part alone."""
    array = own(array)
    if sharding.is_fully_replicated:
        return _jax_private.as_part(array, sharding)
    (place,) = sharding.addressable_devices_indices_map(array.shape).values()
    part = to_device(np.ascontiguousarray(np.asarray(array)[place]))
    return _jax_private.as_part(part, sharding, array.shape)
