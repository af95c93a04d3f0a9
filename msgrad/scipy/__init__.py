"""``mindspore.scipy``: SciPy's functions over ``jax.scipy`` and ``mindspore.ops``."""

from . import fft, linalg, ops, ops_wrapper, optimize, utils

__all__ = ["fft", "linalg", "ops", "ops_wrapper", "optimize", "utils"]
