"""The linear algebra of matrices: inverses, factors, determinants, powers. Products are in `matmul`."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import linalg as scipy_linalg

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Bool, Dtype, Int
from ...engine import dtypes
from ...tensor import promotion
from ...tensor.host_values import host_values
from .._core.define import composite, op
from .._core.families import alias
from .matmul import check_dtypes

_DECOMPOSED = ("float32", "float64", "complex64", "complex128")
_MULTIPLIED = ("int8", "int16", "int32", "int64", "uint8", *_DECOMPOSED)


def matrices(array, name, arg_name="input", accepted=_DECOMPOSED):
    """``array``, if its dtype is accepted, by default for decompositions, and it has at least two axes."""
    if array.dtype.name not in accepted:
        expected = f"a Tensor of {', '.join(accepted[:-1])} or {accepted[-1]}"
        hint = f"Cast it first: {arg_name}.astype(mindspore.float32)."
        check.refuse(TypeError, name, arg_name, expected, dtypes.of(array.dtype), hint)
    return check.at_least_rank(array, 2, arg_name, name)


def half_in_float32(body):
    """A body that computes float16 operands in float32, and rounds its results."""

    @functools.wraps(body)
    def computed(*operands, **options):
        operand_dtypes = [getattr(each, "dtype", None) for each in operands]
        if {each for each in operand_dtypes if each is not None and each.kind in "fc"} != {np.dtype(np.float16)}:
            return body(*operands, **options)
        wide = [
            each.astype(np.float32) if dtype == np.float16 else each
            for each, dtype in zip(operands, operand_dtypes, strict=True)
        ]
        return jax.tree.map(lambda each: each.astype(np.float16), body(*wide, **options))

    return computed


def adjoint_of(array):
    """The conjugate transposes."""
    return jnp.conj(jnp.swapaxes(array, -1, -2))


def square(array, name, arg_name="input", accepted=_DECOMPOSED):
    """``array``, if it holds square matrices of such a dtype."""
    matrices(array, name, arg_name, accepted)
    if array.shape[-1] != array.shape[-2]:
        check.refuse(ValueError, name, arg_name, "square matrices", array.shape)
    return array


@op("MatrixInverse(adjoint=False)", name="_inverse")
def _inverse(input: Array, adjoint: Bool = False):
    """The inverses of matrices; see `inverse`.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
        adjoint (bool): whether to invert the conjugate transposes. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.MatrixInverse()(Tensor([[2.0]])).tolist()
        [[0.5]]
    Source: mindspore.ops.MatrixInverse
    """
    x = square(input, "MatrixInverse", "x")
    return jnp.linalg.inv(adjoint_of(x) if adjoint else x)


@composite(method="inverse")
def inverse(input: Array):
    """The inverses of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        Tensor of the same shape and dtype. A singular matrix gives inf or NaN.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.inverse(Tensor([[2.0]])).tolist()
        [[0.5]]
    Source: mindspore.ops.inverse, mindspore.Tensor.inverse
    """
    return _inverse(input)


@op()
@half_in_float32
def _cholesky(input_x: Array, upper: Bool = False):
    # Only the lower triangle is read, as MindSpore does, so the gradient is that of the symmetric part.
    lower = jnp.linalg.cholesky(square(input_x, "Cholesky", "input_x"))
    return adjoint_of(lower) if upper else lower


@composite("Cholesky(upper=False)", method="cholesky")
def cholesky(input_x: Array, upper: Bool = False):
    """Cholesky decomposition: triangular factors of symmetric positive definite matrices.

    Args:
        input_x (Tensor): shape ``(*, N, N)``, a float dtype or complex.
        upper (bool): whether to return the upper factor, ``U`` of ``U^H U``, not ``L`` of ``L L^H``. Default: False.
    Returns:
        Tensor of the same shape and dtype. In a recording a matrix that is not positive definite gives NaN.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
        RuntimeError: if one is not positive definite and its values are known.
    Example:
        >>> ops.cholesky(Tensor([[4.0]])).tolist()
        [[2.0]]
    Source: mindspore.ops.cholesky, mindspore.ops.Cholesky, mindspore.Tensor.cholesky
    """
    factor = _cholesky(input_x, upper)
    values = host_values(factor)
    if values is not None and np.isnan(values).any():
        got = check.InWords("another matrix")
        check.refuse(RuntimeError, "Cholesky", "input_x", "symmetric positive definite matrices", got)
    return factor


@op("CholeskySolve(upper=False)", method="cholesky_solve")
def cholesky_solve(input: Array, input2: Array, upper: Bool = False):
    """Solves ``A X = input`` for ``X`` from the Cholesky factor of ``A``.

    Args:
        input (Tensor): shape ``(*, N, M)``, float32 or float64.
        input2 (Tensor): shape ``(*, N, N)``, the factor, as `cholesky` returns it; the same dtype.
        upper (bool): whether it is the upper one. Default: ``False``.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.cholesky_solve(Tensor([[8.0]]), Tensor([[2.0]])).tolist()
        [[2.0]]
    Source: mindspore.ops.cholesky_solve, mindspore.ops.CholeskySolve, mindspore.Tensor.cholesky_solve
    """
    square(input2, "CholeskySolve", "input2")
    check_dtypes(input, input2, "CholeskySolve")
    return scipy_linalg.cho_solve((input2, not upper), input)


@op("Trace")
def trace(input: Array):
    """The sum of the diagonal of a matrix.

    Args:
        input (Tensor): shape ``(M, N)``, any dtype of numbers.
    Returns:
        Tensor, 0-d, of the same dtype.
    Raises:
        RuntimeError: if there are not two axes.
    Example:
        >>> ops.trace(Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        5.0
    Source: mindspore.ops.trace, mindspore.ops.Trace
    """
    if input.ndim != 2:
        check.refuse(RuntimeError, "Trace", "input", "a matrix", input.shape)
    return jnp.trace(input, dtype=input.dtype)


@op(name="_trace_of_planes", method="trace")
def _trace_of_planes(self: Array, offset: Int = 0, axis1: Axis = 0, axis2: Axis = 1, dtype: Dtype | None = None):
    """The sums of the diagonals of the planes of two axes.

    Args:
        self (Tensor): at least two axes.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
        axis1, axis2 (int): the two axes. Default: ``0``, ``1``.
        dtype (mindspore.dtype | None): of the result. Default: None: int64 for ints other than uint64.
    Returns:
        Tensor without these axes.
    Raises:
        RuntimeError: if there are fewer than two axes.
        ValueError: if an axis is out of range, or both are the same.
    Example:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).trace(1).tolist()
        2.0
    Source: mindspore.Tensor.trace
    """
    if self.ndim < 2:
        check.refuse(RuntimeError, "trace", "input", "of two axes or more", self)
    axis1, axis2 = check.two_axes(axis1, axis2, self.ndim, "axis1", "axis2", "trace")
    dtype = promotion.reduction_dtype("Tensor.trace", self.dtype, dtype and dtype.numpy)
    return jnp.trace(self, offset, axis1, axis2, dtype=dtype)


@op("MatrixDeterminant", method=("det", "matrix_determinant"), name="matrix_determinant")
@half_in_float32
def _determinant(input: Array):
    """The determinants of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, a float dtype or complex.
    Returns:
        Tensor of shape ``(*)``.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.det(Tensor([[2.0, 0.0], [0.0, 3.0]])).tolist()
        6.0
    Source: mindspore.ops.det, mindspore.ops.matrix_determinant, mindspore.ops.MatrixDeterminant, mindspore.Tensor.det
    """
    return jnp.linalg.det(square(input, "MatrixDeterminant", "x"))


alias(_determinant, "det")


@op("LogMatrixDeterminant", method=("slogdet", "log_matrix_determinant"), name="slogdet")
@half_in_float32
def _log_determinant(input: Array):
    """The signs of the determinants of matrices, and the logarithms of their absolute values.

    Args:
        input (Tensor): shape ``(*, N, N)``, a float dtype or complex.
    Returns:
        tuple of two Tensors of shape ``(*)``.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.slogdet(Tensor([[1.0]]))[0].tolist()
        1.0
    Source: mindspore.ops.slogdet, mindspore.ops.log_matrix_determinant, mindspore.ops.LogMatrixDeterminant
    """
    sign, logarithm = jnp.linalg.slogdet(square(input, "LogMatrixDeterminant", "x"))
    return sign, logarithm.astype(input.dtype)


alias(_log_determinant, "log_matrix_determinant")


@op(method="logdet")
@half_in_float32
def logdet(input: Array):
    """The logarithms of the determinants of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, a float dtype or complex.
    Returns:
        Tensor of shape ``(*)``; NaN where the determinant is negative.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.logdet(Tensor([[1.0]])).tolist()
        0.0
    Source: mindspore.ops.logdet, mindspore.Tensor.logdet
    """
    return jnp.log(jnp.linalg.det(square(input, "logdet")))


@op("MatrixPower(n)", method="matrix_power")
def matrix_power(input: Array, n: Int):
    """Integer powers of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64, complex, or an int dtype up to 64 bits or uint8.
        n (int): the exponent; a negative one inverts, so ints have none.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for another dtype, or if ``n`` is not an int.  ValueError: if the matrices are not square, or ``n``
            is negative for ints.
    Example:
        >>> ops.matrix_power(Tensor([[2.0]]), 3).tolist()
        [[8.0]]
    Source: mindspore.ops.matrix_power, mindspore.ops.MatrixPower, mindspore.Tensor.matrix_power
    """
    square(input, "MatrixPower", "input", _MULTIPLIED)
    if n < 0 and input.dtype.kind in "iu":
        check.refuse(ValueError, "MatrixPower", "n", "non-negative, for ints", n)
    return jnp.linalg.matrix_power(input, n)


@op("MatrixExp")
def matrix_exp(input: Array):
    """Matrix exponentials.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.matrix_exp(Tensor([[0.0]])).tolist()
        [[1.0]]
    Source: mindspore.ops.matrix_exp, mindspore.ops.MatrixExp
    """
    return scipy_linalg.expm(square(input, "MatrixExp"))
