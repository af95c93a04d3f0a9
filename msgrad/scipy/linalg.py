"""``mindspore.scipy.linalg``: matrix decompositions and linear systems, over `ops` and ``jax.scipy.linalg``.

``overwrite_a``, ``overwrite_b`` and ``check_finite`` have no effect, as in MindSpore on a CPU: nothing is overwritten
or checked.
"""

import functools

import jax.numpy as jnp
from jax import lax
from jax.scipy import linalg as jax_linalg

from .. import ops
from .._contracts import check
from .._contracts.choices import OneOf
from .._contracts.contracts import Array, Bool, Int
from ..ops._core import define
from ..ops._core.faces import Dialect
from ..ops.linalg.linear_solve import least_squares
from ..ops.linalg.matmul import check_dtypes
from ..ops.linalg.matrices import adjoint_of
from ._matrix import NAMES, Matrix, Square, Symmetric, Values

LINALG = Dialect("mindspore.scipy.linalg", NAMES)
op = functools.partial(define.op, dialect=LINALG)
composite = functools.partial(define.composite, dialect=LINALG)

_HINTS = ("overwrite_a", "check_finite")
_GIVEN = "overwrite_a: Bool = False, check_finite: Bool = True"

inv = LINALG.face(ops.inverse, f"inv(a: Square, {_GIVEN})", _HINTS)
det = LINALG.face(ops.det, f"det(a: Square, {_GIVEN})", _HINTS)


@composite()
def block_diag(*arrs):
    """A matrix with the arguments as its diagonal blocks and zeros elsewhere.

    Args:
        arrs (Tensor, ...): matrices; vectors are rows.
    Returns:
        Tensor, 2-d, of the common dtype; of shape ``(1, 0)`` if there are no arguments.
    Raises:
        TypeError: if one is not a Tensor.  ValueError: if one has more than two axes.
    Example:
        >>> mindspore.scipy.linalg.block_diag(Tensor([[1]]), Tensor([2, 3])).tolist()
        [[1, 0, 0], [0, 2, 3]]
    Source: mindspore.scipy.linalg.block_diag
    """
    return ops.block_diag(*arrs) if arrs else ops.zeros((1, 0))


# -- triangles ------------------------------------------------------------------------------------------------------


@composite()
def cholesky(a: Square, lower: Bool = False, overwrite_a: Bool = False, check_finite: Bool = True):
    """Cholesky decomposition: the triangular factor of a symmetric positive definite matrix.

    Args:
        a (Tensor): shape ``(M, M)``, float32 or float64; ints become float64. Its lower triangle is read.
        lower (bool): whether to return the lower factor, ``L`` of ``L L^T``, not ``U`` of ``U^T U``. Default: False.
        overwrite_a, check_finite (bool): hints without effect. Default: ``False``, ``True``.
    Returns:
        Tensor of the same shape, zeros in the other triangle.
    Raises:
        TypeError: if an argument has a wrong type, or ``a`` another dtype.  ValueError: if ``a`` is not square.
        RuntimeError: if it is not positive definite and its values are known.
    Example:
        >>> mindspore.scipy.linalg.cholesky(Tensor([[1.0, 2.0], [2.0, 5.0]]), lower=True).tolist()
        [[1.0, 0.0], [2.0, 1.0]]
    Source: mindspore.scipy.linalg.cholesky
    """
    return ops.cholesky(a, not lower)


@composite()
def cho_factor(a: Square, lower: Bool = False, overwrite_a: Bool = False, check_finite: Bool = True):
    """The Cholesky factor, and whether it is the lower one: the pair that `cho_solve` takes.

    Args:
        a (Tensor): shape ``(M, M)``, float32 or float64; ints become float64. Its lower triangle is read.
        lower (bool): whether to return the lower factor. Default: ``False``.
        overwrite_a, check_finite (bool): hints without effect. Default: ``False``, ``True``.
    Returns:
        tuple of Tensor, the factor with zeros in the other triangle, and bool, ``lower``.
    Raises:
        TypeError: if an argument has a wrong type, or ``a`` another dtype.  ValueError: if ``a`` is not square.
        RuntimeError: if it is not positive definite and its values are known.
    Example:
        >>> mindspore.scipy.linalg.cho_factor(Tensor([[4.0]]))[0].tolist()
        [[2.0]]
    Source: mindspore.scipy.linalg.cho_factor
    """
    return ops.cholesky(a, not lower), lower


