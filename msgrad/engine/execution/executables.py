"""Compiled functions in memory; the least recently called are dropped.

An executable of XLA's holds 0.5 to 100 MB: where shapes keep changing, they would fill the memory. So those alive may
hold 1 GB by an estimate, or a sixteenth of the machine's memory if that is less; ``MSGRAD_EXECUTABLES`` allows another
number, of 1.5 MB each. What was dropped and is called again comes from the folder on disk (`disk_cache`): a transformer
of four layers in 80 ms.
"""

import contextlib
import functools
import os
import threading
import time
import warnings
import weakref
from typing import Any

import jax
from jax import lax

from ... import _upcalls
from .. import errors, foreign_tracing, jax_options
from .._jax_private import COMPILED, jaxpr_as_call, shapes_of
from ..bounded import share_of_memory
from ..fusion import takes_kernels
from ..host_memory import return_if_much, return_memory
from ..layouts import channels_last
from ..lowering import tpu_lowering
from ..precision import options_after
from ..references import collector_postponed
from ..separation import barriers
from ..uncropped import Uncropped, cropped_in
from . import compile_notice, compiled_code, padded, stored, tiers

_MSG_LIMIT = "MSGRAD_EXECUTABLES must be a positive int such as 1000, but is {!r}: the default it is."
_MOST = 1 << 30  # bytes of all that are alive
_UNIT = 1_500_000  # bytes, that MSGRAD_EXECUTABLES counts

# Bytes of an executable, measured as growth of the resident memory over 6 to 60 shapes, with those on disk and without
# (JAX keeps more of what it compiles itself): multiplication 0.3 and 1.6 MB, softmax 0.6 and 1.9; transformers of two
# layers, 54 recorded operations forward 5.7 and 7.5 MB, 57 with all gradients 13 and 19.
_SMALL = 500_000
_BY_JAX = 1_500_000
_OPERATION = 150_000


def _limit():
    text = os.environ.get("MSGRAD_EXECUTABLES")
    if text and text.isdecimal() and int(text):
        return int(text) * _UNIT
    if text:
        warnings.warn(_MSG_LIMIT.format(text), RuntimeWarning, stacklevel=2)
    return share_of_memory(_MOST)


LIMIT = _limit()  # bytes of those that may be alive; where there are more, half of them are dropped
_RECENT = 32  # compilations since its last call that a compiled Program survives in any case: a step needs its own


class _Count:
    """The number of compilations in this process, and the bytes that may be added until unused ones are dropped."""

    compiled = 0
    until_look = LIMIT
    is_freed = False  # whether memory is to be given back


_COUNTED = (
    *("programs compiled", "of these with barriers", "of these with channels last"),
    *("operations compiled", "found on disk"),
)
counts = dict.fromkeys(_COUNTED, 0)
_lock = threading.RLock()
_alive = weakref.WeakSet()


_LONG = 0.5  # estimated seconds of a launch by NumPy from which on there may be a notice
_MANY = 200  # operations from which on tracing may take seconds
_UNKNOWN = object()  # whether there are programs of other sizes has not been asked


