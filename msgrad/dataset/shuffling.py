"""Shuffling modes of datasets."""

import enum

from ..engine.refusal import refuse


class Shuffle(str, enum.Enum):  # noqa: UP042  as in MindSpore, whose str() of a member is its name
    """Shuffling modes: rows of all files, files, rows within files.  Source: mindspore.dataset.Shuffle"""

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"

    __str__ = enum.Enum.__str__


def shuffles(value, owner, default):
    """The `Shuffle` of an argument ``shuffle``: a bool, a Shuffle, or None for ``default`` (Shuffle).

    Raises:
        TypeError: if it is anything else.
    """
    if value is None:
        return default
    if isinstance(value, bool):
        return Shuffle.GLOBAL if value else Shuffle.FALSE
    if not isinstance(value, Shuffle):
        refuse(TypeError, owner, "shuffle", "a bool or a mindspore.dataset.Shuffle", value)
    return value
