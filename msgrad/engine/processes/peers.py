"""Messages between processes beside their collectives, so that a failure of one is an error in all.

Through the coordination service's key-value store each process says which collectives it is about to run (before it
runs a new kind), where it waits if it waits long, how it failed, and that it has ended. A thread watches that; where
the main thread hangs in a collective that can never come about, the thread says why and ends the process.
"""

import contextlib
import json
import os
import select
import sys
import threading
import time
import traceback

import jax

from . import affinity, coordination, launched

_TURN = 0.25  # seconds between two checks of the thread
_LONG = 1.0  # seconds of waiting after which a process says where it waits
_IDLE = 2.0  # seconds between two signs of life, and between two checks for failures while nothing is waited for
_GRACE = 3.0  # seconds in which the main thread may raise the error itself, before the process is ended
_BLOCK = 64  # collectives whose announcements are deleted together

_MSG_WAITS = "rank {} waits in {}"
_MSG_ENDED = "rank {} has ended after {} collectives of these processes, so it never comes"
_MSG_GONE = "rank {} has ended with status 0, but not as Python programs end (os._exit), so it never comes"
_MSG_OTHER = "rank {} is in {}"
_MSG_GROUP = " (group of the ranks {})"
_MSG_SILENT = "rank {} is in no collective"
_MSG_NUMBERED = "rank {} is in {}, its collective {}"
_MSG_TIMEOUT = "the others did not come within {} s"
_MSG_LOST = "a process of the group is gone"
_MSG_DIFFERENT = "For collectives, all processes must run the same ones in the same order, but {}; {}."
_MSG_SIZES = "All processes must have the same number of them, but {} in rank {}, and rank 0 expects {}."
_MSG_LAUNCHER = "the launcher has ended"
_MSG_LAUNCHER_OF = "the launcher of rank {} has ended"
_MSG_LOST_RANK = "rank {} has given no sign of life for {} s (MS_NODE_TIMEOUT): it stands still, or its machine is lost"


LOCK = threading.RLock()  # held by the thread whose collectives are under way


class CollectiveError(RuntimeError):
    """Raised for a collective that cannot complete, because of another process."""


class _Peers:
    """The knowledge of this process.

    Attributes:
        world: `world.World`.
        groups (dict): the groups of this process, by key.
        running (tuple): the collective that is under way: group, number, `Mark`, and since when; None without one.
        cause (str): why the processes fail, once something has.
        is_failed (bool): whether this process has told the others that it failed.
        is_over (bool): whether it has ended.
        posted (str): where it last said that it waits.
        signs (dict): the last sign of life of others, and when it was first seen, by rank.
        silence (int): seconds after which one without a new sign is lost.
        last_look (float): when their signs were read last.
        thread (Thread): watches the others.
    """

    world = running = cause = thread = None
    is_failed = is_over = False
    posted = None
    groups, signs = {}, {}
    silence, last_look = coordination.SILENCE, 0.0


class Mark:
    """The description of a collective by its process: kind, shape, dtype, and the user's line."""

    __slots__ = ("label", "shape", "dtype", "line", "key")

    def __init__(self, label, shape, dtype, line):
        self.label, self.shape, self.dtype, self.line = label, tuple(shape), str(dtype), line
        self.key = self.label, self.shape, self.dtype  # what the processes compare

    def __str__(self):
        at = f", {self.line}" if self.line else ""
        return f"{self.label} {self.dtype}{list(self.shape)}{at}" if self.dtype else f"{self.label}{at}"


# -- the key-value store --------------------------------------------------------------------------------------------


def _set(key, value):
    _Peers.world.client.key_value_set(f"msgrad/{key}", value, allow_overwrite=True)


def _get(key, seconds):
    """The value of a key that another process sets; None if it does not within that time."""
    try:
        return _Peers.world.client.blocking_key_value_get(f"msgrad/{key}", int(seconds * 1000))
    except jax.errors.JaxRuntimeError as error:
        if "DEADLINE_EXCEEDED" in str(error):
            return None
        raise


def _all(folder):
    """The values that processes have set in a folder, by rank."""
    entries = _Peers.world.client.key_value_dir_get(f"msgrad/{folder}/")
    return {int(key.rpartition("/")[2]): value for key, value in entries}


def compare_sizes(variable):
    """Compares the number of processes, which an environment ``variable`` says, with that of rank 0.

    Raises:
        CollectiveError: if it is another one.
    """
    world = _Peers.world
    if world.rank == 0:
        _set("size", str(world.size))
    elif (expected := _get("size", world.patience)) not in (None, str(world.size)):
        fail(_MSG_SIZES.format(variable, world.rank, expected))


