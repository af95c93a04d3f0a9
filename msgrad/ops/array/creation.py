"""Creation of Tensors from shapes and numbers."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import (
    Array,
    Dtype,
    Int,
    Ints,
    NonNegativeInt,
    Number,
    Operand,
    PositiveInt,
    Sequence,
    Text,
)
from ..._contracts.kinds import TensorOf, concrete
from ...engine import dtypes, errors
from ...engine.handle import Handle
from ...engine.transforms.lifting import is_inexact
from ...tensor.c_casts import convert
from ...tensor.numbers import constant
from ...tensor.tensor import Tensor
from .._core import families
from .._core.calls.operands import as_tensor, exact
from .._core.define import composite, op
from .._core.faces import primitive
from .casting import cast


def numpy_dtype(dtype, default):
    """The numpy dtype of the mindspore dtype ``dtype``, or ``default`` for None."""
    return default if dtype is None else dtype.numpy


def _shape(shape, name):
    shape = check.ints(concrete(shape), "shape", name)
    if any(length < 0 for length in shape):
        check.refuse(ValueError, name, "shape", "made of non-negative lengths", shape)
    return shape


# -- of one value ---------------------------------------------------------------------------------------------------


_OF_ONE_NUMBER = """A Tensor of {name}.

    Args:
        {argument} (int | tuple[int] | list[int] | Tensor): the shape.
        dtype (mindspore.dtype | None): Default: None, float32.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.{name}((2,)).tolist()
        {value}
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}
    """


def _of_one_number(name, primitive, argument, create, value):
    def compute(shape, dtype):
        return create(_shape(shape, primitive), numpy_dtype(dtype, np.float32))

    text, fields = f"{name}({argument}: Ints, dtype: Dtype | None = None)", {"primitive": primitive, "value": value}
    return op(primitive)(families.body(text, compute, _OF_ONE_NUMBER, argument=argument, **fields))


zeros = _of_one_number("zeros", "Zeros", "size", jnp.zeros, "[0.0, 0.0]")
ones = _of_one_number("ones", "Ones", "shape", jnp.ones, "[1.0, 1.0]")


@op()
def _spread(value: Array, shape, dtype):
    if value.ndim > 1 or value.size != 1:
        check.refuse(
            ValueError, "FillV2", "fill_value", "a number, or a Tensor of one and at most one axis", value.shape
        )
    return jnp.broadcast_to(convert(value, dtype), shape)


def _filled(value, shape, dtype):
    return _spread(exact(value, "fill"), shape, dtype)


@composite()
def full(size: Sequence, fill_value, *, dtype: Dtype | None = None):
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
    return _filled(_real(fill_value), _shape(size, "full"), numpy_dtype(dtype, np.int64))


def _real(value):
    return value.real if isinstance(value, complex) else value


@composite("Fill", name="fill")
def fill(type: Dtype | None, shape, value):
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
    return _spread(value, _shape(shape, "fill"), numpy_dtype(type, own or value.aval[1]))


@composite("FillV2", name="_fill_of_tensor")
def _fill_of_tensor(shape, value: Array):
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


@composite(name="_fill_method", method="fill")
def _fill_method(self: Array, value):
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


@composite("Fills", method="fills")
def fills(x: Array, value: Operand):
    """A new Tensor of the shape and dtype of another, of one value.

    Args:
        x (Tensor): any shape and dtype.
        value (int | float | bool | Tensor): the value, a Tensor without axes.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``value`` has axes.
    Example:
        >>> ops.fills(Tensor([1.0, 2.0]), 5).tolist()
        [5.0, 5.0]
    Source: mindspore.ops.fills, mindspore.ops.Fills, mindspore.Tensor.fills
    """
    if isinstance(value, Handle) and value.aval[0]:
        check.refuse(ValueError, "Fills", "value", "a number or a Tensor without axes", value)
    return _filled(value, *x.aval)


# -- like another ---------------------------------------------------------------------------------------------------


@op("ZerosLike")
def zeros_like(input: Array, *, dtype: Dtype | None = None):
    """Zeros in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        dtype (mindspore.dtype | None): Default: None, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is not a Tensor, or ``dtype`` no dtype.
    Example:
        >>> ops.zeros_like(Tensor([1.5])).tolist()
        [0.0]
    Source: mindspore.ops.zeros_like, mindspore.ops.ZerosLike
    """
    return jnp.zeros_like(input, numpy_dtype(dtype, input.dtype))


@op("OnesLike")
def ones_like(input: Array, *, dtype: Dtype | None = None):
    """Ones in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        dtype (mindspore.dtype | None): Default: None, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is not a Tensor, or ``dtype`` no dtype.
    Example:
        >>> ops.ones_like(Tensor([1.5])).tolist()
        [1.0]
    Source: mindspore.ops.ones_like, mindspore.ops.OnesLike
    """
    return jnp.ones_like(input, numpy_dtype(dtype, input.dtype))


@composite()
def full_like(input: Array, fill_value, *, dtype: Dtype | None = None):
    """One value in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        fill_value (Number): the value, cast to ``dtype``.
        dtype (mindspore.dtype | None): Default: None, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``input`` is not a Tensor, or ``dtype`` no dtype.
    Example:
        >>> ops.full_like(Tensor([1.5]), 2).tolist()
        [2.0]
    Source: mindspore.ops.full_like
    """
    shape, own = input.aval
    return _filled(fill_value, shape, numpy_dtype(dtype, own))


_NEW = """{phrase} in the dtype of the Tensor.

    Args:
        size (int | tuple[int] | list[int]): the shape.
        dtype (mindspore.dtype | None): Default: None, that of the Tensor.
    Returns:
        Tensor.
    Example:
        >>> Tensor([1.5]).{name}((2,)).tolist()
        {value}
    Source: mindspore.Tensor.{name}
    """


def _new(name, private, make, phrase, value):
    """Defines the method ``name``: the result of ``make``, in the dtype of the Tensor."""

    def compute(self, size, dtype):
        return make(size, dtypes.of(self.aval[1]) if dtype is None else dtype)

    text = f"{name}(self: Array, size: Ints, dtype: Dtype | None = None)"
    return composite(method=name, name=private)(families.body(text, compute, _NEW, phrase=phrase, value=value))


_new_zeros = _new("new_zeros", "_new_zeros", zeros, "Zeros", [0.0, 0.0])
_new_ones = _new("new_ones", "_new_ones", ones, "Ones", [1.0, 1.0])


@composite(method="new_full", name="_new_full")
def _new_full(self: Array, size: Sequence, fill_value, *, dtype: Dtype | None = None):
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


@composite(name="_new_empty", method="new_empty")
def _new_empty(self: Array, size: Ints, *, dtype: Dtype | None = None, device: Text | None = None):
    """An uninitialized Tensor (zeros here) in the dtype of the Tensor.

    Args:
        size (int | tuple[int] | list[int]): the shape.
        dtype (mindspore.dtype | None): Default: None, that of the Tensor.
        device (str | None): a hint without effect: JAX places the data. Default: None.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> Tensor([1.5]).new_empty((2, 3)).shape
        (2, 3)
    Source: mindspore.Tensor.new_empty
    """
    return zeros(size, dtypes.of(self.aval[1]) if dtype is None else dtype)


@composite("Eye")
def eye(n: NonNegativeInt, m: NonNegativeInt | None = None, dtype: Dtype | None = None):
    """Ones on the diagonal of a matrix and zeros elsewhere.

    Args:
        n (int): the number of rows.
        m (int | None): the number of columns. Default: None, ``n``.
        dtype (mindspore.dtype | None): Default: None, float32.
    Returns:
        Tensor of shape ``(n, m)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative.
    Example:
        >>> ops.eye(2).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    Source: mindspore.ops.eye, mindspore.ops.Eye
    """
    with errors.of_memory():
        return constant(np.eye(n, m, dtype=numpy_dtype(dtype, np.float32)))


_TRIANGLE = """The positions of the {kind} triangle of a matrix, row by row.

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


