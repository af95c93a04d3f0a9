"""Products of matrices, vectors and tensors."""

import string

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays, Axes, Axis, Bool, Text
from ..._contracts.kinds import accepted
from ...engine import dtypes
from ...engine.fusion import MODULES
from ...tensor import promotion
from .._core.define import composite, op
from .._core.faces import method
from .products import product, product_of_rows


def check_dtypes(x, y, name):
    """Raises for operands of different dtypes, and for bools."""
    if x.dtype != y.dtype:
        pair = f"{dtypes.of(x.dtype)} and {dtypes.of(y.dtype)}"
        raise TypeError(
            f"For '{name}', the operands must have the same dtype, but got {pair}. Cast one: y.astype(x.dtype)."
        )
    check.dtype(x, "iufc", "input", name)


def _check_rank(x, rank, arg_name, name):
    if x.ndim != rank:
        check.refuse(ValueError, name, arg_name, f"a Tensor of {rank} axes", x.shape)


@op()
def matmul(input: Array, other: Array):
    """The matrix product; leading axes broadcast, and a vector is a row on the left and a column on the right.

    Args:
        input (Tensor): shape ``(*, M, K)`` or ``(K,)``.
        other (Tensor): shape ``(*, K, N)`` or ``(K,)``, the dtype of ``input``.
    Returns:
        Tensor of shape ``(*, M, N)``, without ``M`` or ``N`` where the operand is a vector.
    Raises:
        TypeError: if dtypes differ or are bool.  ValueError: if an operand has no axes, or ``other``, a vector, another
        length.  RuntimeError: if other shapes do not go together.
    Example:
        >>> ops.matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    Source: mindspore.ops.matmul, mindspore.Tensor.matmul
    """
    check_dtypes(input, other, "MatMulExt")
    check.at_least_rank(input, 1, "input", "MatMulExt")
    check.at_least_rank(other, 1, "other", "MatMulExt")
    inner = other.shape[-2] if other.ndim > 1 else other.shape[0]
    if input.shape[-1] != inner:
        axis = "last axis but one" if other.ndim > 1 else "axis"
        expected = f"of length {input.shape[-1]} along its {axis}, as 'input' along its last, {input.shape}"
        check.refuse(ValueError if other.ndim == 1 else RuntimeError, "MatMulExt", "other", expected, other.shape)
    try:
        jnp.broadcast_shapes(input.shape[:-2], other.shape[:-2])
    except ValueError:
        expected = f"of a shape whose leading axes broadcast with those of 'input', {input.shape}"
        check.refuse(RuntimeError, "MatMulExt", "other", expected, other.shape)
    return product(input, other)


MODULES[matmul.op] = "msgrad.ops.array.transposed_operands"
method("matmul", (matmul, "(tensor2)", {"tensor2": "other"}), (matmul, "(other)"))


@op("MatMul(transpose_a=False, transpose_b=False)", name="_matrix_product")
def _matrix_product(input: Array, mat2: Array, transpose_a: Bool = False, transpose_b: Bool = False):
    """The product of two matrices.

    Args:
        input (Tensor): shape ``(M, K)``, or ``(K, M)`` if transposed.
        mat2 (Tensor): shape ``(K, N)``, or ``(N, K)`` if transposed, the dtype of ``input``.
        transpose_a, transpose_b (bool): whether to transpose first. Default: ``False``.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        TypeError: if dtypes differ, or a flag is not a bool.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.MatMul(transpose_b=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])).tolist()
        [[11.0]]
    Source: mindspore.ops.MatMul
    """
    _check_rank(input, 2, "input", "MatMul")
    _check_rank(mat2, 2, "mat2", "MatMul")
    input = input.T if transpose_a else input
    shape = mat2.shape[::-1] if transpose_b else mat2.shape
    if input.shape[1] != shape[0]:
        check.refuse(ValueError, "MatMul", "mat2", f"a matrix of {input.shape[1]} rows", shape)
    check_dtypes(input, mat2, "MatMul")
    return product_of_rows(input, mat2) if transpose_b else product(input, mat2)


MODULES[_matrix_product.op] = MODULES[matmul.op]


