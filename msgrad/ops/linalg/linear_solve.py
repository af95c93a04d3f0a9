"""Linear systems, least squares, pseudo-inverses, and logarithms of matrices."""

import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Operand, Real
from ..._contracts.kinds import Scalar
from .._core.define import op
from .matmul import check_dtypes
from .matrices import adjoint_of, half_in_float32, matrices, square


def _rows_agree(matrix, rhs, name, argument):
    check_dtypes(matrix, rhs, name)
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-2]:
        check.refuse(ValueError, name, argument, f"matrices of {matrix.shape[-2]} rows", rhs.shape)


@op("MatrixSolve(adjoint=False)")
@half_in_float32
def matrix_solve(matrix: Array, rhs: Array, adjoint: Bool = False):
    """Solves ``matrix @ x = rhs`` for ``x``.

    Args:
        matrix (Tensor): shape ``(*, M, M)``, a float dtype or complex.
        rhs (Tensor): shape ``(*, M, K)``, the same dtype.
        adjoint (bool): whether to solve with the conjugate transpose. Default: ``False``.
    Returns:
        Tensor of the shape of ``rhs``.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.matrix_solve(Tensor([[2.0]]), Tensor([[4.0]])).tolist()
        [[2.0]]
    Source: mindspore.ops.matrix_solve, mindspore.ops.MatrixSolve
    """
    square(matrix, "MatrixSolve", "matrix")
    _rows_agree(matrix, rhs, "MatrixSolve", "rhs")
    return jnp.linalg.solve(adjoint_of(matrix) if adjoint else matrix, rhs)


@op("MatrixTriangularSolve(lower=True, adjoint=False)", name="_triangular_solve")
def _triangular_solve(matrix: Array, rhs: Array, lower: Bool = True, adjoint: Bool = False):
    """Solves ``matrix @ x = rhs`` for ``x`` with one triangle of ``matrix``.

    Args:
        matrix (Tensor): shape ``(*, M, M)``, float32, float64 or complex.
        rhs (Tensor): shape ``(*, M, K)``, the same dtype.
        lower (bool): whether it is the lower triangle. Default: ``True``.
        adjoint (bool): whether to solve with its conjugate transpose. Default: ``False``.
    Returns:
        Tensor of the shape of ``rhs``.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.MatrixTriangularSolve()(Tensor([[2.0, 9.0], [0.0, 1.0]]), Tensor([[4.0], [3.0]])).tolist()
        [[2.0], [3.0]]
    Source: mindspore.ops.MatrixTriangularSolve
    """
    square(matrix, "MatrixTriangularSolve", "matrix")
    _rows_agree(matrix, rhs, "MatrixTriangularSolve", "rhs")
    return lax.linalg.triangular_solve(
        matrix, rhs, left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint
    )


@op(name="_triangular_solve_of", method="triangular_solve")
def _triangular_solve_of(
    self: Array, A: Array, upper: Bool = True, transpose: Bool = False, unitriangular: Bool = False
):
    """Solves ``A @ x = self`` for ``x`` with one triangle of ``A``.

    Args:
        self (Tensor): shape ``(*, M, K)``, float32, float64 or complex.
        A (Tensor): shape ``(*, M, M)``, the same dtype.
        upper (bool): whether it is the upper triangle. Default: ``True``.
        transpose (bool): whether to solve with its transpose. Default: ``False``.
        unitriangular (bool): whether to assume ones on its diagonal. Default: ``False``.
    Returns:
        tuple of two Tensors: ``x``, of the shape of ``self``, and ``A``.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> Tensor([[4.0], [3.0]]).triangular_solve(Tensor([[2.0, 0.0], [9.0, 1.0]]))[0].tolist()
        [[2.0], [3.0]]
    Source: mindspore.Tensor.triangular_solve
    """
    square(A, "triangular_solve", "A")
    _rows_agree(A, self, "triangular_solve", "input")
    options = {"lower": not upper, "transpose_a": transpose, "unit_diagonal": unitriangular}
    return lax.linalg.triangular_solve(A, self, left_side=True, **options), A


def least_squares(x, a, l2=0.0):
    """Least squares: the ``y`` of minimum norm that minimizes ``|x @ y - a|^2 + l2 |y|^2``."""
    if l2 == 0.0:
        return jnp.matmul(jnp.linalg.pinv(x), a)
    rows, columns = x.shape[-2:]
    if rows >= columns:
        grown = jnp.matmul(adjoint_of(x), x) + l2 * jnp.eye(columns, dtype=x.dtype)
        return jnp.linalg.solve(grown, jnp.matmul(adjoint_of(x), a))
    grown = jnp.matmul(x, adjoint_of(x)) + l2 * jnp.eye(rows, dtype=x.dtype)
    return jnp.matmul(adjoint_of(x), jnp.linalg.solve(grown, a))