class Executable:
    """``fn``, compiled for the shapes that it is called with; errors of the device are restated.

    What an earlier process compiled is read from disk, and neither traced nor lowered.

    Args:
        fn (function): of arrays, or of lists of arrays.
        key_parts (tuple): what the computation is, for `stable_key`: a Program or operation, and static arguments.
        donated (tuple of int): the positions of arguments that may be overwritten.
        operations (int): of the Program that it runs; 0 for a single operation, of which there are many shapes.
        plan (function): takes this object and the arguments of the first call, and gives the plan by which NumPy runs
            it until it is worth compiling (`tiers`); None if NumPy is not to.
    """

    plan: Any
    trial: Any

    member: Any
    compiled: Any
    options: Any
    owner: Any

    __slots__ = (
        *("fn", "key_parts", "donated", "operations", "plan", "options", "owner"),
        *("trial", "traceable", "rewritten", "nested", "compiled", "called", "member", "may_pad"),
        "__weakref__",
    )

    def __init__(self, fn, key_parts, donated=(), operations=0, plan=None):
        self.member, self.may_pad = _UNKNOWN, type(self) is Executable
        self.fn, self.key_parts, self.donated, self.operations, self.plan = fn, key_parts, donated, operations, plan
        self.options = None  # XLA's, as a dict by name; None for those of all programs
        self.owner = None  # the name of the Cell, function or operation that it is compiled for
        self.trial = self.traceable = self.rewritten = self.nested = self.compiled = None
        self.called = 0  # how many compilations there had been at the last call

    def __call__(self, *operands):
        self.called = _Count.compiled
        try:
            # Only a launch of a padded program takes what is uncropped, and before the first there may be one.
            if Uncropped.exist and self.compiled is not None and type(self.compiled) is not padded.Launcher:
                operands = cropped_in(operands)
            return (self.compiled or self._first())(*operands)
        except jax.errors.JaxRuntimeError as error:
            restated = errors.of_device(error)
        except RuntimeError as error:
            errors.drop_remark(error)
            raise
        except (TypeError, ValueError):
            # `compiled_code` takes no tracers, and arrays of one device alone; JAX no options within another program.
            if self.compiled is None or self._is_jitted() and self.options is None:
                raise
            return jax_options.launched(self._nested(), *cropped_in(operands))
        raise restated from None

    def ready(self):
        """The function for the next launch, within `jax_options.Launching`.

        The caller calls it itself, so that no interrupt can lose its results.
        """
        self.called = _Count.compiled
        return (self.rewritten or self.traceable) if self._is_jitted() else self.compiled or self._first()

    def note_call(self):
        """Notes when it was called last, for `drop`."""
        self.called = _Count.compiled

    def name(self, kind, operands):
        """The name of the entry on disk of this ``kind`` for such arguments; None if there is none."""
        if not stored.is_on() or foreign_tracing.is_under_way():
            return None
        leaves, tree = jax.tree.flatten(operands)
        avals = [(array.shape, array.dtype, bool(getattr(array, "weak_type", False))) for array in leaves]
        return stored.name_of(kind, self.key_parts, self.donated, avals, str(tree))

    def _first(self):
        """The function for a launch when nothing is compiled yet: NumPy's, as long as that is faster."""
        if self.plan is not None and tiers.are_on():
            return self._interpreted
        return self._compile if tiers.Tiers.compiles else self._uncompiled

    def _uncompiled(self, *operands):
        return jax_options.launched(strong(self.fn), *cropped_in(operands))

    def _interpreted(self, *operands):
        try:
            plan = self.plan_for(operands)
            if plan is not None:
                operands = cropped_in(operands)
                if plan.seconds < _LONG:
                    return plan.run(operands)
                with self.noticed(compile_notice.BY_NUMPY):
                    return plan.run(operands)
        except tiers.NotCovered:
            self.plan = self.trial = None
        return (self._compile if tiers.Tiers.compiles else self._uncompiled)(*operands)

    def plan_for(self, operands):
        """The plan by which NumPy runs the next launch; None if it had better be compiled by now."""
        make_plan, trial = self.plan, self.trial  # another thread may change them
        try:
            if make_plan is not None:
                member = self.member_at(operands)
                if member is not None and member.is_served(trial is not None):
                    raise tiers.NotCovered("a program of other sizes is compiled that serves these")
                operands = cropped_in(operands)
                if trial is None:
                    notice = (
                        self.noticed(compile_notice.TRACING) if self.weight() >= _MANY else contextlib.nullcontext()
                    )
                    with notice, collector_postponed():
                        trial = self.trial = tiers.Trial(make_plan(self, operands), member and member.budget)
            return trial and trial.plan(operands, lambda: make_plan(self, operands))
        except tiers.NotCovered:
            self.plan = self.trial = None

    def member_at(self, operands):
        """It as a member of a family of programs of other sizes, a `padded.Member`; None if it is of none."""
        if self.member is _UNKNOWN:
            self.member = padded.member_of(self, operands)
        return self.member

    def trace(self, operands):
        """Its jaxpr and the structure of its results, traced or from programs of other sizes."""
        member = self.member_at(operands)
        return (member and member.from_template()) or self.traced(operands)

    def traced(self, operands):
        """Traces the function; returns its jaxpr and the structure of its results."""
        # JAX keeps this trace: when the program is compiled later, its Python does not run a second time.
        jitted = self._traceable() if takes_kernels() else jax.jit(self._function())
        with jax_options.Tracing():
            traced = jitted.trace(*operands)
        return traced.jaxpr, jax.tree.structure(traced.out_info)

    def about(self):
        """Facts that tracing has found beside the jaxpr, for entries on disk, from which `learn` takes them."""
        return ()

    def learn(self, about):
        """Takes what `about` gave in an earlier process."""

    def devices(self):
        """Those of all processes that launch it together, in order; none for a program of this process alone."""
        return ()

    def _compile(self, *operands):
        """Compiles the function, or loads what an earlier process compiled, and runs it."""
        if self.options is not None and foreign_tracing.is_under_way():
            return jax_options.launched(self._nested(), *cropped_in(operands))
        return_if_much()
        member = self.member_at(operands)
        with collector_postponed():
            launcher = member and member.launcher(self)
        if launcher is not None:
            self.compiled = launcher
            return launcher(*operands)
        operands = cropped_in(operands)
        name = self.name("executable", operands)
        launcher = self.load(name)
        if launcher is not None:
            return launcher(*operands)
        with self.noticed(), collector_postponed():
            return self.retried(lambda *operands: self.made(name, operands)(*operands), *operands)

    def compile_alone(self, *operands):
        """Compiles the program for its own sizes, not as a member of a family, and runs it."""
        self.member = self.compiled = None
        return self._compile(*operands)

    def retried(self, compile_, *operands):
        """``compile_(*operands)``, and again with other options if XLA refuses the program because of these."""
        try:
            return compile_(*operands)
        except jax.errors.JaxRuntimeError as error:
            options = options_after(error, self.compiler_options())
            if options is None:
                raise
        self.forget()
        self.options = options
        return compile_(*operands)

    def forget(self):
        """Drops what is compiled; the next call compiles it again."""
        self.compiled = self.traceable = self.rewritten = None

    def noticed(self, doing=compile_notice.COMPILING):
        """A context that prints a notice if what happens in it takes long: compiling, or what ``doing`` says."""
        return compile_notice.compiling(self.owner, self.weight(), doing)

    def weight(self):
        """How many operations it runs, with those of derivatives; 0 for a single one."""
        return getattr(self.key_parts[0], "weight", self.operations)

    def load(self, name):
        """The launcher of what an earlier process compiled; None if there is none."""
        begun = time.monotonic()
        entry = compiled_code.load(name, self.devices())
        if entry is None:
            return None
        compiled, about = entry
        self.learn(about)
        # JAX reports what it compiles or loads itself; this was loaded without JAX, but takes memory as well.
        _note(COMPILED, time.monotonic() - begun)
        counts["found on disk"] += 1
        return self._launched_by(compiled)

    def made(self, name, operands):
        """Compiles the function for the entry ``name``, and returns its launcher."""
        if tpu_lowering.is_current():
            tpu_lowering.check(self.trace(operands)[0].jaxpr, getattr(self.key_parts[0], "name", None))
        if self.operations and type(self) is Executable:
            self._rewrite(operands)
        if name is None:
            return self._launched_by()
        with jax_options.Tracing():
            compiled = compiled_code.compiled(name, self.jitted(), operands, self.about)
        return self._launched_by(compiled)

    def _rewrite(self, operands):
        """Lets JAX compile a Program, which has these shapes alone, in another form if it is faster or made faster."""
        if not (channels_last.are_on() or barriers.are_on()):
            return
        traced, tree = self.trace(operands)
        jaxpr = (channels_last.are_on() and channels_last.rewritten(traced)) or traced
        run = barriers.placed(jaxpr) if barriers.are_on() else None
        if run is not None:
            self.options = {**(self.compiler_options() or {}), **barriers.OPTIONS}
            counts["of these with barriers"] += 1
        if jaxpr is not traced:
            run = run or jaxpr_as_call(jaxpr)
            counts["of these with channels last"] += 1
        if run is None:
            return

        def rewritten(*operands):
            return jax.tree.unflatten(tree, run(*jax.tree.leaves(operands)))

        rewritten.__name__ = jax_options.NAME
        self.rewritten = jax.jit(rewritten, donate_argnums=self.donated, compiler_options=self.compiler_options())

    def _launched_by(self, compiled=None):
        """Sets and returns the launcher for all later calls: ``compiled``, or JAX's function."""
        with _lock:
            self.compiled = compiled or functools.partial(jax_options.launched, self.jitted())
            if compiled is not None:
                # JAX's function would keep what it traced; `jitted` makes it again where a tracer comes.
                self.traceable = self.rewritten = None
            _alive.add(self)
            _Count.until_look -= _OPERATION * self.operations
            counts["programs compiled" if self.operations else "operations compiled"] += 1
            return self.compiled

    def _is_jitted(self):
        """Whether it is launched by JAX's function; otherwise it was compiled ahead, or not yet."""
        return type(self.compiled) is functools.partial

    def jitted(self):
        """The function made by ``jax.jit``, to be compiled."""
        return self.rewritten or self._traceable()

    def _traceable(self):
        """The same as it is traced, before `_rewrite`."""
        if self.traceable is None:
            options = self.compiler_options()
            self.traceable = jax.jit(self._function(), donate_argnums=self.donated, compiler_options=options)
        return self.traceable

    def _nested(self):
        """The same function as a part of another program, which has that program's options."""
        if self.options is None:
            return self.jitted()
        if self.nested is None:
            self.nested = jax.jit(self._function())
        return self.nested

    def compiler_options(self):
        """XLA's options for it, as a dict by name; None for those of all programs."""
        return self.options

    def _function(self):
        """The function that JAX compiles."""
        return strong(self.fn)

    def shapes(self):
        """Number of shapes for which it is compiled."""
        if self.compiled is None:
            return 0
        return shapes_of(self.jitted()) if self._is_jitted() else 1

    def size(self):
        """An estimate of the bytes that it holds."""
        return self.shapes() * (_SMALL + _BY_JAX * self._is_jitted() + _OPERATION * self.operations)

    def is_recent(self):
        return self.operations and self.called > _Count.compiled - _RECENT


