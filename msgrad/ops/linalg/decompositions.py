"""Matrix decompositions: SVD, QR and its reflections, LU, eigenvalues. `linear_solve` uses them."""

import jax
import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool
from ..._contracts.kinds import TensorOf
from .._core.define import composite, op
from .._core.faces import method
from ..index.gathering import check_within
from .matrices import adjoint_of, half_in_float32, matrices, square

# -- singular values ------------------------------------------------------------------------------------------------


@op()
def _svd(input: Array, full_matrices: Bool, compute_uv: Bool):
    x = matrices(input, "Svd")
    if not compute_uv:
        return jnp.linalg.svd(x, compute_uv=False)
    u, s, vh = jnp.linalg.svd(x, full_matrices=full_matrices)
    return s, u, adjoint_of(vh)


@composite(method="svd")
def svd(input: Array, full_matrices: Bool = False, compute_uv: Bool = True):
    """Singular value decomposition: ``input = u @ diag(s) @ v^H``.

    Args:
        input (Tensor): shape ``(*, M, N)``, float32, float64 or complex.
        full_matrices (bool): whether ``u`` and ``v`` are square; they then have no derivative. Default: ``False``.
        compute_uv (bool): whether to compute the vectors. Default: ``True``.
    Returns:
        tuple of three Tensors ``s, u, v``, or ``s``, in descending order.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.svd(Tensor([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False).tolist()
        [4.0, 3.0]
    Source: mindspore.ops.svd, mindspore.Tensor.svd
    """
    return _svd(input, full_matrices, compute_uv)


@op("Svd(full_matrices=False, compute_uv=True)", name="_svd_primitive")
def _svd_primitive(input: Array, full_matrices: Bool = False, compute_uv: Bool = True):
    """Singular value decomposition: ``input = u @ diag(s) @ v^H``.

    Args:
        input (Tensor): shape ``(*, M, N)``, float32, float64 or complex.
        full_matrices (bool): whether ``u`` and ``v`` are square; they then have no derivative. Default: ``False``.
        compute_uv (bool): whether to compute the vectors; if not, ``u`` and ``v`` are ``[0]``. Default: ``True``.
    Returns:
        tuple of three Tensors ``s, u, v``, singular values in descending order.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.Svd()(Tensor([[3.0, 0.0], [0.0, 4.0]]))[0].tolist()
        [4.0, 3.0]
    Source: mindspore.ops.Svd
    """
    result = _svd(input, full_matrices, compute_uv)
    return result if compute_uv else (result, jnp.zeros(1, input.dtype), jnp.zeros(1, input.dtype))


# -- QR -------------------------------------------------------------------------------------------------------------


@op()
@half_in_float32
def qr(input: Array, mode: OneOf("reduced", "complete") = "reduced"):
    """QR decomposition into orthogonal and upper triangular factors: ``input = q @ r``.

    Args:
        input (Tensor): shape ``(*, M, N)``, a float dtype or complex.
        mode (str): ``'reduced'`` or ``'complete'``, with a square ``q``. Default: ``'reduced'``.
    Returns:
        tuple of two Tensors ``q, r``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes, or for another mode.
    Example:
        >>> q, r = ops.qr(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> ops.matmul(q, r).round().tolist()
        [[3.0, 1.0], [4.0, 2.0]]
    Source: mindspore.ops.qr
    """
    return tuple(jnp.linalg.qr(matrices(input, "Qr"), mode))


@op("Qr(full_matrices=False)", name="_qr_primitive")
def _qr_primitive(x: Array, full_matrices: Bool = False):
    """QR decomposition into orthogonal and upper triangular factors: ``x = q @ r``.

    Args:
        x (Tensor): shape ``(*, M, N)``, a float dtype or complex.
        full_matrices (bool): whether ``q`` is square. Default: ``False``.
    Returns:
        tuple of two Tensors ``q, r``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> q, r = ops.Qr()(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> ops.matmul(q, r).round().tolist()
        [[3.0, 1.0], [4.0, 2.0]]
    Source: mindspore.ops.Qr
    """
    return qr(x, "complete" if full_matrices else "reduced")


@op(name="_qr_method")
def _qr_of(self: Array, some: Bool = True):
    """QR decomposition into orthogonal and upper triangular factors: ``self = q @ r``.

    Args:
        self (Tensor): shape ``(*, M, N)``, a float dtype or complex.
        some (bool): whether ``q`` is no larger than needed; if not, it is square. Default: ``True``.
    Returns:
        tuple of two Tensors ``q, r``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> q, r = Tensor([[3.0, 1.0], [4.0, 2.0]]).qr()
        >>> ops.matmul(q, r).round().tolist()
        [[3.0, 1.0], [4.0, 2.0]]
    Source: mindspore.Tensor.qr
    """
    return qr(self, "reduced" if some else "complete")


