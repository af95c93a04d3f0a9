"""The table of the Cells that a call runs."""

import html
import math
from typing import NamedTuple

from ...engine import errors
from .calls import Call, is_of_user, recorded
from .flops import flops_of

_HEADINGS = ("Cell", "class", "output", "Parameters", "FLOPs", "memory")
_SHARED = "(shared)"  # for the Parameters of a Cell that a row above has
_MOST = 3  # results of a Cell that are listed


class Row(NamedTuple):
    """A Cell of a table: its path, name, class and depth, what it returns, how often it is called, and its figures.

    The figures are those of all that the Cell contains and calls: elements of Parameters (0 if a row above has them
    all), floating-point operations, and bytes of the values that its operations make.
    """

    path: str
    name: str
    kind: str
    depth: int
    output: str
    calls: int
    parameters: int
    is_shared: bool
    flops: int
    memory: int


class Summary:
    """A table of the Cells that a call runs; printed, it is a text, and in a notebook a table.

    Attributes:
        rows (list of Row): the Cells, each below the one that calls it.
        parameters, trainable (int): elements of all Parameters, and of those that are trained.
        flops (int): floating-point operations of the call.
        parameter_bytes, input_bytes, memory (int): bytes of Parameters, of arguments, and of all values that operations
            make: what a gradient keeps at most.
        unused (list of str): the paths of Cells that the call does not use.
    """

    def __init__(self, call):
        self.rows, self._counted, called = [], set(), set()
        self._add([call], "", "", 0, called)
        every = {id(each): each for each in call.cell.get_parameters()}.values()
        self.parameters = sum([each.size for each in every])
        self.trainable = sum([each.size for each in every if each.requires_grad])
        self.parameter_bytes = _bytes([each.aval for each in every])
        self.input_bytes = _bytes(call.inputs)
        self.flops, self.memory = self.rows[0].flops, self.rows[0].memory
        self.unused = [f"{path} ({type(cell).__name__})" for path, cell in _unused(call.cell, called)]

    def _add(self, calls, path, name, depth, called):
        first = calls[0]
        called.add(id(first.cell))
        parameters = {id(each): each.size for each in first.cell.get_parameters()}
        new = {key: size for key, size in parameters.items() if key not in self._counted}
        is_shared = bool(parameters) and not new
        operations = [each.node for call in calls for each in call.operations()]
        flops, memory = sum(map(flops_of, operations)), _bytes([aval for node in operations for aval in node.avals])
        size = sum((parameters if not is_shared else new).values())
        output = _described(first.outputs)
        self.rows.append(Row(path, name, first.kind, depth, output, len(calls), size, is_shared, flops, memory))
        inner = {}
        for call in calls:
            for each in call.inner:
                if isinstance(each, Call):
                    inner.setdefault(id(each.cell), []).append(each)
        for each in inner.values():
            name = each[0].name
            self._add(each, f"{path}.{name}" if path else name, name, depth + 1, called)
        self._counted.update(parameters)

    def __str__(self):
        cells = [_HEADINGS, *map(_shown, self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(_aligned(cell, widths)).rstrip() for cell in cells]
        lines.insert(1, "-" * (sum(widths) + 2 * len(widths) - 2))
        return "\n".join([*lines, lines[1], *self._totals()])

    __repr__ = __str__

    def _repr_html_(self):
        """The table for a notebook."""
        rows = ["".join([f"<th>{heading}</th>" for heading in _HEADINGS])]
        for row in self.rows:
            first, *others = map(html.escape, _shown(row))
            indent = f' style="text-align:left;white-space:nowrap;padding-left:{0.5 + row.depth * 1.2}em"'
            rows.append(f"<td{indent}>{first.strip()}</td>" + "".join([f"<td>{each}</td>" for each in others]))
        body = "".join([f"<tr>{row}</tr>" for row in rows])
        return f"<table>{body}</table><p>{'<br>'.join(map(html.escape, self._totals()))}</p>"

    def _totals(self):
        frozen = self.parameters - self.trainable
        yield f"Parameters: {self.parameters:,} ({_size(self.parameter_bytes)})" + (
            f", of which {frozen:,} are not trained" if frozen else ""
        )
        yield f"Floating-point operations: {_amount(self.flops)}"
        yield f"Memory: inputs {_size(self.input_bytes)}, values of all operations {_size(self.memory)}"
        if self.unused:
            yield f"Not called: {', '.join(self.unused)}"


def summary(net, *args, **kwargs):
    """Table of the Cells that ``net(*args, **kwargs)`` calls: outputs, Parameters, floating-point operations, memory.

    The call is recorded, not run, and changes no Parameter, no running statistics and no random state. Only values that
    the network reads on the host are computed. ``net.summary(*args)`` prints the table, unless the network's class has
    something else of this name.

    Args:
        net (Cell): the network.
        args, kwargs: the arguments of a call: Tensors, and anything else that it takes.
    Returns:
        Summary: printed, the table; its attributes have the figures.
    Raises:
        TypeError: if ``net`` is not a Cell. And what the call raises.
    Example:
        >>> from msgrad.tools import summary
        >>> table = summary(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU()), ops.ones((2, 3)))
        >>> table.parameters, table.flops
        (16, 64)
    """
    return Summary(recorded(net, args, kwargs, "summary"))


def _unused(cell, called, path=""):
    """The outermost Cells below ``cell`` of which nothing is called; msgrad's own layers know what they leave out."""
    for name, inner in cell._cells.items():
        if inner is None:
            continue
        if called.intersection([id(each) for _, each in inner.cells_and_names()]):
            yield from _unused(inner, called, f"{path}{name}.")
        elif is_of_user(cell):
            yield path + name, inner


def _described(avals):
    text = errors.describe(avals[:_MOST])
    return (f"{text} and {len(avals) - _MOST} more" if len(avals) > _MOST else text) or "-"


def _shown(row) -> tuple[str, ...]:
    name = row.name if row.depth else "(network)"
    times = f" x {row.calls}" if row.calls > 1 else ""
    parameters = _SHARED if row.is_shared else f"{row.parameters:,}" if row.parameters else "-"
    flops = _amount(row.flops) if row.flops else "-"
    return f"{'  ' * row.depth}{name}{times}", row.kind, row.output, parameters, flops, _size(row.memory)


def _aligned(cells, widths):
    for position, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        yield cell.ljust(width) if position < 3 else cell.rjust(width)


def _bytes(avals):
    return sum([math.prod(shape) * dtype.itemsize for shape, dtype in avals])


def _amount(number):
    """A number with three digits and a unit of a power of 1000."""
    for unit in ("", " k", " M", " G", " T"):
        if number < 1000 or unit == " T":
            return f"{number:.3g}{unit}" if unit else str(number)
        number /= 1000


def _size(count):
    return f"{_amount(count)}B" if count >= 1000 else f"{count} B"
