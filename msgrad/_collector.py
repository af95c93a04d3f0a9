"""Imports most of msgrad, and JAX, with Python's garbage collector disabled.

Imports make 100 000 objects and no garbage. The collector would scan them again and again, for 0.1 s of the 0.6 s of
processor time that ``import jax`` takes.
"""

import contextlib
import gc


@contextlib.contextmanager
def disabled():
    """Disables the collector in a block; afterwards the objects made there are in the oldest generation."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # else the program has frozen objects, which stay so
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


with disabled():
    from . import alias, context, nn, ops  # noqa: F401