method("qr", (_qr_of, "(some=True)"))


@op("Geqrf", method="geqrf")
@half_in_float32
def geqrf(input: Array):
    """QR decomposition as Householder reflections: ``r`` above the diagonal, their vectors below it.

    Args:
        input (Tensor): shape ``(*, M, N)``, a float dtype or complex.
    Returns:
        tuple of two Tensors: both factors, ``(*, M, N)``, and the coefficients of the reflections,
        ``(*, min(M, N))``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.geqrf(Tensor([[3.0], [4.0]]))[0].tolist()
        [[-5.0], [0.5]]
    Source: mindspore.ops.geqrf, mindspore.ops.Geqrf, mindspore.Tensor.geqrf
    """
    packed, taus = jnp.linalg.qr(matrices(input, "Geqrf"), mode="raw")
    return jnp.swapaxes(packed, -1, -2), taus


@op("Orgqr", method="orgqr")
def orgqr(input: Array, input2: Array):
    """Orthogonal factor of `geqrf`'s Householder reflections.

    Args:
        input (Tensor): shape ``(*, M, N)``, ``M >= N``: the vectors, below the diagonal.
        input2 (Tensor): shape ``(*, K)``: the coefficients; the same dtype.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes, or the shapes do not fit.
    Example:
        >>> ops.orgqr(*ops.geqrf(Tensor([[3.0], [4.0]]))).round(decimals=0).shape
        (2, 1)
    Source: mindspore.ops.orgqr, mindspore.ops.Orgqr, mindspore.Tensor.orgqr
    """
    matrices(input, "Orgqr")
    if input.shape[-2] < input.shape[-1]:
        check.refuse(ValueError, "Orgqr", "input", "of at least as many rows as columns", input.shape)
    if input2.ndim != input.ndim - 1:
        check.refuse(ValueError, "Orgqr", "input2", f"of {input.ndim - 1} axes, one less than 'input'", input2.shape)
    return lax.linalg.householder_product(input, input2)


@op("Ormqr(left=True, transpose=False)")
def ormqr(input: Array, tau: Array, other: Array, left: Bool = True, transpose: Bool = False):
    """Product of a matrix and the orthogonal factor of `geqrf`'s Householder reflections.

    Args:
        input (Tensor): shape ``(*, M, K)``: the vectors, below the diagonal.
        tau (Tensor): shape ``(*, min(M, K))``: the coefficients.
        other (Tensor): the matrix.
        left (bool): whether the factor is on the left. Default: ``True``.
        transpose (bool): whether to take its conjugate transpose. Default: ``False``.
    Returns:
        Tensor of the shape of ``other``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.ormqr(*ops.geqrf(Tensor([[3.0], [4.0]])), Tensor([[1.0], [0.0]])).shape
        (2, 1)
    Source: mindspore.ops.ormqr, mindspore.ops.Ormqr, mindspore.Tensor.ormqr
    """
    x = matrices(input, "Ormqr")
    size, count = x.shape[-2:]
    padded = jnp.concatenate([x, jnp.zeros((*x.shape[:-1], max(size - count, 0)), x.dtype)], axis=-1)
    factor = lax.linalg.householder_product(padded[..., :size], tau)
    factor = adjoint_of(factor) if transpose else factor
    return jnp.matmul(factor, other) if left else jnp.matmul(other, factor)


method("ormqr", (ormqr, "(input2, input3, left=True, transpose=False)", {"input2": "tau", "input3": "other"}))


# -- LU -------------------------------------------------------------------------------------------------------------


def _permutation(pivots, size):
    """The permutation that results from swapping row ``k`` with row ``pivots[k]`` (1-based) for each ``k`` in turn."""
    order = lax.linalg.lu_pivots_to_permutation(pivots.astype(jnp.int32) - 1, size)
    return order


@op("LuSolve", method="lu_solve")
@half_in_float32
def lu_solve(b: Array, LU_data: Array, LU_pivots: Array):
    """Solves ``A x = b`` for ``x``, given the factors of ``A``.

    Args:
        b (Tensor): shape ``(*, M, K)``, a float dtype.
        LU_data (Tensor): shape ``(*, M, M)``: both factors in one matrix.
        LU_pivots (Tensor): shape ``(*, M)``, int32: with which row, counted from 1, each was swapped.
    Returns:
        Tensor of the shape of ``b``.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.lu_solve(Tensor([[2.0]]), Tensor([[4.0]]), Tensor([1], mindspore.int32)).tolist()
        [[0.5]]
    Source: mindspore.ops.lu_solve, mindspore.ops.LuSolve, mindspore.Tensor.lu_solve
    """
    factors = square(LU_data, "LuSolve", "LU_data")
    order = _permutation(LU_pivots, factors.shape[-1])
    moved = jnp.take_along_axis(b, order[..., None], axis=-2)
    half = lax.linalg.triangular_solve(factors, moved, left_side=True, lower=True, unit_diagonal=True)
    return lax.linalg.triangular_solve(factors, half, left_side=True, lower=False)


