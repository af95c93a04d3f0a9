"""Whole calls, recorded on each call or staged: recorded once for each signature.

A recorded call opens a `CallTrace` when it is the outermost one. By default it records each time, and the compiled
program is found by structure. A *staged* call (GRAPH_MODE, ``@jit``) records once for each signature and then skips
Python: its `Plan` gathers the leaves by where they come from, launches, and writes the effects back.
"""

import collections
import contextlib
import itertools
import logging
import operator

import numpy as np

from ... import _upcalls
from ..execution.tiers import Tiers
from ..handle import Handle, Promise, scope
from ..precision import Chosen, current
from ..recording import sharding
from ..recording.call_trace import CallTrace
from ..recording.results import wrap
from ..static import CallTensors, freeze, thaw
from . import other_sizes
from .graph_errors import KINDS, restated
from .guards import Guards, objects_in
from .plan import Plan, has_identity
from .prints import Prints
from .reads import Reads
from .unrecorded import History

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
    """Whether the running code is a graph in MindSpore: in GRAPH_MODE, or inside a ``jit`` function."""
    return scope.inlined is not None or ((scope.trace is not None or not Tiers.compiles) and is_staged())


def reads_source():
    """Whether the running code means what its source means to MindSpore's compiler: in a graph that is made of it.

    A graph that is captured from bytecode, or by a trace, has Python's lists and numbers, and so have functions that a
    graph leaves to Python (`interpreted`).
    """
    if scope.is_interpreted or not is_in_graph():
        return False
    graph = current_graph()
    return graph is None or graph.memo.reads_source


@contextlib.contextmanager
def interpreted():
    """Surrounds functions that a graph leaves to Python: of ``constexpr``, ``lru_cache``, ``Custom``, properties."""
    before, scope.is_interpreted = scope.is_interpreted, True
    try:
        yield
    finally:
        scope.is_interpreted = before


def invalidate():
    """Makes every staged call record again, after a change of a flag that Python reads while recording."""
    Policy.epoch += 1


class Graph:
    """A recording of a function that MindSpore compiles as one graph.

    Args:
        memo (Memo): the staged function's.
        number (callable): gives the number of its signature.
        is_differentiated (bool): whether it is a call of ``jit`` in a function that is differentiated, which is another
            graph than that of the call alone. Default: ``False``.
    """

    def __init__(self, memo, number, is_differentiated=False):
        self.memo, self.number, self.is_differentiated = memo, number, is_differentiated
        self.counts = collections.Counter()

    def kept(self, what, make):
        """The random stream that ``make()`` gave for this occurrence of ``what`` when the graph was recorded first.

        MindSpore compiles a graph once, and its kernels keep their streams; here a change of a flag records it again.
        """
        graphs, key = self.memo.kept, (self.number(), self.is_differentiated)
        if key not in graphs and len(graphs) >= _MOST_PLANS:
            graphs.pop(next(iter(graphs)), None)
        kept = graphs.setdefault(key, {})
        self.counts[what] += 1
        occurrence = self.counts[what], what
        if occurrence not in kept:
            kept[occurrence] = make()
        return kept[occurrence]


def _is_training(fn):
    """Whether the Cell that ``fn`` calls or differentiates is in training, which is another graph; None of no Cell."""
    owner = getattr(fn, "__self__", None)
    return getattr(owner, "training", getattr(getattr(owner, "fn", None), "training", None))


def current_graph():
    """The Graph that the running code is a part of, or None."""
    if not is_in_graph() or scope.trace is None:
        return scope.inlined
    trace = scope.trace.outermost()
    if trace.graph is None and scope.inlined is None:
        trace.graph = Graph(Memo(), int)  # of a function that is recorded at each call
    return trace.graph or scope.inlined


