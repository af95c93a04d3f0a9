"""Products of matrices, vectors and tensors."""

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..tensor import promotion
from . import check, contracts
from .contracts import Array, Arrays
from .define import composite, op
from .faces import attach
from .families import body, sources
from .signature import parse


def check_dtypes(x, y, name):
    if x.dtype != y.dtype:
        raise TypeError(
            f"For '{name}', the type of 'x2' should be same as 'x1', but got 'x1' with type "
            f"Tensor[{dtypes.of(x.dtype)}] and 'x2' with type Tensor[{dtypes.of(y.dtype)}]."
        )
    if x.dtype == np.bool_:
        raise TypeError(f"For '{name}', bool is not supported. Cast first: x.astype(mindspore.float32).")


def _product(x, y):
    # Without preferred_element_type XLA accumulates half precision in half precision on some devices.
    return jnp.matmul(x, y, preferred_element_type=x.dtype)


@op(method="matmul")
def matmul(input: Array, other: Array):
    """The matrix product; leading axes broadcast, and a vector is a row on the left and a column on the right.

    Args:
        input (Tensor): shape ``(*, M, K)`` or ``(K,)``.
        other (Tensor): shape ``(*, K, N)`` or ``(K,)``, the dtype of ``input``.
    Returns:
        Tensor of shape ``(*, M, N)``, without ``M`` or ``N`` where the operand is a vector.
    Raises:
        TypeError: if dtypes differ or are bool.  ValueError: if an operand has no axes.
        RuntimeError: if the shapes do not go together.
    Example:
        >>> ops.matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    Source: mindspore.ops.matmul, mindspore.Tensor.matmul
    """
    check_dtypes(input, other, "MatMulExt")
    if not input.ndim or not other.ndim:
        raise ValueError("For 'MatMulExt' op, inputs must be all tensors and rank >= 1")
    inner = other.shape[-2] if other.ndim > 1 else other.shape[0]
    if input.shape[-1] != inner:
        raise RuntimeError(
            f"For 'MatMulExt' op, shape1[-1] must be equal to shape2[-2], but got {input.shape[-1]} and {inner}."
        )
    try:
        np.broadcast_shapes(input.shape[:-2], other.shape[:-2])
    except ValueError:
        raise RuntimeError(
            f"For 'MatMulExt' op, the batch axes must broadcast, but got {input.shape} and {other.shape}."
        ) from None
    return _product(input, other)


@op("MatMul(transpose_a=False, transpose_b=False)", name="_matrix_product")
def _matrix_product(input: Array, mat2: Array, transpose_a=False, transpose_b=False):
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
    if input.ndim != 2 or mat2.ndim != 2:
        raise ValueError(
            "MatMul inputs should have the same dimension size and equal to 2, "
            f"but got shapes {input.shape} and {mat2.shape}."
        )
    input = input.T if check.boolean(transpose_a, "transpose_a", "MatMul") else input
    mat2 = mat2.T if check.boolean(transpose_b, "transpose_b", "MatMul") else mat2
    if input.shape[1] != mat2.shape[0]:
        raise ValueError(
            f"For 'MatMul' the input dimensions must be equal, but got 'x1_col': {input.shape[1]} and "
            f"'x2_row': {mat2.shape[0]}."
        )
    check_dtypes(input, mat2, "MatMul")
    return _product(input, mat2)


@op("BatchMatMul(transpose_a=False, transpose_b=False)", name="_batch_product")
def _batch_product(x: Array, y: Array, transpose_a=False, transpose_b=False):
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
    shapes = x.shape, y.shape
    x = jnp.swapaxes(x, -1, -2) if check.boolean(transpose_a, "transpose_a", "BatchMatMul") else x
    y = jnp.swapaxes(y, -1, -2) if check.boolean(transpose_b, "transpose_b", "BatchMatMul") else y
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(
            "For BatchMatMul, the row of the input 'y' should be same as the col of the input 'x', with x shape "
            f"{shapes[0]}(transpose_a={int(transpose_a)}), y shape {shapes[1]}(transpose_b={int(transpose_b)})"
        )
    check_dtypes(x, y, "BatchMatMul")
    return _product(x, y)


