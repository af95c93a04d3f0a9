"""Recording of hooks and reverse rules, in the order in which the backward pass meets them.

What users write for the backward pass runs once, when the function to differentiate has been recorded. It is recorded
as a Program of its own, which JAX's backward pass goes through. A gradient that it looks at (prints, branches on) is
computed at that moment, from what has been recorded; so is one that it keeps.
"""

import functools

import jax.numpy as jnp

from ..engine import execute
from ..engine.handle import Handle, scope
from ..engine.lifting import is_inexact
from ..engine.rules import Backward, Hook
from ..engine.staging import Policy
from ..engine.trace import NoValueError, Trace
from ..engine.transform import Custom, Vjp


class Deferred:
    """A recorded call whose reverse rule is recorded when it is differentiated.

    Attributes:
        first (int): the index of the call's first result there.
        outs (tuple[int]): its outputs, by their index in the recording that it is part of.
        rule (callable): takes a cotangent Tensor for each output, records, and returns gradients by operand position.
        is_sparse (bool): whether the rule gets None for an output that is not used.
        forget (callable): called when the rule is not needed any more.
    """

    def __init__(self, first, outs, rule, is_sparse, forget):
        self.first = first
        self.outs = outs
        self.rule = rule
        self.is_sparse = is_sparse
        self.forget = forget

    def move(self, places):
        """Follows the values of the recording to other indices (dict)."""
        self.first = places[self.first]
        self.outs = tuple([places[index] for index in self.outs])


class _BackwardTrace(Trace):
    """The recording of a hook or rule; ``gradients(position)`` computes the value of a placeholder, if there is one."""

    def __init__(self, trace, gradients):
        super().__init__("hook", trace.owner)
        self.gradients = gradients
        self.placeholders = []

    def placeholder(self, aval, operand=None):
        made = super().placeholder(aval, operand)
        self.placeholders.append(made.state())
        return made

    def placeholder_value(self, position):
        return super().placeholder_value(position) if self.gradients is None else self.gradients(position)

    def keep_escaped(self):
        """Computes the values that something still refers to: a list that a hook has put its gradient into."""
        for promise in [*self.live(), *self.live(self.placeholders)]:
            try:
                promise.value = self.evaluate(promise.index)
            except NoValueError:
                return


def collect(trace, wrt, outs, given, cotangents):
    """Records the hooks and deferred rules of a recorded function, last value first.

    Args:
        trace (Trace): the recording.
        wrt (tuple[int]): the values to differentiate by.
        outs (tuple[int]): the differentiated outputs.
        given (bool): whether cotangents are given, and ``cotangents`` (sequence of Handle) which.
    Returns:
        tuple of ``(index, Hook or Backward)``.
    """
    trace.owner.is_closed = True
    events = [(index, hook) for index, hooks in _hooks_of(trace).items() for hook in hooks.values()]
    # A rule comes after the hooks on the results of its call.
    events += [(deferred.first - 0.5, deferred) for deferred in trace.deferred or ()]
    if not events:
        return ()
    used = _used(trace.step.close(), wrt, outs) if trace.deferred else ()
    rules = []

    def gradients(indices):
        op = Vjp.of(trace.step, (), indices, outs, tuple(rules), given)
        leaves = [trace.leaf_value(position) for position in range(op.leaf_count)]
        return execute.launch_transform(op, leaves + [c.array() for c in cotangents], "hook")

    for index, event in sorted(events, key=lambda event: event[0], reverse=True):
        if not isinstance(event, Deferred):
            rule = _recorded_hook(trace, index, event, gradients)
        elif any(out in used for out in event.outs):
            index, rule = event.first, _recorded_rule(trace, event, used, gradients)
        else:
            rule = None
        if rule is not None:
            rules.append((index, rule))
    for deferred in trace.deferred or ():
        deferred.forget()
    trace.deferred = None
    return tuple(rules)


def custom(trace, keep, outs, rule):
    """The op of a closed recording with a rule that is recorded now; no gradient in it has a value."""
    trace.is_closed = True
    inner, results = _record(trace, [trace.aval_of(index) for index in outs], None, rule)
    return Custom.of(trace.step, keep, Backward.of(inner.step, _links(inner, trace, outs), results))


def _hooks_of(trace):
    registries = dict(trace.hooks)
    for index, handle in trace.hooked_leaves():
        registries[index] = {**handle._hooks, **registries.get(index, {})}
    return registries


def _used(program, wrt, outs):
    """The values between ``wrt`` and ``outs``."""
    moved = set(wrt)
    for node in program.nodes:
        if any(i in moved for i in node.inputs):
            moved.update(range(node.first, node.first + len(node.avals)))
    wanted = set(outs).union(*[node.inputs for node in program.needed(outs)])
    return moved & wanted


def _recorded_hook(trace, index, hook, gradients):
    def rule(cotangents):
        result = hook(cotangents[0])
        if result is None:
            return {}
        if not isinstance(result, Handle):
            error = TypeError if Policy.staged else RuntimeError
            raise error(f"Tensor hook should be return Tensor, but get type: {type(result).__name__}.")
        given, expected = result.aval[0], trace.aval_of(index)[0]
        if given != expected:
            raise ValueError(
                f"For 'register_hook', the hook must return a Tensor of the gradient's shape {expected}, "
                f"but got {given}."
            )
        return {0: result}

    inner, results = _record(trace, [trace.aval_of(index)], lambda _: gradients((index,))[0], rule)
    return Hook.of(inner.step, _links(inner, trace, (index,), index), results[0][1]) if results else None


def _recorded_rule(trace, deferred, used, gradients):
    avals = [trace.aval_of(index) for index in deferred.outs]
    active = tuple([index for index, (_, dtype) in zip(deferred.outs, avals, strict=True) if is_inexact(dtype)])

    @functools.cache
    def values():
        return dict(zip(active, gradients(active), strict=True))

    def gradient(position):
        index = deferred.outs[position]
        return values()[index] if index in active else jnp.zeros(*avals[position])

    def rule(cotangents):
        if deferred.is_sparse:
            cotangents = [c if i in used else None for c, i in zip(cotangents, deferred.outs, strict=True)]
        return deferred.rule(cotangents)

    inner, results = _record(trace, avals, gradient, rule)
    return Backward.of(inner.step, _links(inner, trace, deferred.outs, deferred.first), results)


def _record(trace, avals, gradients, rule):
    """Records ``rule``; returns the recording, and pairs of an operand's position and the index of its gradient."""
    before = scope.trace
    inner = scope.trace = _BackwardTrace(trace, gradients)
    try:
        results = rule([inner.placeholder(aval) for aval in avals])
        results = tuple([(position, inner.place(gradient)) for position, gradient in results.items()])
        if gradients is not None:
            inner.keep_escaped()
    finally:
        scope.trace = before
    return inner, results


def _links(inner, trace, outs, limit=float("inf")):
    """Where the leaves of a recorded rule come from; values that are computed from ``limit`` on become constants."""
    links = []
    for position, (state, handle) in enumerate(zip(inner.leaf_states, inner.leaf_handles, strict=True)):
        if state is None:
            links.append(("cotangent", outs[position]))
            continue
        index = trace.place(handle, state)
        if index >= limit and index not in outs:
            index = trace.place(None, trace.evaluate(index))
            trace.owner.looked = True
        links.append(("value", index))
    return tuple(links)
