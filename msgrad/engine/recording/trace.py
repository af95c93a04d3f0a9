"""Recording: every operation of the whole API reaches JAX through one function, `apply`."""

import sys
import threading
from typing import Any

from ... import _upcalls
from .. import observation, precision
from ..execution import at_once, execute
from ..execution.speculation import Speculation
from ..execution.tiers import Tiers
from ..handle import INDIRECT, Promise, scope
from ..uncropped import cropped
from .host_reads import HostReads
from .joining import Joining
from .leaves import MSG_THREAD, Leaves
from .program import Step
from .results import wrap, wrapped
from .segment import Segment
from .writes import Writes


def apply(op, operands, static=()) -> Any:
    """Records ``op`` in the open Trace, or runs it at once when there is none.

    Args:
        op (Op): the operation.
        operands (sequence of Handle): its array operands.
        static (hashable): everything else that selects the computation.
    Returns:
        Handle, or a tuple of Handles for an operation of several results.
    """
    # Before all else: it casts the operands by the operation's name, and calls `apply` again with itself put aside.
    if scope.casting is not None:
        return scope.casting(op, operands, static)
    trace = scope.trace
    if trace is None:
        result = at_once.run(op, operands, static) if Tiers.allowed else None
        if result is not None:
            return result
        arrays, written = [], scope.written
        # The slot itself where it holds the array, without a call: `x + x` takes 7 Python calls, and took 20 before
        # such shortcuts.
        for h in operands:
            state = h._state
            arrays.append(_arrived(h._state_()) if type(state) in INDIRECT or written else state)
        result = execute.launch(op, static, arrays)
        if type(result) in (tuple, list):
            return tuple(wrapped(result))
        handle = object.__new__(_upcalls.Result)  # written out, as `_wrap` has it, for each operation
        handle._state = result
        return handle
    # In recordings alone: outside of them nothing is differentiated, so a backward pass keeps nothing.
    if scope.saving is not None:
        return scope.saving(op, operands, static)
    # Operands by index and not by handle, so that equal recordings have equal keys and walk to the same Step.
    node, promises = trace.append(op, static, trace.indices_of(operands))
    if node.single:
        handle = object.__new__(_upcalls.Result)
        handle._state = promises[0]
        return handle
    return tuple(wrapped(promises))


def apply_at_once(op, operands, static=()) -> Any:
    """As `apply`, if NumPy computes the operation at once; else None."""
    is_possible = Tiers.allowed and scope.trace is None and scope.casting is None
    return at_once.run(op, operands, static) if is_possible else None


def recorded_count():
    """How many values the open Trace has recorded so far."""
    scope.trace.outermost().is_asked = True
    return len(scope.trace.promises)


def recorded_since(count):
    """Handles on the live values that the open Trace has recorded since it had ``count``."""
    trace = scope.trace
    trace.outermost().is_asked = True
    return [wrap(promise) for promise in trace.live() if promise.index >= count]


def _arrived(state):
    """The array of an operand outside recordings; a Promise there is another thread's."""
    if type(state) is not Promise:
        return state
    # Its value would be a constant here, which the other thread's gradient would silently omit.
    if state.trace.owner.is_transformed and state.trace.owner.leaf_states is not None:
        raise RuntimeError(MSG_THREAD)
    if observation.observer is not None:
        observation.observer.host_read()
    return cropped(state.trace.compute(state))


