"""Rows of the operations' tables, padded: values and gradients at several sizes are those of the exact programs.

The suite checks a sample; ``python -m tests.ops.test_sizes`` checks all rows, or those that it names, and prints which
cannot be padded, and why.
"""

import collections
import sys
import zlib

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad.engine import jax_options
from msgrad.engine.lengths.padding import check, make_padded
from msgrad.engine.lengths.sizes import NotUniform, symbols_among
from msgrad.engine.lengths.template import Template, shape_at
from msgrad.tools.instrumentation import recording_of

from ..op_cases import CASES, NAMES
from ..op_cases.case import array_of
from ..padding import padded_to, runner
from .rows import NAMESPACE, by_name

# Samples, other sizes and the largest: of any remainder, and where strides make a difference, of one.
SIZES = ((10, 13, 11, 18), (9, 12, 16), 18), ((12, 20, 16, 28), (8, 24), 28), ((13, 21, 17, 29), (9, 25), 29)
RESIZABLE = [case for case in CASES if not case.parameters and not case.looks]


class NotResizable(Exception):
    """Raised for a row that takes no other size, or computes on the host."""


def arrays_of(case, length, size):
    """The inputs of a row with all axes of this ``length`` made ``size`` long."""
    random = np.random.RandomState(zlib.crc32(case.name.encode()))
    drawn = [(dtype, tuple([size if each == length else each for each in shape]), *domain)
             for dtype, shape, *domain in case.drawn()]  # fmt: skip
    return [array_of(random, *each) for each in drawn]


def tensors_in(value):
    if isinstance(value, (tuple, list)):
        return [tensor for each in value for tensor in tensors_in(each)]
    return [value] if isinstance(value, Tensor) else []


def recorded(case, arrays, is_differentiated):
    """The jaxpr of a row, or of the gradient of its squared results, and the values of its leaves."""
    fn = eval(f"lambda {', '.join(NAMES[: len(arrays)])}: {case.expression}", NAMESPACE)

    def total(*inputs):
        return sum([(each * each).sum() for each in tensors_in(fn(*inputs)) if each.is_floating_point()])

    positions = tuple([k for k, array in enumerate(arrays) if array.dtype.kind == "f"])
    run = ms.grad(total, positions) if is_differentiated else fn
    try:
        program, wanted, leaves = recording_of(run, list(map(Tensor, arrays)), "row")
        values = [leaf.asnumpy() for leaf in leaves]
        with jax_options.Tracing():
            specs = [jax.ShapeDtypeStruct(*aval) for aval in program.leaves]
            jaxpr = jax.make_jaxpr(lambda *leaves: program.replay(leaves, wanted))(*specs)
    except Exception as error:  # the row's own, at this size
        raise NotResizable from error
    if not values or not jaxpr.eqns:
        raise NotResizable
    return jaxpr, values


def check_row(case, length, is_differentiated):
    """Compares padded and exact programs of a row, of lengths of any remainder or, if these are no family, of one.

    Raises:
        NotUniform: if it cannot be padded.  NotResizable: if the row takes no other sizes.
    """
    try:
        check_sizes(case, length, is_differentiated, *SIZES[0])
    except NotUniform:
        for sizes in SIZES[1:]:
            check_sizes(case, length, is_differentiated, *sizes)


def check_sizes(case, length, is_differentiated, samples, sizes, largest):
    """Compares padded and exact programs of a row at these sizes; exceptions as of `check_row`."""
    programs = {size: recorded(case, arrays_of(case, length, size), is_differentiated) for size in (*samples, *sizes)}
    jaxprs = [programs[size][0] for size in samples]
    if len({len(jaxpr.in_avals) for jaxpr in jaxprs}) > 1:
        raise NotUniform("leaves that differ")
    shapes = [[each.shape for each in jaxpr.in_avals] for jaxpr in jaxprs]
    symbols = symbols_among([axis for column in zip(*shapes, strict=True) for axis in zip(*column, strict=True)])
    template = Template(jaxprs, symbols)
    check(template)
    (column,) = symbols.columns
    place = next(each.shape for each in template.arguments if each.varies)
    axis = next(k for k, size in enumerate(place) if not size.is_constant)
    position = next(k for k, each in enumerate(template.arguments) if each.shape == place)

    def symbol_at(size):
        terms = place[axis].terms
        return (programs[size][1][position].shape[axis] - terms.get((), 0)) // terms[(0,)]

    bucket = (symbol_at(largest),)
    specs = [jax.ShapeDtypeStruct(shape_at(aval.shape, bucket), aval.dtype) for aval in template.arguments]
    with jax_options.Tracing(), np.errstate(all="ignore"):
        padded = jax.make_jaxpr(make_padded(template, bucket))(jax.ShapeDtypeStruct((1,), np.int32), *specs)
        run = runner(padded)
        for size in (*sizes, samples[0]):
            jaxpr, values = programs[size]
            symbol = symbol_at(size)
            if [each.shape for each in jaxpr.in_avals] != [
                shape_at(each.shape, (symbol,)) for each in template.arguments
            ]:
                continue  # as an executable that does not fit its family
            arrays = [padded_to(value, spec.shape) for value, spec in zip(values, specs, strict=True)]
            results = run(np.array([symbol], np.int32), *arrays)
            for result, exact in zip(results, runner(jaxpr)(*values), strict=True):
                exact = np.asarray(exact)
                result = np.asarray(result)[tuple(map(slice, exact.shape))]
                assert result.shape == exact.shape
                rtol = 1e-4 if exact.dtype.kind in "fc" else 0
                largest = np.abs(exact[np.isfinite(exact)]).max(initial=1.0) if rtol else 0  # of terms that cancel
                np.testing.assert_allclose(result, exact, rtol=rtol, atol=rtol / 10 * largest)


def outcomes(case):
    """``(length, is_differentiated, why it cannot be padded or None)`` of each check of a row."""
    for length in sorted({each for _, shape, *_ in case.drawn() for each in shape if each > 1}):
        for is_differentiated in (False, True) if case.order else (False,):
            try:
                check_row(case, length, is_differentiated)
                yield length, is_differentiated, None
            except NotUniform as reason:
                yield length, is_differentiated, str(reason)
            except NotResizable:
                pass


@pytest.mark.filterwarnings("ignore")
@by_name(RESIZABLE[::50])
def test_padded_rows_give_what_exact_ones_give(case):
    list(outcomes(case))


@pytest.mark.filterwarnings("ignore")
def test_most_rows_of_elementwise_functions_and_reductions_can_be_padded():
    named = {case.name: case for case in RESIZABLE}
    for name in ("softmax", "cumprod", "gelu", "layer_norm", "gather"):
        assert {reason for *_, reason in outcomes(named[name])} == {None}


if __name__ == "__main__":
    counts = collections.Counter()
    for case in [case for case in RESIZABLE if case.name in sys.argv[1:] or not sys.argv[1:]]:
        for length, is_differentiated, reason in outcomes(case):
            counts[reason] += 1
            if reason:
                print(f"{case.name} {length}{' gradient' * is_differentiated}: {reason}", flush=True)
    print(counts.most_common())
