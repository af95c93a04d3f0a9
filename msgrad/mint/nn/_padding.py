"""Padding of the last one, two or three axes."""

from ... import ops
from ..._contracts import check
from ..._contracts.enforcement import enforced
from ..._contracts.kinds import Static
from ...ops._core.families import body
from ._layer import layer

__all__ = [
    "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
    "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d",
]  # fmt: skip

_DOC = """{phrase} at both ends of the last {axes}.

    Args:
        input (Tensor): any shape of enough axes.
        padding (int | tuple[int] | list[int]): the widths {order}, or one for all.{value}
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if a width is not an int.  ValueError: for another number of widths, or another argument.
    Example:
        >>> mint.nn.{example}(ops.ones({shape})).shape
        {result}
    Source: mindspore.mint.nn.{name}
    """
_VALUE = "\n        value (int | float): what is added."
_AXES = {1: "axis", 2: "two axes", 3: "three axes"}
_ORDER = {1: "``(left, right)``", 2: "``(left, right, top, bottom)``", 3: "``(left, right, top, bottom, front, back)``"}


def _widths(rank, minimum):
    """An int, or as many as there are ends; not below ``minimum``."""

    def take(value, arg_name, owner):
        if not isinstance(value, (int, tuple, list)) or isinstance(value, bool):
            check.refuse(ValueError, owner, arg_name, f"an int, or a tuple or list of {2 * rank}", value)
        widths = (value,) * 2 * rank if isinstance(value, int) else tuple(value)
        if len(widths) != 2 * rank:
            check.refuse(ValueError, owner, arg_name, f"an int, or {2 * rank} of them", value)
        for each in widths:
            if check.integer(each, arg_name, owner) < minimum or each == value == minimum:
                check.refuse(ValueError, owner, arg_name, "non-negative, and above 0 as one int", value)
        return widths

    return Static(take, int, tuple, list)


def _pad(name, rank, mode, phrase):
    """The function of a layer."""
    is_constant = mode == "constant"
    text = f"{name}(input: Array, padding: Widths" + (", value: Real)" if is_constant else ")")

    def compute(input, padding, value=None):
        return ops.pad(input, padding, mode, value)

    shape = (1, *(4,) * (rank + 1))
    fields = {"shape": shape, "result": (*shape[:2], *(6,) * rank), "axes": _AXES[rank], "order": _ORDER[rank]}
    fields |= {"example": f"{name}(1, 0.5)" if is_constant else f"{name}(1)", "value": _VALUE if is_constant else ""}
    further = {"Widths": _widths(rank, -(2**31) if is_constant else 0)}
    return enforced(body(text, compute, _DOC, further, phrase=phrase, **fields), name)


_constant1d = _pad("ConstantPad1d", 1, "constant", "A number")
_constant2d = _pad("ConstantPad2d", 2, "constant", "A number")
_constant3d = _pad("ConstantPad3d", 3, "constant", "A number")
ConstantPad1d = layer(_constant1d, "ConstantPad1d(padding, value)(input)")
ConstantPad2d = layer(_constant2d, "ConstantPad2d(padding, value)(input)")
ConstantPad3d = layer(_constant3d, "ConstantPad3d(padding, value)(input)")
ZeroPad1d = layer(_constant1d, "ZeroPad1d(padding)(input)", fixed={"value": 0})
ZeroPad2d = layer(_constant2d, "ZeroPad2d(padding)(input)", fixed={"value": 0})
ZeroPad3d = layer(_constant3d, "ZeroPad3d(padding)(input)", fixed={"value": 0})

_MIRROR = "What lies within, mirrored at the last element,"
ReflectionPad1d = layer(_pad("ReflectionPad1d", 1, "reflect", _MIRROR), "ReflectionPad1d(padding)(input)")
ReflectionPad2d = layer(_pad("ReflectionPad2d", 2, "reflect", _MIRROR), "ReflectionPad2d(padding)(input)")
ReflectionPad3d = layer(_pad("ReflectionPad3d", 3, "reflect", _MIRROR), "ReflectionPad3d(padding)(input)")

_REPEAT = "The last element, repeated,"
ReplicationPad1d = layer(_pad("ReplicationPad1d", 1, "replicate", _REPEAT), "ReplicationPad1d(padding)(input)")
ReplicationPad2d = layer(_pad("ReplicationPad2d", 2, "replicate", _REPEAT), "ReplicationPad2d(padding)(input)")
ReplicationPad3d = layer(_pad("ReplicationPad3d", 3, "replicate", _REPEAT), "ReplicationPad3d(padding)(input)")