class Memo:
    """The Plans of one staged function, by signature, and Guards, by the ids of the objects among the arguments.

    ``declared`` says which axes of arguments are dynamic: ``declared.dynamic_axes(args, kwargs, tensors)`` gives them
    as `other_sizes.recorded` takes them. None without a declaration. ``history`` tells whether the next call in
    PYNATIVE_MODE is recorded, ``kept`` is for `Graph.kept`. ``reads_source`` says whether the functions that the staged
    one reaches get the code that they have in graphs (see the function of that name); ``read`` are the types of
    arguments for which they have got it in calls inside other calls. No other Memo has or
    had this ``number``, so that a warning about a function's programs counts those of that function alone.
    """

    __slots__ = ("number", "plans", "guards", "kept", "epoch", "declared", "history", "read", "reads_source")
    _numbers = itertools.count()

    def __init__(self, declared=None, reads_source=True):
        self.number = next(self._numbers)
        self.plans, self.guards, self.kept, self.history = {}, {}, {}, History()
        self.epoch, self.declared, self.read, self.reads_source = -1, declared, set(), reads_source

    def guards_of(self, fn, key, is_graph=True):
        """The Guards of a call of ``fn`` with arguments of this key, and what they are kept under.

        The functions of the user that a graph reaches get the code that they have in graphs.
        """
        objects = objects_in(key[:2])
        ids = tuple(map(id, objects))
        guards = self.guards.get(ids)
        if guards is None or not (guards.hold() or guards.renew()):
            if len(self.guards) >= _MOST_PLANS:
                self.guards.clear()
            guards = self.guards[ids] = Guards((fn, *objects), is_graph)
        return guards, ids

    def __deepcopy__(self, memo):
        # A copied Cell has other Parameters, and a Plan those of the original.
        return Memo(self.declared, self.reads_source)

    def __reduce__(self):
        return Memo, (self.declared, self.reads_source)


def call(fn, args, kwargs, site, memo, staged=False):
    """Calls ``fn`` as a recorded call.

    Args:
        fn (callable): takes and returns handles and anything else.
        args, kwargs (tuple, dict): its arguments.
        site (str): its name in the accounting.
        memo (Memo): where its Plans are kept.
        staged (bool): stage it whatever the policy.
    """
    if scope.trace is not None or scope.unrecorded is not None or not Tiers.compiles:
        return _inlined(fn, args, kwargs, memo) if staged else fn(*args, **kwargs)
    if staged or Policy.staged:
        return _staged(fn, args, kwargs, site, memo)
    history = memo.history
    if history.calls >= history.patience and history.is_sure():
        return history.call(fn, args, kwargs)
    trace = CallTrace((site, memo.number), arguments=(*args, *kwargs.values()))
    # Slices are views in PYNATIVE_MODE and copies in graphs, as MindSpore has it.
    trace.shares = True
    try:
        scope.trace = trace
        result = fn(*args, **kwargs)
        trace.flush(is_last=True)
        if Tiers.allowed:
            history.note(trace)
        if trace.writes:
            trace.publish()
    except BaseException:
        trace.abandon()
        raise
    finally:
        scope.trace = None
    return result


def _inlined(fn, args, kwargs, memo):
    """Calls the staged ``fn`` inside another call, as a part of it."""
    kinds = (*map(type, args), *map(type, kwargs.values()))
    if memo.reads_source and kinds not in memo.read:
        Reads((fn, *args, *kwargs.values()), is_graph=True)
        memo.read.add(kinds)
    trace, around = scope.trace, scope.inlined
    logs_calls = trace is not None and trace.logs_calls
    # Inside it the rules of MindSpore's graphs hold, wherever it is called from.
    if around is None:
        is_differentiated = trace is not None and trace.is_transformed
        scope.inlined = Graph(
            memo, lambda: hash((looked_up(args, kwargs, memo)[0], _is_training(fn))), is_differentiated
        )
    try:
        if trace is not None:
            trace.logs_calls = True
        with contextlib.nullcontext() if around else _prints:
            return fn(*args, **kwargs)
    except KINDS as error:
        other = restated(error)
        if other is not error:
            raise other from None
        raise
    finally:
        scope.inlined = around
        if trace is not None:
            trace.logs_calls = logs_calls


