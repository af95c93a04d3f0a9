"""Reduced precision: the Parameters of a Cell after `to_float`, and of its sub-cells, are cast while it runs."""

import contextlib

from ...engine.handle import Handle, scope, settled


class _Casts:
    """The casts of one thread.

    Attributes:
        traces (dict): the recording that has the casts of a Cell, by the Cell's id.
        originals (dict of Tensor): what was cast, by the id of the cast value.
        lowerings (list of _Lowering): the Cells whose Parameters are cast now.
    """

    def __init__(self):
        self.traces = {}
        self.originals = {}
        self.lowerings = []

    def original_of(self, handle):
        """The Tensor that ``handle`` is a cast of, or ``handle`` itself."""
        return self.originals.get(id(handle), handle)

    def cast_again(self, handle):
        """Gives the casts of a Tensor its new value, after a write to it."""
        for lowering in self.lowerings:
            lowering.cast_again(handle)


_NONE = object()


@contextlib.contextmanager
def lowered(cell):
    """Casts the float Tensors of a Cell and its sub-cells while ``construct`` runs; each to its own Cell's dtype.

    Those of sub-cells too, because ``construct`` may use them: an embedding table that is also the output layer's. In a
    recording of its own (a gradient by the Parameters) they are cast again, since that looks for the Parameters.
    Operations that write to a Parameter (`ops.assign_add`) get the original. What ``construct`` writes to a cast value
    in another way goes to the original at the end; elements that keep their value keep all digits. `Cell._statistics`
    are not cast.
    """
    trace, outer = scope.trace, scope.lowering
    casts = scope.lowering = outer or _Casts()
    if casts.traces.get(id(cell), _NONE) is trace:
        yield
        return
    lowerings = []
    try:
        for _, each in cell.cells_and_names():
            if each._compute_dtype is not None and casts.traces.get(id(each), _NONE) is not trace:
                lowerings.append(_Lowering(each, trace, casts))
        yield
        for lowering in lowerings:
            lowering.write_back()
    finally:
        for lowering in lowerings:
            lowering.undo()
        scope.lowering = outer


class _Lowering:
    """The cast attributes of one Cell."""

    def __init__(self, cell, trace, casts):
        self.attributes, self.key, self.active = cell.__dict__, id(cell), casts
        self.outer = casts.traces.get(self.key, _NONE)
        casts.traces[self.key] = trace
        casts.lowerings.append(self)
        self.casts = {}  # by name: the value before, the cast value, and the state that this has from the original
        for name, value in list(self.attributes.items()):
            if isinstance(value, Handle) and value.is_floating_point() and name not in cell._statistics:
                original = casts.original_of(value)  # cast in the outer recording
                cast = original.astype(cell._compute_dtype)
                if cast is not original:  # which has that dtype already
                    casts.originals[id(cast)] = original
                    self.casts[name] = value, cast, cast.own_state()
                    self.attributes[name] = cast

    def cast_again(self, original):
        """Gives the casts of ``original`` its value."""
        for name, (value, cast, _) in self.casts.items():
            if self.active.originals[id(cast)] is original:
                cast.write(original.astype(cast.dtype))
                self.casts[name] = value, cast, cast.own_state()

    def write_back(self):
        """Writes to the originals what was written to their cast values."""
        for _, cast, state in list(self.casts.values()):
            if cast.state() is not settled(state):
                original = self.active.originals[id(cast)]
                is_kept = type(cast)._wrap(state) == cast
                original.write(original.where(is_kept, cast.astype(original.dtype)))

    def undo(self):
        """Gives the attributes their values from before, unless ``construct`` has assigned others."""
        for name, (value, cast, _) in self.casts.items():
            if self.attributes.get(name) is cast:
                self.attributes[name] = value
            del self.active.originals[id(cast)]
        self.active.lowerings.remove(self)
        if self.outer is _NONE:
            del self.active.traces[self.key]
        else:
            self.active.traces[self.key] = self.outer


def lower(value, dtype):
    """``value`` with its float Tensors, also those in tuples and lists, cast to ``dtype``."""
    if isinstance(value, Handle):
        return value.astype(dtype) if value.is_floating_point() else value
    if type(value) in (tuple, list):
        return type(value)([lower(item, dtype) for item in value])
    return value
