"""Recording of hooks and reverse rules, in the order in which the backward pass meets them.

What users write for the backward pass runs once, when the function to differentiate has been recorded. It is recorded
as a Program of its own, which JAX's backward pass goes through. A gradient that it looks at (prints, branches on) is
computed at that moment, from what has been recorded; so is one that it keeps, and one that it writes to a Parameter.

A hook or rule that the recording's own derivative does not pass, but perhaps that of a recording around it (`grad` of
`grad`), moves there with its value. Where that cannot be, it is recorded at once, and no gradient has a value; none has
one in forward mode, in Jacobians and in `vmap`.
"""

import functools

import jax.numpy as jnp

from ..engine import execute, record
from ..engine.handle import Handle, Promise, scope
from ..engine.lifting import is_inexact
from ..engine.rules import Alias, Backward, Hook, Last
from ..engine.staging import Policy, acts
from ..engine.trace import NoValueError, Trace, wrap
from ..engine.transform import ANEW, IDENTITY, Vjp
from ..tensor.parameter import Parameter

_MSG_WRITE = (
    "A 'bprop' or a hook writes to a Tensor what depends on a gradient, where that gradient has no value: in jvp, "
    "jacrev, jacfwd and vmap it stands for many, and in a gradient inside a gradient it may not be known yet. Take it "
    "with ms.grad, ms.value_and_grad or ms.vjp alone, or do not write there."
)


class Deferred:
    """A recorded call whose reverse rule is recorded when it is differentiated.

    Attributes:
        node (Node): the call.
        outs (tuple[int]): its differentiated results, by their index in the recording that it is part of.
        rule (callable): takes a cotangent Tensor for each of them, records, and returns gradients by operand position.
        is_sparse (bool): whether the rule gets None for a result that is not used.
        inner (Trace): the recording of the call, if the rule needs it, else None.
    """

    def __init__(self, node, outs, rule, is_sparse=False, inner=None):
        self.node = node
        self.outs = outs
        self.rule = rule
        self.is_sparse = is_sparse
        self.inner = inner

    def moved(self, trace, outs):
        """The same call in another recording, where it is the last operation and has the results ``outs``."""
        if self.inner is not None:
            self.inner.outer = trace
        return Deferred(trace.step.node, tuple(outs), self.rule, self.is_sparse, self.inner)

    def forget(self):
        """Drops what only the rule needed."""
        if self.inner is not None:
            _finish(self.inner)
            self.inner.forget()


class _AtLeaf:
    """A hook of a Tensor that a derivative ends at."""

    def __init__(self, hook):
        self.hook = hook


class _BackwardTrace(Trace):
    """The recording of a hook or rule; ``gradients(position)`` computes the value of a placeholder, if there is one."""

    def __init__(self, trace, gradients, orders):
        super().__init__("hook", trace)
        self.gradients = gradients
        self.orders = orders
        self.is_opaque = not orders
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
                continue

    def keep_written(self):
        """Computes the values that were written to Tensors from outside, at each call of a function that is staged."""
        for handle, _ in self.writes.values():
            state = handle._state
            if type(state) is Promise and state.trace is self and state.value is None:
                try:
                    state.value = self.evaluate(state.index)
                except NoValueError:
                    raise RuntimeError(_MSG_WRITE) from None
        if self.writes:
            acts()


