"""Records hooks and reverse rules (``bprop``), in the order of the backward pass.

A hook or rule of the user's runs once, after the function to differentiate has been recorded. It is recorded as a
Program of its own, which JAX's backward pass calls. A gradient whose value it reads (prints, branches on), keeps, or
writes to a Parameter is computed at that moment, from what has been recorded.

A hook or rule on a value that this recording's derivative does not reach, but that of an outer recording may (`grad` of
`grad`), moves to the outer recording with its value. If it cannot move, it is recorded at once and its gradients have
no values. They have none in forward mode, in Jacobians and in `vmap` either.
"""

import functools
from typing import Any

import numpy as np

from ..engine.calls.staging import note_side_effect
from ..engine.collectives import collective
from ..engine.errors import NoValueError
from ..engine.execution import execute
from ..engine.handle import Handle, Promise, scope
from ..engine.host import to_device
from ..engine.recording import record
from ..engine.recording.trace import Trace
from ..engine.transforms.lifting import is_inexact
from ..engine.transforms.rules import Backward, Hook, Last
from ..engine.transforms.transform import ANEW, Vjp
from .events import (
    AtLeaf,
    Deferred,
    Hoist,
    all_events_of,
    between,
    events_of,
    finish,
    has_events,
    open_leaves,
    outs_of,
    when,
)
from .mode_rules import mode_rules

_MSG_WRITE = (
    "A 'bprop' or a hook writes a gradient to a Tensor where that gradient has no value: in jvp, jacrev, jacfwd and "
    "vmap, or in a gradient inside a gradient. Use a single ms.grad, ms.value_and_grad or ms.vjp, or do not write "
    "to Tensors in the 'bprop' or hook."
)
_MSG_COLLECTIVE = (
    "A 'bprop' or a hook reads the value of a gradient that depends on a collective, which would have to run a second "
    "time: do not read it there, but read the result outside."
)


class _BackwardTrace(Trace):
    """The recording of a hook or rule; ``gradients(position)`` computes the value of the gradient passed to it."""

    placeholders: Any

    def __init__(self, trace, gradients, orders):
        super().__init__(None, trace.owner)
        self.gradients = gradients
        self.orders = orders
        self.is_opaque = not orders
        self.placeholders = []

    def placeholder(self, aval, operand=None):
        handle = super().placeholder(aval, operand)
        self.placeholders.append(handle._state_())
        return handle

    def placeholder_value(self, position):
        return super().placeholder_value(position) if self.gradients is None else self.gradients(position)

    def keep_escaped(self):
        """Computes the values that outlive the recording, such as a gradient that a hook appended to a list."""
        for promise in [*self.live(), *self.live(self.placeholders)]:
            try:
                promise.value = self.evaluate(promise.index)
            except NoValueError:
                continue

    def keep_written(self):
        """Computes the values written to Tensors from outside; a staged call is then recorded at each call."""
        for handle, _ in self.writes.values():
            state = handle._state_()
            if type(state) is Promise and state.trace is self and state.value is None:
                try:
                    state.value = self.evaluate(state.index)
                except NoValueError:
                    raise RuntimeError(_MSG_WRITE) from None
        if self.writes:
            note_side_effect()

    def forget(self):
        super().forget()
        self.gradients = self.placeholders = None