def know(group):
    """Registers a group of this process."""
    _Peers.groups[group.key] = group


def exchanged(group, name, value):
    """All-gather of one str for each member of a group, in order; all members must call it.

    Raises:
        CollectiveError: if one of them fails before.
    """
    group.exchanges += 1
    number = group.exchanges
    folder = f"x/{group.key}/{number}"
    _set(f"{folder}/{group.members[group.rank]}", value)
    mark = Mark(name, (), "", None)
    return [value if rank == _Peers.world.rank else _waited(f"{folder}/{rank}", group, mark) for rank in group.members]


def _waited(key, group, mark):
    """Waits for the value of a key that another member sets."""
    with _under_way(group, mark):
        while (value := _get(key, _LONG)) is None:
            _check_cause(group, mark)
        return value


# -- before a collective --------------------------------------------------------------------------------------------


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
    number, rank = group.count, _Peers.world.rank
    _set(f"c/{group.key}/{number // _BLOCK}/{number}/{rank}", json.dumps([[*mark.key, mark.line] for mark in marks]))
    # All compare with the first member, and that with the second: so that it takes no longer for many.
    other = group.members[0] if group.rank else group.members[1]
    for mine, theirs in zip(marks, _announced(group, number, other, marks[0]), strict=False):
        if mine.key != theirs.key:
            fail(_MSG_DIFFERENT.format(_MSG_OTHER.format(rank, mine), _MSG_OTHER.format(other, theirs)))
    group.seen.update([mark.key for mark in new])
    if number % _BLOCK == 0 and number >= 2 * _BLOCK and group.rank == 0:
        _Peers.world.client.key_value_delete(f"msgrad/c/{group.key}/{number // _BLOCK - 2}/")


def differ(group, mark, number):
    """Raises for a collective, the one of this ``number``, that is another one in another member.

    Raises:
        CollectiveError: always.
    """
    rank, folder, end = _Peers.world.rank, f"differ/{group.key}/{number}", time.monotonic() + _GRACE
    _set(f"{folder}/{rank}", json.dumps([*mark.key, mark.line]))
    mine, silent = _MSG_NUMBERED.format(rank, mark, number), None
    for other in group.members:
        text = _get(f"{folder}/{other}", max(end - time.monotonic(), 0.01))
        theirs = None if text is None else Mark(*json.loads(text))
        if theirs is None:
            silent = other if silent is None else silent
        elif theirs.key != mark.key:
            fail(_MSG_DIFFERENT.format(mine, _MSG_NUMBERED.format(other, theirs, number)))
    fail(_MSG_DIFFERENT.format(mine, f"rank {silent} is not"))


def _announced(group, number, other, mark):
    """The announced marks of another member, from this number on."""
    key = f"c/{group.key}/{number // _BLOCK}/{number}/{other}"
    with _under_way(group, mark):
        while (text := _get(key, _LONG)) is None:
            _check_cause(group, mark)
            place = _all("at").get(other)
            if place is not None:  # it waits in what was not new to it
                key_of, count, *described = json.loads(place)
                if key_of == group.key and count == number:
                    return [Mark(*described)]
    return [Mark(*described) for described in json.loads(text)]


def _check_cause(group, mark):
    """Raises if what this process waits for cannot happen any more, or has timed out."""
    waits, cause = _MSG_WAITS.format(_Peers.world.rank, mark), _found_cause(group)
    if cause:
        _raise(waits, cause)
    seconds = time.monotonic() - _Peers.running[3]
    if seconds > _Peers.world.patience:
        fail(f"{waits}; {_where_others_wait(group) or _MSG_TIMEOUT.format(int(seconds))}.")


# -- a collective under way -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _under_way(group, mark):
    around = _Peers.running
    _Peers.running = group, group.count, mark, time.monotonic()
    try:
        yield
    finally:
        _Peers.running = around


def run(group, marks, fn, operands):
    """Runs ``fn(*operands)``, a launch of the collectives ``marks``, and restates their errors; returns its results.

    Raises:
        CollectiveError: if another process does not take part.
    """
    # Not by a context manager, whose calls take 8 us.
    around, begun = _Peers.running, time.monotonic()
    if marks:
        _Peers.running = group, group.count, marks[0], begun
        affinity.note_launch(begun, _Peers.world.local_rank, _Peers.world.local_size)
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
        cause = _awaited_cause(group, len(marks))
    finally:
        _Peers.running = around
    rest = f", the first of {len(marks)}" if len(marks) > 1 else ""
    waits = f"{_MSG_WAITS.format(_Peers.world.rank, marks[0])}{rest}"
    if cause:
        _raise(waits, cause)
    reason = _MSG_TIMEOUT.format(int(seconds)) if "imed out" in text else _MSG_LOST
    elsewhere = _where_others_wait(group)
    fail(f"{waits}; {elsewhere or reason}. (The device says: {text.splitlines()[0][:200]})")


