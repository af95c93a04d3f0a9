"""CPython's count of the references to an object, and its collector of what only a cycle refers to."""

import contextlib
import gc
import sys


def references(items, position):
    """Number of references to ``items[position]``, besides the list's own."""
    return sys.getrefcount(items[position]) - _OWN


class _Probe:
    __slots__ = ()


# Measured with the same expression: the list's reference and the call's, which not every version of CPython counts.
_OWN = 0
_OWN = references([_Probe()], 0)


@contextlib.contextmanager
def collector_postponed():
    """Postpones the collector in a block that makes thousands of objects and no garbage, as tracing and compiling do.

    They count as one step towards the next scan of all objects, which takes 0.15 s beside JAX: an epoch of texts of 100
    lengths has two in place of six, and takes 7 % less of the processor's time.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
