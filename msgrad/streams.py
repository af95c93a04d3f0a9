"""Streams and events. XLA orders the work of a device itself, so a stream changes nothing about results."""

import time

from .device import get_current_device
from .engine.refusal import require
from .ops import check

__all__ = [
    "communication_stream", "current_stream", "default_stream", "Event", "set_cur_stream", "Stream", "StreamCtx",
]  # fmt: skip


def _wait():
    from . import runtime  # which lists what is here

    runtime.synchronize()


class Event:
    """A moment in the work of the device. To time work, `record` waits for what was given to the device before.

    Args:
        enable_timing (bool): whether `elapsed_time` is asked. Default: ``False``.
        blocking (bool): how MindSpore waits, without effect. Default: ``False``.
    Raises:
        TypeError: if an argument is no bool.
    Example:
        >>> start, end = ms.runtime.Event(enable_timing=True), ms.runtime.Event(enable_timing=True)
        >>> start.record()
        >>> end.record()
        >>> start.elapsed_time(end) >= 0
        True
    Source: mindspore.runtime.Event, mindspore.hal.Event
    """

    def __init__(self, enable_timing=False, blocking=False):
        self.enable_timing = check.boolean(enable_timing, "enable_timing", "Event")
        check.boolean(blocking, "blocking", "Event")
        self._moment = None

    def record(self, stream=None):
        """Notes this moment; with ``enable_timing`` after waiting for the device."""
        if self.enable_timing:
            _wait()
        self._moment = time.perf_counter()

    def wait(self, stream=None):
        """Does nothing: work is done in the order in which it is given."""

    def synchronize(self):
        """Waits for the device."""
        _wait()

    def query(self):
        """True: nothing that was given to the device before can be overtaken (bool)."""
        return True

    def elapsed_time(self, other_event):
        """Milliseconds from this event to another one (float).

        Raises:
            TypeError: if it is no Event.  RuntimeError: if one of them has not been recorded with ``enable_timing``.
        """
        require(other_event, Event, "elapsed_time", "other_event")
        for event in (self, other_event):
            if not event.enable_timing or event._moment is None:
                raise RuntimeError(
                    "For 'elapsed_time', both events must have been recorded, with timing: Event(enable_timing=True)."
                )
        return 1000 * (other_event._moment - self._moment)


class Stream:
    """A queue of a device's work: a hint, for XLA orders the work itself.

    Args:
        priority (int): without effect. Default: ``0``.
        kwargs: of MindSpore's own, without effect.
    Raises:
        TypeError: if ``priority`` is no int.
    Example:
        >>> with ms.runtime.StreamCtx(ms.runtime.Stream()):
        ...     y = Tensor([1.0]) + 1
    Source: mindspore.runtime.Stream, mindspore.hal.Stream
    """

    id = 0

    def __init__(self, priority=0, **kwargs):
        require(priority, int, "Stream", "priority")

    @property
    def device_name(self):
        """The kind of the device that computes (str)."""
        return get_current_device().device_target

    @property
    def device_id(self):
        """Its number (int)."""
        return get_current_device().device_id

    def record_event(self, event=None):
        """An `Event`, the one given or a new one, recorded."""
        event = Event() if event is None else require(event, Event, "record_event", "event")
        event.record()
        return event

    def wait_event(self, event):
        """Does nothing: work is done in the order in which it is given."""
        require(event, Event, "wait_event", "event")

    def wait_stream(self, stream):
        """Does nothing: work is done in the order in which it is given."""
        require(stream, Stream, "wait_stream", "stream")

    def synchronize(self):
        """Waits for the device."""
        _wait()

    def query(self):
        """True: nothing that was given to the device before can be overtaken (bool)."""
        return True

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return hash(Stream)

    def __repr__(self):
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


class StreamCtx:
    """A block whose work goes to a stream: a hint.

    Args:
        ctx_stream (Stream | None): the stream.
    Raises:
        TypeError: if it is neither.
    Source: mindspore.runtime.StreamCtx, mindspore.hal.StreamCtx
    """

    def __init__(self, ctx_stream):
        self.stream = None if ctx_stream is None else require(ctx_stream, Stream, "StreamCtx", "ctx_stream")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        pass


_ONE = Stream()


def current_stream():
    """The stream of the device that computes.  Source: mindspore.runtime.current_stream"""
    return _ONE


def default_stream():
    """The stream of the device that computes.  Source: mindspore.runtime.default_stream"""
    return _ONE


def communication_stream():
    """The stream of the device that computes.  Source: mindspore.runtime.communication_stream"""
    return _ONE


def set_cur_stream(stream):
    """Does nothing with a Stream.

    Raises:
        TypeError: if it is none.
    Source: mindspore.runtime.set_cur_stream
    """
    require(stream, Stream, "set_cur_stream", "stream")
