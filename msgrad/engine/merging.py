"""Which call does a gradient repeat? In a graph, a call of a network and the gradient of it that follows are one run.

MindSpore's compiler merges ``loss = net(x)`` with ``grad(net, weights)(x)``: what the network writes, statistics and
counters, is written once. Here the gradient records the network again, starting from what the call found.
"""

from .handle import Handle, scope


class Calls:
    """The calls in a staged recording that wrote something."""

    __slots__ = ("_log", "_calls")

    def __init__(self):
        self.forget()

    def forget(self):
        """Starts anew: what was recorded has run."""
        self._log = []  # each write: the handle, and what `Handle.recorded` said before
        self._calls = {}  # of each callee, by its id: it, and the calls since its last gradient

    def log(self, handle):
        """Notes that ``handle`` is about to be written to."""
        self._log.append((handle, handle.recorded()))

    def run(self, fn, callee, args, kwargs):
        """``fn(*args, **kwargs)``, a call of ``callee``."""
        log, begin = self._log, len(self._log)
        at = _at(args, kwargs)
        result = fn(*args, **kwargs)
        writes = log[begin:]
        if writes and log is self._log:
            _, calls = self._calls.setdefault(id(callee), (callee, []))
            calls.append((at, writes, [handle.state() for handle, _ in writes]))  # the last: as the call left them
        return result

    def take_back(self, callee, args, kwargs):
        """Undoes what ``callee`` wrote, if it was called once, at these arguments, and nothing was written since."""
        _, calls = self._calls.pop(id(callee), (None, ()))
        if len(calls) != 1:
            return
        at, writes, after = calls[0]
        is_changed = [handle.state() is not state for (handle, _), state in zip(writes, after, strict=True)]
        if _is_same(at, _at(args, kwargs)) and not any(is_changed):
            for handle, before in reversed(writes):
                handle.set_recorded(before)


def merge(fn, args, kwargs):
    """Says that a gradient of ``fn`` at these arguments is about to be recorded."""
    if scope.trace is not None and scope.trace.calls is not None:
        scope.trace.calls.take_back(fn, args, kwargs)


def _at(args, kwargs):
    values = [*args, *kwargs, *kwargs.values()]
    return [value.state() if isinstance(value, Handle) else value for value in values]


def _is_same(left, right):
    return len(left) == len(right) and all([a is b for a, b in zip(left, right, strict=True)])
