"""Elementwise primitives: arithmetic, comparisons, bits, conversions, special functions."""

import math

import numpy as np

_SPECIAL = 150e-9  # seconds for one element of a function that Python evaluates


def _sign(x):
    # XLA's sign of -0.0 is -0.0, of which NumPy makes 0.0.
    return np.sign(x) if x.dtype.kind in "iu" else np.copysign(np.sign(x), x)


def _div(x, y):
    if x.dtype.kind not in "iu":
        return np.divide(x, y)
    # XLA's division of integers goes towards zero, gives -1 (all bits) by zero, and overflows without a word; NumPy's
    # goes down, gives 0 and warns.
    x, y = np.broadcast_arrays(x, y)
    zero = y == 0
    overflow = (y == -1) if x.dtype.kind == "i" else np.False_  # the smallest number divided by -1 is itself
    safe = np.where(zero | overflow, y.dtype.type(1), y)
    quotient = x // safe
    if x.dtype.kind == "i":
        quotient += ((x % safe != 0) & ((x < 0) != (safe < 0))).astype(x.dtype)  # towards zero
        quotient = np.where(overflow, -x, quotient)
    return np.where(zero, x.dtype.type(-1) if x.dtype.kind == "i" else np.iinfo(x.dtype).max, quotient)


def _rem(x, y):
    if x.dtype.kind not in "iu":
        # Times 1, which makes 0 of subnormals where the processor flushes them: `fmod` reads the bits.
        return np.fmod(x * x.dtype.type(1), y * y.dtype.type(1))
    return x - _div(x, y) * y


def _integer_pow(x, *, y):
    power, base, result = abs(y), x, None  # as XLA multiplies
    while power:
        if power & 1:
            result = base if result is None else result * base
        power >>= 1
        base = base * base if power else base
    if result is None:
        return np.ones_like(x)
    return result if y > 0 else np.divide(x.dtype.type(1), result)


def _round(x, *, rounding_method):
    if int(rounding_method):
        return np.rint(x)
    # Halves away from zero, as XLA's other method; from the fraction, since x + 0.5 rounds itself.
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(x.dtype.type(1), x), whole)


def _convert(x, *, new_dtype, **_):
    dtype = np.dtype(new_dtype)
    if dtype == x.dtype:
        return x
    if dtype.kind == "b":
        return x != 0
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    if dtype.kind in "iu" and x.dtype.kind not in "biu":  # to the nearest that the integers have, NaN to 0
        # Halves are compared as float32, since their own maximum lies below that of int32.
        wide = np.asarray(x, np.float32) if x.dtype.itemsize == 2 else np.asarray(x)
        minimum, maximum = np.iinfo(dtype).min, np.iinfo(dtype).max
        # XLA saturates, where C and NumPy leave the result open.
        above, below = wide >= float(maximum), wide <= float(minimum)
        converted = np.where(above | below | (wide != wide), wide.dtype.type(0), wide).astype(dtype)
        return np.where(above, dtype.type(maximum), np.where(below, dtype.type(minimum), converted))
    return x.astype(dtype)


def _shift_left(x, y):
    return _shifted(np.left_shift, x, y, x.dtype.type(0))


def _shift_right(x, y):
    signed = x.view(f"i{x.dtype.itemsize}")  # unsigned integers, too, keep their first bit
    return _shifted(np.right_shift, signed, y, -(signed < 0).astype(signed.dtype)).view(x.dtype)


def _shift_right_logical(x, y):
    unsigned = x.view(f"u{x.dtype.itemsize}")
    return _shifted(np.right_shift, unsigned, y, unsigned.dtype.type(0)).view(x.dtype)


def _shifted(shift, x, y, beyond):
    """``shift(x, y)``, and ``beyond`` where ``y`` is not within the width of ``x``, which NumPy leaves undefined."""
    is_within = (y >= 0) & (y < 8 * x.dtype.itemsize)
    return np.where(is_within, shift(x, np.where(is_within, y, y.dtype.type(0)).astype(x.dtype)), beyond)


def _bitcast(x, *, new_dtype):
    return np.ascontiguousarray(x).reshape(np.shape(x)).view(np.dtype(new_dtype))


def _pow(x, y):
    return np.power(x, y).astype(x.dtype)  # of a float by an integer, too


def _clamp(minimum, x, maximum):
    return np.minimum(np.maximum(x, minimum), maximum)


_BITS = {size: np.dtype(f"u{size}") for size in (1, 2, 4)}  # of 8 bytes the masks cost more than they save
_MANY = 1 << 14  # elements


def _where(which, chosen, other):
    """``np.where``; of many values by their bits, in an eighth of the time where ``which`` has no pattern."""
    bits = _BITS.get(chosen.dtype.itemsize)
    if bits is None or which.size < _MANY:
        return np.where(which, chosen, other)
    if not which.shape == chosen.shape == other.shape:
        which, chosen, other = np.broadcast_arrays(which, chosen, other)
    mask = which.view(np.uint8).astype(bits)
    np.negative(mask, out=mask)  # all bits of an element, or none
    result = chosen.view(bits) & mask
    np.invert(mask, out=mask)
    mask &= other.view(bits)
    result |= mask
    return result.view(chosen.dtype)


def _select(which, *cases):
    if which.dtype.kind == "b":
        return _where(which, cases[1], cases[0])
    # `mode="clip"` as XLA: an index beyond the cases takes the last.
    shape = np.broadcast_shapes(*map(np.shape, (which, *cases)))
    return np.choose(np.broadcast_to(which, shape), [np.broadcast_to(case, shape) for case in cases], mode="clip")


