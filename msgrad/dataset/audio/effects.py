"""Audio effects: overdrive, phaser, flanger, dither."""

import math

import numpy as np

from ..._contracts.choices import Instance
from ._echoes import echoed
from .base import AnyInt, Flag, Rate, Sound, Within, cast
from .enums import DensityFunction, Interpolation, Modulation
from .filters import filtered


class Overdrive(Sound):
    """Overdrive: amplifies a sound until it is distorted.

    Args:
        gain (float): the gain in dB, in ``[0, 100]``. Default: ``20.0``.
        color (float): the amount of even harmonics, in ``[0, 100]``. Default: ``20.0``.
    Source: mindspore.dataset.audio.Overdrive
    """

    def __init__(self, gain: Within("[0, 100]") = 20.0, color: Within("[0, 100]") = 20.0):
        self.ratio, self.shift = 10 ** (gain / 20), color / 200

    def _sound(self, value):
        driven = np.clip(value * self.ratio + self.shift, -1, 1)
        driven = driven - driven**3 / 3
        return np.clip(value * 0.5 + filtered(driven, (1, -1), (1, -0.995), False) * 0.75, -1, 1)


def _table(modulation, length, low, high, phase):
    """One period of a wave between ``low`` and ``high``.

    Args:
        phase (float): where it begins, as a fraction of the period.
    """
    turn = (np.arange(length) + int(phase * length + 0.5)) % length / length
    if modulation is Modulation.SINUSOIDAL:
        wave = (np.sin(turn * 2 * np.pi) + 1) / 2
    else:
        wave = np.select([turn < 0.25, turn < 0.75], [2 * turn + 0.5, 1.5 - 2 * turn], 2 * turn - 1.5)
    return wave * (high - low) + low


class Phaser(Sound):
    """Phaser: a sound with copies of itself at an oscillating delay.

    Args:
        sample_rate (int): samples a second.
        gain_in, gain_out (float): factors of the sound and of the result, in ``[0, 1]`` and ``[0, 1e9]``.
            Default: ``0.4`` and ``0.74``.
        delay_ms (float): the longest delay in milliseconds, in ``[0, 5]``. Default: ``3.0``.
        decay (float): the factor of a copy, in ``[0, 0.99]``. Default: ``0.4``.
        mod_speed (float): the frequency of the delay's modulation in Hz, in ``[0.1, 2]``. Default: ``0.5``.
        sinusoidal (bool): whether the modulation is a sine; otherwise a triangle. Default: ``True``.
    Source: mindspore.dataset.audio.Phaser
    """

    def __init__(
        self,
        sample_rate: AnyInt,
        gain_in: Within("[0, 1]") = 0.4,
        gain_out: Within("[0, 1e9]") = 0.74,
        delay_ms: Within("[0, 5]") = 3.0,
        decay: Within("[0, 0.99]") = 0.4,
        mod_speed: Within("[0.1, 2]") = 0.5,
        sinusoidal: Flag = True,
    ):
        self.gain_in, self.gain_out, self.decay = gain_in, gain_out, decay
        self.longest = int(delay_ms * 0.001 * sample_rate + 0.5)
        modulation = Modulation.SINUSOIDAL if sinusoidal else Modulation.TRIANGULAR
        turn = max(int(sample_rate / mod_speed + 0.5), 0)
        self.delays = np.floor(_table(modulation, turn, 1.0, self.longest, 0.25) + 0.5).astype(int)

    def _sound(self, value):
        if not (self.longest > 0 and len(self.delays)):
            self._fail("the 'sample_rate' and 'delay_ms' must make a delay of one sample at least.")
        time = np.arange(value.shape[-1])
        delays = 1 + -self.delays[time % len(self.delays)] % self.longest
        flat = value.reshape(-1, len(time)) * self.gain_in
        echoes = echoed(flat, (time - delays)[None], np.full((1, len(time)), self.decay))
        return np.clip(echoes.reshape(value.shape) * self.gain_out, -1, 1)


