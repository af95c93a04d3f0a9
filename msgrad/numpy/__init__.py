"""``mindspore.numpy``: NumPy's functions over ``mindspore.ops``, one file for each family."""

from . import (  # noqa: F401  each registers its functions
    _creation,
    _elementwise,
    _grids,
    _histograms,
    _logic,
    _padding,
    _polynomials,
    _products,
    _reductions,
    _selecting,
    _shaping,
    _statistics,
    fft,
)
from ._dialect import NUMPY
from ._grids import mgrid, ogrid  # noqa: F401
from .dtypes import *  # noqa: F403
from .dtypes import numeric_types

globals().update(NUMPY.public())
__all__ = sorted([*NUMPY.public(), *numeric_types, "mgrid", "ogrid"])
