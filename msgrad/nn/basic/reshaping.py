"""Layers that reshape or rearrange elements."""

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Int
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...tensor.tensor import Tensor
from ..cell import Cell

__all__ = ["Flatten", "Identity", "OneHot", "Roll", "Unflatten"]


class Identity(Cell):
    """Its input, unchanged.

    Args:
        args, kwargs: anything, without effect, so that it can take the place of another layer.
    Inputs: input (any).
    Example:
        >>> nn.Identity()(3)
        3
    Source: mindspore.nn.Identity
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, input):
        """The input."""
        return input


class Flatten(Cell):
    """Joins the axes from ``start_dim`` to ``end_dim`` into one.

    Args:
        start_dim (int): Default: ``1``.
        end_dim (int): Default: ``-1``.
    Inputs: x (Tensor): any dtype.
    Raises:
        ValueError: if an axis is out of range, or the first after the last; a 0-d input has the axes -1 and 0.
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
        require(x, Tensor, "Flatten", "x")
        if x.ndim < 2 or (self.start_dim, self.end_dim) != (1, -1):  # axes that every other input has
            for name in ("start_dim", "end_dim"):
                check.axis(getattr(self, name), x.ndim, name, "Flatten")
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    """Splits an axis into several.

    Args:
        axis (int): the axis.
        unflattened_size (tuple[int] | list[int]): their lengths; one may be -1.
    Inputs: input_x (Tensor): any dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if the lengths do not fit.
    Example:
        >>> nn.Unflatten(1, (2, 2))(ops.ones((3, 4))).shape
        (3, 2, 2)
    Source: mindspore.nn.Unflatten
    """

    @checked
    def __init__(self, axis: Int, unflattened_size):
        super().__init__()
        self.axis = axis
        self.unflattened_size = tuple(require(unflattened_size, (list, tuple), "Unflatten", "unflattened_size"))

    def construct(self, input_x):
        """The input with that axis split."""
        shape, axis = input_x.shape, self.axis
        rest = () if axis == -1 else shape[axis + 1 :]
        return input_x.reshape((*shape[:axis], *self.unflattened_size, *rest))


class Roll(Cell):
    """Rolls elements along axes: those that leave at one end enter at the other.

    Args:
        shift, axis (int | tuple[int] | list[int]): the shifts, and as many axes.
    Inputs: input_x (Tensor): any dtype. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if their numbers differ, or there is no such axis.
    Example:
        >>> nn.Roll(1, 0)(Tensor([1, 2, 3])).tolist()
        [3, 1, 2]
    Source: mindspore.nn.Roll
    """

    def __init__(self, shift, axis):
        super().__init__()
        for name, value in (("shift", shift), ("axis", axis)):
            require(value, (int, tuple, list), "Roll", name)
        self.shift = shift if isinstance(shift, (tuple, list)) else [shift]
        self.axis = axis if isinstance(axis, (tuple, list)) else [axis]
        if len(self.shift) != len(self.axis):
            refuse(ValueError, "Roll", "shift", f"as many ints as 'axis' has, {len(self.axis)}", shift)

    def construct(self, input_x):
        """The rolled input."""
        return ops.roll(input_x, tuple(self.shift), tuple(self.axis))


class OneHot(Cell):
    """One-hot encoding: ``on_value`` at an index, ``off_value`` elsewhere, along a new axis.

    Args:
        axis (int): the new axis. Default: ``-1``.
        depth (int): its length. Default: ``1``.
        on_value, off_value (float): Default: ``1.0`` and ``0.0``.
        dtype (mindspore.dtype): of the result. Default: ``float32``.
    Inputs: indices (Tensor): an int dtype. Output: Tensor with one axis more.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, when it is called.
    Example:
        >>> nn.OneHot(depth=3)(Tensor([1])).tolist()
        [[0.0, 1.0, 0.0]]
    Source: mindspore.nn.OneHot
    """

    def __init__(self, axis=-1, depth=1, on_value=1.0, off_value=0.0, dtype=dtypes.float32):
        super().__init__()
        self.axis = axis
        self.depth = depth
        self.on_value = on_value
        self.off_value = off_value
        self.dtype = dtype

    def construct(self, indices):
        """The indices as rows."""
        values = Tensor(self.on_value, self.dtype), Tensor(self.off_value, self.dtype)
        return ops.one_hot(indices, self.depth, *values, self.axis)
