"""Contracts of matrices for ``mindspore.scipy.linalg``: ints become float64."""

from .._contracts import check
from .._contracts.kinds import TensorOf
from ..engine import dtypes

_REAL = ("int32", "int64", "float32", "float64")


class _Values(TensorOf):
    """A Tensor of one of a few dtypes; ints become float64, as in MindSpore."""

    def take(self, value, arg_name, owner):
        value = super().take(value, arg_name, owner)
        return value.astype(dtypes.float64) if value.aval[1].kind == "i" else value


class _Matrix(_Values):
    """A 2-d Tensor."""

    def take(self, value, arg_name, owner):
        value = super().take(value, arg_name, owner)
        if len(value.aval[0]) != 2:
            check.refuse(ValueError, owner, arg_name, "a matrix, of two axes", value)
        return value


class _Square(_Matrix):
    """A square matrix."""

    def take(self, value, arg_name, owner):
        value = super().take(value, arg_name, owner)
        if value.aval[0][0] != value.aval[0][1]:
            check.refuse(ValueError, owner, arg_name, "a square matrix", value)
        return value


Values, Matrix, Square = _Values(*_REAL), _Matrix(*_REAL), _Square(*_REAL)
Symmetric = _Square(*_REAL, "complex64", "complex128")
NAMES = {"Square": Square}
