"""Reshaping, broadcasting, and shape queries. Operations on axes are in `axes`."""

import math

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Dtype, Int, Sizes
from ...engine import dtypes
from ...engine.recording.layout import recast
from ...engine.recording.views import are_shared, layout_of, link, seen_as
from ...tensor.numbers import constant
from .._core.define import composite, op
from .._core.faces import face, method, primitive

# -- reshaping ------------------------------------------------------------------------------------------------------


@op("Reshape", view=True)
def reshape(input: Array, shape: Sizes):
    """Reshapes: the same elements in another shape.

    Args:
        input (Tensor): any shape and dtype.
        shape (tuple[int] | list[int] | Tensor): of the result; one length may be -1, for what remains.
    Returns:
        Tensor of the same dtype and the given shape.
    Raises:
        TypeError: if ``shape`` is not made of ints.  ValueError: if it does not hold as many elements.
    Example:
        >>> ops.reshape(Tensor([1, 2, 3, 4]), (2, -1)).tolist()
        [[1, 2], [3, 4]]
    Source: mindspore.ops.reshape, mindspore.ops.Reshape, mindspore.Tensor.reshape
    """
    if shape.count(-1) > 1 or any(length < -1 for length in shape):
        check.refuse(ValueError, "Reshape", "shape", "made of lengths and at most one -1", shape)
    elements = math.prod(length for length in shape if length != -1)
    fits = (elements and input.size % elements == 0 or not input.size) if -1 in shape else elements == input.size
    if not fits:
        check.refuse(ValueError, "Reshape", "shape", f"one that holds the {input.size} elements", shape)
    return jnp.reshape(input, [0 if length == -1 and not elements else length for length in shape])


face(reshape, "reshape_(input, shape)")
method("reshape", (reshape, "(*shape)", {"min_args": 1}), (reshape, "(shape)"))


