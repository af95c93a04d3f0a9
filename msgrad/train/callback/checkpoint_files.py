"""The checkpoint files of a folder: which there are, and which to remove."""

import contextlib
import os
import stat

from ... import log

BROKEN_OFF = "_breakpoint.ckpt"  # suffix of the file that is saved when training fails
_ENDINGS = (".ckpt", ".safetensors")


class CheckpointManager:
    """The checkpoints of a folder with a common prefix, for `ModelCheckpoint` and callbacks of libraries.

    Args:
        format (str): the end of their names. Default: ``'ckpt'``.
    """

    def __init__(self, format="ckpt"):
        self.ckpoint_filelist = []
        self._format = format

    @property
    def ckpoint_num(self):
        """The number of files."""
        return len(self.ckpoint_filelist)

    def update_ckpoint_filelist(self, directory, prefix):
        """Reads which files ``prefix-epoch_step`` the folder has."""
        self.ckpoint_filelist = files_of(directory, prefix, self._format)

    def remove_ckpoint_file(self, file_name):
        """Removes a file."""
        remove(file_name)
        self.ckpoint_filelist.remove(file_name)

    def remove_oldest_ckpoint_file(self):
        """Removes the oldest file."""
        self.remove_ckpoint_file(min(self.ckpoint_filelist, key=os.path.getmtime))

    def keep_one_ckpoint_per_minutes(self, minutes, cur_time):
        """Keeps only the first file of the last ``minutes`` before ``cur_time``."""
        recent = [path for path in self.ckpoint_filelist if cur_time - os.path.getmtime(path) < 60 * minutes]
        for path in sorted(recent, key=os.path.getmtime)[1:]:
            self.remove_ckpoint_file(path)


def free_prefix(directory, prefix, broken_off=False):
    """The first of ``prefix``, ``prefix_1``, ``prefix_2``, ... after those of the checkpoints in the folder."""
    number = 0
    for name in os.listdir(directory):
        if name.endswith(BROKEN_OFF) != broken_off or not name.endswith(_ENDINGS) or not name.startswith(prefix):
            continue
        suffix, dash, _ = name[len(prefix) :].partition("-")
        if dash and not suffix:
            number = max(number, 1)
        elif dash and suffix[:1] == "_" and suffix[1:].isdigit():
            number = max(number, int(suffix[1:]) + 1)
    return f"{prefix}_{number}" if number else prefix


def files_of(directory, prefix, format):
    """The paths of the checkpoints ``prefix-epoch_step`` in a folder."""
    names = [name for name in os.listdir(directory) if name.startswith(f"{prefix}-") and name.endswith(f".{format}")]
    return [
        os.path.join(directory, name)
        for name in names
        if not any(map(str.isalpha, name[len(prefix) : -len(format) - 1]))
    ]


def remove(path):
    """Removes a file, if it exists; logs a warning if it cannot be removed."""
    with contextlib.suppress(FileNotFoundError):
        try:
            os.chmod(path, stat.S_IWRITE)
            os.remove(path)
        except PermissionError:
            log.warning("The older checkpoint %s cannot be removed.", path)
