"""Amplitude and loudness: gain, volume, fades, contrast, decibels, mu-law companding."""

import math

import numpy as np

from ..._contracts.choices import Instance
from ...engine.refusal import refuse
from .base import AnyReal, Count, CountOrZero, Positive, Sound, Within
from .enums import FadeShape, GainType, ScaleType


class AmplitudeToDB(Sound):
    """Converts a spectrogram to decibels, clipped to ``top_db`` below the maximum.

    Args:
        stype (ScaleType): whether it contains powers or magnitudes. Default: ``ScaleType.POWER``.
        ref_value (float): the value of 0 dB, above 0. Default: ``1.0``.
        amin (float): the lower bound of values. Default: ``1e-10``.
        top_db (float): the range, above 0. Default: ``80.0``.
    Example:
        >>> mindspore.dataset.audio.AmplitudeToDB(top_db=30.0)(np.array([[1.0, 100.0, 1e-9]])).round(3).tolist()
        [[0.0, 20.0, -10.0]]
    Source: mindspore.dataset.audio.AmplitudeToDB
    """

    _axes = "freq time"

    def __init__(
        self,
        stype: Instance(ScaleType) = ScaleType.POWER,
        ref_value: Positive = 1.0,
        amin: Positive = 1e-10,
        top_db: Positive = 80.0,
    ):
        self.factor = 10.0 if stype is ScaleType.POWER else 20.0
        self.ref_value, self.amin, self.top_db = ref_value, amin, top_db

    def _sound(self, value):
        return decibels(value, self.factor, self.ref_value, self.amin, self.top_db)


def decibels(value, factor, ref_value, amin, top_db):
    """A spectrogram in decibels: ``factor`` times the logarithm; its channels share one maximum."""
    levels = factor * (np.log10(np.maximum(value, amin)) - math.log10(max(amin, ref_value)))
    return np.maximum(levels, levels.max(axis=tuple(range(-min(value.ndim, 3), 0)), keepdims=True) - top_db)


class Contrast(Sound):
    """Contrast enhancement, which makes a sound seem louder.

    Args:
        enhancement_amount (float): the amount, in ``[0, 100]``. Default: ``75.0``.
    Source: mindspore.dataset.audio.Contrast
    """

    def __init__(self, enhancement_amount: Within("[0, 100]") = 75.0):
        self.enhancement_amount = enhancement_amount

    def _sound(self, value):
        angle = value * (np.pi / 2)
        return np.sin(angle + self.enhancement_amount / 750 * np.sin(4 * angle))


class DBToAmplitude(Sound):
    """Decibels to amplitude or power: ``ref * 10 ** (0.1 * power * waveform)``.

    Args:
        ref (float): the value of 0 dB.
        power (float): 1 for powers, 0.5 for magnitudes.
    Example:
        >>> mindspore.dataset.audio.DBToAmplitude(1.0, 1.0)(np.array([0.0, 20.0])).tolist()
        [1.0, 100.0]
    Source: mindspore.dataset.audio.DBToAmplitude
    """

    def __init__(self, ref: AnyReal, power: AnyReal):
        self.ref, self.power = ref, power

    def _sound(self, value):
        return self.ref * np.power(np.power(10, 0.1 * value), self.power)


class DCShift(Sound):
    """DC shift: adds an offset to a sound, with a limiter for its peaks.

    Args:
        shift (float): the offset, in ``[-2, 2]``.
        limiter_gain (float): the gain above the limit, much less than 1. Default: ``None``, the ``shift``.
    Example:
        >>> mindspore.dataset.audio.DCShift(0.5, 0.02)(np.array([0.25, 0.5, 0.75])).round(6).tolist()
        [0.75, 1.0, 0.52]
    Source: mindspore.dataset.audio.DCShift
    """

    def __init__(self, shift: Within("[-2, 2]"), limiter_gain=None):
        if limiter_gain is not None and (isinstance(limiter_gain, bool) or not isinstance(limiter_gain, (int, float))):
            refuse(TypeError, "DCShift", "limiter_gain", "a number", limiter_gain)
        self.shift, self.limiter_gain = shift, limiter_gain or shift

    def _sound(self, value):
        shifted = np.clip(value + self.shift, -1, 1)
        if self.shift == 0 or self.limiter_gain in (self.shift, abs(self.shift)):  # the limit is then 1
            return shifted
        limit = 1 - (abs(self.shift) - self.limiter_gain)
        slope = self.limiter_gain / (1 - limit)
        if self.shift > 0:
            return np.where(value > limit, np.minimum((value - limit) * slope + limit + self.shift, limit), shifted)
        # As in MindSpore, a negative shift is not the mirror image of a positive one.
        return np.where(value < -limit, np.maximum((value + limit) * slope + limit + self.shift, -limit), shifted)


