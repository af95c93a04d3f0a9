"""The registry of a Cell: its Parameters, sub-cells and buffers."""

import itertools
from collections import OrderedDict

from ...engine.calls.reads import Versions

_versions = itertools.count(1)


def touch(attributes):
    """Assigns a new, unique version to the Cell with these ``attributes`` (its ``__dict__``)."""
    attributes["_version_"] = Versions.latest = next(_versions)


class Registry(OrderedDict):
    """A dict of one kind of member of a Cell, by attribute name; a removed one may stay as None.

    Members are also ordinary instance attributes, so that reading ``self.weight`` needs no ``__getattr__``: writes to
    this dict are copied to ``attributes``, the Cell's ``__dict__``.
    """

    __slots__ = ("attributes",)

    is_versioned = True  # its changes give the Cell a new version, so `engine.calls.reads` does not look into it

    def __init__(self, attributes, members=()):
        self.attributes = attributes
        super().__init__(members)

    def __setitem__(self, name, member):
        super().__setitem__(name, member)
        self.attributes[name] = member
        touch(self.attributes)

    def __delitem__(self, name):
        super().__delitem__(name)
        self.attributes.pop(name, None)
        touch(self.attributes)

    def pop(self, name, *default):
        """Removes a member and returns it."""
        if name not in self and default:
            return default[0]
        member = self[name]
        del self[name]
        return member

    def update(self, *args, **kwargs):
        """Adds members."""
        for name, member in dict(*args, **kwargs).items():
            self[name] = member

    def clear(self):
        """Removes every member."""
        for name in list(self):
            del self[name]

    def replace(self, members):
        """Replaces all members."""
        self.clear()
        self.update(members)
