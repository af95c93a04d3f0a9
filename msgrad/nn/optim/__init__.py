"""Optimizers."""

from .momentum import Momentum
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["SGD", "Momentum", "Optimizer"]