@composite()
def cho_solve(c_and_lower, b: Values, overwrite_b: Bool = False, check_finite: Bool = True):
    """Solves ``a x = b`` for ``x``, given the factor of ``a``.

    Args:
        c_and_lower (tuple): the factor and which it is, as `cho_factor` returns them.
        b (Tensor): shape ``(M,)`` or ``(M, N)``, the dtype of the factor.
        overwrite_b, check_finite (bool): hints without effect. Default: ``False``, ``True``.
    Returns:
        Tensor of the shape of ``b``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if the shapes do not go together.
    Example:
        >>> mindspore.scipy.linalg.cho_solve((Tensor([[2.0]]), True), Tensor([8.0])).tolist()
        [2.0]
    Source: mindspore.scipy.linalg.cho_solve
    """
    factor, lower = c_and_lower
    factor = Square.take(factor, "c", "cho_solve")
    _check_right_side(factor, b, "cho_solve")
    return ops.cholesky_solve(b, factor, not check.boolean(lower, "lower", "cho_solve"))


def _check_right_side(matrix, b, owner):
    rows, shape = matrix.aval[0][0], b.aval[0]
    if len(shape) not in (1, 2) or shape[0] != rows:
        check.refuse(ValueError, owner, "b", f"of shape ({rows},) or ({rows}, N)", b)


_TRANS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


@op()
def solve_triangular(
    a: Array,
    b: Array,
    trans: OneOf(*_TRANS) = 0,
    lower: Bool = False,
    unit_diagonal: Bool = False,
    overwrite_b=False,
    debug=None,
    check_finite=True,
):
    """Solves ``a x = b`` for ``x`` with one triangle of ``a``.

    Args:
        a (Tensor): shape ``(*, M, M)``, a dtype of numbers; int64 becomes float64, other ints float32.
        b (Tensor): shape ``(*, M)`` or ``(*, M, N)``, the same dtype.
        trans (int | str): ``0`` or ``'N'``; ``1`` or ``'T'``, to solve with the transpose; ``2`` or ``'C'``, with the
            conjugate transpose. Default: ``0``.
        lower (bool): whether it is the lower triangle. Default: ``False``.
        unit_diagonal (bool): whether the diagonal counts as ones. Default: ``False``.
        overwrite_b, debug, check_finite (object): hints without effect. Default: ``False``, ``None``, ``True``.
    Returns:
        Tensor of the shape of ``b``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.
        ValueError: if the shapes do not go together, or for another ``trans``.
    Example:
        >>> mindspore.scipy.linalg.solve_triangular(Tensor([[2.0, 0.0], [9.0, 1.0]]), Tensor([4.0, 3.0])).tolist()
        [2.0, 3.0]
    Source: mindspore.scipy.linalg.solve_triangular
    """
    matrix, right, is_vector = _system(a, b, "solve_triangular", square=True)
    x = lax.linalg.triangular_solve(
        matrix,
        right,
        left_side=True,
        lower=lower,
        transpose_a=_TRANS[trans] > 0,
        conjugate_a=_TRANS[trans] == 2,
        unit_diagonal=unit_diagonal,
    )
    return _as_given(x, b, is_vector)


def _system(a, b, owner, square=False):
    """The matrices and right-hand sides of ``a x = b`` in a dtype that JAX supports, and whether ``b`` is a vector."""
    check_dtypes(a, b, owner)
    check.dtype(a, "ifc", "a", owner)
    check.at_least_rank(a, 2, "a", owner)
    if square and a.shape[-1] != a.shape[-2]:
        check.refuse(ValueError, owner, "a", "square matrices", a.shape)
    is_vector = b.ndim == a.ndim - 1
    if b.shape[: a.ndim - 1] != a.shape[:-1] or b.ndim > a.ndim:
        shape = ", ".join(map(str, a.shape[:-1]))
        check.refuse(ValueError, owner, "b", f"of shape ({shape}) or ({shape}, N), as 'a' is {a.shape}", b.shape)
    dtype = a.dtype
    if dtype.kind not in "fc" or dtype.itemsize < 4:
        dtype = jnp.float64 if dtype == jnp.int64 else jnp.float32
    return a.astype(dtype), (b[..., None] if is_vector else b).astype(dtype), is_vector


def _as_given(x, b, is_vector):
    """A solution in the shape of ``b``, and in its dtype if that is a float."""
    return (x[..., 0] if is_vector else x).astype(b.dtype if b.dtype.kind in "fc" else x.dtype)


