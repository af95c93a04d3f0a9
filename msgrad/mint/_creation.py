"""Creation of Tensors from shapes and numbers."""

from .. import ops
from .._contracts.contracts import Array, Bool, Dtype, NonNegativeInt, Real, Sequence, Shape
from .._contracts.kinds import accepted
from ..engine import dtypes
from ..engine.refusal import refuse
from ..ops._core.define import composite
from ..tensor.tensor import Tensor
from ._dialect import MINT

MINT.share("arange eye full_like ones_like zeros_like")
MINT.face(ops.ones, "ones(size, *, dtype=None)")
MINT.face(ops.zeros, "zeros(size, *, dtype=None)")


@composite(dialect=MINT)
def full(size: Sequence, fill_value, *, dtype: Dtype | None = None):
    """A Tensor of one value.

    Args:
        size (tuple[int] | list[int]): the shape.
        fill_value (Number | Tensor): the value.
        dtype (mindspore.dtype | None): Default: ``None``, that of the value: bool, int64 or float32.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> mint.full((2,), 1.5).tolist()
        [1.5, 1.5]
    Source: mindspore.mint.full
    """
    return ops.full(size, fill_value, dtype=dtype or Tensor(fill_value).dtype)


@composite(dialect=MINT)
def linspace(start: Real, end: Real, steps: NonNegativeInt, *, dtype: Dtype | None = None):
    """Evenly spaced numbers, both ends included.

    Args:
        start, end (int | float): the first and the last.
        steps (int): how many.
        dtype (mindspore.dtype | None): Default: ``None``, float32.
    Returns:
        Tensor of shape ``(steps,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``steps`` is negative.
    Example:
        >>> mint.linspace(0, 1, 3).tolist()
        [0.0, 0.5, 1.0]
    Source: mindspore.mint.linspace
    """
    if steps == 0:
        return ops.zeros((0,), dtype)
    wide = dtypes.float64 if dtype == dtypes.float64 else dtypes.float32
    result = ops.linspace(Tensor(start, wide), Tensor(end, wide), steps)
    return result if dtype in (None, wide) else result.astype(dtype)


def _check_memory(owner, device, pin_memory):
    if pin_memory and device not in ("cpu", "CPU"):
        refuse(RuntimeError, owner, "device", "'cpu' for pinned memory", device)


@composite(dialect=MINT)
def empty(*size, dtype: Dtype | None = None, device=None, pin_memory: Bool = False):
    """An uninitialized Tensor: zeros here.

    Args:
        size (int, ... | tuple[int] | list[int]): the shape.
        dtype (mindspore.dtype | None): Default: ``None``, float32.
        device (str | None): without effect, as JAX places Tensors. Default: ``None``.
        pin_memory (bool): without effect; with it ``device`` is ``'cpu'``. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``size`` is not made of ints.  RuntimeError: if memory of another device is to be pinned.
    Example:
        >>> mint.empty(2, 3).shape
        (2, 3)
    Source: mindspore.mint.empty
    """
    _check_memory("empty", device, pin_memory)
    return ops.zeros(accepted(Shape, size[0] if len(size) == 1 else size, "size", "empty"), dtype)


@composite(dialect=MINT)
def empty_like(input: Array, *, dtype: Dtype | None = None, device=None, pin_memory: Bool = False):
    """An uninitialized Tensor in the shape of another: zeros here.

    Args:
        input (Tensor): any shape and dtype.
        dtype (mindspore.dtype | None): Default: ``None``, that of ``input``.
        device (str | None): without effect, as JAX places Tensors. Default: ``None``.
        pin_memory (bool): without effect; with it ``device`` is ``'cpu'``. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is not a Tensor.  RuntimeError: if memory of another device is to be pinned.
    Example:
        >>> mint.empty_like(Tensor([1, 2])).shape
        (2,)
    Source: mindspore.mint.empty_like
    """
    _check_memory("empty_like", device, pin_memory)
    return ops.zeros_like(input, dtype=dtype)
