"""Communication between processes."""

from . import collective, process_group  # noqa: F401  each registers its operations
