"""Tensors of evenly spaced numbers."""

import math

import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..engine.handle import Handle
from ..tensor.numbers import constant
from . import check
from .cast import cast
from .contracts import Array, concrete
from .creation import numpy_dtype
from .define import composite, op

# -- sequences ------------------------------------------------------------------------------------------------------


def _numbers(values, name):
    values = [concrete(value) for value in values]
    for value in values:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise TypeError(f"For '{name}', the arguments must be ints or floats, but got {type(value).__name__}.")
    return values


def _sequence(start, end, step, dtype, name):
    start, end, step = _numbers((start, end, step), name)
    if step == 0:
        raise ValueError(f"For {name}, delta cannot be equal to zero.")
    if step > 0 and start > end:
        raise ValueError(f"For {name}, delta cannot be positive when limit < start.")
    if step < 0 and start < end:
        raise ValueError(f"For {name}, delta cannot be negative when limit > start.")
    own = np.float32 if any(isinstance(value, float) for value in (start, end, step)) else np.int64
    # MindSpore adds up in the dtype of the numbers, so the places are counted exactly and the steps rounded once.
    places = np.arange(max(math.ceil((end - start) / step), 0), dtype=np.int64).astype(own)
    values = np.asarray(start, own) + places * np.asarray(step, own)
    return constant(values.astype(own if dtype is None else dtype))


@composite()
def arange(start=0, end=None, step=1, *, dtype=None):
    """The numbers from ``start`` to before ``end``.

    Args:
        start (int | float | Tensor): the first; with one argument, that is ``end`` and the first is 0. Default: ``0``.
        end (int | float | Tensor | None): what they stay below (above, for a negative step). Default: None.
        step (int | float | Tensor): from one to the next. Default: ``1``.
        dtype (mindspore.dtype | None): Default: None, int64 if all arguments are ints, else float32.
    Returns:
        Tensor with one axis.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``step`` is 0 or leads away from ``end``.
    Example:
        >>> ops.arange(1, 4).tolist()
        [1, 2, 3]
    Source: mindspore.ops.arange
    """
    if end is None:
        start, end = 0, start
    return _sequence(start, end, step, numpy_dtype(dtype, None, "arange"), "Range")


@composite("Range(maxlen=1000000)")
def range(start, end, step, maxlen=1000000):
    """The numbers from ``start`` to before ``end``.

    Args:
        start, end, step (int | float | Tensor): as for `arange`.
        maxlen (int): the most that there may be. Default: ``1000000``.
    Returns:
        Tensor with one axis, int64 or float32.
    Raises:
        TypeError, ValueError: as for `arange`; ValueError if there are more than ``maxlen``.
    Example:
        >>> ops.range(0, 5, 2).tolist()
        [0, 2, 4]
    Source: mindspore.ops.range, mindspore.ops.Range
    """
    check.positive_int(maxlen, "maxlen", "Range")
    result = _sequence(start, end, step, None, "Range")
    if result.aval[0][0] > maxlen:
        raise ValueError(f"For Range, the number of elements must be at most {maxlen}, but got {result.aval[0][0]}.")
    return result


def _end(value, arg_name, op_name):
    """One end of a sequence as a Tensor: a number is of float32."""
    if isinstance(value, (int, float)):
        return cast(float(value), dtypes.float32)
    if not isinstance(value, Handle):
        raise TypeError(
            f"For '{op_name}', the '{arg_name}' must be a Tensor or a number, but got {type(value).__name__}."
        )
    return value


def _check_ends(start, end, op_name):
    for each, arg_name in ((start, "start"), (end, "end")):
        check.dtype(each, "f", arg_name, op_name)
        if each.ndim:
            raise ValueError(
                f"For primitive[{op_name}], the rank of '{arg_name}' must be equal to 0, but got {each.ndim}."
            )
    if start.dtype != end.dtype:
        raise TypeError(
            f"For primitive[{op_name}], the input type must be same: the ends are {start.dtype} and {end.dtype}."
        )


@op("LinSpace", name="_linspace")
def _linspace(start: Array, stop: Array, num):
    """Evenly spaced numbers, both ends included.

    Args:
        start, stop (Tensor): without axes, float32 or float64.
        num (int): how many.
    Returns:
        Tensor of shape ``(num,)``.
    Raises:
        TypeError: if an end is not a float, or they are of different dtypes.
        ValueError: if an end has axes, or ``num`` is not positive.
    Example:
        >>> ops.LinSpace()(Tensor(0.0), Tensor(1.0), 3).tolist()
        [0.0, 0.5, 1.0]
    Source: mindspore.ops.LinSpace
    """
    check.integer(num, "num", "LinSpace")
    if num <= 0:
        raise ValueError(f"For primitive[LinSpace], the num must be greater than 0, but got {num}.")
    _check_ends(start, stop, "LinSpace")
    return jnp.linspace(start, stop, num, dtype=start.dtype)


@composite()
def linspace(start, end, steps):
    """Evenly spaced numbers, both ends included.

    Args:
        start, end (Tensor | int | float): the ends, Tensors of one float dtype; numbers count as float32.
        steps (int | Tensor): how many.
    Returns:
        Tensor of shape ``(steps,)``, of the dtype of the ends.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an end has axes, or ``steps`` is not positive.
    Example:
        >>> ops.linspace(0, 1, 3).tolist()
        [0.0, 0.5, 1.0]
    Source: mindspore.ops.linspace
    """
    return _linspace(_end(start, "start", "LinSpace"), _end(end, "end", "LinSpace"), steps)


@op()
def _logspace(start: Array, end: Array, steps, base, dtype):
    _check_ends(start, end, "LogSpace")
    wide = jnp.result_type(start, dtype, np.float32)  # MindSpore computes powers of float16 in float32
    return jnp.power(base, jnp.linspace(start.astype(wide), end.astype(wide), steps)).astype(dtype)


@composite()
def logspace(start, end, steps, base=10, *, dtype=dtypes.float32):
    """Powers of ``base`` with evenly spaced exponents, both ends included.

    Args:
        start, end (Tensor | int | float): the first and last exponent, Tensors of one float dtype without axes; numbers
            count as float32. MindSpore 2.10 refuses numbers, which its documentation allows.
        steps (int): how many.
        base (int): the base. Default: ``10``.
        dtype (mindspore.dtype): a float dtype. Default: ``float32``.
    Returns:
        Tensor of shape ``(steps,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an end has axes, or ``steps`` is negative.
    Example:
        >>> ops.logspace(Tensor(0.0), Tensor(2.0), 3).tolist()
        [1.0, 10.0, 100.0]
    Source: mindspore.ops.logspace
    """
    start, end = _end(start, "start", "LogSpace"), _end(end, "end", "LogSpace")
    dtype = numpy_dtype(dtype, np.float32, "LogSpace")
    if not jnp.issubdtype(dtype, jnp.floating):
        raise TypeError(f"For 'LogSpace', the 'dtype' must be a float dtype, but got {dtypes.of(dtype)}.")
    steps = check.non_negative_int(steps, "steps", "LogSpace")
    return _logspace(start, end, steps, check.integer(base, "base", "LogSpace"), dtype)