class Trace(Leaves, Writes, HostReads, Joining, Segment):
    """An open recording, and the segment of it that is being recorded.

    Attributes, besides those of its parts:
        site (tuple | str): what opened it, for the accounting of recompilations: its name, and what tells it apart from
            others of that name; None for what is part of another's step.
        outer (Trace): the recording that this one is part of, or None.
        thread (int): the thread that records.
        is_kept (bool): whether several derivatives are taken of it, so that `forget` drops nothing.
        orders (int): how many derivatives may be taken of it; None where the recordings around it tell.
        exchanging (tuple): the `links` of the last segment with collectives, and their group; see `collective`.
        precision (Precision): what products and convolutions say.
        is_varying (bool): whether positions in tensors are operands: as constants they make a new program each time.
        speculation (Speculation): what was launched when it was opened, or None.
        graph (Graph): the graph that MindSpore would compile of the recorded function (`staging.Graph`), or None.
    """

    segments: Any

    step: Any
    promises: Any
    links: Any

    orders: Any = None
    thread: Any = None
    exchanging: Any = None
    speculation: Any = None

    is_transformed = True
    is_opaque = False
    shares = False  # whether views made here share storage
    is_kept = False
    graph: Any = None
    is_asked = False  # whether a call depends on being recorded: it asks which recording it is in, or what that has

    # Not an attribute: a Trace that referred to itself would live, with its arrays, until Python collects garbage.
    owner = property(lambda self: self)

    def __init__(self, site: Any = "", outer=None, arguments: Any = None):
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
        self.callers = {}
        self.placeholder_avals = {}
        self.bound = {}
        self.versions = {}
        self.writes = {}
        self.left = []
        # An inner recording becomes a part of the outer one's program, so it follows that one's site.
        self.precision = (precision.Chosen.always or precision.current()) if outer is None else outer.precision
        about_site = execute.opened(site)
        self.is_varying = about_site.is_varying if outer is None else outer.is_varying
        if arguments is not None and outer is None:
            self.speculation = Speculation(about_site, arguments)
        self.begin()

    def begin(self):
        """Starts an empty segment."""
        self.number = len(self.segments)
        self.step = Step.root(self.precision)
        self.promises = []
        self.links = []
        self.link_indices = {}
        self.hooks = {}
        self.values = {}
        self.deferred = []

    def aside(self):
        """A separate recording, for values that are computed while this one stays open."""
        # Without a site: what is computed on the side says nothing about which programs the site needs.
        return Trace(None)

    def record(self, key) -> Any:
        """Adds the operation ``key`` = ``(op, static, *value indices)``; returns handles on its results."""
        op, static, *inputs = key
        node, promises = self.append(op, static, inputs)
        return wrap(promises[0]) if node.single else tuple(wrapped(promises))

    def append(self, op, static, inputs) -> Any:
        """Adds an operation on the values ``inputs`` (list of int); returns its node and Promises of its results."""
        step = self.step
        last_op, last_static, last_inputs, following = step.latest
        # All that an operation costs the second time is this comparison, or a look-up: shapes are inferred where a Step
        # grows. Static arguments by identity, since `==` may be the user's.
        if not (last_op is op and last_static is static and last_inputs == inputs):
            following = step.after(op, static, inputs, self.aval_of)
        self.step, node = following, following.node
        if observation.observer is not None:
            observation.observer.recorded(node, self.replayed)
        recorded, new = self.promises, object.__new__
        index = len(recorded)
        for aval in node.avals:  # the constructor is written out: every recorded value comes through here
            promise = new(Promise)
            promise.trace, promise.index, promise.aval, promise.value = self, len(recorded), aval, None
            recorded.append(promise)
        return node, recorded[index:]

    def live(self, promises=None):
        """The ``promises`` (recorded values) that something else refers to, by CPython's reference counts."""
        count = sys.getrefcount
        return [promise for promise in (self.promises if promises is None else promises) if count(promise) > _DEAD]

    def live_indices(self):
        """The indices of the recorded values that something else refers to, as a tuple."""
        # A plain loop, which runs for each gradient: the frame of a list comprehension is a Python call more.
        count, indices = sys.getrefcount, []
        for promise in self.promises:
            if count(promise) > _DEAD:
                indices.append(promise.index)
        return tuple(indices)

    def outermost(self):
        """The outermost of the recordings around this one."""
        trace = self
        while trace.outer is not None:
            trace = trace.outer
        return trace

    def abandon(self):
        """Ends the recording after an error: undoes its writes; Tensors that outlive it can still be computed."""
        self.rollback()
        # Last one first, so that a handle that left twice goes back to the storage of before the recording.
        for handle, view in reversed(self.left):
            handle._view = view
        self.keep_inputs()
        self.speculation = None
        self.is_abandoned = True

    def forget(self):
        """Frees the objects of the recording, so that handles that are used after it keep no memory."""
        if self.is_kept:
            return
        # None rather than empty: without `leaf_states` a read says that the value has left the transformed function.
        self.promises = self.inputs = self.constants = self.rebound = self.leaf_states = self.leaf_handles = None
        self.leaf_index = self.earlier = self.values = self.segments = self.links = self.link_indices = None
        self.callers = self.speculation = None


class _Probe:
    __slots__ = ()


def _dead_count():
    """The reference count that `Trace.live` sees for a promise to which nothing but the recording refers.

    It is measured with the same code, for it differs between versions of CPython (list, loop variable, argument).
    """
    trace = Trace.__new__(Trace)
    trace.promises = [_Probe()]
    count = sys.getrefcount
    return [count(promise) for promise in trace.promises][0]


_DEAD = _dead_count()