def looked_up(args, kwargs, memo):
    """The key of a staged call, the Tensors among its arguments, and the Plan that is kept for it, or None."""
    tensors = CallTensors()
    frozen = freeze(args, tensors), freeze(kwargs, tensors) if kwargs else None
    plain = _upcalls.Result  # as `_signature` has it, without its calls for each Tensor
    key = (*frozen, Chosen.always or current(), *[t.aval if type(t) is plain else _signature(t) for t in tensors])
    # All at once and here, at the next call: what raises the epoch need not know which functions are staged.
    if memo.epoch != Policy.epoch:
        memo.plans, memo.epoch = {}, Policy.epoch
    plan = memo.plans.get(key)
    return key, tensors, plan if plan is not None and plan.is_for(tensors) else None


def _staged(fn, args, kwargs, site, memo):
    key, tensors, plan = looked_up(args, kwargs, memo)
    if plan is not None:
        return plan(tensors)
    if memo.declared is None:
        plan, result = recorded(fn, key, tensors, site, memo)
    else:
        axes = memo.declared.dynamic_axes(args, kwargs, tensors)
        record = lambda *call: recorded(fn, *call[:2], site, memo, *call[2:])  # noqa: E731
        plan, result = other_sizes.recorded(axes, key, tensors, record)
    if plan is None:
        return result
    # Before the first launch, which is compiled for the shardings that the leaves have then.
    if sharding.waiting:
        sharding.move()
    returned = plan(tensors)
    keep(memo, key, plan)
    return returned


def prepare(fn, args, kwargs, site, memo):
    """Records a staged call of ``fn`` with these arguments and keeps its Plan, without running it."""
    key, tensors, plan = looked_up(args, kwargs, memo)
    if plan is not None:
        return
    plan, _ = recorded(fn, key, tensors, site, memo, publishes=False)
    if plan is not None:
        keep(memo, key, plan)


def recorded(fn, key, tensors, site, memo, publishes=True, is_repeated=False):
    """The Plan of a staged call and None, or None and the result of a call that must be recorded each time.

    The Plan has not run yet. Where there is none, the call's effects have taken place, unless ``publishes`` is False.
    ``is_repeated`` is for a call in PYNATIVE_MODE (`repeating`), which is recorded as before: its Program is the same.
    """
    guards, ids = memo.guards_of(fn, key, memo.reads_source and not is_repeated)
    trace = CallTrace((site, memo.number), logs_calls=not is_repeated)
    trace.shares = is_repeated
    trace.graph = None if is_repeated else Graph(memo, lambda: hash((key, _is_training(fn))))
    try:
        scope.trace = trace
        stand_ins = [*map(_stand_in, tensors)] if is_repeated else [_input(trace, tensor) for tensor in tensors]
        inputs = iter(stand_ins)
        with _prints:
            result = fn(*thaw(key[0], inputs), **(thaw(key[1], inputs) if key[1] is not None else {}))
        arguments = {id(each): number for number, each in enumerate(stand_ins)} if is_repeated else {}
        del inputs, stand_ins  # so that the Plan sees which arguments the call has kept
        result = _returned(result) if memo.reads_source else result
        trace.passes = ()
        if not guards.hold():  # a list or dict that the call has changed: it does so each time, as with attributes
            if not guards.renew():
                memo.guards.pop(ids, None)
            note_side_effect()
        # After a host read, a print or a change of a list, or with a result that no Plan can rebuild, the recording
        # serves this call only.
        if trace.has_host_read or not _can_be_made_again(result, guards):
            logger.info("'%s' does more than compute its result, so it is recorded on each call.", site)
            result = _without_parameters(result)
            trace.restore()
            if publishes:
                trace.flush(is_last=True)
                trace.publish()
            else:
                trace.abandon()
            return None, result
        plan = Plan(trace, tensors, result, guards, arguments)
    except BaseException as error:
        trace.restore()
        trace.abandon()
        other = error if is_repeated else restated(error)
        if other is not error:
            raise other from None
        raise
    finally:
        scope.trace = None
    trace.restore()
    trace.rollback()  # the Plan computes the effects itself
    trace.forget()
    trace.writes.clear()  # the old values, which the Plan may overwrite
    return plan, None


