"""Linear interpolation of images at any coordinates."""

import itertools
from typing import Any

import jax.numpy as jnp


def pixels_at(image, indices) -> Any:
    """The pixels of ``image``, shape ``(C, *lengths)``, at whole ``indices``, one array for each axis; 0 outside."""
    lengths = image.shape[1:]
    inside = True
    for index, length in zip(indices, lengths, strict=True):
        inside = inside & (index >= 0) & (index < length)
    values = image[(slice(None), *[jnp.clip(p, 0, n - 1).astype(int) for p, n in zip(indices, lengths, strict=True)])]
    return jnp.where(inside, values, 0)


def interpolated(image, coordinates) -> Any:
    """The pixels of ``image``, shape ``(C, *lengths)``, at any ``coordinates``, by linear interpolation; 0 outside."""
    low = [jnp.floor(coordinate) for coordinate in coordinates]
    total = 0
    for steps in itertools.product((0, 1), repeat=len(coordinates)):
        share = 1
        for coordinate, start, step in zip(coordinates, low, steps, strict=True):
            share = share * (coordinate - start if step else start + 1 - coordinate)
        total = total + pixels_at(image, [start + step for start, step in zip(low, steps, strict=True)]) * share
    return total
