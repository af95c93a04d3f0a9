"""Elementwise mathematics, reductions, statistics, order and transforms."""

from . import (  # noqa: F401  each registers its operations
    argminmax,
    arithmetic,
    bessel,
    clamp,
    complex_numbers,
    cumulative,
    differences,
    division,
    elementwise,
    fourier,
    histograms,
    logic,
    operators,
    quantiles,
    reduction,
    search,
    signal_windows,
    sorting,
    special,
    statistics,
)
