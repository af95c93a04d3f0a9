"""Spectrograms and spectral centroids, and their inverses, with Griffin-Lim."""

import numpy as np

from ...engine.refusal import refuse
from ._fourier import as_complex, as_pairs, centred, padded, sound_of, spectra, window_of
from .base import Border, Count, CountOrZero, Flag, NotNegative, Positive, Sound, Window
from .enums import BorderType, WindowType


def check_window(win_length, n_fft, owner):
    """Refuses a window that is longer than the transform.

    Raises:
        ValueError: if it is.
    """
    if win_length is not None and win_length > n_fft:
        refuse(ValueError, owner, "win_length", f"at most 'n_fft', {n_fft}", win_length)


class Spectrogram(Sound):
    """The spectra of frames of a sound: ``(..., time)`` gives ``(..., freq, frames)``.

    Args:
        n_fft (int): how many samples are transformed at once. Default: ``400``.
        win_length (int): how many of them the window has, at most all. Default: ``None``, ``n_fft``.
        hop_length (int): how many samples one frame is after another. Default: ``None``, half of ``win_length``.
        pad (int): how many zeros are put before and after the sound. Default: ``0``.
        window (WindowType): the window. Default: ``WindowType.HANN``.
        power (float): the power of the magnitudes; 0 gives complex numbers, an axis of length 2 more.
            Default: ``2.0``.
        normalized (bool): whether it is divided by the norm of the window. Default: ``False``.
        center (bool): whether the first frame is around the first sample. Default: ``True``.
        pad_mode (BorderType): what is beyond the ends then. Default: ``BorderType.REFLECT``.
        onesided (bool): whether negative frequencies are left out. Default: ``True``.
    Raises:
        RuntimeError: of a sound shorter than a frame.
    Example:
        >>> mindspore.dataset.audio.Spectrogram(n_fft=4)(np.ones(8)).shape
        (3, 5)
    Source: mindspore.dataset.audio.Spectrogram
    """

    takes_lists = True

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

    def sound(self, value):
        value = padded(value, self.pad, self.pad)
        n_fft = len(self.window)
        if self.center:
            value = centred(value, n_fft, self.pad_mode.value)
        if n_fft > value.shape[-1]:
            self.fail(f"a sound must have {n_fft} samples at least, but got {value.shape[-1]}.")
        if not self.hop_length:
            self.fail("a window of one sample needs a 'hop_length'.")
        result = spectra(value, self.window, self.hop_length, self.onesided)
        if self.normalized:
            result = result / np.sqrt(np.sum(np.square(self.window)))
        return np.abs(result) ** self.power if self.power else as_pairs(result)


class SpectralCentroid(Sound):
    """The mean frequency of each frame, weighted by its magnitude: ``(..., time)`` gives ``(..., 1, frames)``.

    Args:
        sample_rate (int): samples a second.
        n_fft, win_length, hop_length, pad, window: as for `Spectrogram`.
    Source: mindspore.dataset.audio.SpectralCentroid
    """

    takes_lists = True

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

    def sound(self, value):
        result = self.magnitudes.sound(value)
        with np.errstate(invalid="ignore"):  # silence has no centre
            return (self.frequencies * result).sum(-2, keepdims=True) / result.sum(-2, keepdims=True)


class InverseSpectrogram(Sound):
    """The sound of complex spectra, ``(..., freq, frames, 2)``: `Spectrogram` with ``power=0`` the other way round.

    Args:
        length (int): how many samples the sound has. Default: ``None``, what the frames give.
        n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided: as for `Spectrogram`.
    Raises:
        RuntimeError: of another number of frequencies than ``n_fft`` gives, or where windows leave gaps.
    The ``pad_mode`` is checked, and matters no more: margins are cut off.

    Source: mindspore.dataset.audio.InverseSpectrogram
    """

    axes = "freq time complex"

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

    def sound(self, value):
        n_fft = len(self.window)
        expected = n_fft // 2 + 1 if self.onesided else n_fft
        if value.shape[-3] != expected or n_fft % 2:
            self.fail(f"there must be {expected} frequencies of an even 'n_fft', {n_fft}, but got {value.shape}.")
        if self.pad and not self.length:
            self.fail("'pad' needs a 'length', too: give that of the sound without its margins.")
        spectrum = as_complex(value)
        if self.normalized:
            spectrum = spectrum * np.sqrt(np.sum(np.square(self.window)))
        length = self.length + 2 * self.pad if self.length else None
        result = sound_of(spectrum, self.window, self.hop_length, length, self.center, self.onesided)
        return result[..., self.pad : result.shape[-1] - self.pad]


class GriffinLim(Sound):
    """A sound whose spectrogram is near to given magnitudes, ``(..., freq, frames)``: the method of Griffin and Lim.

    Args:
        n_fft (int): how many samples are transformed at once. Default: ``400``.
        n_iter (int): how often the phases are improved. Default: ``32``.
        win_length (int): how many samples the window has. Default: ``None``, ``n_fft``.
        hop_length (int): how many samples one frame is after another. Default: ``None``, half of ``win_length``.
        window_type (WindowType): the window. Default: ``WindowType.HANN``.
        power (float): the power of the magnitudes. Default: ``2.0``.
        momentum (float): how far the phases go on as they went, in ``[0, 1)``. Default: ``0.99``.
        length (int): how many samples the sound has. Default: ``None``, what the frames give.
        rand_init (bool): whether the phases are random at first. Default: ``True``.
    Raises:
        RuntimeError: of another number of frequencies than ``n_fft`` gives, or of frames than ``length`` does.
    Returns:
        numpy.ndarray of the axes ``(time)`` for one sound, and of the axes ``(sounds, time)`` for any more.
    Source: mindspore.dataset.audio.GriffinLim
    """

    axes = "freq time"

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

    def sound(self, value):
        n_fft = len(self.window)
        if value.shape[-2] != n_fft // 2 + 1:
            self.fail(f"there must be {n_fft // 2 + 1} frequencies, as 'n_fft' says, but got the shape {value.shape}.")
        if self.length and self.length <= n_fft:
            self.fail(f"'length' must be more than 'n_fft', {n_fft}, but got {self.length}.")
        if self.momentum >= 1:
            self.fail(f"'momentum' must be less than 1, but got {self.momentum}.")
        if self.length and self.length // self.hop_length + 1 != value.shape[-1]:
            self.fail(f"a sound of 'length' {self.length} must have {value.shape[-1]} frames, 'hop_length' apart.")
        magnitudes = value.reshape(-1, *value.shape[-2:]) ** (1 / self.power)
        phases, last = np.ones(magnitudes.shape, complex), 0
        if self.rand_init:
            drawn = self.draws().generator().uniform(size=(2, *phases.shape))
            phases = drawn[0] + 1j * drawn[1]
        for _ in range(self.n_iter):
            rebuilt = spectra(centred(self._inverse(magnitudes * phases), n_fft), self.window, self.hop_length)
            phases = rebuilt + (rebuilt - last) * (self.momentum / (1 + self.momentum))
            phases, last = phases / (np.abs(phases) + 1e-16), rebuilt
        result = self._inverse(magnitudes * phases)
        return result.reshape(*([-1] if value.ndim > 2 else []), result.shape[-1])

    def _inverse(self, spectrum):
        return sound_of(spectrum, self.window, self.hop_length, self.length)
