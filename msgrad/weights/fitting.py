"""How an array of a file becomes a Parameter of a given shape, and back."""

import dataclasses
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True)
class Form:
    """A change of an array that keeps its numbers.

    Attributes:
        words (str): what the report says of it; empty for none.
        to_net, to_file (function): of ``(array, shape)``, the new shape; each undoes the other.
    """

    words: str
    to_net: object
    to_file: object


def _reshaped(array, shape):
    return array.reshape(shape)


def _turned(array, shape):
    return np.ascontiguousarray(array.T)


SAME = Form("", _reshaped, _reshaped)
TRANSPOSED = Form("transposed", _turned, _turned)
LONE_AXES = Form("axes of length 1", _reshaped, _reshaped)  # MindSpore's Conv1d has one more, a Dense two less


def form_of(piece, parameter) -> Any:
    """The Form in which a piece of a file fits a Parameter; None if it does not."""
    if _kind(piece.dtype) != _kind(np.dtype(parameter.dtype.numpy)):
        return None
    old, new = piece.shape, tuple(parameter.shape)
    if piece.is_transposed and len(old) == 2:
        return TRANSPOSED if new == old[::-1] else None
    if old == new:
        return SAME
    if len(old) == 2 and new == old[::-1]:
        return TRANSPOSED
    if [length for length in old if length != 1] == [length for length in new if length != 1]:
        return LONE_AXES
    return None


def _kind(dtype):
    """The family of a dtype within which numbers are cast."""
    if dtype.kind in "iu":
        return "int"
    return "float" if dtype.kind in "fV" or "float" in dtype.name else dtype.kind
