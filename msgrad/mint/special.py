"""Special functions of `mint`."""

from . import _activation, _elementwise  # noqa: F401  they fill SPECIAL
from ._dialect import SPECIAL

globals().update(SPECIAL.public())
__all__ = list(SPECIAL.public())