class _Collection:
    """Records the hooks and rules of ``trace`` that a backward pass may reach, last value first, as ``rules``.

    Args:
        trace (Trace): the recording, and ``outs`` (tuple[int]) its outputs.
        used (set[int]): the values that its own derivative reaches.
        orders (int): how many further derivatives may be taken of that derivative.
        around (int): how many derivatives outer recordings may take of this one.
        values (callable): ``values(rules, indices)`` computes the gradients of these values; or None.
    """

    def __init__(self, trace, outs, used, orders, around=0, values=None):
        trace.owner.is_closed = True
        self.trace = trace
        self.outs = outs
        self.used = used
        self.orders = orders
        self.around = around
        self.values = values
        self.rules = []

    def record(self, events):
        """Records ``events``, pairs of an index and a hook or Deferred; returns the rules."""
        own = [event for event in events if outs_of(event) & self.used]
        todo = [(event, self.values, self.orders) for event in own]
        if self.around:
            unreached = [event for event in events if not outs_of(event) & self.used and type(event[1]) is not AtLeaf]
            todo += [(event, None, self.around - 1) for event in self._left_behind(unreached, own)]
        written = []
        try:
            for (index, hook), values, orders in sorted(todo, key=lambda item: when(item[0]), reverse=True):
                written.append(self._record(index, hook, values, orders))
        except BaseException:
            for inner in reversed(written):
                inner.rollback()
            raise
        for inner in written:  # they would keep the values around them alive until Python collects garbage
            inner.forget()
        return tuple(self.rules)

    def _left_behind(self, events, own):
        """Moves ``events`` that are not its ``own`` to the outer recording; returns those that cannot move.

        Events that no outer derivative can reach are dropped.
        """
        left = []
        if events:
            outs = {*self.outs, *[promise.index for promise in self.trace.live()]}
            reached = between(self.trace.step.close(), open_leaves(self.trace), outs)
            hoist = Hoist(self.trace, set().union(*map(outs_of, own)))
            for event in sorted([event for event in events if outs_of(event) & reached], key=when):
                if not hoist.move(*event):
                    left.append(event)
                    hoist.fixed |= outs_of(event)
            self.rules += hoist.rules
        return left

    def _record(self, index, event, values, orders):
        make = self._deferred if isinstance(event, Deferred) else self._hook
        return make(index, event, None if values is None else functools.partial(values, self.rules), orders)

    def _hook(self, index, hook, values, orders):
        trace = self.trace
        is_last = isinstance(hook, AtLeaf) and is_inexact(trace.aval_of(index)[1])
        hook = hook.hook if isinstance(hook, AtLeaf) else hook

        def rule(cotangents):
            result = hook(cotangents[0])
            if result is None:
                return {}
            if not isinstance(result, Handle):
                raise mode_rules().hook_error(
                    f"For 'register_hook', the hook must return a Tensor or None, but returned {type(result).__name__}."
                )
            shape, expected = result.aval[0], trace.aval_of(index)[0]
            if shape != expected:
                raise ValueError(
                    f"For 'register_hook', the hook must return a Tensor of the gradient's shape {expected}, "
                    f"but got {shape}."
                )
            return {0: result}

        gradient = None if values is None else lambda _: values((index,))[0]
        inner, results, *rest = _recorded(trace, (index,), index, gradient, rule, orders)
        if results:
            recorded = Hook.of(inner.step, results[0][1], *rest)
            self.rules.append((index, Last(recorded) if is_last else recorded))
        return inner

    def _deferred(self, index, deferred, values, orders):
        trace = self.trace
        avals = [trace.aval_of(out) for out in deferred.outs]
        active = tuple([out for out, (_, dtype) in zip(deferred.outs, avals, strict=True) if is_inexact(dtype)])

        @functools.cache
        def gradients():
            return dict(zip(active, values(active), strict=True))

        def gradient(position):
            out = deferred.outs[position]
            return gradients()[out] if out in active else to_device(np.zeros(*avals[position]))

        def rule(cotangents):
            if deferred.is_sparse and not self.around:  # an outer derivative may use results that this one does not
                cotangents = [c if i in self.used else None for c, i in zip(cotangents, deferred.outs, strict=True)]
            return deferred.rule(cotangents)

        inner, *rest = _recorded(trace, deferred.outs, index, None if values is None else gradient, rule, orders)
        self.rules.append((index, Backward.of(inner.step, *rest)))
        return inner


def collect(trace, wrt, outs, has_cotangents, cotangents):
    """Records the hooks and deferred rules of a recorded function that reverse mode is about to differentiate.

    Args:
        trace (Trace): the recording.
        wrt (tuple[int]): the values to differentiate by.
        outs (tuple[int]): the differentiated outputs.
        has_cotangents (bool): whether ``cotangents`` (sequence of Handle) has those of the outputs; else they are ones.
    Returns:
        tuple of ``(index, Hook or Backward)``.
    """
    events = all_events_of(trace)
    if not events:
        return ()
    rules = _collected(trace, events, wrt, outs, record.orders_of(trace.owner.outer), (has_cotangents, cotangents))
    finish(trace)
    return rules


def collect_for_many(trace, wrt, outs):
    """As `collect`, for forward mode and Jacobians, where gradients have no value to read."""
    events = all_events_of(trace)
    if not events:
        return ()
    around = record.orders_of(trace.owner.outer)
    used = between(trace.step.close(), wrt, outs)
    rules = _Collection(trace, outs, used, around + 1, around).record(events)  # forward mode is two reverse passes
    finish(trace)
    return rules


def collect_for_outside(trace, outs):
    """As `collect`, for the recording of one sample in `vmap`: only an outer derivative reaches its hooks and rules."""
    around = record.orders_of(trace.owner.outer)
    rules = ()
    if around and has_events(trace):
        samples = [~position for position, state in enumerate(trace.leaf_states) if state is None]
        own = between(trace.step.close(), samples, outs)
        rules = _Collection(trace, outs, own, around - 1, around).record(events_of(trace))
    finish(trace)
    return rules


