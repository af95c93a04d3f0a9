"""Tensors of evenly spaced numbers."""

import math

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Dtype, Int, NonNegativeInt, Operand, PositiveInt
from ..._contracts.kinds import concrete
from ...engine import dtypes, errors
from ...engine.handle import Handle
from ...tensor.numbers import constant
from .._core.define import composite, op
from .casting import cast
from .creation import numpy_dtype


@errors.of_memory()
def _sequence(start, end, step, dtype, name):
    start, end, step = values = concrete((start, end, step))
    for argument, value in zip(("start", "end", "step"), values, strict=True):
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            check.refuse(TypeError, name, argument, "an int or a float", value)
    if step == 0 or (end - start) * step < 0:
        check.refuse(ValueError, name, "step", f"a step that leads from {start} to {end}", step)
    own = np.float32 if any(isinstance(value, float) for value in values) else np.int64
    # MindSpore computes in the numbers' dtype: the steps are counted exactly, and each number is rounded once.
    numbers = np.arange(max(math.ceil((end - start) / step), 0), dtype=np.int64).astype(own, copy=False)
    if step != 1:
        numbers *= np.asarray(step, own)
    if start != 0:
        numbers += np.asarray(start, own)
    return constant(numbers.astype(numpy_dtype(dtype, own), copy=False))


@composite()
def arange(start=0, end=None, step=1, *, dtype: Dtype | None = None):
    """The numbers in ``[start, end)``.

    Args:
        start (int | float | Tensor): the first; with one argument, that is ``end`` and the first is 0. Default: ``0``.
        end (int | float | Tensor | None): the exclusive limit. Default: None.
        step (int | float | Tensor): the step. Default: ``1``.
        dtype (mindspore.dtype | None): Default: None, int64 if all arguments are ints, else float32.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``step`` is 0 or leads away from ``end``.
    Example:
        >>> ops.arange(1, 4).tolist()
        [1, 2, 3]
    Source: mindspore.ops.arange
    """
    if end is None:
        start, end = 0, start
    return _sequence(start, end, step, dtype, "Range")


@composite("Range(maxlen=1000000)")
def range(start, end, step, maxlen: PositiveInt = 1000000):
    """The numbers in ``[start, end)``.

    Args:
        start, end, step (int | float | Tensor): as for `arange`.
        maxlen (int): the largest length. Default: ``1000000``.
    Returns:
        Tensor, 1-d, int64 or float32.
    Raises:
        TypeError, ValueError: as for `arange`; ValueError if there are more than ``maxlen``.
    Example:
        >>> ops.range(0, 5, 2).tolist()
        [0, 2, 4]
    Source: mindspore.ops.range, mindspore.ops.Range
    """
    result = _sequence(start, end, step, None, "Range")
    if result.aval[0][0] > maxlen:
        check.refuse(ValueError, "Range", "maxlen", f"at least the number of elements, {result.aval[0][0]}", maxlen)
    return result


def _end(value):
    """One end of a sequence as a Tensor: a number is of float32."""
    return value if isinstance(value, Handle) else cast(float(value), dtypes.float32)


def _check_ends(start, end, op_name):
    for each, arg_name in ((start, "start"), (end, "end")):
        if check.dtype(each, "f", arg_name, op_name).ndim:
            check.refuse(ValueError, op_name, arg_name, "a Tensor without axes", each)
    check.same_dtype(end, start, "end", "start", op_name)


@op("LinSpace", name="_linspace")
def _linspace(start: Array, stop: Array, num: PositiveInt):
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
    _check_ends(start, stop, "LinSpace")
    return jnp.linspace(start, stop, num, dtype=start.dtype)


@composite()
def linspace(start: Operand, end: Operand, steps):
    """Evenly spaced numbers, both ends included.

    Args:
        start, end (Tensor | int | float): the ends, Tensors of one float dtype; numbers count as float32.
        steps (int | Tensor): the number of values.
    Returns:
        Tensor of shape ``(steps,)``, of the dtype of the ends.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an end has axes, or ``steps`` is not positive.
    Example:
        >>> ops.linspace(0, 1, 3).tolist()
        [0.0, 0.5, 1.0]
    Source: mindspore.ops.linspace
    """
    return _linspace(_end(start), _end(end), steps)


@op("LogSpace(steps=10, base: NonNegativeInt=10, dtype=float32)(start, end)", name="_logspace")
def _logspace(start: Array, end: Array, steps: NonNegativeInt, base: Int, dtype: Dtype):
    """Powers of ``base`` with evenly spaced exponents, both ends included.

    Args:
        start, end (Tensor): the first and last exponent, of one float dtype without axes.
        steps (int): how many. Default: ``10``.
        base (int): the base. Default: ``10``.
        dtype (mindspore.dtype): a float dtype. Default: ``float32``.
    Returns:
        Tensor of shape ``(steps,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an end has axes, or ``steps`` is negative.
    Example:
        >>> ops.LogSpace(3)(Tensor(0.0), Tensor(2.0)).tolist()
        [1.0, 10.0, 100.0]
    Source: mindspore.ops.LogSpace
    """
    dtype = dtype.numpy
    if not jnp.issubdtype(dtype, jnp.floating):
        check.refuse(TypeError, "LogSpace", "dtype", "a float dtype", dtype)
    _check_ends(start, end, "LogSpace")
    wide = jnp.result_type(start, dtype, np.float32)  # MindSpore computes powers of float16 in float32
    return jnp.power(base, jnp.linspace(start.astype(wide), end.astype(wide), steps)).astype(dtype)


@composite()
def logspace(start: Operand, end: Operand, steps: NonNegativeInt, base: Int = 10, *, dtype: Dtype = dtypes.float32):
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
    return _logspace(_end(start), _end(end), steps, base, dtype)