class Flanger(Sound):
    """Flanger: a sound with a copy of itself at a short, oscillating delay.

    Args:
        sample_rate (int): samples a second, not 0.
        delay, depth (float): the shortest delay and the depth of its modulation, in milliseconds, in ``[0, 30]`` and
            ``[0, 10]``. Default: ``0.0`` and ``2.0``.
        regen (float): the feedback of the copy in percent, in ``[-95, 95]``. Default: ``0.0``.
        width (float): the amount of the copy in percent, in ``[0, 100]``. Default: ``71.0``.
        speed (float): the frequency of the delay's modulation in Hz, in ``[0.1, 10]``. Default: ``0.5``.
        phase (float): the phase shift between channels, in percent of a period, in ``[0, 100]``.
            Default: ``25.0``.
        modulation (Modulation): the wave of the modulation. Default: ``Modulation.SINUSOIDAL``.
        interpolation (Interpolation): the interpolation between samples. Default: ``Interpolation.LINEAR``.
    Source: mindspore.dataset.audio.Flanger
    """

    _axes = "channel time"

    def __init__(
        self,
        sample_rate: Rate,
        delay: Within("[0, 30]") = 0.0,
        depth: Within("[0, 10]") = 2.0,
        regen: Within("[-95, 95]") = 0.0,
        width: Within("[0, 100]") = 71.0,
        speed: Within("[0.1, 10]") = 0.5,
        phase: Within("[0, 100]") = 25.0,
        modulation: Instance(Modulation) = Modulation.SINUSOIDAL,
        interpolation: Instance(Interpolation) = Interpolation.LINEAR,
    ):
        self.feedback, self.phase, self.interpolation = regen / 100, phase / 100, interpolation
        balance = 1 + width / 100
        self.gain_in = np.float32(1 / balance)  # float32 as in MindSpore: the rounding is visible in its ints
        self.gain_copy = np.float32(width / 100 / balance * (1 - abs(self.feedback)))
        self.length = int((delay + depth) / 1000 * sample_rate + 0.5) + 2
        shortest = math.floor(delay / 1000 * sample_rate + 0.5)
        self.delays = _table(modulation, max(int(sample_rate / speed), 0), shortest, self.length - 2.0, 0.75)

    def _converted(self, value):
        channels, time = value.shape[-2:]
        if channels > 4:
            self._fail(f"a sound must have at most 4 channels, but got the shape {value.shape}.")
        if not len(self.delays):
            self._fail("the 'sample_rate' must be above the 'speed'.")
        floats = value.astype(np.float64)
        flat = floats.reshape(-1, channels, time)
        copies = np.stack([self._copy(flat[:, each], each) for each in range(channels)], 1).reshape(value.shape)
        mixed = np.clip(floats * self.gain_in + copies * self.gain_copy, -1, 1)
        return cast(mixed, value.dtype)

    def _copy(self, value, channel):
        """The delayed copy of one channel, ``(sounds, time)``."""
        time = np.arange(value.shape[-1])
        behind = int(channel * len(self.delays) * self.phase + 0.5)
        delays = self.delays[(time + behind) % len(self.delays)]
        part = delays % 1
        if self.interpolation is Interpolation.LINEAR:
            weights = np.stack([1 - part, part])
        else:
            weights = np.stack([(1 - part) * (2 - part) / 2, part * (2 - part), part * (part - 1) / 2])
        sources = time - (delays.astype(int) + np.arange(len(weights))[:, None]) % self.length
        if self.feedback:  # the feedback uses the copy of the previous sample
            earlier = np.full_like(sources, -1), np.zeros_like(weights)
            earlier[0][:, 1:], earlier[1][:, 1:] = sources[:, :-1], weights[:, :-1] * self.feedback
            value = echoed(value, *earlier)
        read = np.where(sources >= 0, value[:, np.maximum(sources, 0)], 0)
        return (read * weights).sum(1)


_STEPS = 2**15


class Dither(Sound):
    """Dither: rounds a sound to 16 bits with noise, which decorrelates the rounding error.

    Args:
        density_function (DensityFunction): the noise: ``TPDF`` a triangle over the time, ``RPDF`` one sample of the
            sound. Default: ``DensityFunction.TPDF``.
        noise_shaping (bool): whether the error of a sample is added to the next. Default: ``False``.
    Raises:
        NotImplementedError: for ``DensityFunction.GPDF``, with which MindSpore overwrites samples of the sound.
    Source: mindspore.dataset.audio.Dither
    """

    def __init__(
        self,
        density_function: Instance(DensityFunction) = DensityFunction.TPDF,
        noise_shaping: Flag = False,
    ):
        if density_function is DensityFunction.GPDF:
            raise NotImplementedError(
                "For 'Dither', DensityFunction.GPDF is left out of msgrad: MindSpore's overwrites some samples. Use "
                "DensityFunction.TPDF or DensityFunction.RPDF."
            )
        self.density_function, self.noise_shaping = density_function, noise_shaping

    def _sound(self, value):
        time = value.shape[-1]
        if self.density_function is DensityFunction.TPDF:
            noise = 1 - np.abs(np.arange(time) * 2 / time - 1)
        else:
            noise = self._sample(value.reshape(-1, time))
        steps = value * (_STEPS - 2.0) + noise
        whole = np.trunc(steps)
        rounded = (whole + np.trunc(2 * (steps - whole))) / _STEPS  # rounds halves away from 0, as ``std::round``
        if self.noise_shaping:
            rounded[..., 1:] += (rounded - value)[..., :-1]
        return rounded

    def _sample(self, channels):
        draws, (count, time) = self._draws(), channels.shape
        channel = draws.integer(0, count - 1) if count > 1 else 0
        return channels[channel, draws.integer(0, time - 1)]
