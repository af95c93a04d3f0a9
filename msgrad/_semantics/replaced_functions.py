"""Functions of a package that a program replaces: msgrad's files that are imported later still take the original ones.

MindSpore imports all of its files at once, so what a program replaces afterwards (``mindspore.ops.bmm = mine``, as
mindnlp does) reaches none of the names that they have imported. Here a file is imported when it is needed.
"""

import importlib.machinery
import sys
import threading

from .._names.public_modules import PublicModule


class ReplaceableModule(PublicModule):
    """The class of a module of whose public names a program may replace each."""

    def __setattr__(self, name, value):
        if name in vars(self)["__all__"]:
            _replaced.note(self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        _replaced.names.pop((self, name), None)
        super().__delattr__(name)


class _Replaced:
    """The replaced names; as a context manager it puts the original values in their place, for all threads.

    Attributes:
        names (dict): by ``(module, name)`` the original value and the program's.
    """

    def __init__(self):
        self.names = {}
        self._imports = 0  # those under way, which may be several threads'
        self._lock = threading.Lock()

    def note(self, module, name, value):
        if not self.names:
            sys.meta_path.insert(0, _Finder)
        original, _ = self.names.get((module, name)) or (getattr(module, name), None)
        self.names[module, name] = original, value

    def __enter__(self):
        with self._lock:
            self._imports += 1
            if self._imports == 1:
                self._assign(0)

    def __exit__(self, *error):
        with self._lock:
            self._imports -= 1
            if not self._imports:
                self._assign(1)

    def _assign(self, which):
        for (module, name), values in list(self.names.items()):
            vars(module)[name] = values[which]


_replaced = _Replaced()


class _Finder:
    """Finds msgrad's files."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        root = fullname.partition(".")[0]
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target) if root == "msgrad" else None
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs a file while the original names are in place."""

    def exec_module(self, module):
        with _replaced:
            super().exec_module(module)
