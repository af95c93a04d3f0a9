"""Creation of Tensors: from data, shapes and ranges, and at random."""

import math
import numbers

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._common.seeding import get_seed
from .._contracts import check
from .._contracts.contracts import Bool, Int, NonNegativeInt
from .._contracts.kinds import accepted, concrete
from ..engine import dtypes, errors
from ..engine.dtypes import float16, float32, float64, int8, int16, int32, int64
from ..engine.handle import Handle
from ..ops._core.families import body
from ..ops.random import functions
from ..tensor.numbers import constant
from ._dialect import NAMES, AnyDtype, Like, Shape, composite, face, op, to_tensor

face(ops.zeros, "zeros(shape: Shape, dtype: AnyDtype = float32)")
face(ops.ones, "ones(shape: Shape, dtype: AnyDtype = float32)")
face(ops.zeros, "empty(shape: Shape, dtype: AnyDtype = float32)")

# -- from data -----------------------------------------------------------------------------------------------


@composite()
def asarray(a, dtype: AnyDtype | None = None):
    """A Tensor of numbers, lists or tuples of them; a Tensor of the right dtype is returned itself.

    Args:
        a (Tensor | Number | list | tuple): ints become int32 and floats float32.
        dtype (mindspore.dtype | str | type): Default: ``None``, that of ``a``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if lists have different lengths.
    Example:
        >>> ms.numpy.asarray([1, 2]).dtype
        mindspore.int32
    Source: mindspore.numpy.asarray
    """
    a = to_tensor(a, "a", "asarray", is_exact=dtype is not None)
    return a if dtype in (None, a.dtype) else ops.cast(a, dtype)


@composite()
def array(obj, dtype: AnyDtype | None = None, copy: Bool = True, ndmin: NonNegativeInt = 0):
    """A Tensor of numbers, lists or tuples of them.

    Args:
        obj (Tensor | Number | list | tuple): ints become int32 and floats float32.
        dtype (mindspore.dtype | str | type): Default: ``None``, that of ``obj``.
        copy (bool): whether a Tensor is copied. Default: ``True``.
        ndmin (int): how many axes there are at least; new ones come first. Default: ``0``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if lists have different lengths.
    Example:
        >>> ms.numpy.array([1.0, 2.0], ndmin=2).tolist()
        [[1.0, 2.0]]
    Source: mindspore.numpy.array
    """
    result = asarray(obj, dtype)
    if ndmin > result.ndim:
        result = result.reshape((1,) * (ndmin - result.ndim) + result.shape)
    return result.copy() if copy and isinstance(obj, Handle) else result


@composite()
def asfarray(a: Like, dtype: AnyDtype | None = float32):
    """A Tensor of floats.

    Args:
        a (Tensor | Number | list | tuple): the numbers.
        dtype (mindspore.dtype | str | type): float32 takes the place of one that is not a float; None is that of ``a``.
            Default: ``float32``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if lists have different lengths.
    Example:
        >>> ms.numpy.asfarray([1, 2]).tolist()
        [1.0, 2.0]
    Source: mindspore.numpy.asfarray
    """
    if dtype is None:
        return a
    return ops.cast(a, dtype if dtype in (float16, float32, float64) else float32)


@composite()
def copy(a: Like):
    """A copy.

    Args:
        a (Tensor | Number | list | tuple): what is copied.
    Returns:
        Tensor.
    Raises:
        TypeError: for another ``a``.
    Example:
        >>> ms.numpy.copy([1, 2]).tolist()
        [1, 2]
    Source: mindspore.numpy.copy
    """
    return a.copy()


@composite()
def full(shape: Shape, fill_value: Like, dtype: AnyDtype | None = None):
    """A Tensor filled with a value, which is broadcast.

    Args:
        shape (int | tuple[int] | list[int]): the shape.
        fill_value (Tensor | Number | list | tuple): the value.
        dtype (mindspore.dtype | str | type): Default: ``None``, that of ``fill_value``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``fill_value`` does not broadcast to the shape.
    Example:
        >>> ms.numpy.full((2,), 7).tolist()
        [7, 7]
    Source: mindspore.numpy.full
    """
    return ops.broadcast_to(asarray(fill_value, dtype), shape)


def _like(a, dtype, shape):
    """The shape and the dtype of a Tensor like ``a``."""
    return shape or a.shape, a.dtype if dtype is None else dtype


_LIKE = """A Tensor of {value}, of the shape and dtype of another.

    Args:
        {first} (Tensor | Number | list | tuple): the other.{more}
        dtype (mindspore.dtype | str | type): Default: ``None``, that of the other.
        shape (int | tuple[int] | list[int]): Default: ``None``, that of the other.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.{name}({at}).tolist()
        {shown}
    Source: mindspore.numpy.{name}
    """


