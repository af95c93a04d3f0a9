"""Linear algebra: products, decompositions, systems of equations."""

from . import addmm, decompositions, distances, linear_solve, matmul, matrices  # noqa: F401  each registers its operations
