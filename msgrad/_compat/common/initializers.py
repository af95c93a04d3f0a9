"""``mindspore.common.initializer``: its private names, for programs that define Initializers."""

import numpy as np

from ..._contracts.check import refuse
from ...initializer import _BY_NAME, _fans, _gain

_INITIALIZER_ALIAS = _BY_NAME


def _register(*aliases):
    """A decorator that registers an Initializer's class under further names, besides its own in lower case."""

    def register(cls):
        for name in aliases:
            _BY_NAME.setdefault(name, cls)
        return cls

    return register


def _assignment(arr, num):
    """Fills an array with a number or an array; returns it."""
    arr[...] = num
    return arr


def _calculate_fan_in_and_fan_out(shape):
    """``(fan_in, fan_out)`` of a weight's shape; ValueError for fewer than two axes."""
    return _fans(shape)


def _calculate_in_and_out(arr):
    """`_calculate_fan_in_and_fan_out` of an array."""
    return _fans(arr.shape)


def _calculate_correct_fan(shape, mode):
    """The ``"fan_in"`` or the ``"fan_out"`` of a weight's shape.

    Raises:
        ValueError: if ``mode`` is neither.
    """
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        refuse(ValueError, "_calculate_correct_fan", "mode", f"one of {modes}", mode)
    return _fans(shape)[modes.index(mode.lower())]


def _calculate_gain(nonlinearity, param=None):
    """The gain of an activation; ``param`` is the negative slope of ``leaky_relu``."""
    return _gain(nonlinearity, 0.01 if param is None else param)


def _init_random_normal(mean, sigma, shape):
    """Normal numbers, a float32 array.

    Raises:
        ValueError: if ``sigma`` is negative.
    """
    if sigma < 0:
        refuse(ValueError, "_init_random_normal", "sigma", "a non-negative number", sigma)
    return np.random.normal(mean, sigma, shape).astype(np.float32)


def _init_random_uniform(a, b, shape):
    """Numbers from ``a`` to ``b``, a float32 array."""
    return np.random.uniform(a, b, shape).astype(np.float32)
