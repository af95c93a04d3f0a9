"""What a network consists of: `summary` is a table of the Cells that a call runs, `graph` a picture of it."""

from .picture import graph
from .summarizing import summary

__all__ = ["graph", "summary"]
