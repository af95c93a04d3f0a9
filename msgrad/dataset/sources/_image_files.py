"""Datasets of image files, found in folders or listed in a file."""

import os
from typing import Any

import numpy as np

from . import _files
from .images import ImagesDataset


class ImageFilesDataset(ImagesDataset):
    """Rows of image files.

    A table row of this kind has the ``_columns``, and ``_listed`` with the path of each image and its other values.
    """

    dataset_dir: Any

    _columns = ("image", "label")

    def _begin(self, arguments):
        choice = [arguments[name] for name in ("sampler", "num_samples", "shuffle", "num_shards", "shard_id")]
        decode = False if arguments["decode"] is None else arguments["decode"]
        super().__init__(choice, decode, None, arguments["num_parallel_workers"], arguments.get("cache"))

    def _names(self):
        return list(self._columns)

    def num_classes(self):
        if "label" not in self._names():
            return None
        return len({int(row[self._names().index("label")]) for row in self._list})

    def _lines(self, name):
        """The non-empty lines of a text file in the folder."""
        path = _files.existing_file(os.path.join(self.dataset_dir, name), type(self).__name__)
        with open(path, encoding="utf-8") as file:
            return [line.strip() for line in file if line.strip()]


def folders(path, owner):
    """The paths of the subfolders, sorted.

    Raises:
        RuntimeError: if the folder does not exist.
    """
    try:
        return sorted(entry.path for entry in os.scandir(path) if entry.is_dir())
    except OSError as error:
        raise _files.damaged(owner, path, error.strerror) from error


def files(path, endings=("",)):
    """The paths of the files in a folder with these extensions, sorted."""
    paths = [entry.path for entry in os.scandir(path) if entry.is_file()]
    return sorted(each for each in paths if each.lower().endswith(endings))


def numbered(classes, dtype, endings=("",)):
    """The files of folders, each with the number of its folder."""
    return [(path, np.array(number, dtype)) for number, folder in enumerate(classes) for path in files(folder, endings)]
