"""Complex numbers: conversion from and to real and imaginary parts."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array
from .._core.define import op


def _parts(first, second, name, arguments):
    for argument, x in zip(arguments, (first, second), strict=True):
        if x.dtype not in (np.float32, np.float64) or x.dtype != first.dtype:
            check.refuse(TypeError, name, argument, "a Tensor of float32 or float64, as the other", str(x.dtype))
    check.broadcastable(first.shape, second.shape, name)


@op("Complex", name="_complex")
def _complex(real: Array, imag: Array):
    """The complex numbers of real and imaginary parts.

    Args:
        real, imag (Tensor): shapes that broadcast, float32 or float64 both.
    Returns:
        Tensor, complex64 or complex128.
    Raises:
        TypeError: for other dtypes.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.Complex()(Tensor([1.0]), Tensor([2.0])).tolist()
        [(1+2j)]
    Source: mindspore.ops.Complex
    """
    _parts(real, imag, "Complex", ("real", "imag"))
    return real + 1j * imag


@op("Polar")
def polar(abs: Array, angle: Array):
    """The complex numbers of absolute values and angles.

    Args:
        abs, angle (Tensor): one shape, float32 or float64 both; angles in radians.
    Returns:
        Tensor, complex64 or complex128.
    Raises:
        TypeError: for other dtypes.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.polar(Tensor([2.0]), Tensor([0.0])).tolist()
        [(2+0j)]
    Source: mindspore.ops.polar, mindspore.ops.Polar
    """
    _parts(abs, angle, "Polar", ("abs", "angle"))
    return abs * jnp.cos(angle) + 1j * (abs * jnp.sin(angle))


@op()
def view_as_real(input: Array):
    """Real and imaginary parts, along a new last axis.

    Args:
        input (Tensor): any shape, complex.
    Returns:
        Tensor of shape ``(*, 2)``, float32 or float64.
    Raises:
        TypeError: if ``input`` is not complex.
    Example:
        >>> ops.view_as_real(ops.Complex()(Tensor([1.0]), Tensor([2.0]))).tolist()
        [[1.0, 2.0]]
    Source: mindspore.ops.view_as_real
    """
    check.dtype(input, "c", "input", "view_as_real")
    return jnp.stack([jnp.real(input), jnp.imag(input)], -1)


@op("ComplexAbs", name="_complex_abs")
def _complex_abs(x: Array):
    """The absolute values of complex numbers.

    Args:
        x (Tensor): any shape, complex.
    Returns:
        Tensor of the same shape, float32 or float64.
    Raises:
        TypeError: if ``x`` is not complex.
    Example:
        >>> ops.ComplexAbs()(ops.Complex()(Tensor([3.0]), Tensor([4.0]))).tolist()
        [5.0]
    Source: mindspore.ops.ComplexAbs
    """
    return jnp.abs(check.dtype(x, "c", "x", "ComplexAbs"))
