"""Where an operation belongs: the path of the Cell that is being called, and the user's line."""

import contextlib
import re
import sys

from ...engine.user_code import place
from ...nn._cell import error_notes
from ...nn.cell import Cell

_ORIGIN = re.compile(r"([\w.]+)\[([^\[\]|]*)\|([^\[\]]*)\]")


class Calls:
    """The Cells that are being called, outermost first, while this context is open."""

    def __init__(self):
        self._cells, self._paths = [], [""]
        self._known = {}  # paths by the ids of the Cells on them, and those Cells, whose ids would be others' otherwise

    @contextlib.contextmanager
    def followed(self):
        """Follows the calls of Cells."""
        call = Cell.__call__

        def followed(cell, *args, **kwargs):
            self._cells.append(cell)
            self._paths.append(self._path())
            try:
                return call(cell, *args, **kwargs)
            finally:
                self._cells.pop()
                self._paths.pop()

        Cell.__call__ = followed
        try:
            yield self
        finally:
            Cell.__call__ = call

    def origin(self):
        """The Cell and the line of an operation that is recorded now, as `origins` reads them."""
        return f"{self._paths[-1]}|{place() or ''}"

    def _path(self):
        key = tuple(map(id, self._cells))
        if key not in self._known:
            self._known[key] = _shown(error_notes.path_of(self._cells, sys._getframe(1))), [*self._cells]
        return self._known[key][0]


def _shown(path):
    """A path without the Cells of msgrad's own around the user's (``_OutputTo32._backbone``)."""
    return ".".join([name for name in path.split(".") if not name.startswith("_")])


class Origin(tuple):
    """``(operation, path of the Cell, line, is_backward)``."""

    __slots__ = ()
    operation, path, line, is_backward = (property(lambda self, k=k: self[k]) for k in range(4))


def origin_of(name):
    """The `Origin` that a name of XLA's or JAX's tells (``jit(f)/transpose(jvp(matmul[net.head|train.py:12]))/dot``).

    Several are nested where an operation is made of others: the innermost with a line counts.
    """
    found = _ORIGIN.findall(name)
    is_backward = "transpose(" in name
    for operation, path, line in reversed(found):
        if path or line:
            return Origin((operation, path, line, is_backward))
    return Origin((name.rpartition("/")[2], "", "", is_backward))
