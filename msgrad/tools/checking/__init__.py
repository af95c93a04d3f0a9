"""``msgrad check``: which names of a code base msgrad has, found from its syntax trees."""

from .command import main

__all__ = ["main"]
