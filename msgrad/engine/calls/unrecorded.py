"""Calls that run operation by operation, unrecorded: those of few operations, which NumPy computes at once (`at_once`).

Recording a call and launching its program take 12 to 25 us, whatever it computes. NumPy has a small layer's result in 3.
So after some calls whose operations were all such, the next ones are not recorded, until something must be launched.
As with speculative launches, whether a call is recorded depends on the calls before it alone, never on time.
"""

from .. import foreign_tracing, observation
from ..execution import at_once, execute
from ..handle import scope, undo

_LEAST_CALLS = 2  # that NumPy could have computed at once before one is not recorded
_MOST_CALLS = 256  # the same after calls that had to launch something, each of which doubles the number


class History:
    """What is known of the calls of one function.

    Attributes:
        calls (int): how many calls in succession NumPy could have computed at once.
        patience (int): how many it takes until one is not recorded.
    """

    __slots__ = ("calls", "patience")

    def __init__(self):
        self.calls, self.patience = 0, _LEAST_CALLS

    def note(self, trace):
        """Notes a call that was recorded as ``trace``."""
        self.calls = self.calls + 1 if _is_at_once(trace) else 0

    def is_sure(self):
        """Whether the next call need not be recorded."""
        if self.calls < self.patience:
            return False
        # A tool observes launches, and the user's own transforms trace them.
        return observation.observer is None and not foreign_tracing.is_under_way()

    def call(self, fn, args, kwargs):
        """Calls ``fn`` unrecorded. An error undoes its writes, as one in a recording does."""
        before, scope.undo = execute.launches(), []
        try:
            result = fn(*args, **kwargs)
        except BaseException:
            undo(scope.undo)
            raise
        finally:
            written, scope.undo = scope.undo, None
        if written or execute.launches() != before:
            self.calls, self.patience = 0, min(2 * self.patience, _MOST_CALLS)
        return result


def _is_at_once(trace):
    """Whether NumPy could have computed a recorded call at once: without host reads, writes and random numbers."""
    program = trace.launched
    if program is None or trace.has_host_read or trace.writes:
        return False
    if program.is_at_once is None:
        program.is_at_once = at_once.takes(program)
    return program.is_at_once
