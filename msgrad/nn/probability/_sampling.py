"""Sampling functions shared by several distributions."""

import numpy as np

from ... import ops
from ...tensor.tensor import Tensor


def shares(shape, seed):
    """Uniform float32 numbers in the open interval (0, 1), so that ``log(u)`` and ``log(1 - u)`` are finite.

    Args:
        shape (tuple): of the result.
        seed (int): selects the random stream.
    """
    return ops.uniform(shape, Tensor(np.finfo(np.float32).tiny), Tensor(np.float32(1)), seed)
