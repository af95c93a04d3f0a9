"""Resampling and pitch shift."""

import math

import numpy as np

from ..._contracts.choices import FloatWithin, Instance
from ._fourier import centred, padded, sound_of, spectra, window_of
from .base import AnyInt, Count, CountOrZero, NotZero, Positive, Sound, Window
from .enums import ResampleMethod, WindowType
from .phases import stretched
from .spectra import check_window

_KAISER = 14.769656459379492


def resampled(value, orig_freq, new_freq, method, width, rolloff, beta):
    """Resamples ``value`` (..., time): the sum of one windowed sinc for each of its samples.

    Args:
        orig_freq, new_freq (int): the rates.
        method (ResampleMethod): the window, a cosine or a Kaiser window with ``beta`` (float).
        width (int): the number of zero crossings of the sinc on each side.
        rolloff (float): the cutoff as a fraction of the lower Nyquist frequency.
    """
    divisor = math.gcd(orig_freq, new_freq)
    old, new = orig_freq // divisor, new_freq // divisor
    cutoff = min(old, new) * rolloff
    reach = math.ceil(width * old / cutoff)
    count = math.ceil(new * value.shape[-1] / old)
    samples = np.arange(count)
    phases = np.arange(min(new, count))  # the kernels repeat after ``new`` samples
    first = phases * old // new
    time = (first[:, None] + np.arange(-reach, reach + 2)) / old - phases[:, None] / new
    time = np.clip(time * cutoff, -width, width)
    if method is ResampleMethod.KAISER_WINDOW:
        window = np.i0(beta * np.sqrt(1 - np.square(time / width))) / np.i0(beta)
    else:
        window = np.square(np.cos(time * (np.pi / width / 2)))
    kernels = (np.sinc(time) * window * (cutoff / old)).astype(value.dtype)
    around = np.lib.stride_tricks.sliding_window_view(padded(value, reach, reach + 2), 2 * reach + 2, -1)
    around = around[..., samples // new * old + first[samples % new], :]
    return np.einsum("...nk,nk->...n", around, kernels[samples % new])


class Resample(Sound):
    """Resamples a sound.

    Args:
        orig_freq, new_freq (float): samples a second, before and after, truncated to ints. Default: ``16000``.
        resample_method (ResampleMethod): the window of the filter. Default: ``ResampleMethod.SINC_INTERPOLATION``.
        lowpass_filter_width (int): the sharpness of the filter. Default: ``6``.
        rolloff (float): the cutoff as a fraction of the lower Nyquist frequency, in ``(0, 1]``. Default: ``0.99``.
        beta (float): the shape of the Kaiser window. Default: ``None``, 14.77.
    Example:
        >>> mindspore.dataset.audio.Resample(16000, 8000)(np.ones(10)).shape
        (5,)
    Source: mindspore.dataset.audio.Resample
    """

    def __init__(
        self,
        orig_freq: Positive = 16000,
        new_freq: Positive = 16000,
        resample_method: Instance(ResampleMethod) = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: Count = 6,
        rolloff: FloatWithin("(0, 1]") = 0.99,
        beta=None,
    ):
        self.rates = orig_freq, new_freq
        self.method, self.width, self.rolloff = resample_method, lowpass_filter_width, rolloff
        self.beta = _KAISER if beta is None else beta

    def _sound(self, value):
        old, new = self.rates
        if old == new:
            return value.copy()
        if min(old, new) < 1:
            self._fail(f"'orig_freq' and 'new_freq' must be 1 at least, but got {old} and {new}.")
        return resampled(value, int(old), int(new), self.method, self.width, self.rolloff, self.beta)


class PitchShift(Sound):
    """Shifts the pitch of a sound without changing its length.

    Args:
        sample_rate (int): samples a second.
        n_steps (int): the shift in steps.
        bins_per_octave (int): the number of steps per octave. Default: ``12``.
        n_fft, win_length, window: as for `Spectrogram`. Default of ``n_fft``: ``512``.
        hop_length (int): the hop between frames in samples. Default: ``None``, a quarter of ``win_length``.
    Source: mindspore.dataset.audio.PitchShift
    """

    def __init__(
        self,
        sample_rate: CountOrZero,
        n_steps: AnyInt,
        bins_per_octave: NotZero(AnyInt) = 12,
        n_fft: Count = 512,
        win_length: Count | None = None,
        hop_length: Count | None = None,
        window: Window = WindowType.HANN,
    ):
        check_window(win_length, n_fft, type(self).__name__)
        win_length = win_length or n_fft
        self.sample_rate, self.rate = sample_rate, 2.0 ** (-n_steps / bins_per_octave)
        self.hop_length, self.window = hop_length or win_length // 4, window_of(window, win_length, n_fft)

    def _sound(self, value):
        n_fft, time = len(self.window), value.shape[-1]
        if int(self.sample_rate / self.rate) < 1 or not self.hop_length:
            self._fail("the 'sample_rate' and the length of the window must be above 0, and those of the new pitch.")
        shifted = spectra(centred(value, n_fft), self.window, self.hop_length)
        shifted = stretched(shifted, self.rate)
        shifted = sound_of(shifted, self.window, self.hop_length, round(time / self.rate))
        rates = int(self.sample_rate / self.rate), self.sample_rate
        if self.rate != 1:
            shifted = resampled(shifted, *rates, ResampleMethod.SINC_INTERPOLATION, 6, 0.99, _KAISER)[..., :time]
        return padded(shifted, 0, time - shifted.shape[-1])
