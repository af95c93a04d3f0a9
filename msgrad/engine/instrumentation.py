"""Instrumentation for tools: where operations were recorded, and what was compiled, launched and read.

A `Watch` replaces functions of the engine by its own while it is on, so that nothing is slower without one.
"""

import collections
import contextlib
import threading
import time

import jax

from .execution import execute
from .execution.tiers import Tiers
from .handle import scope
from .recording.call_trace import CallTrace
from .recording.segment import Segment
from .recording.trace import Trace
from .user_code import place


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
        wanted = tuple([promise.index for promise in trace.live()])
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


class Watch:
    """Watches the engine, as a context manager; one at a time.

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
        self._replayed = threading.local()  # the origins of the operations that are recorded anew
        self._looking = threading.local()
        self._replaced = contextlib.ExitStack()

    def __enter__(self):
        self._replace(execute, "missed", self._missed)
        self._replace(execute, "jitted", self._jitted)
        self._replace(execute, "launch", self._launched)
        for kind in (Segment, Trace, CallTrace):
            self._replace(kind, "compute", self._looked)
        if self.origins:
            self._replace(Trace, "record", self._recorded)
            self._replace(Trace, "_replay", self._recorded_anew)
        return self

    def __exit__(self, *error):
        self._replaced.close()

    def _replace(self, owner, name, make):
        original = getattr(owner, name)
        setattr(owner, name, make(original))
        self._replaced.callback(setattr, owner, name, original)

    def _missed(self, missed):
        def noting(site, program, detail):
            self._needed.about = site, program, detail
            return missed(site, program, detail)

        return noting

    def _jitted(self, jitted):
        def noting(replay, program, *options, **named):
            made = Launched(*self._needed.about, replay, jitted(replay, program, *options, **named))
            self.launched.append(made)
            return made

        return noting

    def _launched(self, launch):
        def noting(op, static, arrays):
            here = self.singles[place()]
            here.names[op.name] += 1
            kind = op, static, tuple([(array.shape, array.dtype) for array in arrays])
            if kind in here.compiled:
                return launch(op, static, arrays)
            begun, interpreted = time.perf_counter(), Tiers.interpreted
            result = launch(op, static, arrays)
            if Tiers.interpreted > interpreted:
                here.interpreted += 1
            else:
                here.compiled.add(kind)
                here.seconds += time.perf_counter() - begun
            return result

        return noting

    def _looked(self, compute):
        def noting(segment, promise):
            if getattr(self._looking, "is_on", False):  # one look may need others
                return compute(segment, promise)
            self._looking.is_on = True
            self.looks[place()] += 1
            try:
                return compute(segment, promise)
            finally:
                self._looking.is_on = False

        return noting

    def _recorded(self, record):
        def noting(trace, key):
            result = record(trace, key)
            node = trace.step.node
            replayed = getattr(self._replayed, "origins", None)
            origin = place() if replayed is None else next(replayed)
            if node.origin is None:  # equal recordings share their nodes
                node.origin = origin
            return result

        return noting

    def _recorded_anew(self, replay):
        def noting(trace, segment, moved):
            self._replayed.origins = iter([node.origin for node in segment.step.close().nodes])
            try:
                return replay(trace, segment, moved)
            finally:
                self._replayed.origins = None

        return noting