def _awaited_cause(group, count):
    """The cause of a failed launch of ``count`` collectives, after waiting briefly for a report of it."""
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        cause = _found_cause(group, count)
        if cause:
            return cause
        time.sleep(0.1)
    return None


def _found_cause(group, pending=1):
    """Why the next ``pending`` collectives of the group cannot come about, or None."""
    rank, gone, ended = _Peers.world.rank, _all("gone"), _all("ended")
    # Read last: one that fails for another reports that one before it ends.
    cause = _reported_cause() or _Peers.cause
    if cause:
        return cause
    for other, text in ended.items():
        if other in group.members and other != rank:
            count = json.loads(text).get(group.key, 0)
            if count < group.count + pending:
                return _MSG_ENDED.format(other, count)
    for other in {*gone} - {rank, *ended}:
        if other in group.members:
            return _MSG_GONE.format(other)
    return _silent({*group.members} - {rank, *ended})


def _silent(ranks):
    """A sentence about one of the ``ranks`` that gives no sign of life any more, or None."""
    now = time.monotonic()
    if now - _Peers.last_look < _IDLE:
        return None
    _Peers.last_look = now
    for other, sign in _all("alive").items():
        last, since = _Peers.signs.get(other, (None, now))
        if sign != last:
            _Peers.signs[other] = sign, now
        elif other in ranks and now - since > _Peers.silence:
            return _MSG_LOST_RANK.format(other, _Peers.silence)
    return None


def _reported_cause():
    """The reason that another process gave for its failure, or else that its launcher gave; None without one."""
    for folder in ("failed", "heard"):  # in this order: the process itself says more
        for other, text in _all(folder).items():
            if other != _Peers.world.rank:
                return text
    return None


def _where_others_wait(group):
    """A sentence that says where the other members wait, and which of them do not say so; None if none does."""
    reports, marks, silent = _all("at"), [], []
    for other in group.members:
        if other == _Peers.world.rank:
            continue
        key, count, *mark = json.loads(reports.get(other, "[null, -1]"))
        if count < 0 or (key == group.key and count < group.count):  # what it said then is long past
            silent.append(other)
        else:
            marks.append(_MSG_OTHER.format(other, Mark(*mark)))
    if not marks:
        return None
    return "; ".join([*marks, *map(_MSG_SILENT.format, silent)])


def fail(sentence):
    """Tells the others why this process fails, and raises it.

    Raises:
        CollectiveError: always.
    """
    _tell(sentence)
    raise CollectiveError(sentence)


def _raise(waits, cause):
    """Raises for a ``cause`` in another process, and tells it the others, who may notice this one's end first."""
    _tell(cause)
    raise CollectiveError(f"{waits}; {cause}.")


def _tell(sentence):
    if not _Peers.is_failed:
        _Peers.is_failed = True
        with contextlib.suppress(jax.errors.JaxRuntimeError):
            _set(f"failed/{_Peers.world.rank}", sentence.rstrip("."))


# -- the thread that watches ----------------------------------------------------------------------------------------


def watch(world):
    """Begins to watch the other processes."""
    _Peers.world, _Peers.silence = world, coordination.heartbeat_timeout(coordination.SILENCE)
    hook = sys.excepthook

    def tell_and_show(kind, error, trace):
        # The first has been told already, or comes of another's failure; the second is the user's, in all processes.
        if not issubclass(kind, (CollectiveError, KeyboardInterrupt)):
            frames = traceback.extract_tb(trace)
            line = f", {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
            text = (str(error).strip().splitlines() or [""])[0]
            _tell(f"rank {world.rank} failed with {kind.__name__}: {text}{line}")
        hook(kind, error, trace)

    sys.excepthook = tell_and_show
    _Peers.thread = threading.Thread(target=_watch, name="msgrad-peers", daemon=True)
    _Peers.thread.start()


