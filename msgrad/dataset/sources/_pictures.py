"""Rows of image files that a folder or a list in it names."""

import os

import numpy as np

from . import _files
from .images import ImagesDataset


class PicturesDataset(ImagesDataset):
    """Rows of image files.

    A row says in ``columns`` the names and in ``_listed`` the path of each row's image with its other values.
    """

    columns = ("image", "label")

    def _begin(self, arguments):
        choice = [arguments[name] for name in ("sampler", "num_samples", "shuffle", "num_shards", "shard_id")]
        decode = False if arguments["decode"] is None else arguments["decode"]
        super().__init__(choice, decode, None, arguments["num_parallel_workers"], arguments.get("cache"))

    def _names(self):
        return list(self.columns)

    def num_classes(self):
        if "label" not in self._names():
            return None
        return len({int(row[self._names().index("label")]) for row in self._list})

    def _lines(self, name):
        """The lines of a text file in the folder that are not empty."""
        path = _files.there(os.path.join(self.dataset_dir, name), type(self).__name__)
        with open(path, encoding="utf-8") as file:
            return [line.strip() for line in file if line.strip()]


def folders(path, owner):
    """The folders in a folder, as paths, in order.

    Raises:
        RuntimeError: if it is not there.
    """
    try:
        return sorted(entry.path for entry in os.scandir(path) if entry.is_dir())
    except OSError as error:
        raise _files.damaged(owner, path, error.strerror) from error


def files(path, endings=("",)):
    """The files in a folder whose names end so, as paths, in order."""
    paths = [entry.path for entry in os.scandir(path) if entry.is_file()]
    return sorted(each for each in paths if each.lower().endswith(endings))


def numbered(classes, dtype, endings=("",)):
    """The files of folders, each with the number of its folder."""
    return [(path, np.array(number, dtype)) for number, folder in enumerate(classes) for path in files(folder, endings)]
