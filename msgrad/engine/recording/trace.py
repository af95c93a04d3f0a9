"""Recording: `apply` is the one function through which every operation of the whole API reaches JAX."""

import itertools
import sys
import threading
import weakref

from .. import observation
from ..errors import NoValueError
from ..execution import execute
from ..foreign_tracing import check_writes
from ..handle import INDIRECT, Handle, Promise, aval_of, publish, scope, settled
from .program import Step
from .segment import Segment, check_groups

_MSG_ESCAPED = (
    "This tensor was made inside a transformed function (vmap, jvp, ...) and left it by a side effect, so it has no "
    "value outside. Return it from the function instead."
)


_MSG_COLLECTIVE = (
    "The value of a tensor that is computed with a collective is needed where the collective would run a second time: "
    "in a reverse rule, in another thread, or after an error. Look at the value where it is computed."
)
_MSG_THREAD = (
    "This tensor is part of a function that another thread is differentiating, where operations of this thread would "
    "not count. Compute it in that thread, or hand its values over: x.asnumpy()."
)


class _Classes:
    """The class of the handles that operations return; the Tensor module sets it."""

    result = Handle


def set_result_class(cls):
    """Makes operations return handles of class ``cls``."""
    _Classes.result = cls


def result_class():
    """The class of the handles that operations return."""
    return _Classes.result


def wrap(state):
    """A handle, of the class that operations return, on a concrete array or a Promise."""
    return _Classes.result._wrap(state)


def wrapped(states):
    """Handles, as `wrap` makes one, on each of a list of states."""
    cls = _Classes.result
    handles = list(map(cls.__new__, itertools.repeat(cls, len(states))))
    for handle, state in zip(handles, states, strict=True):
        handle._state = state
    return handles


def apply(op, operands, static=()):
    """Records ``op`` in the open Trace, or runs it at once when there is none.

    Args:
        op (Op): the operation.
        operands (sequence of Handle): its array operands.
        static (hashable): everything else that selects the computation.
    Returns:
        Handle, or a tuple of Handles for an operation of several results.
    """
    if scope.casting is not None:
        return scope.casting(op, operands, static)
    trace = scope.trace
    if trace is None:
        arrays = []
        for h in operands:
            state = h._state
            arrays.append(_arrived(h.state()) if type(state) in INDIRECT or scope.written else state)
        result = execute.launch(op, static, arrays)
        return tuple(wrapped(result)) if type(result) in (tuple, list) else _Classes.result._wrap(result)
    if scope.saving is not None:
        return scope.saving(op, operands, static)
    key = [op, static]
    for h in operands:
        state = h._state
        key.append(state.index if type(state) is Promise and state.trace is trace else trace.place(h))
    return trace.record(tuple(key))


def recorded_since(count):
    """Handles on the values that the open Trace has recorded since it had ``count``, those that something refers to."""
    trace = scope.trace
    return [wrap(promise) for promise in trace.live() if promise.index >= count]


def _arrived(state):
    """The array of an operand outside recordings, where a Promise is another thread's."""
    if type(state) is not Promise:
        return state
    if state.trace.owner.is_transformed and state.trace.owner.leaf_states is not None:
        raise RuntimeError(_MSG_THREAD)
    if observation.observer is not None:
        observation.observer.host_read()
    return state.trace.compute(state)


