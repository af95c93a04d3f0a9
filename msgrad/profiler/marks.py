"""Profiler marks: ranges and points that a program writes into its recording."""

import itertools

import jax

from ..engine.refusal import require


class mstx:  # noqa: N801  MindSpore's name
    """Marks in a profiler's recording, which TensorBoard and Perfetto show in the host's track.

    Example:
        >>> number = mindspore.profiler.mstx.range_start("epoch 1")
        >>> mindspore.profiler.mstx.mark("half of it")
        >>> mindspore.profiler.mstx.range_end(number)
    Source: mindspore.profiler.mstx
    """

    _open = {}
    _numbers = itertools.count(1)

    @staticmethod
    def mark(message, stream=None, domain="default"):
        """Marks a moment; ``stream`` and ``domain`` are hints without effect. Source: mindspore.profiler.mstx.mark"""
        with jax.profiler.TraceAnnotation(require(message, str, "mstx.mark", "message")):
            pass

    @staticmethod
    def range_start(message, stream=None, domain="default"):
        """Begins a range and returns its number (int). Source: mindspore.profiler.mstx.range_start"""
        annotation = jax.profiler.TraceAnnotation(require(message, str, "mstx.range_start", "message"))
        annotation.__enter__()
        number = next(mstx._numbers)
        mstx._open[number] = annotation
        return number

    @staticmethod
    def range_end(range_id, domain="default"):
        """Ends the range of this number; an unknown number has no effect. Source: mindspore.profiler.mstx.range_end"""
        annotation = mstx._open.pop(range_id, None)
        if annotation is not None:
            annotation.__exit__(None, None, None)
