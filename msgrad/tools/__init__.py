"""The commands, one per file: ``main`` takes the arguments, and returns the exit status or an error text.

And two functions: `summary` and `graph` show what a network consists of.
"""

from .._names.on_demand import OnDemand

_ON_DEMAND = OnDemand(__name__, {"structure": "graph summary"})
__getattr__, __dir__ = _ON_DEMAND.get, _ON_DEMAND.dir
__all__ = ["graph", "summary"]