def _look_at_pivots(LU_data, LU_pivots):
    expected = "made of numbers of rows, from 1 on"
    check_within(LU_pivots, 1, LU_data.aval[0][-2] + 1, "LU_pivots", "LuUnpack", ValueError, expected)


@op("LuUnpack(unpack_data=True, unpack_pivots=True)", look=_look_at_pivots)
def lu_unpack(
    LU_data: Array,
    LU_pivots: TensorOf("int8", "uint8", "int16", "int32", "int64"),
    unpack_data: Bool = True,
    unpack_pivots: Bool = True,
):
    """Unpacks an LU decomposition: ``A = p @ l @ u``.

    Args:
        LU_data (Tensor): shape ``(*, M, N)``: both factors in one matrix.
        LU_pivots (Tensor): shape ``(*, min(M, N))``, ints: with which row, counted from 1, each was swapped.
        unpack_data, unpack_pivots (bool): whether to return ``l`` and ``u``, or ``p``; as in MindSpore on a CPU, all
            are returned in any case. Default: ``True``.
    Returns:
        tuple of three Tensors ``p, l, u``.
    Raises:
        TypeError: for pivots of another dtype.  ValueError: if there are fewer than two axes, the shapes do not fit, or
            a pivot is known to be no row.
    Example:
        >>> ops.lu_unpack(Tensor([[4.0]]), Tensor([1], mindspore.int32))[2].tolist()
        [[4.0]]
    Source: mindspore.ops.lu_unpack, mindspore.ops.LuUnpack
    """
    check.at_least_rank(LU_data, 2, "LU_data", "LuUnpack")
    rows, columns = LU_data.shape[-2:]
    minimum = min(rows, columns)
    if LU_pivots.shape != (*LU_data.shape[:-2], minimum):
        expected = f"of the shape {(*LU_data.shape[:-2], minimum)}, one for each step"
        check.refuse(ValueError, "LuUnpack", "LU_pivots", expected, LU_pivots.shape)
    lower = jnp.tril(LU_data[..., :minimum], -1) + jnp.eye(rows, minimum, dtype=LU_data.dtype)
    order = _permutation(LU_pivots, rows)
    permutation = jax.nn.one_hot(order, rows, dtype=LU_data.dtype)
    return jnp.swapaxes(permutation, -1, -2), lower, jnp.triu(LU_data[..., :minimum, :])


# -- eigenvalues ----------------------------------------------------------------------------------------------------


@op()
def eig(A: Array):
    """Eigenvalues and eigenvectors of matrices. They have no form for a TPU, and vectors no derivative.

    Args:
        A (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        tuple of two Tensors, complex: eigenvalues ``(*, N)``, in no order, and vectors ``(*, N, N)``, the columns.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.eig(Tensor([[2.0, 0.0], [0.0, 3.0]]))[0].tolist()
        [(2+0j), (3+0j)]
    Source: mindspore.ops.eig
    """
    return tuple(jnp.linalg.eig(square(A, "Eig", "A")))


@op(method="eigvals")
def eigvals(A: Array):
    """The eigenvalues of matrices. They have no form for a TPU.

    Args:
        A (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
    Returns:
        Tensor, complex, of shape ``(*, N)``, in no order.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.eigvals(Tensor([[2.0, 0.0], [0.0, 3.0]])).tolist()
        [(2+0j), (3+0j)]
    Source: mindspore.ops.eigvals, mindspore.Tensor.eigvals
    """
    return jnp.linalg.eigvals(square(A, "Eig", "A"))


@op("Eig(compute_v=False)", name="_eig_primitive")
def eig_primitive(x: Array, compute_v: Bool = False):
    """Eigenvalues and eigenvectors of matrices. They have no form for a TPU.

    Args:
        x (Tensor): shape ``(*, N, N)``, float32, float64 or complex.
        compute_v (bool): whether to compute the vectors; if not, 0 comes. Default: ``False``.
    Returns:
        tuple of two Tensors, complex: eigenvalues ``(*, N)``, in no order, and vectors ``(*, N, N)``, the columns.
    Raises:
        TypeError: for another dtype.  ValueError: if the matrices are not square.
    Example:
        >>> ops.Eig()(Tensor([[2.0, 0.0], [0.0, 3.0]]))[0].tolist()
        [(2+0j), (3+0j)]
    Source: mindspore.ops.Eig
    """
    if compute_v:
        return eig(x)
    values = eigvals(x)
    return values, jnp.zeros((), values.dtype)
