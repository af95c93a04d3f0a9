"""Draws random jaxprs of a family of primitives, and operands for them, from a seed.

Operands are what breaks agreement: special numbers, subnormals, numbers near the ends of a dtype, repeated keys and
positions; as transposed, reversed, repeated and strided views.
"""

import dataclasses
import functools
import zlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HALVES = [np.dtype("float16"), np.dtype(jnp.bfloat16)]
FLOATS = [np.dtype("float32"), np.dtype("float32"), np.dtype("float64"), *HALVES]
COMPLEX = [np.dtype("complex64"), np.dtype("complex128")]
INTEGERS = [np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
SHAPES = [(), (1,), (4,), (3, 4), (2, 3, 4), (3, 1, 5), (9, 2), (17,), (0, 3)]
STEPS = 4  # primitives, beside those that they are made of


@dataclasses.dataclass
class Drawn:
    """A function of arrays that JAX can trace, and NumPy operands for it."""

    function: object
    operands: list
    has_loops: bool


def draw(family, seed):
    """The `Drawn` program of ``family`` (a key of `FAMILIES`) that ``seed`` stands for."""
    random = np.random.default_rng([seed, zlib.crc32(family.encode())])
    steps, dtypes, shapes = FAMILIES[family]
    dtype, shape = _any(random, dtypes), _any(random, shapes)
    operands = [_laid_out(random, numbers(random, dtype, shape)) for _ in range(2)]
    return Drawn(_function(steps, int(random.integers(1 << 32)), len(operands)), operands, family == "control flow")


def draw_sized(family, seed, length):
    """The same program, with one axis of its operands of another ``length``."""
    random = np.random.default_rng([seed, zlib.crc32(family.encode())])
    steps, dtypes, shapes = FAMILIES[family]
    dtype, shape = _any(random, dtypes), _any(random, [each for each in shapes if each and 0 not in each])
    axis, choices = random.integers(len(shape)), int(random.integers(1 << 32))
    shape = (*shape[:axis], length, *shape[axis + 1 :])
    operands = [numbers(random, dtype, shape) for _ in range(2)]
    return Drawn(_function(steps, choices, len(operands)), operands, family == "control flow")


def _function(steps, choices, count):
    """The function of ``count`` operands that these ``choices``, a seed, make of steps."""

    def function(*operands):
        random = np.random.default_rng(choices)  # the same at each tracing
        values = list(operands)
        for _ in range(random.integers(1, STEPS + 1)):
            x = values[random.integers(len(values))]
            others = [each for each in values if each.shape == x.shape and each.dtype == x.dtype]
            try:
                result = _any(random, steps)(random, x, _any(random, others))
            except (TypeError, ValueError):  # not for this dtype or shape
                continue
            values.extend(result if isinstance(result, (tuple, list)) else [result])
        return values[count:]

    return function


def _any(random, choices):
    return choices[random.integers(len(choices))]


# Operands


def numbers(random, dtype, shape):
    """Random numbers of a random kind: ordinary ones, or those at which results differ, if they do."""
    if dtype.kind == "b":
        return random.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        edges = np.array([0, 1, 2, 3, info.max, info.max - 1, info.min, info.min + 1], dtype)
        small = random.integers(0, 5, shape).astype(dtype)
        return np.where(random.random(shape) < 0.2, random.choice(edges, shape), small)
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        result = np.empty(shape, dtype)
        result.real, result.imag = numbers(random, part, shape), numbers(random, part, shape)
        return result
    kinds = {name: make(random, jnp.finfo(dtype), shape).astype(dtype) for name, make in _FLOATS.items()}
    kind = _any(random, [*_FLOATS, "mixed"])
    if kind != "mixed":
        return kinds[kind]
    return np.choose(
        random.integers(0, len(kinds), shape), [each.astype(np.float64) for each in kinds.values()]
    ).astype(dtype)


def _sized(low, high, random, info, shape):
    """Numbers of random signs whose exponents are between two of the dtype's, as fractions of its range."""
    ends = np.log2(float(info.smallest_subnormal)), np.log2(float(info.tiny)), np.log2(float(info.max))
    with np.errstate(all="ignore"):
        sizes = np.exp2(random.uniform(*np.interp([low, high], [-2, -1, 1], ends), shape))
    return np.where(random.random(shape) < 0.5, -sizes, sizes)


_FLOATS = {
    "ordinary": lambda random, info, shape: random.normal(size=shape),
    "few": lambda random, info, shape: random.integers(-2, 3, shape).astype(float),
    "subnormal": functools.partial(_sized, -2, -0.95),
    "tiny": functools.partial(_sized, -1, -0.7),
    "huge": functools.partial(_sized, 0.8, 1),
    "special": lambda random, info, shape: random.choice(
        [0.0, -0.0, 1, -1, 0.5, 2.5, np.inf, -np.inf, np.nan, float(info.max), float(info.tiny), float(info.eps)], shape
    ),
}


def _laid_out(random, x):
    """``x`` as a view of another memory layout."""
    layout = random.integers(5)
    if layout == 1 and x.ndim > 1:
        return np.ascontiguousarray(x.T).T
    if layout == 2 and x.ndim:
        return np.flip(np.ascontiguousarray(np.flip(x)))
    if layout == 3 and x.ndim:
        return np.repeat(x, 2, -1)[..., ::2]
    if layout == 4 and x.ndim and x.shape[0]:
        return np.broadcast_to(x[:1], x.shape)
    return x


# Families


def _unary(*functions):
    return [lambda random, x, y, fn=fn: fn(x) for fn in functions]


def _binary(*functions):
    return [lambda random, x, y, fn=fn: fn(x, y) for fn in functions]


def _axis(random, x):
    return int(random.integers(x.ndim)) if x.ndim else None


def _along(*functions):
    """Functions of an array and an axis; numbers without axes stay as they are."""

    def step(random, x, y, fn):
        axis = _axis(random, x)
        return x if axis is None or not x.shape[axis] else fn(x, axis)

    return [functools.partial(step, fn=fn) for fn in functions]


def _transposed(random, x, y):
    return lax.transpose(x, random.permutation(x.ndim).tolist())


def _reversed(random, x, y):
    return lax.rev(x, [axis for axis in range(x.ndim) if random.random() < 0.5])


def _sliced(random, x, y):
    return x[tuple([slice(None, None, _any(random, [1, 2, -1])) for _ in range(x.ndim)])]


def _padded(random, x, y):
    widths = [tuple(map(int, (*random.integers(-1, 3, 2), random.integers(0, 2)))) for _ in range(x.ndim)]
    return lax.pad(x, jnp.ones((), x.dtype), widths)


def _reduced(fn):
    def step(random, x, y):
        return fn(x, [axis for axis in range(x.ndim) if random.random() < 0.6])

    return step


def _scan(fn):
    def step(random, x, y):
        axis = _axis(random, x)
        return x if axis is None else fn(x, axis, reverse=bool(random.random() < 0.5))

    return step


def _sorted(random, x, y):
    axis = _axis(random, x)
    if axis is None:
        return x
    return lax.sort(
        (x, y, lax.broadcasted_iota(np.int32, x.shape, axis)), dimension=axis, num_keys=_any(random, [1, 2])
    )


def _indices(random, count, shape):
    """Positions within ``count``, many of them twice and some outside, of a random layout."""
    i = random.integers(-1, count + 1, shape).astype(_any(random, [np.int32, np.int64]))
    i = lax.transpose(jnp.asarray(i), tuple(range(i.ndim))[::-1])
    return lax.rev(i, (0,)) if random.random() < 0.3 else i


def _gathered(random, x, y):
    if not x.size:
        return x
    i = _indices(random, x.shape[0], _any(random, [(3,), (2, 3)])) if x.ndim else None
    return x if i is None else x.at[i].get(mode=_any(random, ["clip", "fill"]))


def _scattered(random, x, y):
    if not x.ndim or not x.size:
        return x
    i = _indices(random, x.shape[0], _any(random, [(3,), (2, 3)]))
    update = _transposed(random, jnp.resize(y, (*i.shape, *x.shape[1:])).T, None)
    update = jnp.reshape(update, -1)[: i.size * x[0].size].reshape((*x.shape[1:], *i.shape[::-1])).T
    update = jnp.transpose(update, (*range(i.ndim), *range(update.ndim - 1, i.ndim - 1, -1)))
    name = _any(random, ["set", "set", "add", "multiply", "min", "max"])
    return getattr(x.at[i], name)(update, mode=_any(random, ["clip", "drop"]))


def _written(random, x, y):
    starts = [int(each) for each in random.integers(-1, 4, x.ndim)]
    return lax.dynamic_update_slice(x, y[tuple([slice(0, 1)] * x.ndim)], starts) if x.size else x


def _product(random, x, y):
    if not x.ndim:
        return x * y
    return lax.dot_general(x, y, (((axis := _axis(random, x),), (axis,)), ((), ())))


def _convolved(random, x, y):
    x, kernel = x.reshape(1, 1, -1), y.reshape(1, 1, -1)[..., :3]
    return lax.conv_general_dilated(x, kernel, (_any(random, [1, 2]),), "SAME") if x.size else x


def _windowed(start, fn):
    def step(random, x, y):
        if not x.ndim or not x.size:
            return x
        axis = _axis(random, x)
        widths = [2 if each == axis else 1 for each in range(x.ndim)]
        return lax.reduce_window(x, start(x.dtype), fn, widths, [1] * x.ndim, "SAME")

    return step


def _pool_gradient(random, x, y):
    if not x.ndim or not x.size:
        return x
    return jax.grad(lambda x: (_windowed(lambda dtype: -jnp.inf, lax.max)(random, x, None) * y).sum())(x)


def _positive(x):
    matrix = x.reshape(-1)[:4].reshape(2, 2) if x.size >= 4 else jnp.eye(2, dtype=x.dtype)
    return matrix @ matrix.conj().T + jnp.eye(2, dtype=x.dtype)


def _solved(random, x, y):
    options = {name: bool(random.random() < 0.5) for name in ("left_side", "lower", "transpose_a", "unit_diagonal")}
    return lax.linalg.triangular_solve(_positive(x), _positive(y), **options)


def _looped(random, x, y):
    return lax.fori_loop(0, 3, lambda _, c: c * y + 1, x)


def _scanned(random, x, y):
    return (
        lax.scan(lambda c, row: (c + row, c * row), x[0], y, reverse=bool(random.random() < 0.5))
        if x.size and x.ndim
        else x
    )


def _chosen(random, x, y):
    return lax.switch(np.int32(random.integers(-1, 3)), [lambda x, y: x, lambda x, y: x + y, lambda x, y: y], x, y)


def _gradient(fn):
    return lambda random, x, y: jax.grad(lambda x: (fn(x) * 1).astype(jnp.float32).sum())(x)


def _last(fn):
    return lambda x: fn(x, axis=-1) if x.ndim and x.size else x


REAL = _unary(
    *[lax.neg, lax.abs, lax.sign, lax.square, lax.ceil, lax.floor, lax.is_finite, lax.sqrt, lax.rsqrt, lax.cbrt],
    *[lax.exp, lax.expm1, lax.log, lax.log1p, lax.logistic, lax.sin, lax.cos, lax.tan, lax.asin, lax.acos, lax.atan],
    *[lax.sinh, lax.cosh, lax.tanh, lax.asinh, lax.acosh, lax.atanh, lax.erf, lax.erfc, lax.lgamma],
    *[lambda x: lax.integer_pow(x, 3), lambda x: lax.integer_pow(x, -2), lambda x: lax.round(x)],
)
ARITHMETIC = _binary(lax.add, lax.sub, lax.mul, lax.max, lax.min, lax.eq, lax.ne, lax.lt, lax.le, lax.gt, lax.ge)
MOVING = [_transposed, _reversed, _sliced, lambda random, x, y: x.reshape(-1)]
COMPLEX_STEPS = [
    *_unary(lax.neg, lax.abs, lax.sign, lax.square, lax.sqrt, lax.rsqrt, lax.exp, lax.expm1, lax.log, lax.log1p),
    *_unary(lax.sin, lax.cos, lax.tan, lax.sinh, lax.cosh, lax.tanh, lax.real, lax.imag, lax.conj, lax.logistic),
    *_unary(lax.asin, lax.acos, lax.atan, lax.asinh, lax.acosh, lax.atanh, lambda x: lax.integer_pow(x, -2)),
    *_binary(lax.add, lax.sub, lax.mul, lax.div, lax.pow, lax.eq, lax.ne),
]
SUMS = [_reduced(fn) for fn in (lax.reduce_sum, lax.reduce_sum, lax.reduce_prod, lax.reduce_max, lax.reduce_min)]
CONVERTED = [
    lambda random, x, y: lax.convert_element_type(x, _any(random, [*FLOATS, *INTEGERS, np.dtype(bool)])),
    lambda random, x, y: lax.bitcast_convert_type(x, f"uint{8 * x.dtype.itemsize}") if x.dtype != bool else x,
]
COMPOSITE = [
    *[jax.nn.softmax, jax.nn.log_softmax, jax.nn.standardize, jax.nn.logsumexp, jnp.var, jnp.mean, jnp.linalg.norm],
]
SOLVABLE = [(3, 4), (2, 3, 4), (4,), (9, 2)]
FAMILIES = {  # name: (steps, dtypes, shapes of operands)
    "elementwise": (
        [*REAL, *ARITHMETIC, *_binary(lax.div, lax.rem, lax.pow, lax.atan2, lax.nextafter)],
        FLOATS,
        SHAPES,
    ),
    "complex": (COMPLEX_STEPS, COMPLEX, SHAPES),
    "integers": (
        [
            *_unary(lax.neg, lax.sign, lax.bitwise_not, lax.population_count, lambda x: lax.integer_pow(x, 3)),
            *ARITHMETIC,
            *_binary(lax.div, lax.rem, lax.bitwise_and, lax.bitwise_or, lax.bitwise_xor, lax.shift_left),
            *_binary(lax.shift_right_arithmetic, lax.shift_right_logical),
        ],
        INTEGERS,
        SHAPES,
    ),
    "conversions": (
        [*CONVERTED, *_unary(lax.neg, lax.abs)],
        [*FLOATS, *[d for d in INTEGERS if d.kind == "i"]],
        SHAPES,
    ),
    "reductions": (
        [*SUMS, *MOVING, *_along(lambda x, axis: lax.argmax(x, axis, np.int32))],
        [*FLOATS, *INTEGERS],
        SHAPES,
    ),
    "cumulative": (
        [*[_scan(fn) for fn in (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin)], *MOVING],
        [*FLOATS, *INTEGERS],
        SHAPES,
    ),
    "sorting": (
        [
            _sorted,
            *_along(lambda x, axis: lax.top_k(x, min(2, x.shape[-1])), lambda x, axis: lax.sort(x, dimension=axis)),
        ]
        + MOVING,
        [*FLOATS, *INTEGERS],
        SHAPES[1:],
    ),
    "moving": ([*MOVING, _padded, _written], [*FLOATS, *INTEGERS, *COMPLEX], SHAPES),
    "positions": ([_gathered, _scattered, _scattered, *MOVING], [*FLOATS, *INTEGERS], SHAPES),
    "products": ([_product, _convolved, *MOVING], [*FLOATS, *COMPLEX], [(3, 4), (17,), (2, 3, 4)]),
    "windows": (
        [
            _windowed(lambda dtype: dtype.type(0), lax.add),
            _windowed(lambda dtype: -jnp.inf, lax.max),
            _windowed(lambda dtype: jnp.inf, lax.min),
            _pool_gradient,
            *MOVING,
        ],
        FLOATS,
        SHAPES,
    ),
    "linear algebra": (
        [_solved, lambda random, x, y: lax.linalg.cholesky(_positive(x)), lambda random, x, y: jnp.fft.fft(x), *MOVING],
        [np.dtype("float32"), np.dtype("float64"), *COMPLEX],
        SOLVABLE,
    ),
    "control flow": ([_looped, _scanned, _chosen, *MOVING], FLOATS, SHAPES),
    "gradients": (
        [*[_gradient(_last(fn)) for fn in COMPOSITE], *_unary(*map(_last, COMPOSITE)), *MOVING],
        FLOATS,
        SOLVABLE,
    ),
}
