"""Recording: `apply` is the one function through which every operation of the whole API reaches JAX."""

import sys

from . import execute
from .handle import Handle, Promise, Shared, scope, settled
from .program import Step

_MSG_NO_VALUE = (
    "The value of a tensor is needed where there is none: inside 'vmap', and while a 'bprop' is recorded, a tensor "
    "stands for many values. Use ops.where or ops.select instead of 'if', and keep asnumpy(), item() and "
    "print() outside."
)
_MSG_ESCAPED = (
    "This tensor was made inside a transformed function (vmap, jvp, ...) and left it by a side effect, so it has no "
    "value outside. Return it from the function instead."
)


class NoValueError(RuntimeError):
    """A value is asked for where a tensor stands for many, or for none yet."""


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


def apply(op, operands, static=()):
    """Records ``op`` in the open Trace, or runs it at once when there is none.

    Args:
        op (Op): the operation.
        operands (sequence of Handle): its array operands.
        static (hashable): everything else that selects the computation.
    Returns:
        Handle, or a tuple of Handles for an operation of several results.
    """
    trace = scope.trace
    if trace is None:
        result = execute.launch(op, static, [h.state() for h in operands])
        return tuple([wrap(r) for r in result]) if type(result) in (tuple, list) else wrap(result)
    if scope.saving is not None:
        return scope.saving(op, operands, static)
    key = [op, static]
    for h in operands:
        state = h._state
        key.append(state.index if type(state) is Promise and state.trace is trace else trace.place(h))
    return trace.record(tuple(key))


