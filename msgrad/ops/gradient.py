"""Operations on the flow of gradients."""

from jax import lax

from ..engine.handle import Handle, scope
from ..tensor.tensor import Tensor
from .define import Array, composite, op


@op(name="_stop_tensor")
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
    if isinstance(value, Handle):
        return Tensor(value) if scope.trace is None else _stop_tensor(value)
    if type(value) in (tuple, list):
        return type(value)([stop_gradient(item) for item in value])
    if isinstance(value, dict):
        return {key: stop_gradient(item) for key, item in value.items()}
    return value
