"""The fully connected layer."""

import math

from .. import ops
from ..engine import dtypes
from ..initializer import HeUniform, Uniform, initializer
from ..ops import check
from ..ops.primitive import Primitive
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .activation import get_activation
from .cell import Cell


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

    def __init__(
        self,
        in_channels,
        out_channels,
        weight_init=None,
        bias_init=None,
        has_bias=True,
        activation=None,
        dtype=dtypes.float32,
    ):
        super().__init__()
        self.in_channels = check.positive_int(in_channels, "in_channels", "Dense")
        self.out_channels = check.positive_int(out_channels, "out_channels", "Dense")
        self.has_bias = check.boolean(has_bias, "has_bias", "Dense")
        _check_shapes(weight_init, bias_init if has_bias else None, in_channels, out_channels)
        weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(weight_init, (out_channels, in_channels), dtype), name="weight")
        self.bias = None
        if has_bias:
            bias_init = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
            self.bias = Parameter(initializer(bias_init, (out_channels,), dtype), name="bias")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not isinstance(self.activation, (Cell, Primitive)):
            raise TypeError(
                f"For 'Dense', the 'activation' must be str or Cell or Primitive, but got {type(activation).__name__}."
            )

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


def _check_shapes(weight, bias, in_channels, out_channels):
    if isinstance(weight, Tensor) and weight.shape != (out_channels, in_channels):
        raise ValueError(
            "For 'Dense', weight init shape error. The ndim of 'weight_init' must be equal to 2, and the first dim "
            "must be equal to 'out_channels', and the second dim must be equal to 'in_channels'. "
            f"But got 'weight_init': {weight}, 'out_channels': {out_channels}, 'in_channels': {in_channels}."
        )
    if isinstance(bias, Tensor) and bias.shape != (out_channels,):
        raise ValueError(
            "For 'Dense', bias init shape error. The ndim of 'bias_init' must be equal to 1, and the first dim must be "
            f"equal to 'out_channels'. But got 'bias_init': {bias}, 'out_channels': {out_channels}."
        )
