"""Constants: ``_no_grad`` and ``stop_gradient``."""

import contextlib
import functools
import threading
from typing import Any

from ..engine.calls.staging import Policy
from ..engine.handle import scope
from ..engine.recording import record
from ..engine.transforms import chain
from ..engine.transforms.transform import Stopped

_MSG_OPEN = "For 'set_enable_grad', a `with mindspore._no_grad()` block is open: gradients are enabled when it ends."


class _State(threading.local):
    depth = 0  # number of this thread's open _no_grad blocks outside any recording
    inside = 0  # number of its open _no_grad blocks in recordings
    switched: Any = None  # the blocks that `set_enabled` opened


_state = _State()


class _no_grad:
    """Values computed inside are constants: no gradient flows into them. A context manager and a decorator.

    Example:
        >>> def f(x):
        ...     with ms._no_grad():
        ...         c = x * x
        ...     return x - c
        >>> ms.grad(f)(Tensor([3.0])).tolist()
        [1.0]
    Source: mindspore._no_grad, mindspore.graph.api._no_grad
    """

    def __init__(self):
        self._parts = []  # the part of the recording that each `with` opened, None outside recordings

    def __enter__(self):
        part = record.part("no_grad", opaque=True) if scope.trace is not None else None
        self._parts.append(part)
        if part is None:
            _state.depth += 1
        else:
            part.__enter__()
            _state.inside += 1
        return self

    def __exit__(self, kind, error, traceback):
        part = self._parts.pop()
        if part is None:
            _state.depth -= 1
            return False
        _state.inside -= 1
        trace = part.trace
        if kind is not None or not part.is_open():
            return part.__exit__(kind or RuntimeError, error, traceback)
        if chain.is_wanted(trace):
            part.__exit__(None, None, None)
            chain.Chain(trace, ()).stop()
            return False
        trace.join()
        op = Stopped.of(trace.step, trace.live_indices())
        part.__exit__(None, None, None)
        record.emit(trace, op)
        return False

    def __call__(self, fn):
        @functools.wraps(fn)
        def constant(*args, **kwargs):
            with _no_grad():
                return fn(*args, **kwargs)

        return constant


@contextlib.contextmanager
def ignored():
    """Allows gradients inside an outer ``_no_grad`` block, as ``torch.func`` does."""
    depth, _state.depth = _state.depth, 0
    try:
        yield
    finally:
        _state.depth = depth


def refuse(message):
    """Raises RuntimeError for a gradient taken inside an outer ``_no_grad`` block in PYNATIVE_MODE."""
    if _state.depth and not Policy.staged:
        raise RuntimeError(message)


def is_enabled():
    """Whether no ``_no_grad`` block is open in this thread."""
    return not _state.depth and not _state.inside


def set_enabled(flag):
    """Opens a ``_no_grad`` block, unless one is open, or closes the one that this function opened last.

    Raises:
        RuntimeError: if gradients are to be enabled in a block that a ``with`` has opened.
    """
    switched = _state.switched = _state.switched or []
    if flag and switched:
        switched.pop().__exit__(None, None, None)
    elif flag and not is_enabled():
        raise RuntimeError(_MSG_OPEN)
    elif not flag and is_enabled():
        switched.append(_no_grad().__enter__())
