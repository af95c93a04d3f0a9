"""Leaves: inputs of a recording, and the handles that they came from."""

from typing import Any

from ... import _upcalls
from ..handle import INDIRECT, Promise, aval_of, scope, settled
from ..uncropped import Uncropped
from .links import Link, ValueLink, number_of_leaf
from .part import Part
from .results import wrap

MSG_THREAD = (
    "This tensor is part of a function that another thread is differentiating, where operations of this thread would "
    "not count. Compute it in that thread, or hand its values over: x.asnumpy()."
)

_new = object.__new__
_SETTLING = Promise, Uncropped  # states that another one with the same value may replace


class Leaves(Part):
    """The part of a `Trace` that keeps its leaves.

    Attributes:
        leaf_states, leaf_handles (list): what came from outside, and the handle it came from (None for a constant).
        leaf_index (dict): the leaf's link, by the handle's id.
        earlier (dict): the links of the leaves of a handle whose value from outside changed since, by the handle's id.
        inputs (list of Promise): the leaves that stand for arguments.
        constants (list of Promise): the leaves for arrays that no handle owned, or that another handle was given.
        callers (dict): the stand-ins for inputs, each with the handle that it stands for, by the stand-in's id.
        rebound (dict): the handles that stand for an input, with what `Handle._recorded_` said before, by their ids.
        placeholder_avals (dict): the shape and dtype of the leaves that have no value, by their links.
        bound (dict): the operands that placeholders stand for, by leaf position.
    """

    leaf_states: Any = None
    leaf_handles: Any = None

    def place(self, handle, state=None):
        """The index of a handle's value in this recording; a value from outside becomes a leaf at its first use.

        ``state`` is the handle's value at an earlier moment, if that is meant; without a handle it is a constant.
        """
        handle_id = id(handle)
        if state is not None:
            state = settled(state, is_cropped=False)
        else:
            state = handle._state
            # Most operands are values of this very segment: they cost no call.
            if type(state) is Promise and state.trace is self and state.value is None:
                return state.index
            if type(state) in INDIRECT or handle_id in scope.written:
                state = handle._state_(is_cropped=False)
        if type(state) is Promise:
            home = state.trace
            if home is self:
                return state.index
            # A value of a segment before this one, which the open segment takes as a leaf.
            if home.owner is self:
                return self.leaf_of(home.link_of(state.index))
        # At its first use, as most are: `leaf_link` need not check whether it has changed since.
        if handle is not None and handle_id not in self.leaf_index:
            self.leaf_index[handle_id] = -len(self.leaf_states) - 1
            return self._new_leaf(state, handle)
        return self.leaf_of(self.leaf_link(handle, state))

    def indices_of(self, handles):
        """The indices of the values of ``handles``, as `place` gives them one by one."""
        # Every operation comes through here. What `place` and `_new_leaf` do for values of this recording and for
        # concrete ones is written out, since a training step of BERT-tiny has 220 of them.
        written, indices = scope.written, []
        leaf_index, leaf_states, link_indices = self.leaf_index, self.leaf_states, self.link_indices
        for handle in handles:
            state = handle._state
            if type(state) is Promise:
                indices.append(state.index if state.trace is self else self.place(handle))
                continue
            handle_id = id(handle)
            if type(state) in INDIRECT or handle_id in written:
                indices.append(self.place(handle))
                continue
            link = leaf_index.get(handle_id)
            if link is not None:
                is_known = leaf_states[~link] is state and link in link_indices
                indices.append(link_indices[link] if is_known else self.place(handle))
                continue
            step = self.step
            latest, following = step.latest_leaf
            self.step = following if latest is getattr(state, "aval", state) else step.after_leaf(state)
            leaf_states.append(state)
            self.leaf_handles.append(handle)
            link = leaf_index[handle_id] = -len(leaf_states)
            self.links.append(link)
            index = link_indices[link] = -len(self.links)
            indices.append(index)
        return indices

    def outer_index(self, position):
        """The index, in the recording around, of one of the leaves."""
        state = self.leaf_states[position]
        if state is None:
            return self.outer.place(self.bound[position])
        # By its state as it was recorded: the handle may have been written to since.
        return self.outer.place(self.leaf_handles[position], state)

    def outer_indices(self):
        """The indices, in the recording around, of all leaves."""
        written, alike, unplaced = scope.written, [], []
        for position, (handle, state) in enumerate(zip(self.leaf_handles, self.leaf_states, strict=True)):
            if handle is None or handle._state is not state or type(state) is Promise or id(handle) in written:
                unplaced.append(position)
            else:
                alike.append(handle)
        indices = self.outer.indices_of(alike)
        for position in unplaced:
            indices.insert(position, self.outer_index(position))
        return indices

    def leaf_link(self, handle, state) -> Link:
        """The link of the leaf for a value from outside.

        Leaves are told apart by handle, not by value: two Parameters that happen to share an array are two leaves.
        """
        if handle is None:
            return self.constant_leaf(state)
        link = self.leaf_index.get(id(handle))  # ids are safe: `leaf_handles` keeps the handles alive
        if link is not None:
            earlier_state = self.leaf_states[~link]
            # Unchanged, or a Promise that has been computed or a value that was cut since: one leaf, so one gradient.
            if earlier_state is state or type(earlier_state) in _SETTLING and _is_of(earlier_state, state):
                return link
            # It has a new value from outside, which is another leaf; the gradients of both are added up.
            self.earlier.setdefault(id(handle), []).append(link)
        if type(state) is Promise:
            self._check_thread(state)
        self.leaf_states.append(state)
        self.leaf_handles.append(handle)
        link = self.leaf_index[id(handle)] = -len(self.leaf_states)
        return link

    def constant_leaf(self, state) -> Link:
        """The link of a new leaf for a value that no handle owns."""
        self.leaf_states.append(state)
        self.leaf_handles.append(None)
        return -len(self.leaf_states)

    def _check_thread(self, promise):
        """Raises for a value that another thread is recording in order to differentiate it."""
        home = promise.trace.owner
        if home.is_transformed and home.thread != self.thread and not home.is_abandoned:
            raise RuntimeError(MSG_THREAD)

    def _new_leaf(self, state, handle, aval=None):
        if type(state) is Promise:
            self._check_thread(state)
        # A leaf is a Step as operations are, so recordings with other shapes diverge here for good.
        if aval is None:
            step = self.step
            latest, following = step.latest_leaf
            self.step = following if latest is getattr(state, "aval", state) else step.after_leaf(state)
        else:
            self.step = self.step.following.get(aval) or self.step.grow_leaf(aval)
        self.leaf_states.append(state)
        self.leaf_handles.append(handle)
        link = -len(self.leaf_states)
        self.links.append(link)
        index = self.link_indices[link] = -len(self.links)
        return index

    def input(self, handle):
        """A new handle on a leaf of its own, bound to the value of ``handle``."""
        state = handle._state
        if type(state) in INDIRECT or id(handle) in scope.written:
            state = handle._state_(is_cropped=False)
        promise = Promise(self, self._new_leaf(state, handle), self.step.leaf)
        self.inputs.append(promise)
        stand_in = _upcalls.Result._wrap(promise)
        if handle._hooks:
            stand_in._hooks = handle._hooks
        self.callers[id(stand_in)] = stand_in, handle
        return stand_in

    def rebind(self, handle):
        """Makes ``handle`` itself an input of this recording until it closes."""
        promise = Promise(self, self._new_leaf(handle._state_(is_cropped=False), handle), self.step.leaf)
        self.inputs.append(promise)
        self.rebound[id(handle)] = handle, handle._recorded_()
        handle._set_recorded_(promise)

    def restore(self):
        """Restores rebound handles; one that was written to keeps the new value."""
        for key, (handle, before) in self.rebound.items():
            if key not in self.writes:
                handle._set_recorded_(before)

    def placeholder(self, aval, operand=None):
        """A handle on a leaf with shape and dtype but no value while recording; later ``operand`` is its value."""
        self.placeholder_avals[-len(self.leaf_states) - 1] = aval
        self.bound[len(self.leaf_states)] = operand
        return wrap(Promise(self, self._new_leaf(None, None, aval), aval))

    def constant(self, array):
        """A handle on a leaf of its own for an array that no handle owns (a Python number)."""
        # What `_new_leaf` does is written out, with the constructors: a layer norm has one, and so has `x * 0.5`.
        step, states = self.step, self.leaf_states
        latest, following = step.latest_leaf
        self.step = step = following if latest is getattr(array, "aval", array) else step.after_leaf(array)
        states.append(array)
        self.leaf_handles.append(None)
        link = -len(states)
        self.links.append(link)
        promise = _new(Promise)
        promise.trace, promise.index, promise.aval, promise.value = self, -len(self.links), step.leaf, None
        self.link_indices[link] = promise.index
        self.constants.append(promise)
        handle: Any = _new(_upcalls.Result)
        handle._state = promise
        return handle

    def adopt(self, handle):
        """The value of ``handle`` as a Promise of this recording, to be given to another handle."""
        state = handle._state
        if type(state) is Promise and state.trace is self and state.value is None:
            return state
        state = handle._state_(is_cropped=False)
        if type(state) is Promise and state.trace.owner is self:
            return state
        # Among the constants, for `keep_inputs` to give it its value when the recording ends.
        promise = Promise(self, self.place(handle), handle.aval)
        self.constants.append(promise)
        return promise

    def aval_of(self, index):
        return self.promises[index].aval if index >= 0 else self.aval_of_link(self.links[~index])

    def aval_of_link(self, link: Link):
        """The ``(shape, dtype)`` of a leaf of the recording, or of a value of a closed segment."""
        if isinstance(link, ValueLink):
            return (self if link.number == self.number else self.segments[link.number]).aval_of(link.index)
        state = self.leaf_states[number_of_leaf(link)]
        return self.placeholder_avals[link] if state is None else aval_of(state)

    def keep_inputs(self):
        """Gives handles on inputs and constants that outlive the recording these values."""
        for promise in (*self.inputs, *self.constants):
            # Without a trace it has been settled by a host read. A trace may be a closed segment with indices of its
            # own.
            if promise.trace is not None:
                promise.value = self.leaf_states[~promise.trace.links[~promise.index]]
                promise.trace = None


def _is_of(earlier, state):
    """Whether ``state`` is the value of a state that it has replaced."""
    return settled(earlier, is_cropped=False) is state or settled(earlier) is state
