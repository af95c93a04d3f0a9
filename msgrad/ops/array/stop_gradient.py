"""`stop_gradient`: the identity, through which no gradient flows."""

from jax import lax

from ..._contracts.contracts import Array
from ...engine.handle import scope
from ...engine.pytrees import mapped
from ...tensor.tensor import Tensor
from .._core.define import composite, op


@op(name="_stop_tensor", view=True)
def _stop_tensor(value: Array):
    return lax.stop_gradient(value)


@composite("StopGradient")
def stop_gradient(value):
    """Returns ``value`` as a constant: no gradient flows through it.

    Args:
        value (Tensor | object): a Tensor, or a tuple, list or dict, in which every Tensor is stopped.
    Returns:
        Tensor of the same shape and dtype, or the same container; any other value is returned as it is.
    Example:
        >>> ms.grad(lambda x: ops.stop_gradient(x) * x)(Tensor([3.0])).tolist()
        [3.0]
    Source: mindspore.ops.stop_gradient, mindspore.ops.StopGradient
    """
    return mapped(Tensor if scope.trace is None else _stop_tensor, value)
