"""The graph of a call: boxes for Cells and operations, groups for the Cells that are opened, edges for Tensors."""

import pathlib

from ..._contracts.check import refuse
from .calls import Call, Operation, is_of_user, recorded
from .drawing import drawn
from .layout import placed


class Box:
    """A box of the picture, at the place that `layout` gives it.

    Attributes:
        title, name (str): the class or operation, and the Cell's path from the one that calls it.
        avals (list): the ``(shape, dtype)`` of what it returns.
        kind (str): ``"input"``, ``"output"``, ``"operation"``, ``"layer"`` if it has Parameters, or ``"cell"``.
        group (Group): what it is in; None of the outermost Group.
        children (list): empty.
    """

    def __init__(self, title, name, avals, kind, group):
        self.title, self.name, self.avals, self.kind, self.group = title, name, avals, kind, group
        self.children = []

    def path(self):
        """The groups around it, outermost first, and itself."""
        return [*(self.group.path() if self.group else ()), self]


class Group(Box):
    """An opened Cell: a frame around what it calls and computes, its ``children``."""


class Picture:
    """A picture of a call: an SVG, which a notebook shows.

    Attributes:
        boxes (list of Box): inputs, Cells, operations and outputs.
        edges (list): pairs of Boxes; the second takes what the first returns.
        svg (str): the picture.
    """

    def __init__(self, call, depth):
        self._depth, self._made_by, self._sources = depth, {}, {}
        root = Group(call.kind, "", call.outputs, "cell", None)
        inputs = [self._box(root, "input", "", [aval], "input") for aval in call.inputs]
        self._open(call, root, 1)
        outputs = [self._box(root, "output", "", [aval], "output") for aval in call.outputs]
        self._sources |= {output: [source] for output, source in zip(outputs, call.results, strict=True)}
        self.edges = list(dict.fromkeys(self._edges(inputs)))
        self.boxes = self._connected(inputs, outputs)
        self.edges = [edge for edge in self.edges if {*edge} <= {*self.boxes}]
        _prune(root, set(self.boxes))
        self.title = call.kind
        self.svg = drawn(root, self.edges, placed(root, self.edges))

    def __repr__(self):
        return f"Picture of {self.title} ({len(self.boxes)} boxes): a notebook shows it, save('net.svg') writes it."

    def _repr_svg_(self):
        """The picture, for a notebook."""
        return self.svg

    def save(self, path):
        """Writes the picture to a file.

        Args:
            path (str | os.PathLike): of a file whose name ends in ``.svg``.
        Raises:
            ValueError: if it does not.
        """
        if pathlib.Path(path).suffix != ".svg":
            refuse(ValueError, "save", "path", "one that ends in '.svg', which browsers and editors open", path)
        pathlib.Path(path).write_text(self.svg)

    def _box(self, group, *about):
        box = Box(*about, group)
        group.children.append(box)
        return box

    def _open(self, call, group, level):
        for each in call.inner:
            if isinstance(each, Operation):
                self._take(self._box(group, each.node.op.name, "", list(each.node.avals), "operation"), [each])
            elif self._opens(each, level):
                inner = Group(each.kind, each.name, each.outputs, "cell", group)
                group.children.append(inner)
                self._open(each, inner, level + 1)
            else:
                kind = "layer" if each.cell.parameters_dict() else "cell"
                self._take(self._box(group, each.kind, each.name, each.outputs, kind), each.operations())

    def _opens(self, call, level):
        cells = [each for each in call.inner if isinstance(each, Call)]
        if self._depth is not None:
            return bool(cells) and level < self._depth
        return is_of_user(call.cell) or bool(cells) and len(cells) == len(call.inner)

    def _take(self, box, operations):
        operations = list(operations)
        self._made_by.update(dict.fromkeys(operations, box))
        self._sources[box] = [source for each in operations for source in each.sources]

    def _edges(self, inputs):
        for box, sources in self._sources.items():
            for source in sources:
                origin = inputs[source] if isinstance(source, int) else self._made_by.get(source)
                if origin is not None and origin is not box:
                    yield origin, box

    def _connected(self, inputs, outputs):
        """The boxes on a path from an input to an output: not what is made of Parameters alone, or left unused."""
        following, before = {}, {}
        for origin, box in self.edges:
            following.setdefault(origin, []).append(box)
            before.setdefault(box, []).append(origin)
        kept = _reached(outputs, before)
        if inputs:
            kept &= _reached(inputs, following)
        return [box for box in (*inputs, *self._sources) if box in kept]


def graph(net, *args, depth=None, **kwargs):
    """Picture of what ``net(*args, **kwargs)`` computes: a graph of Cells and operations with their shapes, as SVG.

    The call is recorded, not run, and changes nothing, as with `summary`. The user's own classes, and Cells that only
    call others (``SequentialCell``), are frames around what they call; other Cells are boxes.

    Args:
        net (Cell): the network.
        args, kwargs: the arguments of a call.
        depth (int): how many levels of Cells are opened, whatever their classes: 1 shows those that ``net`` calls.
            Default: ``None``.
    Returns:
        Picture: shown by a notebook; ``save("net.svg")`` writes it, ``svg`` is its text.
    Raises:
        TypeError: if ``net`` is not a Cell. And what the call raises.
    Example:
        >>> from msgrad.tools import graph
        >>> picture = graph(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU()), ops.ones((2, 3)))
        >>> [box.title for box in picture.boxes]
        ['input', 'Dense', 'ReLU', 'output']
    """
    return Picture(recorded(net, args, kwargs, "graph"), depth)


def _reached(starts, following):
    found, waiting = set(), list(starts)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += following.get(each, ())
    return found


def _prune(group, kept):
    for each in group.children:
        if isinstance(each, Group):
            _prune(each, kept)
    group.children = [each for each in group.children if each in kept or each.children]
