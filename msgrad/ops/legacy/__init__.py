"""Names of MindSpore 1.x and of its inner modules, and what is left out."""

from . import former_names, instances, left_out  # noqa: F401  each registers its operations
