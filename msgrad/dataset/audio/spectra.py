"""Spectrograms and spectral centroids, and their inverses, with Griffin-Lim."""

import numpy as np

from ...engine.refusal import refuse
from ._fourier import as_complex, as_pairs, centred, padded, sound_of, spectra, window_of
from .base import Border, Count, CountOrZero, Flag, NotNegative, Positive, Sound, Window
from .enums import BorderType, WindowType


def check_window(win_length, n_fft, owner):
    """Raises ValueError if the window is longer than the transform."""
    if win_length is not None and win_length > n_fft:
        refuse(ValueError, owner, "win_length", f"at most 'n_fft', {n_fft}", win_length)


class Spectrogram(Sound):
    """Spectrogram of a sound: ``(..., time)`` to ``(..., freq, frames)``.

    Args:
        n_fft (int): the number of samples of a transform. Default: ``400``.
        win_length (int): the length of the window, at most ``n_fft``. Default: ``None``, ``n_fft``.
        hop_length (int): the hop between frames in samples. Default: ``None``, half of ``win_length``.
        pad (int): the number of zeros before and after the sound. Default: ``0``.
        window (WindowType): the window. Default: ``WindowType.HANN``.
        power (float): the power of the magnitudes; 0 gives complex numbers, as a last axis of length 2.
            Default: ``2.0``.
        normalized (bool): whether to divide by the norm of the window. Default: ``False``.
        center (bool): whether the first frame is centred on the first sample. Default: ``True``.
        pad_mode (BorderType): the padding at the ends, if ``center``. Default: ``BorderType.REFLECT``.
        onesided (bool): whether to omit negative frequencies. Default: ``True``.
    Raises:
        RuntimeError: for a sound shorter than a frame.
    Example:
        >>> mindspore.dataset.audio.Spectrogram(n_fft=4)(np.ones(8)).shape
        (3, 5)
    Source: mindspore.dataset.audio.Spectrogram
    """

    _takes_lists = True

    def __init__(
        self,
        n_fft: Count = 400,
        win_length: Count | None = None,
        hop_length: Count | None = None,
        pad: CountOrZero = 0,
        window: Window = WindowType.HANN,
        power: NotNegative = 2.0,
        normalized: Flag = False,
        center: Flag = True,
        pad_mode: Border = BorderType.REFLECT,
        onesided: Flag = True,
    ):
        check_window(win_length, n_fft, type(self).__name__)
        win_length = win_length or n_fft
        self.hop_length, self.pad, self.power = hop_length or win_length // 2, pad, power
        self.window = window_of(window, win_length, n_fft)
        self.normalized, self.center, self.pad_mode, self.onesided = normalized, center, pad_mode, onesided

    def _sound(self, value):
        value = padded(value, self.pad, self.pad)
        n_fft = len(self.window)
        if self.center:
            value = centred(value, n_fft, self.pad_mode.value)
        if n_fft > value.shape[-1]:
            self._fail(f"a sound must have {n_fft} samples at least, but got {value.shape[-1]}.")
        if not self.hop_length:
            self._fail("a window of one sample needs a 'hop_length'.")
        result = spectra(value, self.window, self.hop_length, self.onesided)
        if self.normalized:
            result = result / np.sqrt(np.sum(np.square(self.window)))
        return np.abs(result) ** self.power if self.power else as_pairs(result)