def _watch():
    # Taken out of the environment, for a process that this one starts must not read the launcher's words.
    descriptor = os.environ.pop(launched.LAUNCHER, None)
    descriptor = int(descriptor) if descriptor else None
    last_check = -_IDLE  # the first sign of life comes at once, since a process without any is not missed
    while not _Peers.is_over:
        try:
            descriptor = _heard(descriptor)
            running, now = _Peers.running, time.monotonic()
            affinity.release_if_over(now)
            if running is not None and now - running[3] > _LONG:
                _post_place(running)
                if not _Peers.cause:
                    _Peers.cause = _found_cause(running[0]) or _deadlock(running)
            if now - last_check > _IDLE:
                last_check = now
                _set(f"alive/{_Peers.world.rank}", f"{now:.1f}")
                _Peers.cause = _Peers.cause or _reported_cause()
            if _Peers.cause:
                _end_after_grace(running)
        except jax.errors.JaxRuntimeError:
            _Peers.cause = _Peers.cause or _MSG_LAUNCHER  # the service has ended


def _heard(descriptor):
    """Waits `_TURN` seconds, or for a message of the launcher; returns the descriptor while there is a launcher."""
    if descriptor is None:
        time.sleep(_TURN)
        return None
    if select.select([descriptor], [], [], _TURN)[0]:
        lines = os.read(descriptor, 4096).decode(errors="replace").splitlines()
        causes = [line for line in lines if not line.startswith(launched.ENDED)]
        for line in {*lines} - {*causes}:
            _set(f"gone/{line.removeprefix(launched.ENDED)}", "")
        if causes or not lines:
            # Before this process raises it, and others see that it has ended: they may have another launcher.
            with contextlib.suppress(jax.errors.JaxRuntimeError):  # the service has ended with the launcher
                _set(f"heard/{_Peers.world.rank}", causes[0] if lines else _MSG_LAUNCHER_OF.format(_Peers.world.rank))
            _Peers.cause = _Peers.cause or (causes[0] if lines else _MSG_LAUNCHER)
        return descriptor if lines else None
    return descriptor


def _post_place(running):
    group, number, mark, _ = running
    place = json.dumps([group.key, number, *mark.key, mark.line])
    if place != _Peers.posted:
        _set(f"at/{_Peers.world.rank}", place)
        _Peers.posted = place


def _deadlock(running):
    """A message about a member that waits in another collective, so that neither can go on; None without one."""
    group, number, mark, _ = running
    for other, text in _all("at").items():
        key, count, *described = json.loads(text)
        if other == _Peers.world.rank or other not in group.members:
            continue
        theirs = Mark(*described)
        differs = key == group.key and count == number and theirs.key != mark.key
        is_crossed = key != group.key and _is_in(key) and not _has_passed(key, count)
        # One of them must come first in every process, and neither will: that is said in seconds, not after the
        # timeout.
        if differs or is_crossed:
            groups = [_MSG_GROUP.format(each) if is_crossed else "" for each in (group.key, key)]
            mine = _MSG_OTHER.format(_Peers.world.rank, f"{mark}{groups[0]}")
            return _MSG_DIFFERENT.format(mine, _MSG_OTHER.format(other, f"{theirs}{groups[1]}")).rstrip(".")
    return None


def _is_in(key):
    return key == "all" or str(_Peers.world.rank) in key.split(",")


def _has_passed(key, count):
    """Whether this process has run this collective of a group."""
    return key in _Peers.groups and _Peers.groups[key].count > count


def _end_after_grace(running):
    """Ends the process for a cause from outside, unless its main thread raises the error itself."""
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        if _Peers.is_over:
            return
        time.sleep(0.1)
    running = _Peers.running or running
    rank = _Peers.world.rank
    with contextlib.suppress(jax.errors.JaxRuntimeError):
        _Peers.cause = _reported_cause() or _Peers.cause
        _tell(_Peers.cause)
    doing = _MSG_WAITS.format(rank, running[2]) if running else f"rank {rank} is ended"
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        print(f"CollectiveError: {doing}; {_Peers.cause}.", file=sys.stderr, flush=True)
    # Not `sys.exit`: the main thread is in C++, where no exception reaches it, and Python would wait for it.
    os._exit(1)


# -- the end --------------------------------------------------------------------------------------------------------


def end():
    """Says that this process ends, and how many collectives it has run."""
    with contextlib.suppress(jax.errors.JaxRuntimeError):
        _set(f"ended/{_Peers.world.rank}", json.dumps({key: group.count for key, group in _Peers.groups.items()}))
    _Peers.is_over = True
    _Peers.thread.join(_LONG)  # Python would end it inside of the client, which aborts the process
