"""``mindspore.rewrite``: changing the source of networks, which is left out."""

import sys

from ..ops.legacy.left_out import leave_out

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
