"""Padded programs beside exact ones, on random jaxprs an axis of which varies.

``python -m tests.fuzz.lengths --each N`` draws N of each family. Some of the other axes, and constants, are as long as
the one that varies is at times; infinity and NaN are among the numbers, and come about in the padding.
"""

import collections
import sys

import jax
import numpy as np

from msgrad.engine.jax_options import Tracing
from msgrad.engine.lengths.padding import check, make_padded
from msgrad.engine.lengths.sizes import NotUniform, TooFew, symbols_among
from msgrad.engine.lengths.template import Template, shape_at

from ..padding import padded_to, runner
from .jaxprs import draw_sized
from .options import chosen

# Sizes of the samples, others, and the largest; odd ones where a stride makes a difference.
SIZES = ((5, 6, 9), (2, 3, 4, 7, 12), 12), ((5, 7, 11), (3, 9, 13), 13)
_ULPS = 64  # of a result of several primitives
# Families whose sums have terms of any size: their order, which padding changes, may decide all digits.
_ORDER = {"reductions", "cumulative", "products", "windows", "gradients", "control flow", "positions"}


def differences(family, seed):
    """``(size, padded result, exact result)`` of each result that differs.

    Raises:
        NotUniform, TooFew: if the program cannot be padded.
    """
    try:
        yield from _differences(family, seed, *SIZES[0])
    except NotUniform:
        yield from _differences(family, seed, *SIZES[1])


def _differences(family, seed, samples, sizes, largest):
    jaxprs = [_traced(draw_sized(family, seed, size)) for size in samples]
    shapes = [[each.shape for each in jaxpr.in_avals] for jaxpr in jaxprs]
    axes = [axis for column in zip(*shapes, strict=True) for axis in zip(*column, strict=True)]
    template = Template(jaxprs, symbols_among(axes))
    conditions = check(template)
    (length,) = {size for aval in template.arguments for size in aval.shape if not size.is_constant}
    symbols = {size: ((size - length.terms.get((), 0)) // length.terms[(0,)],) for size in (*sizes, largest)}
    bucket = symbols[largest]
    specs = [jax.ShapeDtypeStruct(shape_at(aval.shape, bucket), aval.dtype) for aval in template.arguments]
    padded = jax.make_jaxpr(make_padded(template, bucket))(jax.ShapeDtypeStruct((1,), np.int32), *specs)
    run = runner(padded)
    for size in sizes:
        drawn = draw_sized(family, seed, size)
        exact = _traced(drawn)
        if any([each.at(symbols[size]) < 0 for each in conditions]) or str(exact) != str(template.at(symbols[size])):
            continue  # as a member that does not fit its family
        with np.errstate(all="ignore"):
            expected = runner(exact)(*drawn.operands)
            operands = [padded_to(each, spec.shape) for each, spec in zip(drawn.operands, specs, strict=True)]
            results = run(np.array(symbols[size], np.int32), *operands)
        for ours, theirs in zip(results, map(np.asarray, expected), strict=True):
            ours = np.asarray(ours)[tuple(map(slice, theirs.shape))]
            if not _agree(ours, theirs, family in _ORDER):
                yield size, ours, theirs


def _traced(drawn):
    return jax.make_jaxpr(drawn.function)(*drawn.operands)


def _agree(ours, theirs, is_order_open):
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return False
    if theirs.dtype.kind in "biu":
        return np.array_equal(ours, theirs)
    if theirs.dtype.kind == "c":
        return _agree(ours.real, theirs.real, is_order_open) and _agree(ours.imag, theirs.imag, is_order_open)
    info = jax.numpy.finfo(theirs.dtype)
    ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(all="ignore"):
        finite = np.abs(theirs[np.isfinite(theirs)])
        largest = finite.max(initial=1.0) if is_order_open else np.abs(theirs)
        near = np.abs(ours - theirs) <= _ULPS * float(info.eps) * np.fmax(np.abs(theirs), largest) + float(info.tiny)
    return bool((near | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))).all())


def reported(families, seeds):
    """Prints the first two differences of each family; how many there are, and why programs stay exact, as Counters."""
    counts, reasons = collections.Counter(), collections.Counter()
    for family in families:
        for seed in seeds:
            try:
                for size, ours, theirs in differences(family, seed):
                    counts[family] += 1
                    if counts[family] <= 2:
                        sys.stdout.write(f"{family}, seed {seed}, size {size}:\npadded: {ours}\nexact: {theirs}\n\n")
            except (NotUniform, TooFew) as reason:
                reasons[str(reason)] += 1
        sys.stdout.write(f"{len(seeds)} jaxprs of {family}\n")
        sys.stdout.flush()
    return counts, reasons


def main():
    families, seeds = chosen("tests.fuzz.lengths", __doc__.partition(".")[0], 100)
    with Tracing():
        counts, reasons = reported(families, seeds)
    for kind, found in (("differ", counts), ("stay exact", reasons)):
        for name, count in found.most_common():
            sys.stdout.write(f"{count:5} {kind}: {name}\n")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
