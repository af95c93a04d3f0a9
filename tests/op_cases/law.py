"""Laws of random numbers."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Law:
    """What the numbers of a distribution have in common.

    Args:
        mean, std, kurtosis (float): moments; the kurtosis is that which is 3 for the normal law.
        low, high (float): all numbers are in ``[low, high]``.
        values (tuple): all the numbers that can occur; None where they are not finite in number.
    """

    mean: float
    std: float
    kurtosis: float
    low: float = -np.inf
    high: float = np.inf
    values: tuple | None = None


def finite(values, weights):
    """The law of numbers that occur in proportion to their weights."""
    values, weights = np.array(values, np.float64), np.array(weights) / np.sum(weights)
    mean = values @ weights
    std = np.sqrt((values - mean) ** 2 @ weights)
    kurtosis = ((values - mean) / std) ** 4 @ weights
    return Law(mean, std, kurtosis, values=tuple(values))


def uniform(low, high):
    return Law((low + high) / 2, (high - low) / 12**0.5, 1.8, low, high)


def poisson(rate):
    values = np.arange(40)
    return finite(values, rate**values / np.cumprod(np.maximum(values, 1.0)))
