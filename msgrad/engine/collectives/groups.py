"""Groups of processes: the mesh over which their programs with collectives are compiled and launched.

A process keeps its own arrays, each on its own device, and a handle knows nothing of other processes. Only a Program
with collectives is compiled over a mesh, that of the processes of one group, by ``jax.shard_map``; its operands are
declared as replicated although each process has another value, so their shapes stay what they are and nothing is
copied.
"""

import functools

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from .. import _jax_private
from ..host import to_device
from ..processes import peers
from ..processes.world import World
from .group_executables import GroupExecutable
from .headers import AXIS


class Group:
    """Some of the processes, in order.

    Attributes:
        members (tuple of int): their ranks.
        rank (int): this process's number among them, -1 if it is none of them.
        key (str): names the group in all its members.
        count, exchanges (int): how many collectives they have run, and exchanges of objects.
        seen (set): the kinds of them, see `guard.agree`.
        is_sending (bool): whether its collectives send anything; not where one process has the values of all.
    """

    is_sending = True

    def __init__(self, members):
        self.members = members
        self.rank = members.index(World.rank) if World.rank in members else -1
        self.key = "all" if members == tuple(range(World.size)) else ",".join(map(str, members))
        self.count, self.exchanges, self.seen = 0, 0, set()
        peers.know(self)

    def __reduce__(self):
        return group_of, (self.members,)

    def stable_parts(self):
        """The parts of its `stable_key`, which has the rank of the process in any case."""
        return (self.members,)

    @property
    def size(self):
        return len(self.members)

    @functools.cached_property
    def mesh(self):
        """One device of each member."""
        # One each: a process may have several devices, and collectives are between processes.
        by_process = {}
        for device in jax.devices():
            by_process.setdefault(device.process_index, device)
        return Mesh(np.array([by_process[rank] for rank in self.members]), (AXIS,))

    @functools.cached_property
    def sharding(self):
        return NamedSharding(self.mesh, PartitionSpec())

    def within(self, fn):
        """``fn``, which has collectives of the group, as a function of arrays of all members."""
        every = PartitionSpec()
        # Declared as replicated, and not checked to be: each process has another value under one shape, and nothing is
        # copied to make it so.
        return jax.shard_map(fn, mesh=self.mesh, in_specs=every, out_specs=every, check_vma=False)

    def executable(self, fn, key_parts, donated=(), operations=0, is_global=False):
        """A `GroupExecutable` of ``fn``, which has collectives of the group."""
        return GroupExecutable(fn, key_parts, self, donated, operations, is_global)

    def as_shard(self, array):
        """This process's array as a shard of one of all members; 1 us, where JAX's public function takes 14 to 440."""
        return self.as_shards([array])[0]

    def as_shards(self, arrays):
        """`as_shard` of each of a list."""
        # A random key is NumPy's.
        arrays = [each if isinstance(each, _jax_private.ArrayImpl) else to_device(each) for each in arrays]
        return _jax_private.as_parts(arrays, self.sharding)


@functools.cache
def group_of(members):
    """The `Group` of these ranks (a tuple)."""
    return Group(members)


def everyone():
    """The group of all processes."""
    return group_of(tuple(range(World.size)))
