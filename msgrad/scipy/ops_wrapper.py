"""``mindspore.scipy.ops_wrapper``: an operation under an older name."""

from .. import ops
from ..ops._core.faces import Dialect

_WRAPPER = Dialect("mindspore.scipy.ops_wrapper")

matrix_set_diag = _WRAPPER.face(
    ops.matrix_set_diag, "matrix_set_diag(input_x, diagonal, k=0, alignment='RIGHT_LEFT')", alignment="align"
)

__all__ = ["matrix_set_diag"]