# -- LU -------------------------------------------------------------------------------------------------------------


@op()
def lu_factor(a: Square, overwrite_a: Bool = False, check_finite: Bool = True):
    """LU decomposition ``a = P L U`` in one matrix, with the pivot indices.

    Args:
        a (Tensor): shape ``(M, M)``, float32 or float64; ints become float64.
        overwrite_a, check_finite (bool): hints without effect. Default: ``False``, ``True``.
    Returns:
        tuple of two Tensors: ``U`` on and above the diagonal and ``L`` below it, where the diagonal of ``L`` is ones;
        and int32, shape ``(M,)``, with which row each was swapped.
    Raises:
        TypeError: if an argument has a wrong type, or ``a`` another dtype.  ValueError: if ``a`` is not square.
    Example:
        >>> lu, piv = mindspore.scipy.linalg.lu_factor(Tensor([[1.0, 2.0], [4.0, 4.0]]))
        >>> lu.tolist(), piv.tolist()
        ([[4.0, 4.0], [0.25, 1.0]], [1, 1])
    Source: mindspore.scipy.linalg.lu_factor
    """
    return jax_linalg.lu_factor(a)


@op()
def lu(a: Matrix, permute_l: Bool = False, overwrite_a: Bool = False, check_finite: Bool = True):
    """LU decomposition ``a = P L U``.

    Args:
        a (Tensor): shape ``(M, N)``, float32 or float64; ints become float64.
        permute_l (bool): whether to return ``P L`` for the first two. Default: ``False``.
        overwrite_a, check_finite (bool): hints without effect. Default: ``False``, ``True``.
    Returns:
        tuple of Tensors ``P``, int32, shape ``(M, M)``; ``L``, ``(M, K)``, with ``K`` the lesser of both; ``U``,
        ``(K, N)``.
    Raises:
        TypeError: if an argument has a wrong type, or ``a`` another dtype.  ValueError: if ``a`` has not two axes.
    Example:
        >>> p, l, u = mindspore.scipy.linalg.lu(Tensor([[1.0, 2.0], [4.0, 4.0]]))
        >>> p.tolist(), l.tolist(), u.tolist()
        ([[0, 1], [1, 0]], [[1.0, 0.0], [0.25, 1.0]], [[4.0, 4.0], [0.0, 1.0]])
    Source: mindspore.scipy.linalg.lu
    """
    if permute_l:
        return jax_linalg.lu(a, permute_l=True)
    p, lower, upper = jax_linalg.lu(a)
    return p.astype(jnp.int32), lower, upper


@composite()
def lu_solve(lu_and_piv, b: Values, trans: Int = 0, overwrite_b: Bool = False, check_finite: Bool = True):
    """Solves ``a x = b`` for ``x``, given the factors of ``a``.

    Args:
        lu_and_piv (tuple): what `lu_factor` returns.
        b (Tensor): shape ``(M,)`` or ``(M, N)``, the dtype of the factors.
        trans (int): ``1`` and ``2`` solve with the transpose. Default: ``0``.
        overwrite_b, check_finite (bool): hints without effect. Default: ``False``, ``True``.
    Returns:
        Tensor of the shape of ``b``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.
        ValueError: if the shapes do not go together, or for another ``trans``.
    Example:
        >>> factors = mindspore.scipy.linalg.lu_factor(Tensor([[1.0, 2.0], [4.0, 4.0]]))
        >>> mindspore.scipy.linalg.lu_solve(factors, Tensor([5.0, 12.0])).tolist()
        [1.0, 2.0]
    Source: mindspore.scipy.linalg.lu_solve
    """
    factors, pivots = lu_and_piv
    factors = Square.take(factors, "lu_matrix", "lu_solve")
    _check_right_side(factors, b, "lu_solve")
    check.one_of(trans, (0, 1, 2), "trans", "lu_solve")
    return _lu_solve(factors, pivots, b, trans)


@op()
def _lu_solve(factors: Array, pivots: Array, b: Array, trans):
    check_dtypes(factors, b, "lu_solve")
    return jax_linalg.lu_solve((factors, pivots), b, trans)


# -- eigenvalues and least squares ----------------------------------------------------------------------------------


