"""Summary operations: they store values while something reads them, such as an open `SummaryRecord`."""

from typing import Any

from ..._contracts import check
from ..._contracts.doc import filled
from ...engine.calls import staging
from ...engine.recording.results import wrap
from .._core.define import composite
from .._core.families import body

_DOC = """Keeps {phrase} for the next ``record`` of the open `SummaryRecord`; without one it has no effect.

    A compiled call that keeps values runs its Python each time, as one that prints does.

    Args:
        name (str): of the entry, not empty.
        value (Tensor): {value}.
    Returns:
        None.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the ``value`` has another shape, or the ``name`` is
            empty, where a record is open.
    Example:
        >>> ops.{name}()("loss", Tensor({example}))
    Source: mindspore.ops.{name}
    """

SHAPES = {
    "scalar": ("one element", lambda shape: all(length == 1 for length in shape)),
    "tensor": ("at least one axis", lambda shape: len(shape) > 0),
    "image": ("shape (N, C, H, W)", lambda shape: len(shape) == 4),
    "histogram": ("at least one axis", lambda shape: len(shape) > 0),
}


class Kept:
    """The values stored since the last reading, Tensors by ``(kind, name)``; None without a reader."""

    values: Any = None

    readers = 0


def begin():
    """Adds a reader with an empty store; compiled calls recorded without it are recorded again."""
    Kept.readers += 1
    Kept.values = {}
    staging.invalidate()


def end():
    """Removes a reader; the last closes the store."""
    Kept.readers -= 1
    if not Kept.readers:
        Kept.values = None
        staging.invalidate()


def take():
    """The values stored since the last call (dict)."""
    values, Kept.values = Kept.values, {}
    return values


def check_shape(kind, value, owner):
    """Raises for a value whose shape is not valid for its kind."""
    expected, fits = SHAPES[kind]
    if not fits(value.shape):
        check.refuse(ValueError, owner, "value", f"a Tensor of {expected}", value)


def _summary(kind, **fields):
    def keep(name, value):
        if Kept.values is None:
            return
        owner = f"{kind.capitalize()}Summary"
        if not name:
            check.refuse(ValueError, owner, "name", "a str that is not empty", name)
        check_shape(kind, value, owner)
        staging.note_side_effect()
        Kept.values[kind, name] = wrap(value._state_())

    name = f"{kind.capitalize()}Summary"
    doc = filled(_DOC, name=name, **fields)
    composite(f"{name}()(name, value)")(body(f"_{name}(name: Text, value: Array)", keep, doc))


_summary("scalar", phrase="a number", value="of one element", example="1.0")
_summary("tensor", phrase="a Tensor", value="of at least one axis", example="[1.0]")
_summary("image", phrase="images", value="shape ``(N, C, H, W)``", example="[[[[1.0]]]]")
_summary("histogram", phrase="a histogram", value="of at least one axis", example="[1.0]")
