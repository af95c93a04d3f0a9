"""Whole calls: the two caching policies of the one recorder.

A recorded call opens a `CallTrace` when it is the outermost one. By default it records each time, and the compiled
program is found by structure. A *staged* call (GRAPH_MODE, ``@jit``) records once for each signature and then skips
Python: its `Plan` gathers the leaves by where they come from, launches, and writes the effects back.
"""

import gc
import logging
import sys
import threading
import weakref

import jax
import numpy as np

from ..execution import donation, execute
from ..execution.tiers import Tiers
from ..foreign_tracing import check_writes, is_tracer
from ..handle import INDIRECT, Handle, Promise, give, scope
from ..pytrees import items_of, like
from ..recording import sharding
from ..recording.call_trace import CallTrace
from ..recording.results import result_class, wrap, wrapped
from ..static import freeze, thaw
from ..views import with_followers

_MOST_PLANS = 256  # for one staged function; each takes some KB, and one for a number that changes is never used again

logger = logging.getLogger("msgrad")


class Policy:
    """``staged``: whether outermost calls are staged (GRAPH_MODE). ``epoch``: raised when Python may act otherwise."""

    staged = False
    epoch = 0


def is_staged():
    """Whether what runs now is recorded once for many calls: GRAPH_MODE, ``jit``."""
    if Policy.staged or scope.trace is None:
        return Policy.staged
    trace = scope.trace.outermost()
    return not trace.is_transformed and not trace.shares


def is_in_graph():
    """Whether what runs now is code that MindSpore compiles: in GRAPH_MODE, or called by ``jit``, wherever that is."""
    return scope.inlined or ((scope.trace is not None or not Tiers.compiles) and is_staged())


def invalidate():
    """Makes every staged call record anew: a flag that Python reads while recording has changed."""
    Policy.epoch += 1


class Draw(Handle):
    """A handle on a fresh random key; replaying a recording draws another, except for the first time."""

    @classmethod
    def of(cls, generator):
        generator = scope.keys or generator
        draw = cls._wrap(generator.next_key())
        draw.generator, draw.is_spent = generator, False
        return draw

    def key(self):
        """The key of one run: that of the recording for the first, so that a seed gives one sequence in all modes."""
        if self.is_spent:
            return self.generator.next_key()
        self.is_spent = True
        return self.own_state()


class Memo:
    """The Plans of one staged function, by signature."""

    __slots__ = ("plans", "epoch")

    def __init__(self):
        self.plans = {}
        self.epoch = -1

    def __deepcopy__(self, memo):
        return Memo()

    def __reduce__(self):
        return Memo, ()


def call(fn, args, kwargs, site, memo, staged=False):
    """Calls ``fn`` as a recorded call.

    Args:
        fn (callable): takes and returns handles and anything else.
        args, kwargs (tuple, dict): its arguments.
        site (str): its name in the accounting.
        memo (Memo): where its Plans are kept.
        staged (bool): stage it whatever the policy.
    """
    if scope.trace is not None or not Tiers.compiles:
        return _inlined(fn, args, kwargs) if staged else fn(*args, **kwargs)
    if staged or Policy.staged:
        return _staged(fn, args, kwargs, site, memo)
    trace = CallTrace((site, id(memo)))
    trace.shares = True
    try:
        scope.trace = trace
        result = fn(*args, **kwargs)
        trace.flush(is_last=True)
        trace.publish()
    except BaseException:
        trace.abandon()
        raise
    finally:
        scope.trace = None
    return result


def _inlined(fn, args, kwargs):
    """Calls ``fn``, which is staged, as a part of what runs already."""
    trace, around = scope.trace, scope.inlined
    logs_calls = trace is not None and trace.logs_calls
    scope.inlined = True
    try:
        if trace is not None:
            trace.logs_calls = True
        return fn(*args, **kwargs)
    finally:
        scope.inlined = around
        if trace is not None:
            trace.logs_calls = logs_calls


