"""The linear algebra of matrices: inverses, factors, determinants, powers. Products are in `products`."""

import jax.numpy as jnp
import numpy as np
from jax.scipy import linalg as scipy_linalg

from ..engine import dtypes
from ..tensor.at_hand import values_at_hand
from . import check
from .contracts import Array
from .define import composite, op
from .families import alias
from .products import check_dtypes

_ACCEPTED = (np.float32, np.float64, np.complex64, np.complex128)


def _square(array, name, arg_name="input"):
    if array.dtype not in _ACCEPTED:
        raise TypeError(
            f"For primitive[{name}], the input argument[{arg_name}] must be a type of Complex128, Complex64, Float32, "
            f"Float64, but got {dtypes.of(array.dtype)}."
        )
    check.at_least_rank(array, 2, arg_name, name)
    if array.shape[-1] != array.shape[-2]:
        raise ValueError(
            f"For primitive[{name}], the attribute[row size] must be equal to {array.shape[-2]}, "
            f"but got {array.shape[-1]}."
        )
    return array


@op("MatrixInverse(adjoint=False)", name="_inverse")
def _inverse(input: Array, adjoint=False):
    """The inverses of matrices; see `inverse`.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
        adjoint (bool): whether to invert the conjugate transposes. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.MatrixInverse()(Tensor([[2.0]])).tolist()
        [[0.5]]
    Source: mindspore.ops.MatrixInverse
    """
    matrices = _square(input, "MatrixInverse", "x")
    return jnp.linalg.inv(jnp.conj(jnp.swapaxes(matrices, -1, -2)) if adjoint else matrices)


@composite(method="inverse")
def inverse(input):
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
def _cholesky(input_x: Array, upper=False):
    matrices = _square(input_x, "Cholesky", "input_x")
    # Only the lower triangle is read, as MindSpore does, so the gradient is that of the symmetric part.
    lower = jnp.linalg.cholesky(matrices)
    return jnp.conj(jnp.swapaxes(lower, -1, -2)) if check.boolean(upper, "upper", "Cholesky") else lower


@composite("Cholesky(upper=False)", method="cholesky")
def cholesky(input_x, upper=False):
    """The triangular factors of symmetric positive definite matrices.

    Args:
        input_x (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
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
    known = values_at_hand(factor)
    if known is not None and np.isnan(known).any():
        raise RuntimeError("Cholesky expects symmetric positive definite matrices as inputs.")
    return factor


@op(method="cholesky_solve")
def cholesky_solve(input: Array, input2: Array, upper=False):
    """Solves ``A X = input`` for ``X``, given the triangular factor of ``A``.

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
    Source: mindspore.ops.cholesky_solve, mindspore.Tensor.cholesky_solve
    """
    _square(input2, "CholeskySolve", "input2")
    check_dtypes(input, input2, "CholeskySolve")
    return scipy_linalg.cho_solve((input2, not check.boolean(upper, "upper", "CholeskySolve")), input)


@op("Trace")
def trace(input: Array):
    """The sum of the diagonal of a matrix.

    Args:
        input (Tensor): shape ``(M, N)``, any dtype of numbers.
    Returns:
        Tensor without axes, of the same dtype.
    Raises:
        ValueError: if there are not two axes.
    Example:
        >>> ops.trace(Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        5.0
    Source: mindspore.ops.trace, mindspore.ops.Trace
    """
    if input.ndim != 2:
        raise ValueError(f"For 'Trace', the input must be a matrix, but got shape {input.shape}.")
    return jnp.trace(input, dtype=input.dtype)


@op(name="_trace_of_planes", method="trace")
def _trace_of_planes(self: Array, offset=0, axis1=0, axis2=1, dtype=None):
    """The sums of the diagonals of the planes of two axes.

    Args:
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
        axis1, axis2 (int): the two axes. Default: ``0``, ``1``.
        dtype (mindspore.dtype | None): of the result. Default: None, that of the Tensor.
    Returns:
        Tensor without these axes.
    Raises:
        ValueError: if an axis is out of range, or both are the same.
    Example:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).trace(1).tolist()
        2.0
    Source: mindspore.Tensor.trace
    """
    check.at_least_rank(self, 2, "input", "trace")
    axis1 = check.axis(axis1, self.ndim, "axis1", "trace")
    axis2 = check.axis(axis2, self.ndim, "axis2", "trace")
    if axis1 == axis2:
        raise ValueError(f"For 'trace', axis1 and axis2 cannot be identical, but got {axis1}.")
    return jnp.trace(self, offset, axis1, axis2, dtype=self.dtype if dtype is None else dtype.numpy)


@op("MatrixDeterminant", method=("det", "matrix_determinant"), name="matrix_determinant")
def _determinant(input: Array):
    """The determinants of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        Tensor of shape ``(*)``.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.det(Tensor([[2.0, 0.0], [0.0, 3.0]])).tolist()
        6.0
    Source: mindspore.ops.det, mindspore.ops.matrix_determinant, mindspore.ops.MatrixDeterminant, mindspore.Tensor.det
    """
    return jnp.linalg.det(_square(input, "MatrixDeterminant", "x"))


alias(_determinant, "det")


@op(method="slogdet")
def slogdet(input: Array):
    """The signs of the determinants of matrices, and the logarithms of their absolute values.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        tuple of two Tensors of shape ``(*)``.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.slogdet(Tensor([[1.0]]))[0].tolist()
        1.0
    Source: mindspore.ops.slogdet, mindspore.Tensor.slogdet
    """
    return tuple(jnp.linalg.slogdet(_square(input, "LogMatrixDeterminant", "x")))


@op(method="logdet")
def logdet(input: Array):
    """The logarithms of the determinants of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        Tensor of shape ``(*)``; NaN where the determinant is negative.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.logdet(Tensor([[1.0]])).tolist()
        0.0
    Source: mindspore.ops.logdet, mindspore.Tensor.logdet
    """
    return jnp.log(jnp.linalg.det(_square(input, "logdet")))


@op("MatrixPower(n)", method="matrix_power")
def matrix_power(input: Array, n):
    """Integer powers of matrices.

    Args:
        input (Tensor): shape ``(*, N, N)``, a float dtype.
        n (int): the exponent; a negative one inverts.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``n`` is not an int.  ValueError: if the matrices are not square.
    Example:
        >>> ops.matrix_power(Tensor([[2.0]]), 3).tolist()
        [[8.0]]
    Source: mindspore.ops.matrix_power, mindspore.ops.MatrixPower, mindspore.Tensor.matrix_power
    """
    return jnp.linalg.matrix_power(_square(input, "MatrixPower"), check.integer(n, "n", "MatrixPower"))


@op("MatrixExp")
def matrix_exp(input: Array):
    """The exponentials of matrices.

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
    return scipy_linalg.expm(_square(input, "MatrixExp"))
