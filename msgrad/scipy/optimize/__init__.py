"""``mindspore.scipy.optimize``: minimization, line search, linear assignment."""

from ._assignment import linear_sum_assignment
from ._line_search import line_search
from ._minimize import minimize

__all__ = ["line_search", "linear_sum_assignment", "minimize"]
