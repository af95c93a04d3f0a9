"""``mindspore.rewrite``: rewriting the source of networks, which is not supported."""

import sys

from ...ops.legacy.left_out import leave_out

_SOURCE = (
    "it parses and writes the source of a network, which msgrad never reads",
    "Set the attribute: net.layer = another, or make a subclass with another construct.",
)
_LEFT_OUT = [
    ("Node(node)", _SOURCE),
    ("NodeType(value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None)", _SOURCE),
    ("ScopedValue(arg_type, scope='', value=None)", _SOURCE),
    ("SymbolTree(handler)", _SOURCE),
    ("ValueType(value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None)", _SOURCE),
]

__all__ = leave_out(sys.modules[__name__], "rewrite", _LEFT_OUT)


class _Base:
    """The base of unsupported classes that programs subclass: subclasses can be defined, and raise when instantiated.

    Raises:
        NotImplementedError: when an object is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            f"'rewrite.{type(self).__mro__[-3].__name__}' is left out of msgrad: {' '.join(_WHY)}"
        )


_WHY = f"{_SOURCE[0]}.", _SOURCE[1]


class PatternEngine(_Base):
    """Finds patterns of layers in the source of a network."""


class PatternNode(_Base):
    """A layer in a pattern."""


class VarNode(_Base):
    """Any value in a pattern."""


class Replacement(_Base):
    """A replacement for a matched pattern."""


class _Namespace:
    """``rewrite.common.namespace``: the classes that are not rewritten; no class is."""

    _subtree_black_list = []


namespace = _Namespace
