"""Mel spectrograms: spectrograms on a perceptual scale of pitch."""

import numpy as np

from ..._contracts.contracts import Float
from .banks import Mel, Norm, apply_filters, highest_of, mel_filters
from .base import AnyReal, Border, Count, CountOrZero, Flag, NotNegative, Positive, Sound, Window
from .enums import BorderType, MelType, NormType, WindowType
from .spectra import Spectrogram, check_window


class MelScale(Sound):
    """Converts a spectrogram of evenly spaced frequencies, ``(..., freq, time)``, to a mel scale.

    Args:
        n_mels (int): the number of filters. Default: ``128``.
        sample_rate (int): samples a second. Default: ``16000``.
        f_min, f_max (float): start of the first filter and end of the last, in Hz. Default: ``0.0``, and ``None``
            for half of ``sample_rate``.
        n_stft (int): the number of frequencies of the spectrogram. Default: ``201``.
        norm, mel_type: as for `melscale_fbanks`.
    Raises:
        RuntimeError: for another number of frequencies than ``n_stft``.
    Source: mindspore.dataset.audio.MelScale
    """

    _axes = "freq time"

    def __init__(
        self,
        n_mels: Count = 128,
        sample_rate: Count = 16000,
        f_min: AnyReal = 0.0,
        f_max: Positive | None = None,
        n_stft: Count = 201,
        norm: Norm = NormType.NONE,
        mel_type: Mel = MelType.HTK,
    ):
        highest = highest_of(f_min, f_max, sample_rate, type(self).__name__)
        self.filters = mel_filters(n_stft, f_min, highest, n_mels, sample_rate, norm, mel_type)

    def _sound(self, value):
        if value.shape[-2] != len(self.filters):
            self._fail(f"there must be {len(self.filters)} frequencies, as 'n_stft' says, but got {value.shape}.")
        return apply_filters(self.filters, value)


def filtered_spectrogram(transform, value):
    """The spectrogram of a sound with filters applied, as configured by a transform."""
    if not transform.spectrogram.onesided:
        transform._fail("'onesided' must be True: the filters are of frequencies from 0 on.")
    return apply_filters(transform.filters, transform.spectrogram._sound(value))


class MelSpectrogram(Sound):
    """Mel spectrogram of a sound: ``(..., time)`` to ``(..., n_mels, frames)``.

    Args:
        sample_rate (int): samples a second. Default: ``16000``.
        f_min, f_max (float): start of the first filter and end of the last, in Hz. Default: ``0.0``, and ``None``
            for half of ``sample_rate``.
        n_mels (int): the number of filters. Default: ``128``.
        n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided: as for `Spectrogram`.
        norm, mel_scale: as ``norm`` and ``mel_type`` of `melscale_fbanks`.
    Source: mindspore.dataset.audio.MelSpectrogram
    """

    def __init__(
        self,
        sample_rate: CountOrZero = 16000,
        n_fft: Count = 400,
        win_length: Count | None = None,
        hop_length: Count | None = None,
        f_min: Float = 0.0,
        f_max: NotNegative | None = None,
        pad: CountOrZero = 0,
        n_mels: CountOrZero = 128,
        window: Window = WindowType.HANN,
        power: Positive = 2.0,
        normalized: Flag = False,
        center: Flag = True,
        pad_mode: Border = BorderType.REFLECT,
        onesided: Flag = True,
        norm: Norm = NormType.NONE,
        mel_scale: Mel = MelType.HTK,
    ):
        check_window(win_length, n_fft, type(self).__name__)
        highest = highest_of(f_min, f_max, sample_rate, type(self).__name__, may_be_equal=True)
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )
        self.filters = mel_filters(n_fft // 2 + 1, f_min, highest, n_mels, sample_rate, norm, mel_scale)

    def _sound(self, value):
        reach = len(self.spectrogram.window) // 2
        if self.spectrogram.center and value.shape[-1] + 2 * self.spectrogram.pad <= reach:
            self._fail(f"a sound must have more than {reach} samples, half of 'n_fft', but got {value.shape[-1]}.")
        return filtered_spectrogram(self, value)


class InverseMelScale(Sound):
    """Estimates a spectrogram of evenly spaced frequencies from a mel spectrogram, ``(..., n_mels, time)``.

    It starts from uniform random numbers in [0, 1) and minimizes the mean squared error by gradient descent, for each
    channel until the error is small or no longer decreases.

    Args:
        n_stft (int): the number of frequencies of the result.
        n_mels, sample_rate, f_min, f_max, norm, mel_type: as for `MelScale`.
        max_iter (int): the largest number of steps. Default: ``100000``.
        tolerance_loss, tolerance_change (float): the error, and its change, at which it stops. Default: ``1e-5`` and
            ``1e-8``.
        sgdargs (dict): ``"sgd_lr"``, the learning rate, and ``"sgd_momentum"``, which has no effect, as in MindSpore.
            Default: ``None``, 0.1 and 0.9.
    Returns:
        numpy.ndarray with axes ``(..., n_stft, time)``; for a 2-d array a 3-d one.
    Raises:
        RuntimeError: for another number of filters than ``n_mels``.
    Source: mindspore.dataset.audio.InverseMelScale
    """

    _axes = "freq time"

    def __init__(
        self,
        n_stft: Count,
        n_mels: Count = 128,
        sample_rate: Count = 16000,
        f_min: AnyReal = 0.0,
        f_max: Positive | None = None,
        max_iter: Count = 100000,
        tolerance_loss: Positive = 1e-05,
        tolerance_change: Positive = 1e-08,
        sgdargs=None,
        norm: Norm = NormType.NONE,
        mel_type: Mel = MelType.HTK,
    ):
        highest = highest_of(f_min, f_max, sample_rate, type(self).__name__)
        self.filters = mel_filters(n_stft, f_min, highest, n_mels, sample_rate, norm, mel_type)
        self.max_iter, self.tolerance_loss, self.tolerance_change = max_iter, tolerance_loss, tolerance_change
        options = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        for name in ("sgd_lr", "sgd_momentum"):
            NotNegative.take(options[name], name, type(self).__name__)
        self.rate = options["sgd_lr"]

    def _sound(self, value):
        if value.shape[-2] != self.filters.shape[-1]:
            self._fail(f"there must be {self.filters.shape[-1]} filters, as 'n_mels' says, but got {value.shape}.")
        generator = self._draws().generator()
        channels = value.reshape(-1, *value.shape[-2:]).swapaxes(-1, -2)
        spectrum = np.stack([self._fitted(channel, generator) for channel in channels]).swapaxes(-1, -2)
        return spectrum.reshape(*(value.shape[:-2] or (1,)), *spectrum.shape[-2:])

    def _fitted(self, channel, generator):
        guess = generator.uniform(size=(len(channel), len(self.filters)))
        last = np.inf
        for _ in range(self.max_iter):
            missing = channel - guess @ self.filters
            loss = np.mean(np.square(missing))
            if loss < self.tolerance_loss or abs(last - loss) < self.tolerance_change:
                break
            guess += missing @ self.filters.T * (2 * self.rate / missing.size)
            last = loss
        return np.maximum(guess, 0)