def _collected(trace, events, wrt, outs, around, seeds):
    if not events:
        return ()
    has_cotangents, cotangents = seeds

    def values(rules, indices):
        if trace.step.close().collective is not None:
            raise RuntimeError(_MSG_COLLECTIVE)
        op = Vjp.of(trace.step, (), indices, outs, tuple(rules), has_cotangents)
        leaves = trace.leaf_values()
        results = execute.launch_transform(op, leaves + [c._array_() for c in cotangents], None)
        return results[len(op.keep) :]  # the op is interned, and may also return values that an earlier use kept

    return _Collection(trace, outs, between(trace.step.close(), wrt, outs), around, around, values).record(events)


def _recorded(trace, outs, limit, gradient, rule, orders):
    """Records ``rule`` with placeholders for the cotangents of ``outs``; it may use values at indices below ``limit``.

    Returns:
        The recording; pairs (operand position, index of its gradient); the links of its leaves; the rules within it.
    """
    before = scope.trace
    inner = scope.trace = _BackwardTrace(trace, gradient, orders)
    try:
        results = rule([inner.placeholder(trace.aval_of(index)) for index in outs])
        results = tuple([(position, inner.place(gradient)) for position, gradient in results.items()])
        everything = {*range(-len(inner.leaf_states), len(inner.promises))}
        rules = _Collection(inner, (), everything, orders - 1).record(events_of(inner)) if orders else ()
        finish(inner)
        token = collective.written_in(inner)
        if token is not None:  # the rule's collectives are ordered among themselves
            inner.undo_write(token)
        inner.keep_escaped()
        inner.keep_written()
        links = _links(inner, trace, outs, limit)
    except BaseException:
        inner.abandon()
        raise
    finally:
        scope.trace = before
    for handle, state in inner.writes.values():
        (before or trace.owner).remember(handle, state)
    return inner, results, links, rules


def _links(inner, trace, outs, limit):
    """The source of each leaf of a recorded rule; values at index ``limit`` or above become constants."""
    links = []
    for position, (state, handle) in enumerate(zip(inner.leaf_states, inner.leaf_handles, strict=True)):
        if state is None:
            links.append(("cotangent", outs[position]))
            continue
        is_token = collective.is_token(handle)
        index = trace.place(None, collective.first_token()) if is_token else trace.place(handle, state)
        if index >= limit and index not in outs:
            index = trace.place(None, trace.evaluate(index))
            trace.owner.has_host_read = True
        links.append(("value", index))
    return tuple(links)


# -- calls with their own reverse rule inside a recording ------------------------------------------------------------


def defer(trace, op, outs, rule, is_sparse=False, is_kept=False):
    """Records a closed part in the outer recording as one call, whose reverse rule is recorded later.

    Args:
        trace (Trace): the part, and ``op`` (Transform) the operation that computes it.
        outs (sequence of int): the differentiated results, by index in the part.
        rule, is_sparse: as in `Deferred`.
        is_kept (bool): whether the rule needs the part.
    """
    outer = trace.outer
    record.emit(trace, op, forget=not is_kept)
    first = outer.step.node.first
    results = tuple([first + op.keep.index(index) for index in outs])
    outer.deferred.append(Deferred(first, results, rule, is_sparse, trace if is_kept else None))


def put(trace, op, outs=(), around=lambda cotangents, pull: pull(cotangents), anew=False):
    """Records a closed part in the outer recording as one call, with the part's own hooks and rules.

    Args:
        trace (Trace): the part, and ``op`` (Transform) the operation that computes it.
        outs (tuple[int]): the results that come first, by index in the part.
        around (callable): ``around(cotangents, pull)`` records and returns the gradients by operand;
            ``pull(cotangents)`` records the ordinary ones. Default: ``pull`` alone.
        anew (bool): whether the backward pass recomputes everything in the part.
    """
    sides = tuple([index for index in op.keep if index not in outs])
    count = len(trace.leaf_states)

    def rule(cotangents):
        own, other = cotangents[: len(outs)], cotangents[len(outs) :]
        return around(own, lambda changed: _pulled(trace, outs + sides, [*changed, *other], count, anew))

    defer(trace, op, outs + sides, rule, is_kept=True)


def _pulled(trace, outs, cotangents, count, anew):
    """Records the gradients of a part with respect to its first ``count`` leaves, in the rule being recorded."""
    inner = scope.trace
    wrt = tuple([~i for i in range(count) if is_inexact(trace.aval_of(~i)[1])])
    rules = _collected(trace, events_of(trace), wrt, outs, inner.orders, (True, cotangents))
    op = Vjp.of(trace.step, (), wrt, outs, rules, True)
    ids = [inner.place(handle, state) for handle, state in zip(trace.leaf_handles, trace.leaf_states, strict=True)]
    ids += [inner.place(cotangent) for cotangent in cotangents]
    if anew:
        ids = [inner.place(value) for value in inner.record((ANEW, (), *ids))]
    gradients = inner.record((op, (), *ids))[len(op.keep) :]
    return {~index: gradient for index, gradient in zip(wrt, gradients, strict=True)}
