"""What a Tensor says of its memory: there is neither pinned nor shared memory nor a cache, and each has its own."""

from . import check
from .contracts import Array, Bool, Text
from .define import composite
from .faces import attach, method, primitive

_DEVICES = ("CPU", "GPU", "NPU", "ASCEND")


@composite(method="storage_offset", name="_storage_offset")
def _storage_offset(self: Array):
    """The place of the first element in the memory of the Tensor: 0, for each Tensor has memory of its own.

    Returns:
        int.
    Example:
        >>> Tensor([1, 2])[1:].storage_offset()
        0
    Source: mindspore.Tensor.storage_offset
    """
    return 0


@composite(method=("is_pinned", "is_shared"), name="_is_elsewhere")
def _is_elsewhere(self: Array):
    """Whether the memory is pinned, or shared between processes: never.

    Returns:
        bool.
    Example:
        >>> Tensor([1, 2]).is_pinned()
        False
    Source: mindspore.Tensor.is_pinned, mindspore.Tensor.is_shared
    """
    return False


def _is_meta(self):
    """Whether there are no values, only shape and dtype: never.

    Returns:
        bool.
    Example:
        >>> Tensor([1, 2]).is_meta
        False
    Source: mindspore.Tensor.is_meta
    """
    return False


attach(property(_is_meta), "is_meta")


@composite(method="flush_from_cache", name="_flush_from_cache")
def _flush_from_cache(self: Array):
    """Without effect: no values wait in a cache.

    Returns:
        None.
    Example:
        >>> Tensor([1, 2]).flush_from_cache()
    Source: mindspore.Tensor.flush_from_cache
    """


@composite(method="set_const_arg", name="_set_const_arg")
def _set_const_arg(self: Array, const_arg: Bool = True):
    """Says whether the Tensor is a constant where it is an argument of a network.

    Args:
        const_arg (bool): a hint without effect on results. Default: ``True``.
    Returns:
        Tensor, this one.
    Raises:
        TypeError: if ``const_arg`` is not a bool.
    Example:
        >>> Tensor([1, 2]).set_const_arg().const_arg
        True
    Source: mindspore.Tensor.set_const_arg
    """
    self.const_arg = const_arg
    return self


@composite()
def move_to(input: Array, to: Text = "CPU", blocking: Bool = True):
    """A copy on a device: a hint without effect, JAX places the data.

    Args:
        input (Tensor): any shape and dtype.
        to (str): ``'CPU'``, ``'GPU'``, ``'NPU'`` or ``'Ascend'``. Default: ``'CPU'``.
        blocking (bool): whether to wait for it. Default: ``True``.
    Returns:
        Tensor of the same values.
    Raises:
        TypeError: for arguments of other types.  ValueError: if the device is none of these.
    Example:
        >>> ops.move_to(Tensor([1, 2])).tolist()
        [1, 2]
    Source: mindspore.ops.move_to, mindspore.Tensor.move_to
    """
    check.one_of(to.upper(), _DEVICES, "to", "move_to")
    return input.copy()


method("move_to", (move_to, "(to, blocking=True)"))
primitive(move_to, "MoveTo()(input, to='CPU', blocking=True)")


@composite()
def deepcopy(input_x: Array):
    """A copy that shares nothing with the Tensor; gradients flow through.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input_x`` is no Tensor.
    Example:
        >>> ops.deepcopy(Tensor([1, 2])).tolist()
        [1, 2]
    Source: mindspore.ops.deepcopy
    """
    return input_x.copy()
