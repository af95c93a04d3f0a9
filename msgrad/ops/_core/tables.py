"""Tables of faces by name. A face is created, and the file that defines it imported, when its name is first used."""

import importlib
import sys
from collections.abc import MutableMapping


class Table(MutableMapping):
    """Faces by name.

    Args:
        index (dict of str): the names that each file of ``msgrad.ops`` defines, with spaces between, for the files that
            are imported on demand. Default: ``None``, files are imported explicitly.
    Example:
        >>> table = Table()
        >>> table.define("two", lambda: 1 + 1)
        >>> "two" in table, table["two"]
        (True, 2)
    """

    def __init__(self, index=None):
        self._files = {name: f"msgrad.ops.{file}" for file, names in (index or {}).items() for name in names.split()}
        self._rows = {}  # functions that create the defined faces, by name
        self._made = {}

    def define(self, name, make):
        """Registers a face that ``make()`` creates when the name is first used."""
        self._rows[name] = make

    def is_defined(self, name):
        """Whether a file that is imported, or can be imported on demand, defines ``name``."""
        return name in self._made or name in self._rows or self._files.get(name, __name__) not in sys.modules

    def __getitem__(self, name):
        if name in self._made:
            return self._made[name]
        if name not in self._rows:
            importlib.import_module(self._files[name])
        if name in self._rows:
            self[name] = self._rows[name]()
        return self._made[name]

    def __setitem__(self, name, member):
        self._made[name] = member
        self._rows.pop(name, None)

    def __delitem__(self, name):
        if self._rows.pop(name, None) is None:
            del self._made[name]

    def __contains__(self, name):
        return name in self._made or name in self._rows or name in self._files

    def __iter__(self):
        return iter({**self._files, **self._rows, **self._made})

    def __len__(self):
        return len({**self._files, **self._rows, **self._made})


class Members(Table):
    """Faces that are members of a class; those not created yet are represented by `_OnDemand`.

    Args:
        owner (type): the class.
        index (dict of str): as for `Table`.
    """

    def __init__(self, owner, index=None):
        super().__init__(index)
        self.owner = owner
        for name in self._files:
            setattr(owner, name, _OnDemand(self, name))

    def define(self, name, make):
        super().define(name, make)
        setattr(self.owner, name, _OnDemand(self, name))

    def is_defined(self, name):
        return super().is_defined(name) or not isinstance(vars(self.owner).get(name, _ON_DEMAND), _OnDemand)

    def __setitem__(self, name, member):
        super().__setitem__(name, member)
        setattr(self.owner, name, member)

    def __delitem__(self, name):
        super().__delitem__(name)
        delattr(self.owner, name)


class _OnDemand:
    """Placeholder of a member of a class until its first use."""

    __slots__ = ("name", "table")

    def __init__(self, table, name):
        self.table = table
        self.name = name

    def __get__(self, instance, owner=None):
        return self.table[self.name].__get__(instance, owner)


_ON_DEMAND = _OnDemand(None, None)
