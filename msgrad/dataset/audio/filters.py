"""IIR filters: biquads, each a row of formulas, and filters of given coefficients.

SciPy runs the recursion: it comes with JAX, and a loop over samples in Python would take a thousand times as long.
"""

import numpy as np

from ...engine.refusal import refuse
from ._biquads import COEFFICIENTS
from .base import AnyReal, Coefficients, Flag, NotZero, Rate, Sound, Within, cast

Quality = Within("(0, 1]")


def filtered(value, numerator, denominator, is_clamped):
    """``value`` filtered along its last axis; between -1 and 1 where ``is_clamped``."""
    from scipy.signal import lfilter  # loaded when it is needed

    result = lfilter(numerator, denominator, value)
    return np.clip(result, -1, 1) if is_clamped else result


class _Filter(Sound):
    """The base of the filters: float16, too, stays what it is."""

    is_of_floats = True

    def converted(self, value):
        return cast(self.sound(value.astype(np.float64)), value.dtype)


class _Biquad(_Filter):
    """The base of the filters of two poles and two zeros, whose coefficients a function of `_biquads` says."""

    def __init__(self, *arguments):
        self.numerator, self.denominator = COEFFICIENTS[type(self).__name__](*arguments)

    def sound(self, value):
        return filtered(value, self.numerator, self.denominator, True)


class AllpassBiquad(_Biquad):
    """Shifts phases around a frequency, and leaves magnitudes as they are.

    Args:
        sample_rate (int): samples a second, not 0.
        central_freq (float): the frequency, in Hz.
        Q (float): the quality of the filter, in ``(0, 1]``. Default: ``0.707``.
    Raises:
        RuntimeError: of an array that is not of floats.
    Example:
        >>> mindspore.dataset.audio.AllpassBiquad(44100, 200.0)(np.array([1.0, 0.5, 0.25])).round(3).tolist()
        [0.96, 0.403, 0.127]
    Source: mindspore.dataset.audio.AllpassBiquad
    """

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q)


class BandBiquad(_Biquad):
    """Keeps a band around a frequency, with SoX's two poles.

    Args:
        sample_rate, central_freq, Q: as for `AllpassBiquad`.
        noise (bool): whether the sound is noise rather than tones, which have the scale. Default: ``False``.
    Source: mindspore.dataset.audio.BandBiquad
    """

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707, noise: Flag = False):
        super().__init__(sample_rate, central_freq, Q, noise)


class BandpassBiquad(_Biquad):
    """Keeps a band around a frequency.

    Args:
        sample_rate, central_freq, Q: as for `AllpassBiquad`.
        const_skirt_gain (bool): whether the peak is ``Q``, and not 0 dB. Default: ``False``.
    Source: mindspore.dataset.audio.BandpassBiquad
    """

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707, const_skirt_gain: Flag = False):
        super().__init__(sample_rate, central_freq, Q, const_skirt_gain)


class BandrejectBiquad(_Biquad):
    """Takes a band around a frequency away; as `AllpassBiquad`.  Source: mindspore.dataset.audio.BandrejectBiquad"""

    def __init__(self, sample_rate: Rate, central_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q)


class BassBiquad(_Biquad):
    """Makes low frequencies louder or softer.

    Args:
        sample_rate (int): samples a second, not 0.
        gain (float): how much louder they are, in dB.
        central_freq (float): where half of it is reached, in Hz. Default: ``100.0``.
        Q (float): the quality of the filter, in ``(0, 1]``. Default: ``0.707``.
    Source: mindspore.dataset.audio.BassBiquad
    """

    def __init__(self, sample_rate: Rate, gain: AnyReal, central_freq: AnyReal = 100.0, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q, gain)


class TrebleBiquad(_Biquad):
    """Makes high frequencies louder or softer: as `BassBiquad`.  Source: mindspore.dataset.audio.TrebleBiquad"""

    def __init__(self, sample_rate: Rate, gain: AnyReal, central_freq: AnyReal = 3000, Q: Quality = 0.707):
        super().__init__(sample_rate, central_freq, Q, gain)


class EqualizerBiquad(_Biquad):
    """Makes a band around a frequency louder or softer.

    Args:
        sample_rate (int): samples a second, not 0.
        center_freq (float): the frequency, in Hz.
        gain (float): how much louder it is, in dB.
        Q (float): the quality of the filter, in ``(0, 1]``. Default: ``0.707``.
    Source: mindspore.dataset.audio.EqualizerBiquad
    """

    def __init__(self, sample_rate: Rate, center_freq: AnyReal, gain: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, center_freq, Q, gain)


class HighpassBiquad(_Biquad):
    """Takes low frequencies away.

    Args:
        sample_rate (int): samples a second, not 0.
        cutoff_freq (float): the frequency from which they stay, in Hz.
        Q (float): the quality of the filter, in ``(0, 1]``. Default: ``0.707``.
    Source: mindspore.dataset.audio.HighpassBiquad
    """

    def __init__(self, sample_rate: Rate, cutoff_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, cutoff_freq, Q)


class LowpassBiquad(_Biquad):
    """Takes high frequencies away; as `HighpassBiquad`.  Source: mindspore.dataset.audio.LowpassBiquad"""

    def __init__(self, sample_rate: Rate, cutoff_freq: AnyReal, Q: Quality = 0.707):
        super().__init__(sample_rate, cutoff_freq, Q)


def _one_of_rates(sample_rate, rates, owner):
    if isinstance(sample_rate, bool) or not isinstance(sample_rate, int):
        refuse(TypeError, owner, "sample_rate", "an int", sample_rate)
    if sample_rate not in rates:
        refuse(ValueError, owner, "sample_rate", f"one of {', '.join(map(str, rates))}", sample_rate)
    return sample_rate


class DeemphBiquad(_Biquad):
    """Undoes the treble of Compact Discs with emphasis (IEC 60908).

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
    """A filter of two poles and two zeros; the result is between -1 and 1.

    Args:
        b0, b1, b2 (float): coefficients of the numerator.
        a0, a1, a2 (float): of the denominator; ``a0`` is not 0.
    Example:
        >>> mindspore.dataset.audio.Biquad(0.5, 0.5, 0, 1, 0, 0)(np.array([1.0, 0.0, -1.0])).tolist()
        [0.5, 0.5, -0.5]
    Source: mindspore.dataset.audio.Biquad
    """

    takes_lists = True

    def __init__(self, b0: AnyReal, b1: AnyReal, b2: AnyReal, a0: NotZero(AnyReal), a1: AnyReal, a2: AnyReal):
        self.numerator, self.denominator = (b0, b1, b2), (a0, a1, a2)

    def sound(self, value):
        return filtered(value, self.numerator, self.denominator, True)


class LFilter(_Filter):
    """A filter of given coefficients.

    Args:
        a_coeffs (list | tuple): of the denominator, that of no delay first.
        b_coeffs (list | tuple): of the numerator, as many.
        clamp (bool): whether the result is kept between -1 and 1. Default: ``True``.
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

    def sound(self, value):
        if not self.denominator or self.denominator[0] == 0:
            self.fail(f"'a_coeffs' must begin with another number than 0, but got {self.denominator}.")
        return self.passed(value)

    def passed(self, value):
        return filtered(value, self.numerator, self.denominator, self.clamp)


class Filtfilt(LFilter):
    """`LFilter` forwards and then backwards, which shifts no phase.  Source: mindspore.dataset.audio.Filtfilt"""

    def passed(self, value):
        forward = filtered(value, self.numerator, self.denominator, False)
        return filtered(forward[..., ::-1], self.numerator, self.denominator, self.clamp)[..., ::-1]
