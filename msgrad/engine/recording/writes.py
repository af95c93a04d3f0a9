"""Writes of a recording to handles: logging, rollback after errors, and publication to other threads."""

import weakref
from typing import Any

from ..foreign_tracing import check_writes
from ..handle import INDIRECT, Handle, Promise, publish, scope
from .links import ValueLink
from .part import Part

_NO_CALLER = None, None


class Writes(Part):
    """The part of a `Trace` that logs its writes.

    Attributes:
        writes (dict): handles that were written to, with what `Handle._recorded_` said before, by the handle's id.
        versions (dict): the links of the values that a handle was given here, with a weak reference to it, by its id;
            only in a recording that is transformed.
        left (list): the handles from outside that left the storage they shared, with the View to go back to.
        logs_calls (bool): whether the calls of all Cells are kept in ``passes``, not only of those that ask for it.
        passes, undo_logs (list): the calls that a gradient may take over, and the dictionaries of those under way,
            which get what `Handle._recorded_` said before each first write; see `forward_reuse`.
        draws (list): the `Draw`s of the calls under way and before, each with whose it is.
        repeated (deque): the draws of the call that this gradient takes over, which its own calls have in turn.
    """

    logs_calls = False
    undo_logs: Any = ()
    passes: Any = ()
    draws: Any = ()
    repeated: Any = ()

    def log_write(self, handle, new):
        """Logs that ``handle`` gets the state ``new``."""
        before = handle._recorded_()
        if self.is_transformed and type(new) is Promise and (new.trace is self or new.trace.owner is self):
            self._log_version(handle, new)
        self.remember(handle, before)

    def _log_version(self, handle, new):
        reference, links = self.versions.get(id(handle), (None, None))
        # The id of a handle that is gone may be another's by now: the weak reference tells.
        if reference is None or reference() is not handle:
            links = []
            self.versions[id(handle)] = weakref.ref(handle), links
        if new.index < 0:
            links.append(new.trace.link_of(new.index))
        else:  # made without a Python call, for each statistic of a training step
            links.append(tuple.__new__(ValueLink, (new.trace.number, new.index)))

    def write_all(self, handles, values):
        """Writes each of ``values``, results of operations, to one of ``handles``."""
        # A training step writes all Parameters and slots, or the statistics of each layer: what `Handle._write_` does
        # for a concrete handle that shares no storage is written out here, in place of 8 calls for each.
        written, writes, callers = scope.written, self.writes, self._all_callers()
        is_logged, lowering = self.undo_logs or self.rebound, scope.lowering
        for handle, value in zip(handles, values, strict=True):
            new = value._state
            is_usual = type(new) is Promise and new.trace is self and new.value is None and not is_logged
            key = id(handle)
            is_shared = handle._view or handle._part or handle._sharding or key in callers
            if not is_usual or is_shared or type(handle._state) in INDIRECT:
                Handle._write_(handle, value)
                continue
            if self.is_transformed:
                self._log_version(handle, new)
            if key not in writes:
                writes[key] = handle, written.get(key)
            written[key] = handle, new
            if lowering is not None:
                lowering.cast_again(handle)

    def _all_callers(self):
        """The handles that stand for inputs of this recording or of an enclosing one, as in `Leaves.callers`."""
        callers, trace = self.callers, self.outer
        while trace is not None:
            if trace.callers:
                callers = {**trace.callers, **callers}
            trace = trace.outer
        return callers

    def pass_on(self, handle):
        """Writes the new value of ``handle``, if it stands for an input, to the caller's, as MindSpore does."""
        callers = self._all_callers()
        _, caller = callers.get(id(handle), _NO_CALLER)
        if caller is None:
            return
        caller._write_(handle)
        # Views of the caller's follow it, and those are others at each call, so no Plan can name them.
        if caller._view is not None:
            self.outermost().has_host_read = True
        # One Tensor may be passed twice: both stand-ins are the caller's one Tensor.
        for other, its_caller in list(callers.values()):
            if its_caller is caller and other is not handle:
                other._become(handle)

    def detach(self, handle):
        """Ends that ``handle`` stands for an input: it gets storage of its own, and the caller's stays unchanged."""
        trace = self
        while trace is not None:
            trace.callers.pop(id(handle), None)
            trace = trace.outer

    def remember(self, handle, before):
        """Keeps `Handle._recorded_` from before the first write, unless the handle was made in this recording."""
        if type(before) is not Promise and handle._can_be_undone:
            # Only the first write counts, since a gradient that takes the call over goes back to before all of them.
            for log in self.undo_logs:
                log.setdefault(id(handle), (handle, before))
        if id(handle) in self.writes:
            return
        if id(handle) in self.rebound:
            # A stand-in for an input goes back to what it was before it stood for one.
            self.writes[id(handle)] = self.rebound[id(handle)]
        elif type(before) is not Promise or before.trace.owner is not self:
            self.writes[id(handle)] = handle, before

    def versions_of(self, handle):
        """The links of the values that ``handle`` was given in this recording."""
        reference, links = self.versions.get(id(handle), (None, ()))
        return links if reference is not None and reference() is handle else ()

    def undo_write(self, handle):
        """Undoes the writes to one handle."""
        # Out of ``writes`` first, so that nothing takes it back a second time.
        _, before = self.writes.pop(id(handle))
        handle._set_recorded_(before)

    def rollback(self):
        """Restores every written handle to its state from before the recording."""
        for handle, before in self.writes.values():
            handle._set_recorded_(before)

    def check_writes(self, results):
        """Raises if a handle that was written to would outlive ``results``, as under the user's ``jax.jit``."""
        if self.writes:
            check_writes([handle for handle, _ in self.writes.values()], results)

    def publish(self):
        """Makes the writes of the outermost recording, which has run, visible to all threads."""
        publish([handle for handle, _ in self.writes.values()])