def _made_like(text, compute, **fields):
    return composite()(body(text, compute, _LIKE, NAMES, **fields))


_made_like(
    "zeros_like(a: Like, dtype: AnyDtype | None = None, shape: Shape | None = None)",
    lambda a, dtype, shape: ops.zeros(*_like(a, dtype, shape)),
    value="zeros", first="a", more="", at="[5, 6]", shown="[0, 0]",
)  # fmt: skip
_made_like(
    "ones_like(a: Like, dtype: AnyDtype | None = None, shape: Shape | None = None)",
    lambda a, dtype, shape: ops.ones(*_like(a, dtype, shape)),
    value="ones", first="a", more="", at="[5, 6]", shown="[1, 1]",
)  # fmt: skip
_made_like(
    "empty_like(prototype: Like, dtype: AnyDtype | None = None, shape: Shape | None = None)",
    lambda prototype, dtype, shape: ops.zeros(*_like(prototype, dtype, shape)),
    value="zeros", first="prototype", more="", at="[5, 6]", shown="[0, 0]",
)  # fmt: skip


def _full_like(a, fill_value, dtype, shape):
    shape, own = _like(a, dtype, shape)
    return full(shape, fill_value, own if isinstance(fill_value, numbers.Number) else dtype)


_made_like(
    "full_like(a: Like, fill_value, dtype: AnyDtype | None = None, shape: Shape | None = None)",
    _full_like,
    value="one value", first="a", more="\n        fill_value (Tensor | Number): the value.", at="[5, 6], 7",
    shown="[7, 7]",
)  # fmt: skip


# -- ranges -----------------------------------------------------------------------------------------------------


def _dtype_of(*values):
    """The dtype of a range between Python numbers."""
    values = [each for each in values if each is not None]
    kinds = [kind for kind in (bool, int) if all(isinstance(each, kind) for each in values)]
    return {bool: dtypes.bool_, int: int32}[kinds[0]] if kinds else float32


@composite()
def arange(start, stop=None, step=None, dtype: AnyDtype | None = None):
    """Evenly spaced numbers, without the end.

    Args:
        start (Number): the first one; the end, where ``stop`` is not given.
        stop (Number): the end. Default: ``None``.
        step (Number): the distance. Default: ``None``, which is 1.
        dtype (mindspore.dtype | str | type): Default: ``None``: int32 for ints, else float32.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no number.
    Example:
        >>> ms.numpy.arange(0, 5, 2).tolist()
        [0, 2, 4]
    Source: mindspore.numpy.arange
    """
    start, stop, step = concrete(start), concrete(stop), concrete(step)
    for name, value in (("start", start), ("stop", stop), ("step", step)):
        if isinstance(value, list):  # of a Tensor with axes
            check.refuse(ValueError, "arange", name, "a number, or a Tensor of one", value)
    dtype = dtype or _dtype_of(start, stop, step)
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    for name, value in (("start", start), ("stop", stop), ("step", step)):
        check.number(value + 0, name, "arange")
    count = math.ceil((stop - start) / step)
    if count <= 0:
        check.refuse(ValueError, "arange", "stop", "such that there is a number in the range", stop)
    is_int = all(isinstance(each, int) for each in (start, step))
    with errors.of_memory():
        steps = np.arange(count, dtype=np.int64 if is_int else np.float32)
    return constant((steps * steps.dtype.type(step) + steps.dtype.type(start)).astype(dtype.numpy))


