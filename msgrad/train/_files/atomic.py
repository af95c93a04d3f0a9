"""Atomic writes: a file is replaced completely or not at all."""

import contextlib
import os
import platform
import stat
import tempfile


@contextlib.contextmanager
def replacing(path, permissions=stat.S_IRUSR):
    """Opens a temporary binary file that replaces ``path`` at the end of the block, unless the block raises.

    Until then the old file stays readable, even if the process is killed.

    Args:
        path (str): in a folder that exists.
        permissions (int): of the file. Default: those of MindSpore's checkpoints, read-only for the owner.
    Raises:
        OSError: if the folder cannot be written to.
    Example:
        >>> with replacing(path) as file:
        ...     file.write(b"all of it")
    """
    folder = os.path.dirname(os.path.abspath(path))
    stem = f".{os.path.basename(path)}.{platform.node()}-"
    _remove_abandoned(folder, stem)
    handle, name = tempfile.mkstemp(prefix=f"{stem}{os.getpid()}-", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, permissions)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(name)
        raise
    _settle(folder)


def _remove_abandoned(folder, stem):
    """Removes the temporary files of this name whose process, on this machine, has ended."""
    for entry in os.listdir(folder):
        owner = entry[len(stem) :].split("-")[0] if entry.startswith(stem) and entry.endswith(".tmp") else ""
        if owner.isdigit() and not _is_running(int(owner)):
            with contextlib.suppress(OSError):
                os.remove(os.path.join(folder, entry))


def _is_running(process):
    """Whether a process with this id is running; True if the system cannot say."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it belongs to another user
        return True
    return True


def _settle(folder):
    """Waits until the folder's new entry is on the disk, if the system supports it (fsync of a folder)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
