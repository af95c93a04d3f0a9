"""Constants: ``_no_grad`` and ``stop_gradient``."""

import contextlib
import functools

from ..engine import record
from ..engine.handle import scope
from ..engine.staging import Policy
from ..engine.transform import Stopped


class _State:
    depth = 0  # of _no_grad blocks open outside any recording


class _no_grad:
    """What is computed inside is a constant: no gradient flows into it. A context manager and a decorator.

    Example:
        >>> def f(x):
        ...     with ms._no_grad():
        ...         c = x * x
        ...     return x - c
        >>> ms.grad(f)(Tensor([3.0])).tolist()
        [1.0]
    Source: mindspore._no_grad, mindspore.graph.api._no_grad
    """

    def __enter__(self):
        self._part = record.part("no_grad") if scope.trace is not None else None
        if self._part is None:
            _State.depth += 1
        else:
            self._trace = self._part.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        if self._part is None:
            _State.depth -= 1
            return False
        if kind is not None:
            return self._part.__exit__(kind, error, trace)
        keep = tuple([promise.index for promise in self._trace.live()])
        op = Stopped.of(self._trace.step, keep)
        self._part.__exit__(None, None, None)
        record.emit(self._trace, op)
        return False

    def __call__(self, fn):
        @functools.wraps(fn)
        def constant(*args, **kwargs):
            with _no_grad():
                return fn(*args, **kwargs)

        return constant


@contextlib.contextmanager
def ignored():
    """Lets gradients be asked for inside an outer ``_no_grad`` block, as ``torch.func`` does."""
    depth, _State.depth = _State.depth, 0
    try:
        yield
    finally:
        _State.depth = depth


def refuse(message):
    """Raises RuntimeError when PYNATIVE_MODE is asked for a gradient inside an outer ``_no_grad`` block."""
    if _State.depth and not Policy.staged:
        raise RuntimeError(message)