class Trace(Segment):
    """An open recording, and the segment of it that is being recorded.

    Attributes, besides those of a `Segment`:
        site (tuple | str): what opened it, for the accounting of recompilations: its name, and what tells it apart from
            others of that name; None for what is part of another's step.
        outer (Trace): the recording that this one is part of, or None.
        thread (int): the thread that records.
        segments (list of Segment): what was recorded before the last host read.
        replayed (Node): the operation of an earlier segment that is being recorded again, or None.
        moved (dict): the indices of what they recorded, by link, where they were joined into one Program again.
        leaf_states, leaf_handles (list): what came from outside, and the handle it came from (None for a constant).
        leaf_index (dict): the leaf's link, by the handle's id.
        earlier (dict): the links of the leaves of a handle whose value from outside changed since, by the handle's id.
        inputs (list of Promise): the leaves that stand for arguments.
        constants (list of Promise): the leaves for arrays that no handle owned, or that another handle was given.
        bound (dict): the operands that placeholders stand for, by leaf position.
        versions (dict): the links of the values that a handle was given here, with a weak reference to it, by its id.
        writes (dict): handles that were written to, with what `Handle.recorded` said before, by the handle's id.
        left (list): the handles from outside that left the storage they shared, with the View to go back to.
        rebound (dict): the handles that stand for an input, likewise.
        is_kept (bool): whether several derivatives are taken of it, so that `forget` drops nothing.
        orders (int): how many derivatives may be taken of it; None where the recordings around it tell.
        has_host_read (bool): whether Python has read a value, so that the recording may depend on it.
        exchanging (tuple): the `promises` of the last segment with collectives, and their group; see `collective`.
        is_varying (bool): whether positions in tensors are operands: as constants they make a new program each time.
        is_closed (bool): whether it is being transformed, so that a host read must leave it as it is.
        is_abandoned (bool): whether an error ended it; its values are computed when they are read.
        logs_calls (bool): whether the calls of all Cells are kept in ``passes``, not only of those that ask for it.
        passes, journals (list): the calls that a gradient may take over, and the dictionaries of those under way, which
            get what `Handle.recorded` said before each first write; see `forward_reuse`.
    """

    is_transformed = True
    is_opaque = False
    shares = False  # whether views made here share storage
    is_kept = False
    orders = None
    moved = replayed = exchanging = None
    has_host_read = False
    is_closed = False
    is_abandoned = False
    thread = leaf_states = leaf_handles = None
    logs_calls = False
    journals = passes = ()

    # Not an attribute: a Trace that referred to itself would live, with its arrays, until Python collects garbage.
    owner = property(lambda self: self)

    def __init__(self, site="", outer=None):
        self.site = site
        self.outer = outer
        self.thread = threading.get_ident()
        self.segments = []
        self.leaf_states = []
        self.leaf_handles = []
        self.leaf_index = {}
        self.earlier = {}
        self.inputs = []
        self.constants = []
        self.rebound = {}
        self.placeholder_avals = {}
        self.bound = {}
        self.versions = {}
        self.writes = {}
        self.left = []
        about_site = execute.opened(site)
        self.is_varying = about_site.is_varying if outer is None else outer.is_varying
        self.begin()

    def begin(self):
        """Starts an empty segment."""
        self.number = len(self.segments)
        self.step = Step.root()
        self.promises = []
        self.links = []
        self.link_indices = {}
        self.hooks = {}
        self.values = {}
        self.deferred = []

    # -- recording ------------------------------------------------------------------------------------------------

    def record(self, key):
        """Adds the operation ``key`` = ``(op, static, *value indices)``; returns handles on its results."""
        step = self.step
        self.step = step = step.following.get(key) or step.grow(key, [self.aval_of(index) for index in key[2:]])
        node = step.node
        if observation.observer is not None:
            observation.observer.recorded(node, self.replayed)
        promises, handles = self.promises, []
        cls, new = _Classes.result, object.__new__
        for aval in node.avals:  # constructors written out: every recorded value comes through here
            promise = new(Promise)
            promise.trace, promise.index, promise.aval, promise.value = self, len(promises), aval, None
            promises.append(promise)
            handle = new(cls)
            handle._state = promise
            handles.append(handle)
        return handles[0] if node.single else tuple(handles)

    def place(self, handle, state=None):
        """The index of a handle's value in this recording; a value from outside becomes a leaf at its first use.

        ``state`` is the handle's value at an earlier moment, if that is meant; without a handle it is a constant.
        """
        handle_id = id(handle)
        if state is not None:
            state = settled(state)
        else:
            state = handle._state
            if type(state) is Promise and state.trace is self and state.value is None:
                return state.index
            if type(state) in INDIRECT or handle_id in scope.written:
                state = handle.state()
        if type(state) is Promise:
            home = state.trace
            if home is self:
                return state.index
            if home.owner is self:
                return self.leaf_of(home.link_of(state.index))
        if handle is not None and handle_id not in self.leaf_index:
            self.leaf_index[handle_id] = -len(self.leaf_states) - 1
            return self._new_leaf(state, handle)
        return self.leaf_of(self.leaf_link(handle, state))

    def leaf_link(self, handle, state):
        """The link of the leaf for a value from outside.

        Leaves are told apart by handle, not by value: two Parameters that happen to share an array are two leaves.
        """
        if handle is None:
            return self.constant_leaf(state)
        link = self.leaf_index.get(id(handle))
        if link is not None:
            known = self.leaf_states[~link]
            if known is state or type(known) is Promise and settled(known) is state:
                return link
            self.earlier.setdefault(id(handle), []).append(link)
        if type(state) is Promise:
            self._check_thread(state)
        self.leaf_states.append(state)
        self.leaf_handles.append(handle)
        link = self.leaf_index[id(handle)] = -len(self.leaf_states)
        return link

    def constant_leaf(self, state):
        """The link of a new leaf for a value that no handle owns."""
        self.leaf_states.append(state)
        self.leaf_handles.append(None)
        return -len(self.leaf_states)

    def _check_thread(self, promise):
        """Raises for a value that another thread is recording in order to differentiate it."""
        home = promise.trace.owner
        if home.is_transformed and home.thread != self.thread and not home.is_abandoned:
            raise RuntimeError(_MSG_THREAD)

    def _new_leaf(self, state, handle, aval=None):
        if type(state) is Promise:
            self._check_thread(state)
        if aval is None:
            aval = getattr(state, "aval", state)
            if type(aval) is not tuple:
                aval = aval.shape, aval.dtype
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
            state = handle.state()
        promise = Promise(self, self._new_leaf(state, handle), self.step.leaf)
        self.inputs.append(promise)
        stand_in = _Classes.result._wrap(promise)
        if handle._hooks:
            stand_in._hooks = handle._hooks
        return stand_in

    def rebind(self, handle):
        """Makes ``handle`` itself stand for an input of this recording until it closes."""
        promise = Promise(self, self._new_leaf(handle.state(), handle), self.step.leaf)
        self.inputs.append(promise)
        self.rebound[id(handle)] = handle, handle.recorded()
        handle.set_recorded(promise)

    def placeholder(self, aval, operand=None):
        """A handle on a leaf that has shape and dtype but no value while recording; ``operand`` is its value later."""
        self.placeholder_avals[-len(self.leaf_states) - 1] = aval
        self.bound[len(self.leaf_states)] = operand
        return wrap(Promise(self, self._new_leaf(None, None, aval), aval))

    def constant(self, array):
        """A handle on a leaf of its own for an array that no handle owns (a Python number)."""
        promise = Promise(self, self._new_leaf(array, None), self.step.leaf)
        self.constants.append(promise)
        return _Classes.result._wrap(promise)

    def adopt(self, handle):
        """The value of ``handle`` as a Promise of this recording, for another handle to be given it."""
        state = handle._state
        if type(state) is Promise and state.trace is self and state.value is None:
            return state
        state = handle.state()
        if type(state) is Promise and state.trace.owner is self:
            return state
        promise = Promise(self, self.place(handle), handle.aval)
        self.constants.append(promise)
        return promise

    def aval_of(self, index):
        return self.promises[index].aval if index >= 0 else self.aval_of_link(self.links[~index])

    def aval_of_link(self, link):
        """The ``(shape, dtype)`` of a leaf of the recording, or of a value of a closed segment."""
        if type(link) is tuple:
            number, index = link
            return (self if number == self.number else self.segments[number]).aval_of(index)
        state = self.leaf_states[~link]
        return self.placeholder_avals[link] if state is None else aval_of(state)

    def log_write(self, handle, new):
        """Notes that ``handle`` gets the state ``new``."""
        before = handle.recorded()
        if type(new) is Promise and (new.trace is self or new.trace.owner is self):
            reference, links = self.versions.get(id(handle), (None, None))
            if reference is None or reference() is not handle:
                links = []
                self.versions[id(handle)] = weakref.ref(handle), links
            links.append((new.trace.number, new.index) if new.index >= 0 else new.trace.link_of(new.index))
        self.remember(handle, before)

    def remember(self, handle, before):
        """Notes what `Handle.recorded` said before the first write, unless the handle was born in this recording."""
        if type(before) is not Promise and handle._can_be_taken_back:
            for journal in self.journals:
                journal.setdefault(id(handle), (handle, before))
        if id(handle) in self.writes:
            return
        if id(handle) in self.rebound:
            self.writes[id(handle)] = self.rebound[id(handle)]
        elif type(before) is not Promise or before.trace.owner is not self:
            self.writes[id(handle)] = handle, before

    def versions_of(self, handle):
        """The links of the values that ``handle`` was given in this recording."""
        reference, links = self.versions.get(id(handle), (None, ()))
        return links if reference is not None and reference() is handle else ()

    # -- values in the middle ------------------------------------------------------------------------------------

    def compute(self, promise):
        """The concrete value of ``promise``, one of this recording, now. What was recorded so far becomes a segment."""
        self.has_host_read = True
        if promise.index < 0 or self.leaf_states is None:
            return self.evaluate(promise.index)
        if self.is_closed or self.is_abandoned or self.placeholder_avals or self.thread != threading.get_ident():
            return self.evaluate(promise.index)
        try:
            return self.cut().evaluate(promise.index)
        except NoValueError:  # some other value has none
            return self.evaluate(promise.index)

    def cut(self):
        """Closes the segment with the values that something still refers to, and starts the next; returns it."""
        live = self.live()
        wanted = [promise.index for promise in live]
        if self.exchanging is not None:
            wanted = list(dict.fromkeys([*wanted, *self.step.close().exchanged()]))
        self.run(tuple(wanted))
        segment = self.close_segment(live)
        if self.exchanging is not None:
            segment.settle_collectives()
        return segment

    def close_segment(self, live):
        """Closes the segment, whose values ``live`` something refers to, and starts the next; returns it."""
        segment = Segment(
            self,
            self.number,
            self.step,
            live,
            self.links,
            self.link_indices,
            self.hooks,
            self.deferred,
            self.values,
        )
        self.constants = self.live(self.constants)
        for promise in (*live, *self.inputs, *self.constants):
            if promise.trace is self:
                promise.trace = segment
        self.segments.append(segment)
        self.begin()
        return segment

    def value_of(self, link):
        """The concrete array of a leaf of the recording, or of a value of a closed segment."""
        if type(link) is tuple:
            number, index = link
            return self.segments[number].evaluate(index)
        state = self.leaf_states[~link]
        if state is None:
            return self.placeholder_value(~link)
        state = settled(state)
        return state.trace.compute(state) if type(state) is Promise else state

    def placeholder_value(self, position):
        raise NoValueError

    def evaluate(self, index):
        """The concrete value at ``index``, computed on the side: the recording stays as it is."""
        if self.leaf_states is None:
            raise RuntimeError(_MSG_ESCAPED)
        if index < 0:
            return self.leaf_value(~index)
        known = self.values
        if index not in known:
            part, part_indices = Trace(None), {}
            missing = self._missing(index)
            if any([node.op.collective is not None for node in missing]):
                raise RuntimeError(_MSG_COLLECTIVE)
            for node in missing:
                inputs = [
                    part_indices[i] if i in part_indices else part._new_leaf(self.evaluate(i), None)
                    for i in node.inputs
                ]
                made = part.record((node.op, node.static, *inputs))
                for k, handle in enumerate((made,) if node.single else made):
                    part_indices[node.first + k] = handle.own_state().index
            (known[index],) = execute.run(part.step.close(), (part_indices[index],), part.leaf_states, self.site)
        return known[index]

    def _missing(self, index):
        """The nodes, in order, that must run before the value at ``index`` is known."""
        wanted, nodes, step = {index}, [], self.step
        while step.parent is not None:
            node = step.node
            if node is not None and any(node.first + k in wanted for k in range(len(node.avals))):
                nodes.append(node)
                wanted.update(i for i in node.inputs if i >= 0 and i not in self.values)
            step = step.parent
        return nodes[::-1]

    # -- closing -------------------------------------------------------------------------------------------------

    def live(self, promises=None):
        """Those of ``promises`` (the recorded values) that something else refers to, as CPython counts references."""
        count = sys.getrefcount
        return [promise for promise in (self.promises if promises is None else promises) if count(promise) > _DEAD]

    def live_indices(self):
        """The indices of the recorded values that something else refers to, as a tuple."""
        count, indices = sys.getrefcount, []
        for promise in self.promises:
            if count(promise) > _DEAD:
                indices.append(promise.index)
        return tuple(indices)

    def join(self, indices=()):
        """Makes one Program of the recording, as if there had been no host read.

        Args:
            indices (sequence of int): values of the last segment.
        Returns:
            tuple of int: their indices in the Program; the same ones if the recording has one segment.
        """
        if not self.segments:
            return tuple(indices)
        self.close_segment(self.live())
        segments, self.segments = self.segments, []
        if self.exchanging is not None:
            check_groups(segments)
        self.begin()
        for position in range(len(self.leaf_states)):  # pieces that `split` made use leaves in another order
            self.leaf_of(~position)
        self.moved = moved = {}
        for segment in segments:
            new_indices = self._replay(segment, moved)
            for promise in segment.promises:
                promise.trace, promise.index = self, new_indices[promise.index]
                self.promises[promise.index] = promise
            for index, registry in segment.hooks.items():
                self.hooks[new_indices[index]] = registry
            for each in segment.deferred:
                each.move(new_indices)
                self.deferred.append(each)
        for promise in (*self.inputs, *self.constants):
            if promise.trace is not None:
                promise.index = self.leaf_of(promise.trace.links[~promise.index])
                promise.trace = self
        return tuple([new_indices[index] for index in indices])

    def _replay(self, segment, moved):
        """Walks a segment's operations anew; returns the new indices of its values."""
        new_indices = {}
        for position, link in enumerate(segment.links):
            new_indices[~position] = moved[link] if type(link) is tuple else self.leaf_of(link)
        for node in segment.step.close().nodes:
            first = len(self.promises)
            self.replayed = node
            self.record((node.op, node.static, *[new_indices[i] for i in node.inputs]))
            for k in range(len(node.avals)):
                new_indices[node.first + k] = moved[segment.number, node.first + k] = first + k
        self.replayed = None
        return new_indices

    def split(self, indices):
        """Makes a recording of one segment one of several short ones; ``indices`` in its new last segment."""
        whole = self.close_segment(self.live())
        pieces, moved = whole.step.close().pieces(execute.PIECE)
        self.segments = [
            Segment(
                self,
                number,
                step,
                [],
                links,
                {link: -k - 1 for k, link in enumerate(links)},
                {},
                [],
                {},
            )
            for number, (step, links) in enumerate(pieces)
        ]
        for promise in whole.promises:
            number, promise.index = moved[promise.index]
            promise.trace = self.segments[number]
            promise.trace.promises.append(promise)
        for index, registry in whole.hooks.items():
            number, index = moved[index]
            self.segments[number].hooks[index] = registry
        for each in whole.deferred:
            number, _ = moved[each.first]
            each.move({index: new_index for index, (home, new_index) in moved.items() if home == number})
            self.segments[number].deferred.append(each)
        self.moved = {(0, index): link for index, link in moved.items()}
        self.site = None  # its pieces are no sign of what the site needs
        self.begin()
        return tuple([self.leaf_of(moved.get(index, index)) for index in indices])

    def index_of(self, link):
        """The index, in a recording of one segment, of the value with this ``link``."""
        if type(link) is tuple:
            return link[1] if self.moved is None else self.moved[link]
        return link

    def outermost(self):
        """The recording that this one is part of, through all that lie between."""
        trace = self
        while trace.outer is not None:
            trace = trace.outer
        return trace

    def rollback(self):
        """Gives every handle that was written to its state from before the recording."""
        for handle, before in self.writes.values():
            handle.set_recorded(before)

    def abandon(self):
        """Ends the recording after an error: what was written is as before, and Tensors that outlive it have values."""
        self.rollback()
        for handle, view in reversed(self.left):
            handle._view = view
        self.keep_inputs()
        self.is_abandoned = True

    def restore(self):
        """Ends the stay of rebound handles; one that was written to keeps what was written."""
        for key, (handle, before) in self.rebound.items():
            if key not in self.writes:
                handle.set_recorded(before)

    def check_writes(self, results):
        """Raises if a handle that was written to would outlive ``results``, as under the user's ``jax.jit``."""
        if self.writes:
            check_writes([handle for handle, _ in self.writes.values()], results)

    def publish(self):
        """Shows every thread what the outermost recording, which has run, wrote to handles from outside."""
        publish([handle for handle, _ in self.writes.values()])

    def keep_inputs(self):
        """Handles on inputs and constants outlive the recording as handles on these values themselves."""
        for promise in (*self.inputs, *self.constants):
            if promise.trace is not None:
                promise.value = self.leaf_states[~promise.trace.links[~promise.index]]
                promise.trace = None

    def forget(self):
        """Drops what only the recording needed, so that handles that outlive it hold no memory."""
        if self.is_kept:
            return
        self.promises = self.inputs = self.constants = self.rebound = self.leaf_states = self.leaf_handles = None
        self.leaf_index = self.earlier = self.values = self.segments = self.links = self.link_indices = None


class _Probe:
    __slots__ = ()


def _dead_count():
    """The reference count that `Trace.live` sees for a promise to which nothing but the recording refers."""
    trace = Trace.__new__(Trace)
    trace.promises = [_Probe()]
    count = sys.getrefcount
    return [count(promise) for promise in trace.promises][0]


_DEAD = _dead_count()
