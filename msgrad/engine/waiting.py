"""Waiting for a value: a host read polls for it where that has paid, and otherwise sleeps at once."""

from typing import Any

try:
    import resource
except ImportError:  # on Windows
    resource: Any = None

# How often a wait asks whether its value is ready before it sleeps, for 370 us. The system takes about as long to wake
# a sleeping thread as to run a small program: by asking, a step of the smallest benchmark takes 58 us instead of 100,
# one of the next 198 instead of 267.
_POLLS = 2000
# Waits without polling after one in which it did not pay, twice as many each time. It does not where a program takes
# longer, nor where the processors are busy: a thread that asks then takes the place of those that compute. Beside two
# busy loops on two cores a step took a median of 1.07 ms with polling, 0.61 without, and 0.61 with this rule.
_MOST_SKIPPED = 255


class Polling:
    """How many of the next waits do not poll, and how many did not after the last one that was in vain."""

    left = skipped = 0


def wait(array):
    """Waits until ``array`` (a ``jax.Array``) is computed.

    Raises:
        the device's error, if there was one.
    """
    is_ready = array.is_ready
    if not is_ready():
        if Polling.left > 0:
            Polling.left -= 1
        else:
            _poll(is_ready)
    array.block_until_ready()


def _poll(is_ready):
    """Asks for some time, and notes whether the value came and no other thread needed the processor."""
    before = _interruptions()
    for _ in range(_POLLS):
        if is_ready():
            if _interruptions() == before:
                Polling.skipped = 0
                return
            break
    Polling.skipped = Polling.left = min(2 * Polling.skipped + 1, _MOST_SKIPPED)


def _interruptions():
    """How often the system has taken the processor from this thread for another one; 0 where it does not say."""
    which = getattr(resource, "RUSAGE_THREAD", None)  # Linux has it
    return 0 if which is None else resource.getrusage(which).ru_nivcsw
