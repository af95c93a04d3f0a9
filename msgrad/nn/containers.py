"""Containers of Cells: a sequence, a list and a dict."""

import itertools
import operator
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

from .._contracts.check import refuse
from ..engine.calls.staging import is_in_graph
from ..tensor.tensor import Tensor
from .cell import Cell

__all__ = ["CellDict", "CellList", "SequentialCell"]


class _Container(Cell):
    """The base of containers: size, and names of Parameters by the container's path."""

    def __len__(self):
        return len(self._cells)

    def _prefix_(self):
        """The prefix of the cells' keys in the names of their Parameters: the path of this container in its network.

        It is determined as in MindSpore, since checkpoints depend on the names: it is the part of the first Parameter's
        name before its cell's key. If the key occurs several times, the first position at which the next cell's name
        has that cell's key is used, otherwise the last. So a Cell appended to an inner container may be named after its
        first cell.
        """
        first, second = [*itertools.islice(self._keys_in_names_(), 2), None, None][:2]
        if first is None:
            return ""
        key, words = first
        positions = [k for k, word in enumerate(words) if word == key]
        if second is not None:
            positions = [k for k in positions if second[1][k : k + 1] == [second[0]]][:1] or positions
        return "".join([f"{word}." for word in words[: positions[-1]]]) if positions else ""

    def _keys_in_names_(self):
        """Yields the key of each cell with Parameters, and the words of its first Parameter's name."""
        for key, cell in self._cells.items():
            for parameter in itertools.islice(cell.get_parameters(), 1):
                yield key, parameter.name.split(".")

    def _name_(self, cell, key, prefix=None):
        if self._auto_prefix:
            cell.update_parameters_name(f"{self._prefix_() if prefix is None else prefix}{key}.")


