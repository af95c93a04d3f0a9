"""IIR filters: biquads with coefficients by formulas, and filters with given coefficients.

SciPy, a dependency of JAX, computes the recursion; a Python loop over samples would take a thousand times as long.
"""

from typing import Any

import numpy as np

from ...engine.refusal import refuse
from ._biquads import COEFFICIENTS
from .base import AnyReal, Coefficients, Flag, NotZero, Rate, Sound, Within, cast

Quality = Within("(0, 1]")


def filtered(value, numerator, denominator, is_clamped) -> Any:
    """``value`` filtered along its last axis; clipped to [-1, 1] if ``is_clamped``."""
    from scipy.signal import lfilter  # imported here, since it is slow to import

    result = lfilter(numerator, denominator, value)
    return np.clip(result, -1, 1) if is_clamped else result


class _Filter(Sound):
    """The base of the filters: the dtype is kept, float16 too."""

    _is_of_floats = True

    def _converted(self, value):
        return cast(self._sound(value.astype(np.float64)), value.dtype)


class _Biquad(_Filter):
    """The base of second-order filters, with coefficients by a function of `_biquads`."""

    def __init__(self, *arguments):
        self.numerator, self.denominator = COEFFICIENTS[type(self).__name__](*arguments)

    def _sound(self, value):
        return filtered(value, self.numerator, self.denominator, True)


class AllpassBiquad(_Biquad):
    """All-pass filter: shifts phases around a frequency and keeps magnitudes.

    Args:
        sample_rate (int): samples a second, not 0.
        central_freq (float): the frequency, in Hz.
        Q (float): the quality factor, in ``(0, 1]``. Default: ``0.707``.
    Raises:
        RuntimeError: for an array of another dtype than floats.
    Example:
        >>> mindspore.dataset.audio.AllpassBiquad(44100, 200.0)(np.array([1.0, 0.5, 0.25])).round(3).tolist()
        [0.96, 0.403, 0.127]
    Source: mindspore.dataset.audio.AllpassBiquad
    """

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q)


class BandBiquad(_Biquad):
    """Two-pole band-pass filter of SoX around a frequency.

    Args:
        sample_rate, central_freq, Q: as for `AllpassBiquad`.
        noise (bool): whether to scale for noise; otherwise for tones. Default: ``False``.
    Source: mindspore.dataset.audio.BandBiquad
    """

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707, noise: Flag = False):
        super().__init__(sample_rate, central_freq, Q, noise)


class BandpassBiquad(_Biquad):
    """Band-pass filter around a frequency.

    Args:
        sample_rate, central_freq, Q: as for `AllpassBiquad`.
        const_skirt_gain (bool): whether the peak gain is ``Q``; otherwise 0 dB. Default: ``False``.
    Source: mindspore.dataset.audio.BandpassBiquad
    """

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707, const_skirt_gain: Flag = False):
        super().__init__(sample_rate, central_freq, Q, const_skirt_gain)


class BandrejectBiquad(_Biquad):
    """Band-stop filter; arguments as for `AllpassBiquad`.  Source: mindspore.dataset.audio.BandrejectBiquad"""

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q)


class BassBiquad(_Biquad):
    """Low-shelf filter: amplifies or attenuates low frequencies.

    Args:
        sample_rate (int): samples a second, not 0.
        gain (float): their gain in dB.
        central_freq (float): the frequency of half the gain, in Hz. Default: ``100.0``.
        Q (float): the quality factor, in ``(0, 1]``. Default: ``0.707``.
    Source: mindspore.dataset.audio.BassBiquad
    """

    def __init__(self, sample_rate: Rate, gain: AnyReal, central_freq: AnyReal = 100.0, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q, gain)


class TrebleBiquad(_Biquad):
    """High-shelf filter; arguments as for `BassBiquad`.  Source: mindspore.dataset.audio.TrebleBiquad"""

    def __init__(self, sample_rate: Rate, gain: AnyReal, central_freq: AnyReal = 3000, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q, gain)


class EqualizerBiquad(_Biquad):
    """Peaking equalizer: amplifies or attenuates a band around a frequency.

    Args:
        sample_rate (int): samples a second, not 0.
        center_freq (float): the frequency, in Hz.
        gain (float): its gain in dB.
        Q (float): the quality factor, in ``(0, 1]``. Default: ``0.707``.
    Source: mindspore.dataset.audio.EqualizerBiquad
    """

    def __init__(self, sample_rate: Rate, center_freq: AnyReal, gain: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, center_freq, Q, gain)


