"""Special functions of `mint`."""

from . import _elementwise  # noqa: F401  it fills SPECIAL
from ._dialect import SPECIAL
from .nn import functional  # noqa: F401  it adds log_softmax

globals().update(SPECIAL.public())
__all__ = list(SPECIAL.public())