class Trace:
    """An open recording.

    Attributes:
        outer (Trace): the recording that this one is part of, or None.
        step (Step): the structure recorded so far.
        promises (list of Promise): the recorded values, in order.
        leaf_states, leaf_handles (list): what came from outside, and the handle it came from (None for a constant).
        constants (list of Promise): the leaves for arrays that no handle owned, or that another handle was given.
        bound (dict): the operands that placeholders stand for, by leaf position.
        hooks (dict): for a value's index, the functions that its gradient is to pass.
        deferred (list): the calls whose reverse rules are recorded when this recording is differentiated.
        is_kept (bool): whether several derivatives are taken of it, so that it is never done with.
        orders (int): how many derivatives may be taken of it; None where the recordings around it tell.
        versions (dict): the indices of the values that a handle was given here, by the handle's id.
        earlier (dict): the leaves of a handle whose value from outside changed since, by the handle's id.
        writes (dict): handles from outside that were written to, with the state to go back to.
        looked (bool): whether Python has looked at a value, so that the recording may depend on it.
        is_varying (bool): whether positions in tensors had better be operands than parts of the program.
        is_abandoned (bool): whether an error ended it; its values are computed when somebody asks for them.
        site (tuple | str): what opened it, for the accounting of recompilations: its name, and what tells it apart from
            others of that name.
    """

    is_transformed = True
    is_opaque = False
    is_kept = False
    orders = None

    def __init__(self, site="", outer=None):
        self.site = site
        self.outer = outer
        self.step = Step.root()
        self.promises = []
        self.leaf_states = []
        self.leaf_handles = []
        self.leaf_index = {}
        self.earlier = {}
        self.inputs = []
        self.constants = []
        self.rebound = {}
        self.placeholder_avals = {}
        self.bound = {}
        self.hooks = {}
        self.deferred = []
        self.versions = {}
        self.writes = {}
        self.looked = False
        self.is_varying = execute.is_varying(site) if outer is None else outer.is_varying
        self.is_abandoned = False
        self.known = {}

    # -- recording ------------------------------------------------------------------------------------------------

    def record(self, key):
        """Adds the operation ``key`` = ``(op, static, *value indices)``; returns handles on its results."""
        step = self.step.following.get(key)
        if step is None:
            step = self.step.grow(key, self)
        self.step = step
        node = step.node
        promises = self.promises
        cls = _Classes.result
        if node.single:
            handle = cls.__new__(cls)
            handle._state = promise = Promise(self, len(promises), node.avals[0])
            promises.append(promise)
            return handle
        results = []
        for aval in node.avals:
            promise = Promise(self, len(promises), aval)
            promises.append(promise)
            results.append(cls._wrap(promise))
        return tuple(results)

    def place(self, handle, state=None):
        """The index of a handle's value in this recording; a value from outside becomes a leaf at its first use.

        Leaves are told apart by handle, not by value: two Parameters that happen to share an array are two leaves.
        ``state`` is the handle's value at an earlier moment, if that is meant; without a handle it is a constant.
        """
        state = handle.state() if state is None else settled(state)
        if type(state) is Promise and state.trace is self:
            return state.index
        if handle is None:
            return self._new_leaf(state, None)
        index = self.leaf_index.get(id(handle))
        if index is not None:
            known = self.leaf_states[~index]
            if known is state or type(known) is Promise and settled(known) is state:
                return index
            self.earlier.setdefault(id(handle), []).append(index)
        index = self._new_leaf(state, handle)
        self.leaf_index[id(handle)] = index
        return index

    def _new_leaf(self, state, handle, aval=None):
        if aval is None:
            aval = state.aval if type(state) is Promise else (state.shape, state.dtype)
        step = self.step.following.get(aval)
        self.step = step if step is not None else self.step.grow_leaf(aval)
        self.leaf_states.append(state)
        self.leaf_handles.append(handle)
        return -len(self.leaf_states)

    def input(self, handle):
        """A new handle on a leaf of its own, bound to the value of ``handle``."""
        promise = Promise(self, self._new_leaf(handle.state(), handle), self.step.leaf)
        self.inputs.append(promise)
        stand_in = wrap(promise)
        if handle._hooks:
            stand_in._hooks = handle._hooks
        return stand_in

    def rebind(self, handle):
        """Makes ``handle`` itself stand for an input of this recording until it closes."""
        promise = Promise(self, self._new_leaf(handle.state(), handle), self.step.leaf)
        self.inputs.append(promise)
        self.rebound[id(handle)] = handle, handle._state
        handle._state = promise

    def placeholder(self, aval, operand=None):
        """A handle on a leaf that has shape and dtype but no value while recording; ``operand`` is its value later."""
        index = self._new_leaf(None, None, aval)
        self.placeholder_avals[index] = aval
        self.bound[~index] = operand
        return wrap(Promise(self, index, aval))

    def constant(self, array):
        """A handle on a leaf of its own for an array that no handle owns (a Python number)."""
        promise = Promise(self, self._new_leaf(array, None), self.step.leaf)
        self.constants.append(promise)
        return wrap(promise)

    def adopt(self, handle):
        """The value of ``handle`` as a Promise of this recording, for another handle to be given it."""
        index = self.place(handle)
        state = handle._state
        if type(state) is Promise and state.trace is self:
            return state
        promise = Promise(self, index, handle.aval)
        self.constants.append(promise)
        return promise

    def aval_of(self, index):
        if index >= 0:
            return self.promises[index].aval
        state = self.leaf_states[~index]
        if state is None:
            return self.placeholder_avals[index]
        return state.aval if type(state) is Promise else (state.shape, state.dtype)

    def log_write(self, handle, new):
        """Notes that ``handle`` gets the state ``new``."""
        if type(new) is Promise and new.trace is self:
            self.versions.setdefault(id(handle), []).append(new.index)
        self.remember(handle, handle._state)

    def remember(self, handle, state):
        """Notes ``state`` as that of ``handle`` before its first write, unless it was born in this recording."""
        if id(handle) in self.writes:
            return
        if id(handle) in self.rebound:
            self.writes[id(handle)] = self.rebound[id(handle)]
        elif type(state) is not Promise or state.trace is not self:
            self.writes[id(handle)] = handle, state

    # -- values in the middle ------------------------------------------------------------------------------------

    def compute(self, promise):
        """The concrete value of ``promise``, one of this recording, now. The recording keeps it as recorded."""
        self.looked = True
        return self.evaluate(promise.index)

    def leaf_value(self, position):
        """The concrete array of a leaf."""
        if self.leaf_states is None:
            raise RuntimeError(_MSG_ESCAPED)
        state = self.leaf_states[position]
        if state is None:
            return self.placeholder_value(position)
        state = settled(state)
        return state.trace.compute(state) if type(state) is Promise else state

    def placeholder_value(self, position):
        raise NoValueError(_MSG_NO_VALUE)

    def evaluate(self, index):
        """The concrete value at ``index``: the part of the recording that it needs is run as a Program of its own."""
        if index < 0:
            return self.leaf_value(~index)
        known = self.known
        if index not in known:
            part, places = Trace("part"), {}
            for node in self._missing(index):
                inputs = [places[i] if i in places else part._new_leaf(self.evaluate(i), None) for i in node.inputs]
                made = part.record((node.op, node.static, *inputs))
                for k, handle in enumerate((made,) if node.single else made):
                    places[node.first + k] = handle._state.index
            (known[index],) = execute.run(part.step.close(), (places[index],), part.leaf_states, self.site)
        return known[index]

    def _missing(self, index):
        """The nodes, in order, that must run before the value at ``index`` is known."""
        wanted, nodes, step = {index}, [], self.step
        while step.parent is not None:
            node = step.node
            if node is not None and any(node.first + k in wanted for k in range(len(node.avals))):
                nodes.append(node)
                wanted.update(i for i in node.inputs if i >= 0 and i not in self.known)
            step = step.parent
        return nodes[::-1]

    # -- closing -------------------------------------------------------------------------------------------------

    def live(self, promises=None):
        """Those of ``promises`` (the recorded values) that something else refers to, as CPython counts references."""
        count = sys.getrefcount
        return [promise for promise in (self.promises if promises is None else promises) if count(promise) > _DEAD]

    def rollback(self):
        """Gives every handle that was written to its state from before the recording."""
        for handle, state in self.writes.values():
            handle._state = state

    def abandon(self):
        """Ends the recording after an error: what was written is as before, and Tensors that outlive it have values."""
        self.rollback()
        self.keep_inputs()
        self.is_abandoned = True

    def restore(self):
        """Ends the stay of rebound handles; one that was written to keeps what was written."""
        for key, (handle, state) in self.rebound.items():
            if key not in self.writes:
                handle._state = state

    def keep_buffers(self):
        """Writes what was assigned into the host buffers that NumPy arrays of the user's still see."""
        for handle, state in self.writes.values():
            if type(state) is Shared and state.take(handle.state()):
                handle._state = state

    def keep_inputs(self):
        """Handles on inputs and constants outlive the recording as handles on these values themselves."""
        for promise in (*self.inputs, *self.constants):
            promise.value = self.leaf_states[~promise.index]
            promise.trace = None

    def forget(self):
        """Drops what only the recording needed, so that handles that outlive it hold no memory."""
        if self.is_kept:
            return
        self.promises = self.inputs = self.constants = self.rebound = self.leaf_states = self.leaf_handles = None
        self.leaf_index = self.earlier = self.known = None


class CallTrace(Trace):
    """The recording of a whole outermost call: nothing differentiates it, so its past can be run and dropped."""

    is_transformed = False

    def compute(self, promise):
        self.looked = True
        self.flush()
        return settled(promise)

    def flush(self):
        """Runs what is recorded so far and still wanted; what is recorded next starts from the values."""
        wanted = self.live()
        leaves = [self.leaf_value(position) for position in range(len(self.leaf_states))]
        results = execute.run(self.step.close(), tuple([promise.index for promise in wanted]), leaves, self.site)
        for promise, value in zip(wanted, results, strict=True):
            promise.value = value
            promise.trace = None  # it belongs to the past, and is a leaf of what is recorded from here on
        self.keep_inputs()
        self.step = Step.root()
        self.promises, self.inputs, self.constants = [], [], []
        self.leaf_states, self.leaf_handles, self.leaf_index, self.earlier = [], [], {}, {}


class _Probe:
    __slots__ = ()


def _dead_count():
    """The reference count that `Trace.live` sees for a promise to which nothing but the recording refers."""
    trace = Trace.__new__(Trace)
    trace.promises = [_Probe()]
    count = sys.getrefcount
    return [count(promise) for promise in trace.promises][0]


_DEAD = _dead_count()
