"""Single operations, compiled for each combination of shapes and dtypes, or run by NumPy (`tiers`)."""

from .. import errors
from ..precision import compiler_options, saying
from . import tiers
from .executables import Kind
from .op_traces import trace_of

_MOST_SHAPES = 4096  # of one operation that are remembered


class Operation:
    """An operation with its static arguments, as a function of concrete arrays (or JAX tracers, which pass through)."""

    __slots__ = ("op", "static", "precision", "fn", "executables")

    def __init__(self, op, static, precision):
        self.op, self.static, self.precision, self.fn = op, static, precision, saying(op.bind(static), precision)
        self.executables = {}  # by shapes and dtypes

    def __call__(self, *arrays):
        shapes = ()
        for array in arrays:
            aval = getattr(array, "aval", array)  # a JAX array's properties would ask it too; a random key is NumPy's
            shapes += ((aval.shape, aval.dtype),)
        try:
            return (self.executables.get(shapes) or self._executable(shapes))(*arrays)
        except errors.RESTATED:
            with errors.of_op(self.op.name, shapes):
                raise

    def _executable(self, shapes):
        if len(self.executables) >= _MOST_SHAPES:
            self.executables.clear()
        if self.op.collective is None:
            key_parts = self.op, self.static, tuple(self.precision)
            plan = lambda *_: self._plan(shapes)  # noqa: E731
            executable = Kind.of_programs(self.fn, key_parts, plan=plan, is_global=self.op.is_global)
            executable.options = compiler_options(self.precision, shapes)
            executable.owner = self.op.name
        else:
            executable = self.op.executable(self.fn)
        self.executables[shapes] = executable
        return executable

    def _plan(self, shapes):
        fn = self.op.bind(self.static)  # not `self.fn`: the trace wraps it in `saying` itself
        return tiers.OperationPlan(trace_of(self.op, self.static, fn, shapes, self.precision))
