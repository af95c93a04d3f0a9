"""Optimizers."""

from .adadelta import Adadelta
from .adafactor import AdaFactor
from .adagrad import Adagrad, ProximalAdagrad
from .adam import Adam, AdamOffload, AdamWeightDecay, LazyAdam
from .adamax import AdaMax
from .asgd import ASGD
from .ftrl import FTRL
from .lamb import Lamb
from .lars import LARS
from .momentum import Momentum
from .optimizer import Optimizer
from .rmsprop import RMSProp
from .rprop import Rprop
from .sgd import SGD

__all__ = [
    "ASGD",
    "AdaFactor",
    "AdaMax",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "FTRL",
    "LARS",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "Optimizer",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
    "SGD",
]
