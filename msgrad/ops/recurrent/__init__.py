"""Recurrent networks."""

from . import layers, primitives  # noqa: F401  each registers its operations
