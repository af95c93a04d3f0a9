"""Linear sum assignment (the Hungarian problem)."""

import sys

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool
from ..._contracts.kinds import TensorOf
from ...ops._core.define import composite
from ...tensor.numbers import constant
from ...tensor.tensor import Tensor
from ._dialect import OPTIMIZE

_OWNER = "LinearSumAssignment"


@composite(dialect=OPTIMIZE)
def linear_sum_assignment(
    cost_matrix: Array,
    maximize: Bool,
    dimension_limit: TensorOf("int64") = Tensor(sys.maxsize),  # noqa: B008
):
    """The assignment of rows to columns with the smallest total cost; reads values on the host.

    SciPy computes it, which JAX brings along.

    Args:
        cost_matrix (Tensor): shape ``(M, N)``, bool, an int or a float dtype.
        maximize (bool): whether the sum shall be the largest.
        dimension_limit (Tensor): int64, without axes: how many columns there are, the others do not count. Default:
            no limit.
    Returns:
        tuple of two Tensors, int64, of the shorter of both lengths: rows, ascending, and the column of each, with -1
        behind them where the limit leaves fewer.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``cost_matrix`` has not two axes.
        RuntimeError: if there is no such assignment, or the limit is not positive.
    Example:
        >>> cost = Tensor([[4.0, 1.0], [2.0, 0.5]])
        >>> mindspore.scipy.optimize.linear_sum_assignment(cost, False)[1].tolist()
        [1, 0]
    Source: mindspore.scipy.optimize.linear_sum_assignment
    """
    from scipy.optimize import linear_sum_assignment as assigned  # imported here, since it is slow to import

    shape, dtype = cost_matrix.aval
    if len(shape) != 2:
        check.refuse(ValueError, _OWNER, "cost_matrix", "a matrix", cost_matrix)
    if dtype.kind not in "biuf":
        check.refuse(TypeError, _OWNER, "cost_matrix", "a Tensor of bool, ints or floats", cost_matrix)
    limit = dimension_limit._values_().item()
    if limit < 1:
        check.refuse(RuntimeError, _OWNER, "dimension_limit", "positive", limit)
    try:
        pairs = assigned(cost_matrix._values_()[:, :limit].astype(np.float64), maximize)
    except ValueError as error:
        raise RuntimeError(f"For '{_OWNER}', the 'cost_matrix' allows no assignment: {error}.") from None
    return tuple(constant(np.pad(each, (0, min(shape) - len(each)), constant_values=-1)) for each in pairs)
