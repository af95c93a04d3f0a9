"""``msgrad check``: what of a code base runs here, from its syntax trees."""

from .command import USAGE, main

__all__ = ["USAGE", "main"]
