"""Handles: mutable references to immutable values.

A `Handle` is what the user holds (``Tensor`` derives from it). Its state is a concrete ``jax.Array`` (a JAX tracer is
one too), a `Promise` of a value that an open recording will compute, a `Shared` host buffer, a small value that is
`Hosted`, or a result that is still `Uncropped`. In-place operations give the handle another state; values themselves
never change.
"""

import collections
import functools
import itertools
import math
import operator
import sys
import threading
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from .. import _upcalls
from . import observation
from ._jax_private import Tracer, set_queue
from .host import SMALL, Hosted, to_device, values_of
from .uncropped import Uncropped, cropped

# The threads that have used Tensors, by the number of the queue of their launches: the latest ones, for XLA has at most
# 32 computations of a device in work.
queues = collections.deque(maxlen=256)


class Scope(threading.local):
    """The state of one thread.

    Attributes:
        trace (Trace): the innermost open recording, or None.
        saving (callable): records the operations of a differentiated function in place of `apply`, or None.
        keys (object): what random operations draw keys from, whatever generator they name; None: that generator.
        inlined (Graph): of the outermost call of ``jit`` that runs as a part of another call, or None.
        is_interpreted (bool): whether a function runs that MindSpore's graphs leave to Python (`calls.staging`).
        casting (callable): records any operation in place of `apply`, its operands cast, or None.
        lowering (object): the casts of Parameters while Cells run in reduced precision (`nn._cell.lowering`), or None.
        unrecorded (list): in a call that is not recorded (`calls.unrecorded`), what takes its writes back; else None.
        written (dict): what the open recordings gave to handles from outside, as ``(handle, state)`` by the handle's
            id. Other threads see it when the outermost recording has run: `publish`.
    """

    trace: Any = None
    saving: Any = None
    keys: Any = None
    inlined: Any = None
    is_interpreted: Any = False
    casting: Any = None
    lowering: Any = None
    unrecorded: Any = None

    def __init__(self):
        self.written = {}
        queues.append(threading.get_native_id())
        set_queue(queues[-1])  # a queue for each thread, as by default, where nothing tells its number


scope = Scope()


# Held while a handle that other threads may see gets another state, never during a computation.
publishing = threading.RLock()


def publish(writes):
    """Makes the writes of this thread's recording to outside handles visible to all threads.

    Args:
        writes (iterable of Handle): the handles that were written to.
    """
    written = scope.written
    if not written:
        return
    handles, states = [], []
    for handle in writes:
        entry = written.get(id(handle))
        if entry is None:
            continue
        state = entry[1]
        if type(state) is Promise and type(state.value) not in _UNSETTLED:  # as `settled` says, without the call
            state = state.value
        elif type(state) in INDIRECT:
            state = settled(state, is_cropped=type(handle._state) is Shared)
        handles.append(handle)
        states.append(state)
        if type(handle._state) is Shared:
            np.asarray(state)  # waits for the value, which JAX keeps
    with publishing:
        _take(handles, states, written)


def give(handles, states):
    """Sets the states of several handles atomically, for other threads and for interrupts."""
    trace = scope.trace
    if trace is None:
        with publishing:
            _take(handles, states)
        return
    for handle, state in zip(handles, states, strict=True):
        trace.log_write(handle, state)
        handle._set_recorded_(state)


def _take(handles, states, written=None):
    """Sets concrete states; a host buffer shared with the user's NumPy arrays is overwritten in place.

    All take effect in one loop in C (`deque` consumes iterators), between whose turns Python handles no signal: Ctrl-C
    leaves all Parameters of a step or none with new values. ``written`` loses its entries in the same loop.
    """
    if scope.unrecorded is not None:
        scope.unrecorded += map(_before_write, handles)
    states_after = states
    if Shared in map(type, map(own_state_of, handles)):
        states_after = list(map(_taken, map(own_state_of, handles), states))
    deletions = () if written is None else map(written.__delitem__, map(id, handles))
    settings = itertools.starmap(_set_state, zip(handles, states_after, strict=True))
    collections.deque(itertools.chain(settings, deletions), maxlen=0)


def _before_write(handle):
    """An entry of ``scope.unrecorded``: a function that gives a handle its present state and values back."""
    state = handle._state
    return functools.partial(_restore, handle, state, state.buffer.copy() if type(state) is Shared else None)


def _restore(handle, state, values):
    if values is not None:
        np.copyto(state.buffer, values)
    handle._state = state


