"""Claims of ranks: on one machine a single process has each rank of a meeting.

JAX's coordination service lets a process take the place of another one of its rank, which then ends by C++. So before
it connects, each process binds a name of its rank in Linux's abstract namespace of sockets, which holds no file, and is
free again when the process ends. One that comes second raises, and tells those that still wait for others.
"""

import contextlib
import errno
import os
import socket
import struct
import time

from .coordination import abstract, bound_to

_LISTENS = 10.0  # seconds after which a holder that has bound its name listens, too, on a machine with much else to do

_MSG_TWICE = (
    "{} says that there are {} processes, but two of those at {} have the rank {}, {} and {} (PID): give each process "
    "another rank (RANK_ID), and each program another port (MASTER_PORT)."
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
        self._socket = None
        try:
            listener = bound_to(_name(address, rank))
        except OSError as error:
            holder = _tell(address, rank) if error.errno == errno.EADDRINUSE else None
            if holder is None or not _is_running(holder):
                return
            text = _MSG_TWICE.format(variable, size, address, rank, holder, os.getpid())
            for other in range(size):
                _tell(address, other, text)
            raise RuntimeError(text) from None
        if listener is not None:
            listener.listen()
            listener.setblocking(False)
        self._socket = listener

    def check(self):
        """Raises if two processes of this meeting have the same rank.

        Raises:
            RuntimeError: with the sentence of the one that came second.
        """
        with contextlib.suppress(BlockingIOError):
            while self._socket is not None:
                with self._socket.accept()[0] as connection:
                    connection.settimeout(_LISTENS)
                    text = connection.recv(4096).decode()
                if text:
                    raise RuntimeError(text)

    def close(self):
        """Gives the rank up."""
        if self._socket is not None:
            self._socket.close()


def _name(address, rank):
    return f"msgrad {address} rank {rank}"


def _tell(address, rank, text=""):
    """Sends ``text`` to the process that has claimed a rank; returns its number, or None if there is none."""
    end = time.monotonic() + _LISTENS
    while time.monotonic() < end:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sender, contextlib.suppress(OSError):
            sender.settimeout(_LISTENS)
            sender.connect(abstract(_name(address, rank)))
            sender.sendall(text.encode())
            return struct.unpack("3i", sender.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        if text:
            break  # no process has claimed that rank
        time.sleep(0.01)
    return None


def _is_running(process):
    """Whether there is a process of this number; a child of one that has ended may hold its claim."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's
    return True
