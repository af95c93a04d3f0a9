"""``mindspore.rewrite``: rewriting the statements of a network; patterns are not supported."""

from ..rewrite.nodes import Node, NodeType, ScopedValue, ValueType
from ..rewrite.symbol_tree import SymbolTree

__all__ = ["Node", "NodeType", "ScopedValue", "SymbolTree", "ValueType"]

_WHY = (
    "it finds patterns in the source of a network.",
    "Use rewrite.SymbolTree, or set the attribute: net.layer = another.",
)


class _Base:
    """The base of unsupported classes that programs subclass: subclasses can be defined, and raise when instantiated.

    Raises:
        NotImplementedError: when an object is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            f"'rewrite.{type(self).__mro__[-3].__name__}' is left out of msgrad: {' '.join(_WHY)}"
        )


class PatternEngine(_Base):
    """Finds patterns of layers in the source of a network."""


class PatternNode(_Base):
    """A layer in a pattern."""


class VarNode(_Base):
    """Any value in a pattern."""


class Replacement(_Base):
    """A replacement for a matched pattern."""