class _Collection:
    """The hooks and rules of ``trace`` that a derivative may pass, recorded last value first as ``rules``.

    Args:
        trace (Trace): the recording, and ``outs`` (tuple[int]) its outputs.
        used (set[int]): the values that its own derivative passes.
        orders (int): how many further derivatives may be taken of that.
        around (int): how many derivatives may be taken of the recording from outside.
        values (callable): given the rules so far, and the indices of values, computes their gradients; or None.
    """

    def __init__(self, trace, outs, used, orders, around=0, values=None):
        self.trace = trace
        self.outs = outs
        self.used = used
        self.orders = orders
        self.around = around
        self.values = values
        self.rules = []

    def record(self, events):
        """Records ``events``, pairs of an index and a hook or Deferred; returns the rules."""
        own = [event for event in events if _outs(event) & self.used]
        others = [event for event in events if not _outs(event) & self.used] if self.around else ()
        todo = [(event, self.values, self.orders) for event in own]
        todo += [(event, None, self.around - 1) for event in self._left_behind(others, own)]
        written = []
        try:
            for event, values, orders in sorted(todo, key=lambda item: _when(item[0]), reverse=True):
                written.append(self._record(*event, values, orders))
        except BaseException:
            for inner in reversed(written):
                inner.rollback()
            raise
        return tuple(self.rules)

    def _left_behind(self, events, own):
        """Moves ``events``, which are not its ``own``, to the recording around this one; returns those that stay.

        What no derivative from outside passes is dropped.
        """
        left = []
        if events:
            outs = {*self.outs, *[promise.index for promise in self.trace.live()]}
            reached = _between(self.trace.step.close(), _open_leaves(self.trace), outs)
            hoist = _Hoist(self.trace, set().union(*map(_outs, own)))
            for event in sorted([event for event in events if _outs(event) & reached], key=_when):
                if not hoist.move(*event):
                    left.append(event)
                    hoist.fixed |= _outs(event)
            self.rules += hoist.rules
        return left

    def _record(self, index, event, values, orders):
        make = self._deferred if isinstance(event, Deferred) else self._hook
        return make(index, event, None if values is None else functools.partial(values, self.rules), orders)

    def _hook(self, index, hook, values, orders):
        trace = self.trace
        is_last = isinstance(hook, _AtLeaf) and is_inexact(trace.aval_of(index)[1])
        hook = hook.hook if isinstance(hook, _AtLeaf) else hook

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

        gradient = None if values is None else lambda _: values((index,))[0]
        inner, results, *rest = _recorded(trace, (index,), index, gradient, rule, orders)
        if results:
            made = Hook.of(inner.step, results[0][1], *rest)
            self.rules.append((index, Last(made) if is_last else made))
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
            return gradients()[out] if out in active else jnp.zeros(*avals[position])

        def rule(cotangents):
            if deferred.is_sparse and not self.around:  # a derivative from outside may use what this one does not
                cotangents = [c if i in self.used else None for c, i in zip(cotangents, deferred.outs, strict=True)]
            return deferred.rule(cotangents)

        inner, *rest = _recorded(trace, deferred.outs, index, None if values is None else gradient, rule, orders)
        self.rules.append((index, Backward.of(inner.step, *rest)))
        return inner


class _Hoist:
    """Moves values of a recording, with the hooks and rules that are theirs, to the recording around it.

    Attributes:
        fixed (set[int]): values whose hooks and rules stay.
        rules (list): what makes the recording take the moved values from outside.
    """

    def __init__(self, trace, fixed):
        self.trace = trace
        self.fixed = fixed
        self.rules = []
        self.places = {}  # from the index of a value or leaf to its index outside

    def move(self, index, event):
        """Moves what a hook or Deferred is for, and what that is computed from; returns whether it can be."""
        trace, outer = self.trace, self.trace.outer
        outs = _outs((index, event))
        nodes = [node for node in trace.step.close().needed(outs) if node.first not in self.places]
        results = {node.first + k for node in nodes for k in range(len(node.avals))}
        leaves = {i for i in outs.union(*[node.inputs for node in nodes]) if i < 0} - self.places.keys()
        if (results | leaves) & self.fixed or any(trace.leaf_states[~i] is None for i in leaves):
            return False
        for i in leaves:
            self.places[i] = outer.place(trace.leaf_handles[~i], trace.leaf_states[~i])
        for node in nodes:
            made = outer.record((node.op, node.static, *[self.places[i] for i in node.inputs]))
            for k, handle in enumerate((made,) if node.single else made):
                self._follow(node.first + k, handle)
        if isinstance(event, Deferred):
            trace.deferred.remove(event)
            outer.deferred.append(event.moved(outer, [self.places[i] for i in event.outs]))
            self._replace(outs)
        elif index in trace.hooks:  # those of one value move together
            if index < 0:  # what else uses the input does not pass them
                self.places[index] = outer.record((IDENTITY, (), self.places[index]))._state.index
            outer.hooks[self.places[index]] = trace.hooks.pop(index)
            self._replace(outs)
        return True

    def _follow(self, index, handle):
        """Makes the Tensors that have a moved value follow it."""
        trace, promise = self.trace, self.trace.promises[index]
        self.places[index] = handle._state.index
        promise.value = handle._state
        trace.promises[index] = Promise(trace, index, promise.aval)

    def _replace(self, outs):
        """Makes the recording take the values ``outs`` from outside."""
        outer = self.trace.outer
        for i in outs:
            self.rules.append((i, Alias(self.trace.place(wrap(outer.promises[self.places[i]])))))


