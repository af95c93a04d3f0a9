"""Primitives with a strategy: their Tensors are sharded by it if a program runs on several devices."""

import functools

from ....engine.recording.sharding import Active


def follow(primitive, in_strategy, out_strategy):
    """Makes a Primitive shard its Tensors by strategies; it does nothing without several devices.

    The object's class is changed to a subclass, so that calls of other Primitives need no check.
    """
    primitive.partition_strategy = in_strategy, out_strategy
    if not isinstance(primitive, Sharded):
        primitive.__class__ = _sharded(type(primitive))


class Sharded:
    """A Primitive with a strategy."""

    def __call__(self, *args, **kwargs):
        partition, compute = Active.partition, super().__call__
        if partition is None:
            return compute(*args, **kwargs)
        return partition.computed(self, functools.partial(compute, **kwargs), args)


@functools.cache
def _sharded(cls):
    return type(cls.__name__, (Sharded, cls), {"__module__": cls.__module__, "__doc__": cls.__doc__})
