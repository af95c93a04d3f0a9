"""The NumPy call of an equation, and the seconds that it takes."""

import functools
import inspect
import math

import ml_dtypes
import numpy as np

from . import elementwise, indexing, linear_algebra, products, reductions, reshaping, shaped, windows

_FILES = (elementwise, indexing, linear_algebra, products, reductions, reshaping, windows)


def _joined(name):
    return {primitive: rule for file in _FILES for primitive, rule in getattr(file, name, {}).items()}


PLAIN = _joined("PLAIN")  # functions of the operands alone: what parameters the primitive has are hints
RULES = _joined("RULES")  # functions of the operands, and by name of the parameters
REFUSED = _joined("REFUSED")  # whether the rule cannot do an equation
SECONDS = _joined("SECONDS")  # how long an equation takes, where it is not as elementwise arithmetic
COMPILED_SECONDS = _joined("COMPILED_SECONDS")  # how long compiled code takes, where it is not a share of that
SHARES = _joined("SHARES")  # which share of the time that `SECONDS` tells, where it is not `_VECTORIZED`
ALWAYS = set()  # primitives that are run even where no result depends on them
_DTYPES = frozenset(
    # By the dtypes themselves: their names take NumPy 40 us each.
    map(
        np.dtype,
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(),
    )
) | {np.dtype(ml_dtypes.bfloat16)}
# Seconds for each element that is read or written, by NumPy's vector code and by compiled code: to add 1 000 takes 0.3
# us. NumPy converts half types one by one.
_PER_ELEMENT, _COMPILED = 0.15e-9, 0.12e-9
_PER_HALF = {np.dtype(np.float16): 1.2e-9, np.dtype(ml_dtypes.bfloat16): 0.4e-9}
_VECTORIZED = 0.08  # of NumPy's time without vector code, that compiled code takes


class NotCovered(Exception):
    """Raised for what NumPy cannot run, or only slowly: XLA compiles it."""


def call_of(equation):
    """The NumPy function of ``equation``, a primitive without inner jaxprs.

    Raises:
        NotCovered: if there is none.
    """
    name = equation.primitive.name
    avals = [each.aval for each in (*equation.invars, *equation.outvars)]
    # Keys, tokens and 4-bit numbers have no NumPy dtype that computes as XLA does.
    if not all([getattr(aval, "dtype", None) in _DTYPES for aval in avals]):
        raise NotCovered(f"{name} of {', '.join(map(str, avals))}")
    if name in REFUSED and REFUSED[name](equation):
        raise NotCovered(name)
    make = shaped.CALLS.get(name)
    call = make and make(equation)
    if call is not None:
        return call
    if name in PLAIN:
        return PLAIN[name]
    if name in RULES:
        return functools.partial(RULES[name], **{key: equation.params[key] for key in _parameters(name)})
    raise NotCovered(name)


@functools.cache
def _parameters(name):
    """The parameters of a primitive that its rule uses."""
    parameters = inspect.signature(RULES[name]).parameters.values()
    return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]


def seconds_of(equation):
    """Estimated seconds of ``equation`` by NumPy."""
    own = SECONDS.get(equation.primitive.name)
    if own is not None:
        return own(equation)
    ends = (*equation.invars[:1], *equation.outvars[:1])
    return _elements(equation) * max([_PER_HALF.get(each.aval.dtype, _PER_ELEMENT) for each in ends])


def compiled_seconds_of(equation):
    """Estimated seconds of ``equation`` in compiled code."""
    name = equation.primitive.name
    if name in COMPILED_SECONDS:
        return COMPILED_SECONDS[name](equation)
    if name in SECONDS:
        return SHARES.get(name, _VECTORIZED) * SECONDS[name](equation)
    return _COMPILED * _elements(equation)


def _elements(equation):
    """The number of elements that an equation reads and writes."""
    return sum([math.prod(each.aval.shape) for each in (*equation.invars, *equation.outvars)])
