"""Tests of MindSpore code: comparison with JAX functions, finite differences and between the modes."""

from .comparison import assert_close
from .drawing import random_like
from .gradient_check import check_gradients
from .jax_functions import assert_same
from .modes import assert_modes_agree

__all__ = ["assert_close", "assert_modes_agree", "assert_same", "check_gradients", "random_like"]