def _logistic(x):
    return np.reciprocal(np.exp(-x) + x.dtype.type(1))


def _one_minus_square(x):
    one = x.dtype.type(1)
    return np.multiply(one + x, one - x)


def _polynomial(x, *coefficients):
    """The sum of the coefficients, that of the lowest power first, times powers of ``x``, by Horner's rule."""
    *lower, result = coefficients
    for coefficient in reversed(lower):
        result = result * x + coefficient
    return result


def _rsqrt(x):
    return np.divide(x.dtype.type(1), np.sqrt(x))


def _cbrt(x):
    return np.cbrt(x.astype(np.float32)).astype(x.dtype) if x.dtype.itemsize == 2 else np.cbrt(x)


def _complex(x, y):
    # Not x + 1j * y, which makes NaN of an infinite part.
    result = np.empty(np.broadcast_shapes(np.shape(x), np.shape(y)), np.result_type(x.dtype, np.complex64))
    result.real, result.imag = x, y
    return result


def _lgamma(value):
    if value in (math.inf, -math.inf) or (value <= 0 and value == math.floor(value)):
        return math.inf
    try:
        return math.lgamma(value)
    except OverflowError:
        return math.inf


def _of_python(fn):
    """``fn``, a function of one Python float, applied to each element."""
    on_each = np.frompyfunc(fn, 1, 1)

    def rule(x):
        return np.asarray(on_each(np.asarray(x, np.float64))).astype(x.dtype)

    return rule


PLAIN = {
    "abs": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "add": np.add,
    "add_any": np.add,
    "and": np.bitwise_and,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": _cbrt,
    "ceil": np.ceil,
    "clamp": _clamp,
    "complex": _complex,
    "conj": np.conj,
    "reshard": lambda x: x,  # which JAX writes around constants in a program of several processes
    "cos": np.cos,
    "cosh": np.cosh,
    "div": _div,
    "eq": np.equal,
    "erf": _of_python(math.erf),
    "erfc": _of_python(math.erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "ge": np.greater_equal,
    "gt": np.greater,
    "imag": np.imag,
    "is_finite": np.isfinite,
    "le": np.less_equal,
    "lgamma": _of_python(_lgamma),
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "logistic": _logistic,
    "lt": np.less,
    "max": np.maximum,
    "min": np.minimum,
    "mul": np.multiply,
    "ne": np.not_equal,
    "neg": np.negative,
    "nextafter": np.nextafter,
    "not": np.invert,
    "one_minus_square": _one_minus_square,
    "or": np.bitwise_or,
    "polynomial": _polynomial,
    "population_count": lambda x: np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(x.dtype),
    "pow": _pow,
    "real": np.real,
    "rem": _rem,
    "rsqrt": _rsqrt,
    "select_n": _select,
    "shift_left": _shift_left,
    "shift_right_arithmetic": _shift_right,
    "shift_right_logical": _shift_right_logical,
    "sign": _sign,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "square": np.square,
    "sub": np.subtract,
    "tan": np.tan,
    "tanh": np.tanh,
    "xor": np.bitwise_xor,
}
RULES = {
    "bitcast_convert_type": _bitcast,
    "convert_element_type": _convert,
    "device_put": lambda *values, **_: values,
    "integer_pow": _integer_pow,
    "optimization_barrier": lambda *values, **_: values,
    "round": _round,
}
_SLOW = ("erf", "erfc", "lgamma")
_TRANSCENDENTAL = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp exp2 expm1 log log1p log2 logistic pow sin sinh tan tanh"
).split()


_BY_VECTORS = {"cos", "exp", "log", "logistic", "sin", "tanh"}  # NumPy has vector code for float32: 0.6 us for 1 000


def _seconds_each(seconds):
    return lambda equation: seconds * math.prod(equation.outvars[0].aval.shape)


def _transcendental_seconds(equation):
    result = equation.outvars[0].aval
    is_by_vectors = equation.primitive.name in _BY_VECTORS and result.dtype == np.float32
    return (1.5e-9 if is_by_vectors else 15e-9) * math.prod(result.shape)


SECONDS = {
    **dict.fromkeys(_SLOW, _seconds_each(_SPECIAL)),
    **dict.fromkeys(_TRANSCENDENTAL, _transcendental_seconds),
    **{"rem": _seconds_each(4.5e-9), "round": _seconds_each(3e-9), "select_n": _seconds_each(1.5e-9)},
}
COMPILED_SECONDS = dict.fromkeys(_TRANSCENDENTAL, _seconds_each(1.2e-9))


def _is_complex(equation):
    return equation.invars[0].aval.dtype.kind == "c"


# Complex functions whose results XLA and NumPy define differently at infinities, NaN, zeros and subnormals.
_OF_COMPLEX = (
    "acos acosh asin asinh atan atanh cos cosh div exp exp2 expm1 integer_pow log log1p log2 logistic rsqrt sign sin "
    "sinh sqrt square tan tanh"
).split()
REFUSED = {
    **dict.fromkeys(_OF_COMPLEX, _is_complex),
    "pow": lambda equation: equation.invars[0].aval.dtype.kind in "iuc",  # NumPy has no negative powers of integers
    "bitcast_convert_type": lambda equation: equation.invars[0].aval.shape != equation.outvars[0].aval.shape,
}