@op()
def _bits(input: Array, dtype):
    width, other = input.dtype.itemsize, dtype.itemsize
    if width < other and (not input.ndim or input.shape[-1] % (other // width)):
        expected = f"one whose elements, of {other // width} of the Tensor's, fill the last axis"
        check.refuse(ValueError, "view", "dtype", expected, str(dtype))
    return seen_as(input, dtype)


@composite(name="_view")
def _view(self: Array, dtype: Dtype):
    """The same elements in another shape, or the same bits as another dtype.

    Args:
        dtype (mindspore.dtype): reinterprets the bits, without gradient; or a shape as for `reshape`: any Tensor can be
            viewed in any shape, since there are no strides.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: as for `reshape`; ValueError if the last axis does not hold integers of ``dtype``.
    Example:
        >>> Tensor([1, 2, 3, 4]).view(2, 2).tolist()
        [[1, 2], [3, 4]]
    Source: mindspore.Tensor.view
    """
    result = _bits(self, dtype.numpy)
    layout = recast(layout_of(self), self.aval[1].itemsize, dtype.numpy.itemsize) if are_shared() else None
    return result if layout is None else link(self, result, layout)


method("view", (_view, "(dtype)"), (reshape, "(*shape)", {"min_args": 1}), (reshape, "(shape)"))


@composite(method=("view_as", "reshape_as"))
def view_as(input: Array, other: Array):
    """Reshapes ``input`` to the shape of ``other``.

    Args:
        input, other (Tensor): of as many elements.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        ValueError: if they hold different numbers of elements.
    Example:
        >>> ops.view_as(Tensor([1, 2]), Tensor([[0], [0]])).tolist()
        [[1], [2]]
    Source: mindspore.ops.view_as, mindspore.Tensor.view_as, mindspore.Tensor.reshape_as
    """
    return reshape(input, other.aval[0])


@op("Flatten", name="_flatten_rows")
def _flatten_rows(input_x: Array):
    """Flattens all axes but the first.

    Args:
        input_x (Tensor): shape ``(N, ...)``, any dtype.
    Returns:
        Tensor of shape ``(N, X)``.
    Raises:
        ValueError: if there is no axis.
    Example:
        >>> ops.Flatten()(ops.ones((2, 3, 4))).shape
        (2, 12)
    Source: mindspore.ops.Flatten
    """
    check.at_least_rank(input_x, 1, "input_x", "Flatten")
    return jnp.reshape(input_x, (input_x.shape[0], math.prod(input_x.shape[1:])))


@op()
def flatten(input: Array, order="C", *, start_dim: Int = 1, end_dim: Int = -1):
    """Flattens the axes from ``start_dim`` to ``end_dim`` into one.

    Args:
        input (Tensor): any shape and dtype.
        order (str): ``'C'``, row by row, or ``'F'``, column by column. Default: ``'C'``.
        start_dim, end_dim (int): the first and the last of the axes. Default: ``1``, ``-1``.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an axis is out of range, or the first after the last.
    Example:
        >>> ops.flatten(ops.ones((2, 3, 4))).shape
        (2, 12)
    Source: mindspore.ops.flatten, mindspore.Tensor.flatten
    """
    if check.one_of(check.text(order, "order", "flatten"), ("C", "F"), "order", "flatten") == "F":
        input = jnp.transpose(input)
    if input.ndim < 2 and (start_dim, end_dim) == (1, -1):  # the defaults change nothing for a 1-d input
        start_dim = 0
    return _joined(input, start_dim, end_dim)


def _joined(input, start_dim, end_dim):
    """``input`` with the axes from ``start_dim`` to ``end_dim`` joined; a 0-d input becomes 1-d."""
    input = jnp.atleast_1d(input)
    start_dim = check.axis(start_dim, input.ndim, "start_dim", "flatten")
    end_dim = check.axis(end_dim, input.ndim, "end_dim", "flatten")
    if start_dim > end_dim:
        check.refuse(ValueError, "flatten", "start_dim", f"no later than 'end_dim', {end_dim}", start_dim)
    middle = math.prod(input.shape[start_dim : end_dim + 1])
    return jnp.reshape(input, (*input.shape[:start_dim], middle, *input.shape[end_dim + 1 :]))


@op(name="_merge_axes", view=True)
def joined_axes(input: Array, start_dim: Int = 0, end_dim: Int = -1):
    """Flattens the axes from ``start_dim`` to ``end_dim`` into one; both must be there.

    Args:
        input (Tensor): any shape and dtype.
        start_dim, end_dim (int): the first and the last of the axes. Default: ``0``, ``-1``.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an axis is out of range, or the first after the last.
    Example:
        >>> mint.flatten(ops.ones((2, 3, 4)), 1).shape
        (2, 12)
    Source: mindspore.mint.flatten
    """
    return _joined(input, start_dim, end_dim)


_flatten_axes = op(name="_flatten_axes", view=True)(flatten.op.body)  # the function copies, the method does not
method(
    "flatten",
    (_flatten_axes, "(start_dim=0, end_dim=-1)"),
    (_flatten_axes, "(order='C', *, start_dim=0, end_dim=-1)"),
)


@composite(method="ravel")
def ravel(input: Array):
    """Flattens to one axis.

    Args:
        input (Tensor): any shape and dtype.
    Returns:
        Tensor of shape ``(X,)``.
    Example:
        >>> ops.ravel(Tensor([[1, 2], [3, 4]])).tolist()
        [1, 2, 3, 4]
    Source: mindspore.ops.ravel, mindspore.Tensor.ravel
    """
    return reshape(input, (-1,))


@op(name="_resize_to")
def _resize_to(self: Array, new_shape: Sizes):
    """The first elements in another shape, padded with zeros.

    Args:
        new_shape (int, ... | tuple[int]): of the result; without it, that of the Tensor.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if a length is negative.
    Example:
        >>> Tensor([1, 2, 3]).resize(2, 2).tolist()
        [[1, 2], [3, 0]]
    Source: mindspore.Tensor.resize
    """
    if not new_shape:
        return self
    if min(new_shape) < 0:
        check.refuse(ValueError, "Tensor.resize", "new_shape", "made of non-negative lengths", new_shape)
    size = math.prod(new_shape)
    flat = jnp.reshape(self, (-1,))[:size]
    return jnp.reshape(jnp.pad(flat, (0, size - flat.size)), new_shape)


method("resize", (_resize_to, "(*new_shape)"))


# -- broadcasting ---------------------------------------------------------------------------------------------------


@op("BroadcastTo(shape)", view=True)
def broadcast_to(input: Array, shape: Sizes):
    """Broadcasts to ``shape``: repeats along axes of length 1 and adds leading axes.

    Args:
        input (Tensor): any shape and dtype.
        shape (tuple[int] | list[int] | Tensor): of the result; -1 keeps the length of that axis.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``shape`` is not made of ints.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.broadcast_to(Tensor([1, 2]), (2, 2)).tolist()
        [[1, 2], [1, 2]]
    Source: mindspore.ops.broadcast_to, mindspore.ops.BroadcastTo, mindspore.Tensor.broadcast_to
    """
    new = len(shape) - input.ndim
    target = [input.shape[k - new] if length == -1 and k >= new else length for k, length in enumerate(shape)]
    fits = new >= 0 and all(have in (1, want) for have, want in zip(input.shape, target[new:], strict=True))
    if not fits or min(target, default=0) < 0:
        check.refuse(ValueError, "BroadcastTo", "shape", f"one that {input.shape} broadcasts to", shape)
    return jnp.broadcast_to(input, target)


method("broadcast_to", (broadcast_to, "(*shape)", {"min_args": 1}), (broadcast_to, "(shape)"))
method("expand", (broadcast_to, "(*size)", {"min_args": 1}), (broadcast_to, "(size)"))
face(broadcast_to, "expand(input_x, size)")
primitive(broadcast_to, "Expand()(input_x, shape)")


@composite()
def expand_as(input: Array, other: Array):
    """Broadcasts ``input`` to the shape of ``other``.

    Args:
        input, other (Tensor): any dtypes; the shape of ``input`` must broadcast to that of ``other``.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        TypeError: if ``other`` is not a Tensor.  ValueError: if it does not broadcast.
    Example:
        >>> ops.expand_as(Tensor([[1], [2]]), ops.ones((2, 2))).tolist()
        [[1, 1], [2, 2]]
    Source: mindspore.ops.expand_as, mindspore.Tensor.expand_as
    """
    return broadcast_to(input, other.aval[0])


method("expand_as", (expand_as, "(other)"), (expand_as, "(x)", {"x": "other"}))


# -- queries ---------------------------------------------------------------------------------------------------------


@composite("Shape()(x)")
def shape(input_x: Array):
    """The shape of a Tensor.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        tuple[int].
    Example:
        >>> ops.shape(Tensor([[1, 2]]))
        (1, 2)
    Source: mindspore.ops.shape, mindspore.ops.Shape
    """
    return input_x.aval[0]


@composite("Rank")
def rank(input_x: Array):
    """The number of axes of a Tensor.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        int.
    Example:
        >>> ops.rank(Tensor([[1, 2]]))
        2
    Source: mindspore.ops.rank, mindspore.ops.Rank
    """
    return len(input_x.aval[0])


@composite("Size")
def size(input_x: Array):
    """The number of elements of a Tensor.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        int.
    Example:
        >>> ops.size(Tensor([[1, 2]]))
        2
    Source: mindspore.ops.size, mindspore.ops.Size
    """
    return math.prod(input_x.aval[0])


@composite(method=("numel", "nelement"))
def numel(input: Array):
    """The number of elements of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
    Returns:
        int.
    Example:
        >>> ops.numel(Tensor([[1, 2]]))
        2
    Source: mindspore.ops.numel, mindspore.Tensor.numel, mindspore.Tensor.nelement
    """
    return size(input)


@composite("DType")
def dtype(x: Array):
    """The dtype of a Tensor.

    Args:
        x (Tensor): any shape and dtype.
    Returns:
        mindspore.dtype.
    Example:
        >>> ops.dtype(Tensor([0.5]))
        mindspore.float32
    Source: mindspore.ops.dtype, mindspore.ops.DType
    """
    return dtypes.of(x.aval[1])


@composite("TensorShape")
def dyn_shape(input_x: Array):
    """The shape of a Tensor as a Tensor.

    Args:
        input_x (Tensor): any shape and dtype.
    Returns:
        Tensor of shape ``(n,)``, dtype int64.
    Example:
        >>> ops.dyn_shape(Tensor([[1, 2]])).tolist()
        [1, 2]
    Source: mindspore.ops.dyn_shape, mindspore.ops.TensorShape
    """
    return constant(np.array(input_x.aval[0], np.int64))


primitive(dyn_shape, "DynamicShape(dtype=9)(input_x)", hints=("dtype",))
