"""Metadata of the package ``mindspore`` for ``importlib.metadata``: its name and the version reproduced."""

import importlib.metadata

from ..version import __version__


class MindSpore(importlib.metadata.Distribution):
    """The installed package ``mindspore``, as libraries look it up: ``importlib.metadata.version("mindspore")``."""

    def read_text(self, filename):
        """The text of a file of the package's description; None for those that it does not have."""
        return f"Metadata-Version: 2.1\nName: mindspore\nVersion: {__version__}\n" if filename == "METADATA" else None

    def locate_file(self, path):
        """The path of a file of the package: it has no files."""
        raise FileNotFoundError(f"mindspore is msgrad in this process, which has no file {path!r}.")
