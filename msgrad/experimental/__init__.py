"""``mindspore.experimental``: optimizers with groups as dicts, and their schedules."""

from . import optim

__all__ = ["optim"]