def keep(memo, key, plan):
    """Keeps a Plan for the next call, unless it holds tracers of the current JAX trace."""
    if plan.has_tracers():
        return
    if len(memo.plans) >= _MOST_PLANS:
        memo.plans.pop(next(iter(memo.plans)), None)
    memo.plans[key] = plan


def note_side_effect():
    """Marks the open recording as having a side effect of Python, so that it is recorded again on each call."""
    trace = scope.trace
    while trace is not None:
        trace.has_host_read = True
        trace = trace.outer


_prints = Prints(note_side_effect, is_in_graph)


def _signature(tensor):
    # A Parameter by its id: the Plan writes to that very object. `Plan.is_for` checks whether it is still there.
    return (*tensor.aval, id(tensor)) if has_identity(tensor) else tensor.aval


def _returned(value):
    """A value as a graph returns it: tuples for views and iterators, Python's values for NumPy's and `mutable`'s."""
    kind = type(value)
    if isinstance(value, dict) and hasattr(value, "__ms_mutable__"):
        value, kind = dict(value), dict
    if kind in _VIEWS:
        value, kind = _VIEWS[kind](value), _VIEWS[kind]
    if kind in (tuple, list):
        items = list(map(_returned, value))
        return value if all(map(operator.is_, items, value)) else kind(items)
    if kind is dict:
        items = list(map(_returned, value.values()))
        is_same = all(map(operator.is_, items, value.values()))
        return value if is_same else dict(zip(value, items, strict=True))
    if isinstance(value, (int, float)) and hasattr(value, "__ms_mutable__"):
        return int(value) if isinstance(value, int) else float(value)
    return value.item() if isinstance(value, np.generic) else value


_TUPLES = (type({}.keys()), type({}.values()), range, zip, map, enumerate)
_VIEWS = {**dict.fromkeys(_TUPLES, tuple), type({}.items()): list}


def _without_parameters(result):
    """A result with Tensors in place of Parameters, as a Plan returns them and MindSpore's graphs."""
    kind = type(result)
    if kind in (tuple, list, dict):
        items = list(result.values() if kind is dict else result)
        others = list(map(_without_parameters, items))
        if all(map(operator.is_, items, others)):
            return result
        return dict(zip(result, others, strict=True)) if kind is dict else kind(others)
    return _stand_in_of(result) if isinstance(result, Handle) and has_identity(result) else result


def _can_be_made_again(result, guards):
    """Whether a Plan can rebuild a call's result: Tensors are in tuples, lists and dicts only, not in other objects."""
    if guards.has(result):
        return True
    if isinstance(result, (tuple, list, dict)):
        items = result.values() if isinstance(result, dict) else result
        return all([_can_be_made_again(item, guards) for item in items])
    return isinstance(result, (Handle, bool, int, float, complex, str, bytes, type, type(None), np.ndarray, np.generic))


def _stand_in(tensor):
    """A new handle on the value of a tensor argument, so that it has a leaf of its own; a Parameter stays itself."""
    return tensor if has_identity(tensor) else _stand_in_of(tensor)


def _stand_in_of(tensor):
    return wrap(tensor._state_(is_cropped=False))


def _input(trace, tensor):
    """The handle recorded for a tensor argument: a new input, or a Parameter itself."""
    if not has_identity(tensor):
        return trace.input(tensor)
    state = tensor._state_(is_cropped=False)
    if type(state) is Promise and state.trace is trace:  # the same object was passed before
        trace.inputs.append(state)
    else:
        trace.rebind(tensor)
    return tensor
