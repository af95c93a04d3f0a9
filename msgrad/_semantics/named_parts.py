"""In a graph, a part with a name is a Tensor of its own: ``x[0][0] = v`` changes ``x``, and ``y = x[0]; y[0] = v`` not.

MindSpore's compiler sees which of the two is written. Here both are the same two operations, one after the other, so
that nothing in the recording tells them apart: only CPython's count of the references to the part does.
"""

import sys


def has_name(part):
    """Whether anything but the expression that is evaluated refers to ``part``, whose ``__setitem__`` calls this."""
    return sys.getrefcount(part) > _UNNAMED or _is_lent(sys._getframe(2), part)


def _is_lent(frame, part):
    """Whether a local variable of ``frame`` is ``part`` without being counted as a reference (Python 3.14)."""
    return sys.version_info >= (3, 14) and any(value is part for value in frame.f_locals.values())


class _Counted:
    """Measures the count that `has_name` sees for an object that only an expression refers to."""

    def __setitem__(self, index, value):
        value.append(_count(self))


def _count(part):
    return sys.getrefcount(part)


def _unnamed_count():
    counts = []
    _Counted()[0] = counts
    return counts[0]


_UNNAMED = _unnamed_count()
