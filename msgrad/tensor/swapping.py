"""`swap_tensors`: exchanges two Tensors."""

import copyreg

from ..engine.handle import scope
from ..engine.recording.views import exchange
from ..engine.refusal import require
from .tensor import Tensor

_MSG_SLOTS = "For 'swap_tensors', both must have the same __slots__, but they are {} and {}."
_MSG_RECORDED = (
    "'swap_tensors' exchanges the objects themselves, which compiled programs and gradients cannot record: call it "
    "outside of them, or exchange the values with assign_value or set_data."
)


def swap_tensors(t1, t2):
    """Exchanges two Tensors in place: values, dtypes, storages with their views, classes and attributes.

    References to ``t1`` then see the former ``t2``: a Cell with the Parameter ``t1`` computes with it. MindSpore
    refuses Tensors with weak references; here these keep referring to the same object.

    Args:
        t1, t2 (Tensor): of any shapes; one may be a Parameter.
    Raises:
        TypeError: if one is not a Tensor.  RuntimeError: if their classes have different ``__slots__``, or while a
            function is recorded.
    Example:
        >>> a, b = Tensor([1.0]), Tensor([2, 3])
        >>> mindspore.swap_tensors(a, b)
        >>> a.tolist(), b.tolist()
        ([2, 3], [1.0])
    Source: mindspore.swap_tensors
    """
    slots = [set(copyreg._slotnames(type(require(each, Tensor, "swap_tensors", "t1 and t2")))) for each in (t1, t2)]
    if slots[0] != slots[1]:
        raise RuntimeError(_MSG_SLOTS.format(*map(sorted, slots)))
    if scope.trace is not None:
        raise RuntimeError(_MSG_RECORDED)
    exchange(t1, t2, slots[0])
