"""Distributions, bijectors and Bayesian layers, each declared by its parameters and formulas."""

from . import bijector, bnn_layers, distribution

__all__ = ["bijector", "bnn_layers", "distribution"]