def _triangle_indices(name, chosen, kind):
    @errors.of_memory()
    def positions(row, col, offset, dtype):
        return constant(np.array(chosen(row, offset, col), numpy_dtype(dtype, np.int64)))

    text = f"{name}(row: NonNegativeInt, col: NonNegativeInt, offset: Int = 0, *, dtype: Dtype | None = None)"
    return composite()(families.body(text, positions, _TRIANGLE, kind=kind))


tril_indices = _triangle_indices("tril_indices", np.tril_indices, "lower")
triu_indices = _triangle_indices("triu_indices", np.triu_indices, "upper")
primitive(tril_indices, "TrilIndices(row, col, offset=0, dtype: DtypeOf('int32', 'int64')=int32)")
primitive(triu_indices, "TriuIndices(row, col, offset=0, dtype: DtypeOf('int32', 'int64')=int32)")


# -- from numbers ---------------------------------------------------------------------------------------------------


@op()
def _one_hot(indices: Array, on_value: Array, off_value: Array, depth, axis):
    return jnp.where(jax.nn.one_hot(indices, depth, dtype=bool, axis=axis), on_value, off_value)


@composite("OneHot(axis=-1)")
def one_hot(indices: TensorOf("uint8", "int32", "int64"), depth, on_value=1, off_value=0, axis: Int = -1):
    """One-hot encoding: a new axis with ``on_value`` at the index that each element holds, ``off_value`` elsewhere.

    Args:
        indices (Tensor): any shape, int32 or int64; an index outside of ``[0, depth)`` gives ``off_value`` only.
        depth (int | Tensor): the length of the new axis.
        on_value, off_value (Tensor | Number): the two values, of the same dtype. Default: ``1``, ``0``, as int64.
        axis (int): the index of the new axis. Default: ``-1``, the last.
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
    depth = check.non_negative_int(concrete(depth), "depth", "OneHot")
    check.in_range(axis, -1, len(indices.aval[0]), "axis", "OneHot")
    on_value, off_value = as_tensor(on_value, "OneHot"), as_tensor(off_value, "OneHot")
    if on_value.aval[1] != off_value.aval[1]:
        check.refuse(TypeError, "OneHot", "off_value", f"of the dtype of 'on_value', {on_value.dtype}", off_value)
    return _one_hot(indices, on_value, off_value, depth, axis)


@composite("ScalarToTensor")
def scalar_to_tensor(input_x: Number, dtype: Dtype = dtypes.float32):
    """A Tensor of a number.

    Args:
        input_x (bool | int | float): the number.
        dtype (mindspore.dtype): Default: ``float32``.
    Returns:
        Tensor, 0-d.
    Raises:
        TypeError: if ``input_x`` is not a number, or ``dtype`` no dtype.
    Example:
        >>> ops.scalar_to_tensor(1).tolist()
        1.0
    Source: mindspore.ops.scalar_to_tensor, mindspore.ops.ScalarToTensor
    """
    return cast(input_x, dtype)


@composite("ScalarToArray")
def scalar_to_array(input_x: Number):
    """A Tensor of a number, of the dtype that a Tensor of it has.

    Args:
        input_x (bool | int | float): the number.
    Returns:
        Tensor, 0-d: bool, int64 or float32.
    Raises:
        TypeError: if ``input_x`` is not a number.
    Example:
        >>> ops.scalar_to_array(2).dtype
        mindspore.int64
    Source: mindspore.ops.scalar_to_array, mindspore.ops.ScalarToArray
    """
    return Tensor(input_x)


@composite("TupleToArray")
def tuple_to_array(input_x):
    """A Tensor of a tuple of numbers.

    Args:
        input_x (tuple | range): ints or floats.
    Returns:
        Tensor, 1-d, int32 or float32.
    Raises:
        TypeError: if it is neither, or its elements are not of the same type.
    Example:
        >>> ops.tuple_to_array((1, 2)).tolist()
        [1, 2]
    Source: mindspore.ops.tuple_to_array, mindspore.ops.TupleToArray
    """
    if not isinstance(input_x, (tuple, list, range)) or len({type(item) for item in input_x}) > 1:
        check.refuse(TypeError, "TupleToArray", "input_x", "a tuple of ints or of floats", input_x)
    is_float = bool(input_x) and isinstance(input_x[0], float)
    return constant(np.array(input_x, np.float32 if is_float else np.int32))


@op()
def vander(x: Array, N: PositiveInt | None = None):
    """The powers of the elements, from the highest to 0.

    Args:
        x (Tensor): shape ``(M,)``, any dtype.
        N (int | None): the number of powers. Default: None, ``M``.
    Returns:
        Tensor of shape ``(M, N)``, of ints and bools in int64.
    Raises:
        TypeError: if ``N`` is not an int.  ValueError: if it is not positive, or ``x`` is not a vector.
    Example:
        >>> ops.vander(Tensor([2.0]), 3).tolist()
        [[4.0, 2.0, 1.0]]
    Source: mindspore.ops.vander
    """
    if x.ndim != 1:
        check.refuse(ValueError, "vander", "x", "a vector", x)
    return jnp.vander(x if is_inexact(x.dtype) else x.astype(jnp.int64), N)
