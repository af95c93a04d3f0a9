"""``pad``: padding of each axis on both sides."""

import jax.numpy as jnp
import numpy as np

from .._contracts import check
from .._contracts.choices import OneOf
from .._contracts.contracts import Array
from .._contracts.kinds import concrete
from ._dialect import Like, composite, op
from ._selecting import apply_along_axis

_FORMS = "an int, a pair, or a pair for each axis"
_MODES = ("constant", "edge", "empty", "linear_ramp", "maximum", "mean", "minimum", "reflect", "symmetric", "wrap")


def _pairs(value, ndim, name):
    """``value`` as a pair for each axis."""
    value = np.asarray(concrete(value))
    if value.ndim > 2 or value.dtype == object:
        check.refuse(ValueError, "pad", name, _FORMS, value)
    try:
        return tuple(map(tuple, np.broadcast_to(value, (ndim, 2)).tolist()))
    except ValueError:
        return check.refuse(ValueError, "pad", name, _FORMS, value)


@composite()
def pad(
    arr: Like,
    pad_width,
    mode="constant",
    stat_length=None,
    constant_values=0,
    end_values=0,
    reflect_type: OneOf("even", "odd") = "even",
    **kwargs,
):
    """Pads a Tensor on both sides of each axis.

    Args:
        arr (Tensor): any shape.
        pad_width (int | tuple | list): by how much before and after: one int, a pair, or a pair for each axis.
        mode (str | function): with what: ``'constant'``, ``'edge'``, ``'linear_ramp'``, ``'maximum'``, ``'mean'``,
            ``'minimum'``, ``'reflect'``, ``'symmetric'``, ``'wrap'``, ``'empty'`` (zeros); or
            ``mode(vector, widths, axis, kwargs)``, which returns the vector with its ends filled.
            Default: ``'constant'``.
        stat_length (int | tuple | list): of how many elements at each end ``'maximum'``, ``'mean'`` and ``'minimum'``
            are. Default: ``None``, all.
        constant_values, end_values (Number | tuple | list): for ``'constant'``, and the ends of ``'linear_ramp'``.
            Default: ``0``.
        reflect_type (str): ``'even'``, or ``'odd'``: twice the edge less the mirror image. Default: ``'even'``.
        kwargs: what a function gets.
    Returns:
        Tensor of the dtype of ``arr``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``mode``, or widths that do not fit.
        NotImplementedError: for ``'median'``.
    Example:
        >>> ms.numpy.pad(Tensor([1, 2, 3]), (1, 2), "reflect").tolist()
        [2, 1, 2, 3, 2, 1]
    Source: mindspore.numpy.pad
    """
    if arr.ndim == 0:
        return arr
    widths = _pairs(pad_width, arr.ndim, "pad_width")
    if min(map(min, widths)) < 0:
        check.refuse(ValueError, "pad", "pad_width", "from 0 on", pad_width)
    if callable(mode):
        arr = _pad_kernel(arr, widths, "empty", {})
        for axis, pair in enumerate(widths):
            arr = apply_along_axis(mode, axis, arr, pair, axis, kwargs)
        return arr
    if mode == "median":
        check.refuse(NotImplementedError, "pad", "mode", "one that MindSpore has", mode)
    check.one_of(mode, _MODES, "mode", "pad")
    further = {
        "constant": lambda: {"constant_values": _pairs(constant_values, arr.ndim, "constant_values")},
        "linear_ramp": lambda: {"end_values": _pairs(end_values, arr.ndim, "end_values")},
        **dict.fromkeys(["reflect", "symmetric"], lambda: {"reflect_type": reflect_type}),
        **dict.fromkeys(["maximum", "mean", "minimum"], lambda: {"stat_length": _lengths(stat_length, arr.shape)}),
    }
    return _pad_kernel(arr, widths, mode, further.get(mode, dict)())


def _lengths(stat_length, shape):
    """The number of elements at each end, at most all."""
    lengths = shape if stat_length is None else _pairs(stat_length, len(shape), "stat_length")
    lengths = [each if isinstance(each, tuple) else (each, each) for each in lengths]
    return tuple([tuple([min(n, length) for n in pair]) for pair, length in zip(lengths, shape, strict=True)])


@op(name="_pad_kernel")
def _pad_kernel(arr: Array, widths, mode, options):
    return jnp.pad(arr, widths, mode, **options).astype(arr.dtype)
