"""Limits on the cores of an Ascend chip: hints without effect."""

from .._contracts import check
from ..engine.refusal import require
from .streams import Stream

_NONE = {"cube_core_num": 0, "vector_core_num": 0}


def get_device_limit(device):
    """The number of Ascend cores of each kind that a device may use (dict): 0.

    Args:
        device (int): its number.
    Raises:
        TypeError: if it is not an int.
    Example:
        >>> mindspore.runtime.get_device_limit(0)
        {'cube_core_num': 0, 'vector_core_num': 0}
    Source: mindspore.runtime.get_device_limit
    """
    check.integer(device, "device", "get_device_limit")
    return dict(_NONE)


def set_device_limit(device, cube_num=-1, vector_num=-1):
    """A hint for Ascend chips, without effect.

    Args:
        device (int): its number.
        cube_num, vector_num (int): how many cores of each kind. Default: ``-1``.
    Raises:
        TypeError: for other values.
    Source: mindspore.runtime.set_device_limit
    """
    check.integer(device, "device", "set_device_limit")
    _check_counts(cube_num, vector_num, "set_device_limit")


def get_stream_limit(stream):
    """The number of Ascend cores of each kind that a `Stream` may use (dict): 0.

    Raises:
        TypeError: if it is not a Stream.
    Source: mindspore.runtime.get_stream_limit
    """
    require(stream, Stream, "get_stream_limit", "stream")
    return dict(_NONE)


def set_stream_limit(stream, cube_num=-1, vector_num=-1):
    """A hint for Ascend chips, without effect.

    Args:
        stream (Stream): which.
        cube_num, vector_num (int): how many cores of each kind. Default: ``-1``.
    Raises:
        TypeError: for other values.
    Source: mindspore.runtime.set_stream_limit
    """
    require(stream, Stream, "set_stream_limit", "stream")
    _check_counts(cube_num, vector_num, "set_stream_limit")


def reset_stream_limit(stream):
    """A hint for Ascend chips, without effect.

    Raises:
        TypeError: if it is not a Stream.
    Source: mindspore.runtime.reset_stream_limit
    """
    require(stream, Stream, "reset_stream_limit", "stream")


class StreamLimitCtx:
    """A hint for Ascend chips inside a ``with`` block, without effect.

    Args:
        stream (Stream): which.
        cube_num, vector_num (int): how many cores of each kind. Default: ``-1``.
    Raises:
        TypeError: for other values.
    Source: mindspore.runtime.StreamLimitCtx
    """

    def __init__(self, stream, cube_num=-1, vector_num=-1):
        self.stream = require(stream, Stream, "StreamLimitCtx", "stream")
        _check_counts(cube_num, vector_num, "StreamLimitCtx")

    def __enter__(self):
        """Changes nothing."""

    def __exit__(self, *error):
        """Changes nothing."""


def _check_counts(cube_num, vector_num, owner):
    check.integer(cube_num, "cube_num", owner)
    check.integer(vector_num, "vector_num", owner)
