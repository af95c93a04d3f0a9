"""Tensors made from shapes and numbers."""

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..tensor.numbers import constant
from . import check
from .array import int_tuple
from .cast import as_tensor, cast, convert, exact
from .contracts import Array, concrete
from .define import composite, op
from .faces import attach


def numpy_dtype(dtype, default, name):
    """The numpy dtype of the mindspore dtype ``dtype``, or ``default`` for None."""
    if dtype is None:
        return default
    if not isinstance(dtype, DType) or dtype.numpy is None:
        raise TypeError(f"For '{name}', the input 'dtype' should be mindspore dtype, but got {dtype}.")
    return dtype.numpy


def _shape(shape, name):
    shape = int_tuple(concrete(shape), "shape", name)
    for place, length in enumerate(shape):
        if length < 0:
            raise ValueError(
                f"For primitive[{name}], the the {place}th dimension of input shape must be greater than or equal to "
                f"0, but got {length}."
            )
    return shape


# -- of one value ---------------------------------------------------------------------------------------------------


@op("Zeros")
def zeros(size, dtype=None):
    """A Tensor of zeros.

    Args:
        size (int | tuple[int] | list[int] | Tensor): the shape.
        dtype (mindspore.dtype | None): Default: None, which is float32.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.zeros((2,)).tolist()
        [0.0, 0.0]
    Source: mindspore.ops.zeros, mindspore.ops.Zeros
    """
    return jnp.zeros(_shape(size, "Zeros"), numpy_dtype(dtype, np.float32, "Zeros"))


@op("Ones")
def ones(shape, dtype=None):
    """A Tensor of ones.

    Args:
        shape (int | tuple[int] | list[int] | Tensor): the shape.
        dtype (mindspore.dtype | None): Default: None, which is float32.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.ones((2,)).tolist()
        [1.0, 1.0]
    Source: mindspore.ops.ones, mindspore.ops.Ones
    """
    return jnp.ones(_shape(shape, "Ones"), numpy_dtype(dtype, np.float32, "Ones"))


@op()
def _spread(value: Array, shape, dtype):
    return jnp.broadcast_to(convert(value, dtype), shape)


def _filled(value, shape, dtype):
    return _spread(exact(value, "fill"), shape, dtype)