def undo(entries):
    """Takes back what was written to handles, by the entries of ``scope.unrecorded``, the latest first."""
    with publishing:
        for take_back in reversed(entries):
            take_back()


def _taken(old, state):
    """``old`` if it is a host buffer that is overwritten with ``state``; else ``state``."""
    if type(old) is not Shared:
        return state
    state = cropped(state)
    is_hosted = type(state) is Hosted
    return old if (is_hosted or is_concrete(state)) and old.take(state.values if is_hosted else state) else state


class Promise:
    """A value of a recording, computed later: its index there, its shape and dtype, and the value once computed.

    ``index`` counts the recorded values; a leaf of the recording has a negative one, ``~position``. ``value`` stays
    None until the recording has run; then it is a ``jax.Array``, `Uncropped`, or a Promise of the enclosing recording.
    """

    trace: Any
    value: Any

    __slots__ = ("trace", "index", "aval", "value")

    def __init__(self, trace, index, aval, value=None):
        self.trace = trace
        self.index = index
        self.aval = aval
        self.value = value

    def is_input(self):
        """Whether it is an input with respect to which a recording is differentiated."""
        if self.value is not None or self.index >= 0 or not self.trace.owner.is_transformed:
            return False
        return any(promise is self for promise in self.trace.owner.inputs)


class Unknown:
    """The state of a handle without values: a dtype, and a shape with -1 for unknown lengths, or (-2,)."""

    __slots__ = ("shape", "dtype", "symbols")

    def __init__(self, shape, dtype, symbols):
        self.shape, self.dtype, self.symbols = shape, dtype, symbols


class Shared:
    """A host buffer shared by a handle and the user's NumPy arrays; either side may write to it."""

    __slots__ = ("buffer", "_array")

    def __init__(self, buffer):
        self.buffer = buffer
        self._array = None

    @property
    def aval(self):
        return self.buffer.shape, self.buffer.dtype

    def array(self) -> Any:
        """The current values; a copy, since the buffer may be written to, and the same one until it is."""
        with publishing:
            if self._array is None or not _equal_bytes(self._array, self.buffer):
                self._array = to_device(self.buffer)
            return self._array

    def snapshot(self):
        """A copy of the values as a NumPy array, if they are small; else None."""
        return self.buffer.copy() if self.buffer.nbytes <= SMALL else None

    def take(self, array):
        """Writes ``array`` into the buffer if it fits and a NumPy array of the user shares it; returns whether."""
        # A buffer without other users is not written to: the new array replaces it without a copy.
        fits = self.is_lent() and self.aval == (array.shape, array.dtype)
        if fits:
            np.copyto(self.buffer, np.asarray(array))
        return fits

    def is_lent(self):
        """Whether a NumPy array of the user, or the owner of the memory, still refers to the buffer."""
        return self.buffer.base is not None or sys.getrefcount(self.buffer) > _OWN_REFERENCES


def _equal_bytes(array, buffer):
    # Bytes, since NaN is unequal to itself and 0.0 equal to -0.0.
    left, right = (np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (array, buffer))
    return np.array_equal(left, right)


def is_concrete(state):
    """Whether ``state`` is an array with values, not a Promise or a JAX tracer."""
    return isinstance(state, jax.Array) and not isinstance(state, Tracer)


def aval_of(state):
    """The ``(shape, numpy dtype)`` of a state of any kind."""
    aval = getattr(state, "aval", state)  # JAX's own of an array, whose properties ask it too; a random key is NumPy's
    return aval if type(aval) is tuple else (aval.shape, aval.dtype)


def size_of(aval):
    """The bytes of a value of this shape and dtype; 0 if `jax.export` does not know its lengths."""
    shape, dtype = aval
    size = math.prod(shape) * dtype.itemsize
    return size if type(size) is int else 0


def settled(state, is_cropped=True):
    """Resolves a state: follows computed Promises, copies a shared buffer, crops what is `Uncropped`.

    With ``is_cropped=False``, for a launch, a value that is `Uncropped` stays so.
    """
    while type(state) is Promise:
        value = state.value
        if value is None:
            if state.trace.is_abandoned:
                state.value = state.trace.evaluate(state.index)
                continue
            return state
        state = value
    return state.array() if isinstance(state, ON_HOST) or is_cropped and type(state) is Uncropped else state


