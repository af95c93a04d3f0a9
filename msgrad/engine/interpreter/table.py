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
LONGER = _joined("LONGER")  # how much longer an equation takes than compiled code, of arrays in the processor's cache
SHARES = _joined("SHARES")  # which share of that compiled code takes, where it is not `_FUSED`
ALWAYS = set()  # primitives that are run even where no result depends on them
_DTYPES = frozenset(
    # By the dtypes themselves: their names take NumPy 40 us each.
    map(
        np.dtype,
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(),
    )
) | {np.dtype(ml_dtypes.bfloat16)}
_PER_ELEMENT = 1.5e-9  # seconds for each element that is read or written
_IN_CACHE = 0.1  # of it, for arrays in the processor's cache by vector code: to add 1 000 numbers takes 0.3 us
_VECTORS = {"cos", "exp", "log", "logistic", "sin", "tanh"}  # NumPy has vector code for float32: 0.6 us for 1 000
_IN_TURN = {"cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum", "rem", "round"}  # without
_FUSED = 0.08  # of NumPy's time, that compiled code takes: XLA fuses elementwise operations, and vectorizes functions


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
    return _PER_ELEMENT * sum([math.prod(each.aval.shape) for each in (*equation.invars, *equation.outvars)])


def seconds_longer(equation):
    """Estimated seconds by which NumPy takes longer than compiled code, of arrays that are in the processor's cache."""
    name = equation.primitive.name
    if name in LONGER:
        return LONGER[name](equation)
    is_by_vectors = name in _VECTORS and equation.outvars[0].aval.dtype == np.float32
    is_quick = is_by_vectors or (name not in SECONDS and name not in _IN_TURN)
    return seconds_of(equation) * (_IN_CACHE if is_quick else 1) - compiled_seconds_of(equation)


def compiled_seconds_of(equation):
    """Estimated seconds of ``equation`` in compiled code."""
    own = COMPILED_SECONDS.get(equation.primitive.name)
    return own(equation) if own is not None else SHARES.get(equation.primitive.name, _FUSED) * seconds_of(equation)
