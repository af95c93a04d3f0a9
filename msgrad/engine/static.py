"""Static arguments as dictionary keys: equal keys select the same computation."""

import copy
import operator
from typing import Any

import numpy as np

from .handle import Handle

_NOTHING: Any = iter(())
_PLAIN = {int, str, type(None), bytes, type}


class Hole:
    """Placeholder of an array operand in a static template."""

    def fill(self, operand):
        """The value passed to the computation for the operand."""
        return operand

    def __repr__(self):
        return "_"


HOLE = Hole()


class Boxed(tuple):
    """A static value that Python's own equality would confuse with another (``1 == True == 1.0``) or cannot hash.

    A tuple of its class and a key, since Python hashes and compares tuples without a frame: a recording does both at
    each operation with static arguments.
    """

    value: Any

    def __new__(cls, value, key):
        boxed = super().__new__(cls, (cls, key))
        boxed.value = value
        return boxed

    key = property(operator.itemgetter(1))

    def __repr__(self):
        return repr(self.value)


# ``True == 1`` and they hash alike, but an axis ``1`` and a flag ``True`` are other computations.
_FLAGS = {value: Boxed(value, (bool, repr(value))) for value in (True, False)}


class Container(Boxed):
    """A frozen list, tuple, slice or dict; ``value`` is its class (the dict emptied), ``key[1]`` its frozen items."""

    def __repr__(self):
        return repr(self.key[1])


class CallTensors(list):
    """Gets the Handles inside what is frozen, in place of one with a ``_source`` the parts of that."""


class Derived(Boxed):
    """A frozen Tensor with a ``_source``, without the parts of that, which are operands; ``value`` is its class."""

    empty: Any

    def __new__(cls, tensor, source):
        boxed = super().__new__(cls, type(tensor), source.detail())
        boxed.empty = source.like([None] * len(source.items()))
        return boxed

    def made(self, operands):
        """Another such Tensor, of the next ``operands``."""
        return self.value.of(self.empty.like([next(operands) for _ in self.empty.items()]))


def freeze(value, operands=None):
    """A hashable stand-in for ``value``, from which `thaw` makes it again.

    Args:
        value (object): None, numbers, strings, containers, numpy arrays, or any object compared by identity.
        operands (list): gets the Handles inside ``value``, each of which leaves a `HOLE`.
    """
    kind = type(value)
    # Most static arguments end here, without another test.
    if kind in _PLAIN:
        return value
    if kind is tuple:
        items = []
        for item in value:
            # Written out: a step has one for each Parameter.
            if operands is not None and isinstance(item, Handle) and item._source is None:
                operands.append(item)
                items.append(HOLE)
            else:
                items.append(freeze(item, operands))
        return tuple(items)
    if kind is bool:
        return _FLAGS[value]
    if isinstance(value, Handle):
        if operands is None:
            return value
        if type(operands) is CallTensors and (source := value._source) is not None:
            operands += source.items()
            return Derived(value, source)
        operands.append(value)
        return HOLE
    if isinstance(value, (float, complex)):  # by their text, for 0.0 == -0.0 and nan != nan
        return Boxed(value, (kind, repr(value)))
    if kind is slice:
        parts = (value.start, value.stop, value.step)
        return Container(slice, (slice, tuple([freeze(item, operands) for item in parts])))
    if isinstance(value, list):
        return Container(kind, (kind, tuple([freeze(item, operands) for item in value])))
    if isinstance(value, tuple):
        return Container(kind, (kind, tuple([freeze(item, operands) for item in value])))
    if isinstance(value, dict):
        items = tuple([(freeze(k), freeze(v, operands)) for k, v in value.items()])
        # Emptied, so that the key keeps no Tensor alive: `thaw` fills a copy of it again.
        empty = copy.copy(value)
        empty.clear()
        return Container(empty, (kind, items, getattr(value, "default_factory", None)))
    if isinstance(value, (np.ndarray, np.generic)):
        # By a copy of its bytes: an equal array is the same constant, and one written to since then is another.
        return Boxed(value, (kind, value.dtype.str, value.shape, value.tobytes()))
    try:
        hash(value)
    except TypeError:
        # The Boxed keeps the object, so no other gets its id as long as the key is used.
        return Boxed(value, (kind, id(value)))
    return value


def thaw(frozen, operands=_NOTHING) -> Any:
    """The value that `freeze` made ``frozen`` of, with the next ``operands`` in the holes."""
    if isinstance(frozen, Hole):
        return frozen.fill(next(operands))
    kind = type(frozen)
    if kind is tuple:
        return tuple([thaw(item, operands) for item in frozen])
    if kind is Boxed:
        return frozen.value
    if kind is Container:
        container, items = frozen.value, frozen.key[1]
        if isinstance(container, dict):
            copied = copy.copy(container)
            for k, v in items:
                copied[thaw(k)] = thaw(v, operands)
            return copied
        values = [thaw(item, operands) for item in items]
        if container is slice:
            return slice(*values)
        return container(*values) if hasattr(container, "_fields") else container(values)
    return frozen.made(operands) if kind is Derived else frozen
