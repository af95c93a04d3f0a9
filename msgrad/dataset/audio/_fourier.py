"""Short-time Fourier transforms, and windows over their frames."""

from typing import Any

import numpy as np

from .enums import WindowType

_WINDOWS = {
    WindowType.BARTLETT: np.bartlett,
    WindowType.BLACKMAN: np.blackman,
    WindowType.HAMMING: np.hamming,
    WindowType.HANN: np.hanning,
    WindowType.KAISER: lambda length: np.kaiser(length, 12.0),
}


def window_of(kind, win_length, n_fft):
    """A periodic window, centred in ``n_fft`` samples."""
    before = (n_fft - win_length) // 2
    return np.pad(_WINDOWS[kind](win_length + 1)[:-1], (before, n_fft - win_length - before))


def spectra(value, window, hop_length, is_onesided=True):
    """The spectra of the frames of ``value`` (..., time): complex, ``(..., freq, frames)``."""
    frames = np.lib.stride_tricks.sliding_window_view(value, len(window), -1)[..., ::hop_length, :] * window
    return (np.fft.rfft(frames) if is_onesided else np.fft.fft(frames)).swapaxes(-1, -2)


def centred(value, n_fft, mode: Any = "reflect"):
    """``value`` padded, so that the first frame is centred on the first sample."""
    return padded(value, n_fft // 2, n_fft // 2, mode)


def padded(value, before, after, mode: Any = "constant"):
    return np.pad(value, [(0, 0)] * (value.ndim - 1) + [(before, after)], mode)


def overlapped(frames, hop_length):
    """Overlap-add of frames ``(..., count, length)``, each shifted by ``hop_length``."""
    *rest, count, length = frames.shape
    parts = -(-length // hop_length)
    frames = padded(frames, 0, parts * hop_length - length).reshape(*rest, count, parts, hop_length)
    total = np.zeros((*rest, count + parts - 1, hop_length), frames.dtype)
    for part in range(parts):
        total[..., part : part + count, :] += frames[..., part, :]
    return total.reshape(*rest, -1)[..., : (count - 1) * hop_length + length]


def sound_of(spectrum, window, hop_length, length=None, is_centred=True, is_onesided=True):
    """Inverse short-time Fourier transform (least squares) of complex spectra ``(..., freq, frames)``.

    Args:
        length (int): the number of samples, padded with zeros. Default: ``None``, determined by the frames.
    Returns:
        numpy.ndarray with axes ``(..., time)``: 0 for samples that no window covers.
    """
    n_fft = len(window)
    spectrum = spectrum.swapaxes(-1, -2)
    frames = np.fft.irfft(spectrum, n_fft) if is_onesided else np.fft.ifft(spectrum, n_fft).real
    total = overlapped(frames * window, hop_length)
    weight = overlapped(np.broadcast_to(window**2, frames.shape[-2:]), hop_length)
    start = n_fft // 2 if is_centred else 0
    end = len(weight) - start if length is None else min(start + length, len(weight))
    total, weight = total[..., start:end], weight[start:end]
    sound = np.divide(total, weight, out=np.zeros_like(total), where=weight > 1e-11)
    return sound if length is None else padded(sound, 0, length - sound.shape[-1])


def as_complex(value):
    """Converts pairs along the last axis to complex numbers."""
    return value[..., 0] + 1j * value[..., 1]


def as_pairs(value):
    """Converts complex numbers to pairs along a new last axis."""
    return np.stack([value.real, value.imag], -1)
