"""Steps of optimizers, gradient clipping and loss scaling."""

from . import float_status, gradient_clipping, lars, optimization, optimizer_steps, overflow, sparse_steps  # noqa: F401  each registers its operations