@op(method="lstsq")
def lstsq(input: Array, A: Array):
    """Least squares: the ``x`` of minimum norm for which ``input @ x`` is nearest to ``A``.

    Args:
        input (Tensor): shape ``(M, N)``, a float dtype.
        A (Tensor): shape ``(M, K)`` or ``(M,)``, the same dtype.
    Returns:
        Tensor of shape ``(N, K)``; ``(N, 1)`` for a vector.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.lstsq(Tensor([[1.0], [1.0]]), Tensor([[1.0], [3.0]])).round(decimals=0).tolist()
        [[2.0]]
    Source: mindspore.ops.lstsq, mindspore.Tensor.lstsq
    """
    return _lstsq(input, A)


@op("Lstsq(fast=True, l2_regularizer=0.0)", name="_lstsq")
def _lstsq(x: Array, a: Array, fast: Bool = True, l2_regularizer: Real = 0.0):
    """Least squares: the ``y`` of minimum norm for which ``x @ y`` is nearest to ``a``.

    Args:
        x (Tensor): shape ``(M, N)``, a float dtype.
        a (Tensor): shape ``(M, K)`` or ``(M,)``, the same dtype.
        fast (bool): how MindSpore computes it; without effect, singular values are used. Default: ``True``.
        l2_regularizer (float): what the square of the length of ``y`` weighs. Default: ``0.0``.
    Returns:
        Tensor of shape ``(N, K)``; ``(N, 1)`` for a vector.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.Lstsq()(Tensor([[1.0], [1.0]]), Tensor([[1.0], [3.0]])).round(decimals=0).tolist()
        [[2.0]]
    Source: mindspore.ops.Lstsq
    """
    check.dtype(x, "f", "x", "Lstsq")
    right = a[:, None] if a.ndim == 1 else a
    if x.ndim != 2:
        check.refuse(ValueError, "Lstsq", "x", "a matrix", x.shape)
    _rows_agree(x, right, "Lstsq", "a")
    dtype = jnp.promote_types(x.dtype, jnp.float32)
    return least_squares(x.astype(dtype), right.astype(dtype), l2_regularizer).astype(x.dtype)


@op("MatrixSolveLs(fast=True)", name="_matrix_solve_ls")
def _matrix_solve_ls(matrix: Array, rhs: Array, l2_regularizer: Operand, fast: Bool = True):
    """Least squares: the ``x`` of minimum norm for which ``matrix @ x`` is nearest to ``rhs``.

    Args:
        matrix (Tensor): shape ``(*, M, N)``, float32, float64 or complex.
        rhs (Tensor): shape ``(*, M, K)``, the same dtype.
        l2_regularizer (Tensor): float64 without axes: what the square of the length of ``x`` weighs.
        fast (bool): how MindSpore computes it; without effect, singular values are used. Default: ``True``.
    Returns:
        Tensor of shape ``(*, N, K)``.
    Raises:
        TypeError: for other dtypes.  ValueError: if the shapes do not go together.
    Example:
        >>> one = Tensor([[1.0], [1.0]])
        >>> ops.MatrixSolveLs()(one, 3 * one, Tensor(0.0, mindspore.float64)).round(decimals=0).tolist()
        [[3.0]]
    Source: mindspore.ops.MatrixSolveLs
    """
    matrices(matrix, "MatrixSolveLs", "matrix")
    _rows_agree(matrix, rhs, "MatrixSolveLs", "rhs")
    columns = matrix.shape[-1]
    l2 = jnp.sqrt(l2_regularizer).astype(matrix.dtype)
    ridge = jnp.broadcast_to(l2 * jnp.eye(columns, dtype=matrix.dtype), (*matrix.shape[:-2], columns, columns))
    grown = jnp.concatenate([matrix, ridge], -2)
    below = jnp.zeros((*rhs.shape[:-2], columns, rhs.shape[-1]), rhs.dtype)
    return jnp.matmul(jnp.linalg.pinv(grown), jnp.concatenate([rhs, below], -2))


@op()
def pinv(x: Array, *, atol: Scalar() | None = None, rtol: Scalar() | None = None, hermitian: Bool = False):
    """The pseudo-inverses of matrices.

    Args:
        x (Tensor): shape ``(*, M, N)``, float32, float64 or complex.
        atol, rtol (float | None): singular values that are not above both ``atol`` and ``rtol`` times the largest
            count as 0. Default: ``None``: 0, and the rounding of the dtype times the greater of ``M`` and ``N``.
        hermitian (bool): whether the matrices are their own conjugate transposes. Default: ``False``.
    Returns:
        Tensor of shape ``(*, N, M)``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.pinv(Tensor([[2.0, 0.0], [0.0, 0.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.0]]
    Source: mindspore.ops.pinv
    """
    x = matrices(x, "pinv", "x")
    rounding = float(jnp.finfo(x.dtype).eps) * max(x.shape[-2:])
    if atol is not None:
        maximum = jnp.linalg.svd(x, compute_uv=False)[..., 0]
        minimum = jnp.where(atol == 0, rounding, 0) if rtol is None else rtol
        rtol = jnp.maximum(minimum, atol / maximum)
    elif rtol is None:
        rtol = rounding
    return jnp.linalg.pinv(x, rtol=rtol, hermitian=hermitian)


