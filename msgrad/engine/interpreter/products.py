"""Matrix products and convolutions, by BLAS."""

import math

import jax.numpy as jnp
import numpy as np

from .reductions import widened
from .reshaping import pad, windows


def _dot_general(x, y, *, dimension_numbers, preferred_element_type, **_):
    (x_sum, y_sum), (x_batch, y_batch) = dimension_numbers
    x_free = [axis for axis in range(x.ndim) if axis not in x_sum and axis not in x_batch]
    y_free = [axis for axis in range(y.ndim) if axis not in y_sum and axis not in y_batch]
    dtype = np.dtype(preferred_element_type or np.result_type(x, y))
    batch = [x.shape[axis] for axis in x_batch]
    rows, columns = [x.shape[axis] for axis in x_free], [y.shape[axis] for axis in y_free]
    inner = math.prod([x.shape[axis] for axis in x_sum])
    # Every product becomes a batch of matrices, for which NumPy calls BLAS.
    left = np.transpose(x, (*x_batch, *x_free, *x_sum)).reshape(*batch, math.prod(rows), inner)
    right = np.transpose(y, (*y_batch, *y_sum, *y_free)).reshape(*batch, inner, math.prod(columns))
    wide = widened(dtype)
    multiply = np.multiply if inner == 1 else np.matmul  # BLAS takes four times as long where it sums nothing
    product = multiply(left.astype(wide, copy=False), right.astype(wide, copy=False))
    return product.astype(dtype, copy=False).reshape((*batch, *rows, *columns))


def _convolution(
    x,
    kernel,
    *,
    window_strides,
    padding,
    lhs_dilation,
    rhs_dilation,
    dimension_numbers,
    feature_group_count,
    batch_group_count,
    preferred_element_type,
    **_,
):
    dtype = np.dtype(preferred_element_type or x.dtype)
    wide = widened(dtype)
    x = np.transpose(x, dimension_numbers.lhs_spec).astype(wide, copy=False)  # (batch, channels, *space)
    kernel = np.transpose(kernel, dimension_numbers.rhs_spec).astype(wide, copy=False)  # (outputs, channels, *space)
    # A dilated operand is one with zeros between its elements, which `pad` puts there with the border.
    config = [(low, high, step - 1) for (low, high), step in zip(padding, lhs_dilation, strict=True)]
    x = pad(x, wide.type(0), padding_config=[(0, 0, 0), (0, 0, 0), *config])
    parts = [
        _correlation(rows, weights, window_strides, rhs_dilation, feature_group_count)
        for rows, weights in zip(np.split(x, batch_group_count), np.split(kernel, batch_group_count), strict=True)
    ]
    result = np.concatenate(parts, 1).astype(dtype, copy=False)
    return np.transpose(result, np.argsort(dimension_numbers.out_spec))


def _correlation(x, kernel, strides, dilations, groups):
    sizes = kernel.shape[2:]
    view = windows(x, sizes, strides, dilations)
    batch, channels, *rest = view.shape
    counts = rest[: len(sizes)]
    view = view.reshape(batch, groups, channels // groups, *rest)
    space = range(3, 3 + len(sizes))
    within = range(3 + len(sizes), view.ndim)
    taps = channels // groups * math.prod(sizes)
    # One matrix product for each group (im2col): the windows are copied, 10 ns for each element
    # (`_convolution_seconds`).
    patches = np.transpose(view, (1, 0, *space, 2, *within)).reshape(groups, batch * math.prod(counts), taps)
    weights = kernel.reshape(groups, kernel.shape[0] // groups, taps)
    product = np.matmul(patches, weights.transpose(0, 2, 1))  # (groups, batch and windows, outputs)
    product = product.reshape(groups, batch, *counts, kernel.shape[0] // groups)
    return np.moveaxis(np.moveaxis(product, -1, 2), 0, 1).reshape(batch, kernel.shape[0], *counts)


RULES = {"dot_general": _dot_general, "conv_general_dilated": _convolution}


def _per_product(dtype):
    if dtype.kind in "biu":
        return 1e-9  # without BLAS
    return 0.06e-9 if dtype.kind == "c" else 0.03e-9


# Of one row by a matrix, such as a token's in a transformer, most is reading the matrix: 0.1 ns for an element in the
# processor's cache, 0.3 of 150 MB (float32). Batches of matrices are copied first if their axes are in another order.
_READING, _COPYING = 0.25e-9, 2e-9
# An element of a half type is cast to float32 at each launch, which compiled code does within the product.
_CASTING = {np.dtype(np.float16): 1.6e-9, np.dtype(jnp.bfloat16): 0.2e-9}
_OUTER = 0.4e-9  # of each element of an outer product, such as a gradient by weights of one row


def _dot_seconds(equation):
    multiplying = 0.0 if is_of_one_row(equation) else _multiplying_seconds(equation)
    if _inner(equation) == 1:
        multiplying = max(multiplying, _OUTER * math.prod(equation.outvars[0].aval.shape))
    reading = (_COPYING if _is_copied(equation) else _READING) + _CASTING.get(equation.invars[0].aval.dtype, 0)
    return multiplying + reading * _elements(equation)


def _is_copied(equation):
    """Whether NumPy copies a batch of matrices: its axes are not those of the batch first, and then two others."""
    sums, batches = equation.params["dimension_numbers"]
    count, ranks = len(batches[0]), [len(each.aval.shape) for each in equation.invars]
    plain = [(count + 1,), (count,)], [tuple(range(count))] * 2, [count + 2] * 2
    return count > 0 and (list(map(tuple, sums)), list(map(tuple, batches)), ranks) != plain


def _compiled_dot_seconds(equation):
    # XLA uses all of the processor's threads, which saves no time where most of it is reading.
    multiplying = 0.0 if is_of_one_row(equation) else 0.5 * _multiplying_seconds(equation)
    return multiplying + _READING * _elements(equation)


def _multiplying_seconds(equation):
    per_product = _per_product(equation.invars[0].aval.dtype)
    return per_product * math.prod(equation.outvars[0].aval.shape) * _inner(equation)


def _inner(equation):
    """The number of products in each element of the result."""
    (x_sum, _), _ = equation.params["dimension_numbers"]
    return math.prod([equation.invars[0].aval.shape[axis] for axis in x_sum])


def is_of_one_row(equation):
    """Whether it is a product of a matrix by a single row, as of one token."""
    if equation.primitive.name != "dot_general" or math.prod(equation.outvars[0].aval.shape) == 1:
        return False
    _, batches = equation.params["dimension_numbers"]
    return not batches[0] and min([math.prod(each.aval.shape) for each in equation.invars]) == _inner(equation)


def _elements(equation):
    return sum([math.prod(each.aval.shape) for each in equation.invars])


def _convolution_seconds(equation):
    kernel, result = equation.invars[1].aval, equation.outvars[0].aval
    d = equation.params["dimension_numbers"]
    taps = math.prod(kernel.shape) // kernel.shape[d.rhs_spec[0]] if math.prod(kernel.shape) else 0
    outputs = math.prod(result.shape)
    patches = outputs // max(result.shape[d.out_spec[1]], 1) * taps * equation.params["feature_group_count"]
    return _per_product(kernel.dtype) * outputs * taps + 10e-9 * patches


SECONDS = {"dot_general": _dot_seconds, "conv_general_dilated": _convolution_seconds}
COMPILED_SECONDS = {"dot_general": _compiled_dot_seconds}
