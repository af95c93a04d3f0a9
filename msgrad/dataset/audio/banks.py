"""Filter banks over frequencies (mel, linear), and the matrix of the discrete cosine transform."""

import numpy as np

from ..._contracts.choices import Instance
from ..._contracts.enforcement import enforced
from ...engine.refusal import refuse
from .base import Count, CountOrZero, NotNegative, Positive
from .enums import MelType, NormMode, NormType

Norm, Mel, _Mode = Instance(NormType), Instance(MelType), Instance(NormMode)
_STEP, _KNEE = 200 / 3, 1000.0  # Slaney's scale: Hz a mel below the knee; above, 27 mels are a factor of 6.4
_GROWTH = np.log(6.4) / 27


def _mel(frequency, mel_type):
    if mel_type is MelType.HTK:
        return 2595 * np.log10(1 + frequency / 700)
    if frequency < _KNEE:
        return frequency / _STEP
    return _KNEE / _STEP + np.log(frequency / _KNEE) / _GROWTH


def _hertz(mels, mel_type):
    if mel_type is MelType.HTK:
        return 700 * (10 ** (mels / 2595) - 1)
    above = np.maximum(mels - _KNEE / _STEP, 0)
    return np.where(above > 0, _KNEE * np.exp(_GROWTH * above), mels * _STEP)


def _triangles(points, n_freqs, sample_rate):
    """Triangular filters between each three consecutive ``points`` (in Hz): ``(freqs, filters)``."""
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)[:, None]
    widths = np.diff(points)
    with np.errstate(divide="ignore", invalid="ignore"):  # a filter without a width is 0 everywhere
        rising, falling = (frequencies - points[:-2]) / widths[:-1], (points[2:] - frequencies) / widths[1:]
        return np.fmax(0, np.minimum(rising, falling))


def mel_filters(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type):
    """The filters of `melscale_fbanks`, in float64."""
    mels = np.linspace(_mel(f_min, mel_type), _mel(f_max, mel_type), n_mels + 2)
    points = _hertz(mels, mel_type)
    filters = _triangles(points, n_freqs, sample_rate)
    return filters * (2 / (points[2:] - points[:-2])) if norm is NormType.SLANEY else filters


def linear_filters(n_freqs, f_min, f_max, n_filter, sample_rate):
    """The filters of `linear_fbanks`, in float64."""
    return _triangles(np.linspace(f_min, f_max, n_filter + 2), n_freqs, sample_rate)


def cosines(count, length, norm):
    """The matrix of `create_dct`, in float64."""
    table = np.cos(np.pi / length * np.outer(np.arange(length) + 0.5, np.arange(count)))
    if norm is NormMode.NONE:
        return table * 2
    table[:, :1] *= np.sqrt(0.5)
    return table * np.sqrt(2 / length)


def _named(function):
    """A decorator of public functions: enforces contracts, with the function's name in errors."""
    return enforced(function, function.__name__)


@_named
def create_dct(n_mfcc: Count, n_mels: Count, norm: _Mode = NormMode.NONE):
    """The matrix of a discrete cosine transform.

    Args:
        n_mfcc (int): the number of coefficients.
        n_mels (int): the number of values.
        norm (NormMode): the scale. Default: ``NormMode.NONE``.
    Returns:
        numpy.ndarray of float32, of the shape ``(n_mels, n_mfcc)``.
    Example:
        >>> mindspore.dataset.audio.create_dct(1, 2).tolist()
        [[2.0], [2.0]]
    Source: mindspore.dataset.audio.create_dct
    """
    return cosines(n_mfcc, n_mels, norm).astype(np.float32)


def _in_order(f_min, f_max, owner):
    if f_max < f_min:
        refuse(ValueError, owner, "f_max", f"at least 'f_min', {f_min}", f_max)


@_named
def linear_fbanks(n_freqs: CountOrZero, f_min: NotNegative, f_max: Positive, n_filter: Count, sample_rate: Count):
    """Triangular filters, evenly spaced in Hz.

    Args:
        n_freqs (int): the number of frequencies, up to half of ``sample_rate``.
        f_min, f_max (float): the start of the first filter and the end of the last one, in Hz.
        n_filter (int): the number of filters.
        sample_rate (int): samples a second.
    Returns:
        numpy.ndarray of float32, of the shape ``(n_freqs, n_filter)``.
    Example:
        >>> mindspore.dataset.audio.linear_fbanks(5, 0.0, 4.0, 1, 8).ravel().tolist()
        [0.0, 0.5, 1.0, 0.5, 0.0]
    Source: mindspore.dataset.audio.linear_fbanks
    """
    _in_order(f_min, f_max, "linear_fbanks")
    return linear_filters(n_freqs, f_min, f_max, n_filter, sample_rate).astype(np.float32)


@_named
def melscale_fbanks(
    n_freqs: CountOrZero,
    f_min: NotNegative,
    f_max: Positive,
    n_mels: Count,
    sample_rate: Count,
    norm: Norm = NormType.NONE,
    mel_type: Mel = MelType.HTK,
):
    """Triangular filters, evenly spaced on a mel scale.

    Args:
        n_freqs, f_min, f_max, sample_rate: as for `linear_fbanks`.
        n_mels (int): the number of filters.
        norm (NormType): ``NormType.SLANEY`` divides each by its width. Default: ``NormType.NONE``.
        mel_type (MelType): the scale. Default: ``MelType.HTK``.
    Returns:
        numpy.ndarray of float32, of the shape ``(n_freqs, n_mels)``.
    Example:
        >>> mindspore.dataset.audio.melscale_fbanks(9, 0.0, 2000.0, 4, 4000).shape
        (9, 4)
    Source: mindspore.dataset.audio.melscale_fbanks
    """
    _in_order(f_min, f_max, "melscale_fbanks")
    return mel_filters(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float32)


def highest_of(f_min, f_max, sample_rate, owner, may_be_equal=False):
    """The highest frequency of a bank: ``f_max``, or half of the rate."""
    highest = sample_rate // 2 if f_max is None else f_max
    if f_min > highest or (f_min == highest and not (may_be_equal and f_max is not None)):
        refuse(ValueError, owner, "f_min", f"below the highest frequency, {highest}", f_min)
    return highest


def apply_filters(filters, value):
    """Applies filters to ``value`` (..., freq, time)."""
    return (value.swapaxes(-1, -2) @ filters).swapaxes(-1, -2)