def executable_of(fn, key_parts, donated=(), operations=0, plan=None, is_global=False):
    """The `Executable` of a program without collectives."""
    if _upcalls.ProcessesExecutable is None:
        return Executable(fn, key_parts, donated, operations, plan)
    return _upcalls.ProcessesExecutable(fn, key_parts, donated, operations, plan, is_global)


def member_of(fn, operands):
    """The `padded.Member` of the executable that ``fn`` launches; None if it is of no family.

    ``operands`` are its arguments, or their types; a tool's launcher (`observation`) has the executable as its ``fn``.
    """
    while fn is not None and not isinstance(fn, Executable):
        fn = getattr(fn, "fn", None)
    return fn and fn.member_at(operands)


def strong(fn):
    """``fn`` with results of strong types: a weakly typed leaf would need another compiled program.

    Results whose size XLA cannot hold are refused, when ``fn`` is traced.
    """

    def strong(*arrays):
        results = jax.tree.map(strengthen, fn(*arrays))
        errors.check_sizes(jax.tree.leaves(results))
        return results

    strong.__name__ = jax_options.NAME
    return strong


def strengthen(value):
    """``value`` without JAX's weak type."""
    return lax.convert_element_type(value, value.dtype) if getattr(value, "weak_type", False) else value


def drop(limit):
    """Drops the least recently called when those alive hold ``limit`` bytes.

    Returns:
        tuple of int: the bytes before and after.
    """
    with _lock:
        oldest_first = sorted(_alive, key=lambda each: each.called)
        sizes = [each.size() for each in oldest_first]
        before = after = sum(sizes)
        for each, size in zip(oldest_first, sizes, strict=True):
            # Down to half, so that the next check is far off: each sorts all that are alive.
            if before >= limit and after > limit // 2 and not each.is_recent():
                each.forget()
                _alive.discard(each)
                after -= size
    return before, after


def _note(event: str, duration: float, **details: str | int):
    if event != COMPILED:
        return
    _Count.compiled += 1
    _Count.until_look -= _SMALL if stored.is_on() else _SMALL + _BY_JAX
    compile_notice.compiled(duration)
    if _Count.is_freed:  # by now also what was running when it was dropped
        return_memory()
        _Count.is_freed = False
    if _Count.until_look <= 0:
        before, after = drop(LIMIT)
        _Count.is_freed = after < before
        _Count.until_look = max(LIMIT - after, LIMIT // 8)


jax.monitoring.register_event_duration_secs_listener(_note)
