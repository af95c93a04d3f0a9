"""Distributions of random numbers, by their moments and bounds."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Distribution:
    """A distribution, by what a sample of it is compared with.

    Args:
        mean, std, kurtosis (float): moments; the kurtosis of a normal distribution is 3.
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
    """The distribution of numbers drawn in proportion to their weights."""
    values, weights = np.array(values, np.float64), np.array(weights) / np.sum(weights)
    mean = values @ weights
    std = np.sqrt((values - mean) ** 2 @ weights)
    kurtosis = ((values - mean) / std) ** 4 @ weights
    return Distribution(mean, std, kurtosis, values=tuple(values))


def uniform(low, high):
    return Distribution((low + high) / 2, (high - low) / 12**0.5, 1.8, low, high)


def poisson(rate):
    values = np.arange(40)
    return finite(values, rate**values / np.cumprod(np.maximum(values, 1.0)))
