"""What users write for the backward pass of a recording: hooks and deferred rules, the *events* of the recording.

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
        """The same call in another recording, where it is the last operation and has the results ``outs``."""
        if self.inner is not None:
            self.inner.outer = trace
        return Deferred(trace.step.node.first, tuple(outs), self.rule, self.is_sparse, self.inner)

    def move(self, new_indices):
        """Follows the values of the recording to their new indices (dict, by the old ones)."""
        self.first = new_indices[self.first]
        self.outs = tuple([new_indices[index] for index in self.outs])

    def forget(self):
        """Drops what only the rule needed."""
        if self.inner is not None:
            finish(self.inner)
            self.inner.forget()


class AtLeaf:
    """A hook of a Tensor that a derivative ends at."""

    def __init__(self, hook):
        self.hook = hook


def has_events(trace):
    """Whether a recording has hooks or deferred rules."""
    return bool(trace.hooks or trace.deferred)


def events_of(trace):
    """The hooks on recorded values, and the deferred rules, with the index of what they are for."""
    if not (trace.hooks or trace.deferred):
        return []
    hooks = [(index, hook) for index, hooks in trace.hooks.items() for hook in hooks.values()]
    return hooks + [(deferred.first, deferred) for deferred in trace.deferred]


def all_events_of(trace):
    """`events_of`, and the hooks of the Tensors that a derivative ends at.

    A derivative from outside passes the latter where it ends there itself.
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
    """The leaves that a recording around this one may be differentiated by, or by what they are computed from."""
    leaves = zip(trace.leaf_states, trace.leaf_handles, strict=True)
    return [
        ~position
        for position, (state, handle) in enumerate(leaves)
        if state is None or type(state) is Promise or isinstance(handle, Parameter)
    ]


def when(event):
    """The sort key by which events are in the order of the function."""
    index, event = event
    return index - 0.5 if isinstance(event, Deferred) else index  # a rule comes after the hooks on the call's results


def depending_on(program, wrt):
    """The values that depend on ``wrt``, and these."""
    moved = set(wrt)
    for node in program.nodes:
        if any(i in moved for i in node.inputs):
            moved.update(range(node.first, node.first + len(node.avals)))
    return moved


def between(program, wrt, outs):
    """The values between ``wrt`` and ``outs``."""
    wanted = set(outs).union(*[node.inputs for node in program.needed(outs)])
    return depending_on(program, wrt) & wanted


def finish(trace):
    """Drops the rules of a recording whose derivatives are recorded, and with them the values that they refer to."""
    if trace.owner.is_kept:
        return
    for deferred in trace.deferred:
        deferred.forget()
    trace.deferred = []


class Hoist:
    """Moves values of a recording, with the hooks and rules that are theirs, to the recording around it.

    Attributes:
        fixed (set[int]): values whose hooks and rules stay.
        rules (list): what makes the recording take the moved values from outside.
    """

    def __init__(self, trace, fixed):
        self.trace = trace
        self.fixed = fixed
        self.rules = []
        self.outer_indices = {}  # the index in the recording around, by that of a value or leaf here

    def move(self, index, event):
        """Moves what a hook or Deferred is for, and what that is computed from; returns whether it can be."""
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
            made = outer.record((node.op, node.static, *[self.outer_indices[i] for i in node.inputs]))
            for k, handle in enumerate((made,) if node.single else made):
                self._follow(node.first + k, handle)
        if isinstance(event, Deferred):
            trace.deferred.remove(event)
            outer.deferred.append(event.moved(outer, [self.outer_indices[i] for i in event.outs]))
            self._replace(outs)
        elif index in trace.hooks:  # those of one value move together
            if index < 0:  # what else uses the input does not pass them
                self.outer_indices[index] = outer.record((IDENTITY, (), self.outer_indices[index])).state().index
            outer.hooks[self.outer_indices[index]] = trace.hooks.pop(index)
            self._replace(outs)
        return True

    def _follow(self, index, handle):
        """Makes the Tensors that have a moved value follow it."""
        trace, promise = self.trace, self.trace.promises[index]
        promise.value = handle.state()
        self.outer_indices[index] = promise.value.index
        trace.promises[index] = Promise(trace, index, promise.aval)

    def _replace(self, outs):
        """Makes the recording take the values ``outs`` from outside."""
        outer = self.trace.outer
        for i in outs:
            self.rules.append((i, Alias(self.trace.place(wrap(outer.promises[self.outer_indices[i]])))))
