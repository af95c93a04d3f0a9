"""Instrumentation: where operations were recorded, and what was compiled, launched and read."""

import collections
import inspect
import threading
import time

import jax

from ..engine.execution.executables import counts
from ..engine.execution.tiers import Tiers
from ..engine.handle import scope
from ..engine.jax_options import spec
from ..engine.observation import Observer
from ..engine.recording.call_trace import CallTrace
from ..engine.user_code import place


def recording_of(fn, args, site):
    """Records ``fn(*args)`` for display: only values that ``fn`` reads are computed, and its writes are undone.

    Returns:
        Program: the recording after the last host read.
        tuple of int: the live values: those returned, and those written.
        list of Handle: the source of each leaf; None for a constant.
    """
    trace, before = CallTrace(site), scope.trace
    try:
        scope.trace = trace
        result = fn(*args)
        wanted = trace.live_indices()
        del result
        return trace.step.close(), wanted, trace.leaf_handles
    finally:
        scope.trace = before
        trace.abandon()


class Launched:
    """A program that was first launched while a `Watch` was active.

    Attributes:
        site (tuple | str | None): the call that opened its recording; None for a part of another program's step.
        place (str | None): the user's line that launched it first.
        kind (str): ``"call"``, or the transform.
        program (Program): the recording.
        detail: the requested values, or the transform.
        fn (Executable): the compiled function.
        specs (tuple): the shapes and dtypes of its arguments.
        interpreted (int): the number of launches that NumPy ran.
        compiled (int): how many programs its launches compiled, or found on disk: none where one of other sizes serves
            it, and several where that was for larger ones than it had better be.
        seconds (float): the time of the launches that compiled them.
        launches (int): the number of launches.
    """

    def __init__(self, site, program, detail, replay, fn):
        self.site = site
        self.place = place()
        self.kind = getattr(getattr(inspect.unwrap(replay), "__self__", None), "name", "call")
        self.program = program
        self.detail = detail
        self.fn = fn
        self.specs = None
        self.interpreted = 0
        self.compiled = 0
        self.seconds = 0.0
        self.launches = 0

    def name(self):
        """The name of the call site."""
        return self.site[0] if isinstance(self.site, tuple) else self.site

    def ready(self):
        return self

    def __call__(self, *operands):
        self.launches += 1
        if self.fn.compiled is None:
            self.specs = jax.tree.map(lambda array: spec(array.shape, array.dtype), operands)
        begun, before = time.perf_counter(), _compiled()
        results = self.fn(*operands)
        if self.fn.compiled is None:
            self.interpreted += 1
        elif count := _compiled() - before:
            self.compiled += count
            self.seconds += time.perf_counter() - begun
        return results


def _compiled():
    """How many programs this process has compiled, or found on disk."""
    return counts["programs compiled"]


class Singles:
    """Operations that a line ran eagerly, one by one.

    Attributes:
        names (Counter): the number of calls, by operation name.
        compiled (set): the compiled operations, with arguments, shapes and dtypes.
        interpreted (int): the number of launches that NumPy ran.
        seconds (float): the time of the launches that compiled them.
    """

    def __init__(self):
        self.names = collections.Counter()
        self.compiled = set()
        self.interpreted = 0
        self.seconds = 0.0

    @property
    def reshaped(self):
        """The number of operations that were compiled for other shapes before."""
        return len(self.compiled) - len({(op, static) for op, static, _ in self.compiled})


class Watch(Observer):
    """Watches the engine, as a context manager.

    Attributes:
        launched (list of Launched): the new programs, in order of their first launches.
        looks (Counter): how often the host read a value of a recording, by the user's line.
        singles (dict): the `Singles` of each of the user's lines that ran operations outside of recordings.
        origins (bool): whether to note where operations were recorded, in `Node.origin`.
    """

    def __init__(self, origins=True):
        self.launched = []
        self.looks = collections.Counter()
        self.singles = collections.defaultdict(Singles)
        self.origins = origins
        self._needed = threading.local()  # the program to be compiled next

    def needed(self, site, program, detail):
        self._needed.program = site, program, detail

    def compiling(self, executable, replay):
        launcher = Launched(*self._needed.program, replay, executable)
        self.launched.append(launcher)
        return launcher

    def launching(self, op, static, fn, arrays):
        here = self.singles[place()]
        here.names[op.name] += 1
        kind = op, static, tuple([(array.shape, array.dtype) for array in arrays])
        if kind in here.compiled:
            return fn(*arrays)
        begun, interpreted = time.perf_counter(), Tiers.interpreted
        result = fn(*arrays)
        if Tiers.interpreted > interpreted:
            here.interpreted += 1
        else:
            here.compiled.add(kind)
            here.seconds += time.perf_counter() - begun
        return result

    def host_read(self):
        self.looks[place()] += 1

    def recorded(self, node, replayed):
        if self.origins and node.origin is None:  # equal recordings share their nodes
            node.origin = place() if replayed is None else replayed.origin
