"""JAX's options while msgrad traces, compiles and launches: in scope, so that those of the user's own code stay.

A new thread and the code between two operations have the user's options. What an executable that was compiled ahead
computes does not depend on any, so it is launched without a scope (`compiled_code`).
"""

import collections
import functools
import operator
import threading
from typing import Any

import jax

from ._jax_private import (
    DEVICE,
    EXPLICIT,
    EXPLICIT_ALLOWED,
    PRECISION,
    PROMOTION,
    PROMOTION_STANDARD,
    RANKS,
    TRACEBACKS,
    X64,
    scope_rules,
)

NAME = "msgrad_program"  # of functions that JAX compiles for msgrad, also as part of a program of the user's

# The options that msgrad sets in scope, and those that it does not depend on; `stable_key` leaves them out.
SCOPED = (
    *("jax_enable_x64", "jax_explicit_x64_dtypes", "jax_traceback_filtering"),
    *("jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_default_matmul_precision"),
    *("jax_compilation_cache_dir", "jax_persistent_cache_min_compile_time_secs"),
    "jax_persistent_cache_min_entry_size_bytes",
)

_call: Any = operator.call
config: Any = jax.config  # to a type checker it has no options
exhaust = collections.deque(maxlen=0).extend
_x64, _set_x64 = X64.get_local, X64.set_local


class _Thread(threading.local):
    """Whether what this thread compiles now is msgrad's: see `compiled_code`."""

    is_own = False


_thread = _Thread()


class Device:
    """The device that the program has chosen (`jax.Device`); None: JAX's default one."""

    chosen = None


def is_own():
    """Whether this thread is within msgrad's options."""
    return _thread.is_own


def launched(fn, *operands):
    """``fn(*operands)``, a function of ``jax.jit`` or of other JAX code, within msgrad's options."""
    # Written out, since it is there for each launch: 0.3 us, of which a `with` statement would take 1. Nothing is set
    # before `try`, since Python may raise KeyboardInterrupt after each call.
    around, x64, chosen = _thread.is_own, _x64(), Device.chosen
    device = None if chosen is None else DEVICE.get_local()
    try:
        _thread.is_own = True
        _set_x64(True)
        if chosen is not None:
            DEVICE.set_local(chosen)
        return fn(*operands)
    finally:
        _thread.is_own = around
        _set_x64(x64)
        if chosen is not None:
            DEVICE.set_local(device)


def spec(shape, dtype):
    """A ``jax.ShapeDtypeStruct``, which JAX 0.12 makes one of 32 bits outside of msgrad's options."""
    return launched(jax.ShapeDtypeStruct, shape, dtype)


def switches():
    """Two iterators: to exhaust the first sets msgrad's options, the second restores what they were.

    `exhaust` does so in C, and an interrupt cannot come between, as it can in the methods of a context.
    """
    options = [(X64, True)] if Device.chosen is None else [(X64, True), (DEVICE, Device.chosen)]
    setters = [functools.partial(setattr, _thread, "is_own"), *[option.set_local for option, _ in options]]
    own = [True, *[value for _, value in options]]
    before = [_thread.is_own, *[option.get_local() for option, _ in options]]
    return map(_call, setters, own), map(_call, setters, before)


class Launching:
    """Context within msgrad's options: as `launched`, for several statements."""

    __slots__ = ("before", "around")
    options, is_own = ((X64, True),), True

    def __enter__(self):
        options = self.options if Device.chosen is None else (*self.options, (DEVICE, Device.chosen))
        self.before, self.around = [(option, option.get_local()) for option, _ in options], _thread.is_own
        try:
            _thread.is_own = self.is_own
            for option, value in options:
                option.set_local(value)
        except BaseException:  # KeyboardInterrupt, after which `with` does not call `__exit__`
            self.__exit__()
            raise

    def __exit__(self, *error):
        _thread.is_own = self.around
        for option, value in self.before:
            option.set_local(value)


class Tracing(Launching):
    """Context within msgrad's options, also those that matter to tracing alone.

    One of JAX's modes for tracebacks wherever it runs, by which `errors` tells a check of ours from one of JAX's (by
    itself JAX 0.10.2 takes another under IPython), and promotion as operations are written for.
    """

    __slots__ = ()
    options = (
        *Launching.options,
        (TRACEBACKS, "quiet_remove_frames"),
        (PROMOTION, PROMOTION_STANDARD),
        (RANKS, "allow"),
    )


class Users(Launching):
    """Context with options of the user's, for JAX code of the user's that runs while msgrad traces.

    Values that have 64 bits keep them, whatever the options are: they are Tensors'.

    Args:
        values (tuple): what `users` gave.
    """

    __slots__ = ("values",)
    is_own = False

    def __init__(self, values):
        self.values = values

    @property
    def options(self):
        return (EXPLICIT, EXPLICIT_ALLOWED), *zip(_USERS, self.values, strict=True)


_USERS = X64, PROMOTION, RANKS, PRECISION


def users():
    """The user's values of the options that msgrad sets, where this is called (tuple)."""
    return tuple([option.value for option in _USERS])


scope_rules(NAME, Tracing)