def collect(trace, wrt, outs, given, cotangents):
    """Records the hooks and deferred rules of a recorded function that reverse mode is about to differentiate.

    Args:
        trace (Trace): the recording.
        wrt (tuple[int]): the values to differentiate by.
        outs (tuple[int]): the differentiated outputs.
        given (bool): whether cotangents are given, and ``cotangents`` (sequence of Handle) which.
    Returns:
        tuple of ``(index, Hook or Backward)``.
    """
    around = record.orders_of(trace.outer)
    rules = _collected(trace, _events(trace) + _events_at_leaves(trace), wrt, outs, around, (given, cotangents))
    _finish(trace)
    return rules


def collect_for_many(trace, wrt, outs):
    """As `collect`, for forward mode and Jacobians: a gradient stands for many, and has no value to look at."""
    events = _events(trace) + _events_at_leaves(trace)
    rules = ()
    if events:
        around = record.orders_of(trace.outer)
        used = _between(trace.step.close(), wrt, outs)
        rules = _Collection(trace, outs, used, around + 1, around).record(events)  # forward mode is two reverse passes
    _finish(trace)
    return rules


def collect_for_outside(trace, outs):
    """As `collect`, for a recording of one sample of many: only a derivative from outside passes it."""
    around = record.orders_of(trace.outer)
    rules = ()
    if around and has_events(trace):
        samples = [~position for position, state in enumerate(trace.leaf_states) if state is None]
        own = _between(trace.step.close(), samples, outs)
        rules = _Collection(trace, outs, own, around - 1, around).record(_events(trace))
    _finish(trace)
    return rules


def _collected(trace, events, wrt, outs, around, seeds):
    if not events:
        return ()
    given, cotangents = seeds

    def values(rules, indices):
        op = Vjp.of(trace.step, (), indices, outs, tuple(rules), given)
        leaves = [trace.leaf_value(position) for position in range(len(trace.leaf_states))]
        results = execute.launch_transform(op, leaves + [c.array() for c in cotangents], "hook")
        return results[len(op.keep) :]  # an equal recording may have been differentiated for more

    return _Collection(trace, outs, _between(trace.step.close(), wrt, outs), around, around, values).record(events)


def _finish(trace):
    """Drops the rules of a recording whose derivatives are recorded, and with them the values that they refer to."""
    if trace.is_kept:
        return
    for deferred in trace.deferred:
        deferred.forget()
    trace.deferred = []


def has_events(trace):
    """Whether a recording has hooks or deferred rules."""
    return bool(trace.hooks or trace.deferred)


def _events(trace):
    """The hooks on recorded values, and the deferred rules, with the index of what they are for."""
    hooks = [(index, hook) for index, hooks in trace.hooks.items() for hook in hooks.values()]
    return hooks + [(deferred.node.first, deferred) for deferred in trace.deferred]


def _events_at_leaves(trace):
    """The hooks of the Tensors that a derivative ends at; one from outside passes them where it ends there itself."""
    return [
        (~position, _AtLeaf(hook))
        for position, handle in enumerate(trace.leaf_handles)
        if handle is not None and handle._hooks
        for hook in handle._hooks.values()
    ]


def _outs(event):
    """The values that a hook or rule is for."""
    index, event = event
    return set(event.outs) if isinstance(event, Deferred) else {index}


def _open_leaves(trace):
    """The leaves that a recording around this one may be differentiated by, or by what they are computed from."""
    leaves = zip(trace.leaf_states, trace.leaf_handles, strict=True)
    return [
        ~position
        for position, (state, handle) in enumerate(leaves)
        if state is None or type(state) is Promise or isinstance(handle, Parameter)
    ]


def _when(event):
    index, event = event
    return index - 0.5 if isinstance(event, Deferred) else index  # a rule comes after the hooks on the call's results


def _moved(program, wrt):
    """The values that depend on ``wrt``."""
    moved = set(wrt)
    for node in program.nodes:
        if any(i in moved for i in node.inputs):
            moved.update(range(node.first, node.first + len(node.avals)))
    return moved