@op("BatchMatMul(transpose_a=False, transpose_b=False)", name="_batch_product")
def _batch_product(x: Array, y: Array, transpose_a: Bool = False, transpose_b: Bool = False):
    """The products of two batches of matrices.

    Args:
        x (Tensor): shape ``(*B, M, K)``, or ``(*B, K, M)`` if transposed.
        y (Tensor): shape ``(*B, K, N)``, or ``(*B, N, K)`` if transposed, the dtype of ``x``; batch axes broadcast.
        transpose_a, transpose_b (bool): whether to transpose first. Default: ``False``.
    Returns:
        Tensor of shape ``(*B, M, N)``.
    Raises:
        TypeError: if dtypes differ, or a flag is not a bool.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.BatchMatMul()(ops.ones((2, 1, 3)), ops.ones((2, 3, 1))).tolist()
        [[[3.0]], [[3.0]]]
    Source: mindspore.ops.BatchMatMul
    """
    check.at_least_rank(x, 2, "x", "BatchMatMul")
    check.at_least_rank(y, 2, "y", "BatchMatMul")
    x = jnp.swapaxes(x, -1, -2) if transpose_a else x
    shape = (*y.shape[:-2], y.shape[-1], y.shape[-2]) if transpose_b else y.shape
    if x.shape[-1] != shape[-2]:
        check.refuse(ValueError, "BatchMatMul", "y", f"matrices of {x.shape[-1]} rows", shape)
    check_dtypes(x, y, "BatchMatMul")
    return product_of_rows(x, y) if transpose_b else product(x, y)


@composite(method="bmm")
def bmm(input_x: Array, mat2: Array):
    """The products of two batches of matrices.

    Args:
        input_x (Tensor): shape ``(*B, M, K)``.
        mat2 (Tensor): shape ``(*B, K, N)``, the dtype of ``input_x``.
    Returns:
        Tensor of shape ``(*B, M, N)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.bmm(ops.ones((2, 1, 3)), ops.ones((2, 3, 1))).tolist()
        [[[3.0]], [[3.0]]]
    Source: mindspore.ops.bmm, mindspore.Tensor.bmm
    """
    return _batch_product(input_x, mat2)


@composite(method="mm")
def mm(input: Array, mat2: Array):
    """The product of two matrices.

    Args:
        input (Tensor): shape ``(M, K)``.
        mat2 (Tensor): shape ``(K, N)``, the dtype of ``input``.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.mm(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    Source: mindspore.ops.mm, mindspore.Tensor.mm
    """
    return _matrix_product(input, mat2)


@op()
def mv(mat: Array, vec: Array):
    """The product of a matrix and a vector.

    Args:
        mat (Tensor): shape ``(M, K)``.
        vec (Tensor): shape ``(K,)``, ``(K, 1)`` or ``(1, K)``, the dtype of ``mat``.
    Returns:
        Tensor of shape ``(M,)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.mv(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])).tolist()
        [11.0]
    Source: mindspore.ops.mv
    """
    check_dtypes(mat, vec, "mv")
    return by_vector(mat, vec, "mv")


@op(method="dot")
def dot(input: Array, other: Array):
    """Dot product over the last axis of ``input`` and the second-to-last of ``other``.

    Args:
        input (Tensor): shape ``(*A, K)``, at least two axes.
        other (Tensor): shape ``(*B, K, N)``, the dtype of ``input``.
    Returns:
        Tensor of shape ``(*A, *B, N)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.dot(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    Source: mindspore.ops.dot, mindspore.Tensor.dot
    """
    for name, operand in (("input", input), ("other", other)):
        if operand.ndim < 2:
            check.refuse(ValueError, "dot", name, "of at least two axes", operand.shape, "Use ops.inner for vectors.")
    if input.shape[-1] != other.shape[-2]:
        check.refuse(
            ValueError, "dot", "other", f"of length {input.shape[-1]} along its second-to-last axis", other.shape
        )
    check_dtypes(input, other, "dot")
    return jnp.tensordot(input, other, ((input.ndim - 1,), (other.ndim - 2,)), preferred_element_type=input.dtype)


def _product_dtype(x, y):
    return x.dtype if x.dtype == y.dtype else promotion.result_dtype("mul", x.dtype, y.dtype)


def by_vector(mat, vec, name):
    """The product of a matrix and a vector, which may be a row or a column, too."""
    _check_rank(mat, 2, "mat", name)
    if vec.size != mat.shape[1] or vec.ndim not in (1, 2):
        check.refuse(ValueError, name, "vec", f"a vector of length {mat.shape[1]}", vec.shape)
    return product(mat, vec.reshape(-1))


