"""The status of launches (`headers`), read before any of their values: whether all processes ran the same collectives.

On CPUs a launch is over when it returns. Elsewhere its status is read before the next launch, before the host reads a
value, and when the process ends, so that steps without host reads still overlap.
"""

import atexit
import functools
import os
import sys
import traceback
from typing import Any

import jax
import numpy as np

from ... import _upcalls
from ..processes import guard, peers


class _Last:
    """The launch whose status has not been read: group, marks, the group's count before, status; None without one."""

    launch: Any = None


def awaited(group, marks, results):
    """Waits until a launch is over, where that is when it returns; returns ``results``.

    Args:
        group (Group): whose collectives it ran.
        marks (list of Mark): these, in order.
        results (tuple): any, and the status that the last collective has left (`headers`), None if there is none.
    Raises:
        CollectiveError: if one of the collectives is another one in another member of the group, in this launch or,
            where launches are asynchronous, in the one before.
    """
    status = results[1]
    if status is not None:
        if is_synchronous():
            # The reading itself waits, and for all results of the launch. To ask first whether they are ready would
            # take the processor from gloo.
            _compare(group, marks, group.count, status)
        else:
            settle()
            _Last.launch = group, marks, group.count, status
    return results


@functools.cache
def is_synchronous():
    """Whether launches are over when they return."""
    if jax.default_backend() == "cpu":
        return True
    _upcalls.fill(check_before_read=settle)
    atexit.register(_settle_at_exit)
    return False


def settle():
    """Reads the status of the last launch, and raises if its collectives were others in another process."""
    launch = _Last.launch
    if launch is not None:
        _compare(*launch)
        # Only now: after a difference no value is to be seen.
        _Last.launch = None if _Last.launch is launch else _Last.launch


def _compare(group, marks, count, status):
    same = int(np.asarray(status))
    if same < 0:
        guard.differ(group, marks[~same], count + ~same + 1)


def _settle_at_exit():
    try:
        settle()
    except peers.CollectiveError:
        traceback.print_exc()
        sys.stdout.flush()
        os._exit(1)  # an error while Python ends would leave the exit status 0
