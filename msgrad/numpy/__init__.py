"""``mindspore.numpy``: functions under NumPy's names, over ``mindspore.ops``; each file is a family of them."""

from . import (  # noqa: F401  each registers its functions
    creation,
    elementwise,
    fft,
    grids,
    histograms,
    logic,
    padding,
    polynomials,
    products,
    reductions,
    selecting,
    shaping,
    statistics,
)
from ._dialect import NUMPY
from .dtypes import *  # noqa: F403
from .dtypes import numeric_types
from .grids import mgrid, ogrid  # noqa: F401

globals().update(NUMPY.public())
__all__ = sorted([*NUMPY.public(), *numeric_types, "mgrid", "ogrid"])