class HighpassBiquad(_Biquad):
    """High-pass filter.

    Args:
        sample_rate (int): samples a second, not 0.
        cutoff_freq (float): the cutoff frequency, in Hz.
        Q (float): the quality factor, in ``(0, 1]``. Default: ``0.707``.
    Source: mindspore.dataset.audio.HighpassBiquad
    """

    def __init__(self, sample_rate: Rate, cutoff_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, cutoff_freq, Q)


class LowpassBiquad(_Biquad):
    """Low-pass filter; arguments as for `HighpassBiquad`.  Source: mindspore.dataset.audio.LowpassBiquad"""

    def __init__(self, sample_rate: Rate, cutoff_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, cutoff_freq, Q)


def _one_of_rates(sample_rate, rates, owner):
    if isinstance(sample_rate, bool) or not isinstance(sample_rate, int):
        refuse(TypeError, owner, "sample_rate", "an int", sample_rate)
    if sample_rate not in rates:
        refuse(ValueError, owner, "sample_rate", f"one of {', '.join(map(str, rates))}", sample_rate)
    return sample_rate


class DeemphBiquad(_Biquad):
    """De-emphasis of Compact Discs (IEC 60908): undoes their pre-emphasized treble.

    Args:
        sample_rate (int): samples a second, 44100 or 48000.
    Source: mindspore.dataset.audio.DeemphBiquad
    """

    def __init__(self, sample_rate):
        super().__init__(_one_of_rates(sample_rate, (44100, 48000), "DeemphBiquad"))


class RiaaBiquad(_Biquad):
    """RIAA equalization: plays vinyl records as they were recorded.

    Args:
        sample_rate (int): samples a second, 44100, 48000, 88200 or 96000.
    Source: mindspore.dataset.audio.RiaaBiquad
    """

    def __init__(self, sample_rate):
        super().__init__(_one_of_rates(sample_rate, (44100, 48000, 88200, 96000), "RiaaBiquad"))


class Biquad(_Filter):
    """Second-order (biquad) filter; the result is clipped to [-1, 1].

    Args:
        b0, b1, b2 (float): coefficients of the numerator.
        a0, a1, a2 (float): of the denominator; ``a0`` is not 0.
    Example:
        >>> mindspore.dataset.audio.Biquad(0.5, 0.5, 0, 1, 0, 0)(np.array([1.0, 0.0, -1.0])).tolist()
        [0.5, 0.5, -0.5]
    Source: mindspore.dataset.audio.Biquad
    """

    _takes_lists = True

    def __init__(self, b0: AnyReal, b1: AnyReal, b2: AnyReal, a0: NotZero(AnyReal), a1: AnyReal, a2: AnyReal):
        self.numerator, self.denominator = (b0, b1, b2), (a0, a1, a2)

    def _sound(self, value):
        return filtered(value, self.numerator, self.denominator, True)


class LFilter(_Filter):
    """IIR filter with given coefficients.

    Args:
        a_coeffs (list | tuple): of the denominator, in order of increasing delay.
        b_coeffs (list | tuple): of the numerator, as many.
        clamp (bool): whether to clip the result to [-1, 1]. Default: ``True``.
    Example:
        >>> mindspore.dataset.audio.LFilter([1.0, -0.5], [1.0, 0.0])(np.array([0.5, 0.0, 0.0])).tolist()
        [0.5, 0.25, 0.125]
    Source: mindspore.dataset.audio.LFilter
    """

    def __init__(self, a_coeffs: Coefficients, b_coeffs: Coefficients, clamp: Flag = True):
        if len(a_coeffs) != len(b_coeffs):
            expected = f"of the length of 'a_coeffs', {len(a_coeffs)}"
            refuse(ValueError, type(self).__name__, "b_coeffs", expected, b_coeffs)
        self.denominator, self.numerator, self.clamp = a_coeffs, b_coeffs, clamp

    def _sound(self, value):
        if not self.denominator or self.denominator[0] == 0:
            self._fail(f"'a_coeffs' must begin with another number than 0, but got {self.denominator}.")
        return self._passed(value)

    def _passed(self, value):
        return filtered(value, self.numerator, self.denominator, self.clamp)


class Filtfilt(LFilter):
    """Zero-phase filter: `LFilter` forwards and then backwards.  Source: mindspore.dataset.audio.Filtfilt"""

    def _passed(self, value):
        forward = filtered(value, self.numerator, self.denominator, False)
        return filtered(forward[..., ::-1], self.numerator, self.denominator, self.clamp)[..., ::-1]
