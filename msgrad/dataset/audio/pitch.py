"""Pitch detection: the fundamental frequency of a voice."""

import math

import numpy as np

from .base import Count, Positive, Rate, Sound

_LEAST = 1e-9


class DetectPitchFrequency(Sound):
    """Pitch of a voice in each frame: ``(..., time)`` to ``(..., frames)``, float32.

    A frame's pitch is the lag of its largest normalized cross-correlation, smoothed by a median filter.

    Args:
        sample_rate (int): samples a second, not 0.
        frame_time (float): the length of a frame in seconds. Default: ``0.01``.
        win_length (int): the number of frames of the median filter. Default: ``30``.
        freq_low, freq_high (float): the lowest and the highest frequency, in Hz. Default: ``85`` and ``3400``.
    Raises:
        RuntimeError: for a sound too short for the median filter, and for frequencies that leave no lag.
    Source: mindspore.dataset.audio.DetectPitchFrequency
    """

    _is_of_floats = True

    def __init__(
        self,
        sample_rate: Rate,
        frame_time: Positive = 0.01,
        win_length: Count = 30,
        freq_low: Positive = 85,
        freq_high: Positive = 3400,
    ):
        self.sample_rate, self.win_length = sample_rate, win_length
        self.length = math.ceil(sample_rate * frame_time)
        self.minimum, self.maximum = math.ceil(sample_rate / freq_high), math.ceil(sample_rate / freq_low)

    def _converted(self, value):
        if self.length < 1:
            self._fail("the 'sample_rate' must be above 0.")
        value = value.astype(np.float64)
        likeness = self._cross_correlation(value)
        half = likeness.shape[-1] // 2
        if not self.minimum < half:
            self._fail(f"'freq_low' and 'freq_high' leave no delays: from {self.minimum} to {half} samples.")
        every, low = likeness[..., self.minimum :], likeness[..., self.minimum : half]
        is_low = low.max(-1) > 0.99 * every.max(-1)  # the shorter of two equally good lags is used
        delays = np.where(is_low, low.argmax(-1), every.argmax(-1)) + self.minimum + 1
        return (self.sample_rate / (_LEAST + self._smoothed(delays))).astype(np.float32)

    def _cross_correlation(self, value):
        """Cross-correlation of each frame with the sound 1, 2, ... samples later: ``(..., frames, delays)``."""
        time = value.shape[-1]
        count = math.ceil(time / self.length)
        longer = np.pad(value, [(0, 0)] * (value.ndim - 1) + [(0, self.maximum + count * self.length - time)])
        later = np.lib.stride_tricks.sliding_window_view(longer, self.length, -1)
        delays = range(self.maximum + 1)
        later = np.stack([later[..., n : n + count * self.length : self.length, :] for n in delays], -2)
        norms = np.square(_LEAST + np.linalg.norm(later, axis=-1))
        products = np.einsum("...i,...ni->...n", later[..., 0, :], later[..., 1:, :])
        return products / norms[..., :1] / norms[..., 1:]

    def _smoothed(self, delays):
        before = (self.win_length - 1) // 2
        if delays.shape[-1] <= before or delays.shape[-1] + before < self.win_length:
            self._fail(f"the sound must have more than {before} frames for 'win_length', but has {delays.shape[-1]}.")
        longer = np.concatenate([np.repeat(delays[..., :1], before, -1), delays], -1)
        windows = np.sort(np.lib.stride_tricks.sliding_window_view(longer, self.win_length, -1), -1)
        return windows[..., (self.win_length - 1) // 2]
