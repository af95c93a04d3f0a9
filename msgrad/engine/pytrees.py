"""Pytrees: Tensors and anything else in nested tuples, lists and dicts, also those of the user's classes."""

import copy

from .handle import Handle


class Composite:
    """A value made of Tensors that is a nest of them, though no container: a sparse Tensor.

    A subclass gives ``items()``, its parts in order, and ``like(items)``, a value of its class with other parts.
    """

    __slots__ = ()


def items_of(nest):
    """The items of a tuple, list or dict, in order, or the parts of a `Composite`; None for anything else."""
    if isinstance(nest, (tuple, list)):
        return nest
    if isinstance(nest, dict):
        return nest.values()
    return nest.items() if isinstance(nest, Composite) else None


def like(nest, items):
    """A nest like ``nest``, of its class, with these items: a namedtuple keeps its names, a defaultdict its default."""
    if isinstance(nest, tuple):
        # Not by its class, for a namedtuple takes its fields one by one.
        return tuple.__new__(type(nest), items)
    if type(nest) is list:
        return list(items)
    if isinstance(nest, Composite):
        return nest.like(items)
    # A copy has what a subclass keeps besides its items, as a defaultdict its default.
    made = copy.copy(nest)
    if isinstance(nest, dict):
        made.update(zip(nest, items, strict=True))
    else:
        made[:] = items
    return made


def mapped(fn, value):
    """``value`` with ``fn`` applied to each Tensor in its nest."""
    if isinstance(value, Handle):
        return fn(value)
    items = items_of(value)
    return value if items is None else like(value, [mapped(fn, item) for item in items])


def refilled(value, tensors):
    """``value`` with the next of ``tensors``, an iterator, in place of each Tensor in its nest."""
    return mapped(lambda _: next(tensors), value)


def tensors_in(value, tensors=None):
    """The Tensors in a nest, in order; everything else is left out."""
    tensors = [] if tensors is None else tensors
    if isinstance(value, Handle):
        tensors.append(value)
    else:
        for item in items_of(value) or ():
            tensors_in(item, tensors)
    return tensors


def leaves_in(value):
    """The leaves of a nest, in order: Tensors, and every other value that is not a nest."""
    items = items_of(value)
    return [value] if items is None else [leaf for item in items for leaf in leaves_in(item)]
