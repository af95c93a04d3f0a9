"""Discrete cosine transforms (DCT-II, orthonormal): the functions of ``mindspore.scipy.fft``."""

import jax.numpy as jnp
import jax.scipy.fft as jax_fft

from ..._contracts import check
from ..._contracts.kinds import TensorOf
from .._core.define import op
from .._core.faces import Dialect
from .._core.families import body

FFT = Dialect("mindspore.scipy.fft")
_NAMES = {"Numbers": TensorOf("int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128")}
_DOC = """The {phrase} of the second kind, scaled to be orthogonal, along {along}.

    Args:
        x (Tensor): any shape; int16, int32, int64, a float or a complex dtype.
        type (int): of the transform: 2. Default: ``2``.
        {lengths}
        norm (str | None): the scale: ``'ortho'``, as None. Default: ``None``.
    Returns:
        Tensor of the same shape except for the lengths; float32 for ints and float16, else the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type, or ``x`` another dtype.
        ValueError: if ``x`` has no axes, or there is no such axis, length, type or norm.
    Example:
        >>> mindspore.scipy.fft.{name}(Tensor({given})).round().abs().tolist()
        {value}
    Source: mindspore.scipy.fft.{name}
    """
_ONE = """n (int | None): the length of the transform; ``x`` is cut or filled with zeros. Default: ``None``, its own.
        axis (int): the axis. Default: ``-1``."""
_SEVERAL = """s (tuple[int] | None): the lengths of the axes; ``x`` is cut or filled with zeros. Default: ``None``.
        axes (tuple[int] | None): the axes. Default: ``None``, all, or the last ones of ``s``."""


def _transformed(name, function, x, type, lengths, axes, norm):
    check.one_of(type, (2,), "type", name)
    check.one_of(norm, (None, "ortho"), "norm", name)
    x = check.at_least_rank(x, 1, "x", name)
    x = x if x.dtype == jnp.float64 or x.dtype.kind == "c" else x.astype(jnp.float32)
    for axis, length in zip(axes, lengths, strict=True):
        x = function(x, n=length, axis=axis, norm="ortho")
    return x


def _define_1d(name, function, phrase, example, value):
    def compute(x, type, n, axis, norm):
        return _transformed(name, function, x, type, [n], [check.axis(axis, x.ndim, "axis", name)], norm)

    parameters = "n: PositiveInt | None = None, axis: Axis = -1"
    return _defined(name, parameters, compute, phrase, "one axis", _ONE, example, value)


def _define_nd(name, function, phrase, example, value):
    def compute(x, type, s, axes, norm):
        if axes is None:
            axes = range(x.ndim) if s is None else range(-len(s), 0)
        axes = check.distinct_axes(tuple(axes), x.ndim, "axes", name)
        if s is not None and (len(s) != len(axes) or min(s, default=1) < 1):
            check.refuse(ValueError, name, "s", f"one positive length for each of {len(axes)} axes", s)
        return _transformed(name, function, x, type, s or [None] * len(axes), axes, norm)

    parameters = "s: Sequence | None = None, axes: Sequence | None = None"
    return _defined(name, parameters, compute, phrase, "several axes", _SEVERAL, example, value)


def _defined(name, parameters, compute, phrase, along, lengths, example, value):
    fields = {"phrase": phrase, "along": along, "lengths": lengths, "given": example, "value": value}
    text = f"{name}(x: Numbers, type: Int = 2, {parameters}, norm: Text | None = None)"
    return op(dialect=FFT)(body(text, compute, _DOC, _NAMES, **fields))


_COSINE, _INVERSE = "cosine transform", "inverse of the cosine transform"
_TWOS, _FOUR = [2.0, 2.0, 2.0, 2.0], [4.0, 0.0, 0.0, 0.0]
dct = _define_1d("dct", jax_fft.dct, _COSINE, _TWOS, _FOUR)
idct = _define_1d("idct", jax_fft.idct, _INVERSE, _FOUR, _TWOS)
dctn = _define_nd("dctn", jax_fft.dct, _COSINE, _TWOS, _FOUR)
idctn = _define_nd("idctn", jax_fft.idct, _INVERSE, _FOUR, _TWOS)