def _between(program, wrt, outs):
    """The values between ``wrt`` and ``outs``."""
    wanted = set(outs).union(*[node.inputs for node in program.needed(outs)])
    return _moved(program, wrt) & wanted


def _recorded(trace, outs, limit, gradient, rule, orders):
    """Records ``rule`` for cotangents of the values ``outs``; it is to use values from before ``limit``.

    Returns:
        The recording, pairs of an operand's position and the index of its gradient, the links, and the rules in it.
    """
    before = scope.trace
    inner = scope.trace = _BackwardTrace(trace, gradient, orders)
    try:
        results = rule([inner.placeholder(trace.aval_of(index)) for index in outs])
        results = tuple([(position, inner.place(gradient)) for position, gradient in results.items()])
        everything = {*range(-len(inner.leaf_states), len(inner.promises))}
        rules = _Collection(inner, (), everything, orders - 1).record(_events(inner)) if orders else ()
        _finish(inner)
        inner.keep_escaped()
        inner.keep_written()
        links = _links(inner, trace, outs, limit)
    except BaseException:
        inner.abandon()
        raise
    finally:
        scope.trace = before
    if before is not None:
        for handle, state in inner.writes.values():
            before.remember(handle, state)
    return inner, results, links, rules


def _links(inner, trace, outs, limit):
    """Where the leaves of a recorded rule come from; values that are computed from ``limit`` on become constants."""
    links = []
    for position, (state, handle) in enumerate(zip(inner.leaf_states, inner.leaf_handles, strict=True)):
        if state is None:
            links.append(("cotangent", outs[position]))
            continue
        index = trace.place(handle, state)
        if index >= limit and index not in outs:
            index = trace.place(None, trace.evaluate(index))
            trace.looked = True
        links.append(("value", index))
    return tuple(links)


# -- calls in a recording that is differentiated ---------------------------------------------------------------------


def defer(trace, op, outs, rule, is_sparse=False, is_kept=False):
    """Puts a closed part into the recording around it, as a call whose reverse rule is recorded later.

    Args:
        trace (Trace): the part, and ``op`` (Transform) the call.
        outs (sequence of int): the differentiated results, by index in the part.
        rule, is_sparse: as in `Deferred`.
        is_kept (bool): whether the rule needs the part.
    """
    outer = trace.outer
    record.emit(trace, op, forget=not is_kept)
    node = outer.step.node
    places = tuple([node.first + op.keep.index(index) for index in outs])
    outer.deferred.append(Deferred(node, places, rule, is_sparse, trace if is_kept else None))


def put(trace, op, outs=(), around=lambda cotangents, pull: pull(cotangents), anew=False):
    """Puts a closed part into the recording around it; the part's own hooks and rules go with it.

    Args:
        trace (Trace): the part, and ``op`` (Transform) what gives its values.
        outs (tuple[int]): results that come first, by index in the part.
        around (callable): given the cotangents of ``outs`` and the function ``pull`` that records gradients by operand
            for other ones, records what the gradients by operand are to be instead.
        anew (bool): whether the backward pass computes everything in the part anew.
    """
    sides = tuple([index for index in op.keep if index not in outs])
    count = len(trace.leaf_states)

    def rule(cotangents):
        own, other = cotangents[: len(outs)], cotangents[len(outs) :]
        return around(own, lambda given: _pulled(trace, outs + sides, [*given, *other], count, anew))

    defer(trace, op, outs + sides, rule, is_kept=True)


def _pulled(trace, outs, cotangents, count, anew):
    """Records the gradients of a part by its first ``count`` leaves, in the rule that is being recorded."""
    inner = scope.trace
    wrt = tuple([~i for i in range(count) if is_inexact(trace.aval_of(~i)[1])])
    rules = _collected(trace, _events(trace), wrt, outs, inner.orders, (True, cotangents))
    op = Vjp.of(trace.step, (), wrt, outs, rules, True)
    ids = [inner.place(handle, state) for handle, state in zip(trace.leaf_handles, trace.leaf_states, strict=True)]
    ids += [inner.place(cotangent) for cotangent in cotangents]
    if anew:
        ids = [inner.place(value) for value in inner.record((ANEW, (), *ids))]
    gradients = inner.record((op, (), *ids))[len(op.keep) :]
    return {~index: gradient for index, gradient in zip(wrt, gradients, strict=True)}
