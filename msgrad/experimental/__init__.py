"""``mindspore.experimental``: optimizers whose parameter groups are dicts, and learning rate schedulers."""

from . import optim
from .map_parameter import MapParameter

__all__ = ["MapParameter", "optim"]
