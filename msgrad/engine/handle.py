"""Handles: mutable references to immutable values.

A `Handle` is what the user holds (``Tensor`` derives from it). Its state is a concrete ``jax.Array`` (a JAX tracer is
one too), a `Promise` of a value that an open recording will compute, or a `Shared` host buffer. In-place operations
give the handle another state; values themselves never change.
"""

import collections
import sys
import threading

import jax
import numpy as np


class Scope(threading.local):
    """What one thread is doing.

    Attributes:
        trace (Trace): the innermost open recording, or None.
        saving (callable): records the operations of a differentiated function in place of `apply`, or None.
    """

    trace = None
    saving = None


scope = Scope()


class Promise:
    """A value of a recording: its place there, its shape and dtype, and the value once it is known.

    ``index`` counts the recorded values; a leaf of the recording has a negative one, ``~position``. ``value`` stays
    None until the recording has run; then it is a ``jax.Array``, or a Promise of the enclosing recording.
    """

    __slots__ = ("trace", "index", "aval", "value")

    def __init__(self, trace, index, aval, value=None):
        self.trace = trace
        self.index = index
        self.aval = aval
        self.value = value

    def is_input(self):
        """Whether it stands for an input with respect to which a recording is differentiated."""
        if self.value is not None or self.index >= 0 or not self.trace.is_transformed:
            return False
        return any(promise is self for promise in self.trace.inputs)


class Shared:
    """A host buffer that a handle and the user's NumPy arrays both see; either side may write to it."""

    __slots__ = ("buffer", "_array")

    def __init__(self, buffer):
        self.buffer = buffer
        self._array = None

    @property
    def aval(self):
        return self.buffer.shape, self.buffer.dtype

    def array(self):
        """The current values; a copy, since the buffer may be written to, and the same one until it is."""
        if self._array is None or not _equal_bytes(self._array, self.buffer):
            self._array = jax.numpy.array(self.buffer)
        return self._array

    def take(self, array):
        """Writes ``array`` into the buffer if a NumPy array of the user's still sees it and it fits; says whether."""
        fits = self.is_lent() and self.aval == (array.shape, array.dtype)
        if fits:
            np.copyto(self.buffer, np.asarray(array))
        return fits

    def is_lent(self):
        """Whether a NumPy array of the user's, or who owns the memory, still sees the buffer."""
        return self.buffer.base is not None or sys.getrefcount(self.buffer) > _OWN_REFERENCES


def _equal_bytes(array, buffer):
    left, right = (np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (array, buffer))
    return np.array_equal(left, right)


def is_concrete(state):
    """Whether ``state`` is an array with values, not a Promise or a JAX tracer."""
    return isinstance(state, jax.Array) and not isinstance(state, jax.core.Tracer)


def settled(state):
    """The state that ``state`` stands for now: follows Promises that have been kept, copies a shared buffer."""
    while type(state) is Promise:
        value = state.value
        if value is None:
            if state.trace.is_abandoned:
                state.value = state.trace.evaluate(state.index)
                continue
            return state
        state = value
    return state.array() if type(state) is Shared else state


_shared = Shared(np.empty(0))
_OWN_REFERENCES = sys.getrefcount(_shared.buffer)


def publish(handles, states):
    """Gives handles new states all at once: no interrupt and no other thread comes between two of them."""
    trace = scope.trace
    if trace is not None:
        for handle, state in zip(handles, states, strict=True):
            trace.log_write(handle, state)
    else:
        for k, handle in enumerate(handles):
            old = handle._state
            if type(old) is Shared and is_concrete(states[k]) and old.take(states[k]):
                states[k] = old
    collections.deque(map(_set_state, handles, states), maxlen=0)  # a loop in C, between whose turns nothing happens


class Handle:
    """A mutable reference to an array value, concrete or recorded."""

    __slots__ = ("_state", "__dict__", "__weakref__")

    _view = None  # the View that says which storage it shares
    _part = None  # where it was taken out of another handle: gets ``put_back(handle)`` after each write
    _hooks = None  # the functions that this object's gradient passes: a dict once there is one

    @classmethod
    def _wrap(cls, state):
        """A handle on ``state``, without any of the constructor's conversions."""
        handle = cls.__new__(cls)
        handle._state = state
        return handle

    @property
    def aval(self):
        """``(shape, numpy dtype)``; known without computing anything."""
        state = self._state
        if type(state) is Promise or type(state) is Shared:
            return state.aval
        return state.shape, state.dtype

    def state(self):
        """The current state with kept Promises followed: a ``jax.Array`` or an open `Promise`."""
        state = self._state
        if type(state) is Promise:
            self._state = state = settled(state)
        if type(state) is Shared:
            value = state.array()
            if not state.is_lent():
                self._state = value
            return value
        return state

    def array(self):
        """The concrete ``jax.Array``; runs the part of an open recording that it needs.

        Raises:
            RuntimeError: when there is no single value, as inside ``vmap``.
        """
        state = self.state()
        return state.trace.compute(state) if type(state) is Promise else state

    def write(self, other):
        """Gives this handle the value of ``other`` in place; views of the same storage follow."""
        if self._view is None:
            self._become(other)
        else:
            self._view.write(self, other)
        if self._part is not None:
            self._part.put_back(self)

    def leave_storage(self):
        """Leaves the storage to the views and NumPy arrays that share it, with the value that it has."""
        self._state = self.state()
        if self._view is not None:
            if scope.trace is not None:
                scope.trace.left.append((self, self._view))
            self._view = None

    def _become(self, other):
        """Gives this handle alone the value of ``other``."""
        if scope.trace is None:
            publish([self], [other.state()])
        else:
            state = scope.trace.adopt(other)
            scope.trace.log_write(self, state)
            self._state = state

    def share(self, buffer=None):
        """The host buffer of this handle's value, writable; writes to it and to the handle show in each other.

        Args:
            buffer (numpy.ndarray): use this array, which must hold the current value. Default: a copy of the value.
        """
        if type(self._state) is not Shared:
            self._state = Shared(np.array(self.array()) if buffer is None else buffer)
        return self._state.buffer


_set_state = Handle._state.__set__
