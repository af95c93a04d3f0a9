"""Communication between processes."""

from . import collective, in_place, objects, point_to_point, process_group  # noqa: F401  each registers its operations
