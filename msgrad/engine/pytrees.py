"""Pytrees: Tensors and anything else in nested tuples, lists and dicts, also those of the user's classes."""

import copy
from typing import Any

from .handle import Handle


class Composite:
    """Base of values that consist of Tensors without being containers: sparse Tensors.

    A subclass gives ``items()``, its parts in order, ``like(items)``, a value of its class with other parts, and
    ``detail()``, what there is besides them (hashable). A Tensor whose value is computed from one when it is read has
    it as ``_source``, and its class makes another of such a Composite by ``of``.
    """

    items: Any
    like: Any

    __slots__ = ()


def items_of(tree) -> Any:
    """The items of a tuple, list or dict, in order, or the parts of a `Composite`; None for anything else."""
    if isinstance(tree, (tuple, list)):
        return tree
    if isinstance(tree, dict):
        return tree.values()
    return tree.items() if isinstance(tree, Composite) else None


def like(tree, items):
    """A container of the class of ``tree`` with these items; namedtuples keep names, defaultdicts their default."""
    if isinstance(tree, tuple):
        # Not by its class, for a namedtuple takes its fields one by one.
        return tuple.__new__(type(tree), items)
    if type(tree) is list:
        return list(items)
    if isinstance(tree, Composite):
        return tree.like(items)
    # A copy has what a subclass keeps besides its items, as a defaultdict its default.
    copied = copy.copy(tree)
    if isinstance(tree, dict):
        for key, item in zip(tree, items, strict=True):
            copied[key] = item  # not by `update`, which a subclass may refuse, while this keeps its attributes in step
    else:
        copied[:] = items
    return copied


def mapped(fn, value):
    """``jax.tree.map`` for Tensors: ``value`` with ``fn`` applied to each Tensor in it."""
    if isinstance(value, Handle):
        return fn(value)
    items = items_of(value)
    return value if items is None else like(value, [mapped(fn, item) for item in items])


def refilled(value, tensors):
    """``value`` with its Tensors replaced, in order, by those of the iterator ``tensors``."""
    return mapped(lambda _: next(tensors), value)


def tensors_in(value, tensors=None):
    """The Tensors in nested containers, in order; other leaves are omitted."""
    tensors = [] if tensors is None else tensors
    if isinstance(value, Handle):
        tensors.append(value)
    else:
        for item in items_of(value) or ():
            tensors_in(item, tensors)
    return tensors


def leaves_in(value):
    """All leaves of nested containers, in order, Tensors and others."""
    items = items_of(value)
    return [value] if items is None else [leaf for item in items for leaf in leaves_in(item)]
