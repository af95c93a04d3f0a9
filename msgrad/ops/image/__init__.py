"""Images: boxes, colors, patches, sampling and resizing."""

from . import boxes, color, glimpses, grid_sampling, non_max_suppression, patches, resize, sliding_windows  # noqa: F401  each registers its operations
