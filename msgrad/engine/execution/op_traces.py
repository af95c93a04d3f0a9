"""Traces of operations by JAX, one for each combination of static arguments, shapes and dtypes.

The trace tells what shapes an operation gives, it is what Programs replay (2.6 times faster than the operation's own
Python), and NumPy can run it (`tiers`).
"""

import jax
import numpy as np

from .. import errors, jax_options
from .._jax_private import jaxpr_as_function
from ..bounded import Bounded
from ..interpreter import NotCovered, pickled
from ..interpreter.generated import called_function_of
from ..lowering import tpu_lowering
from ..precision import saying
from ..references import collector_postponed
from . import families, op_families, splitting, stored
from .proofs import jaxpr_of

_MOST_SHAPES = 100_000
_LARGEST_CONSTANTS = 1 << 16  # bytes of constants in a jaxpr that is kept, which it keeps alive

_traces = {}
_kept = Bounded(4096)  # traces with their jaxprs, of some 10 kB each; those at further sizes come from their `Family`


class OpTrace:
    """The trace of an operation for operands of given shapes and dtypes.

    Attributes:
        fn (function): of arrays; what the operation does.
        operands (tuple): the ``(shape, dtype)`` of each operand.
        avals (tuple): the ``(shape, dtype)`` of each result.
        single (bool): whether the result is a bare array.
        jaxpr (ClosedJaxpr): None if it was dropped, or never made as the shapes were known without.
        numpy_plan (NumpyPlan | NotCovered | bytes): how NumPy runs it, or why it cannot; bytes if it is from the disk.
        resized (function): gives the jaxpr that traces at other sizes tell; None where there is none.
        is_shared (bool): whether it is a function of its own to JAX, which traces, differentiates and lowers that once
            for all of its uses in a program. It depends on the operation alone, since programs of several sizes must
            have one structure (`families`), and one whose trace is from the disk, or dropped, has no jaxpr.
        function (function): of arrays; what runs it. None until it is used.
        numpy_function (function): of NumPy arrays; what the plan does. None until it is used.
        parts (Split): the operation and its static arguments; None until asked.
    """

    __slots__ = (
        *("fn", "operands", "avals", "single", "jaxpr", "numpy_plan", "resized", "is_shared", "function", "parts"),
        *("numpy_function", "__weakref__"),
    )

    def __init__(self, fn, operands, avals, single, jaxpr=None, numpy_plan=None, resized=None, is_shared=False):
        self.fn, self.operands, self.avals, self.single, self.jaxpr = fn, operands, avals, single, jaxpr
        self.numpy_plan, self.resized, self.is_shared = numpy_plan, resized, is_shared
        self.function = self.numpy_function = self.parts = None

    def __call__(self, *operands):
        """The results for arrays, or values that JAX traces."""
        if not self._is_for(operands):
            return self.fn(*operands)
        if self.function is None:
            self.function = jax.jit(self._evaluated) if self.is_shared else self._evaluated
        return self.function(*operands)

    def _evaluated(self, *operands):
        if self.jaxpr is None:
            return self.fn(*operands)
        results = jaxpr_as_function(self.jaxpr)(*operands)
        return results[0] if self.single else results

    def _is_for(self, operands):
        """Whether the trace is for operands of these shapes and dtypes; `lifting` replaces integers by floats."""
        return all(
            [
                value.dtype == dtype and value.shape == shape and not getattr(value, "weak_type", False)
                for value, (shape, dtype) in zip(operands, self.operands, strict=True)
            ]
        )

    def split(self, op, static):
        """The operation that it is the trace of, as a part of a Program (`families`)."""
        if self.parts is None:
            self.parts = splitting.Split(op, static)
        return self.parts

    def plan(self):
        """NumPy's plan for it.

        Raises:
            NotCovered: if NumPy cannot.
        """
        if self.numpy_plan is None:
            self.numpy_plan = pickled.made(self.jaxpr or self.trace()[0])
            if self.jaxpr is None:  # as after `drop`
                _kept.add(self)
        elif isinstance(self.numpy_plan, bytes):
            self.numpy_plan = pickled.loaded(self.numpy_plan)
        if isinstance(self.numpy_plan, NotCovered):
            raise NotCovered(*self.numpy_plan.args)
        return self.numpy_plan

    def by_numpy(self, plan):
        """The function of NumPy arrays of its ``plan``, made by `generated.called_function_of`."""
        if self.numpy_function is None:
            self.numpy_function = called_function_of(plan, len(self.operands))
        return self.numpy_function

    def trace(self):
        """Its jaxpr, and whether the result is a bare array."""
        if self.resized is not None:
            return self.resized(), self.single
        with jax_options.Tracing():
            return self.jaxpr or jax.make_jaxpr(self.fn)(*_specs(self.operands)), self.single

    def drop(self):
        """Frees the memory of the jaxpr and of the plan."""
        self.jaxpr = self.numpy_plan = self.function = self.numpy_function = None


def _is_worth_sharing(equations):
    # A training step of BERT-base is traced and lowered in 1.6 s of processor time so, in place of 2.3 to 3.0. A single
    # equation takes as long by itself.
    return len(equations) > 1


