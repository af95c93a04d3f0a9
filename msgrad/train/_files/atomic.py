"""Files that are written whole or not at all."""

import contextlib
import os
import stat
import tempfile


@contextlib.contextmanager
def replacing(path):
    """Opens a binary file that takes the place of ``path`` at the end of the block, and only if no error ends it.

    What was there stays readable until then, whatever happens to the process. As MindSpore's, the file can be read by
    its owner alone, and not be written to.

    Args:
        path (str): in a folder that exists.
    Raises:
        OSError: if the folder cannot be written to.
    Example:
        >>> with replacing(path) as file:
        ...     file.write(b"all of it")
    """
    handle, name = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, stat.S_IRUSR)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(name)
        raise
    _settle(os.path.dirname(path))


def _settle(folder):
    """Waits until the folder's new entry is on the disk, where the system can say so."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