@composite(method="bmm")
def bmm(input_x, mat2):
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
def mm(input, mat2):
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
        vec (Tensor): shape ``(K,)``, the dtype of ``mat``.
    Returns:
        Tensor of shape ``(M,)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.mv(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])).tolist()
        [11.0]
    Source: mindspore.ops.mv
    """
    if mat.ndim != 2 or vec.ndim != 1 or mat.shape[1] != vec.shape[0]:
        raise ValueError(f"For 'mv', the shapes must be (M, K) and (K,), but got {mat.shape} and {vec.shape}.")
    check_dtypes(mat, vec, "mv")
    return _product(mat, vec)


@op(method="dot")
def dot(input: Array, other: Array):
    """Sums products over the last axis of ``input`` and the last but one of ``other``.

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
    if input.ndim < 2 or other.ndim < 2:
        raise ValueError(
            f"For 'dot', the inputs x1, x2 should have 'dimension >= 2',but got shapes {input.shape}, {other.shape}. "
            "Use ops.inner for vectors."
        )
    if input.shape[-1] != other.shape[-2]:
        raise ValueError(
            f"For 'dot', the value of 'x1_shape[-1]' should be equal to 'x2_shape[-2]', but got {input.shape} and "
            f"{other.shape}."
        )
    check_dtypes(input, other, "dot")
    return jnp.tensordot(input, other, ((input.ndim - 1,), (other.ndim - 2,)), preferred_element_type=input.dtype)


def _vectors(x, y, name):
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"For '{name}', both inputs must be vectors, but got shapes {x.shape} and {y.shape}.")
    dtype = x.dtype if x.dtype == y.dtype else promotion.result_dtype("mul", x.dtype, y.dtype)
    return x.astype(dtype)[:, None] * y.astype(dtype)


@op(method="outer")
def outer(input: Array, vec2: Array):
    """The products of each element of one vector with each of another.

    Args:
        input, vec2 (Tensor): shapes ``(M,)`` and ``(N,)``; mixed dtypes are promoted.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        ValueError: if an input is not a vector.
    Example:
        >>> ops.outer(Tensor([1.0, 2.0]), Tensor([3.0])).tolist()
        [[3.0], [6.0]]
    Source: mindspore.ops.outer, mindspore.Tensor.outer
    """
    return _vectors(input, vec2, "outer")


@op(method="ger")
def ger(input: Array, vec2: Array):
    """The products of each element of one vector with each of another.

    Args, Returns, Raises: as for `outer`.
    Example:
        >>> ops.ger(Tensor([1.0, 2.0]), Tensor([3.0])).tolist()
        [[3.0], [6.0]]
    Source: mindspore.ops.ger, mindspore.Tensor.ger
    """
    return _vectors(input, vec2, "ger")


@op(method="inner")
def inner(input: Array, other: Array):
    """Sums products over the last axes.

    Args:
        input (Tensor): shape ``(*A, K)``.
        other (Tensor): shape ``(*B, K)``, the dtype of ``input``; without axes it scales ``input``.
    Returns:
        Tensor of shape ``(*A, *B)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.inner(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        11.0
    Source: mindspore.ops.inner, mindspore.Tensor.inner
    """
    check_dtypes(input, other, "inner")
    if input.ndim and other.ndim and input.shape[-1] != other.shape[-1]:
        raise ValueError(f"For 'inner', the last axes must be equal, but got {input.shape} and {other.shape}.")
    return jnp.inner(input, other)


@op()
def _contracted(x1: Array, x2: Array, axes):
    return jnp.tensordot(x1, x2, axes, preferred_element_type=x1.dtype)


