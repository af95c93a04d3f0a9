"""Fully connected and bilinear layers."""

import math

from ... import ops
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.handle import scope
from ...engine.refusal import refuse, require
from ...initializer import HeUniform, Uniform, initializer
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..cell import Cell
from .activation import activation_of

__all__ = ["BiDense", "Dense", "Linear"]


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
        self.weight, self.bias = _affine(
            "Dense", (out_channels, in_channels), HeUniform(math.sqrt(5)), (weight_init, bias_init), has_bias, dtype
        )
        self.activation = activation_of(activation, "Dense")
        self.activation_flag = self.activation is not None  # MindPet's subclasses read these

    def construct(self, x):
        """``activation(x @ weight.T + bias)``."""
        if self.bias is None or scope.casting is None:
            y = ops.dense(x, self.weight, self.bias)
        else:
            y = ops.dense(x, self.weight) + self.bias  # two operations, of which amp casts one
        return y if self.activation is None else self.activation(y)

    def extend_repr(self):
        """The sizes, whether there is a bias, and the activation."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        return text if self.activation is None else f"{text}, activation={self.activation}"


class Linear(Cell):
    """Fully connected layer: ``x @ weight.T + bias``, ``(*, in_features) -> (*, out_features)``.

    Args:
        in_features, out_features (int): length of the last axis of the input and of the output.
        bias (bool): whether to add the bias. Default: ``True``.
        weight_init, bias_init (Tensor | Initializer | str | Number): as for `Dense`.
        dtype (mindspore.dtype | None): of the Parameters. Default: ``None``, float32.
    Inputs: x (Tensor): the dtype of the Parameters. Output: Tensor.
    Parameters: ``weight`` of shape ``(out_features, in_features)``; ``bias`` of shape ``(out_features,)``, or None.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Linear(2, 3)(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    Source: mindspore.nn.Linear
    """

    @checked
    def __init__(
        self,
        in_features: PositiveInt,
        out_features: PositiveInt,
        bias: Bool = True,
        weight_init=None,
        bias_init=None,
        dtype=None,
    ):
        super().__init__()
        self.in_features, self.out_features, self.has_bias = in_features, out_features, bias
        dtype = dtypes.float32 if dtype is None else dtype
        self.weight, self.bias = _affine(
            "Linear", (out_features, in_features), HeUniform(math.sqrt(5)), (weight_init, bias_init), bias, dtype
        )

    def construct(self, x):
        """``x @ weight.T + bias``."""
        return ops.dense(x, self.weight, self.bias)

    def extend_repr(self):
        """The sizes."""
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class BiDense(Cell):
    """Bilinear layer: ``input1 @ weight[k] @ input2 + bias[k]`` for each channel ``k`` of the output.

    Args:
        in1_channels, in2_channels, out_channels (int): length of the last axis of the inputs and of the output.
        weight_init, bias_init (Tensor | Initializer | str | Number): Default: uniform, by ``in1_channels``.
        has_bias (bool): whether to add the bias. Default: ``True``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: input1, input2 (Tensor): shapes that differ only in the last axis. Output: Tensor.
    Parameters: ``weight`` of shape ``(out_channels, in1_channels, in2_channels)``; ``bias`` of shape
        ``(out_channels,)``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or a Tensor the wrong shape.
    Example:
        >>> nn.BiDense(2, 3, 4)(ops.ones((5, 2)), ops.ones((5, 3))).shape
        (5, 4)
    Source: mindspore.nn.BiDense
    """

    @checked
    def __init__(
        self,
        in1_channels: PositiveInt,
        in2_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init=None,
        bias_init=None,
        has_bias: Bool = True,
        dtype=dtypes.float32,
    ):
        super().__init__()
        self.in1_channels, self.in2_channels, self.out_channels = in1_channels, in2_channels, out_channels
        self.has_bias = has_bias
        shape, inits = (out_channels, in1_channels, in2_channels), (weight_init, bias_init)
        weight, bias = _affine("BiDense", shape, Uniform(1 / math.sqrt(in1_channels)), inits, has_bias, dtype)
        self.weight = weight
        if has_bias:
            self.bias = bias

    def construct(self, input1, input2):
        """The bilinear form of each pair, plus the bias."""
        for name, x, length in (("input1", input1, self.in1_channels), ("input2", input2, self.in2_channels)):
            require(x, Tensor, "BiDense", name)
            if x.shape[-1] != length:
                refuse(ValueError, "BiDense", name, f"of a last axis of length {length}", x)
        if input1.shape[:-1] != input2.shape[:-1]:
            refuse(ValueError, "BiDense", "input2", f"of the shape {(*input1.shape[:-1], self.in2_channels)}", input2)
        turned = ops.matmul(input1.expand_dims(-2).expand_dims(-2), self.weight).squeeze(-2)
        y = (turned * input2.expand_dims(-2)).sum(-1)
        return y + self.bias if self.has_bias else y

    def extend_repr(self):
        """The sizes."""
        text = f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}"
        text += f", output_channels={self.out_channels}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


def _affine(owner, shape, default, inits, has_bias, dtype):
    """Makes weight and bias (or None) from ``inits``; None stands for ``default``, and uniform by ``shape[1]``."""
    weight_init, bias_init = inits
    _check_shape(owner, "weight_init", weight_init, shape)
    weight = Parameter(initializer(default if weight_init is None else weight_init, shape, dtype), name="weight")
    if not has_bias:
        return weight, None
    _check_shape(owner, "bias_init", bias_init, shape[:1])
    bias_init = Uniform(1 / math.sqrt(shape[1])) if bias_init is None else bias_init
    return weight, Parameter(initializer(bias_init, shape[:1], dtype), name="bias")


def _check_shape(owner, name, value, shape):
    if isinstance(value, Tensor) and value.shape != shape:
        refuse(ValueError, owner, name, f"of shape {shape}", value)
