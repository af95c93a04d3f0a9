"""Complex spectra: magnitude and phase, and time stretch by the phase vocoder."""

import numpy as np

from ...engine.refusal import refuse
from ._fourier import as_complex, as_pairs
from .base import Count, NotNegative, Positive, Sound


class Angle(Sound):
    """The phase angles of complex numbers.

    Example:
        >>> mindspore.dataset.audio.Angle()(np.array([[1.0, 0.0], [0.0, 1.0]])).round(3).tolist()
        [0.0, 1.571]
    Source: mindspore.dataset.audio.Angle
    """

    _axes = "complex"

    def _sound(self, value):
        return np.arctan2(value[..., 1], value[..., 0])


class ComplexNorm(Sound):
    """The magnitudes of complex numbers, raised to a power.

    Args:
        power (float): the power, non-negative. Default: ``1.0``.
    Example:
        >>> mindspore.dataset.audio.ComplexNorm()(np.array([3.0, 4.0])).tolist()
        5.0
    Source: mindspore.dataset.audio.ComplexNorm
    """

    _axes = "complex"

    def __init__(self, power: NotNegative = 1.0):
        self.power = power

    def _sound(self, value):
        return np.power(np.square(value).sum(-1), self.power / 2)


class Magphase(ComplexNorm):
    """The magnitudes, raised to a power, and the phase angles of complex numbers, as two arrays.

    Args:
        power (float): the power of the magnitudes, non-negative. Default: ``1.0``.
    Source: mindspore.dataset.audio.Magphase
    """

    def _sound(self, value):
        return super()._sound(value), np.arctan2(value[..., 1], value[..., 0])


def stretched(value, rate):
    """Time stretch of spectra ``(..., freq, frames)`` by the phase vocoder, to ``rate`` times the speed.

    Magnitudes are interpolated linearly between frames, and phases advance as from one frame to the next. The expected
    phase advance would only add multiples of 2 pi.
    """
    if rate == 1:
        return value
    steps = np.arange(0, value.shape[-1], rate)
    first = steps.astype(int)
    silent = np.concatenate([value, np.zeros((*value.shape[:-1], 2), value.dtype)], -1)
    here, following = silent[..., first], silent[..., first + 1]
    gained = (np.angle(following) - np.angle(here))[..., :-1]
    phase = np.cumsum(np.concatenate([np.angle(value[..., :1]), gained], -1), -1)
    part = steps % 1
    return (part * np.abs(following) + (1 - part) * np.abs(here)) * np.exp(1j * phase)


class PhaseVocoder(Sound):
    """Phase vocoder: changes the speed of spectra without changing the pitch.

    Args:
        rate (float): the speed factor, above 0.
        phase_advance (numpy.ndarray): the expected phase advance of each bin per frame, ``(freq, 1)``, of the dtype of
            the spectra. It is checked but has no effect, since it would add multiples of 2 pi.
    Raises:
        RuntimeError: for spectra of another dtype or number of bins than ``phase_advance``.
    Source: mindspore.dataset.audio.PhaseVocoder
    """

    _axes = "freq time complex"

    def __init__(self, rate: Positive, phase_advance):
        if not isinstance(phase_advance, np.ndarray):
            refuse(TypeError, "PhaseVocoder", "phase_advance", "a NumPy array", phase_advance)
        self.rate, self.phase_advance = rate, phase_advance

    def _converted(self, value):
        expected = (value.shape[-3], 1)
        if self.phase_advance.shape != expected or self.phase_advance.dtype != value.dtype:
            self._fail(
                f"'phase_advance' must be of {value.dtype} and of the shape {expected}, as the spectra, but is of "
                f"{self.phase_advance.dtype} and {self.phase_advance.shape}."
            )
        return super()._converted(value)

    def _sound(self, value):
        return as_pairs(stretched(as_complex(value), self.rate))


class TimeStretch(Sound):
    """Time stretch: changes the speed of spectra without changing the pitch.

    Args:
        hop_length, n_freq (int): the hop between frames in samples, and the number of bins. They are checked but have
            no effect, as the ``phase_advance`` of `PhaseVocoder`. Default: ``None`` and ``201``.
        fixed_rate (float): the speed factor, above 0. Default: ``None``, 1.
    Source: mindspore.dataset.audio.TimeStretch
    """

    _axes = "freq time complex"

    def __init__(self, hop_length: Count | None = None, n_freq: Count = 201, fixed_rate: Positive | None = None):
        self.rate = 1 if fixed_rate is None else fixed_rate

    def _sound(self, value):
        return as_pairs(stretched(as_complex(value), self.rate))