_SLOPES = {
    FadeShape.LINEAR: lambda rise: rise,
    FadeShape.EXPONENTIAL: lambda rise: 2 ** (rise - 1) * rise,
    FadeShape.LOGARITHMIC: lambda rise: np.log10(0.1 + rise) + 1,
    FadeShape.QUARTER_SINE: lambda rise: np.sin(rise * np.pi / 2),
    FadeShape.HALF_SINE: lambda rise: np.sin(rise * np.pi - np.pi / 2) / 2 + 0.5,
}


class Fade(Sound):
    """Fades a sound in and out.

    Args:
        fade_in_len, fade_out_len (int): the lengths of the fades in samples. Default: ``0``.
        fade_shape (FadeShape): the curve of the volume. Default: ``FadeShape.LINEAR``.
    Raises:
        RuntimeError: for a sound shorter than that.
    Example:
        >>> mindspore.dataset.audio.Fade(3, 2)(np.ones(5)).tolist()
        [0.0, 0.5, 1.0, 1.0, 0.0]
    Source: mindspore.dataset.audio.Fade
    """

    def __init__(
        self,
        fade_in_len: CountOrZero = 0,
        fade_out_len: CountOrZero = 0,
        fade_shape: Instance(FadeShape) = FadeShape.LINEAR,
    ):
        self.lengths, self.slope = (fade_in_len, fade_out_len), _SLOPES[fade_shape]

    def _sound(self, value):
        time = value.shape[-1]
        if max(self.lengths) > time:
            self._fail(f"'fade_in_len' and 'fade_out_len' must be at most the {time} samples, but got {self.lengths}.")
        begin, end = self.lengths
        volumes = np.ones((2, time))
        volumes[0, :begin] = self.slope(np.linspace(0, 1, begin))
        volumes[1, time - end :] = self.slope(1 - np.linspace(0, 1, end))
        return value * volumes[0] * volumes[1]


class Gain(Sound):
    """Amplifies a sound.

    Args:
        gain_db (float): the gain in dB. Default: ``1.0``.
    Example:
        >>> mindspore.dataset.audio.Gain(20)(np.array([0.25])).tolist()
        [2.5]
    Source: mindspore.dataset.audio.Gain
    """

    def __init__(self, gain_db: AnyReal = 1.0):
        self.ratio = 10 ** (gain_db / 20)

    def _sound(self, value):
        return value * self.ratio


class Vol(Sound):
    """Changes the volume of a sound, and clips it to [-1, 1].

    Args:
        gain (float): the gain: non-negative for amplitudes, above 0 for powers, any number for decibels.
        gain_type (GainType): its unit. Default: ``GainType.AMPLITUDE``.
    Example:
        >>> mindspore.dataset.audio.Vol(0.5)(np.array([0.5, -1.0])).tolist()
        [0.25, -0.5]
    Source: mindspore.dataset.audio.Vol
    """

    def __init__(self, gain: AnyReal, gain_type: Instance(GainType) = GainType.AMPLITUDE):
        if gain_type is GainType.DB:
            gain = 10 ** (gain / 20)
        elif gain < 0 or (gain == 0 and gain_type is GainType.POWER):
            refuse(ValueError, "Vol", "gain", f"{'non-negative' if gain else 'above 0'} for {gain_type}", gain)
        elif gain_type is GainType.POWER:
            gain = math.sqrt(gain)
        self.gain = gain

    def _sound(self, value):
        return np.clip(value * self.gain, -1, 1)


def _need_two(transform):
    if transform.maximum < 1:
        transform._fail("'quantization_channels' must be 2 at least.")


class MuLawEncoding(Sound):
    """Mu-law encoding: samples as int32 from 0 to ``quantization_channels - 1``, with finer steps near 0.

    Args:
        quantization_channels (int): the number of levels. Default: ``256``.
    Example:
        >>> mindspore.dataset.audio.MuLawEncoding()(np.array([-1.0, 0.0, 0.1])).tolist()
        [0, 128, 203]
    Source: mindspore.dataset.audio.MuLawEncoding
    """

    def __init__(self, quantization_channels: Count = 256):
        self.maximum = quantization_channels - 1

    def _converted(self, value):
        _need_two(self)
        value = value.astype(np.float64 if value.dtype == np.float64 else np.float32)
        folded = np.sign(value) * np.log1p(self.maximum * np.abs(value)) / np.log1p(self.maximum)
        return ((folded + 1) / 2 * self.maximum + 0.5).astype(np.int32)


class MuLawDecoding(Sound):
    """Mu-law decoding: the samples of the numbers of `MuLawEncoding`.

    Args:
        quantization_channels (int): the number of levels. Default: ``256``.
    Example:
        >>> mindspore.dataset.audio.MuLawDecoding()(np.array([0.0, 128.0, 203.0])).round(3).tolist()
        [-1.0, 0.0, 0.101]
    Source: mindspore.dataset.audio.MuLawDecoding
    """

    def __init__(self, quantization_channels: Count = 256):
        self.maximum = quantization_channels - 1

    def _sound(self, value):
        _need_two(self)
        folded = value / self.maximum * 2 - 1
        return np.sign(folded) * np.expm1(np.abs(folded) * np.log1p(self.maximum)) / self.maximum
