"""The fully connected layer."""

import math

from .. import ops
from ..engine import dtypes
from ..initializer import HeUniform, Uniform, initializer
from ..ops.check import refuse
from ..ops.contracts import Bool, PositiveInt, checked
from ..ops.primitive import Primitive
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .activation import get_activation
from .cell import Cell

__all__ = ["Dense"]


class Dense(Cell):
    """Fully connected layer: ``activation(x @ weight.T + bias)``, ``(*, in_channels) -> (*, out_channels)``.

    Args:
        in_channels, out_channels (int): length of the last axis of the input and of the output.
        weight_init, bias_init (Tensor | Initializer | str | Number): Default: He-uniform, uniform with the same bound.
        has_bias (bool): whether to add the bias. Default: ``True``.
        activation (str | Cell | Primitive | None): applied to the result. Default: ``None``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Parameters: ``weight`` of shape ``(out_channels, in_channels)``; ``bias`` of shape ``(out_channels,)``, or None.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Dense(2, 3)(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    Source: mindspore.nn.Dense
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init=None,
        bias_init=None,
        has_bias: Bool = True,
        activation=None,
        dtype=dtypes.float32,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        _check_shape("weight_init", weight_init, (out_channels, in_channels))
        weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(weight_init, (out_channels, in_channels), dtype), name="weight")
        self.bias = None
        if has_bias:
            _check_shape("bias_init", bias_init, (out_channels,))
            bias_init = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
            self.bias = Parameter(initializer(bias_init, (out_channels,), dtype), name="bias")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not isinstance(self.activation, (Cell, Primitive)):
            refuse(TypeError, "Dense", "activation", "a str, a Cell or a Primitive", activation)

    def construct(self, x):
        """``activation(x @ weight.T + bias)``."""
        y = ops.dense(x, self.weight, self.bias)
        return y if self.activation is None else self.activation(y)

    def extend_repr(self):
        """The sizes, and what there is beyond the product."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        return text if self.activation is None else f"{text}, activation={self.activation}"


def _check_shape(name, value, shape):
    if isinstance(value, Tensor) and value.shape != shape:
        refuse(ValueError, "Dense", name, f"of shape {shape}", value)