class SpectralCentroid(Sound):
    """Spectral centroid of each frame, the magnitude-weighted mean frequency: ``(..., time)`` to ``(..., 1, frames)``.

    Args:
        sample_rate (int): samples a second.
        n_fft, win_length, hop_length, pad, window: as for `Spectrogram`.
    Source: mindspore.dataset.audio.SpectralCentroid
    """

    _takes_lists = True

    def __init__(
        self,
        sample_rate: CountOrZero,
        n_fft: Count = 400,
        win_length: Count | None = None,
        hop_length: Count | None = None,
        pad: CountOrZero = 0,
        window: Window = WindowType.HANN,
    ):
        check_window(win_length, n_fft, type(self).__name__)
        self.magnitudes = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)
        self.frequencies = np.linspace(0, sample_rate // 2, n_fft // 2 + 1)[:, None]

    def _sound(self, value):
        result = self.magnitudes._sound(value)
        with np.errstate(invalid="ignore"):  # the centroid of silence is undefined
            return (self.frequencies * result).sum(-2, keepdims=True) / result.sum(-2, keepdims=True)


class InverseSpectrogram(Sound):
    """The sound of complex spectra, ``(..., freq, frames, 2)``: the inverse of `Spectrogram` with ``power=0``.

    Args:
        length (int): the number of samples. Default: ``None``, determined by the frames.
        n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided: as for `Spectrogram`.
    Raises:
        RuntimeError: for another number of frequencies than ``n_fft`` gives, or if windows leave gaps.
    The ``pad_mode`` is checked but has no effect: the padding is removed.

    Source: mindspore.dataset.audio.InverseSpectrogram
    """

    _axes = "freq time complex"

    def __init__(
        self,
        length: CountOrZero | None = None,
        n_fft: Count = 400,
        win_length: Count | None = None,
        hop_length: Count | None = None,
        pad: CountOrZero = 0,
        window: Window = WindowType.HANN,
        normalized: Flag = False,
        center: Flag = True,
        pad_mode: Border = BorderType.REFLECT,
        onesided: Flag = True,
    ):
        check_window(win_length, n_fft, type(self).__name__)
        win_length = win_length or n_fft
        self.length, self.pad, self.hop_length = length or 0, pad, hop_length or win_length // 2
        self.window = window_of(window, win_length, n_fft)
        self.normalized, self.center, self.onesided = normalized, center, onesided

    def _sound(self, value):
        n_fft = len(self.window)
        expected = n_fft // 2 + 1 if self.onesided else n_fft
        if value.shape[-3] != expected or n_fft % 2:
            self._fail(f"there must be {expected} frequencies of an even 'n_fft', {n_fft}, but got {value.shape}.")
        if self.pad and not self.length:
            self._fail("'pad' needs a 'length', too: give that of the sound without its margins.")
        spectrum = as_complex(value)
        if self.normalized:
            spectrum = spectrum * np.sqrt(np.sum(np.square(self.window)))
        length = self.length + 2 * self.pad if self.length else None
        result = sound_of(spectrum, self.window, self.hop_length, length, self.center, self.onesided)
        return result[..., self.pad : result.shape[-1] - self.pad]


class GriffinLim(Sound):
    """Griffin-Lim: reconstructs a sound from the magnitudes of its spectrogram, ``(..., freq, frames)``.

    Args:
        n_fft (int): the number of samples of a transform. Default: ``400``.
        n_iter (int): the number of iterations. Default: ``32``.
        win_length (int): the length of the window in samples. Default: ``None``, ``n_fft``.
        hop_length (int): the hop between frames in samples. Default: ``None``, half of ``win_length``.
        window_type (WindowType): the window. Default: ``WindowType.HANN``.
        power (float): the power of the magnitudes. Default: ``2.0``.
        momentum (float): the momentum of the phases, in ``[0, 1)``. Default: ``0.99``.
        length (int): the number of samples. Default: ``None``, determined by the frames.
        rand_init (bool): whether the initial phases are random. Default: ``True``.
    Raises:
        RuntimeError: for another number of frequencies than ``n_fft`` gives, or of frames than ``length`` gives.
    Returns:
        numpy.ndarray with axes ``(time)`` for one sound, and ``(sounds, time)`` for several.
    Source: mindspore.dataset.audio.GriffinLim
    """

    _axes = "freq time"

    def __init__(
        self,
        n_fft: Count = 400,
        n_iter: Count = 32,
        win_length: CountOrZero | None = None,
        hop_length: CountOrZero | None = None,
        window_type: Window = WindowType.HANN,
        power: Positive = 2.0,
        momentum: NotNegative = 0.99,
        length: CountOrZero | None = None,
        rand_init: Flag = True,
    ):
        check_window(win_length, n_fft, type(self).__name__)
        win_length = win_length or n_fft
        self.n_iter, self.hop_length, self.length = n_iter, hop_length or win_length // 2, length or None
        self.window = window_of(window_type, win_length, n_fft)
        self.power, self.momentum, self.rand_init = power, momentum, rand_init

    def _sound(self, value):
        n_fft = len(self.window)
        if value.shape[-2] != n_fft // 2 + 1:
            self._fail(f"there must be {n_fft // 2 + 1} frequencies, as 'n_fft' says, but got the shape {value.shape}.")
        if self.length and self.length <= n_fft:
            self._fail(f"'length' must be more than 'n_fft', {n_fft}, but got {self.length}.")
        if self.momentum >= 1:
            self._fail(f"'momentum' must be less than 1, but got {self.momentum}.")
        if self.length and self.length // self.hop_length + 1 != value.shape[-1]:
            self._fail(f"a sound of 'length' {self.length} must have {value.shape[-1]} frames, 'hop_length' apart.")
        magnitudes = value.reshape(-1, *value.shape[-2:]) ** (1 / self.power)
        phases, last = np.ones(magnitudes.shape, complex), 0
        if self.rand_init:
            drawn = self._draws().generator().uniform(size=(2, *phases.shape))
            phases = drawn[0] + 1j * drawn[1]
        for _ in range(self.n_iter):
            rebuilt = spectra(centred(self._inverse(magnitudes * phases), n_fft), self.window, self.hop_length)
            phases = rebuilt + (rebuilt - last) * (self.momentum / (1 + self.momentum))
            phases, last = phases / (np.abs(phases) + 1e-16), rebuilt
        result = self._inverse(magnitudes * phases)
        return result.reshape(*([-1] if value.ndim > 2 else []), result.shape[-1])

    def _inverse(self, spectrum):
        return sound_of(spectrum, self.window, self.hop_length, self.length)