def vectors(x, y, name):
    """Outer product of two vectors, in their common dtype."""
    _check_rank(x, 1, "input", name)
    _check_rank(y, 1, "vec2", name)
    dtype = _product_dtype(x, y)
    return x.astype(dtype)[:, None] * y.astype(dtype)


@op(method="outer")
def outer(input: Array, vec2: Array):
    """Outer product of two Tensors, flattened.

    Args:
        input (Tensor): of ``M`` elements, in any shape.
        vec2 (Tensor): shape ``(N,)``, or ``()``; mixed dtypes are promoted.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        ValueError: if ``vec2`` has several axes.
    Example:
        >>> ops.outer(Tensor([1.0, 2.0]), Tensor([3.0])).tolist()
        [[3.0], [6.0]]
    Source: mindspore.ops.outer, mindspore.Tensor.outer
    """
    return vectors(input.reshape(-1), jnp.atleast_1d(vec2), "outer")


@op("Ger", method="ger")
def ger(input: Array, vec2: Array):
    """Outer product of two vectors.

    Args:
        input, vec2 (Tensor): shapes ``(M,)`` and ``(N,)``; mixed dtypes are promoted.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        ValueError: if an input is not a vector.
    Example:
        >>> ops.ger(Tensor([1.0, 2.0]), Tensor([3.0])).tolist()
        [[3.0], [6.0]]
    Source: mindspore.ops.ger, mindspore.ops.Ger, mindspore.Tensor.ger
    """
    return vectors(input, vec2, "ger")


@op(name="_inner")
def _inner(input: Array, other: Array):
    check_dtypes(input, other, "inner")
    if input.ndim and other.ndim and input.shape[-1] != other.shape[-1]:
        check.refuse(ValueError, "inner", "other", f"of length {input.shape[-1]} along its last axis", other.shape)
    return jnp.inner(input, other)


@composite(method="inner")
def inner(input: Array, other):
    """Inner product over the last axes.

    Args:
        input (Tensor): shape ``(*A, K)``.
        other (Tensor | numpy.number): shape ``(*B, K)``, the dtype of ``input``; without axes it scales ``input``.
    Returns:
        Tensor of shape ``(*A, *B)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.inner(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        11.0
    Source: mindspore.ops.inner, mindspore.Tensor.inner
    """
    if isinstance(other, np.number):
        return input * other
    return _inner(input, accepted(Array, other, "other", "inner"))


@op()
def tensor_dot(x1: Array, x2: Array, axes):
    """Tensor contraction over pairs of axes.

    Args:
        x1, x2 (Tensor): any shapes, one dtype.
        axes (int | tuple | list): the number of axes: the last of ``x1`` with the first of ``x2``; or a pair of the
            axes of each, ints or tuples of ints.
    Returns:
        Tensor with the remaining axes of ``x1``, then those of ``x2``.
    Raises:
        TypeError: if dtypes differ, or for another ``axes``.  ValueError: if lengths differ.
    Example:
        >>> ops.tensor_dot(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), 1).tolist()
        [[11.0]]
    Source: mindspore.ops.tensor_dot
    """
    check_dtypes(x1, x2, "tensor_dot")
    shape1, shape2 = x1.shape, x2.shape
    if isinstance(axes, int):
        axes = check.in_range(axes, 0, min(len(shape1), len(shape2)), "axes", "tensor_dot")
        pair = tuple(range(len(shape1) - axes, len(shape1))), tuple(range(axes))
    else:
        if not isinstance(axes, (tuple, list)) or len(axes) != 2:
            check.refuse(TypeError, "tensor_dot", "axes", "an int or a pair of axes", axes)
        pair = tuple(check.ints(each, "axes", "tensor_dot") for each in axes)
    left = [shape1[check.axis(k, len(shape1), "axes", "tensor_dot")] for k in pair[0]]
    right = [shape2[check.axis(k, len(shape2), "axes", "tensor_dot")] for k in pair[1]]
    if left != right:
        check.refuse(ValueError, "tensor_dot", "axes", "axes of equal lengths", (left, right))
    return jnp.tensordot(x1, x2, pair, preferred_element_type=x1.dtype)


