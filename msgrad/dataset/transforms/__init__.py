"""``mindspore.dataset.transforms``: transforms of arbitrary values."""

from .arrays import (
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Relational,
    Slice,
    TypeCast,
    Unique,
)
from .base import Transform, not_random
from .composing import Compose, RandomApply, RandomChoice, RandomOrder

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "not_random",
    "OneHot",
    "PadEnd",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "Transform",
    "TypeCast",
    "Unique",
]
