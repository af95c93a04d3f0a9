"""What a network consists of: `summary` is a table of the Cells that a call runs, `graph` a picture of it."""

from .picture import Picture, graph
from .summarizing import Summary, summary

__all__ = ["Picture", "Summary", "graph", "summary"]
