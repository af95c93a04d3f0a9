"""Biquad filter coefficients: numerator and denominator of second-order filters, by frequency, gain and quality.

Those of the Audio EQ Cookbook of R. Bristow-Johnson, and SoX's for bands, emphasis and records.
"""

import math

# By sample rate of a disc: the frequency in Hz, the slope of the shelf and its gain in dB.
_EMPHASIS = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}
# By sample rate of a record: the zeros and the poles.
_RIAA = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


def _angle(rate, frequency, quality):
    """The cosine of the frequency's angle, and the cookbook's ``alpha``."""
    angle = 2 * math.pi * frequency / rate
    return math.cos(angle), math.sin(angle) / 2 / quality


def _amplitude(gain):
    return 10 ** (gain / 40)


def _allpass(rate, frequency, quality):
    cosine, alpha = _angle(rate, frequency, quality)
    return (1 - alpha, -2 * cosine, 1 + alpha), (1 + alpha, -2 * cosine, 1 - alpha)


def _band(rate, frequency, quality, is_noise):
    a2 = math.exp(-2 * math.pi * frequency / quality / rate)
    a1 = -4 * a2 / (1 + a2) * math.cos(2 * math.pi * frequency / rate)
    if is_noise:
        b0 = math.sqrt(((1 + a2) ** 2 - a1**2) * (1 - a2) / (1 + a2))
    else:
        b0 = math.sqrt(1 - a1**2 / (4 * a2)) * (1 - a2)
    return (b0, 0, 0), (1, a1, a2)


def _bandpass(rate, frequency, quality, has_constant_skirt):
    cosine, alpha = _angle(rate, frequency, quality)
    peak = alpha * quality if has_constant_skirt else alpha
    return (peak, 0, -peak), (1 + alpha, -2 * cosine, 1 - alpha)


def _bandreject(rate, frequency, quality):
    cosine, alpha = _angle(rate, frequency, quality)
    return (1, -2 * cosine, 1), (1 + alpha, -2 * cosine, 1 - alpha)


def _low_shelf(cosine, alpha, amplitude):
    more, less, slope = amplitude + 1, amplitude - 1, 2 * math.sqrt(amplitude) * alpha
    numerator = (
        amplitude * (more - less * cosine + slope),
        2 * amplitude * (less - more * cosine),
        amplitude * (more - less * cosine - slope),
    )
    return numerator, (more + less * cosine + slope, -2 * (less + more * cosine), more + less * cosine - slope)


def _high_shelf(cosine, alpha, amplitude):
    """The low shelf mirrored in frequency: cosines change their sign."""
    (b0, b1, b2), (a0, a1, a2) = _low_shelf(-cosine, alpha, amplitude)
    return (b0, -b1, b2), (a0, -a1, a2)


def _bass(rate, frequency, quality, gain):
    return _low_shelf(*_angle(rate, frequency, quality), _amplitude(gain))


def _treble(rate, frequency, quality, gain):
    return _high_shelf(*_angle(rate, frequency, quality), _amplitude(gain))


def _emphasis(rate):
    frequency, slope, gain = _EMPHASIS[rate]
    amplitude = _amplitude(gain)
    quality = 1 / math.sqrt((amplitude + 1 / amplitude) * (1 / slope - 1) + 2)
    return _high_shelf(*_angle(rate, frequency, quality), amplitude)


def _equalizer(rate, frequency, quality, gain):
    cosine, alpha = _angle(rate, frequency, quality)
    up, down = alpha * _amplitude(gain), alpha / _amplitude(gain)
    return (1 + up, -2 * cosine, 1 - up), (1 + down, -2 * cosine, 1 - down)


def _highpass(rate, frequency, quality):
    cosine, alpha = _angle(rate, frequency, quality)
    return ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2), (1 + alpha, -2 * cosine, 1 - alpha)


def _lowpass(rate, frequency, quality):
    cosine, alpha = _angle(rate, frequency, quality)
    return ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2), (1 + alpha, -2 * cosine, 1 - alpha)


def _riaa(rate):
    """RIAA equalization, with gain 1 at 1 kHz."""
    numerator, denominator = ((1.0, -(first + second), first * second) for first, second in _RIAA[rate])
    step = complex(math.cos(2000 * math.pi / rate), -math.sin(2000 * math.pi / rate))
    above, below = (
        abs(sum(each * step**power for power, each in enumerate(polynomial))) for polynomial in (numerator, denominator)
    )
    return tuple([each * below / above for each in numerator]), denominator


COEFFICIENTS = {
    "AllpassBiquad": _allpass,
    "BandBiquad": _band,
    "BandpassBiquad": _bandpass,
    "BandrejectBiquad": _bandreject,
    "BassBiquad": _bass,
    "DeemphBiquad": _emphasis,
    "EqualizerBiquad": _equalizer,
    "HighpassBiquad": _highpass,
    "LowpassBiquad": _lowpass,
    "RiaaBiquad": _riaa,
    "TrebleBiquad": _treble,
}
