"""Matrix products, linear systems and norms."""

import string

from .. import ops
from .._contracts.choices import OneOf
from .._contracts.contracts import Array, Axes, Bool, Dtype
from ..engine.refusal import refuse
from ..ops._core.define import composite
from ..ops._core.families import body
from ..ops.linalg.distances import cdist
from ..ops.linalg.linear_solve import _triangular_solve_of
from ._dialect import LINALG, MINT, in_place

MINT.share("addbmm addmm addmv inverse matmul mm outer")
MINT.face(ops.baddbmm_ext, "baddbmm(input, batch1, batch2, *, beta=1, alpha=1)")
MINT.face(ops.bmm, "bmm(input, mat2)")
MINT.face(
    cdist,
    "cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')",
    hints=("compute_mode",),
)
MINT.face(ops.mv, "mv(input, vec)")
MINT.face(_triangular_solve_of, "triangular_solve(b, A, upper=True, transpose=False, unitriangular=False)")
in_place(
    MINT,
    "addr_(input: Array, vec1: Array, vec2: Array, beta: Operand = 1, alpha: Operand = 1)",
    lambda input, vec1, vec2, beta, alpha: ops.addr(input, vec1, vec2, beta=beta, alpha=alpha),
    "mint.addr_(Tensor([[1.0]]), Tensor([2.0]), Tensor([3.0])).tolist()",
    "[[7.0]]",
    phrase="``beta * input + alpha * outer(vec1, vec2)``",
    arguments="""
        vec1, vec2 (Tensor): shapes ``(M,)`` and ``(N,)``.
        beta, alpha (Number): Default: ``1``, ``1``.""",
)

LINALG.share("norm")
LINALG.face(ops.inverse, "inv(input)")
LINALG.face(ops.matrix_norm, "matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None)")
LINALG.face(ops.vector_norm, "vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None)")


@composite(dialect=LINALG)
def qr(A: Array, mode: OneOf("reduced", "complete", "r") = "reduced"):
    """QR decomposition into orthogonal and upper triangular factors: ``A = q @ r``.

    Args:
        A (Tensor): shape ``(*, M, N)``, float32, float64 or complex.
        mode (str): ``'reduced'``; ``'complete'``, with a square ``q``; or ``'r'``, with an empty ``q``.
            Default: ``'reduced'``.
    Returns:
        tuple of two Tensors ``q, r``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes, or for another mode.
    Example:
        >>> q, r = mint.linalg.qr(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> mint.matmul(q, r).round().tolist()
        [[3.0, 1.0], [4.0, 2.0]]
    Source: mindspore.mint.linalg.qr
    """
    q, r = ops.qr(A, "reduced" if mode == "r" else mode)
    return (ops.zeros((0,), A.dtype), r) if mode == "r" else (q, r)


@composite(dialect=MINT)
def einsum(equation, *operands):
    """Einstein summation.

    Args:
        equation (str | Tensor): as for `ops.einsum`, ``"ij,jk->ik"``; or the first operand.
        operands (Tensor, ... | list[int]): the Tensors; or each followed by the list of its axes, ints below 52 or
            ``...``, and at the end that of the result's, if it is given.
    Returns:
        Tensor.
    Raises:
        TypeError: if an operand is not a Tensor.  ValueError: if the equation does not fit.
    Example:
        >>> mint.einsum("ij->i", Tensor([[1.0, 2.0]])).tolist()
        [3.0]
        >>> mint.einsum(Tensor([[1.0, 2.0]]), [0, 1], [0]).tolist()
        [3.0]
    Source: mindspore.mint.einsum
    """
    if isinstance(equation, str):
        return ops.einsum_ext(equation, *operands)
    parts = (equation, *operands)
    sides = [_letters(axes) for axes in parts[1::2]]
    result = f"->{_letters(parts[-1])}" if len(parts) % 2 else ""
    return ops.einsum_ext(",".join(sides) + result, *parts[: 2 * len(sides) : 2])


def _letters(axes):
    """The letters of a list of axes: 0 is A, 26 is a."""
    for each in axes:
        if each is not ... and not 0 <= each < 52:
            refuse(ValueError, "einsum", "operands", "lists of ints from 0 to 51", axes)
    letters = string.ascii_uppercase + string.ascii_lowercase
    return "".join(["..." if each is ... else letters[each] for each in axes])


def _vectors(owner, input, other):
    for name, operand in (("input", input), ("other", other)):
        if operand.ndim != 1:
            refuse(ValueError, owner, name, "a vector", operand)
    if input.shape != other.shape:
        refuse(ValueError, owner, "other", f"of shape {input.shape}", other)


_DOT = """{summary}

    Args:
        input, other (Tensor): shape ``(N,)``, one dtype.
    Returns:
        Tensor, 0-d.
    Raises:
        TypeError: if dtypes differ.  ValueError: if they are not vectors of equal length.
    Example:
        >>> mint.{name}({example}).item()
        {value}
    Source: mindspore.mint.{name}
    """


def _dot(name, compute, summary, example, value):
    def checked(input, other):
        _vectors(name, input, other)
        return compute(input, other)

    text = f"{name}(input: Array, other: Array)"
    composite(dialect=MINT)(body(text, checked, _DOT, summary=summary, example=example, value=value))


def _vdot(input, other):
    return ops.inner(ops.conj(input) if ops.is_complex(input) else input, other)


_dot("dot", ops.inner, "Dot product of two vectors.", "Tensor([2.0, 3.0]), Tensor([2.0, 1.0])", "7.0")
_dot("vdot", _vdot, "`dot` with the complex conjugate of the first vector.", "Tensor([1j]), Tensor([1j])", "(1+0j)")


@composite(dialect=MINT)
def norm(input: Array, p="fro", dim: Axes = None, keepdim: Bool = False, *, dtype: Dtype | None = None):
    """The norm of vectors, or of matrices if ``p`` is ``'fro'`` or ``'nuc'``.

    Args:
        input (Tensor): any shape.
        p (int | float | str): of the vectors, ``'fro'`` or ``'nuc'``. Default: ``'fro'``.
        dim (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype | None): to which ``input`` is cast first. Default: ``None``.
    Returns:
        Tensor, of ints in float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``p``, or other axes than it takes.
    Example:
        >>> mint.norm(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.mint.norm
    """
    if p == "nuc":
        return ops.matrix_norm(input, p, tuple(range(input.ndim)) if dim is None else dim, keepdim, dtype=dtype)
    if p == "fro":
        if isinstance(dim, (tuple, list)) and len(dim) > 2:
            refuse(ValueError, "norm", "dim", "at most two axes for 'fro'", dim)
        return ops.vector_norm(input, 2, dim, keepdim, dtype=dtype)
    if not isinstance(p, (int, float)):
        refuse(ValueError, "norm", "p", "a number, 'fro' or 'nuc'", p)
    return ops.vector_norm(input, p, dim, keepdim, dtype=dtype)
