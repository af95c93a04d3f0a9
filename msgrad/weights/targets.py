"""A network's Parameters as targets of a file's arrays."""

import dataclasses

from ..nn import BatchNorm3d
from ..nn.cell import Cell
from ..tensor.parameter import Parameter


@dataclasses.dataclass(eq=False)
class Target:
    """A Parameter.

    Attributes:
        parameter (Parameter): it.
        cell (Cell): that has it, the first one.
        paths (list[str]): where it is, of which a shared one has several.
        outer (list[str]): these, without Cells that only MindSpore has.
        names (list[str]): by which it is found in a file: all of these, and its own name.
    """

    parameter: Parameter
    cell: Cell
    paths: list = dataclasses.field(default_factory=list)
    outer: list = dataclasses.field(default_factory=list)
    names: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        """The first path."""
        return self.paths[0]

    @property
    def shape(self):
        """The Parameter's shape."""
        return tuple(self.parameter.shape)

    @property
    def is_table(self):
        """Whether it is the table of an embedding, which is never transposed."""
        return "Embedding" in type(self.cell).__name__ or self.name.endswith("embedding_table")


def targets_of(net):
    """A list of the `Target` of each Parameter of a Cell, in the order of their definition."""
    targets, inner = {}, set()
    for path, cell in net.cells_and_names():
        if isinstance(cell, BatchNorm3d):  # its Parameters are those of a BatchNorm2d inside, which torch's has not
            inner.add(f"{path}.bn2d" if path else "bn2d")
        for name, parameter in cell.parameters_and_names(name_prefix=path, expand=False):
            target = targets.setdefault(id(parameter), Target(parameter, cell))
            target.paths.append(name)
            leaf = name.rpartition(".")[2]
            target.outer.append(f"{path.removesuffix('bn2d')}{leaf}" if path in inner else name)
    paths = {path for target in targets.values() for path in target.paths}
    for target in targets.values():
        own = [target.parameter.name] if target.parameter.name not in paths else []
        target.names = list(dict.fromkeys([*target.paths, *target.outer, *own]))
    return list(targets.values())
