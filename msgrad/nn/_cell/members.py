"""Enumeration and naming of a Cell's Parameters and sub-cells."""

import re
from collections import OrderedDict
from collections.abc import Iterator
from typing import Self

from ...context import get_context
from ...engine.refusal import refuse
from ...tensor.parameter import Parameter, check_names_differ
from .part import Part

_NAME_PREFIX = r"^\w*[0-9a-zA-Z\_\.\-]*$"


class Members(Part):
    """The part of Cell that lists its members and names its Parameters."""

    def parameters_and_names(self, name_prefix="", expand=True) -> Iterator[tuple[str, Parameter]]:
        """Yields ``(path, Parameter)``: this Cell's own first, then the sub-cells'; a shared one at its first path.

        Args:
            name_prefix (str): put before each path. Default: ``''``.
            expand (bool): whether to include the sub-cells'. Default: ``True``.
        Example:
            >>> [path for path, _ in nn.SequentialCell(nn.Dense(2, 3)).parameters_and_names()]
            ['0.weight', '0.bias']
        Source: mindspore.nn.Cell.parameters_and_names
        """
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]:
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand=True) -> Iterator[Parameter]:
        """Yields the Parameters, in the order of `parameters_and_names`. Source: mindspore.nn.Cell.get_parameters"""
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def trainable_params(self, recurse=True) -> list[Parameter]:
        """The list of Parameters with ``requires_grad``. Source: mindspore.nn.Cell.trainable_params"""
        return [parameter for parameter in self.get_parameters(expand=recurse) if parameter.requires_grad]

    def untrainable_params(self, recurse=True) -> list[Parameter]:
        """The list of Parameters without ``requires_grad``. Source: mindspore.nn.Cell.untrainable_params"""
        return [parameter for parameter in self.get_parameters(expand=recurse) if not parameter.requires_grad]

    def parameters_dict(self, recurse=True) -> OrderedDict[str, Parameter]:
        """The Parameters by ``name``. Source: mindspore.nn.Cell.parameters_dict"""
        return OrderedDict((parameter.name, parameter) for parameter in self.get_parameters(expand=recurse))

    parameters_broadcast_dict = parameters_dict

    def cells_and_names(self, cells=None, name_prefix=""):
        """Yields ``(path, Cell)``: first ``('', self)``, then the sub-cells depth-first, a shared one once.

        Args:
            cells (set): Cells to skip; visited ones are added. Default: ``None``.
            name_prefix (str): put before each path. Default: ``''``.
        Returns:
            Iterator[tuple[str, Cell]].
        Source: mindspore.nn.Cell.cells_and_names
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell:  # neither None nor an empty container
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def name_cells(self):
        """The direct sub-cells by name, a shared one once.

        Returns:
            OrderedDict[str, Cell].
        Source: mindspore.nn.Cell.name_cells
        """
        named = {}
        for name, cell in self._cells.items():
            if cell is not None:
                named.setdefault(id(cell), (name, cell))
        return OrderedDict(named.values())

    def cells(self):
        """The direct sub-cells.

        Returns:
            Iterable[Cell].
        Source: mindspore.nn.Cell.cells
        """
        return self.name_cells().values()

    def apply(self, fn) -> Self:
        """Calls ``fn(cell)`` for every sub-cell, innermost first, then for this Cell, and returns it.

        Example:
            >>> net = net.apply(lambda cell: cell.set_train(False))
        Source: mindspore.nn.Cell.apply
        """
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def update_parameters_name(self, prefix="", recurse=True):
        """Names every Parameter ``prefix`` + its path.

        Args:
            prefix (str): letters, digits, ``_``, ``.`` and ``-``. Default: ``''``.
            recurse (bool): whether to include the sub-cells'. Default: ``True``.
        Raises:
            ValueError: if ``prefix`` has other characters.
        Source: mindspore.nn.Cell.update_parameters_name
        """
        if re.match(_NAME_PREFIX, prefix, re.ASCII) is None:
            letters = "made of letters, digits, '_', '.' and '-'"
            refuse(ValueError, "update_parameters_name", "prefix", letters, prefix)
        for path, parameter in list(self.parameters_and_names(expand=recurse)):
            parameter.name = prefix + path

    def check_names(self):
        """Raises ValueError if two Parameters have the same name. Source: mindspore.nn.Cell.check_names"""
        check_names_differ(self.get_parameters())

    def check_names_and_refresh_name(self):
        """Names all Parameters by their paths if two have the same name.

        Source: mindspore.nn.Cell.check_names_and_refresh_name
        """
        names = [parameter.name for parameter in self.get_parameters()]
        if len(set(names)) < len(names):
            self.update_parameters_name()

    @property
    def param_prefix(self) -> str:
        """The path set by `update_cell_prefix`; at first ``''``. Source: mindspore.nn.Cell.param_prefix"""
        return self._param_prefix

    def update_cell_prefix(self):
        """Sets the ``param_prefix`` of every Cell to its path. Source: mindspore.nn.Cell.update_cell_prefix"""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def generate_scope(self):
        """Names every sub-cell by its path and classes, for `get_scope`. Source: mindspore.nn.Cell.generate_scope"""
        self._scope_below_("Default")

    def _scope_below_(self, prefix):
        for name, cell in self.name_cells().items():
            kind = f"-{type(cell).__name__}" if get_context("reserve_class_name_in_scope") else ""
            cell.__dict__["_scope"] = f"{prefix}/{name}{kind}"
            cell._scope_below_(cell._scope)

    def get_scope(self) -> str | None:
        """The name that `generate_scope` of the whole network gave this Cell, or None.

        Example:
            >>> net = nn.SequentialCell(nn.ReLU())
            >>> net.generate_scope()
            >>> net[0].get_scope()
            'Default/0-ReLU'
        Source: mindspore.nn.Cell.get_scope
        """
        return self.__dict__.get("_scope")

    def init_parameters_data(self, auto_parallel_mode=False):
        """Parameters have their values from the start; returns a dict of each to itself.

        Source: mindspore.nn.Cell.init_parameters_data
        """
        return {parameter: parameter for parameter in self.get_parameters()}
