"""Collectives under guard: the processes compare what they are about to run, and a launch that fails says why."""

import contextlib
import json
import threading
import time
from typing import Any

import jax

from . import affinity
from .causes import awaited_cause, cause_of, where_others_wait
from .peers import (
    GRACE,
    LONG,
    MSG_DIFFERENT,
    MSG_OTHER,
    MSG_WAITS,
    Mark,
    Peers,
    fail,
    fail_for,
    get_value,
    position,
    set_value,
    values_in,
)

_BLOCK = 64  # collectives whose announcements are deleted together
_MSG_NUMBERED = "rank {} is in {}, its collective {}"
_MSG_TIMEOUT = "the others did not come within {} s"
_MSG_LOST = "a process of the group is gone"
_MSG_SIZES = "All processes must have the same number of them, but {} in rank {}, and rank 0 expects {}."

LOCK = threading.RLock()  # held by the thread whose collectives are under way


def compare_sizes(variable):
    """Compares the number of processes, which an environment ``variable`` says, with that of rank 0.

    Raises:
        CollectiveError: if it is another one.
    """
    world = Peers.world
    if world.rank == 0:
        set_value("size", str(world.size))
    elif (expected := get_value("size", world.patience)) not in (None, str(world.size)):
        fail(_MSG_SIZES.format(variable, world.rank, expected))


def exchanged(group, name, value):
    """All-gather of one str for each member of a group, in order; all members must call it.

    Raises:
        CollectiveError: if one of them fails before.
    """
    folder, own = f"x/{group.key}/{group.exchanges}", Peers.world.rank
    set_value(f"{folder}/{own}", value)
    mark = Mark(name, (), "", None)
    values = [value if rank == own else _waited(f"{folder}/{rank}", group, mark) for rank in group.members]
    group.exchanges += 1
    return values


def _waited(key, group, mark):
    """Waits for the value of a key that another member sets."""
    with _under_way(group, mark):
        while (value := get_value(key, LONG)) is None:
            _check_cause(group, mark)
        return value


def agree(group, marks):
    """Compares the collectives about to run with those of the other members, if one is of a new kind.

    Args:
        group (Group): whose they are.
        marks (list of Mark): in order.
    Raises:
        CollectiveError: if another process is about to run others.
    """
    new = [mark for mark in marks if mark.key not in group.seen]
    if not new:
        return
    number, rank = group.count, Peers.world.rank
    set_value(
        f"c/{group.key}/{number // _BLOCK}/{number}/{rank}", json.dumps([[*mark.key, mark.line] for mark in marks])
    )
    # All compare with the first member, and that with the second: so that it takes no longer for many.
    other = group.members[0] if group.rank else group.members[1]
    for mine, theirs in zip(marks, _announced(group, number, other, marks[0]), strict=False):
        if mine.key != theirs.key:
            fail(MSG_DIFFERENT.format(MSG_OTHER.format(rank, mine), MSG_OTHER.format(other, theirs)))
    group.seen.update([mark.key for mark in new])
    if number % _BLOCK == 0 and number >= 2 * _BLOCK and group.rank == 0:
        Peers.world.store.delete(f"c/{group.key}/{number // _BLOCK - 2}")


def differ(group, mark, number):
    """Raises for a collective, the one of this ``number``, that is another one in another member.

    Raises:
        CollectiveError: always.
    """
    rank, folder, end = Peers.world.rank, f"differ/{group.key}/{number}", time.monotonic() + GRACE
    set_value(f"{folder}/{rank}", json.dumps([*mark.key, mark.line]))
    mine, silent = _MSG_NUMBERED.format(rank, mark, number), None
    for other in group.members:
        text = get_value(f"{folder}/{other}", max(end - time.monotonic(), 0.01))
        theirs = None if text is None else Mark(*json.loads(text))
        if theirs is None:
            silent = other if silent is None else silent
        elif theirs.key != mark.key:
            fail(MSG_DIFFERENT.format(mine, _MSG_NUMBERED.format(other, theirs, number)))
    fail(MSG_DIFFERENT.format(mine, f"rank {silent} is not"))


def _announced(group, number, other, mark):
    """The announced marks of another member, from this number on."""
    key = f"c/{group.key}/{number // _BLOCK}/{number}/{other}"
    with _under_way(group, mark):
        while (text := get_value(key, LONG)) is None:
            _check_cause(group, mark)
            place = values_in("at").get(other)
            if place is not None:  # it waits in what was not new to it
                key_of, count, *described = json.loads(place)
                if key_of == group.key and count == position(group):
                    return [Mark(*described)]
    return [Mark(*described) for described in json.loads(text)]


def _check_cause(group, mark):
    """Raises if what this process waits for cannot happen any more, or has timed out."""
    waits, place = MSG_WAITS.format(Peers.world.rank, mark), position(group)
    cause = cause_of(group, place)
    if cause:
        fail_for(waits, cause)
    seconds = time.monotonic() - Peers.running[3]
    if seconds > Peers.world.patience:
        fail(f"{waits}; {where_others_wait(group, place) or _MSG_TIMEOUT.format(int(seconds))}.")


@contextlib.contextmanager
def _under_way(group, mark):
    around = Peers.running
    Peers.running = group, position(group), mark, time.monotonic()
    try:
        yield
    finally:
        Peers.running = around


def run(group, marks, fn, operands) -> Any:
    """Runs ``fn(*operands)``, a launch of the collectives ``marks``, and restates their errors; returns its results.

    Raises:
        CollectiveError: if another process does not take part.
    """
    # Not by a context manager, whose calls take 8 us.
    around, begun = Peers.running, time.monotonic()
    if marks:
        Peers.running = group, position(group), marks[0], begun
        affinity.note_launch(begun, Peers.world.local_rank, Peers.world.local_size)
    try:
        try:
            results = fn(*operands)
        except (jax.errors.JaxRuntimeError, ValueError) as error:  # ValueError where the calling thread itself runs it
            text = str(error)
            is_of_gloo = "Gloo" in text or isinstance(error, jax.errors.JaxRuntimeError)
            if not marks or "RESOURCE_EXHAUSTED" in text or not is_of_gloo:
                raise
        else:
            group.count += len(marks)
            return results
        seconds = time.monotonic() - begun
        place = position(group)
        cause = awaited_cause(group, place + len(marks) - 1)
    finally:
        Peers.running = around
    rest = f", the first of {len(marks)}" if len(marks) > 1 else ""
    waits = f"{MSG_WAITS.format(Peers.world.rank, marks[0])}{rest}"
    if cause:
        fail_for(waits, cause)
    reason = _MSG_TIMEOUT.format(int(seconds)) if "imed out" in text else _MSG_LOST
    elsewhere = where_others_wait(group, place)
    fail(f"{waits}; {elsewhere or reason}. (The device says: {text.splitlines()[0][:200]})")
