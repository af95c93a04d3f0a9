"""When a plan is complete: after some training steps, some seconds, or reads of values that only a run would give."""

import contextlib
import signal

from ...engine.user_code import place


class PlanComplete(BaseException):
    """Ends the script; no ``except Exception`` of its stops it.

    Args:
        reason (str): why.
        line (str): the user's line, if that is the reason.
    """

    def __init__(self, reason, line=None):
        super().__init__(reason)
        self.reason, self.line = reason, line


class Ending:
    """The limits that end the script.

    Args:
        steps (int): training steps.
        seconds (float): time.
    """

    most_reads = 10_000  # of placeholders at one line between two new programs: a loop that no zero ends

    def __init__(self, steps, seconds):
        self.steps, self.seconds = steps, seconds
        self.reads, self.complete = {}, None

    @contextlib.contextmanager
    def limited(self):
        """The context in which the script runs; Python code that launches nothing is interrupted, too."""
        before = signal.signal(signal.SIGALRM, self._time_out)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            yield self
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _time_out(self, *_):
        line = place()
        self.end(f"{self.seconds:g} seconds have passed" + (f", at {line}" if line else ""))

    def end(self, reason, line=None):
        """Ends the script."""
        self.complete = self.complete or PlanComplete(reason, line)
        raise self.complete

    def check(self):
        """Ends the script again, if something in it has caught what ended it."""
        if self.complete is not None:
            raise self.complete

    def progressed(self):
        """Notes that the script has needed a new program."""
        self.reads.clear()

    def read(self, line):
        """Notes that a line reads a placeholder."""
        self.check()
        self.reads[line] = self.reads.get(line, 0) + 1
        if self.reads[line] > self.most_reads:
            self.end("a loop waits for a value that only a run gives", line)
