"""Cache of the names that files use: one JSON file per folder of source files, in msgrad's private cache folder.

An entry is valid while the source file's size and modification time, and the code that reads files, are unchanged.
"""

import functools
import hashlib
import importlib.resources
import json
import os
import sys

from ...engine.execution import disk_cache
from ...version import __msgrad_version__


class Cache:
    """Results of earlier reads; without a private folder it is empty and stores nothing.

    Args:
        roots (set of str): the modules whose names are looked for.
    """

    def __init__(self, roots):
        self._roots = " ".join(sorted(roots))
        self._is_kept = disk_cache.Private.folder is not None
        self._folders = {}
        self._changed = set()
        self._stamps = {}

    def read(self, file):
        """The cached result for a file that has not changed since, else None."""
        if not self._is_kept:
            return None
        file = os.path.abspath(file)
        try:
            status = os.stat(file)
        except OSError:
            return None
        # Taken before the file is read: a change during the read invalidates the entry.
        self._stamps[file] = stamp = [status.st_mtime_ns, status.st_size]
        before, content = self._entry(os.path.dirname(file)).get(os.path.basename(file), (None, None))
        return content if before == stamp else None

    def write(self, file, content):
        """Stores the result for a file, as JSON data; `save` writes it to disk."""
        file = os.path.abspath(file)
        if file in self._stamps:
            folder, name = os.path.split(file)
            self._entry(folder)[name] = (self._stamps[file], content)
            self._changed.add(folder)

    def save(self):
        """Writes the entries of the folders in which a file was read again."""
        for folder in self._changed:
            names = set(os.listdir(folder))
            entry = {name: content for name, content in self._folders[folder].items() if name in names}
            disk_cache.write(self._name(folder), json.dumps(entry).encode())

    def _entry(self, folder):
        entry = self._folders.get(folder)
        if entry is None:
            payload = disk_cache.read(self._name(folder))
            entry = self._folders[folder] = {} if payload is None else json.loads(payload)
        return entry

    def _name(self, folder):
        key = b"\0".join([_reader(), self._roots.encode(), os.fsencode(folder)])
        return f"check-{hashlib.blake2b(key, digest_size=20).hexdigest()}"


@functools.cache
def _reader():
    """The cache key of the code that reads files: this release (or checkout), on this Python and its grammar."""
    package = importlib.resources.files("msgrad.tools.checking")
    code = [package.joinpath(name).read_bytes() for name in ("sources.py", "syntax.py")]
    return b"\0".join([__msgrad_version__.encode(), sys.version.encode(), *code])
