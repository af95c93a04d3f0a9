"""Operations that return their input: identities, hints and dependencies."""

from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Arrays
from .._core.define import composite, op


@composite("Depend")
def depend(value, expr):
    """Returns ``value``. Operations run in program order anyway.

    Args:
        value (Tensor | object): the result.
        expr (Tensor | object): computed first in MindSpore; without effect.
    Returns:
        ``value``.
    Example:
        >>> ops.depend(Tensor([1]), Tensor([2])).tolist()
        [1]
    Source: mindspore.ops.depend, mindspore.ops.Depend
    """
    return value


@composite("ControlDepend(depend_mode=0)(src, dst)")
def control_depend(src, dst, depend_mode: OneOf(0, 1) = 0):
    """Returns ``dst``, which MindSpore 1.x ordered after ``src``. Operations run in program order anyway.

    Args:
        src, dst (Tensor | object): the first and the second one.
        depend_mode (int): without effect. Default: ``0``.
    Returns:
        ``dst``.
    Raises:
        ValueError: for another mode.
    Example:
        >>> ops.control_depend(Tensor([1]), Tensor([2])).tolist()
        [2]
    Source: mindspore.ops.control_depend, mindspore.ops.ControlDepend
    """
    return dst


@op("IdentityN", name="_identities")
def _identities(x: Arrays):
    """Copies several Tensors.

    Args:
        x (tuple[Tensor] | list[Tensor]): what to copy.
    Returns:
        tuple[Tensor], which share no storage with ``x``.
    Raises:
        TypeError: if ``x`` are not Tensors.
    Example:
        >>> [each.tolist() for each in ops.IdentityN()([Tensor([1]), Tensor([2])])]
        [[1], [2]]
    Source: mindspore.ops.IdentityN
    """
    return tuple(x)


@op("Identity", name="_copy_of")
def _copy_of(input_x: Array):
    """Copies a Tensor.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        Tensor of the same shape and dtype, which shares no storage with ``input_x``.
    Raises:
        TypeError: if ``input_x`` is not a Tensor.
    Example:
        >>> x = Tensor([1, 2])
        >>> y = ops.Identity()(x)
        >>> y[0] = 5
        >>> x.tolist()
        [1, 2]
    Source: mindspore.ops.Identity
    """
    return input_x


@composite()
def identity(x):
    """Returns ``x`` itself.

    Args:
        x (Tensor | object): what to return.
    Returns:
        ``x``.
    Example:
        >>> ops.identity(Tensor([1])).tolist()
        [1]
    Source: mindspore.ops.identity
    """
    return x


@composite("UpdateState()(first, *others)", name="_update_state")
def _update_state(first, *others):
    """Returns its first argument. Operations run in program order anyway.

    Args:
        first (Tensor | object): the result.
        others (Tensor | object): computed first in MindSpore; without effect.
    Returns:
        ``first``.
    Example:
        >>> ops.UpdateState()(Tensor([1]), Tensor([2])).tolist()
        [1]
    Source: mindspore.ops.UpdateState
    """
    return first
