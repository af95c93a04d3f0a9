"""Handles: mutable references to immutable values.

A `Handle` is what the user holds (``Tensor`` derives from it). Its state is a concrete ``jax.Array`` (a JAX tracer is
one too), a `Promise` of a value that an open recording will compute, or a `Shared` host buffer. In-place operations
give the handle another state; values themselves never change.
"""

import sys
import threading

import jax
import numpy as np

from . import errors
from .host import copied, to_device


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
            self._array = to_device(copied(self.buffer))
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


class Handle:
    """A mutable reference to an array value, concrete or recorded."""

    __slots__ = ("_state", "__dict__", "__weakref__")

    _views = None  # the View links that start here: a list once there is one
    _base = None  # the View link that ends here
    _birth = None  # of a Parameter: which of JAX's traces was under way when it was made
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

    def values(self):
        """The values as a NumPy array, which is not to be written to; waits for them.

        Raises:
            RuntimeError: as `array`; and where the device failed, which NumPy alone would answer by ending the process.
        """
        return errors.values_of(self.array())

    def write(self, other):
        """Gives this handle the value of ``other`` in place; views of the same storage follow."""
        state = other.state() if scope.trace is None else scope.trace.adopt(other)
        self._rebind(state)
        if self._base is not None:
            self._base.write_through(state)
        self.refresh_views()

    def leave_storage(self):
        """Leaves the storage to the views and NumPy arrays that share it, with the value that it has."""
        self._state = self.state()
        for view in [each.view() for each in self._views or ()]:
            if view is not None:
                view._base = None
        self._views = None

    def refresh_views(self):
        """Takes the values of the views that start here anew."""
        if self._views:
            for view in list(self._views):
                view.refresh()

    def _rebind(self, state):
        if scope.trace is not None:
            scope.trace.log_write(self, state)
        old = self._state
        if scope.trace is None and type(old) is Shared and is_concrete(state) and old.take(state):
            return
        self._state = state

    def share(self, buffer=None):
        """The host buffer of this handle's value, writable; writes to it and to the handle show in each other.

        Args:
            buffer (numpy.ndarray): use this array, which must hold the current value. Default: a copy of the value.
        """
        if type(self._state) is not Shared:
            self._state = Shared(np.array(self.values()) if buffer is None else buffer)
        return self._state.buffer