def _specs(avals):
    return [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in avals]


def trace_of(op, static, avals, precision):
    """The `OpTrace` of an operation with these static arguments for operands of these ``(shape, dtype)``.

    Its products and convolutions say ``precision``.
    """
    key = op, static, avals, precision
    trace = _traces.get(key)
    if trace is None:
        fn, shapes = saying(op.bind(static), precision), op.output_avals(avals)
        if shapes is not None:
            # Not kept: the shapes cost nothing, and a transform op is traced as part of what is compiled.
            return OpTrace(fn, avals, shapes, False)
        with collector_postponed():
            trace = _traces[key] = _resized(key, fn) or _found(key, fn)
        if len(_traces) > _MOST_SHAPES:
            # All at once: without the jaxprs, which are dropped one by one, an entry is small and soon made again.
            _traces.clear()
    return trace


def _found(key, fn):
    """The trace that an earlier process left on disk, or a new one."""
    op, static, avals, precision = key
    name = stored.name_of("operation", op, static, avals, tuple(precision))
    return _loaded(name, fn, avals) or _traced(op, fn, avals, name)


def _resized(key, fn):
    """The trace that those at other sizes tell, or a new one by which they are to; None if sizes do not matter."""
    op, static, avals, precision = key
    if not families.ALLOWED or op.retraced or op.collective is not None:
        return None
    structure, numbers = splitting.split(op, static, avals)
    if not numbers:
        return None
    # Products of (n, 12) by (12, n), and of (n, n) by (n, 12), are two families: by which of their numbers are equal.
    alike = op_families.of((structure, precision, tuple(map(numbers.index, numbers))))
    family = alike.family_of(numbers)
    if family is None:
        trace = _found(key, fn)
        alike.add(numbers, trace.trace)
        return trace
    symbols = family.symbols_of(numbers)
    if not family.is_proved(symbols, lambda numbers: _jaxpr_at(numbers, *key)):
        return None
    shapes = tuple([(shape, aval.dtype) for shape, aval in zip(*family.results_at(symbols), strict=True)])
    errors.check_sizes([jax.ShapeDtypeStruct(*aval) for aval in shapes])
    template = family.template
    is_shared = _is_worth_sharing(template.equations)
    trace = OpTrace(fn, avals, shapes, family.tree, resized=lambda: template.at(symbols), is_shared=is_shared)
    _kept.add(trace)
    return trace


def _jaxpr_at(numbers, op, static, avals, precision):
    """The jaxpr of an operation with these numbers in its static arguments and shapes."""
    return jaxpr_of(op, *splitting.resized((static, avals), iter(numbers)), precision)


def _shaped(op, fn, avals, name):
    """The trace of an operation with collectives: shapes only, since JAX traces those only over a mesh of processes."""
    with errors.of_op(op.name, avals), jax_options.Tracing():
        out = jax.eval_shape(op.collective.within(fn), *_specs(avals))
    single = not isinstance(out, (tuple, list))
    shapes = tuple((tuple(r.shape), np.dtype(r.dtype)) for r in ((out,) if single else out))
    trace = OpTrace(fn, avals, shapes, single, numpy_plan=NotCovered("collectives"))
    _save(name, trace)
    return trace


def _save(name, trace):
    """Keeps the shapes and the plan of a trace on disk."""
    if name is not None and (data := pickled.dumped(trace.numpy_plan)) is not None:
        stored.save(name, (trace.avals, trace.single, data, trace.is_shared))


def _loaded(name, fn, avals):
    """The trace that an earlier process left on disk; None if there is none."""
    entry = stored.load(name)
    if entry is None:
        return None
    shapes, single, plan, is_shared = entry
    trace = OpTrace(fn, avals, shapes, single, numpy_plan=plan, is_shared=is_shared)
    _kept.add(trace)
    return trace


def _traced(op, fn, avals, name):
    if op.collective is not None:
        return _shaped(op, fn, avals, name)
    with errors.of_op(op.name, avals), jax_options.Tracing():
        jaxpr, out = jax.make_jaxpr(fn, return_shape=True)(*_specs(avals))
        if tpu_lowering.is_current():
            tpu_lowering.check(jaxpr.jaxpr, op.name)
    single = not isinstance(out, (tuple, list))
    results = (out,) if single else out
    errors.check_sizes(results)
    shapes = tuple((tuple(r.shape), np.dtype(r.dtype)) for r in results)
    if op.retraced or sum([getattr(each, "nbytes", 0) for each in jaxpr.consts]) > _LARGEST_CONSTANTS:
        return OpTrace(fn, avals, shapes, single)
    trace = OpTrace(fn, avals, shapes, single, jaxpr, is_shared=_is_worth_sharing(jaxpr.eqns) and not jaxpr.effects)
    _kept.add(trace)
    if name is not None:
        # Now, since the entry that the next process finds has the plan along with the shapes.
        trace.numpy_plan = pickled.made(jaxpr)
        _save(name, trace)
    return trace
