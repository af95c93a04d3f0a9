"""``msgrad plan``: the memory, time and faults of an unmodified program on an accelerator that is not here."""

from .command import main

__all__ = ["main"]
