"""Arrays of any shape, the same at each call: what the tests of programs of many sizes compute with."""

import numpy as np


def floats(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def ints(most, *shape):
    return np.random.default_rng(sum(shape)).integers(0, most, shape).astype(np.int32)


def positive(*shape):
    return np.abs(floats(*shape)) + 0.1
