"""What this process knows of the others, and what they tell each other beside their collectives.

Through the coordination service's key-value store each process says which collectives it is about to run, before it
runs a new kind (`guard`), where it waits if it waits long, how it failed, and that it has ended (`watcher`). So a
failure of one is an error in all, which names its cause (`causes`).
"""

import contextlib
from typing import Any

import jax

from . import coordination

LONG = 1.0  # seconds of waiting after which a process says where it waits
IDLE = 2.0  # seconds between two signs of life, and between two checks for failures while nothing is waited for
GRACE = 3.0  # seconds in which the main thread may raise the error itself, before the process is ended
LATEST = "latest"  # as the line of a `Mark`: that of the last collective that msgrad itself has called, `Peers.line`
MSG_WAITS = "rank {} waits in {}"
MSG_OTHER = "rank {} is in {}"
MSG_DIFFERENT = "For collectives, all processes must run the same ones in the same order, but {}; {}."


class CollectiveError(RuntimeError):
    """Raised for a collective that cannot complete, because of another process."""


class Peers:
    """The knowledge of this process.

    Attributes:
        world: `world.World`.
        groups (dict): the groups of this process, by key.
        running (tuple): what is under way: group, `position` in it, `Mark`, and since when; None without one.
        cause (str): why the processes fail, once something has.
        is_failed (bool): whether this process has told the others that it failed.
        is_over (bool): whether it has ended.
        line (str): the user's line at which msgrad last called a collective itself, to reduce gradients.
        posted (str): where it last said that it waits.
        signs (dict): the last sign of life of others, and when it was first seen, by rank.
        silence (int): seconds after which one without a new sign is lost.
        last_look (float): when their signs were read last.
        thread (Thread): watches the others.
    """

    world: Any = None
    running: Any = None
    cause: Any = None
    thread: Any = None
    posted: Any = None
    line: Any = None

    is_failed = is_over = False
    groups, signs = {}, {}
    silence, last_look = coordination.SILENCE, 0.0


class Mark:
    """The description of a collective by its process: kind, shape, dtype, and the user's line or `LATEST`."""

    __slots__ = ("label", "shape", "dtype", "key", "_line")

    def __init__(self, label, shape, dtype, line):
        self.label, self.shape, self.dtype, self._line = label, tuple(shape), str(dtype), line
        self.key = self.label, self.shape, self.dtype  # what the processes compare

    @property
    def line(self):
        return Peers.line if self._line == LATEST else self._line

    def __str__(self):
        at = f", {self.line}" if self.line else ""
        return f"{self.label} {self.dtype}{list(self.shape)}{at}" if self.dtype else f"{self.label}{at}"


def set_value(key, value):
    Peers.world.store.set(key, value)


def get_value(key, seconds):
    """The value of a key that another process sets; None if it does not within that time."""
    return Peers.world.store.get(key, seconds)


def values_in(folder):
    """The values that processes have set in a folder, by rank."""
    return Peers.world.store.values_in(folder)


def know(group):
    """Registers a group of this process."""
    Peers.groups[group.key] = group


def position(group):
    """How many collectives and exchanges of objects the group has run, which tells a wait from earlier ones."""
    return group.count + group.exchanges


def fail(sentence):
    """Tells the others why this process fails, and raises it.

    Raises:
        CollectiveError: always.
    """
    tell(sentence)
    raise CollectiveError(sentence)


def fail_for(waits, cause):
    """Raises for a ``cause`` in another process, and tells it the others, who may notice this one's end first."""
    tell(cause)
    raise CollectiveError(f"{waits}; {cause}.")


def tell(sentence):
    if not Peers.is_failed:
        Peers.is_failed = True
        with contextlib.suppress(jax.errors.JaxRuntimeError):
            set_value(f"failed/{Peers.world.rank}", sentence.rstrip("."))
