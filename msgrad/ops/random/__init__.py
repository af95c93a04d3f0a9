"""Random numbers."""

from . import candidate_samplers, functions, methods, primitives  # noqa: F401  each registers its operations
