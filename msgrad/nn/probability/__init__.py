"""Distributions, bijectors and Bayesian layers, each a declaration: what it takes, and formulas of that."""

from . import bijector, distribution

__all__ = ["bijector", "distribution"]
