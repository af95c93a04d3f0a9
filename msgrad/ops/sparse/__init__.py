"""Sparse Tensors."""

from . import coo, csr, elementwise, matrices, parts  # noqa: F401  each registers its operations
