"""The *events* of a recording: the hooks and reverse rules that users wrote for its backward pass.

An event is a pair: the index of a value and a hook on it, or the index of a call's first result and a `Deferred`.
"""

from ..engine.handle import Promise
from ..engine.recording.results import wrap
from ..engine.transforms.rules import Alias
from ..engine.transforms.transform import IDENTITY
from ..tensor.parameter import Parameter


class Deferred:
    """A recorded call whose reverse rule is recorded when it is differentiated.

    Attributes:
        first (int): the index of the call's first result in the recording that it is part of.
        outs (tuple[int]): its differentiated results, by their index there.
        rule (callable): takes a cotangent Tensor for each of them, records, and returns gradients by operand position.
        is_sparse (bool): whether the rule gets None for a result that is not used.
        inner (Trace): the recording of the call, if the rule needs it, else None.
    """

    def __init__(self, first, outs, rule, is_sparse=False, inner=None):
        self.first = first
        self.outs = outs
        self.rule = rule
        self.is_sparse = is_sparse
        self.inner = inner

    def moved(self, trace, outs):
        """A copy of this for ``trace``, where the call is the last operation and has the results ``outs``."""
        if self.inner is not None:
            self.inner.outer = trace
        return Deferred(trace.step.node.first, tuple(outs), self.rule, self.is_sparse, self.inner)

    def move(self, new_indices):
        """Replaces the indices by the new ones: ``new_indices`` is a dict by old index."""
        self.first = new_indices[self.first]
        self.outs = tuple([new_indices[index] for index in self.outs])

    def forget(self):
        """Drops the inner recording, which only the rule needed."""
        if self.inner is not None:
            finish(self.inner)
            self.inner.forget()


class AtLeaf:
    """A hook of a Tensor that is an input of the recording."""

    def __init__(self, hook):
        self.hook = hook


def has_events(trace):
    """Whether a recording has hooks or deferred rules."""
    return bool(trace.hooks or trace.deferred)


def events_of(trace):
    """The hooks on recorded values and the deferred rules, as pairs (index, event)."""
    if not (trace.hooks or trace.deferred):
        return []
    hooks = [(index, hook) for index, hooks in trace.hooks.items() for hook in hooks.values()]
    return hooks + [(deferred.first, deferred) for deferred in trace.deferred]


def all_events_of(trace):
    """`events_of`, and the hooks of the Tensors that are inputs of the recording.

    An outer derivative runs the latter itself, if the Tensor is an input of the outer recording.
    """
    hooked = trace.hooked_leaves()
    if not (hooked or trace.hooks or trace.deferred):
        return []
    return events_of(trace) + [(index, AtLeaf(hook)) for index, handle in hooked for hook in handle._hooks.values()]


def outs_of(event):
    """The values that a hook or rule is for."""
    index, event = event
    return set(event.outs) if isinstance(event, Deferred) else {index}


def open_leaves(trace):
    """The leaves through which a derivative of an outer recording may flow."""
    leaves = zip(trace.leaf_states, trace.leaf_handles, strict=True)
    return [
        ~position
        for position, (state, handle) in enumerate(leaves)
        if state is None or type(state) is Promise or isinstance(handle, Parameter)
    ]


def when(event):
    """The sort key that puts events in the order of the forward pass."""
    index, event = event
    return index - 0.5 if isinstance(event, Deferred) else index  # a rule comes after the hooks on the call's results


def depending_on(program, wrt):
    """The indices of ``wrt`` and of all values that depend on them."""
    moved = set(wrt)
    for node in program.nodes:
        if any(i in moved for i in node.inputs):
            moved.update(range(node.first, node.first + len(node.avals)))
    return moved


def between(program, wrt, outs):
    """The indices of the values that depend on ``wrt`` and that ``outs`` depend on."""
    wanted = set(outs).union(*[node.inputs for node in program.needed(outs)])
    return depending_on(program, wrt) & wanted


def finish(trace):
    """Drops the deferred rules of a differentiated recording, which frees the values that they refer to."""
    if trace.owner.is_kept:
        return
    for deferred in trace.deferred:
        deferred.forget()
    trace.deferred = []


class Hoist:
    """Moves values of a recording, with their hooks and rules, to the outer recording.

    Attributes:
        fixed (set[int]): values whose hooks and rules stay.
        rules (list): pairs (index, Alias) that replace the moved values by leaves from outside.
    """

    def __init__(self, trace, fixed):
        self.trace = trace
        self.fixed = fixed
        self.rules = []
        self.outer_indices = {}  # index in the outer recording, by index here

    def move(self, index, event):
        """Moves an event's values and everything that they are computed from; returns whether that was possible."""
        trace, outer = self.trace, self.trace.outer
        outs = outs_of((index, event))
        nodes = [node for node in trace.step.close().needed(outs) if node.first not in self.outer_indices]
        results = {node.first + k for node in nodes for k in range(len(node.avals))}
        leaves = {i for i in outs.union(*[node.inputs for node in nodes]) if i < 0} - self.outer_indices.keys()
        if (results | leaves) & self.fixed or any(trace.leaf_states[~i] is None for i in leaves):
            return False
        for i in leaves:
            self.outer_indices[i] = outer.place(trace.leaf_handles[~i], trace.leaf_states[~i])
        for node in nodes:
            handles = outer.record((node.op, node.static, *[self.outer_indices[i] for i in node.inputs]))
            for k, handle in enumerate((handles,) if node.single else handles):
                self._follow(node.first + k, handle)
        if isinstance(event, Deferred):
            trace.deferred.remove(event)
            outer.deferred.append(event.moved(outer, [self.outer_indices[i] for i in event.outs]))
            self._replace(outs)
        elif index in trace.hooks:  # all hooks of a value move together
            if index < 0:  # a copy: other uses of the input must not run the hook
                self.outer_indices[index] = outer.record((IDENTITY, (), self.outer_indices[index]))._state_().index
            outer.hooks[self.outer_indices[index]] = trace.hooks.pop(index)
            self._replace(outs)
        return True

    def _follow(self, index, handle):
        """Makes the Tensors that refer to a moved value refer to it in the outer recording."""
        trace, promise = self.trace, self.trace.promises[index]
        promise.value = handle._state_()
        self.outer_indices[index] = promise.value.index
        trace.promises[index] = Promise(trace, index, promise.aval)

    def _replace(self, outs):
        """Makes the recording read the values ``outs`` from the outer recording."""
        outer = self.trace.outer
        for i in outs:
            self.rules.append((i, Alias(self.trace.place(wrap(outer.promises[self.outer_indices[i]])))))
