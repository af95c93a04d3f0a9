"""TimeDistributed: a layer applied at every step of a time axis."""

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Int
from ..._contracts.enforcement import checked
from ...engine.refusal import require
from ...ops._core.primitive import Primitive
from ...tensor.tensor import Tensor
from ..cell import Cell

__all__ = ["TimeDistributed"]


class TimeDistributed(Cell):
    """Applies a layer to each slice along the time axis, or once with the time axis merged into another.

    Args:
        layer (Cell | Primitive): what is applied.
        time_axis (int): the time axis of the input.
        reshape_with_axis (int | None): the axis to merge the time axis into; in the result the time axis is next to it.
            Default: ``None``: slice by slice, keeping the time axis.
    Inputs: inputs (Tensor): at least three axes. Output: Tensor.
    Raises:
        TypeError: if an argument has another type, or ``layer`` does not return a Tensor.  ValueError: for fewer axes.
    Example:
        >>> nn.TimeDistributed(nn.Dense(3, 4), time_axis=1, reshape_with_axis=0)(ops.ones((2, 5, 3))).shape
        (2, 5, 4)
    Source: mindspore.nn.TimeDistributed
    """

    @checked
    def __init__(self, layer, time_axis: Int, reshape_with_axis: Int | None = None):
        super().__init__()
        self.layer = require(layer, (Cell, Primitive), "TimeDistributed", "layer")
        self.time_axis = time_axis
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs):
        """The results for all slices."""
        require(inputs, Tensor, "TimeDistributed", "inputs")
        if inputs.ndim < 3:
            check.refuse(ValueError, "TimeDistributed", "inputs", "of at least 3 axes", inputs.shape)
        time = self.time_axis % inputs.ndim
        if self.reshape_with_axis is not None:
            return self._at_once(inputs, time, self.reshape_with_axis % inputs.ndim)
        return ops.stack([self._applied(each) for each in ops.unstack(inputs, time)], time)

    def _applied(self, x):
        return require(self.layer(x), Tensor, "TimeDistributed", "layer")

    def _at_once(self, inputs, time, axis):
        beside = axis - 1 if time < axis else min(axis + 1, inputs.ndim - 2)
        inputs = inputs.movedim(time, beside)
        first = min(beside, axis)
        pair, shape = inputs.shape[first : first + 2], inputs.shape
        y = self._applied(inputs.reshape((*shape[:first], -1, *shape[first + 2 :])))
        return y.reshape((*y.shape[:first], *pair, *y.shape[first + 1 :]))
