"""Single operations, compiled for each combination of shapes and dtypes, or run by NumPy (`tiers`)."""

from typing import Any

from .. import errors
from ..precision import compiler_options, saying
from . import tiers
from .executables import executable_of
from .op_traces import trace_of

_MOST_SHAPES = 4096  # of one operation that are remembered


class Operation:
    """An operation with its static arguments, as a function of concrete arrays (or JAX tracers, which pass through)."""

    latest: Any

    __slots__ = ("op", "static", "precision", "fn", "executables", "latest")

    def __init__(self, op, static, precision):
        self.op, self.static, self.precision, self.fn = op, static, precision, saying(op.bind(static), precision)
        self.executables = {}  # by shapes and dtypes
        self.latest = None, None  # JAX's avals of the last operands, and their executable

    def __call__(self, *arrays):
        avals = []
        for array in arrays:
            avals.append(getattr(array, "aval", None))  # a random key is NumPy's
        # Mostly the same objects, which a list compares first: an executable gives its results the same avals.
        last_avals, executable = self.latest
        if avals != last_avals:
            shapes = _shapes(arrays)
            executable = self.executables.get(shapes) or self._executable(shapes)
            if None not in avals:
                self.latest = avals, executable
        try:
            return executable(*arrays)
        except errors.RESTATED:
            with errors.of_op(self.op.name, _shapes(arrays)):
                raise

    def _executable(self, shapes):
        if len(self.executables) >= _MOST_SHAPES:
            self.executables.clear()
        if self.op.collective is None:
            key_parts = self.op, self.static, tuple(self.precision)
            plan = lambda *_: self._plan(shapes)  # noqa: E731
            executable = executable_of(self.fn, key_parts, plan=plan, is_global=self.op.is_global)
            executable.options = compiler_options(self.precision, shapes)
            executable.owner = self.op.name
        else:
            executable = self.op.executable(self.fn)
        self.executables[shapes] = executable
        return executable

    def _plan(self, shapes):
        return tiers.OperationPlan(trace_of(self.op, self.static, shapes, self.precision))


def _shapes(arrays):
    return tuple([(array.shape, array.dtype) for array in arrays])