@op()
def eigh(
    a: Symmetric,
    b=None,
    lower: Bool = True,
    eigvals_only: Bool = False,
    overwrite_a: Bool = False,
    overwrite_b: Bool = False,
    turbo: Bool = True,
    eigvals=None,
    type: Int = 1,
    check_finite: Bool = True,
):
    """The eigenvalues and eigenvectors of a symmetric or Hermitian matrix.

    Args:
        a (Tensor): shape ``(M, M)``, float32, float64 or complex; ints become float64.
        b, eigvals (None): as in MindSpore there are neither generalized problems nor parts of the eigenvalues.
        lower (bool): whether the lower triangle is read, not the upper one. Default: ``True``.
        eigvals_only (bool): whether vectors are left out. Default: ``False``.
        overwrite_a, overwrite_b, turbo, type, check_finite (bool | int): hints without effect.
    Returns:
        tuple of two Tensors, of the dtype of ``a``: the eigenvalues ``(M,)``, ascending, and the vectors ``(M, M)``,
        the columns; with ``eigvals_only`` the former.
    Raises:
        TypeError: if an argument has a wrong type, or ``a`` another dtype.
        ValueError: if ``a`` is not square, or ``b`` or ``eigvals`` are given.
    Example:
        >>> mindspore.scipy.linalg.eigh(Tensor([[2.0, 0.0], [0.0, 1.0]]), eigvals_only=True).tolist()
        [1.0, 2.0]
    Source: mindspore.scipy.linalg.eigh
    """
    for name, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            check.refuse(ValueError, "eigh", name, "None, which computes all eigenvalues, of one matrix", value)
    triangle = jnp.tril(a) if lower else adjoint_of(jnp.triu(a))
    values, vectors = lax.linalg.eigh(triangle + adjoint_of(jnp.tril(triangle, -1)), symmetrize_input=False)[::-1]
    values = values.astype(a.dtype)
    return values if eigvals_only else (values, vectors)


_WITH_RESIDUAL, _WITH_RANK, _WITH_VALUES = ("gels", "gelss", "gelsd"), ("gelsy", "gelss", "gelsd"), ("gelss", "gelsd")


@op()
def lstsq(A: Array, B: Array, rcond=None, driver: OneOf("gels", "gelsy", "gelss", "gelsd") | None = None):  # noqa: N803
    """Least squares: the ``X`` of minimum norm for which ``A X`` is nearest to ``B``, by SVD.

    Args:
        A (Tensor): shape ``(*, M, N)``, a float or complex dtype.
        B (Tensor): shape ``(*, M)`` or ``(*, M, K)``, the same dtype.
        rcond (object): a hint without effect, as in MindSpore. Default: ``None``.
        driver (str | None): says which results there are: ``'gels'``, ``'gelsy'``, ``'gelss'`` or ``'gelsd'``.
            Default: ``None``, as ``'gelsy'``.
    Returns:
        tuple of four Tensors: the solution, ``(*, N)`` or ``(*, N, K)``; the sums of the squares of ``A X - B``,
        ``(*, K)``, except for ``'gelsy'`` and ``M <= N``; the rank, int64, ``(*)``, except for ``'gels'``; the
        singular values, ``(*, min(M, N))``, for ``'gelss'`` and ``'gelsd'``. What there is not has shape ``(0,)``.
    Raises:
        TypeError: if dtypes differ, or are others.
        ValueError: if the shapes do not go together, or for another driver.
    Example:
        >>> mindspore.scipy.linalg.lstsq(Tensor([[1.0], [1.0]]), Tensor([1.0, 3.0]))[0].round(decimals=0).tolist()
        [2.0]
    Source: mindspore.scipy.linalg.lstsq
    """
    check.dtype(A, "fc", "A", "lstsq")
    matrix, right, is_vector = _system(A, B, "lstsq")
    x = least_squares(matrix, right)
    rows, columns = A.shape[-2:]
    values = jnp.linalg.svd(matrix, compute_uv=False)
    dtype = jnp.finfo(A.dtype).dtype
    empty = [jnp.zeros(0, dtype), jnp.zeros(0, jnp.int64), jnp.zeros(0, dtype)]
    if driver in _WITH_RESIDUAL and rows > columns:
        empty[0] = jnp.sum(jnp.square(jnp.abs(jnp.matmul(matrix, x) - right)), -2).astype(dtype)
    if driver is None or driver in _WITH_RANK:
        minimum = jnp.finfo(matrix.dtype).eps * max(rows, columns) * values[..., :1]
        empty[1] = jnp.sum(values > minimum, -1)
    if driver in _WITH_VALUES:
        empty[2] = values.astype(dtype)
    return _as_given(x, B, is_vector), *empty


globals().update(LINALG.public())
__all__ = list(LINALG.public())