@composite()
def full(size, fill_value, *, dtype=None):
    """A Tensor of one value.

    Args:
        size (tuple[int] | list[int]): the shape.
        fill_value (Number | Tensor): the value, cast to ``dtype``.
        dtype (mindspore.dtype | None): Default: None, which is int64 whatever the value.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.full((2,), 1.5, dtype=mindspore.float32).tolist()
        [1.5, 1.5]
    Source: mindspore.ops.full
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"For 'ops.full', 'size' must be a tuple or list of ints, but got {type(size)}.")
    return _filled(_real(fill_value), _shape(size, "full"), numpy_dtype(dtype, np.int64, "full"))


def _real(value):
    return value.real if isinstance(value, complex) else value


@composite("Fill", name="fill")
def fill(type, shape, value):
    """A Tensor of one value.

    Args:
        type (mindspore.dtype | None): the dtype; None: that of ``value``, float32 for a float.
        shape (tuple[int] | Tensor): the shape.
        value (Number | bool | Tensor): the value.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.fill(mindspore.float32, (2,), 3).tolist()
        [3.0, 3.0]
    Source: mindspore.ops.fill, mindspore.ops.Fill
    """
    own = np.float32 if isinstance(value, float) else None
    value = exact(value, "fill")
    return _spread(value, _shape(shape, "fill"), numpy_dtype(type, own or value.aval[1], "fill"))


@composite("FillV2", name="_fill_of_tensor")
def _fill_of_tensor(shape, value):
    """A Tensor of the one value of a Tensor.

    Args:
        shape (tuple[int] | Tensor): the shape.
        value (Tensor): without axes; the result has its dtype.
    Returns:
        Tensor.
    Example:
        >>> ops.FillV2()((2,), Tensor(3)).tolist()
        [3, 3]
    Source: mindspore.ops.FillV2
    """
    return _spread(value, _shape(shape, "FillV2"), value.aval[1])


def fill_method(self, value):
    """A new Tensor of the same shape and dtype, of one value; see ``fill_`` for in place.

    Args:
        value (Number | bool | Tensor): the value.
    Returns:
        Tensor.
    Example:
        >>> Tensor([1.0, 2.0]).fill(5).tolist()
        [5.0, 5.0]
    Source: mindspore.Tensor.fill
    """
    return _filled(value, *self.aval)


attach(fill_method, "fill")


# -- like another ---------------------------------------------------------------------------------------------------


@op("ZerosLike")
def zeros_like(input: Array, *, dtype=None):
    """Zeros in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        dtype (mindspore.dtype | None): Default: None, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is no Tensor, or ``dtype`` no dtype.
    Example:
        >>> ops.zeros_like(Tensor([1.5])).tolist()
        [0.0]
    Source: mindspore.ops.zeros_like, mindspore.ops.ZerosLike
    """
    return jnp.zeros_like(input, numpy_dtype(dtype, input.dtype, "ZerosLike"))


@op("OnesLike")
def ones_like(input: Array, *, dtype=None):
    """Ones in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        dtype (mindspore.dtype | None): Default: None, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is no Tensor, or ``dtype`` no dtype.
    Example:
        >>> ops.ones_like(Tensor([1.5])).tolist()
        [1.0]
    Source: mindspore.ops.ones_like, mindspore.ops.OnesLike
    """
    return jnp.ones_like(input, numpy_dtype(dtype, input.dtype, "OnesLike"))


@composite()
def full_like(input, fill_value, *, dtype=None):
    """One value in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        fill_value (Number): the value, cast to ``dtype``.
        dtype (mindspore.dtype | None): Default: None, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is no Tensor, or ``dtype`` no dtype.
    Example:
        >>> ops.full_like(Tensor([1.5]), 2).tolist()
        [2.0]
    Source: mindspore.ops.full_like
    """
    if not isinstance(input, Handle):
        raise TypeError(f"For ops.full_like, the argument 'x' must be tensor, but got {type(input)}")
    shape, own = input.aval
    return _filled(fill_value, shape, numpy_dtype(dtype, own, "full_like"))


@composite(method="new_zeros", name="_new_zeros")
def _new_zeros(self, size, dtype=None):
    """Zeros in the dtype of the Tensor.

    Args:
        size (int | tuple[int] | list[int]): the shape.
        dtype (mindspore.dtype | None): Default: None, that of the Tensor.
    Returns:
        Tensor.
    Example:
        >>> Tensor([1.5]).new_zeros((2,)).tolist()
        [0.0, 0.0]
    Source: mindspore.Tensor.new_zeros
    """
    return zeros(size, dtypes.of(self.aval[1]) if dtype is None else dtype)


@composite(method="new_ones", name="_new_ones")
def _new_ones(self, size, dtype=None):
    """Ones in the dtype of the Tensor.

    Args:
        size (int | tuple[int] | list[int]): the shape.
        dtype (mindspore.dtype | None): Default: None, that of the Tensor.
    Returns:
        Tensor.
    Example:
        >>> Tensor([1.5]).new_ones((2,)).tolist()
        [1.0, 1.0]
    Source: mindspore.Tensor.new_ones
    """
    return ones(size, dtypes.of(self.aval[1]) if dtype is None else dtype)


@composite(method="new_full", name="_new_full")
def _new_full(self, size, fill_value, *, dtype=None):
    """One value in the dtype of the Tensor.

    Args:
        size (tuple[int] | list[int]): the shape.
        fill_value (Number): the value.
        dtype (mindspore.dtype | None): Default: None, that of the Tensor.
    Returns:
        Tensor.
    Example:
        >>> Tensor([1.5]).new_full((2,), 3).tolist()
        [3.0, 3.0]
    Source: mindspore.Tensor.new_full
    """
    return full(size, fill_value, dtype=dtypes.of(self.aval[1]) if dtype is None else dtype)


@composite("Eye", name="eye")
def eye(n, m=None, dtype=None):
    """Ones on the diagonal of a matrix and zeros elsewhere.

    Args:
        n (int): the number of rows.
        m (int | None): the number of columns. Default: None, ``n``.
        dtype (mindspore.dtype | None): Default: None, which is float32.
    Returns:
        Tensor of shape ``(n, m)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.eye(2).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    Source: mindspore.ops.eye, mindspore.ops.Eye
    """
    rows = check.non_negative_int(n, "n", "Eye")
    columns = rows if m is None else check.non_negative_int(m, "m", "Eye")
    return constant(np.eye(rows, columns, dtype=numpy_dtype(dtype, np.float32, "Eye")))


def _triangle_indices(name, chosen, kind):
    def positions(row, col, offset=0, *, dtype=None):
        check.non_negative_int(row, "row", name)
        check.non_negative_int(col, "col", name)
        found = chosen(row, check.integer(offset, "offset", name), col)
        return constant(np.array(found, numpy_dtype(dtype, np.int64, name)))

    positions.__name__ = name
    positions.__doc__ = f"""The positions of the {kind} triangle of a matrix, row by row.

    Args:
        row, col (int): the shape of the matrix.
        offset (int): the diagonal that bounds it. Default: ``0``.
        dtype (mindspore.dtype | None): int32 or int64. Default: None, which is int64.
    Returns:
        Tensor of shape ``(2, n)``: rows and columns.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.{name}(1, 1).tolist()
        [[0], [0]]
    Source: mindspore.ops.{name}
    """
    composite()(positions)


_triangle_indices("tril_indices", np.tril_indices, "lower")
_triangle_indices("triu_indices", np.triu_indices, "upper")


# -- from numbers ---------------------------------------------------------------------------------------------------


@op()
def _one_hot(indices: Array, on_value: Array, off_value: Array, depth, axis):
    return jnp.where(jax.nn.one_hot(indices, depth, dtype=bool, axis=axis), on_value, off_value)


@composite("OneHot(axis=-1)")
def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """A new axis with one value at the position that each element names and another elsewhere.

    Args:
        indices (Tensor): any shape, int32 or int64; a position outside of ``[0, depth)`` marks nothing.
        depth (int | Tensor): the length of the new axis.
        on_value, off_value (Tensor | Number): the two values, of one dtype. Default: ``1``, ``0``, as int64.
        axis (int): the place of the new axis. Default: ``-1``, the last.
    Returns:
        Tensor of the dtype of the values.
    Raises:
        TypeError: if ``indices`` has another dtype, or the values different ones.
        ValueError: if ``depth`` is negative, or ``axis`` out of range.
    Example:
        >>> ops.one_hot(Tensor([0, 2]), 3).tolist()
        [[1, 0, 0], [0, 0, 1]]
    Source: mindspore.ops.one_hot, mindspore.ops.OneHot
    """
    from .gather import check_index

    if not isinstance(indices, Handle):
        raise TypeError(f"For 'OneHot', the 'indices' must be a Tensor, but got {type(indices).__name__}.")
    check_index(indices, "indices", "OneHot", (np.uint8, np.int32, np.int64))
    depth = check.integer(concrete(depth), "depth", "OneHot")
    if depth < 0:
        raise ValueError(f"For primitive[OneHot], the depth value must be greater than or equal to 0, but got {depth}.")
    check.in_range(axis, -1, len(indices.aval[0]), "axis", "OneHot")
    on_value, off_value = as_tensor(on_value, "OneHot"), as_tensor(off_value, "OneHot")
    if on_value.aval[1] != off_value.aval[1]:
        raise TypeError(
            "For primitive[OneHot], the input type must be same: 'on_value' and 'off_value' are "
            f"{on_value.dtype} and {off_value.dtype}."
        )
    return _one_hot(indices, on_value, off_value, depth, axis)


@composite("ScalarToTensor")
def scalar_to_tensor(input_x, dtype=dtypes.float32):
    """A Tensor of a number.

    Args:
        input_x (bool | int | float): the number.
        dtype (mindspore.dtype): Default: ``float32``.
    Returns:
        Tensor without axes.
    Raises:
        TypeError: if ``input_x`` is no number, or ``dtype`` no dtype.
    Example:
        >>> ops.scalar_to_tensor(1).tolist()
        1.0
    Source: mindspore.ops.scalar_to_tensor, mindspore.ops.ScalarToTensor
    """
    if not isinstance(input_x, (bool, int, float)):
        raise TypeError(f"For 'ScalarToTensor', the 'input_x' must be a number, but got {type(input_x).__name__}.")
    return cast(input_x, dtype)


@composite("TupleToArray")
def tuple_to_array(input_x):
    """A Tensor of a tuple of numbers.

    Args:
        input_x (tuple): ints or floats.
    Returns:
        Tensor with one axis, int32 or float32.
    Raises:
        TypeError: if it is no tuple, or its elements are not of one type.
    Example:
        >>> ops.tuple_to_array((1, 2)).tolist()
        [1, 2]
    Source: mindspore.ops.tuple_to_array
    """
    if not isinstance(input_x, (tuple, list)) or len({type(item) for item in input_x}) > 1:
        raise TypeError(f"For 'TupleToArray', the 'input_x' must be a tuple of ints or of floats, but got {input_x!r}.")
    is_float = bool(input_x) and isinstance(input_x[0], float)
    return constant(np.array(input_x, np.float32 if is_float else np.int32))


@op()
def vander(x: Array, N=None):
    """The powers of the elements, from the highest to 0.

    Args:
        x (Tensor): shape ``(M,)``, any dtype of numbers.
        N (int | None): how many powers. Default: None, ``M``.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        TypeError: if ``N`` is not an int.  ValueError: if it is negative, or ``x`` is not a vector.
    Example:
        >>> ops.vander(Tensor([2.0]), 3).tolist()
        [[4.0, 2.0, 1.0]]
    Source: mindspore.ops.vander
    """
    if x.ndim != 1:
        raise ValueError(f"For 'vander', the input x must be 1-D, but got shape {x.shape}.")
    return jnp.vander(x, None if N is None else check.non_negative_int(N, "N", "vander"))
