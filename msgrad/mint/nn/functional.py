"""`mint.nn.functional`: layers as functions."""

from .. import _activation, _functional  # noqa: F401  they fill FUNCTIONAL
from .._dialect import FUNCTIONAL

globals().update(FUNCTIONAL.public())
__all__ = list(FUNCTIONAL.public())
