"""Reduced precision: the Parameters of a Cell after `to_float`, and of its sub-cells, are cast while it runs."""

import contextlib

from ...engine.calls.reads import Versioned
from ...engine.handle import Handle, scope, settled
from ...ops._core.casts import cast_to, is_floating


class _Casts:
    """The casts of one thread.

    Attributes:
        traces (dict): the recording that has the casts of a Cell, by the Cell's id.
        originals (dict of Tensor): what was cast, by the id of the cast value.
        copies (dict of list): the casts of a Tensor, each as its _Lowering and name, by the Tensor's id.
    """

    def __init__(self):
        self.traces = {}
        self.originals = {}
        self.copies = {}

    def original_of(self, handle):
        """The Tensor that ``handle`` is a cast of, or ``handle`` itself."""
        return self.originals.get(id(handle), handle)

    def cast_again(self, handle):
        """Gives the casts of a Tensor its new value, after a write to it."""
        for lowering, name in self.copies.get(id(handle), ()):
            lowering.cast_again(name, handle)


_NONE = object()


def is_lowered(cell):
    """Whether the Tensors of a Cell are cast already, in this recording."""
    return scope.lowering is not None and scope.lowering.traces.get(id(cell), _NONE) is scope.trace


@contextlib.contextmanager
def lowered(cell):
    """Casts the float Tensors of a Cell and its sub-cells while ``construct`` runs; each to its own Cell's dtype.

    Those of sub-cells too, because ``construct`` may use them: an embedding table that is also the output layer's. In a
    recording of its own (a gradient by the Parameters) they are cast again, since that looks for the Parameters.
    Operations that write to a Parameter (`ops.assign_add`) get the original. What ``construct`` writes to a cast value
    in another way goes to the original at the end; elements that keep their value keep all digits. `Cell._statistics`
    are not cast.
    """
    outer = scope.lowering
    casts = scope.lowering = outer or _Casts()
    lowerings = []
    try:
        for each, names in _members(cell):
            if not is_lowered(each):
                lowerings.append(_Lowering(each, names, casts))
        yield
        for lowering in lowerings:
            lowering.write_back()
    finally:
        for lowering in lowerings:
            lowering.undo()
        scope.lowering = outer


def _members(cell):
    """The Cells in a Cell that compute in reduced precision, each with the names of the Tensors to be cast."""
    # Kept until an attribute of any Cell changes: the walk takes as long as a fifth of recording ResNet-50.
    latest, members = cell.__dict__.get("_lowered_members", (None, None))
    if latest != Versioned.latest:
        members = [(each, _names(each)) for _, each in cell.cells_and_names() if each._compute_dtype is not None]
        cell.__dict__["_lowered_members"] = Versioned.latest, members
    return members


def _names(cell):
    attributes = cell.__dict__.items()
    return [name for name, value in attributes if isinstance(value, Handle) and name not in cell._statistics]


class _Lowering:
    """The cast attributes of one Cell."""

    def __init__(self, cell, names, casts):
        self.attributes, self.key, self.active = cell.__dict__, id(cell), casts
        self.outer = casts.traces.get(self.key, _NONE)
        casts.traces[self.key] = scope.trace
        self.casts = {}  # by name: the value before, the cast value, and the state that this has from the original
        dtype = cell._compute_dtype.numpy
        for name in names:
            value = self.attributes[name]
            if is_floating(value.aval[1]):
                original = casts.original_of(value)  # cast in the outer recording
                cast = cast_to(original, dtype)
                if cast is not original:  # which has that dtype already
                    casts.originals[id(cast)] = original
                    casts.copies.setdefault(id(original), []).append((self, name))
                    self.casts[name] = value, cast, cast.own_state()
                    self.attributes[name] = cast

    def cast_again(self, name, original):
        """Gives the cast ``name`` of ``original`` its value."""
        value, cast, _ = self.casts[name]
        cast.write(cast_to(original, cast.aval[1]))
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
            original = self.active.originals.pop(id(cast))
            self.active.copies[id(original)].remove((self, name))
        if self.outer is _NONE:
            del self.active.traces[self.key]
        else:
            self.active.traces[self.key] = self.outer


def lower(value, dtype):
    """``value`` with its float Tensors, also those in tuples and lists, cast to ``dtype``."""
    if isinstance(value, Handle):
        return cast_to(value, dtype.numpy) if is_floating(value.aval[1]) else value
    if type(value) in (tuple, list):
        return type(value)([lower(item, dtype) for item in value])
    return value