@op("CholeskyInverse(upper=False)", method="cholesky_inverse")
@half_in_float32
def cholesky_inverse(input_x: Array, upper: Bool = False):
    """Inverse of a symmetric positive definite matrix from its Cholesky factor.

    Args:
        input_x (Tensor): shape ``(N, N)``, a float dtype: the factor ``L``, as `cholesky` returns it. All of it
            counts, the other triangle too, as in MindSpore: the result is the inverse of ``L @ L.T``.
        upper (bool): whether it is the upper one, of ``L.T @ L``. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrix is not square.
    Example:
        >>> ops.cholesky_inverse(Tensor([[2.0]])).tolist()
        [[0.25]]
    Source: mindspore.ops.cholesky_inverse, mindspore.ops.CholeskyInverse, mindspore.Tensor.cholesky_inverse
    """
    inverse = jnp.linalg.inv(square(input_x, "CholeskyInverse", "input_x"))
    return inverse @ inverse.T if upper else inverse.T @ inverse


@op()
def cond(A: Array, p=None):
    """The condition numbers of matrices: the norm times that of the inverse.

    Args:
        A (Tensor): shape ``(*, M, N)``, float32, float64 or complex.
        p (int | float | str | None): the norm: ``'fro'``, ``'nuc'``, ``inf``, ``-inf``, 1, -1, 2 or -2. Default:
            ``None``, as 2.
    Returns:
        Tensor of shape ``(*)``.
    Raises:
        TypeError: for another dtype.  ValueError: for another norm.
    Example:
        >>> ops.cond(Tensor([[2.0, 0.0], [0.0, 4.0]])).item()
        2.0
    Source: mindspore.ops.cond
    """
    check.one_of(p, (None, "fro", "nuc", jnp.inf, -jnp.inf, 1, -1, 2, -2), "p", "cond")
    return jnp.linalg.cond(matrices(A, "cond", "A"), p)


@op("MatrixLogarithm", name="_matrix_logarithm")
def _matrix_logarithm(x: Array):
    """Matrix logarithms, by eigenvectors, which have no form for a TPU.

    Args:
        x (Tensor): shape ``(*, M, M)``, complex; each with ``M`` independent eigenvectors.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not complex.  ValueError: if the matrices are not square.
    Example:
        >>> ops.MatrixLogarithm()(Tensor([[1.0, 0.0], [0.0, 1.0]], mindspore.complex64)).real().tolist()
        [[0.0, 0.0], [0.0, 0.0]]
    Source: mindspore.ops.MatrixLogarithm
    """
    values, vectors = jnp.linalg.eig(square(check.dtype(x, "c", "x", "MatrixLogarithm"), "MatrixLogarithm", "x"))
    scaled = vectors * jnp.log(values)[..., None, :]
    return adjoint_of(jnp.linalg.solve(adjoint_of(vectors), adjoint_of(scaled)))


@op("TridiagonalMatMul", name="_tridiagonal_product")
def _tridiagonal_product(superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array):
    """Product of tridiagonal matrices with others.

    Args:
        superdiag (Tensor): shape ``(*, 1, M)``: above the diagonal; its last element does not count.
        maindiag (Tensor): shape ``(*, 1, M)``: the diagonal.
        subdiag (Tensor): shape ``(*, 1, M)``: below it; its first element does not count.
        rhs (Tensor): shape ``(*, M, N)``; all of the same dtype.
    Returns:
        Tensor of the shape of ``rhs``.
    Raises:
        TypeError: if dtypes differ.
    Example:
        >>> row = Tensor([[1.0, 1.0]])
        >>> ops.TridiagonalMatMul()(row, 2 * row, 3 * row, Tensor([[1.0], [10.0]])).tolist()
        [[12.0], [23.0]]
    Source: mindspore.ops.TridiagonalMatMul
    """
    for each in (superdiag, maindiag, subdiag):
        check_dtypes(each, rhs, "TridiagonalMatMul")
    upper, main, lower = (jnp.swapaxes(each, -1, -2) for each in (superdiag, maindiag, subdiag))
    zero = jnp.zeros_like(rhs[..., :1, :])
    after = jnp.concatenate([rhs[..., 1:, :], zero], -2)
    before = jnp.concatenate([zero, rhs[..., :-1, :]], -2)
    return upper * after + main * rhs + lower * before
