"""Fusion: several recorded operations become one that computes the same with less memory or in less time.

A rule begins at an operation, which names the module of the rule; `rewriting` applies it. ``MSGRAD_FUSE=off`` and
``set_deterministic(True)`` turn the rules off for all programs that are compiled later.
"""

import contextlib
import functools
import importlib
import os
import threading

FUSED = os.environ.get("MSGRAD_FUSE", "").lower() not in ("off", "0")

# By operation: the module whose ``recognised`` takes one of its Nodes and the `Graph` around it, and gives a `Match` or
# None. It is imported when a program is rewritten that contains the operation.
MODULES = {}


class Fusion:
    """Whether programs are rewritten; the keys of entries on disk contain it."""

    allowed = FUSED


def rule_of(op):
    """The rule that begins at ``op``."""
    return importlib.import_module(MODULES[op]).recognised


class _Thread(threading.local):
    kernels = True


_thread = _Thread()


def takes_kernels():
    """Whether what is traced now may be a kernel, which JAX differentiates in reverse mode alone."""
    return _thread.kernels


@contextlib.contextmanager
def _without_kernels():
    before, _thread.kernels = _thread.kernels, False
    try:
        yield
    finally:
        _thread.kernels = before


def without_kernels(function):
    """Decorates a transformation of JAX's that kernels do not pass: forward mode, and ``vmap``."""

    @functools.wraps(function)
    def wrapped(*args):
        with _without_kernels():
            return function(*args)

    return wrapped
