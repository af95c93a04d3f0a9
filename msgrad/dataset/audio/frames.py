"""Delta coefficients and cepstral mean and variance normalization, over the frames of a spectrogram."""

import numpy as np

from .base import Border, CountOrZero, Flag, IntFrom, Sound
from .enums import BorderType


class ComputeDeltas(Sound):
    """The derivative of each coefficient over time, by least squares within a window.

    Args:
        win_length (int): the length of the window, at least 3. Default: ``5``.
        pad_mode (BorderType): the padding at the ends. Default: ``BorderType.EDGE``.
    Example:
        >>> mindspore.dataset.audio.ComputeDeltas()(np.arange(6.0)[None]).round(2).tolist()
        [[0.5, 0.8, 1.0, 1.0, 0.8, 0.5]]
    Source: mindspore.dataset.audio.ComputeDeltas
    """

    _axes = "freq time"

    def __init__(self, win_length: IntFrom(3) = 5, pad_mode: Border = BorderType.EDGE):
        self.reach, self.pad_mode = (win_length - 1) // 2, pad_mode

    def _sound(self, value):
        margins = [(0, 0)] * (value.ndim - 1) + [(self.reach, self.reach)]
        padded = np.pad(value, margins, self.pad_mode.value)
        steps = np.arange(-self.reach, self.reach + 1, dtype=value.dtype)
        return np.lib.stride_tricks.sliding_window_view(padded, len(steps), -1) @ steps / (steps @ steps)


class SlidingWindowCmn(Sound):
    """Sliding-window cepstral mean normalization: subtracts the mean over a window of frames, ``<..., time, freq>``.

    Args:
        cmn_window (int): the number of frames of a window. Default: ``600``.
        min_cmn_window (int): the smallest window at the start, if not ``center``. Default: ``100``.
        center (bool): whether the frame is in the middle of its window; otherwise it is the last. Default: ``False``.
        norm_vars (bool): whether to divide by the standard deviation, too. Default: ``False``.
    Source: mindspore.dataset.audio.SlidingWindowCmn
    """

    _axes = "time freq"

    def __init__(
        self,
        cmn_window: CountOrZero = 600,
        min_cmn_window: CountOrZero = 100,
        center: Flag = False,
        norm_vars: Flag = False,
    ):
        self.cmn_window, self.min_cmn_window, self.center, self.norm_vars = (
            cmn_window,
            min_cmn_window,
            center,
            norm_vars,
        )

    def _sound(self, value):
        starts, ends = self._windows(value.shape[-2])
        counts = (ends - starts)[:, None]
        mean = _sums(value, starts, ends) / counts
        centred = value - mean
        if not self.norm_vars:
            return centred
        variance = _sums(np.square(value, dtype=np.float64), starts, ends) / counts - mean**2
        with np.errstate(divide="ignore", invalid="ignore"):  # constant coefficients are not scaled
            return np.where(counts == 1, 0, centred / np.sqrt(variance))

    def _windows(self, count):
        """The first frame of each frame's window, and the one after its last."""
        frames = np.arange(count)
        starts = frames - (self.cmn_window // 2 if self.center else self.cmn_window)
        ends = starts + self.cmn_window if self.center else frames + 1
        starts, ends = np.maximum(starts, 0), ends - np.minimum(starts, 0)
        if not self.center:
            ends = np.where(ends > frames, np.maximum(frames + 1, self.min_cmn_window), ends)
        return np.maximum(starts - np.maximum(ends - count, 0), 0), np.minimum(ends, count)


def _sums(value, starts, ends):
    """The sums over ``value[..., starts[i]:ends[i], :]``."""
    total = np.zeros((*value.shape[:-2], value.shape[-2] + 1, value.shape[-1]))
    np.cumsum(value, axis=-2, out=total[..., 1:, :])
    return total[..., ends, :] - total[..., starts, :]
