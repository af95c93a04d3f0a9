"""How are complex128 and 64-bit ints computed on a TPU? By parts in float64, which it emulates, and by sums.

Its compiler has sums, products, ``exp`` and ``log`` of complex128, and ends the process at the other primitives below
(libtpu 0.0.42). It has no matrix product of 64-bit ints, takes 45 s for each division of them, and fails at what
computes with the bits of a float64 as a signed int.
"""

import functools
import math
from typing import NamedTuple

import jax.numpy as jnp
from jax import lax


def _broadcasting(compute):
    """``compute`` of two operands, of which one may be a scalar, or have the length 1 where the other has another."""

    @functools.wraps(compute)
    def broadcast(x, y, **parameters):
        return compute(*jnp.broadcast_arrays(x, y), **parameters)

    return broadcast


def _magnitude(z):
    x, y = lax.abs(lax.real(z)), lax.abs(lax.imag(z))
    largest, least = lax.max(x, y), lax.min(x, y)
    ratio = least / lax.select(largest == 0, lax.full_like(largest, 1), largest)
    # Not by the product, which is NaN where both are infinite.
    return lax.select(largest == float("inf"), largest, largest * lax.sqrt(1 + ratio * ratio))


@_broadcasting
def _quotient(a, b):
    # The divisor is scaled, so that its square neither overflows nor vanishes.
    scale = lax.max(lax.abs(lax.real(b)), lax.abs(lax.imag(b)))
    scale = lax.select(scale == 0, lax.full_like(scale, 1), scale)
    x, y = lax.real(b) / scale, lax.imag(b) / scale
    square = (x * x + y * y) * scale
    real = (lax.real(a) * x + lax.imag(a) * y) / square
    return lax.complex(real, (lax.imag(a) * x - lax.real(a) * y) / square)


def _reciprocal(z):
    return _quotient(lax.full_like(z, 1), z)


def _sign(z):
    magnitude = _magnitude(z)
    divisor = lax.select(magnitude == 0, lax.full_like(magnitude, 1), magnitude)
    return lax.complex(lax.real(z) / divisor, lax.imag(z) / divisor)


def _expm1(z, **_):
    x, y = lax.real(z), lax.imag(z)
    half = lax.sin(y / 2)
    return lax.complex(lax.expm1(x) * lax.cos(y) - 2 * half * half, lax.exp(x) * lax.sin(y))


def _tanh(z, **_):
    # tanh(x + iy) = (tanh x + i tan y) / (1 + i tanh x tan y)
    x, y = lax.tanh(lax.real(z)), lax.tan(lax.imag(z))
    square = 1 + (x * y) * (x * y)
    return lax.complex(x * (1 + y * y) / square, y * (1 - x * x) / square)


def _tan(z, **_):
    y = _tanh(lax.complex(-lax.imag(z), lax.real(z)))  # tan z = -i tanh iz
    return lax.complex(lax.imag(y), -lax.real(y))


@_broadcasting
def _power(z, exponent):
    exponent = lax.convert_element_type(exponent, z.dtype)  # an int, too
    is_zero = z == 0
    power = lax.exp(exponent * lax.log(lax.select(is_zero, lax.full_like(z, 1), z)))
    of_zero = lax.select(exponent == 0, lax.full_like(z, 1), lax.full_like(z, 0))
    return lax.select(is_zero, of_zero, power)


def _integer_power(z, *, y):
    return _reciprocal(lax.integer_pow(z, -y))


def _narrowed(z, **_):
    return lax.complex(*[lax.convert_element_type(part, "float32") for part in (lax.real(z), lax.imag(z))])


def _widened(x, **_):
    parts = (lax.real(x), lax.imag(x)) if x.dtype == "complex64" else (x, lax.full_like(x, 0))
    return lax.complex(*[lax.convert_element_type(part, "float64") for part in parts])


def _scattered(scatter):
    def by_parts(operand, indices, updates, *, dimension_numbers, update_jaxpr=None, update_consts=None, **options):
        parts = [(part(operand), indices, part(updates)) for part in (lax.real, lax.imag)]
        return lax.complex(*[scatter(*part, dimension_numbers, **options) for part in parts])

    return by_parts