@composite()
def tensor_dot(x1, x2, axes):
    """Sums products over pairs of axes.

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
    (shape1, dtype1), (shape2, dtype2) = x1.aval, x2.aval
    if dtype1 != dtype2:
        raise TypeError(f"For 'tensor_dot', the dtypes must be the same, but got {x1.dtype} and {x2.dtype}.")
    if isinstance(axes, int):
        if not 0 <= axes <= min(len(shape1), len(shape2)):
            raise ValueError(f"For 'tensor_dot', 'axes' must be a count of the axes of both inputs, but got {axes}.")
        pair = tuple(range(len(shape1) - axes, len(shape1))), tuple(range(axes))
    else:
        if not isinstance(axes, (tuple, list)) or len(axes) != 2:
            raise TypeError(f"For 'tensor_dot', the 'axes' must be an int or a pair of axes, but got {axes!r}.")
        pair = tuple(check.ints(each, "axes", "tensor_dot") for each in axes)
    left = [shape1[check.axis(k, len(shape1), "axes", "tensor_dot")] for k in pair[0]]
    right = [shape2[check.axis(k, len(shape2), "axes", "tensor_dot")] for k in pair[1]]
    if left != right:
        raise ValueError(f"For 'tensor_dot', the axes to sum over must have equal lengths, but got {left} and {right}.")
    return _contracted(x1, x2, pair)


@composite()
def batch_dot(x1, x2, axes=None):
    """Sums products over one axis of each, batch by batch.

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
    (shape1, dtype1), (shape2, dtype2) = x1.aval, x2.aval
    if dtype1 != dtype2:
        raise TypeError(f"For 'batch_dot', the dtypes must be the same, but got {x1.dtype} and {x2.dtype}.")
    if len(shape1) < 2 or len(shape2) < 2 or shape1[0] != shape2[0]:
        raise ValueError(f"For 'batch_dot', the inputs must share their first axis, but got {shape1} and {shape2}.")
    if axes is None:
        axes = len(shape1) - 1, max(len(shape2) - 2, 1)
    first, second = (axes, axes) if isinstance(axes, int) else axes
    first = check.axis(first, len(shape1), "axes", "batch_dot")
    second = check.axis(second, len(shape2), "axes", "batch_dot")
    if not first or not second or shape1[first] != shape2[second]:
        raise ValueError(f"For 'batch_dot', cannot sum over axes {axes} of the shapes {shape1} and {shape2}.")
    result = _batch_contracted(x1, x2, first, second)
    return result.reshape(-1, 1) if len(result.aval[0]) == 1 else result


@op()
def _batch_contracted(x1: Array, x2: Array, first, second):
    return jax.vmap(lambda a, b: jnp.tensordot(a, b, ((first - 1,), (second - 1,))))(x1, x2)


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
    if weight.ndim not in (1, 2) or not input.ndim:
        raise ValueError(
            f"For 'Dense', the 'weight' must have one or two axes and the 'input' at least one, but got {weight.shape} "
            f"and {input.shape}."
        )
    if input.shape[-1] != weight.shape[-1]:
        raise ValueError(
            f"For 'MatMul' the input dimensions must be equal, but got 'x1_col': {input.shape[-1]} and "
            f"'x2_row': {weight.shape[-1]}."
        )
    check_dtypes(input, weight, "MatMul")
    result = _product(input, weight.T)
    if bias is None:
        return result
    check_dtypes(input, bias, "Dense")
    if bias.shape not in ((), weight.shape[:-1]):
        raise ValueError(f"For 'Dense', the shape of 'bias' must be {weight.shape[:-1]}, but got {bias.shape}.")
    return result + bias


@op("Einsum(equation)", name="_einsum")
def _einsum(operands: Arrays, equation):
    """Sums products over the axes named twice; see `einsum`.

    Args:
        operands (tuple[Tensor] | list[Tensor]): of one dtype.
        equation (str): such as ``'ij,jk->ik'``.
    Returns:
        Tensor.
    Example:
        >>> ops.Einsum("i,i->")((Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))).tolist()
        11.0
    Source: mindspore.ops.Einsum
    """
    if not isinstance(equation, str):
        raise TypeError(f"For 'einsum', the 'equation' must be a str, but got {type(equation).__name__}.")
    for operand in operands[1:]:
        check_dtypes(operands[0], operand, "einsum")
    return jnp.einsum(equation, *operands, preferred_element_type=operands[0].dtype)