class _Ordered(_Container):
    """The base of SequentialCell and CellList: access by index."""

    def __bool__(self):
        return len(self._cells) != 0

    def __iter__(self):
        return iter(self._cells.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._slice_(list(self._cells.items())[index])
        if isinstance(index, Tensor) and isinstance(self, CellList) and is_in_graph():
            index = operator.index(index)  # the counter of a loop on values
        return self._cells[self._key_(index, "int or slice" if isinstance(self, CellList) else "int")]

    def __setitem__(self, index, cell):
        self._check_cell_(cell)
        key = self._key_(index, "int")
        self._name_(cell, key)
        self._cells[key] = cell

    def __delitem__(self, index):
        keys = list(self._cells)
        chosen = set(keys[index]) if isinstance(index, slice) else {self._key_(index, "int or slice")}
        prefix = self._prefix_()
        is_numbered = keys == [str(position) for position in range(len(keys))]
        rest = [(key, cell) for key, cell in self._cells.items() if key not in chosen]
        if is_numbered:
            self._renumber_([cell for _, cell in rest], prefix)
        else:
            self._cells.replace(rest)

    def append(self, cell):
        """Adds a Cell at the end.

        Args:
            cell (Cell): what to add.
        Raises:
            TypeError: if it is not a Cell.
        Example:
            >>> cells = nn.CellList([nn.ReLU()])
            >>> cells.append(nn.Tanh())
            >>> len(cells)
            2
        Source: mindspore.nn.CellList.append, mindspore.nn.SequentialCell.append
        """
        self._check_cell_(cell)
        key = str(len(self))
        self._name_(cell, key)
        self.insert_child_to_cell(key, cell)

    def set_grad(self, flag=True):
        """Sets ``requires_grad`` here and in the cells held. Source: mindspore.nn.CellList.set_grad"""
        self.requires_grad = flag
        for cell in self._cells.values():
            cell.set_grad(flag)

    def _check_cell_(self, cell):
        if not isinstance(cell, Cell):
            refuse(TypeError, self.cls_name, "cell", "a Cell", cell)

    def _key_(self, index, kinds):
        if not isinstance(index, int):
            refuse(TypeError, self.cls_name, "index", kinds, index)
        count = len(self)
        if not -count <= index < count:
            refuse(IndexError, self.cls_name, "index", f"in the range [{-count}, {count})", index)
        return list(self._cells)[index]

    def _renumber_(self, cells, prefix):
        self._cells.replace((str(index), cell) for index, cell in enumerate(cells))
        if self._auto_prefix:
            for key, cell in self._cells.items():
                cell.update_parameters_name(f"{prefix}{key}.")


class _Cells:
    """The attribute ``cell_list``, a tuple of the Cells as they are now; a program may assign something else to it."""

    def __get__(self, owner, kind=None):
        return self if owner is None else tuple(owner._cells.values())


class SequentialCell(_Ordered):
    """Applies Cells in sequence; an empty one returns its input.

    Args:
        args (list[Cell] | OrderedDict[str, Cell] | Cell...): the cells; an OrderedDict names them, otherwise the names
            are ``'0'``, ``'1'``, ...
    Raises:
        TypeError: if something else is given.
    Example:
        >>> nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    Source: mindspore.nn.SequentialCell
    """

    cell_list: Any = _Cells()

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and not isinstance(args[0], (Cell, list, OrderedDict)):
            refuse(TypeError, self.cls_name, "args[0]", "a Cell, a list or an OrderedDict", args[0])
        cells = args[0] if len(args) == 1 and not isinstance(args[0], Cell) else args
        named = cells if isinstance(cells, OrderedDict) else {str(k): cell for k, cell in enumerate(cells)}
        for key, cell in named.items():
            if isinstance(cell, Cell):
                cell.update_parameters_name(key + ".")
            self.insert_child_to_cell(key, cell)

    def construct(self, input_data):
        """The input passed through every cell in turn."""
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data

    def _slice_(self, items):
        return type(self)(OrderedDict(items))


class CellList(_Ordered):
    """A list of Cells that are registered as sub-cells; it cannot be called.

    Args:
        args (list[Cell]): the cells, none of them a CellDict. Default: none.
        auto_prefix (bool): whether the Parameters of the cells are named by index. Default: ``True``.
    Raises:
        TypeError: if something else is given.
    Example:
        >>> layers = nn.CellList([nn.Dense(2, 2), nn.ReLU()])
        >>> len(layers)
        2
    Source: mindspore.nn.CellList
    """

    _is_ensemble_ = True  # `vmap` gives each of its Cells a sample of its own

    def __init__(self, *args, auto_prefix=True):
        super().__init__(auto_prefix)
        if len(args) > 1:
            refuse(TypeError, "CellList", "args", "one list of Cells", args)
        for cells in args:
            self.extend(cells)

    def extend(self, cells):
        """Appends every Cell of a list and returns the CellList.

        Args:
            cells (list[Cell] | CellList): what to append.
        Raises:
            TypeError: if it is not a list or holds something else, such as a CellDict.
        Source: mindspore.nn.CellList.extend
        """
        if not isinstance(cells, (list, CellList)):
            refuse(TypeError, "CellList", "cells", "a list of Cells", cells)
        for cell in cells:
            self._check_cell_(cell)
            if isinstance(cell, CellDict):
                refuse(TypeError, self.cls_name, "cell", "a Cell other than a CellDict", cell)
        prefix = self._prefix_()  # of all alike, as in MindSpore
        for cell in list(cells):
            key = str(len(self))
            self._name_(cell, key, prefix)
            self.insert_child_to_cell(key, cell)
        return self

    __iadd__ = extend

    def insert(self, index, cell):
        """Inserts a Cell before index ``index``.

        Args:
            index (int): from ``-len(self)`` to ``len(self)``.
            cell (Cell): what to insert.
        Raises:
            TypeError: if an argument has the wrong type.  IndexError: if ``index`` is out of range.
        Source: mindspore.nn.CellList.insert
        """
        count = len(self)
        if not isinstance(index, int):
            refuse(TypeError, "CellList", "index", "an int", index)
        if not -count <= index <= count:
            refuse(IndexError, "CellList", "index", f"in the range [{-count}, {count}]", index)
        self._check_cell_(cell)
        prefix = self._prefix_()
        cells = list(self)
        cells.insert(index, cell)
        self._renumber_(cells, prefix)

    def construct(self, *inputs):
        """A CellList is not a computation: call its members."""
        raise NotImplementedError

    def _slice_(self, items):
        return type(self)([cell for _, cell in items])


class CellDict(_Container):
    """A dict of Cells that are registered as sub-cells; it cannot be called.

    Args:
        args (dict[str, Cell] | iterable of pairs | CellDict): the cells, none of them a CellDict, CellList or
            SequentialCell. Default: none.
    Raises:
        TypeError: if it holds something else.  KeyError: if a key is empty, has a dot or is an attribute of Cell.
    Example:
        >>> nn.CellDict({"act": nn.ReLU()})["act"]
        ReLU()
    Source: mindspore.nn.CellDict
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) > 1:
            refuse(TypeError, "CellDict", "args", "one mapping of Cells", args)
        for cells in args:
            self.update(cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, key):
        return key in self._cells

    def __getitem__(self, key):
        return self._cells[key]

    def __setitem__(self, key, cell):
        self._check_(key, cell)
        self._name_(cell, key)
        self._cells[key] = cell

    def __delitem__(self, key):
        del self._cells[key]

    def _check_(self, key, cell):
        if not isinstance(key, str):
            refuse(TypeError, "CellDict", "key", "a str", key)
        if key not in self._cells and hasattr(self, key):
            refuse(KeyError, "CellDict", "key", "a name unused by Cell", key)
        if "." in key:
            refuse(KeyError, "CellDict", "key", "without a '.'", key)
        if key == "":
            refuse(KeyError, "CellDict", "key", "a str that is not empty", key)
        if not isinstance(cell, Cell) or isinstance(cell, _Container):
            refuse(TypeError, self.cls_name, "cell", "a Cell other than a CellDict, CellList or SequentialCell", cell)

    def keys(self):
        """The names. Source: mindspore.nn.CellDict.keys"""
        return self._cells.keys()

    def values(self):
        """The Cells. Source: mindspore.nn.CellDict.values"""
        return self._cells.values()

    def items(self):
        """The pairs of name and Cell. Source: mindspore.nn.CellDict.items"""
        return self._cells.items()

    def clear(self):
        """Removes every Cell. Source: mindspore.nn.CellDict.clear"""
        self._cells.clear()

    def pop(self, key):
        """Removes the Cell of that name and returns it; KeyError if there is none. Source: mindspore.nn.CellDict.pop"""
        return self._cells.pop(key)

    def update(self, cells):
        """Adds Cells; one with an existing name replaces it.

        Args:
            cells (dict[str, Cell] | iterable of pairs | CellDict): what to add.
        Raises:
            TypeError, ValueError: if it is not that.
        Example:
            >>> nn.CellDict().update([("act", nn.ReLU())])
        Source: mindspore.nn.CellDict.update
        """
        if not isinstance(cells, Iterable):
            refuse(TypeError, "CellDict.update", "cells", "an iterable of pairs of a key and a Cell", cells)
        if isinstance(cells, (dict, CellDict)):
            pairs = list(cells.items())
        else:
            pairs = list(cells)
            for index, pair in enumerate(pairs):
                if not isinstance(pair, Iterable):
                    refuse(TypeError, "CellDict.update", f"cells[{index}]", "a pair of a key and a Cell", pair)
                if not isinstance(pair, Sequence) or len(pair) != 2:
                    refuse(ValueError, "CellDict.update", f"cells[{index}]", "a pair of a key and a Cell", pair)
        for key, cell in pairs:
            self[key] = cell

    def construct(self, *inputs):
        """A CellDict is not a computation: call its members."""
        raise NotImplementedError