def looked_up(args, kwargs, memo):
    """The key of a staged call, the Tensors among its arguments, and the Plan that is kept for it, or None."""
    tensors = []
    key = freeze(args, tensors), freeze(kwargs, tensors) if kwargs else None, *[_signature(t) for t in tensors]
    if memo.epoch != Policy.epoch:
        memo.plans, memo.epoch = {}, Policy.epoch
    plan = memo.plans.get(key)
    return key, tensors, plan if plan is not None and plan.is_for(tensors) else None


def _staged(fn, args, kwargs, site, memo):
    key, tensors, plan = looked_up(args, kwargs, memo)
    if plan is not None:
        return plan(tensors)
    plan, result = recorded(fn, key, tensors, site, memo)
    if plan is None:
        return result
    if sharding.waiting:
        sharding.move()
    returned = plan(tensors)
    keep(memo, key, plan)
    return returned


def prepare(fn, args, kwargs, site, memo):
    """Records ``fn`` as a staged call of these arguments would, keeps the Plan for it, and gives no handle a value."""
    key, tensors, plan = looked_up(args, kwargs, memo)
    if plan is not None:
        return
    plan, _ = recorded(fn, key, tensors, site, memo, publishes=False)
    if plan is not None:
        keep(memo, key, plan)


def recorded(fn, key, tensors, site, memo, publishes=True):
    """The Plan of a staged call and None, or None and the result of a call that must be recorded each time.

    The Plan has not run yet. Where there is none, the call's effects have taken place, unless ``publishes`` is False.
    """
    trace = CallTrace((site, id(memo)), logs_calls=True)
    try:
        scope.trace = trace
        inputs = iter([_input(trace, tensor) for tensor in tensors])
        with _watched:
            result = fn(*thaw(key[0], inputs), **(thaw(key[1], inputs) if key[1] is not None else {}))
        trace.passes = ()
        if trace.has_host_read or not _can_be_made_again(result):
            logger.info("'%s' does more than compute its result, so it is recorded on each call.", site)
            trace.restore()
            if publishes:
                trace.flush(is_last=True)
                trace.publish()
            else:
                trace.abandon()
            return None, result
        plan = Plan(trace, tensors, result)
    except BaseException:
        trace.restore()
        trace.abandon()
        raise
    finally:
        scope.trace = None
    trace.restore()
    trace.rollback()  # the Plan computes the effects itself
    trace.forget()
    trace.writes.clear()  # the old values, which the Plan may overwrite
    return plan, None


def keep(memo, key, plan):
    """Keeps a Plan for the next call, unless it has tracers, which end with what JAX traces now."""
    if plan.has_tracers():
        return
    if len(memo.plans) >= _MOST_PLANS:
        memo.plans.pop(next(iter(memo.plans)), None)
    memo.plans[key] = plan


def note_side_effect():
    """Says that Python does something which a staged call must do at each call: what is recorded now is not kept."""
    trace = scope.trace
    while trace is not None:
        trace.has_host_read = True
        trace = trace.outer


class _Watched:
    """Replaces standard output while staged calls are recorded: a call that prints is not kept, to print each time."""

    def __init__(self):
        self._stream = None
        self._users = 0
        self._lock = threading.Lock()

    def __enter__(self):
        with self._lock:
            if not self._users:
                self._stream, sys.stdout = sys.stdout, self
            self._users += 1

    def __exit__(self, *error):
        with self._lock:
            self._users -= 1
            if not self._users and sys.stdout is self:
                sys.stdout = self._stream

    def write(self, text):
        note_side_effect()
        return self._stream.write(text)

    def __getattr__(self, name):
        return getattr(self._stream, name)


_watched = _Watched()


def has_identity(tensor):
    """Whether a tensor argument stands for itself (a Parameter), not just for its value."""
    return type(tensor) is not result_class()


def _signature(tensor):
    return (*tensor.aval, id(tensor)) if has_identity(tensor) else tensor.aval


def _can_be_made_again(result):
    """Whether a Plan can make the result of a call anew: no Tensor hides in an object of a class unknown to it."""
    if isinstance(result, dict):
        return all(map(_can_be_made_again, result.values()))
    if isinstance(result, (tuple, list)):
        return all(map(_can_be_made_again, result))
    return isinstance(result, (Handle, bool, int, float, complex, str, bytes, type, type(None), np.ndarray, np.generic))


