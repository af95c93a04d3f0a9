"""MindSpore's newer names for its operations, layers and optimizers: rows over `ops`, `nn` and their update rules."""

from . import _batch, _creation, _elementwise, _linear, _random, _reduction, _shaping, linalg, nn, special  # noqa: F401
from ._dialect import MINT

globals().update(MINT.public())
__all__ = [*MINT.public(), "linalg", "nn", "special"]
