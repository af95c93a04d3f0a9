"""Matrix products of operands that have been checked, in the formulation that is fastest on the device."""

import math

import jax
import jax.numpy as jnp

_MOST_TURNED, _LEAST_LONG = 16, 256  # rows of float32, and their length


def product(x, y):
    """``x @ y``."""
    # Without preferred_element_type XLA accumulates half precision in half precision on some devices.
    return jnp.matmul(x, y, preferred_element_type=x.dtype)


def product_of_rows(x, y):
    """``x @ y.mT``: the products of the rows of ``x`` with those of ``y``."""
    if y.ndim != 2 or not contracts_rows(x.shape, x.dtype):
        return product(x, y.mT if y.ndim > 1 else y)
    if _is_turned(x.shape, x.dtype):
        turned = jax.lax.dot_general(y, x, (((1,), (x.ndim - 1,)), ((), ())))
        return jnp.moveaxis(jax.lax.optimization_barrier(turned), 0, -1)  # else XLA exchanges the operands back
    return jax.lax.dot_general(x, y, (((x.ndim - 1,), (1,)), ((), ())), preferred_element_type=x.dtype)


def contracts_rows(shape, dtype):
    """Whether rows of this shape and dtype are contracted with the rows of a matrix, which is not transposed.

    A transposed operand is one that XLA's CPU backend copies at each call, if the other has one row. `python -m
    tests.benchmarks.kernels` measures it anew.

    JAX 0.10.2, one core with AVX2, weights of 3072 x 768 in float32, milliseconds of the forward pass and of the
    gradients by all operands, each beside those of ``x @ y.mT``: one row **0.2, 0.9** (3.5, 8.2), two 0.8, 1.7 (0.7,
    1.7), four 1.1, 3.1 (1.2, 2.9), eight 1.6, 2.8 (1.9, 2.8), 128 rows 8.6, 17 (8.6, 17).

    In half precision the product is lowered by `engine/lowering/cpu_products.py`, which reads rows one block after the
    other.

    XLA's product of few rows of float32 is the faster one with the operands exchanged, ``(y @ x.T).T``: on a busy
    machine, with the same weights, the forward pass and the gradients by each operand (JAX 0.12: two thirds of the
    sum with 8 rows; a loop over time with 16 rows 0.54 for 0.85 a step), each beside those of ``x @ y.mT``:

    | rows | float32, exchanged |
    |---|---|
    | 2 | 0.5, 0.5, 0.7 (0.7, 0.6, 0.4) |
    | 8 | **0.8, 0.8, 1.3** (1.5, 2.0, 1.8) |
    | 16 | **1.1, 1.2, 1.3** (2.6, 2.9, 1.6) |
    | 32 | 2.9, 3.4, 2.5 (3.4, 3.7, 2.8) |

    ``x @ y`` has no such form: with 8 rows the product takes 1.3 ms, and 10 with the operands exchanged.
    """
    rows = _rows_on_cpu(shape)
    is_copied = rows == 1 and dtype in (jnp.float32, jnp.float64)
    return is_copied or _is_turned(shape, dtype) or (rows > 0 and dtype in (jnp.float16, jnp.bfloat16))


def _is_turned(shape, dtype):
    """Whether a product of rows with rows has its operands exchanged."""
    return dtype == jnp.float32 and 1 < _rows_on_cpu(shape) <= _MOST_TURNED and shape[-1] >= _LEAST_LONG


def _rows_on_cpu(shape):
    """The number of rows; 0 on another device, and where it is not known (in programs of `jax.export`)."""
    if jax.default_backend() != "cpu" or not all([isinstance(length, int) for length in shape]):
        return 0
    return math.prod(shape[:-1])
