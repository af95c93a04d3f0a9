"""Linear algebra of `mint`."""

from . import _linear  # noqa: F401  it fills LINALG
from ._dialect import LINALG

globals().update(LINALG.public())
__all__ = list(LINALG.public())
