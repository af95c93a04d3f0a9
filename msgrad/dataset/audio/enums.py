"""Modes of transforms of sound."""

import enum


class _Named(str, enum.Enum):  # noqa: UP042  as in MindSpore, whose str() of a member is its name
    __str__ = enum.Enum.__str__


class BorderType(_Named):
    """How a sound is padded beyond its ends.  Source: mindspore.dataset.audio.BorderType"""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(_Named):
    """The law of the noise of `Dither`.  Source: mindspore.dataset.audio.DensityFunction"""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(_Named):
    """How a sound begins and ends in `Fade`.  Source: mindspore.dataset.audio.FadeShape"""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(_Named):
    """The unit of the gain of `Vol`.  Source: mindspore.dataset.audio.GainType"""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(_Named):
    """How `Flanger` reads between samples.  Source: mindspore.dataset.audio.Interpolation"""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(_Named):
    """Scales of the pitch that is heard.  Source: mindspore.dataset.audio.MelType"""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(_Named):
    """The wave that moves the delay of `Flanger`.  Source: mindspore.dataset.audio.Modulation"""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(_Named):
    """How a cosine transform is scaled.  Source: mindspore.dataset.audio.NormMode"""

    ORTHO = "ortho"
    NONE = "none"


class NormType(_Named):
    """How the filters of a mel scale are scaled.  Source: mindspore.dataset.audio.NormType"""

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(_Named):
    """The window of the filter of `Resample`.  Source: mindspore.dataset.audio.ResampleMethod"""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(_Named):
    """The kind of values that `AmplitudeToDB` takes.  Source: mindspore.dataset.audio.ScaleType"""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(_Named):
    """Windows over the frames of a spectrogram.  Source: mindspore.dataset.audio.WindowType"""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
