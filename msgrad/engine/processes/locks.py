"""Locks among the processes of one user on one machine: files in a private folder.

The system unlocks a file when no process has it open any more, so a file that is left behind blocks nothing. No other
user can lock a name: the folder is the user's own, and one that is not is passed over.
"""

import contextlib
import os
import re
import socket
import stat
import time
from typing import Any

try:
    import fcntl
except ImportError:  # Windows, where nothing is locked
    fcntl: Any = None

_LONGEST = 200  # characters of a file's name, of which file systems take 255
_MANY = 256  # files in the folder, above which those that ended processes have left are removed
_WRITES = 1.0  # seconds after which a process that has locked a file has written its number, too


class Held(Exception):
    """Raised for a name that another process has locked.

    Attributes:
        process (int): its number; None if that one has ended, and a child process of it has the file open.
    """

    def __init__(self, process):
        self.process = process


class Lock:
    """A locked file, with the number of this process and the words that others `tell` it.

    Attributes:
        path, descriptor (str, int): of the file.
    """

    def __init__(self, path, descriptor):
        self.path, self.descriptor, own = path, descriptor, f"{os.getpid()}\n".encode()
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, own, 0)
        self._size = len(own)

    def told(self):
        """What other processes have told this one since the last call."""
        text = os.pread(self.descriptor, 4096, self._size)
        self._size += len(text)
        return text.decode()

    def hand_over(self):
        """Leaves the lock to a child process that has the descriptor, too, and removes the file when it ends."""
        os.close(self.descriptor)

    def close(self):
        """Unlocks the name."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)  # while it is locked, so it is no other's
        os.close(self.descriptor)


def acquire(name):
    """Locks a name (str) until the process ends.

    Returns:
        Lock, or None where the system or the file system has no locks.
    Raises:
        Held: if another process has locked it.
    """
    path = _path(name)
    if path is None:
        return None
    try:
        _sweep(os.path.dirname(path))
        while (descriptor := _locked(path)) is None:
            pass
    except OSError:
        return None
    return Lock(path, descriptor)


def tell(name, text):
    """Tells the process that has locked a name, if there is one."""
    with contextlib.suppress(OSError, TypeError):  # there is no file, or no folder
        descriptor = os.open(_path(name), os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


def _locked(path):
    """The descriptor of a file that is locked now; None if the process that had locked it has removed it since."""
    with contextlib.ExitStack() as stack:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        stack.callback(os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Held(_holder(descriptor)) from None
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                stack.pop_all()
                return descriptor
    return None


def _holder(descriptor):
    end = time.monotonic() + _WRITES
    while time.monotonic() < end:
        process = os.pread(descriptor, 20, 0).partition(b"\n")[0]
        if process.isdigit() and _is_running(int(process)):
            return int(process)
        time.sleep(0.05)
    return None


def _is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _path(name) -> Any:
    folder = _folder() if fcntl else None
    return folder and os.path.join(folder, re.sub(r"[^\w.-]", "_", name)[-_LONGEST:])


def _folder():
    """The private folder, which is made if there is none; None if none can be had."""
    user = os.geteuid()
    # The last one in case that another user has made the one before; it may be on several machines.
    for parent, name in (
        (f"/run/user/{user}", "msgrad"),
        (os.environ.get("TMPDIR") or "/tmp", f"msgrad-{user}"),
        (os.path.expanduser("~/.cache"), f"msgrad-{socket.gethostname()}"),
    ):
        folder = os.path.join(parent, name)
        with contextlib.suppress(OSError):
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, 0o700)
            status = os.lstat(folder)
            is_open = status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
            if stat.S_ISDIR(status.st_mode) and status.st_uid == user and not is_open:
                return folder
    return None


def _sweep(folder):
    """Removes the files that ended processes have left, if there are many."""
    names = os.listdir(folder)
    for name in names if len(names) > _MANY else ():
        with contextlib.suppress(OSError, Held):
            path = os.path.join(folder, name)
            descriptor = _locked(path)
            if descriptor is not None:
                Lock(path, descriptor).close()
