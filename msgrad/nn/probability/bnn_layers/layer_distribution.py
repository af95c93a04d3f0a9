"""Prior and posterior distributions of weights."""

import numpy as np

from .... import ops
from ...._contracts.check import number
from ...._contracts.choices import Instance
from ...._contracts.contracts import Real, Text
from ...._contracts.enforcement import checked
from ...._contracts.kinds import Static
from ....engine import dtypes
from ....engine.refusal import refuse
from ....tensor.parameter import Parameter
from ....tensor.tensor import Tensor
from ...cell import Cell
from ..distribution.normal import Normal


def _spread(value, arg_name, owner):
    if number(value, arg_name, owner) < 0:
        refuse(TypeError, owner, arg_name, "a non-negative number", value)
    return value


Spread = Static(_spread, int, float)


class NormalPrior(Cell):
    """A normal prior distribution of weights.

    Args:
        dtype (mindspore.dtype): of samples. Default: ``float32``.
        mean (int | float): Default: ``0``.
        std (int | float): above 0. Default: ``0.1``.
    Inputs: the name of a method of `Distribution`, and its arguments. Output: its result.
    Raises:
        TypeError, ValueError: as for `Normal`.
    Example:
        >>> nn.probability.bnn_layers.NormalPrior()("mean").item()
        0.0
    Source: mindspore.nn.probability.bnn_layers.NormalPrior
    """

    def __init__(self, dtype=dtypes.float32, mean=0, std=0.1):
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs):
        """Calls the method of the distribution."""
        return self.normal(*inputs)


class NormalPosterior(Cell):
    """A learned normal distribution with standard deviations ``log(1 + exp(untransformed_std)) + 1e-6``.

    Args:
        name (str): the Parameters are ``name_mean`` and ``name_untransformed_std``.
        shape (tuple | list): of the weights.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
        loc_mean, loc_std (int | float): of the normal distribution of initial means. Default: ``0``, ``0.1``.
        untransformed_scale_mean, untransformed_scale_std (int | float): of the normal distribution of the initial
            ``untransformed_std``. Default: ``-5``, ``0.1``.
    Inputs: the name of a method of `Distribution`, and its arguments. Output: its result.
    Parameters: ``mean`` and ``untransformed_std``.
    Raises:
        TypeError: for arguments of other types, or if a standard deviation is negative.
    Example:
        >>> nn.probability.bnn_layers.NormalPosterior("weight", (2, 3))("sample").shape
        (2, 3)
    Source: mindspore.nn.probability.bnn_layers.NormalPosterior
    """

    @checked
    def __init__(
        self,
        name: Text,
        shape: Instance((tuple, list)),
        dtype=dtypes.float32,
        loc_mean: Real = 0,
        loc_std: Spread = 0.1,
        untransformed_scale_mean: Real = -5,
        untransformed_scale_std: Spread = 0.1,
    ):
        super().__init__()
        self.mean = _drawn(loc_mean, loc_std, shape, dtype, f"{name}_mean")
        self.untransformed_std = _drawn(
            untransformed_scale_mean, untransformed_scale_std, shape, dtype, f"{name}_untransformed_std"
        )
        self.normal = Normal()

    def construct(self, *inputs):
        """Calls the method of the distribution."""
        std = ops.softplus(self.untransformed_std) + 1e-6
        return self.normal(*inputs, mean=self.mean, sd=std)


def _drawn(mean, std, shape, dtype, name):
    return Parameter(Tensor(np.random.normal(mean, std, shape), dtype), name=name)


def normal_post_fn(name, shape):
    """Makes a `NormalPosterior` of this name and shape."""
    return NormalPosterior(name=name, shape=shape)
