"""CPython's count of the references to an object in a list."""

import sys


def references(items, position):
    """Number of references to ``items[position]``, besides the list's own."""
    return sys.getrefcount(items[position]) - _OWN


class _Probe:
    __slots__ = ()


# Measured with the same expression: the list's reference and the call's, which not every version of CPython counts.
_OWN = 0
_OWN = references([_Probe()], 0)
