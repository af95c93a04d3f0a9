"""How far a command is: a line on standard error, unless ``MSGRAD_QUIET`` is set."""

from ..engine.execution.status_line import Pace, StatusLine, is_quiet

_SOON = 1.0  # seconds until the first state of a line that is rewritten


class Progress:
    """The line, a context that ends it. It appears after a second where it is rewritten, in a log after 4."""

    def __init__(self, command):
        self._command = command
        self._line = StatusLine()
        self._pace = Pace(_SOON) if self._line.is_in_place() else Pace()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._line.end("")

    def at(self, text, share=None):
        """Shows a state, if it is due; ``share`` is the part that is done, if it is known."""
        if self._pace.is_due(self._line.is_in_place()) and not is_quiet():
            self._line.show(f"msgrad {self._command}: {text}", share)
