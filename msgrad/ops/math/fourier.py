"""Discrete Fourier transforms over one or more axes, real and Hermitian ones; windows, short-time transforms."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Ints
from ...engine import dtypes
from .._core.define import op
from .._core.families import body

_NORM = 'OneOf("backward", "ortho", "forward") | None = None'
_ALONG = """The {phrase} along one axis.

    Args:
        input (Tensor): any shape, a dtype of numbers; float32 takes the place of ints and float16.
        n (int | None): the length of the {length}; the input is cut or filled with zeros. Default: ``None``.
        dim (int): the axis. Default: ``-1``.
        norm (str | None): ``'backward'``, ``'ortho'`` or ``'forward'``: which of the transform and its inverse is
            divided by the length, or both by its root. Default: ``None``, as ``'backward'``.
    Returns:
        Tensor, {dtype}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, norm or length.
    Example:
        >>> ops.{name}(Tensor([1.0, 2.0, 1.0])).shape
        {shape}
    Source: mindspore.ops.{name}
    """
_OVER = """The {phrase} over {axes}.

    Args:
        input (Tensor): any shape, a dtype of numbers; float32 takes the place of ints and float16.
        s (tuple[int] | None): the lengths of the {length}; the input is cut or filled with zeros. Default: ``None``.
        dim (tuple[int] | None): the axes. Default: {default}.
        norm (str | None): ``'backward'``, ``'ortho'`` or ``'forward'``: which of the transform and its inverse is
            divided by the count of elements, or both by its root. Default: ``None``, as ``'backward'``.
    Returns:
        Tensor, {dtype}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, norm or length.
    Example:
        >>> ops.{name}(ops.ones((2, 3))).shape
        {shape}
    Source: mindspore.ops.{name}
    """


def _numbers(x, name, is_real):
    """``x`` cast to a dtype that has transforms; if ``is_real``, the real parts of complex numbers."""
    check.dtype(x, "iufc", "input", name)
    if not x.size:
        check.refuse(ValueError, name, "input", "of one element at least", x.shape)
    if is_real:
        x = jnp.real(x)
    if x.dtype in (np.float64, np.complex64, np.complex128):
        return x
    return x.astype(np.float32)


def _hfftn(x, s, axes, norm):
    return jnp.fft.irfftn(jnp.conj(x), s, axes, _OTHER[norm])


def _ihfftn(x, s, axes, norm):
    return jnp.conj(jnp.fft.rfftn(x, s, axes, _OTHER[norm]))


_OTHER = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
_COMPLEX, _REAL = "complex", "a float dtype"
_FFT, _IFFT = "discrete Fourier transform", "inverse discrete Fourier transform"
_RFFT = "first half of the discrete Fourier transform of real numbers"
_IRFFT = "real numbers whose discrete Fourier transform has the input for its first half"
_HFFT = "real discrete Fourier transform of a Hermitian signal, given by its first half,"
_IHFFT = "first half of the inverse discrete Fourier transform of real numbers"


def _define_1d(name, transform, phrase, dtype, shape, is_real=False, length="result"):
    def compute(x, n, dim, norm):
        dim = check.axis(dim, x.ndim, "dim", name)
        return transform(_numbers(x, name, is_real), n, dim, norm)

    fields = {"phrase": phrase, "dtype": dtype, "shape": shape, "length": length}
    text = f"{name}(input: Array, n: PositiveInt | None = None, dim: Axis = -1, norm: {_NORM})"
    return op()(body(text, compute, _ALONG, **fields))


def _define_nd(name, transform, phrase, dtype, shape, is_real=False, length="result", is_plane=False):
    def compute(x, s, dim, norm):
        if dim is None and s is not None:
            dim = tuple(range(x.ndim - len(s), x.ndim))
        dim = check.axes(dim, x.ndim, "dim", name)
        if s is not None and (len(s) != len(dim) or min(s) < 1):
            check.refuse(ValueError, name, "s", f"one positive length for each of {len(dim)} axes", s)
        return transform(_numbers(x, name, is_real), s, dim, norm)

    axes, default = ("two axes", "``(-2, -1)``") if is_plane else ("several axes", "``None``, all, or the last ones")
    fields = {"phrase": phrase, "dtype": dtype, "shape": shape, "length": length, "axes": axes, "default": default}
    dim = "Axes = (-2, -1)" if is_plane else "Axes = None"
    text = f"{name}(input: Array, s: Ints | None = None, dim: {dim}, norm: {_NORM})"
    return op()(body(text, compute, _OVER, **fields))


fft = _define_1d("fft", jnp.fft.fft, _FFT, _COMPLEX, (3,))
ifft = _define_1d("ifft", jnp.fft.ifft, _IFFT, _COMPLEX, (3,))
rfft = _define_1d("rfft", jnp.fft.rfft, _RFFT, _COMPLEX, (2,), True, "input")
irfft = _define_1d("irfft", jnp.fft.irfft, _IRFFT, _REAL, (4,))
hfft = _define_1d("hfft", jnp.fft.hfft, _HFFT, _REAL, (4,))
ihfft = _define_1d("ihfft", jnp.fft.ihfft, _IHFFT, _COMPLEX, (2,), True, "input")
fft2 = _define_nd("fft2", jnp.fft.fftn, _FFT, _COMPLEX, (2, 3), is_plane=True)
ifft2 = _define_nd("ifft2", jnp.fft.ifftn, _IFFT, _COMPLEX, (2, 3), is_plane=True)
rfft2 = _define_nd("rfft2", jnp.fft.rfftn, _RFFT, _COMPLEX, (2, 2), True, "input", True)
irfft2 = _define_nd("irfft2", jnp.fft.irfftn, _IRFFT, _REAL, (2, 4), is_plane=True)
hfft2 = _define_nd("hfft2", _hfftn, _HFFT, _REAL, (2, 4), is_plane=True)
ihfft2 = _define_nd("ihfft2", _ihfftn, _IHFFT, _COMPLEX, (2, 2), True, "input", True)
fftn = _define_nd("fftn", jnp.fft.fftn, _FFT, _COMPLEX, (2, 3))
ifftn = _define_nd("ifftn", jnp.fft.ifftn, _IFFT, _COMPLEX, (2, 3))
rfftn = _define_nd("rfftn", jnp.fft.rfftn, _RFFT, _COMPLEX, (2, 2), True, "input")
irfftn = _define_nd("irfftn", jnp.fft.irfftn, _IRFFT, _REAL, (2, 4))
hfftn = _define_nd("hfftn", _hfftn, _HFFT, _REAL, (2, 4))
ihfftn = _define_nd("ihfftn", _ihfftn, _IHFFT, _COMPLEX, (2, 2), True, "input")


# -- frequencies and shifts -----------------------------------------------------------------------------------------

_FREQUENCIES = """The frequencies of the elements of `{transform}` of ``n`` numbers.

    Args:
        n (int): how many numbers.
        d (float): the time between two of them. Default: ``1.0``.
        dtype (mindspore.dtype): of the result. Default: ``None``, which is float32.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``n`` is not positive.
    Example:
        >>> ops.{name}(4).tolist()
        {value}
    Source: mindspore.ops.{name}
    """


def _frequencies(name, transform, function, value):
    def compute(n, d, dtype):
        return function(n, d).astype((dtype or dtypes.float32).numpy)

    text = f"{name}(n: PositiveInt, d: Scalar() = 1.0, dtype: Dtype | None = None)"
    return op()(body(text, compute, _FREQUENCIES, transform=transform, value=value))


fftfreq = _frequencies("fftfreq", "fft", jnp.fft.fftfreq, [0.0, 0.25, -0.5, -0.25])
rfftfreq = _frequencies("rfftfreq", "rfft", jnp.fft.rfftfreq, [0.0, 0.25, 0.5])

_SHIFT = """Shifts frequency 0 {where}.

    Args:
        input (Tensor): any shape and dtype.
        dim (int | tuple[int] | None): the axes. Default: ``None``, all.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.{name}(Tensor([0, 1, 2, 3])).tolist()
        [2, 3, 0, 1]
    Source: mindspore.ops.{name}
    """


def _shift(name, function, where):
    def compute(x, dim):
        return function(x, check.axes(dim, x.ndim, "dim", name))

    return op()(body(f"{name}(input: Array, dim: Axes = None)", compute, _SHIFT, where=where))


fftshift = _shift("fftshift", jnp.fft.fftshift, "to the middle")
ifftshift = _shift("ifftshift", jnp.fft.ifftshift, "back to the front: the inverse of `fftshift`")


@op("FFTWithSize(signal_ndim, inverse, real, norm='backward', onesided=True, signal_sizes=())", name="_fft_with_size")
def _fft_with_size(
    x: Array,
    signal_ndim: OneOf(1, 2, 3),
    inverse: Bool,
    real: Bool,
    norm: OneOf("backward", "ortho", "forward") = "backward",
    onesided: Bool = True,
    signal_sizes: Ints = (),
):
    """The discrete Fourier transform over the last axes, or its inverse.

    Args:
        x (Tensor): at least ``signal_ndim`` axes.
        signal_ndim (int): over how many axes, 1 to 3.
        inverse (bool): whether the inverse.
        real (bool): whether of real numbers, or to them.
        norm (str): as for `fft`. Default: ``'backward'``.
        onesided (bool): whether spectra of real numbers are halves. Default: ``True``.
        signal_sizes (tuple[int]): the lengths of the real numbers, for their inverse. Default: ``()``, even ones.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are too few axes.
    Example:
        >>> ops.FFTWithSize(1, False, True)(Tensor([1.0, 2.0, 1.0])).shape
        (2,)
    Source: mindspore.ops.FFTWithSize
    """
    check.at_least_rank(x, signal_ndim, "x", "FFTWithSize")
    axes = tuple(range(x.ndim - signal_ndim, x.ndim))
    numbers = _numbers(x, "FFTWithSize", real and not inverse)
    if not real:
        return (jnp.fft.ifftn if inverse else jnp.fft.fftn)(numbers, None, axes, norm)
    if inverse:
        transform = jnp.fft.irfftn if onesided else lambda *args: jnp.real(jnp.fft.ifftn(*args))
        return transform(numbers, signal_sizes or None, axes, norm)
    return (jnp.fft.rfftn if onesided else jnp.fft.fftn)(numbers, None, axes, norm)
