"""Tables of faces by name. A face is made, and the file that defines it imported, when its name is first asked for."""

import importlib
import sys
from collections.abc import MutableMapping


class Table(MutableMapping):
    """Faces by name.

    Args:
        index (dict of str): the names that each file of ``msgrad.ops`` defines, with spaces between, for the files that
            are imported on demand. Default: ``None``, each file is imported by those who want its names.
    Example:
        >>> table = Table()
        >>> table.define("two", lambda: 1 + 1)
        >>> "two" in table, table["two"]
        (True, 2)
    """

    def __init__(self, index=None):
        self._files = {name: f"msgrad.ops.{file}" for file, names in (index or {}).items() for name in names.split()}
        self._rows = {}  # what makes a face that is defined, by name
        self._made = {}

    def define(self, name, make):
        """Enters a face that ``make()`` gives, which is called when the name is first asked for."""
        self._rows[name] = make

    def is_defined(self, name):
        """Whether a file that is imported, or being imported, or about to be, defines ``name``."""
        return name in self._made or name in self._rows or self._files.get(name, __name__) not in sys.modules

    def __getitem__(self, name):
        if name in self._made:
            return self._made[name]
        if name not in self._rows:
            importlib.import_module(self._files[name])
        if name in self._rows:
            self[name] = self._rows[name]()
        return self._made[name]

    def __setitem__(self, name, made):
        self._made[name] = made
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
    """Faces that are members of a class; those that are not made yet have `_OnDemand` in their place.

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

    def __setitem__(self, name, made):
        super().__setitem__(name, made)
        setattr(self.owner, name, made)

    def __delitem__(self, name):
        super().__delitem__(name)
        delattr(self.owner, name)


class _OnDemand:
    """Stands for a member of a class until it is asked for."""

    __slots__ = ("name", "table")

    def __init__(self, table, name):
        self.table = table
        self.name = name

    def __get__(self, instance, owner=None):
        return self.table[self.name].__get__(instance, owner)


_ON_DEMAND = _OnDemand(None, None)
