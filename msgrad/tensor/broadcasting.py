"""Which shapes broadcast."""


def can_broadcast(shape, expected):
    """Whether an array of ``shape`` broadcasts to ``expected``."""
    return len(shape) <= len(expected) and all(a in (1, b) for a, b in zip(shape[::-1], expected[::-1], strict=False))
