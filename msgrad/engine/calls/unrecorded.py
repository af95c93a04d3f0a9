"""Calls that run operation by operation, unrecorded: those that NumPy computes at once (`execution.at_once`).

Recording a call and launching its program take 12 to 25 us on a CPU, and 1 us more for each operation. NumPy has a
small layer's result in 3, and a product of one row by a large matrix as soon as compiled code. So after some calls
whose operations were all such, the next ones are not recorded, until something must be launched. As with speculative
launches, whether a call is recorded depends on the calls before it alone, never on time.
"""

from .. import foreign_tracing, observation
from ..execution import at_once, execute
from ..execution.tiers import Tiers
from ..handle import scope, undo
from ..host import SMALL
from ..interpreter.blas_threads import one_thread

_LEAST_CALLS = 2  # that NumPy could have computed at once before one is not recorded
_MOST_CALLS = 256  # the same after calls that had to launch something, each of which doubles the number


class History:
    """What is known of the calls of one function.

    Attributes:
        calls (int): how many calls in succession NumPy could have computed at once.
        patience (int): how many it takes until one is not recorded.
        is_large (bool): whether they have operands whose products OpenBLAS would share out among threads.
    """

    __slots__ = ("calls", "patience", "is_large")

    def __init__(self):
        self.calls, self.patience, self.is_large = 0, _LEAST_CALLS, False

    def note(self, trace):
        """Notes a call that was recorded as ``trace``, and has run."""
        # Several programs: a host read came between.
        if len(trace.launched) != 1 or trace.writes or trace.is_asked:
            self.calls = 0
            return
        (program,) = trace.launched
        if program.is_at_once is None:
            program.is_at_once = at_once.takes(program)
        self.calls = self.calls + 1 if program.is_at_once else 0
        self.is_large = program.largest_leaf > SMALL

    def is_sure(self):
        """Whether the next call need not be recorded, after ``patience`` calls."""
        # A tool observes launches, and the user's own transforms trace them.
        return Tiers.allowed and observation.observer is None and not foreign_tracing.is_under_way()

    def call(self, fn, args, kwargs):
        """Calls ``fn`` unrecorded. An error undoes its writes, as one in a recording does."""
        before = execute.launches()
        scope.unrecorded = written = []
        try:
            result = _in_one_thread(fn, args, kwargs) if self.is_large else fn(*args, **kwargs)
        except BaseException:
            undo(written)
            raise
        finally:
            scope.unrecorded = None
        if written or execute.launches() != before:
            self.calls, self.patience = 0, min(2 * self.patience, _MOST_CALLS)
        else:
            self.patience = _LEAST_CALLS
        return result


def _in_one_thread(fn, args, kwargs):
    with one_thread:
        return fn(*args, **kwargs)
