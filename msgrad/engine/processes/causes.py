"""Why a collective cannot come about: another process has failed, ended or fallen silent, or is in another one."""

import json
import time

from .peers import GRACE, IDLE, MSG_DIFFERENT, MSG_OTHER, Mark, Peers, position, values_in

_MSG_ENDED = "rank {} has ended after {} collectives of these processes, so it never comes"
_MSG_GONE = "rank {} has ended with status 0, but not as Python programs end (os._exit), so it never comes"
_MSG_GROUP = " (group of the ranks {})"
_MSG_SILENT = "rank {} is in no collective"
_MSG_LOST_RANK = "rank {} has given no sign of life for {} s (MS_NODE_TIMEOUT): it stands still, or its machine is lost"


def awaited_cause(group, last):
    """The cause of a failed launch, after waiting briefly for a report of it; ``last`` as for `cause_of`."""
    end = time.monotonic() + GRACE
    while time.monotonic() < end:
        cause = cause_of(group, last)
        if cause:
            return cause
        time.sleep(0.1)
    return None


def cause_of(group, last):
    """Why the collectives up to the one at position ``last`` of the group cannot come about, or None."""
    rank, gone, ended = Peers.world.rank, values_in("gone"), values_in("ended")
    # Read last: one that fails for another reports that one before it ends.
    cause = reported_cause() or Peers.cause
    if cause:
        return cause
    for other, text in ended.items():
        if other in group.members and other != rank:
            count = json.loads(text).get(group.key, 0)
            if count <= last:
                return _MSG_ENDED.format(other, count)
    for other in {*gone} - {rank, *ended}:
        if other in group.members:
            return _MSG_GONE.format(other)
    return _silent({*group.members} - {rank, *ended})


def _silent(ranks):
    """A sentence about one of the ``ranks`` that gives no sign of life any more, or None."""
    now = time.monotonic()
    if now - Peers.last_look < IDLE:
        return None
    Peers.last_look = now
    for other, sign in values_in("alive").items():
        last, since = Peers.signs.get(other, (None, now))
        if sign != last:
            Peers.signs[other] = sign, now
        elif other in ranks and now - since > Peers.silence:
            return _MSG_LOST_RANK.format(other, Peers.silence)
    return None


def reported_cause():
    """Why another process failed, by its own words or else its launcher's; None if there are none."""
    for folder in ("failed", "heard"):  # in this order: the process itself says more
        for other, text in values_in(folder).items():
            if other != Peers.world.rank:
                return text
    return None


def where_others_wait(group, place):
    """A sentence that says where the other members wait, and which of them do not say so; None if none does.

    What one said at a position of the group before ``place`` is long past.
    """
    reports, marks, silent = values_in("at"), [], []
    for other in group.members:
        if other == Peers.world.rank:
            continue
        key, count, *mark = json.loads(reports.get(other, "[null, -1]"))
        if count < 0 or (key == group.key and count < place):
            silent.append(other)
        else:
            marks.append(MSG_OTHER.format(other, Mark(*mark)))
    if not marks:
        return None
    return "; ".join([*marks, *map(_MSG_SILENT.format, silent)])


def deadlock(running):
    """A message about a member that waits in another collective, so that neither can go on; None without one."""
    group, number, mark, _ = running
    for other, text in values_in("at").items():
        key, count, *described = json.loads(text)
        if other == Peers.world.rank or other not in group.members:
            continue
        theirs = Mark(*described)
        differs = key == group.key and count == number and theirs.key != mark.key
        is_crossed = key != group.key and _is_in(key) and not _has_passed(key, count)
        # One of them must come first in every process, and neither will: that is said in seconds, not after the
        # timeout.
        if differs or is_crossed:
            groups = [_MSG_GROUP.format(each) if is_crossed else "" for each in (group.key, key)]
            mine = MSG_OTHER.format(Peers.world.rank, f"{mark}{groups[0]}")
            return MSG_DIFFERENT.format(mine, MSG_OTHER.format(other, f"{theirs}{groups[1]}")).rstrip(".")
    return None


def _is_in(key):
    return key == "all" or str(Peers.world.rank) in key.split(",")


def _has_passed(key, count):
    """Whether this process has run what is at this position of a group."""
    return key in Peers.groups and position(Peers.groups[key]) > count
