"""``mindspore.train.callback._checkpoint``: manages the checkpoint files of a run, for callbacks of libraries."""

import os

from ...train.callback.checkpoint import files_of, remove


class CheckpointManager:
    """The checkpoints of a folder with a common prefix.

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
