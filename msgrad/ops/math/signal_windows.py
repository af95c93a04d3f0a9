"""Window functions (Hann, Hamming, Kaiser, ...), and the short-time Fourier transform."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, NonNegativeInt, PositiveInt
from ..._contracts.kinds import Static, concrete
from ...engine import dtypes
from .._core.define import op
from .._core.faces import primitive
from .._core.families import body


def _length(value, arg_name, owner):
    value = concrete(value)
    return check.non_negative_int(value[0] if isinstance(value, list) and len(value) == 1 else value, arg_name, owner)


_Length = Static(_length, *NonNegativeInt.types)


_WINDOW = """{summary}

    Args:
        window_length (int | Tensor): how many elements.
        periodic (bool): whether the next one would be the first again. Default: ``True``.{more}
        dtype (mindspore.dtype): a float dtype. Default: ``None``, which is {dtype}.
    Returns:
        Tensor of shape ``(window_length,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the length is negative.
    Example:
        >>> ops.{name}(5, False)[2].item()
        1.0
    Source: mindspore.ops.{name}
    """
_FLOAT64 = "float64, as in MindSpore 2.10"


def _window(name, shape, summary, further="", more="", default="float32"):
    """Defines a window function: ``shape`` at points in ``[0, 1]``; with ``periodic`` the last one is omitted."""

    def compute(length, periodic, *rest):
        *coefficients, dtype = rest
        dtype = (dtype or (dtypes.float32 if default == "float32" else dtypes.float64)).numpy
        if length < 2:
            return np.ones(length, dtype)
        points = np.arange(length) / (length if periodic else length - 1)
        return jnp.asarray(shape(points, *coefficients), dtype)

    text = f"{name}(window_length: Length, periodic: Bool = True{further}, *, dtype: Dtype | None = None)"
    return op()(body(text, compute, _WINDOW, {"Length": _Length}, summary=summary, more=more, dtype=default))


def _cosines(t, first, second, third=0.0):
    return first - second * np.cos(2 * np.pi * t) + third * np.cos(4 * np.pi * t)


def _kaiser(t, beta):
    return np.i0(beta * np.sqrt(1 - np.square(2 * t - 1))) / np.i0(beta)


bartlett_window = _window("bartlett_window", lambda t: 1 - np.abs(2 * t - 1), "The Bartlett window: a triangle.")
blackman_window = _window(
    "blackman_window",
    lambda t: _cosines(t, 0.42, 0.5, 0.08),
    "The Blackman window, ``0.42 - 0.5 cos(2 pi t) + 0.08 cos(4 pi t)``.",
)
hamming_window = _window(
    "hamming_window",
    _cosines,
    "The Hamming window, ``alpha - beta cos(2 pi t)``.",
    ", alpha: Scalar(of=Float) = 0.54, beta: Scalar(of=Float) = 0.46",
    "\n        alpha, beta (float): the coefficients. Default: ``0.54``, ``0.46``.",
)
hann_window = _window(
    "hann_window", lambda t: _cosines(t, 0.5, 0.5), "The Hann window, ``0.5 - 0.5 cos(2 pi t)``.", default=_FLOAT64
)
kaiser_window = _window(
    "kaiser_window",
    _kaiser,
    "The Kaiser window, by the modified Bessel function of order 0.",
    ", beta: Real = 12.0",
    "\n        beta (float): how narrow it is. Default: ``12.0``.",
    default=_FLOAT64,
)

primitive(bartlett_window, "BartlettWindow(periodic=True, dtype: Dtype=float32)")
primitive(blackman_window, "BlackmanWindow(periodic=True, dtype: Dtype=float32)")
primitive(hamming_window, "HammingWindow(periodic=True, alpha=0.54, beta=0.46, dtype: Dtype=float32)(length)")


@op("STFT(n_fft, hop_length, win_length, normalized, onesided, return_complex)(x, window)", name="_frames_transformed")
def _frames_transformed(
    x: Array,
    window: Array,
    n_fft: PositiveInt,
    hop_length: PositiveInt,
    win_length: PositiveInt,
    normalized: Bool,
    onesided: Bool,
    return_complex: Bool,
):
    """Short-time Fourier transform.

    Args:
        x (Tensor): shape ``(L,)`` or ``(B, L)``.
        window (Tensor): shape ``(win_length,)``: what each frame is multiplied by.
        n_fft (int): the length of a frame.
        hop_length (int): how far the next one is.
        win_length (int): the length of the window, at most ``n_fft``; zeros on both sides fill it.
        normalized (bool): whether to divide by the root of ``n_fft``.
        onesided (bool): whether spectra are halves, for real signals.
        return_complex (bool): whether the result is complex; if not, a last axis has real and imaginary parts.
    Returns:
        Tensor of shape ``(frequencies, frames)``, after the batch.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if lengths do not go together.
    Example:
        >>> ops.STFT(4, 2, 4, False, True, True)(ops.ones((8,)), ops.ones((4,))).shape
        (3, 3)
    Source: mindspore.ops.STFT
    """
    if x.ndim not in (1, 2):
        check.refuse(ValueError, "STFT", "x", "of one axis or two", x.shape)
    check.in_range(n_fft, 1, x.shape[-1], "n_fft", "STFT")
    check.in_range(win_length, 1, n_fft, "win_length", "STFT")
    if window.shape != (win_length,):
        check.refuse(ValueError, "STFT", "window", f"of shape ({win_length},)", window.shape)
    before = (n_fft - win_length) // 2
    window = jnp.pad(window, (before, n_fft - win_length - before))
    starts = np.arange(0, x.shape[-1] - n_fft + 1, hop_length)
    frames = x[..., starts[:, None] + np.arange(n_fft)] * window
    is_half = onesided and not jnp.iscomplexobj(frames)
    spectra = (jnp.fft.rfft if is_half else jnp.fft.fft)(frames, norm="ortho" if normalized else None)
    spectra = jnp.swapaxes(spectra, -1, -2)
    return spectra if return_complex else jnp.stack([jnp.real(spectra), jnp.imag(spectra)], -1)


@op()
def stft(
    x: Array,
    n_fft: PositiveInt,
    hop_length: PositiveInt | None = None,
    win_length: PositiveInt | None = None,
    window: Array | None = None,
    center: Bool = True,
    pad_mode: OneOf("REFLECT", "CONSTANT", "reflect", "constant") = "REFLECT",
    normalized: Bool = False,
    onesided: Bool | None = None,
    return_complex: Bool | None = None,
):
    """Short-time Fourier transform.

    Args:
        x (Tensor): shape ``(L,)`` or ``(B, L)``.
        n_fft (int): the length of a frame.
        hop_length (int): how far the next one is. Default: ``None``, a quarter of ``n_fft``.
        win_length (int): the length of the window; zeros on both sides fill it. Default: ``None``, ``n_fft``.
        window (Tensor): what each frame is multiplied by. Default: ``None``, ones.
        center (bool): whether ``x`` is padded, so that frame ``k`` has ``k * hop_length`` in its middle. Default:
            ``True``.
        pad_mode (str): ``'REFLECT'`` or ``'CONSTANT'``, which are zeros. Default: ``'REFLECT'``.
        normalized (bool): whether to divide by the root of ``n_fft``. Default: ``False``.
        onesided (bool): whether spectra are halves. Default: ``None``: of real signals.
        return_complex (bool): whether the result is complex; if not, a last axis has real and imaginary parts.
            Default: ``None``: of complex signals.
    Returns:
        Tensor of shape ``(frequencies, frames)``, after the batch.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if lengths do not go together.
    Example:
        >>> ops.stft(ops.ones((8,)), 4).shape
        (3, 9, 2)
    Source: mindspore.ops.stft
    """
    is_complex = jnp.iscomplexobj(x)
    win_length = win_length or n_fft
    if center:
        sides = [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        x = jnp.pad(x, sides, mode=pad_mode.lower())
    if window is None:
        window = jnp.ones(win_length, jnp.real(x).dtype)
    onesided = not is_complex if onesided is None else onesided
    return_complex = is_complex if return_complex is None else return_complex
    return _frames_transformed(
        x, window, n_fft, hop_length or n_fft // 4, win_length, normalized, onesided, return_complex
    )
