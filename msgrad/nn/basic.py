"""Layers that only pass on or reshape."""

from .. import ops
from .cell import Cell

__all__ = ["Flatten", "Identity"]


class Identity(Cell):
    """Its input, unchanged.

    Inputs: input (any).
    Example:
        >>> nn.Identity()(3)
        3
    Source: mindspore.nn.Identity
    """

    def construct(self, input):
        """The input."""
        return input


class Flatten(Cell):
    """Joins the axes from ``start_dim`` to ``end_dim`` into one.

    Args:
        start_dim (int): Default: ``1``.
        end_dim (int): Default: ``-1``.
    Inputs: x (Tensor): any dtype.
    Example:
        >>> nn.Flatten()(ops.ones((2, 3, 4))).shape
        (2, 12)
    Source: mindspore.nn.Flatten
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, x):
        """The input with those axes joined."""
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)