@op()
def batch_dot(x1: Array, x2: Array, axes: Axes = None):
    """Batched dot product over one axis of each.

    Args:
        x1, x2 (Tensor): shapes ``(B, ...)`` of at least two axes, one dtype.
        axes (int | tuple[int] | list[int] | None): the axis of each. Default: None, the last of ``x1`` and the last but
            one of ``x2`` (its second if it has two).
    Returns:
        Tensor of shape ``(B, ...)``, the remaining axes of ``x1``, then those of ``x2``; ``(B, 1)`` if none remain.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.batch_dot(ops.ones((2, 3)), ops.ones((2, 3))).tolist()
        [[3.0], [3.0]]
    Source: mindspore.ops.batch_dot
    """
    check_dtypes(x1, x2, "batch_dot")
    check.at_least_rank(x1, 2, "x1", "batch_dot")
    check.at_least_rank(x2, 2, "x2", "batch_dot")
    if x1.shape[0] != x2.shape[0]:
        check.refuse(ValueError, "batch_dot", "x2", f"of length {x1.shape[0]} along its first axis", x2.shape)
    if axes is None:
        axes = x1.ndim - 1, max(x2.ndim - 2, 1)
    first, second = (axes, axes) if isinstance(axes, int) else axes
    first = check.axis(first, x1.ndim, "axes", "batch_dot")
    second = check.axis(second, x2.ndim, "axes", "batch_dot")
    if not first or not second or x1.shape[first] != x2.shape[second]:
        expected = f"axes of equal lengths, not the first, of the shapes {x1.shape} and {x2.shape}"
        check.refuse(ValueError, "batch_dot", "axes", expected, axes)
    result = jax.vmap(lambda a, b: jnp.tensordot(a, b, ((first - 1,), (second - 1,))))(x1, x2)
    return result.reshape(-1, 1) if result.ndim == 1 else result


@op("Dense")
def dense(input: Array, weight: Array, bias: Array | None = None):
    """``input @ weight.T + bias``.

    Args:
        input (Tensor): shape ``(*, K)``.
        weight (Tensor): shape ``(N, K)`` or ``(K,)``, the dtype of ``input``.
        bias (Tensor | None): shape ``(N,)`` or ``()``, the same dtype. Default: None.
    Returns:
        Tensor of shape ``(*, N)`` or ``(*)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.dense(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([0.5])).tolist()
        [[11.5]]
    Source: mindspore.ops.dense, mindspore.ops.Dense
    """
    check.at_least_rank(input, 1, "input", "Dense")
    if weight.ndim not in (1, 2):
        check.refuse(ValueError, "Dense", "weight", "of one or two axes", weight.shape)
    if input.shape[-1] != weight.shape[-1]:
        check.refuse(ValueError, "Dense", "weight", f"of length {input.shape[-1]} along its last axis", weight.shape)
    check_dtypes(input, weight, "Dense")
    result = product_of_rows(input, weight)
    if bias is None:
        return result
    check_dtypes(input, bias, "Dense")
    if bias.shape not in ((), weight.shape[:-1]):
        check.refuse(ValueError, "Dense", "bias", f"of shape {weight.shape[:-1]}", bias.shape)
    return result + bias


@op()
def bidense(input1: Array, input2: Array, weight: Array, bias: Array | None = None):
    """``input1 @ weight[k] @ input2 + bias[k]`` for each ``k``.

    Args:
        input1, input2 (Tensor): shapes ``(*, I)`` and ``(*, J)``.
        weight (Tensor): shape ``(K, I, J)``.
        bias (Tensor | None): shape ``(K,)`` or ``()``, the dtype of the inputs. Default: ``None``.
    Returns:
        Tensor of shape ``(*, K)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.bidense(Tensor([[1.0, 2.0]]), Tensor([[3.0]]), Tensor([[[4.0], [5.0]]])).tolist()
        [[42.0]]
    Source: mindspore.ops.bidense
    """
    if input1.shape[:-1] != input2.shape[:-1]:
        check.refuse(ValueError, "bidense", "input2", f"of shape {(*input1.shape[:-1], 'J')}", input2.shape)
    if weight.ndim != 3 or weight.shape[1:] != (input1.shape[-1], input2.shape[-1]):
        expected = f"of shape {('K', input1.shape[-1], input2.shape[-1])}"
        check.refuse(ValueError, "bidense", "weight", expected, weight.shape)
    check_dtypes(input1, input2, "bidense")
    check_dtypes(input1, weight, "bidense")
    products = jnp.einsum("...i,kij,...j->...k", input1, weight, input2)
    if bias is None:
        return products
    check_dtypes(input1, bias, "bidense")
    if bias.shape not in ((), weight.shape[:1]):
        check.refuse(ValueError, "bidense", "bias", f"of shape {weight.shape[:1]}", bias.shape)
    return products + bias


