"""Enums of audio transforms."""

import enum


class _Named(str, enum.Enum):  # noqa: UP042  as in MindSpore, whose str() of a member is its name
    __str__ = enum.Enum.__str__


class BorderType(_Named):
    """Padding modes of a sound.  Source: mindspore.dataset.audio.BorderType"""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(_Named):
    """The distribution of the noise of `Dither`.  Source: mindspore.dataset.audio.DensityFunction"""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(_Named):
    """The shape of a fade in `Fade`.  Source: mindspore.dataset.audio.FadeShape"""

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
    """The interpolation of `Flanger`.  Source: mindspore.dataset.audio.Interpolation"""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(_Named):
    """Mel scales.  Source: mindspore.dataset.audio.MelType"""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(_Named):
    """The modulation wave of `Flanger`.  Source: mindspore.dataset.audio.Modulation"""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(_Named):
    """The normalization of a cosine transform.  Source: mindspore.dataset.audio.NormMode"""

    ORTHO = "ortho"
    NONE = "none"


class NormType(_Named):
    """The normalization of mel filters.  Source: mindspore.dataset.audio.NormType"""

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
