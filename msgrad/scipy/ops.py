"""``mindspore.scipy.ops``: the Primitives behind `mindspore.scipy`."""

import jax
import jax.numpy as jnp
from jax import lax

from .._contracts import check
from .._contracts.kinds import TensorOf
from ..ops._core.define import op
from ..ops._core.faces import Dialect, primitive
from ..ops._core.primitive import Primitive, PrimitiveWithInfer, prim_attr_register
from ..ops._core.tables import Table
from ..ops.linalg import decompositions
from . import linalg
from .optimize import linear_sum_assignment

SCIPY_OPS = Dialect("mindspore.scipy.ops")
SCIPY_OPS.face(linalg.solve_triangular, "solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False)")


@op(name="_lu", dialect=SCIPY_OPS)
def _lu(x: TensorOf("float32", "float64")):
    """The factors ``x = P L U``, the latter two in one matrix.

    Args:
        x (Tensor): shape ``(*, M, N)``, float32 or float64.
    Returns:
        tuple of three Tensors: ``U`` on and above the diagonal and ``L`` below it; with which row each was swapped,
        int32, ``(*, min(M, N))``; ``P``, int32, ``(*, M, M)``.
    Raises:
        TypeError: for another dtype.  ValueError: if there are fewer than two axes.
    Example:
        >>> [each.tolist() for each in mindspore.scipy.ops.LU()(Tensor([[1.0, 2.0], [4.0, 4.0]]))]
        [[[4.0, 4.0], [0.25, 1.0]], [1, 1], [[0, 1], [1, 0]]]
    Source: mindspore.scipy.ops.LU
    """
    packed, pivots, order = lax.linalg.lu(check.at_least_rank(x, 2, "x", "LU"))
    return packed, pivots, jnp.swapaxes(jax.nn.one_hot(order, x.shape[-2], dtype=jnp.int32), -1, -2)


PRIMITIVES = Table()  # every one by name
for _target, _text in [
    (decompositions.eig_primitive, "Eig(compute_v=True)"),
    (_lu, "LU()"),
    (linear_sum_assignment, "LinearSumAssignment()(cost_matrix, dimension_limit, maximize)"),
    (linalg.solve_triangular, "SolveTriangular(lower=False, unit_diagonal=False, trans='N')(a, b)"),
]:
    primitive(_target, _text, table=PRIMITIVES, path=SCIPY_OPS.path, module=__name__)
globals().update({**PRIMITIVES, **SCIPY_OPS.public()})

__all__ = [*PRIMITIVES, *SCIPY_OPS.public(), "Primitive", "PrimitiveWithInfer", "prim_attr_register"]