INDIRECT = Promise, Shared, Hosted, Uncropped, Unknown  # states that are not the array itself
ON_HOST = Shared, Hosted
_UNSETTLED = *INDIRECT, type(None)  # values of a Promise that `settled` follows further

# CPython's reference count of a buffer to which only its Shared refers: NumPy has no count of an array's users.
_shared = Shared(np.empty(0))
_OWN_REFERENCES = sys.getrefcount(_shared.buffer)


class Handle:
    """A mutable reference to an array value, concrete or recorded."""

    if TYPE_CHECKING:  # a handle outside of the engine is a Tensor, whose methods `tensor` defines
        _state: Any
        any: Any
        asnumpy: Any
        astype: Any
        broadcast_to: Any
        dtype: Any
        item: Any
        ndim: Any
        register_hook: Any
        reshape: Any
        shape: Any
        size: Any
        sum: Any
        tolist: Any
        __getitem__: Any
        __iter__: Any

    __slots__ = ("_state", "__dict__", "__weakref__")

    _view: Any = None  # the View that says which storage it shares
    _part: Any = None  # where it was taken out of another handle: gets ``put_back(handle)`` after each write
    _birth: Any = None  # of a Parameter: which of JAX's traces was under way when it was made
    _can_be_undone = True  # what was written to it, where a gradient takes a call over (`forward_reuse`)
    _hooks: Any = None  # the functions that this object's gradient passes: a dict once there is one
    _sharding: Any = None  # how its values lie on several devices (`sharding.lay_out`)
    _source: Any = None  # the Composite that the value is computed from when it is read: of a gradient by rows

    @classmethod
    def _wrap(cls, state):
        """A handle on ``state``, without the constructor's conversions."""
        handle = cls.__new__(cls)
        handle._state = state
        return handle

    @property
    def aval(self):
        """``(shape, numpy dtype)``; known without computing anything."""
        state = self._state
        if type(state) is Promise:
            return state.aval
        if scope.written:
            state = scope.written.get(id(self), (self, state))[1]
        aval = getattr(state, "aval", state)  # as `aval_of`, without the call
        return aval if type(aval) is tuple else (aval.shape, aval.dtype)

    def _state_(self, is_cropped=True) -> Any:
        """The current state, computed Promises resolved: a ``jax.Array`` or an open `Promise`.

        With ``is_cropped=False``, for a launch, a value that is `Uncropped` stays so.
        """
        state = self._state
        if type(state) is Promise:
            if state.value is None and not state.trace.is_abandoned:  # as `settled` says, without the call
                return state
            resolved = settled(state, is_cropped)
            if resolved is not state:
                # So that the next read finds the array itself, and nothing holds the recording any more.
                self._replace(state, resolved)
            return resolved
        if scope.written:
            entry = scope.written.get(id(self))
            if entry is not None:
                state = entry[1]
                if type(state) is Promise and state.value is None and not state.trace.is_abandoned:
                    return state
                return settled(state, is_cropped)
        if type(state) is Shared:
            return self._read(state)
        if type(state) is Hosted or is_cropped and type(state) is Uncropped:
            self._replace(state, state.array())
            return state.array()
        return state

    def _state_to_give_(self):
        """The state for another handle that gets this one's value; as `state`, but it may be `Hosted`."""
        state = self._state
        return state if type(state) is Hosted and not scope.written else self._state_(is_cropped=False)

    def _own_state_(self):
        """The raw state of this object: Promises are not resolved, writes of this thread's recordings ignored."""
        return self._state

    def _start_with_(self, state):
        """Sets the first state of a new handle, which no other thread has yet."""
        self._state = state

    def _take_buffer_(self, shared):
        """Makes a host buffer with this handle's value its state; the caller holds ``publishing``."""
        self._state = shared

    def _read(self, shared):
        """The value in a host buffer; the handle keeps the buffer only while something else refers to it."""
        with publishing:
            is_lent = shared.is_lent()  # before the copy, during which JAX refers to the buffer
            value = shared.array()
            if not is_lent:
                self._replace(shared, value)
            return value

    def _replace(self, old, new):
        """Replaces ``old`` by ``new``, an equal value, unless another thread has changed the state."""
        with publishing:
            if self._state is old:
                self._state = new

    def _array_(self, is_cropped=True) -> Any:
        """The concrete ``jax.Array``; runs the part of an open recording that computes it.

        With ``is_cropped=False``, for a launch, it may be `Uncropped`.

        Raises:
            RuntimeError: when there is no single value, as inside ``vmap``.
        """
        state = self._state_(is_cropped)
        if type(state) is not Promise:
            return state
        if observation.observer is not None:
            observation.observer.host_read()
        value = state.trace.compute(state)
        return value.array() if is_cropped and type(value) is Uncropped else value

    def _values_(self):
        """The values as a read-only NumPy array; waits for them.

        Raises:
            RuntimeError: as `array`; and where the device failed, which NumPy alone would answer by ending the process.
        """
        state = self._state
        if type(state) is Hosted and not scope.written:
            return state.contiguous()
        value = self._array_(is_cropped=False)
        return value.values() if type(value) is Uncropped else values_of(value)

    def _write_(self, other):
        """Gives this handle the value of ``other`` in place; views of the same storage follow."""
        view = self._view
        if view is None:
            self._become(other)
        else:
            view.write(self, other)
        if self._part is not None:
            self._part.put_back(self)
        if scope.trace is not None:
            scope.trace.pass_on(self)
        self._update_casts_()

    def _update_casts_(self):
        """Gives the casts of this handle its new value, while a Cell runs in reduced precision."""
        if scope.lowering is not None:
            scope.lowering.cast_again(self)

    def _original_(self):
        """The Parameter of which this handle is a cast, while a Cell runs in reduced precision; else this handle."""
        return self if scope.lowering is None else scope.lowering.original_of(self)

    def _aliases_(self):
        """The handles that stand for the same whole Tensor as this one."""
        view = self._view
        return () if view is None else view.aliases(self)

    def _leave_storage_(self):
        """Detaches this handle from its storage; views and NumPy arrays keep that with its present value."""
        state = self._state
        if type(state) is Shared:
            with publishing:
                self._replace(state, state.array())
        view = self._view
        if view is not None:
            if scope.trace is not None:
                scope.trace.left.append((self, view))
            if scope.unrecorded is not None:
                scope.unrecorded.append(functools.partial(setattr, self, "_view", view))
            view.storage.count_change()
            self._view = None

    def _as_sharded_(self, other):
        """``other`` with the sharding of this handle, if it has one."""
        return other if self._sharding is None else _upcalls.sharded(other, self._sharding)

    def _become(self, other):
        """Writes the value of ``other`` to this handle alone, without its views."""
        other = self._as_sharded_(other)
        self._rebind(other._state_to_give_() if scope.trace is None else scope.trace.adopt(other))

    def _rebind(self, state):
        """Sets the state; in an open recording for this thread alone, until that is published."""
        trace = scope.trace
        if trace is None:
            with publishing:
                if scope.unrecorded is not None:
                    scope.unrecorded.append(_before_write(self))
                self._state = _taken(self._state, state)
            return
        trace.log_write(self, state)
        self._set_recorded_(state)

    def _recorded_(self):
        """The state written by an open recording of this thread, for `_set_recorded_` to restore.

        It is the state itself where only this thread knows the handle, else the entry of ``scope.written`` or None.
        """
        state = self._state
        if type(state) in INDIRECT:
            state = self._state_()
            if self._is_private():
                return state
        return scope.written.get(id(self))

    def _set_recorded_(self, state):
        """Sets the state for this thread's open recordings, or restores what `recorded` returned."""
        if state is None:
            scope.written.pop(id(self), None)
        # An entry of ``written``, for no state is a tuple.
        elif type(state) is tuple:
            scope.written[id(self)] = state
        elif type(self._state) is Promise and self._is_private():
            self._state = state
        else:
            scope.written[id(self)] = self, state

    def _is_private(self):
        """Whether the handle was made in an open recording of this thread, so that no other thread has it."""
        state = self._state
        return type(state) is Promise and state.value is None and state.trace.thread == threading.get_ident()

    def _share_(self, buffer=None):
        """A writable host buffer shared with this handle: a write to either is seen in both.

        Args:
            buffer (numpy.ndarray): use this array, which must hold the current value. Default: a copy of the value.
        """
        while type(shared := self._state) is not Shared:  # another thread may have changed it
            self._replace(shared, Shared(np.array(self._values_()) if buffer is None else buffer))
        view = self._view
        if view is not None:
            view.lend(self, shared)
        return shared.buffer


# The slot's setter itself, so that `_take` runs no Python code between two handles.
_set_state = Handle._state.__set__
# As `Handle._own_state_`, for loops in C over the Parameters of a step.
own_state_of = operator.attrgetter("_state")
