"""Distributions, bijectors and Bayesian layers, each a declaration: what it takes, and formulas of that."""

from . import bijector, bnn_layers, distribution

__all__ = ["bijector", "bnn_layers", "distribution"]
