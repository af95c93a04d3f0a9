"""Layers of `mint`; each file lists its own names."""

from ...nn.cell import Cell  # noqa: F401  programs find it here too
from . import _convolution, _normalization, _padding, _rows, functional
from ._convolution import *
from ._normalization import *
from ._padding import *
from ._rows import *

__all__ = [*_convolution.__all__, *_normalization.__all__, *_padding.__all__, *_rows.__all__, "functional"]
