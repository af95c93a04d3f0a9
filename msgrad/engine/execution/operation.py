"""Single operations: NumPy runs them at some shapes until that has taken as long as XLA takes to compile one."""

from .. import errors
from . import tiers
from .executables import Executable
from .op_traces import trace_of

_MOST_SHAPES = 4096  # of one operation that are remembered


def _spread(op, static):
    from ..processes.spreading import Spread  # which only programs with collectives pay for

    return Spread(op.bind(static), op.collective, is_single=True)


class Operation:
    """An operation with its static arguments, as a function of concrete arrays (or JAX tracers, which pass through)."""

    __slots__ = ("op", "static", "executable", "trials")

    def __init__(self, op, static):
        self.op, self.static = op, static
        self.executable = Executable(op.bind(static)) if op.collective is None else _spread(op, static)
        self.trials = {}  # by shapes and dtypes; None where it is compiled

    def __call__(self, *arrays):
        shapes = ()
        for array in arrays:
            aval = getattr(array, "aval", array)  # a JAX array's properties would ask it too; a random key is NumPy's
            shapes += ((aval.shape, aval.dtype),)
        try:
            if self.trials.get(shapes, self) is not None and self.op.collective is None and tiers.are_on():
                results = self._interpreted(shapes, arrays)
                if results is not None:
                    return results
            return self.executable(*arrays)
        except errors.RESTATED:
            with errors.of_op(self.op.name, shapes):
                raise

    def _interpreted(self, shapes, arrays):
        """The results by NumPy; None where they are to be compiled from now on."""
        trial = self.trials.get(shapes)
        try:
            if trial is None:
                trace = trace_of(self.op, self.static, self.executable.fn, shapes)
                if len(self.trials) >= _MOST_SHAPES:
                    self.trials.clear()
                trial = self.trials[shapes] = tiers.Trial(tiers.OperationPlan(trace))
            return trial.plan().run(arrays)
        except tiers.NotCovered:
            self.trials[shapes] = None
            return None
