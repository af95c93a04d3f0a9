"""Compiled functions, of which those that were not called lately are dropped.

An executable of XLA's holds 1.5 MB, and that of a gradient 0.1 MB more for each operation: where shapes keep changing,
they would fill the memory. What was dropped and is called again is traced again, and XLA's part of it comes from the
folder on disk (`disk_cache`). ``MSGRAD_EXECUTABLES`` is the number of small ones that may be alive at once.
"""

import ctypes
import os
import sys
import threading
import warnings
import weakref

import jax
from jax import lax

from .. import errors
from .._jax_private import COMPILED, shapes_of
from . import compile_notice, tiers

_MSG_LIMIT = "MSGRAD_EXECUTABLES must be a positive int such as 256, but is {!r}: 256 it is."


def _limit():
    text = os.environ.get("MSGRAD_EXECUTABLES") or "256"
    if text.isdecimal() and int(text):
        return int(text)
    warnings.warn(_MSG_LIMIT.format(text), RuntimeWarning, stacklevel=2)
    return 256


LIMIT = _limit()  # small executables, of 1.5 MB each, that may be alive; where there are more, half of them are dropped
_OPERATIONS = 16  # of a Program that weigh as much as one more small executable
_RECENT = 32  # compilations since its last call that a compiled Program survives in any case: a step needs its own


class _Count:
    """Of all compilations in this process: how many there were, and at how many to drop what is not used."""

    compiled = 0
    next_look = LIMIT
    is_freed = False  # whether memory is to be given back


counts = {"programs compiled": 0, "operations compiled": 0}
_lock = threading.RLock()
_alive = weakref.WeakSet()


class Executable:
    """``fn``, compiled by JAX for each shape that it is called with; errors of the device are restated.

    Args:
        fn (function): of arrays, or of lists of arrays.
        donated (tuple of int): the positions of arguments that may be overwritten.
        operations (int): of the Program that it runs; 0 for a single operation, which is called with many shapes.
        plan (function): takes JAX's function and the arguments of the first call, and gives the plan by which NumPy
            runs it until it is worth compiling (`tiers`); None if NumPy is not to.
    """

    __slots__ = ("fn", "donated", "operations", "plan", "trial", "compiled", "called", "__weakref__")

    always = False  # whether it is compiled even where `tiers` says that nothing is

    def __init__(self, fn, donated=(), operations=0, plan=None):
        self.fn, self.donated, self.operations, self.plan = fn, donated, operations, plan
        self.trial = self.compiled = None
        self.called = 0  # how many compilations there had been at the last call

    def __call__(self, *operands):
        self.called = _Count.compiled
        try:
            return (self.compiled or self._first())(*operands)
        except jax.errors.JaxRuntimeError as error:
            restated = errors.of_device(error)
        except RuntimeError as error:
            error.__dict__.pop("__notes__", None)  # JAX's remark on the frames that it left out
            raise
        raise restated from None

    def ready(self):
        """What runs the next launch, which the caller calls at once: no interrupt comes between it and its results."""
        self.called = _Count.compiled
        return self.compiled or self._first()

    def _first(self):
        """What runs a launch where nothing is compiled: NumPy, as long as that is worth it."""
        return self._interpreted if self.plan is not None and tiers.are_on() else self._jit()

    def _interpreted(self, *operands):
        make_plan, trial, jitted = self.plan, self.trial, None  # which another thread may change meanwhile
        try:
            if trial is None and make_plan is not None:
                jitted = jax.jit(self._function(), donate_argnums=self.donated)
                trial = self.trial = tiers.Trial(make_plan(jitted, operands))
            if trial is not None:
                jitted = trial.jitted()
                return trial.plan().run(operands)
        except tiers.NotCovered:
            self.plan = self.trial = None
        return self._jit(jitted)(*operands)

    def _jit(self, jitted=None):
        if not (tiers.Tiers.compiles or self.always):
            return self._function()
        with _lock:
            self.compiled = jitted or jax.jit(self._function(), donate_argnums=self.donated)
            _alive.add(self)
            counts["programs compiled" if self.operations else "operations compiled"] += 1
            return self.compiled

    def _function(self):
        """What JAX compiles."""
        return strong(self.fn)

    def jitted(self):
        """JAX's function, to be read rather than launched."""
        return self.compiled or self._jit()

    def shapes(self):
        """For how many shapes it is compiled."""
        compiled = self.compiled
        return 0 if compiled is None else shapes_of(compiled)

    def is_recent(self):
        return self.operations and self.called > _Count.compiled - _RECENT


def strong(fn):
    """``fn`` with results free of JAX's weak types, which would select other programs when they come back as leaves.

    Results whose size XLA cannot hold are refused, when ``fn`` is traced.
    """

    def strong(*arrays):
        results = jax.tree.map(strengthen, fn(*arrays))
        errors.check_sizes(jax.tree.leaves(results))
        return results

    return strong


def strengthen(value):
    """``value`` free of JAX's weak types."""
    return lax.convert_element_type(value, value.dtype) if getattr(value, "weak_type", False) else value


def drop(limit):
    """Drops what was called longest ago where ``limit`` small executables, or as much memory, are alive.

    Returns:
        tuple of float: the memory before and after, in small executables.
    """
    with _lock:
        found = sorted(_alive, key=lambda each: each.called)
        sizes = [each.shapes() * (1 + each.operations / _OPERATIONS) for each in found]
        before = after = sum(sizes)
        for each, size in zip(found, sizes, strict=True):
            if before >= limit and after > limit // 2 and not each.is_recent():
                each.compiled = None
                _alive.discard(each)
                after -= size
    return before, after


def _note(event, duration, **about):
    if event != COMPILED:
        return
    _Count.compiled += 1
    compile_notice.compiled(duration)
    if _Count.is_freed:  # by now also what was running when it was dropped
        _return_memory()
        _Count.is_freed = False
    if _Count.compiled >= _Count.next_look:
        before, after = drop(LIMIT)
        _Count.is_freed = after < before
        _Count.next_look = _Count.compiled + max(int(LIMIT - after), LIMIT // 8)


def _return_memory():
    """Gives what the C library keeps of freed memory back to the system."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
        if trim is not None:
            trim(0)


jax.monitoring.register_event_duration_secs_listener(_note)