def _input(trace, tensor):
    """A stand-in for a tensor argument; one with an identity (a Parameter) stands for itself."""
    if not has_identity(tensor):
        return trace.input(tensor)
    state = tensor.state()
    if type(state) is Promise and state.trace is trace:  # the same object was passed before
        trace.inputs.append(state)
    else:
        trace.rebind(tensor)
    return tensor


class Plan:
    """A staged call, ready to run again without its Python.

    ``fixed`` are the captured handles, arrays and Draws behind the leaves that are no arguments; ``result`` says how
    the returned value is made of the computed ones; ``effects`` are the handles that get values, and ``replaced`` the
    leaves that such values are written over.
    """

    def __init__(self, trace, tensors, result):
        live = trace.live()
        self.wanted = [promise.index for promise in live]
        self.trace = trace
        self.result = self._template(result)
        self.effects = [
            (weakref.ref(handle), self._output_of(handle.state()))
            for handle, _ in trace.writes.values()
            if type(handle.state()) is Promise
        ]
        accounted = {output for _, output in self.effects} | set(_outputs_in(self.result))
        for output, promise in enumerate(live):
            if output not in accounted:
                self.effects += [(weakref.ref(handle), output) for handle in _holders(promise)]
        arguments = {~promise.index: k for k, promise in enumerate(trace.inputs)}
        fixed = [position for position in range(len(trace.leaf_states)) if position not in arguments]
        self.fixed = [trace.leaf_states[i] if trace.leaf_handles[i] is None else trace.leaf_handles[i] for i in fixed]
        self.argument_count = len(tensors)
        self.identities = [(k, weakref.ref(tensor)) for k, tensor in enumerate(tensors) if has_identity(tensor)]
        self.is_static = any(not isinstance(item, Handle) or isinstance(item, Draw) for item in self.fixed)
        order = {**arguments, **{position: len(tensors) + k for k, position in enumerate(fixed)}}
        self.order = tuple([order[position] for position in range(len(trace.leaf_states))])
        self.made = _maker(self.result)
        self.program, self.site = trace.step.close(), trace.site
        self.overwriting, self.replaced = self._overwriting(tensors)
        self.fn = self._compiled() if self.overwriting is None else None
        self.trace = None
        self.loops = {}  # the `looping.Repeated` that run it many times in one launch, by how many times
        self.fits_loops = None  # whether its Program may be the body of a loop; None until `looping` asks

    def is_for(self, tensors):
        """Whether the arguments that stand for themselves are those that the Plan was made with."""
        return all([reference() is tensors[k] for k, reference in self.identities])

    def has_tracers(self):
        """Whether it was made while JAX traced a function, of values that end with that."""
        return any(is_tracer(item.own_state() if isinstance(item, Handle) else item) for item in self.fixed)

    def cost(self):
        """What XLA expects a run to take, by name (dict): ``"flops"``, ``"bytes accessed"`` and others."""
        specs = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in self.program.leaves]
        return jax.jit(lambda leaves: self.program.replay(leaves, self.wanted)).lower(specs).cost_analysis()

    def _compiled(self):
        program, order, wanted = self.program, self.order, self.wanted
        key = order, tuple(wanted)
        fn = program.plans.get(key)
        if fn is None:
            fn = program.plans[key] = execute.compiled(
                lambda values: program.replay([values[k] for k in order], wanted), self.site, program, wanted
            )
        return fn

    def _overwriting(self, tensors):
        """How to write over the old values of the handles that get new ones, and the pairs of leaf and argument."""
        aliases = donation.replaced(self.program, self.wanted, self.writes(tensors))
        overwriting = donation.overwriting(self.program, self.wanted, aliases, self.site)
        return overwriting, [(position, self.order[position]) for position in aliases]

    def writes(self, tensors):
        """For each leaf whose handle gets a result, the position of the leaf and that of the result in ``wanted``."""
        sources = [*[tensor if has_identity(tensor) else None for tensor in tensors], *self.fixed]
        positions = {id(sources[k]): position for position, k in enumerate(self.order)}
        effects = [(id(reference()), output) for reference, output in self.effects]
        return [(positions[key], output) for key, output in effects if key in positions]

    def _output_of(self, state):
        """The position among the results of a run of the value with this state, which may also be a leaf."""
        if state.index >= 0:
            return self.wanted.index(state.index)
        if state.index not in self.wanted:
            self.wanted.append(state.index)
        return self.wanted.index(state.index)

    def _template(self, value):
        if isinstance(value, Handle):
            state = value.state()
            if type(state) is Promise and state.trace is self.trace:
                return _Value(self._output_of(state))
            # A Tensor from elsewhere, and an object with an identity (a Parameter), comes back as its value.
            index = self.trace.place(value)
            self.wanted.append(index)
            return _Value(len(self.wanted) - 1)
        if isinstance(value, (tuple, list)):
            items = [self._template(item) for item in value]
            if hasattr(value, "_fields"):
                return type(value)(*items)
            return items if isinstance(value, list) else tuple(items)  # other subclasses do not leave a graph
        if isinstance(value, dict):
            return like(value, [self._template(item) for item in value.values()])
        return value

    def __call__(self, tensors):
        values = self._gathered(tensors)
        if self.overwriting is None or donation.is_traced(values):
            self.fn = self.fn or self._compiled()
            results = execute.launch_plan(self.fn, values)
            self._publish(results)
        else:
            sources = [*tensors, *self.fixed]
            handles = {position: sources[k] for position, k in self.replaced}
            results = self.overwriting([values[k] for k in self.order], handles, self._publish, held=1)
        return self.made(results)

    def _gathered(self, tensors):
        """The arrays of the leaves: arguments, and what is fixed."""
        fixed = (
            [item.key() if isinstance(item, Draw) else item for item in self.fixed] if self.is_static else self.fixed
        )
        return self._arrays(tensors, fixed)

    def _arrays(self, tensors, fixed):
        sources = [*tensors, *fixed]
        if self.is_static:
            values = [item._state if isinstance(item, Handle) else item for item in sources]
        else:
            values = [handle._state for handle in sources]
        for k, state in enumerate(values):
            if type(state) in INDIRECT:
                values[k] = sources[k].array()
        return values

    def _publish(self, results):
        """Gives the handles that were written to, and what shares storage with them, their new values."""
        handles, states = [], []
        for reference, output in self.effects:
            handle = reference()
            if handle is not None:
                handles.append(handle)
                states.append(results[output])
        if not handles:
            return
        check_writes(handles, results)
        if any([handle._view is not None for handle in handles]):
            handles, states = with_followers(handles, states)
        give(handles, states)