@composite()
def einsum(equation, *operands):
    """Sums products over the axes that the result does not name.

    Args:
        equation (str): a letter for each axis of each operand, and of the result: ``'ij,jk->ik'``.
        operands (Tensor, ...): of one dtype.
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


# -- beta * input + alpha * product ---------------------------------------------------------------------------------


_SCALED = """``beta * {addend} + alpha * product`` with the product of ``{first}`` and ``{second}``.

    Args:
        {addend} (Tensor): a shape that broadcasts to that of the product.
        {first}, {second} (Tensor): shapes {shapes}; all of one dtype.
        beta, alpha (Number): the factors. Default: ``1``.
    Returns:
        Tensor.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.{name}({example}, beta=0).shape
        {shape}
    Source: {sources}
    """


def _scaled_sum(text, product, **words):
    name, given = parse(text, vars(contracts))
    addend, first, second, _, _ = given.parameters

    def compute(base, left, right, beta, alpha):
        check_dtypes(base, left, name)
        check_dtypes(base, right, name)
        return jnp.asarray(beta, base.dtype) * base + jnp.asarray(alpha, base.dtype) * product(left, right)

    named = {"addend": addend, "first": first, "second": second, "sources": sources(name, methods=[name])}
    op(method=name)(body(text, compute, _SCALED, **named, **words))


_scaled_sum(
    "addmm(input: Array, mat1: Array, mat2: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    _product,
    shapes="``(M, K)`` and ``(K, N)``",
    example="ops.ones((2, 4)), ops.ones((2, 3)), ops.ones((3, 4))",
    shape="(2, 4)",
)
_scaled_sum(
    "addmv(input: Array, mat: Array, vec: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    _product,
    shapes="``(M, K)`` and ``(K,)``",
    example="ops.ones(2), ops.ones((2, 3)), ops.ones(3)",
    shape="(2,)",
)
_scaled_sum(
    "addr(x: Array, vec1: Array, vec2: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    lambda a, b: _vectors(a, b, "addr"),
    shapes="``(M,)`` and ``(N,)``",
    example="ops.ones((2, 3)), ops.ones(2), ops.ones(3)",
    shape="(2, 3)",
)
_scaled_sum(
    "addbmm(input: Array, batch1: Array, batch2: Array, *, beta: Operand = 1, alpha: Operand = 1)",
    lambda a, b: _product(a, b).sum(0),
    shapes="``(B, M, K)`` and ``(B, K, N)``, summed over B",
    example="ops.ones((2, 4)), ops.ones((5, 2, 3)), ops.ones((5, 3, 4))",
    shape="(2, 4)",
)
_scaled_sum(
    "baddbmm(input: Array, batch1: Array, batch2: Array, beta: Operand = 1, alpha: Operand = 1)",
    _product,
    shapes="``(B, M, K)`` and ``(B, K, N)``",
    example="ops.ones((5, 2, 4)), ops.ones((5, 2, 3)), ops.ones((5, 3, 4))",
    shape="(5, 2, 4)",
)


# -- other products -------------------------------------------------------------------------------------------------


@op()
def cross(input: Array, other: Array, dim=None):
    """The cross products of vectors of length 3.

    Args:
        input, other (Tensor): shapes that broadcast, of one dtype.
        dim (int | None): the axis of length 3. Default: None, the first one of that length.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the shapes do not go together, or the axis is not of length 3.
    Example:
        >>> ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]
    Source: mindspore.ops.cross, mindspore.Tensor.cross
    """
    check_dtypes(input, other, "Cross")
    if dim is None:
        if 3 not in input.shape:
            raise ValueError(f"For 'Cross', an axis of the inputs must have length 3, but got shape {input.shape}.")
        dim = input.shape.index(3)
    dim = check.axis(dim, input.ndim, "dim", "Cross")
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise ValueError(f"For 'Cross', the axis 'dim' must have length 3, but got {input.shape} and {other.shape}.")
    return jnp.cross(input, other, axis=dim)


attach(cross, "cross")


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
    dtype = input.dtype if input.dtype == other.dtype else promotion.result_dtype("mul", input.dtype, other.dtype)
    return jnp.kron(input.astype(dtype), other.astype(dtype))
