"""``mindspore.set_dump``: selects Cells whose values an Ascend chip dumps to files; on other devices it warns."""

import warnings

from ..._contracts import check
from ...nn.cell import Cell
from ...ops._core.primitive import Primitive

_MSG_NOTHING = (
    "set_dump has no effect: dumps are written only on Ascend. Print or save values in a hook, "
    "cell.register_forward_hook(function), or run msgrad compare."
)


def set_dump(target, enabled=True):
    """Accepts a Cell or Primitive to dump on Ascend, and warns that nothing is written here.

    Args:
        target (Cell | Primitive): whose values.
        enabled (bool): whether to write them. Default: ``True``.
    Raises:
        ValueError: if an argument is of another type.
    Example:
        >>> mindspore.set_dump(ops.Add(), False)
    Source: mindspore.set_dump
    """
    if not isinstance(target, (Cell, Primitive)):
        check.refuse(ValueError, "set_dump", "target", "a Cell or a Primitive", target)
    if not isinstance(enabled, bool):
        check.refuse(ValueError, "set_dump", "enabled", "a bool", enabled)
    if enabled:
        warnings.warn(_MSG_NOTHING, stacklevel=2)