class _Value:
    """Stands in a Plan's result for a Tensor: the position of its value among the results of a run."""

    __slots__ = ("output",)

    def __init__(self, output):
        self.output = output


def _outputs_in(template):
    if type(template) is _Value:
        yield template.output
    elif isinstance(template, (tuple, list)):
        for item in template:
            yield from _outputs_in(item)
    elif isinstance(template, dict):
        for item in template.values():
            yield from _outputs_in(item)


def _maker(template):
    """The function that makes a call's result, as ``template`` says, of the list of what was computed."""
    if type(template) is _Value:
        output = template.output
        return lambda results: wrap(results[output])
    items = items_of(template)
    if items is None:
        return lambda results: template
    if all([type(item) is _Value for item in items]):
        outputs = [item.output for item in items]
        return lambda results: like(template, wrapped([results[output] for output in outputs]))
    makers = list(map(_maker, items))
    return lambda results: like(template, [make(results) for make in makers])


def _holders(promise):
    """The handles that stand for ``promise``: those a call left behind in attributes, lists and closures.

    A value that a transformed part of the call made is held through the Promise of that part.
    """
    holders = []
    for owner in gc.get_referrers(promise):
        if isinstance(owner, Handle):
            holders.append(owner)
        elif type(owner) is Promise and owner.value is promise:
            holders += _holders(owner)
    return holders
