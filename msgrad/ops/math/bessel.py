"""Bessel functions. JAX has the modified ones of the first kind; the others are computed by Chebyshev series."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import special

from ..._contracts import check
from .._core.define import op
from .._core.faces import face, method
from .._core.families import body
from . import bessel_tables as tables

_BESSEL = """The {kind} of order {order}{scaled}.

    Args:
        x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not a Tensor of floats.
    Example:
        >>> round(ops.{name}(Tensor([1.0])).item(), 5)
        {value}
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """


def _series(coefficients, t):
    """The Chebyshev series at ``t`` in ``[-1, 1]``, by Clenshaw's rule in Reinsch's form.

    It has differences (or sums) of Clenshaw's successive terms, which keeps its rounding errors small near 1 and -1.
    """
    sign = jnp.where(t < 0, -1, 1).astype(t.dtype)
    distance, difference, term = t - sign, jnp.zeros_like(t), jnp.zeros_like(t)
    for coefficient in coefficients[:0:-1]:
        difference = 2 * distance * term + sign * difference + np.asarray(coefficient, t.dtype)
        term = difference + sign * term
    return distance * term + sign * difference + np.asarray(coefficients[0], t.dtype)


def _halves(x, end, near, far):
    """``near`` for ``x <= end``, ``far`` above; each gets arguments in its range, so gradients are finite."""
    return jnp.where(x <= end, near(jnp.minimum(x, end)), far(jnp.maximum(x, end)))


def _wave(x, order, cosine, sine, shape):
    """The asymptotic form above 8: the cosine and sine parts with their amplitudes; ``shape`` is cos or sin."""
    t = 2 * jnp.square(8 / x) - 1
    angle = x - np.asarray((order / 2 + 0.25) * np.pi, x.dtype)
    first, second = _series(cosine, t), _series(sine, t) * 8 / x
    even, odd = jnp.cos(angle), jnp.sin(angle)
    wave = first * even - second * odd if shape == "J" else first * odd + second * even
    return jnp.sqrt(2 / (np.pi * x)).astype(x.dtype) * wave


def _j0(x):
    def near(x):
        return _series(tables.J0_NEAR, jnp.square(x) / 32 - 1)

    return _halves(jnp.abs(x), 8, near, lambda x: _wave(x, 0, tables.COSINE0_FAR, tables.SINE0_FAR, "J"))


def _j1(x):
    def near(x):
        return _series(tables.J1_NEAR, jnp.square(x) / 32 - 1) * x

    far = _halves(jnp.abs(x), 8, near, lambda x: _wave(x, 1, tables.COSINE1_FAR, tables.SINE1_FAR, "J"))
    return jnp.where(x < 0, -far, far)


def _positive(x, y, at_zero):
    """``y`` for positive ``x``; for others its limit at 0, as in MindSpore."""
    return jnp.where(x > 0, y, jnp.where(x <= 0, at_zero, jnp.nan)).astype(x.dtype)


def _y0(x):
    def near(x):
        return _series(tables.Y0_NEAR, jnp.square(x) / 32 - 1) + (2 / np.pi) * jnp.log(x / 2) * _j0(x)

    y = _halves(x, 8, near, lambda x: _wave(x, 0, tables.COSINE0_FAR, tables.SINE0_FAR, "Y"))
    return _positive(x, y, -jnp.inf)


def _y1(x):
    def near(x):
        smooth = _series(tables.Y1_NEAR, jnp.square(x) / 32 - 1) * x
        return smooth + (2 / np.pi) * (jnp.log(x / 2) * _j1(x) - 1 / x)

    y = _halves(x, 8, near, lambda x: _wave(x, 1, tables.COSINE1_FAR, tables.SINE1_FAR, "Y"))
    return _positive(x, y, -jnp.inf)


def _k0e(x):
    def near(x):
        y = _series(tables.K0_NEAR, jnp.square(x) / 2 - 1) - jnp.log(x / 2) * special.i0(x)
        return y * jnp.exp(x)

    return _positive(x, _halves(x, 2, near, lambda x: _series(tables.K0_FAR, 4 / x - 1) / jnp.sqrt(x)), jnp.inf)


def _k1e(x):
    def near(x):
        y = _series(tables.K1_NEAR, jnp.square(x) / 2 - 1) * x + jnp.log(x / 2) * special.i1(x) + 1 / x
        return y * jnp.exp(x)

    return _positive(x, _halves(x, 2, near, lambda x: _series(tables.K1_FAR, 4 / x - 1) / jnp.sqrt(x)), jnp.inf)


def _with_derivative(value, derivative):
    """``value`` with the derivative ``derivative(x, value(x))``, from the exact recurrence relations."""
    differentiable = jax.custom_jvp(value)

    @differentiable.defjvp
    def jvp(primals, tangents):
        (x,), (dx,) = primals, tangents
        y = differentiable(x)
        return y, derivative(x, y) * dx

    return differentiable


def _divided_by_x(y, x, limit):
    """``y / x``, and its limit at 0."""
    return jnp.where(x == 0, limit, y / jnp.where(x == 0, 1, x))


_j0 = _with_derivative(_j0, lambda x, y: -_j1(x))
_j1 = _with_derivative(_j1, lambda x, y: _j0(x) - _divided_by_x(y, x, 0.5))
_y0 = _with_derivative(_y0, lambda x, y: -_y1(x))
_y1 = _with_derivative(_y1, lambda x, y: _y0(x) - y / x)
_k0e = _with_derivative(_k0e, lambda x, y: y - _k1e(x))
_k1e = _with_derivative(_k1e, lambda x, y: y - y / x - _k0e(x))
_k0 = _with_derivative(lambda x: _k0e(x) * jnp.exp(-x), lambda x, y: -_k1(x))
_k1 = _with_derivative(lambda x: _k1e(x) * jnp.exp(-x), lambda x, y: -_k0(x) - y / x)


def _row(name, primitive, function, kind, order, value, scaled=""):
    def compute(x):
        check.dtype(x, "f", "x", primitive)
        wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
        return function(wide).astype(x.dtype)

    fields = {"kind": kind, "order": order, "value": value, "scaled": scaled, "primitive": primitive}
    return op(primitive)(body(f"{name}(x: Array)", compute, _BESSEL, **fields))


_I, _K = "modified Bessel function of the first kind", "modified Bessel function of the second kind"
_J, _Y = "Bessel function of the first kind", "Bessel function of the second kind"
_DOWN, _UP = ", times ``exp(-|x|)``", ", times ``exp(x)``"

bessel_j0 = _row("bessel_j0", "BesselJ0", _j0, _J, 0, 0.7652)
bessel_j1 = _row("bessel_j1", "BesselJ1", _j1, _J, 1, 0.44005)
bessel_y0 = _row("bessel_y0", "BesselY0", _y0, _Y, 0, 0.08826)
bessel_y1 = _row("bessel_y1", "BesselY1", _y1, _Y, 1, -0.78121)
bessel_i0 = _row("bessel_i0", "BesselI0", special.i0, _I, 0, 1.26607)
bessel_i0e = _row("bessel_i0e", "BesselI0e", special.i0e, _I, 0, 0.46576, _DOWN)
bessel_i1 = _row("bessel_i1", "BesselI1", special.i1, _I, 1, 0.56516)
bessel_i1e = _row("bessel_i1e", "BesselI1e", special.i1e, _I, 1, 0.20791, _DOWN)
bessel_k0 = _row("bessel_k0", "BesselK0", _k0, _K, 0, 0.42102)
bessel_k0e = _row("bessel_k0e", "BesselK0e", _k0e, _K, 0, 1.14446, _UP)
bessel_k1 = _row("bessel_k1", "BesselK1", _k1, _K, 1, 0.60191)
bessel_k1e = _row("bessel_k1e", "BesselK1e", _k1e, _K, 1, 1.63615, _UP)
face(bessel_i0, "i0(input)")
method("i0", (bessel_i0, "()"))
