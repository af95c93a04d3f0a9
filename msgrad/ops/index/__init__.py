"""Gathering, scattering, selecting and reducing by indices."""

from . import embeddings, gathering, index_write, scatter_write, scattering, segments, selection  # noqa: F401  each registers its operations
