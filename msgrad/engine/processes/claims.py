"""Claims of ranks: on one machine a single process has each rank of a meeting.

JAX's coordination service lets a process take the place of another one of its rank, which then ends by C++. So before
it connects, each process locks a file for its rank (`locks`). One that comes second raises, and tells those that still
wait for others. Nor does a process connect to the service of another user, whose program would suffer.
"""

import os
import pathlib
import socket

from . import locks

_LISTENING = "0A"  # in Linux's tables of sockets
_ANY = ("0" * 8, "0" * 32)  # there, the addresses of sockets that listen at all addresses

_MSG_TWICE = (
    "{} says that there are {} processes, but two of those at {} have the rank {}, {} and {} (PID): give each process "
    "another rank (RANK_ID), and each program another port (MASTER_PORT)."
)
_MSG_STRANGER = (
    "{} says that the processes meet at {}:{}, but a program of another user, {} (UID), listens there: choose another "
    "port (MASTER_PORT, MS_SCHED_PORT)."
)


class Claim:
    """The claim of this process, held until it ends or calls `close`.

    Args:
        address (str): host and port of the meeting.
        rank, size (int): of this process, and the number of processes.
        variable (str): which environment variable says so.
    Raises:
        RuntimeError: if another process has the rank.
    """

    def __init__(self, address, rank, size, variable):
        self._lock = None
        try:
            self._lock = locks.acquire(_name(address, rank))
        except locks.Held as held:
            if held.process is None:
                return
            text = _MSG_TWICE.format(variable, size, address, rank, held.process, os.getpid())
            for other in range(size):
                locks.tell(_name(address, other), text)
            raise RuntimeError(text) from None

    def check(self):
        """Raises if two processes of this meeting have the same rank.

        Raises:
            RuntimeError: with the sentence of the one that came second.
        """
        text = self._lock and self._lock.told()
        if text:
            raise RuntimeError(text)

    def close(self):
        """Gives the rank up."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _name(address, rank):
    return f"rank {rank} at {address}"


def refuse_stranger(host, port, own_address, variable):
    """Refuses a meeting on this machine at a port where another user's program listens (Linux).

    Args:
        host, port (str, int): where the processes meet.
        own_address (str): this machine's address on the route there.
        variable (str): which environment variable says so.
    Raises:
        RuntimeError: if there is one.
    """
    user = _listener(host, port, own_address)
    if user not in (None, os.geteuid()):
        raise RuntimeError(_MSG_STRANGER.format(variable, host, port, user))


def _listener(host, port, own_address):
    """The user (int) whose program listens there; None if none does, it is another machine, or it is not known."""
    try:
        addresses = {each[4][0] for each in socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)}
        endings = tuple(map(_in_table, addresses))
        lines = [line for name in ("tcp", "tcp6") for line in pathlib.Path("/proc/net", name).read_text().splitlines()]
    except OSError:
        return None
    for line in lines if own_address in addresses else ():
        _, local, _, state, _, _, _, user, *_ = line.split()
        address, _, number = local.partition(":")
        if state == _LISTENING and int(number, 16) == port and (address.endswith(endings) or address in _ANY):
            return int(user)
    return None


def _in_table(address):
    """An address as the tables have it: each four bytes in the machine's order, here the lowest first."""
    packed = socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)
    return "".join([packed[k : k + 4][::-1].hex().upper() for k in range(0, len(packed), 4)])
