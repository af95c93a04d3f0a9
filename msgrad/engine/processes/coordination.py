"""The coordination service of the processes of a program: where it listens, who runs it, and until when."""

import contextlib
import errno
import os
import socket
import subprocess
import sys
import time
from typing import Any

from . import locks, service
from .service import Service

SILENCE = 60  # seconds without a sign of life after which a process that is waited for is lost
_ATTEMPTS = 10  # ports that are tried where any will do

_MSG_NO_MEETING = "The processes cannot meet at {}:{}: {}."
_REASONS = {
    errno.EADDRINUSE: "another program listens there; choose another port (--master_port, MASTER_PORT, MS_SCHED_PORT)",
    errno.EADDRNOTAVAIL: "this is no address of the machine of rank 0 (--master_addr, MASTER_ADDR, MS_SCHED_HOST)",
}


def heartbeat_timeout(default=10):
    """Seconds after which a process without a sign of life counts as dead, and is aborted by JAX without a word.

    ``MS_NODE_TIMEOUT``, or else ``default``, after which a killed process is noticed if no other waits for it.
    """
    text = os.environ.get("MS_NODE_TIMEOUT") or str(default)
    if not text.isdecimal() or not int(text):
        raise RuntimeError(f"MS_NODE_TIMEOUT must be a positive number of seconds, but is {text!r}.")
    return int(text)


def served(host, port, size, heartbeat=None) -> Any:
    """Starts a `Service` in this process.

    Args:
        host (str): this machine's address.
        port (int): with 0 any one on which nothing listens.
        size (int): the number of processes.
        heartbeat (int): seconds. Default: `heartbeat_timeout`.
    Returns:
        tuple of Service and int: the service, and its port.
    Raises:
        RuntimeError: if another program listens there, or it is no address of this machine.
    """
    for left in reversed(range(_ATTEMPTS)):
        lock = None
        try:
            number, lock = _reserved(host, port)
            return Service(f"{host}:{number}", size, heartbeat or heartbeat_timeout(), lock), number
        except RuntimeError:  # another process may have taken a free port since
            if lock is not None:
                lock.close()
            if port or not left:
                raise


def start(host, port, size):
    """Starts the service in a process of its own, which ends soon after this one.

    Returns:
        subprocess.Popen
    Raises:
        RuntimeError: as `served`.
    """
    _, lock = _reserved(host, port)
    command = [sys.executable, os.path.abspath(service.__file__), f"{host}:{port}", str(size), str(heartbeat_timeout())]
    options = {"stdin": subprocess.PIPE, "start_new_session": True, "env": {**os.environ, **service.QUIET}}
    if lock is None:
        return subprocess.Popen(command, **options)
    try:
        return subprocess.Popen([*command, lock.path], pass_fds=[lock.descriptor], **options)
    finally:
        lock.hand_over()


def _reserved(host, port):
    """A port as of `free_port`, and the `Lock` that no other service of this user at that address has."""
    number = free_port(host, port)
    try:
        # Two that start at once could both find the port free, and gRPC would share it between them.
        return number, locks.acquire(f"service at {host}:{number}")
    except locks.Held:
        raise RuntimeError(_MSG_NO_MEETING.format(host, number, _REASONS[errno.EADDRINUSE])) from None


def free_port(host, port=0):
    """A port at this machine's address ``host`` on which nothing listens: ``port``, or any one.

    Raises:
        RuntimeError: if another program listens there, or it is no address of this machine.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            # So that connections of an earlier program do not count. gRPC would share the port with another service.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return probe.getsockname()[1]
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror)
        raise RuntimeError(_MSG_NO_MEETING.format(host, port, reason)) from None


def ends_of(store, size):
    """Waits until all processes have ended (returns 0), or one has failed or none gives a sign any more (returns 1).

    Args:
        store (Store): where they say so.
        size (int): how many they are.
    """
    signs, since, silence = None, 0.0, heartbeat_timeout(SILENCE)
    with contextlib.suppress(RuntimeError):  # the service has ended
        while len(store.values_in("ended")) < size:
            before, signs, now = signs, store.values_in("alive"), time.monotonic()
            since = since if signs == before else now
            if store.values_in("failed") or now - since > silence:
                return 1
            time.sleep(0.1)
    return 0
