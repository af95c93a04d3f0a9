"""MindSpore's streams and events: hints, since XLA orders a program's work itself, as in a single stream."""

import time

import jax

from .._contracts import check
from ..engine.execution import completion
from ..engine.refusal import refuse, require

__all__ = [
    "Event", "Stream", "StreamCtx", "communication_stream", "current_stream", "default_stream", "set_cur_stream",
    "synchronize",
]  # fmt: skip


def synchronize():
    """Waits until the device has finished all dispatched work.

    Example:
        >>> mindspore.runtime.synchronize()
    Source: mindspore.runtime.synchronize, mindspore.hal.synchronize
    """
    jax.effects_barrier()
    completion.wait()


class Event:
    """A point in a device's work. Work runs in dispatch order, so waiting for an event is a hint.

    Args:
        enable_timing (bool): whether `elapsed_time` can be asked; `record` then waits for the work before. Default:
            ``False``.
        blocking (bool): a hint, without effect. Default: ``False``.
    Raises:
        TypeError: if an argument is not a bool.
    Example:
        >>> start, end = mindspore.runtime.Event(enable_timing=True), mindspore.runtime.Event(enable_timing=True)
        >>> start.record()
        >>> product = ops.ones((8, 8)) @ ops.ones((8, 8))
        >>> end.record()
        >>> start.elapsed_time(end) > 0
        True
    Source: mindspore.runtime.Event, mindspore.hal.Event
    """

    def __init__(self, enable_timing=False, blocking=False):
        self._is_timed = check.boolean(enable_timing, "enable_timing", "Event")
        check.boolean(blocking, "blocking", "Event")
        self._time = None

    def record(self, stream=None):
        """Marks this point. Source: mindspore.runtime.Event.record"""
        require(stream, (Stream, type(None)), "Event.record", "stream")
        if self._is_timed:
            synchronize()
        self._time = time.perf_counter()

    def wait(self, stream=None):
        """Makes later work wait for this point, which it does in any case. Source: mindspore.runtime.Event.wait"""
        require(stream, (Stream, type(None)), "Event.wait", "stream")

    def synchronize(self):
        """Waits for the work before this point. Source: mindspore.runtime.Event.synchronize"""
        synchronize()

    def query(self):
        """Whether the work before this point is done (bool): waits for it. Source: mindspore.runtime.Event.query"""
        synchronize()
        return True

    def elapsed_time(self, end_event):
        """The milliseconds (float) from this point to another.

        Args:
            end_event (Event): the later one.
        Raises:
            TypeError: if it is not an Event.  RuntimeError: if one of the two has not been recorded with its time.
        Source: mindspore.runtime.Event.elapsed_time
        """
        require(end_event, Event, "Event.elapsed_time", "end_event")
        if not all(event._is_timed and event._time is not None for event in (self, end_event)):
            raise RuntimeError(_MSG_UNTIMED)
        return (end_event._time - self._time) * 1000


_MSG_UNTIMED = "For 'Event.elapsed_time', both events must be made with enable_timing=True, and recorded."


class Stream:
    """A queue of work. There is only one here, so choosing a stream is a hint.

    Args:
        priority (int): a hint, without effect. Default: ``0``.
        kwargs: ``stream_id`` (int), its number.
    Raises:
        TypeError: if the ``priority`` is not an int.
    Example:
        >>> stream = mindspore.runtime.Stream()
        >>> with mindspore.runtime.StreamCtx(stream):
        ...     total = ops.ones(3).sum()
        >>> stream.synchronize()
    Source: mindspore.runtime.Stream, mindspore.hal.Stream
    """

    def __init__(self, priority=0, **kwargs):
        check.integer(priority, "priority", "Stream")
        self.id = kwargs.get("stream_id", 0)
        device = jax.local_devices()[0]
        self.device_name, self.device_id = {"cpu": "CPU", "gpu": "GPU"}.get(device.platform, "Ascend"), device.id

    def record_event(self, event=None):
        """Records the current point of the work in an `Event`, and returns it.

        Source: mindspore.runtime.Stream.record_event
        """
        require(event, (Event, type(None)), "Stream.record_event", "event")
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        """Makes later work wait for an event, which it does in any case. Source: mindspore.runtime.Stream.wait_event"""
        require(event, Event, "Stream.wait_event", "event")

    def wait_stream(self, stream):
        """Makes later work wait for another stream's, which it does in any case.

        Source: mindspore.runtime.Stream.wait_stream
        """
        require(stream, Stream, "Stream.wait_stream", "stream")

    def synchronize(self):
        """Waits for all work. Source: mindspore.runtime.Stream.synchronize"""
        synchronize()

    def query(self):
        """Whether all work is done (bool): waits for it. Source: mindspore.runtime.Stream.query"""
        synchronize()
        return True

    def __eq__(self, other):
        if not isinstance(other, Stream):
            refuse(TypeError, "Stream", "other", "a Stream", other)
        return self.id == other.id

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


class _Current:
    stream = None


def current_stream():
    """The current `Stream`. Source: mindspore.runtime.current_stream, mindspore.hal.current_stream"""
    return _Current.stream or default_stream()


def default_stream():
    """The default `Stream`. Source: mindspore.runtime.default_stream, mindspore.hal.default_stream"""
    return Stream()


def communication_stream():
    """The `Stream` of collectives, which is the same.

    Source: mindspore.runtime.communication_stream, mindspore.hal.communication_stream
    """
    return Stream()


def set_cur_stream(stream):
    """Sets the `Stream` returned by `current_stream`; None changes nothing.

    Raises:
        TypeError: if it is not a Stream.
    Source: mindspore.runtime.set_cur_stream, mindspore.hal.set_cur_stream
    """
    if require(stream, (Stream, type(None)), "set_cur_stream", "stream") is not None:
        _Current.stream = stream


class StreamCtx:
    """Sets the current `Stream` inside a ``with`` block.

    Args:
        ctx_stream (Stream | None): which; None changes nothing.
    Raises:
        TypeError: if it is not a Stream.
    Source: mindspore.runtime.StreamCtx, mindspore.hal.StreamCtx
    """

    def __init__(self, ctx_stream):
        self.stream = require(ctx_stream, (Stream, type(None)), "StreamCtx", "ctx_stream")
        self._before = []

    def __enter__(self):
        self._before.append(_Current.stream)
        set_cur_stream(self.stream)

    def __exit__(self, *error):
        _Current.stream = self._before.pop()
