"""The folder of compiled programs, and of the entries that find them: private to the user, and bounded in size.

``MSGRAD_CACHE`` names another folder than ``~/.cache/msgrad/xla``, or is ``off``; ``MSGRAD_CACHE_SIZE`` is the limit,
in bytes or with ``K``, ``M`` or ``G`` after the number (default ``2G``).
"""

import atexit
import contextlib
import errno
import hashlib
import os
import pathlib
import stat
import threading
import time
import warnings
from typing import Any

from ..jax_options import config

_OFF = "off"
_SIZE = 2 << 30
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_PAUSE = 600.0  # seconds between two checks of the folder's size, which read the status of every entry
_MARK = ".pruned"
_MODE = 0o700  # of the folder
_SIZE_OF_CHECK = 16  # bytes of an entry's checksum
_MSG_FOREIGN = (
    "Compiled programs are not kept on disk: {} {}, so that others could make this process run their code. Use a "
    "folder of your own with mode 0700 (MSGRAD_CACHE names one), or MSGRAD_CACHE=off."
)
_MSG_UNUSABLE = "Compiled programs are not kept on disk: {} cannot be used ({}). MSGRAD_CACHE names another folder."
_MSG_SIZE = "MSGRAD_CACHE_SIZE must be a number of bytes such as 500M or 2G, but is {!r}: the limit stays 2G."


class Private:
    """The folder (str) that only its owner may use, and that entries may be read from; None if there is none."""

    folder: Any = None


class Code:
    """The folder (str) of compiled code: the private one, or a remote file system. None: JAX's own cache, if any."""

    folder: Any = None


def configure():
    """Chooses the folders, unless the user has set that of JAX's own cache, or the folder is not private."""
    folder = os.environ.get("MSGRAD_CACHE") or _default_folder()
    if folder == _OFF or config.jax_compilation_cache_dir:
        return
    if "://" not in folder:  # another is a remote file system, which JAX itself opens
        folder = os.path.realpath(folder)  # a link of another user's could lead elsewhere later
        problem = _made_private(folder)
        if problem:
            warnings.warn(problem, RuntimeWarning, stacklevel=2)
            return
        atexit.register(prune, folder, _limit())
        Private.folder = folder
    Code.folder = folder


def _default_folder():
    try:
        return str(pathlib.Path.home() / ".cache" / "msgrad" / "xla")
    except RuntimeError:  # there is no home folder
        return _OFF


def _made_private(folder):
    """Makes the folder, with mode 0700; returns why it cannot be used, or None."""
    try:
        os.makedirs(folder, mode=_MODE, exist_ok=True)
        status = os.stat(folder)
        if hasattr(os, "geteuid"):
            if status.st_uid != os.geteuid():
                return _MSG_FOREIGN.format(folder, "belongs to another user")
            if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return _MSG_FOREIGN.format(folder, "may be written to by other users")
            if stat.S_IMODE(status.st_mode) != _MODE:
                _make_unreadable_to_others(folder)
            for parent in pathlib.Path(folder).parents:
                mode = parent.stat().st_mode
                if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
                    return _MSG_FOREIGN.format(folder, f"can be replaced by other users, who may write to {parent}")
    except OSError as error:
        return _MSG_UNUSABLE.format(folder, error.strerror)
    return None


def _make_unreadable_to_others(folder):
    try:
        os.chmod(folder, _MODE)
    except OSError as error:
        if error.errno != errno.EROFS:  # what is kept on a read-only file system, such as an image's, can be read
            raise


def _limit():
    text = os.environ.get("MSGRAD_CACHE_SIZE") or str(_SIZE)
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in _UNITS else (text, "")
    if not number.isdecimal():
        warnings.warn(_MSG_SIZE.format(text), RuntimeWarning, stacklevel=3)
        return _SIZE
    return int(number) * _UNITS.get(unit, 1)


def read(name):
    """The bytes of an entry of the private folder; None if there is none, or it is damaged."""
    try:
        with open(os.path.join(Private.folder, name), "rb") as file:
            content = file.read()
    except OSError:
        return None
    check, payload = content[:_SIZE_OF_CHECK], content[_SIZE_OF_CHECK:]
    return payload if check == checksum(payload) else None


def write(name, payload):
    """Makes or replaces an entry of the private folder, at once and as a whole; changes nothing where it cannot."""
    path = os.path.join(Private.folder, name)
    unfinished = f"{path}.{os.getpid()}-{threading.get_ident()}"
    try:
        # Without a file object, which asks the system three more questions: hundreds of entries may be written.
        file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            rest = memoryview(checksum(payload) + payload)
            while rest:  # a write may be short: at a limit of the size, a signal, the last block of a disk
                rest = rest[os.write(file, rest) :]
        finally:
            os.close(file)
        # At once for other processes, which find the old entry or the new one and never a part.
        os.replace(unfinished, path)
    except OSError:  # the folder is gone, full, or read-only
        with contextlib.suppress(OSError):
            os.unlink(unfinished)


def checksum(payload):
    """A digest of bytes that detects damage."""
    return hashlib.blake2b(payload, digest_size=_SIZE_OF_CHECK).digest()


def prune(folder, limit, pause=_PAUSE):
    """Removes the least recently used files until the rest fits into three quarters of the limit.

    JAX's own limit needs a further package, and reads the whole folder at each program that it adds.

    Args:
        folder (str): of the cache.
        limit (int): bytes, which the folder may have before anything is removed.
        pause (float): seconds; nothing is done sooner than that after the last time.
    """
    mark = pathlib.Path(folder) / _MARK
    try:
        if mark.exists() and 0 <= time.time() - mark.stat().st_mtime < pause:
            return
        mark.touch()
        with os.scandir(folder) as entries:
            programs = [(each.path, each.stat()) for each in entries if each.is_file() and each.name != _MARK]
    except OSError:  # the folder is gone, or full: the next process will see
        return
    size = sum(status.st_size for _, status in programs)
    if size <= limit:
        return
    # By the time of the last reading; where the file system does not keep it, of the writing.
    for path, status in sorted(programs, key=lambda each: max(each[1].st_atime, each[1].st_mtime)):
        if size <= limit * 3 // 4:
            return
        try:
            os.unlink(path)
            size -= status.st_size
        except OSError:  # another process was faster
            continue