_OF_EQUATIONS = frozenset(string.ascii_letters + ",->. ")


@op("Einsum(equation)", name="_einsum")
def _einsum(operands: Arrays, equation: Text):
    """Einstein summation over the axes named twice; see `einsum`.

    Args:
        operands (tuple[Tensor] | list[Tensor]): of the same dtype.
        equation (str): such as ``'ij,jk->ik'``.
    Returns:
        Tensor.
    Example:
        >>> ops.Einsum("i,i->")((Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))).tolist()
        11.0
    Source: mindspore.ops.Einsum
    """
    if not operands:
        check.refuse(RuntimeError, "Einsum", "operands", "one Tensor at least", operands)
    for operand in operands[1:]:
        check_dtypes(operands[0], operand, "einsum")
    others = sorted(set(equation) - _OF_EQUATIONS)
    if others or not equation:
        check.refuse(ValueError, "Einsum", "equation", "of letters, commas, an arrow and '...'", equation)
    if equation.count("->") > 1:
        check.refuse(TypeError, "Einsum", "equation", "of one arrow at most", equation)
    try:
        return jnp.einsum(equation, *operands, preferred_element_type=operands[0].dtype)
    except ValueError:
        shapes = ", ".join(str(each.shape) for each in operands)
    return check.refuse(ValueError, "Einsum", "equation", f"of subscripts that fit the shapes {shapes}", equation)


@composite()
def einsum(equation, *operands):
    """Einstein summation: sums products over the axes that the result does not name.

    Args:
        equation (str): a letter for each axis of each operand, and of the result: ``'ij,jk->ik'``.
        operands (Tensor, ...): of the same dtype.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``equation`` is not a str, or dtypes differ.  ValueError: if the shapes do not fit it.
    Example:
        >>> ops.einsum("ij,j->i", Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])).tolist()
        [11.0]
    Source: mindspore.ops.einsum
    """
    return _einsum(operands, equation)


_FIRST = -65530  # the Primitive's value for None


@op("Cross(dim=-65530)", method="cross")
def cross(input: Array, other: Array, dim: Axis | None = None):
    """The cross products of vectors of length 3.

    Args:
        input, other (Tensor): shapes that broadcast, of the same dtype.
        dim (int | None): the axis of length 3 of the broadcast shape. Default: None, the first one of that length.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together, or the axis is not of length 3.
    Example:
        >>> ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]
    Source: mindspore.ops.cross, mindspore.ops.Cross, mindspore.Tensor.cross
    """
    check_dtypes(input, other, "Cross")
    check.broadcastable(input.shape, other.shape, "Cross")
    shape = np.broadcast_shapes(input.shape, other.shape)
    if dim in (None, _FIRST):
        if 3 not in shape:
            check.refuse(ValueError, "Cross", "input", "of length 3 along an axis", shape)
        dim = shape.index(3)
    dim = check.axis(dim, len(shape), "dim", "Cross")
    if shape[dim] != 3:
        check.refuse(ValueError, "Cross", "dim", "an axis of length 3", dim)
    return jnp.cross(jnp.broadcast_to(input, shape), jnp.broadcast_to(other, shape), axis=dim)


@op()
def kron(input: Array, other: Array):
    """The Kronecker product.

    Args:
        input, other (Tensor): any shapes; mixed dtypes are promoted.
    Returns:
        Tensor whose lengths are the products of theirs.
    Example:
        >>> ops.kron(Tensor([1.0, 2.0]), Tensor([1.0, 10.0])).tolist()
        [1.0, 10.0, 2.0, 20.0]
    Source: mindspore.ops.kron
    """
    dtype = _product_dtype(input, other)
    if dtype == jnp.bool_:  # JAX does not support their products
        return jnp.kron(input.astype(jnp.uint8), other.astype(jnp.uint8)).astype(dtype)
    return jnp.kron(input.astype(dtype), other.astype(dtype))
