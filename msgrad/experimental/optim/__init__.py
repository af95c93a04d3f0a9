"""Optimizers whose parameter groups are dicts that a program reads and writes."""

from . import lr_scheduler
from .adagrad import Adadelta, Adagrad
from .adam import Adam, Adamax, AdamW, NAdam, RAdam
from .descent import ASGD, SGD, RMSprop, Rprop
from .optimizer import Optimizer

__all__ = [
    "ASGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SGD",
    "lr_scheduler",
]
