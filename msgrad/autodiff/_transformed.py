"""The base of the functions made by `grad`, `GradOperation`, `jacfwd`, `jacrev` and `vmap`."""

from ..engine.calls import staging
from ..engine.execution import execute
from ..tensor.arrays import FREE, all_taken
from .mode_rules import is_function


class Transformed:
    """A function made from ``fn``: a subclass gives `transform`, which records ``fn`` at the arguments of a call."""

    def __init__(self, fn):
        self.fn = fn
        self.is_function = is_function(fn)  # once, not at each call; the call refuses what is not callable
        self.memo = staging.Memo()
        self.site = execute.site_of(fn)
        self.__name__ = self.site[0]

    def run(self, *args, **kwargs):
        """Calls `transform`; as a staged call in GRAPH_MODE."""
        if not FREE.issuperset(map(type, args)):
            args = all_taken(args)
        if staging.Policy.staged:
            return staging.call(self.transform, args, kwargs, self.__name__, self.memo)
        return self.transform(*args, **kwargs)

    def transform(self, *args, **kwargs):
        """Records ``fn`` and returns its transform at the arguments; for subclasses."""
        raise NotImplementedError
