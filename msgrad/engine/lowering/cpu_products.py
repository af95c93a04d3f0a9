"""Products of half-precision matrices on a CPU, which XLA would compute from copies in float32 in memory.

Processor milliseconds of ``x @ y.T`` for two sizes of ``y``, 4096 x 4096 and 11008 x 4096, beside those of XLA (JAX
0.10.2, one core of Zen 5 with AVX-512's products of bfloat16, load 2 to 5; JAX 0.12 differs where it is named):

| rows | float16 | bfloat16 | float32 |
|---|---|---|---|
| 1 | 2.7, 8.0 (31, 83) | 3.1, 8.1 (34, 93) | 2.2, 6.0 |
| 2 | 4.4, 11 (37, 95) | 3.1, 7.9 (38, 102; 0.12: 3, 8) | 7.0, 18 |
| 16 | 5.9, 17 (42, 109) | 3.8, 9.7 (40, 111; 0.12: 4, 10) | 8.7, 23 |
| 64 | 13, 35 (48, 127) | 13, 37 (47, 128) | 15, 40 |
| 256 | 46, 117 (80, 205) | 27, 67 (66, 171) | 44, 110 |

With fewer than 4096 columns, one row and a matrix that is transposed, JAX 0.10 makes one loop of cast, transpose and
product, which reads the matrix once: 4.4 ms for 32000 x 2048 in either dtype, 12 by blocks or with two rows, and 127 if
the matrix is not transposed. With as many columns as that, and in JAX 0.12, it does not. Not lowered here: gradients by
matrices (sums over few rows), of which the result takes most of the time, and bfloat16 of more than eight rows without
instructions for it: loops over blocks take 21 ms in place of 40, as XLA converts the matrix before them.
"""

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..processor import multiplies_bfloat16
from .replacing import replace

_FEW_ROWS = 8  # of bfloat16, from which on a processor without such instructions takes longer than in float32
_MOST_ROWS, _LARGE = 256, 2**20  # rows of float16, and elements of the matrix with which they are multiplied
_BLOCK, _LEAST_ROWS = 2**16, 16  # elements of a block of a matrix, and rows
_SUMMED_BLOCK = 2**20  # elements of a block whose product is added to those of others
_FUSED = 4096 if jax.__version_info__ < (0, 11) else 0  # columns, from which on XLA makes no loop of cast and product


def _applies(x, y, dimension_numbers, preferred_element_type=None, **_):
    return _form(x, y, dimension_numbers, preferred_element_type) is not None


def _product(x, y, *, dimension_numbers, precision, preferred_element_type, **_):
    """The product, rounded once from float32."""
    compute: Any = _form(x, y, dimension_numbers, preferred_element_type)  # not None, where it applies
    return compute(x, y, dimension_numbers, precision).astype(preferred_element_type or x.dtype)


def _form(x, y, dimension_numbers, preferred_element_type):
    """The function that computes a product, in float32, or None if it stays as it is."""
    if x.dtype != y.dtype:
        return None
    (x_axes, y_axes), (batch, _) = dimension_numbers
    inner = math.prod([x.shape[axis] for axis in (*x_axes, *batch)])
    rows = sorted(each.size // inner for each in (x, y)) if inner else [0]
    keeps_half = preferred_element_type != jnp.float32
    is_fused = keeps_half and y.ndim == 2 and tuple(y_axes) == (1,) and x.size == inner < _FUSED and y.shape[0] > 1
    if x.dtype == jnp.bfloat16:
        if rows[0] == 1 and not batch:
            return _fused if is_fused else _twice
        is_fast = rows[0] > 1 and (rows[0] <= _FEW_ROWS or multiplies_bfloat16())
        return _wide if is_fast and keeps_half else None
    if x.dtype != jnp.float16 or batch or not 0 < rows[0] <= _MOST_ROWS:
        return None
    if is_fused:
        return _fused
    matrix = max(x, y, key=lambda each: each.size)
    return _by_blocks if matrix.size >= _LARGE and matrix.ndim == 2 and len(x_axes) == 1 else None


def _wide(x, y, dimension_numbers, precision):
    """The product with a result in float32, for which XLA takes the processor's instructions for bfloat16."""
    return lax.dot_general(x, y, dimension_numbers, precision, jnp.float32)


def _fused(x, y, _, precision):
    """The product of one row with the rows of a matrix, in a loop that also converts and transposes the matrix."""
    x, columns, shape = x.reshape(1, -1).astype(jnp.float32), y.T.astype(jnp.float32), (*[1] * (x.ndim - 1), len(y))
    return jnp.matmul(x, columns, precision=precision).reshape(shape)


def _twice(x, y, dimension_numbers, precision):
    """The product with one row, as one of two equal rows."""
    (x_axes, y_axes), none = dimension_numbers
    is_left = x.size <= y.size
    one, axes = (x, x_axes) if is_left else (y, y_axes)
    two = lax.optimization_barrier(jnp.stack([one, one]))  # else XLA finds that they are equal
    axes = [axis + 1 for axis in axes]
    operands, contracted = ((two, y), (axes, y_axes)) if is_left else ((x, two), (x_axes, axes))
    result = _wide(*operands, (contracted, none), precision)
    return lax.index_in_dim(result, 0, 0 if is_left else x.ndim - len(x_axes), keepdims=False)


def _by_blocks(x, y, dimension_numbers, precision):
    """The product with a large matrix, of which one block after the other is converted to float32."""
    ((x_axis,), (y_axis,)), _ = dimension_numbers
    is_left = x.size > y.size
    matrix, along, few, axis = (x, x_axis, y, y_axis) if is_left else (y, y_axis, x, x_axis)
    few = jnp.moveaxis(few.astype(jnp.float32), axis, -1)
    rows = few.reshape(-1, few.shape[-1])
    result = (_by_rows if along == 1 else _by_sums)(rows, matrix, precision)
    result = result.reshape(*few.shape[:-1], -1)
    return jnp.moveaxis(result, -1, 0) if is_left else result


def _by_rows(x, y, precision):
    """``x @ y.T``, by blocks of the rows of ``y``."""
    block = min(len(y), max(_LEAST_ROWS, 2 * len(x), _BLOCK // y.shape[1]))

    def add(number, result):
        start = jnp.minimum(number * block, len(y) - block)  # the last one overlaps the one before
        part = lax.dynamic_slice_in_dim(y, start, block).astype(jnp.float32)
        part = lax.dot_general(x, part, (((1,), (1,)), ((), ())), precision)
        return lax.dynamic_update_slice_in_dim(result, part, start, 1)

    return lax.fori_loop(0, -(-len(y) // block), add, jnp.zeros((len(x), len(y)), jnp.float32))


def _by_sums(x, y, precision):
    """``x @ y``, by blocks of the rows of ``y``, whose products are added."""
    block = min(len(y), max(1, _SUMMED_BLOCK // y.shape[1]))
    count, rest = divmod(len(y), block)

    def part(start, size):
        columns = lax.dynamic_slice_in_dim(x, start, size, 1)
        return jnp.matmul(columns, lax.dynamic_slice_in_dim(y, start, size).astype(jnp.float32), precision=precision)

    first = jnp.zeros((len(x), y.shape[1]), jnp.float32)
    result = lax.fori_loop(0, count, lambda number, result: result + part(number * block, block), first)
    return result + part(count * block, rest) if rest else result


def install():
    """Lowers products for CPUs."""
    replace(lax.dot_general_p, _product, _applies)
