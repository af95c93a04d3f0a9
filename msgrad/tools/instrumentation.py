"""Instrumentation: where operations were recorded, and what was compiled, launched and read."""

import collections
import threading
import time

import jax

from ..engine.execution.tiers import Tiers
from ..engine.handle import scope
from ..engine.observation import Observer
from ..engine.recording.call_trace import CallTrace
from ..engine.user_code import place


def recording_of(fn, args, site):
    """Records ``fn(*args)`` for reading: nothing is run but what ``fn`` looks at, and nothing that it writes stays.

    Returns:
        Program: what is recorded after the last look.
        tuple of int: the values that something refers to then: those returned, and those written.
        list of Handle: what its leaves come from; None for a constant.
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
    """A program that was launched for the first time while a `Watch` was on.

    Attributes:
        site (tuple | str | None): what opened its recording; None for a part of another's step.
        place (str | None): the user's line that launched it first.
        kind (str): ``"call"``, or the transform.
        program (Program): what was recorded.
        detail: the values that are wanted of it, or how it is transformed.
        fn (Executable): what runs it.
        specs (tuple): the shapes and dtypes of its arguments.
        interpreted (int): how many launches NumPy ran.
        seconds (float): how long the launches took that compiled it.
        launches (int): how often it was launched.
    """

    def __init__(self, site, program, detail, replay, fn):
        self.site = site
        self.place = place()
        self.kind = getattr(getattr(replay, "__self__", None), "name", "call")
        self.program = program
        self.detail = detail
        self.fn = fn
        self.specs = None
        self.interpreted = 0
        self.seconds = 0.0
        self.launches = 0

    @property
    def is_compiled(self):
        return self.launches > self.interpreted

    def name(self):
        """The name of the call site."""
        return self.site[0] if isinstance(self.site, tuple) else self.site

    def ready(self):
        return self

    def __call__(self, *operands):
        self.launches += 1
        if self.fn.compiled is not None:
            return self.fn(*operands)
        self.specs = jax.tree.map(lambda array: jax.ShapeDtypeStruct(array.shape, array.dtype), operands)
        begun = time.perf_counter()
        results = self.fn(*operands)
        if self.fn.compiled is None:
            self.interpreted += 1
        else:
            self.seconds += time.perf_counter() - begun
        return results


class Singles:
    """Operations that were run one by one at a line.

    Attributes:
        names (Counter): how often, by name.
        compiled (set): which were compiled, of which arguments, shapes and dtypes.
        interpreted (int): how many launches NumPy ran.
        seconds (float): how long the launches took that compiled them.
    """

    def __init__(self):
        self.names = collections.Counter()
        self.compiled = set()
        self.interpreted = 0
        self.seconds = 0.0


class Watch(Observer):
    """Watches the engine, as a context manager.

    Attributes:
        launched (list of Launched): the programs that were new, in order of their first launches.
        looks (Counter): how often Python looked at a value of a recording, by the user's line.
        singles (dict): the `Singles` of each of the user's lines that ran operations outside of recordings.
        origins (bool): whether to note where operations were recorded, in `Node.origin`.
    """

    def __init__(self, origins=True):
        self.launched = []
        self.looks = collections.Counter()
        self.singles = collections.defaultdict(Singles)
        self.origins = origins
        self._needed = threading.local()  # the program that is to be compiled next

    def needed(self, site, program, detail):
        self._needed.about = site, program, detail

    def compiling(self, executable, replay):
        made = Launched(*self._needed.about, replay, executable)
        self.launched.append(made)
        return made

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
