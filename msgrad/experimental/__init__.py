"""``mindspore.experimental``: optimizers with groups as dicts, and their schedules."""

from . import optim
from .map_parameter import MapParameter

__all__ = ["MapParameter", "optim"]
