"""Reduced precision: the Parameters of a Cell after `to_float`, and of its sub-cells, are cast while it runs."""

import contextlib

from ...engine.calls.reads import Versions
from ...engine.handle import Handle, scope, settled
from ...ops._core.calls.casts import cast_to, is_floating


class _Casts:
    """The casts of one thread.

    Attributes:
        traces (dict): the recording that has the casts of a Cell, by the Cell's id.
        originals (dict of Tensor): what was cast, by the id of the cast value.
        copies (dict of list): the casts of a Tensor (_Cast), by the Tensor's id.
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
        for each in self.copies.get(id(handle), ()):
            each.cast._write_(cast_to(handle, each.cast.aval[1]))
            each.state = each.cast._own_state_()


class _Cast:
    """A cast attribute of a Cell.

    Attributes:
        attributes, name: the ``__dict__`` of the Cell, and the name there.
        value, original, cast (Tensor): the attribute before; what was cast, which may be another where ``value`` is a
            cast itself; and its cast.
        state: what ``cast`` has from the original.
    """

    __slots__ = ("attributes", "name", "value", "original", "cast", "state")

    def __init__(self, attributes, name, value, original, cast):
        self.attributes, self.name, self.value, self.original, self.cast = attributes, name, value, original, cast
        self.state = cast._own_state_()


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
    in another way goes to the original at the end; elements that keep their value keep all digits. `Cell._statistics_`
    are not cast.
    """
    outer = scope.lowering
    casts = scope.lowering = outer or _Casts()
    lowering = _Lowering(casts)
    try:
        lowering.begin(_members(cell))
        yield
        lowering.write_back()
    finally:
        lowering.undo()
        scope.lowering = outer


def _members(cell):
    """The Cells in a Cell that compute in reduced precision, each with the names of the Tensors to be cast."""
    # Kept until an attribute of any Cell changes: the walk takes as long as a fifth of recording ResNet-50.
    latest, members = cell.__dict__.get("_lowered_members_", (None, None))
    if latest != Versions.latest:
        members = [(each, _names(each)) for _, each in cell.cells_and_names() if each._compute_dtype_ is not None]
        cell.__dict__["_lowered_members_"] = Versions.latest, members
    return members


def _names(cell):
    attributes = cell.__dict__.items()
    return [name for name, value in attributes if isinstance(value, Handle) and name not in cell._statistics_]


class _Lowering:
    """The casts of a Cell and its sub-cells, in one recording."""

    def __init__(self, active):
        self.active = active
        self.before = {}  # the recording that had the casts of a Cell before, by the Cell's id
        self.casts = []

    def begin(self, members):
        """Casts the Tensors of those Cells that have no casts in this recording."""
        trace, traces, originals, copies = scope.trace, self.active.traces, self.active.originals, self.active.copies
        for cell, names in members:
            key = id(cell)
            before = traces.get(key, _NONE)
            if before is trace:
                continue
            self.before[key] = before
            traces[key] = trace
            attributes, dtype = cell.__dict__, cell._compute_dtype_.numpy
            for name in names:
                value = attributes[name]
                if is_floating(value.aval[1]):
                    original = originals.get(id(value), value)  # cast in the outer recording
                    cast = cast_to(original, dtype)
                    if cast is not original:  # which has that dtype already
                        originals[id(cast)] = original
                        entry = _Cast(attributes, name, value, original, cast)
                        copies.setdefault(id(original), []).append(entry)
                        self.casts.append(entry)
                        attributes[name] = cast

    def write_back(self):
        """Writes to the originals what was written to their cast values."""
        for each in self.casts:
            cast, state = each.cast, each.state
            if cast._own_state_() is not state and cast._state_() is not settled(state):
                is_kept = type(cast)._wrap(state) == cast
                each.original._write_(each.original.where(is_kept, cast.astype(each.original.dtype)))

    def undo(self):
        """Gives the attributes their values from before, unless ``construct`` has assigned others."""
        traces, originals, copies = self.active.traces, self.active.originals, self.active.copies
        for each in self.casts:
            if each.attributes.get(each.name) is each.cast:
                each.attributes[each.name] = each.value
            del originals[id(each.cast)]
            copies[id(each.original)].remove(each)
        for key, before in self.before.items():
            if before is _NONE:
                del traces[key]
            else:
                traces[key] = before


def lower(value, dtype):
    """``value`` with its float Tensors, also those in tuples and lists, cast to ``dtype``."""
    if isinstance(value, Handle):
        return cast_to(value, dtype.numpy) if is_floating(value.aval[1]) else value
    if type(value) in (tuple, list):
        return type(value)([lower(item, dtype) for item in value])
    return value