_SPACE = """{summary}

    Args:
        start, stop (Tensor | Number | list | tuple): the first and the last one, which broadcast.
        num (int): how many. Default: ``50``.
        endpoint (bool): whether ``stop`` is the last one. Default: ``True``.{more}
        dtype (mindspore.dtype | str | type): Default: ``None``, which is float32.
        axis (int): where in the result the numbers lie. Default: ``0``.
    Returns:
        Tensor{result}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``num`` is below 1, or there is no such axis.
    Example:
        >>> ms.numpy.{name}({at}).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _between(start, stop, num, endpoint, axis):
    """Evenly spaced numbers, and their step."""
    start, stop = (
        each if jnp.issubdtype(each.dtype, jnp.floating) else each.astype(np.float32) for each in (start, stop)
    )
    axis = check.axis(axis, len(jnp.broadcast_shapes(start.shape, stop.shape)) + 1, "axis", "linspace")
    return jnp.linspace(start, stop, num, endpoint, retstep=True, axis=axis)


def _linspace(start, stop, num, endpoint, retstep, dtype, axis):
    numbers, distance = _between(start, stop, num, endpoint, axis)
    numbers = numbers.astype((dtype or float32).numpy)
    return (numbers, distance) if retstep else numbers


def _logspace(start, stop, num, endpoint, base, dtype, axis):
    exponents = _between(start, stop, num, endpoint, axis)[0].astype(np.float32)
    return jnp.power(jnp.float32(base), exponents).astype((dtype or float32).numpy)


def _geomspace(start, stop, num, endpoint, dtype, axis):
    start, stop = start.astype(np.float32), stop.astype(np.float32)
    numbers = jnp.moveaxis(jnp.geomspace(start, stop, num, endpoint, axis=axis), axis, 0)
    numbers = numbers.at[0].set(start)  # not NaN, where the others are
    return jnp.moveaxis(numbers, 0, axis).astype((dtype or float32).numpy)


def _space(text, compute, **fields):
    return op()(body(text, compute, _SPACE, NAMES, **fields))


linspace = _space(
    "linspace(start: Like, stop: Like, num: PositiveInt = 50, endpoint: Bool = True, retstep: Bool = False, "
    "dtype: AnyDtype | None = None, axis: Int = 0)",
    _linspace,
    summary="Numbers at equal distances.",
    more="\n        retstep (bool): whether the distance is returned too. Default: ``False``.",
    result="; with ``retstep`` a tuple of it and the distance",
    at="0, 1, 3",
    value="[0.0, 0.5, 1.0]",
)
_space(
    "logspace(start: Like, stop: Like, num: PositiveInt = 50, endpoint: Bool = True, base: Real = 10.0, "
    "dtype: AnyDtype | None = None, axis: Int = 0)",
    _logspace,
    summary="Powers of a base, of exponents at equal distances.",
    more="\n        base (Number): the base. Default: ``10.0``.",
    result="",
    at="0, 2, 3, base=2",
    value="[1.0, 2.0, 4.0]",
)
_space(
    "geomspace(start: Like, stop: Like, num: PositiveInt = 50, endpoint: Bool = True, dtype: AnyDtype | None = None, "
    "axis: Int = 0)",
    _geomspace,
    summary="Numbers of equal ratios.",
    more="",
    result="",
    at="1, 1, 3",
    value="[1.0, 1.0, 1.0]",
)

# -- at random ------------------------------------------------------------------------------------------------------


def _random_shape(shape, name):
    return accepted(Shape, shape[0] if len(shape) == 1 else shape or 1, "shape", name)


def _random_dtype(dtype, allowed, name):
    dtype = AnyDtype.take(dtype, "dtype", name)
    return dtype if dtype in allowed else check.refuse(ValueError, name, "dtype", f"one of {allowed}", dtype)


_RANDOM = """Numbers drawn {law}.

    Args:
        shape (int): the lengths of the axes, or one tuple or list of them; none is ``(1,)``.
        dtype (mindspore.dtype | str): a float dtype. Default: ``float32``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``shape`` is not made of ints.  ValueError: if ``dtype`` is not a float dtype.
    Example:
        >>> ms.numpy.{name}(2, 3).shape
        (2, 3)
    Source: mindspore.numpy.{name}
    """


def _random(name, draw, primitive, law):
    def compute(shape, dtype):
        dtype = _random_dtype(dtype, (float64, float32, float16), name)
        return ops.cast(draw(primitive, _random_shape(shape, name), get_seed()), dtype)

    return composite()(body(f"{name}(*shape, dtype=float32)", compute, _RANDOM, law=law))


rand = _random("rand", functions.uniform_as, "UniformReal", "uniformly from ``[0, 1)``")
randn = _random("randn", functions.normal_as, "StandardNormal", "from the standard normal distribution")


@composite()
def randint(minval: Int, maxval: Int | None = None, shape: Shape | None = None, dtype=int32):
    """Ints drawn uniformly from ``[minval, maxval)``.

    Args:
        minval (int): the smallest; where ``maxval`` is not given, the end, and the smallest is 0.
        maxval (int): the end. Default: ``None``.
        shape (int | tuple[int] | list[int]): Default: ``None``, which is ``(1,)``.
        dtype (mindspore.dtype | str): an int dtype. Default: ``int32``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such int, or for another dtype.
    Example:
        >>> ms.numpy.randint(0, 1, 3).tolist()
        [0, 0, 0]
    Source: mindspore.numpy.randint
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if low >= high:
        check.refuse(ValueError, "randint", "maxval", f"above {low}", high)
    dtype = _random_dtype(dtype, (int64, int32, int16, int8), "randint")
    return functions.ints_as(low, high, (1,) if shape is None else shape, dtype, get_seed(), "UniformInt")
