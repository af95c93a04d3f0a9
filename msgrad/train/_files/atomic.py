"""Files that are written whole or not at all."""

import contextlib
import os
import stat
import tempfile


@contextlib.contextmanager
def replacing(path, permissions=stat.S_IRUSR):
    """Opens a binary file that takes the place of ``path`` at the end of the block, and only if no error ends it.

    What was there stays readable until then, whatever happens to the process.

    Args:
        path (str): in a folder that exists.
        permissions (int): of the file. Default: those of MindSpore's checkpoints: its owner alone reads it, and nobody
            writes to it.
    Raises:
        OSError: if the folder cannot be written to.
    Example:
        >>> with replacing(path) as file:
        ...     file.write(b"all of it")
    """
    folder = os.path.dirname(os.path.abspath(path))
    handle, name = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", suffix=".tmp", dir=folder)
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


def _settle(folder):
    """Waits until the folder's new entry is on the disk, where the system can say so."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
