"""Reduced precision: the Parameters of a Cell after `to_float`, and of its sub-cells, are cast while it runs."""

import contextlib
import threading

from ...engine.handle import Handle, scope, settled


class _Active(threading.local):
    """The Cells of this thread whose Parameters are cast now: the recording that has the casts, by the Cell's id.

    Attributes:
        originals (dict of Tensor): what was cast, by the id of the cast value.
    """

    def __init__(self):
        self.traces = {}
        self.originals = {}


_active = _Active()
_NONE = object()


@contextlib.contextmanager
def lowered(cell):
    """Casts the float Tensors of a Cell and its sub-cells while ``construct`` runs; each to its own Cell's dtype.

    Those of sub-cells too, because ``construct`` may use them: an embedding table that is also the output layer's. In a
    recording of its own (a gradient by the Parameters) they are cast again, since that looks for the Parameters.
    What ``construct`` writes to a cast value goes to the original at the end; elements that keep their value keep all
    digits. `Cell._statistics` are not cast.
    """
    trace = scope.trace
    if _active.traces.get(id(cell), _NONE) is trace:
        yield
        return
    lowerings = []
    try:
        for _, each in cell.cells_and_names():
            if each._compute_dtype is not None and _active.traces.get(id(each), _NONE) is not trace:
                lowerings.append(_Lowering(each, trace))
        yield
        for lowering in lowerings:
            lowering.write_back()
    finally:
        for lowering in lowerings:
            lowering.undo()


class _Lowering:
    """The cast attributes of one Cell."""

    def __init__(self, cell, trace):
        self.attributes, self.key = cell.__dict__, id(cell)
        self.outer = _active.traces.get(self.key, _NONE)
        _active.traces[self.key] = trace
        self.casts = []
        for name, value in list(self.attributes.items()):
            if isinstance(value, Handle) and value.is_floating_point() and name not in cell._statistics:
                original = _active.originals.get(id(value), value)  # cast in the outer recording
                cast = original.astype(cell._compute_dtype)
                if cast is not original:  # which has that dtype already
                    _active.originals[id(cast)] = original
                    self.casts.append((name, value, cast, cast.own_state()))
                    self.attributes[name] = cast

    def write_back(self):
        """Writes to the originals what was written to their cast values."""
        for _, _, cast, state in self.casts:
            if cast.state() is not settled(state):
                original = _active.originals[id(cast)]
                is_kept = type(cast)._wrap(state) == cast
                original.write(original.where(is_kept, cast.astype(original.dtype)))

    def undo(self):
        """Gives the attributes their values from before, unless ``construct`` has assigned others."""
        for name, value, cast, _ in self.casts:
            if self.attributes.get(name) is cast:
                self.attributes[name] = value
            del _active.originals[id(cast)]
        if self.outer is _NONE:
            del _active.traces[self.key]
        else:
            _active.traces[self.key] = self.outer


def lower(value, dtype):
    """``value`` with its float Tensors, also those in tuples and lists, cast to ``dtype``."""
    if isinstance(value, Handle):
        return value.astype(dtype) if value.is_floating_point() else value
    if type(value) in (tuple, list):
        return type(value)([lower(item, dtype) for item in value])
    return value
