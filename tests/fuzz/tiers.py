"""NumPy beside XLA, on random jaxprs: ``python -m tests.fuzz.tiers --each N`` draws N of each family.

Each equation is compared alone: NumPy computes it from the operands that XLA had, in the memory layout that NumPy's
own results have. So what differs is that equation's result, and rounding is that of one primitive.
"""

import collections
import sys

import jax
import numpy as np
from jax.extend.core import Literal, jaxpr_as_fun

from msgrad.engine.interpreter import NotCovered
from msgrad.engine.interpreter.plan import planned
from msgrad.engine.interpreter.subnormals import flushed
from msgrad.engine.jax_options import Tracing

from .jaxprs import draw
from .options import chosen

ULPS = {2: 2, 4: 16, 8: 64}  # by bytes of a real number
ABSOLUTE = {"lgamma": 1.0}  # which XLA computes from terms of this size that cancel
SUMS = {"reduce_sum", "cumsum", "reduce_window_sum", "dot_general", "conv_general_dilated"}
DECOMPOSITIONS = {"cholesky", "triangular_solve"}  # NumPy's have the range of float64
EITHER_ZERO = {  # primitives that may return 0.0 or -0.0, and sums that XLA may join with a negation
    *["max", "min", "reduce_max", "reduce_min", "cummax", "cummin", "reduce_window_max", "reduce_window_min"],
    *[
        "reduce_sum",
        "scatter-max",
        "scatter-min",
        "select_and_scatter_add",
        "dot_general",
        "conv_general_dilated",
        "complex",
    ],
    *["while", "scan", "cond"],  # which have others inside
}


def differences(drawn):
    """``(equation, operands, NumPy's result, XLA's result)`` of each equation whose results differ."""
    with jax.disable_jit(not drawn.has_loops):  # which has no equations with others inside
        jaxpr = jax.make_jaxpr(drawn.function)(*drawn.operands)
    variables = [each for equation in jaxpr.jaxpr.eqns for each in equation.outvars]
    every_result = jaxpr_as_fun(jaxpr.replace(jaxpr=jaxpr.jaxpr.replace(outvars=variables)))
    compiled = dict(zip(variables, map(np.asarray, jax.jit(every_result)(*drawn.operands)), strict=True))
    known = dict(zip(jaxpr.jaxpr.constvars, map(np.asarray, jaxpr.consts), strict=True))
    known |= zip(jaxpr.jaxpr.invars, drawn.operands, strict=True)
    for equation in jaxpr.jaxpr.eqns:
        operands = [_value(each, known) for each in equation.invars]
        expected = [compiled[each] for each in equation.outvars]
        try:
            with np.errstate(all="ignore"), flushed:
                results = planned(equation, set())[0](*operands)
        except NotCovered:
            results = expected if equation.primitive.multiple_results else expected[0]
        results = results if equation.primitive.multiple_results else [results]
        for variable, ours, theirs in zip(equation.outvars, map(np.asarray, results), expected, strict=True):
            if not agree(equation.primitive.name, ours, theirs, *_rounding(equation, operands, theirs)):
                yield equation, operands, ours, theirs
            # NumPy's own array where it is equal, for its memory layout.
            known[variable] = ours if ours.tobytes() == theirs.tobytes() else theirs


def _value(variable, known):
    return np.asarray(variable.val, variable.aval.dtype) if isinstance(variable, Literal) else known[variable]


def _rounding(equation, operands, result):
    """The epsilon of the coarsest dtype in an equation; the sizes of the terms of a sum, or 0."""
    dtypes = [each.dtype for each in (*operands, result) if jax.numpy.issubdtype(each.dtype, jax.numpy.inexact)]
    epsilon = max([float(jax.numpy.finfo(dtype).eps) for dtype in dtypes], default=0.0)
    if equation.primitive.name not in SUMS:
        return epsilon, 0.0
    with np.errstate(all="ignore"):
        scale = np.abs(planned(equation, set())[0](*map(np.abs, operands))).astype(np.float64)
        # If partial sums of numbers overflow, their order decides; in complex products, whether infinity becomes NaN.
        is_open = all([each.dtype.kind == "c" or np.isfinite(each.astype(float)).all() for each in operands])
        return epsilon, np.where(np.isfinite(scale), scale, np.inf if is_open else 0.0)


def agree(name, ours, theirs, epsilon, scale):
    """Whether two results of the primitive ``name`` are equal within rounding; a subnormal is 0."""
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return False
    if name == "cholesky":  # the rest is undefined
        ours, theirs = np.tril(ours), np.tril(theirs)
    if ours.dtype.kind in "biu":
        return bool((ours == theirs).all())
    if ours.dtype.kind == "c":
        parts = (ours.real, theirs.real), (ours.imag, theirs.imag)
        return all([agree("complex", *each, epsilon, scale) for each in parts])
    info = jax.numpy.finfo(ours.dtype)
    ours, theirs = [_flushed(each.astype(np.float64), info) for each in (ours, theirs)]
    same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | (scale == np.inf)
    if name in DECOMPOSITIONS:
        same |= ~np.isfinite(theirs)
    with np.errstate(all="ignore"):
        allowed = ULPS[info.bits // 8] * epsilon * (np.abs(theirs) + scale + ABSOLUTE.get(name, 0))
        near = np.abs(ours - theirs) <= allowed + 4 * float(info.tiny)
    signs = name in EITHER_ZERO or (np.signbit(ours) == np.signbit(theirs))[(ours == 0) & (theirs == 0)].all()
    return bool((same | near).all() and signs)


def _flushed(x, info):
    return np.where(np.abs(x) < float(info.tiny), np.copysign(0.0, x), x) if info.dtype != np.float16 else x


def main():
    families, seeds = chosen("tests.fuzz.tiers", __doc__.partition(":")[0], 200)
    with Tracing():
        counts = reported(families, seeds)
    for name, count in sorted(counts.items()):
        sys.stdout.write(f"{count:5} {name}\n")
    return 1 if counts else 0


def reported(families, seeds):
    """Prints the first two differences of each kind; how many there are, as a Counter."""
    counts = collections.Counter()
    for family in families:
        for seed in seeds:
            for equation, operands, ours, theirs in differences(draw(family, seed)):
                name = f"{family}: {equation.primitive.name} {ours.dtype}"
                counts[name] += 1
                if counts[name] <= 2:
                    sys.stdout.write(f"{name}, seed {seed}:\n{equation}\n{operands}\nNumPy: {ours}\nXLA: {theirs}\n\n")
        sys.stdout.write(f"{len(seeds)} jaxprs of {family}\n")
    return counts


if __name__ == "__main__":
    sys.exit(main())
