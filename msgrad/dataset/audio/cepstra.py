"""Cepstral coefficients (MFCC, LFCC): the cosine transform of a log spectrogram."""

from typing import Any

import numpy as np

from ..._contracts.choices import Instance
from ...engine.refusal import refuse, require
from .banks import apply_filters, cosines, highest_of, linear_filters
from .base import Count, CountOrZero, Flag, NotNegative, Sound
from .enums import NormMode
from .levels import decibels
from .mel import MelSpectrogram, filtered_spectrogram
from .spectra import Spectrogram

_Mode = Instance(NormMode)
_LEAST = 1e-6


class _Cepstrum(Sound):
    """The base of cepstral coefficients: the cosine transform of a log spectrogram, in float32."""

    is_logarithm: Any
    cosines: Any

    def _converted(self, value):
        value = value.astype(np.float64 if value.dtype == np.float64 else np.float32)
        bands = filtered_spectrogram(self, value)
        if self.is_logarithm:
            bands = np.log(bands + _LEAST)
        else:
            bands = decibels(bands, 10.0, 1.0, 1e-10, 80.0)
        return apply_filters(self.cosines, bands).astype(np.float32)


def _only_second(dct_type, owner):
    if dct_type != 2:
        refuse(ValueError, owner, "dct_type", "2", dct_type)


class MFCC(_Cepstrum):
    """Mel-frequency cepstral coefficients: ``(..., time)`` to ``(..., n_mfcc, frames)``, float32.

    Args:
        sample_rate (int): samples a second. Default: ``16000``.
        n_mfcc (int): the number of coefficients, at most the number of filters. Default: ``40``.
        dct_type (int): the type of the cosine transform, 2. Default: ``2``.
        norm (NormMode): the scale of the transform. Default: ``NormMode.ORTHO``.
        log_mels (bool): whether to use logarithms instead of decibels. Default: ``False``.
        melkwargs (dict): the arguments of `MelSpectrogram`, all but ``sample_rate``. Default: ``None``, its defaults.
    Source: mindspore.dataset.audio.MFCC
    """

    def __init__(
        self,
        sample_rate: CountOrZero = 16000,
        n_mfcc: CountOrZero = 40,
        dct_type=2,
        norm: _Mode = NormMode.ORTHO,
        log_mels: Flag = False,
        melkwargs=None,
    ):
        _only_second(dct_type, "MFCC")
        options = require(melkwargs, (dict, type(None)), "MFCC", "melkwargs") or {}
        mels = MelSpectrogram(sample_rate, **options)
        self.spectrogram, self.filters = mels.spectrogram, mels.filters
        n_mels = self.filters.shape[-1]
        if n_mfcc > n_mels:
            refuse(ValueError, "MFCC", "n_mfcc", f"at most the number of filters, {n_mels}", n_mfcc)
        self.is_logarithm, self.cosines = log_mels, cosines(n_mfcc, n_mels, norm)


class LFCC(_Cepstrum):
    """Linear-frequency cepstral coefficients: ``(..., time)`` to ``(..., n_lfcc, frames)``, float32.

    Args:
        sample_rate (int): samples a second. Default: ``16000``.
        n_filter (int): the number of filters. Default: ``128``.
        n_lfcc (int): the number of coefficients. Default: ``40``.
        f_min, f_max (float): start of the first filter and end of the last, in Hz. Default: ``0.0``, and ``None``
            for half of ``sample_rate``.
        dct_type (int): the type of the cosine transform, 2. Default: ``2``.
        norm (NormMode): the scale of the transform. Default: ``NormMode.ORTHO``.
        log_lf (bool): whether to use logarithms instead of decibels. Default: ``False``.
        speckwargs (dict): the arguments of `Spectrogram`. Default: ``None``, its defaults.
    Source: mindspore.dataset.audio.LFCC
    """

    def __init__(
        self,
        sample_rate: CountOrZero = 16000,
        n_filter: Count = 128,
        n_lfcc: Count = 40,
        f_min: NotNegative = 0.0,
        f_max: NotNegative | None = None,
        dct_type=2,
        norm: _Mode = NormMode.ORTHO,
        log_lf: Flag = False,
        speckwargs=None,
    ):
        _only_second(dct_type, "LFCC")
        highest = highest_of(f_min, f_max, sample_rate, "LFCC", may_be_equal=True)
        options = require(speckwargs, (dict, type(None)), "LFCC", "speckwargs") or {}
        self.spectrogram = Spectrogram(**options)
        n_fft = len(self.spectrogram.window)
        if n_lfcc > n_fft:
            refuse(ValueError, "LFCC", "n_lfcc", f"at most 'n_fft', {n_fft}", n_lfcc)
        self.filters = linear_filters(n_fft // 2 + 1, f_min, highest, n_filter, sample_rate)
        self.is_logarithm, self.cosines = log_lf, cosines(n_lfcc, n_filter, norm)