def _product(x, y, *, dimension_numbers, **_):
    summed, batch = dimension_numbers
    lengths, matrices = [], []
    for each, sums, batches in zip((x, y), summed, batch, strict=True):
        free = [axis for axis in range(each.ndim) if axis not in (*sums, *batches)]
        ordered = lax.transpose(each, (*batches, *free, *sums))
        shape = [[each.shape[axis] for axis in axes] for axes in (batches, free, sums)]
        lengths.append(shape)
        matrices.append(lax.reshape(ordered, [math.prod(part) for part in shape]))
    x, y = matrices
    shape = len(x), x.shape[1], y.shape[1], x.shape[2]
    # All pairs, which XLA multiplies as it sums them.
    pairs = lax.broadcast_in_dim(x, shape, (0, 1, 3)) * lax.broadcast_in_dim(y, shape, (0, 2, 3))
    sums = lax.reduce(pairs, pairs.dtype.type(0), lax.add, (3,))
    return lax.reshape(sums, (*lengths[0][0], *lengths[0][1], *lengths[1][1]))


def _long_division(x, y):
    """Quotient and rest of unsigned ints, bit by bit; a divisor of 0 gives a quotient of ones, and the rest ``x``."""
    last = x.dtype.itemsize * 8 - 1

    def take(step, state):
        quotient, rest = state
        overflows = rest >> last == 1
        rest = rest << 1 | x >> (last - step).astype(x.dtype) & 1
        fits = overflows | (rest >= y)
        return quotient << 1 | fits.astype(x.dtype), lax.select(fits, rest - y, rest)

    return lax.fori_loop(0, last + 1, take, (lax.full_like(x, 0), lax.full_like(x, 0)))


@_broadcasting
def _divided(x, y):
    quotient, _ = _long_division(_size(x), _size(y))
    quotient = lax.select((x < 0) ^ (y < 0), -quotient, quotient).astype(x.dtype)
    return lax.select(y == 0, lax.full_like(x, -1), quotient) if x.dtype == "int64" else quotient


@_broadcasting
def _rest(x, y):
    _, rest = _long_division(_size(x), _size(y))
    return lax.select(x < 0, -rest, rest).astype(x.dtype)


def _size(x):
    return lax.select(x < 0, -x, x).astype("uint64")


def _signed_bits(x, **_):
    return lax.convert_element_type(lax.bitcast_convert_type(x, "uint64"), "int64")


def _of_signed_bits(bits, **_):
    return lax.bitcast_convert_type(lax.convert_element_type(bits, "uint64"), "float64")


class Form(NamedTuple):
    """What computes a primitive.

    Attributes:
        primitive (Primitive): of JAX's.
        compute (function): of its operands and parameters.
        dtypes (tuple): of its first operand, for which it is needed. Default: complex128 alone.
        is_needed (function): of its parameters.
    """

    primitive: object
    compute: object
    dtypes: tuple = ("complex128",)
    is_needed: object = lambda **parameters: True


_INTS = "int64", "uint64"
_OTHERS = *_INTS, "bool", "int32", "uint32", "int16", "uint16", "int8", "uint8", "float32", "float64", "complex64"
FORMS = [
    Form(lax.abs_p, _magnitude),
    Form(lax.div_p, _quotient),
    Form(lax.sign_p, _sign),
    Form(lax.rsqrt_p, lambda z, **_: _reciprocal(lax.sqrt(z))),
    Form(lax.logistic_p, lambda z, **_: _reciprocal(1 + lax.exp(-z))),
    Form(lax.expm1_p, _expm1),
    Form(lax.tanh_p, _tanh),
    Form(lax.tan_p, _tan),
    Form(lax.pow_p, _power),
    Form(lax.integer_pow_p, _integer_power, is_needed=lambda *, y: y < 0),
    Form(lax.convert_element_type_p, _narrowed, is_needed=lambda *, new_dtype, **_: new_dtype == "complex64"),
    Form(lax.convert_element_type_p, _widened, _OTHERS, lambda *, new_dtype, **_: new_dtype == "complex128"),
    Form(lax.scatter_add_p, _scattered(lax.scatter_add)),
    Form(lax.scatter_sub_p, _scattered(lax.scatter_sub)),
    Form(lax.dot_general_p, _product, _INTS),
    Form(lax.div_p, _divided, _INTS),
    Form(lax.rem_p, _rest, _INTS),
    Form(lax.bitcast_convert_type_p, _signed_bits, ("float64",), lambda *, new_dtype, **_: new_dtype == "int64"),
    Form(lax.bitcast_convert_type_p, _of_signed_bits, ("int64",), lambda *, new_dtype, **_: new_dtype == "float64"),
]
