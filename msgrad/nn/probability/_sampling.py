"""Sampling functions shared by several distributions."""

import numpy as np

from ... import ops
from ...tensor.tensor import Tensor


def shares(shape, seed):
    """Uniformly distributed float32 numbers above 0 and below 1, so that both their logarithms are finite.

    Args:
        shape (tuple): of the result.
        seed (int): picks the stream.
    """
    return ops.uniform(shape, Tensor(np.finfo(np.float32).tiny), Tensor(np.float32(1)), seed)
