"""Shapes: reshaping, broadcasting, asking for the shape. Axes are in `axes`."""

import math

import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..engine.handle import Handle
from ..engine.layout import recast
from ..engine.views import are_shared, layout_of, link, seen_as
from ..tensor.numbers import constant
from . import check
from .contracts import Array
from .define import composite, op
from .faces import attach
from .overload import overload


def spread(values):
    """The arguments of a method that takes ``(2, 3)`` as well as ``((2, 3),)``."""
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], (tuple, list)) else values


def int_tuple(value, name, op_name):
    """``value`` as a tuple of ints.

    Raises:
        TypeError: if it is neither an int nor a tuple or list of ints.
    """
    items = (value,) if isinstance(value, int) else value
    if not isinstance(items, (tuple, list)):
        raise TypeError(f"For '{op_name}', the '{name}' must be an int or a tuple of int, but got {value!r}.")
    for place, item in enumerate(items):
        if not isinstance(item, int) or isinstance(item, bool):
            raise TypeError(
                f"{op_name.lower()}(): argument '{name}' must be tuple of int but found type of {type(item).__name__} "
                f"at pos {place}."
            )
    return tuple(items)


# -- reshaping ------------------------------------------------------------------------------------------------------


@op("Reshape", view=True)
def reshape(input: Array, shape):
    """Gives the elements another shape.

    Args:
        input (Tensor): any shape and dtype.
        shape (int | tuple[int] | list[int] | Tensor): of the result; one length may be -1, for what remains.
    Returns:
        Tensor of the same dtype and the given shape.
    Raises:
        TypeError: if ``shape`` is not made of ints.  ValueError: if it does not hold as many elements.
    Example:
        >>> ops.reshape(Tensor([1, 2, 3, 4]), (2, -1)).tolist()
        [[1, 2], [3, 4]]
    Source: mindspore.ops.reshape, mindspore.ops.Reshape, mindspore.Tensor.reshape
    """
    shape = int_tuple(shape, "shape", "Reshape")
    if shape.count(-1) > 1:
        raise ValueError("For 'Reshape', only one dimension can be inferred: at most one length may be -1.")
    known = math.prod(length for length in shape if length != -1)
    fits = (known and input.size % known == 0 or not input.size) if -1 in shape else known == input.size
    if not fits or min(shape, default=0) < -1:
        raise ValueError(f"For 'Reshape', proposed_shape '{shape}' is invalid for input of size {input.size}")
    return jnp.reshape(input, [0 if length == -1 and not known else length for length in shape])


def _reshape_method(self, *args, shape=None):
    return reshape(self, spread(args) if shape is None else shape)


@op()
def _bits(input: Array, dtype):
    width, other = input.dtype.itemsize, dtype.itemsize
    if width < other:
        if not input.ndim or input.shape[-1] % (other // width):
            raise ValueError(f"For 'view', the last axis must be divisible by {other // width} to be seen as {dtype}.")
    return seen_as(input, dtype)


def view(self, *shape):
    """The same elements in another shape, or the same bits as another dtype.

    Args:
        shape (int, ... | tuple[int] | mindspore.dtype): as for `reshape`. Any Tensor can be viewed in any shape: there
            are no strides. Bits as another dtype have no gradient.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: as for `reshape`; ValueError if the last axis does not hold whole numbers of ``dtype``.
    Example:
        >>> Tensor([1, 2, 3, 4]).view(2, 2).tolist()
        [[1, 2], [3, 4]]
    Source: mindspore.Tensor.view
    """
    if len(shape) == 1 and isinstance(shape[0], dtypes.DType):
        dtype = shape[0].numpy
        result = _bits(self, dtype)
        layout = recast(layout_of(self), self.aval[1].itemsize, dtype.itemsize) if are_shared() else None
        return result if layout is None else link(self, result, layout)
    return reshape(self, spread(shape))


@composite(method=("view_as", "reshape_as"))
def view_as(input, other):
    """Gives ``input`` the shape of ``other``.

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
    if not isinstance(other, Handle):
        raise TypeError(f"For 'view_as', the 'other' must be a Tensor, but got {type(other).__name__}.")
    return reshape(input, other.aval[0])


@op("Flatten")
def _flatten_rows(input_x: Array):
    """Flattens all axes but the first.

    Args:
        input_x (Tensor): shape ``(N, ...)``, any dtype.
    Returns:
        Tensor of shape ``(N, X)``.
    Example:
        >>> ops.Flatten()(ops.ones((2, 3, 4))).shape
        (2, 12)
    Source: mindspore.ops.Flatten
    """
    if not input_x.ndim:
        raise ValueError("For 'Flatten', the input must have at least one axis, but got shape ().")
    return jnp.reshape(input_x, (input_x.shape[0], math.prod(input_x.shape[1:])))


@op()
def flatten(input: Array, order="C", *, start_dim=1, end_dim=-1):
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
    if order not in ("C", "F"):
        kind = ValueError if isinstance(order, str) else TypeError
        raise kind(f"For 'flatten', the 'order' must be 'C' or 'F', but got {order!r}.")
    if order == "F":
        input = jnp.transpose(input)
    if input.ndim == 0:
        return jnp.reshape(input, (1,))
    end_dim = check.axis(end_dim, input.ndim, "end_dim", "flatten")
    if start_dim == 1 and input.ndim == 1:
        return input
    start_dim = check.axis(start_dim, input.ndim, "start_dim", "flatten")
    if start_dim > end_dim:
        raise ValueError(f"For 'flatten', 'start_dim' cannot come after 'end_dim', but got {start_dim} > {end_dim}.")
    middle = math.prod(input.shape[start_dim : end_dim + 1])
    return jnp.reshape(input, (*input.shape[:start_dim], middle, *input.shape[end_dim + 1 :]))


_flattened = op(name="_flattened", view=True)(flatten.op.body)  # the function copies, the method does not


def _flatten_method(self, *args, order="C", start_dim=0, end_dim=-1):
    if args and isinstance(args[0], str):
        order, args = args[0], args[1:]
    start_dim, end_dim = (*args, start_dim, end_dim)[:2] if len(args) != 1 else (args[0], end_dim)
    return _flattened(self, order, start_dim=start_dim, end_dim=end_dim)


@composite(method="ravel")
def ravel(input):
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


@op()
def _resized(input: Array, shape):
    size = math.prod(shape)
    flat = jnp.reshape(input, (-1,))[:size]
    return jnp.reshape(jnp.pad(flat, (0, size - flat.size)), shape)


def resize(self, *new_shape):
    """The first elements in another shape; zeros where there are too few.

    Args:
        new_shape (int, ... | tuple[int]): of the result.
    Returns:
        Tensor of the same dtype.
    Example:
        >>> Tensor([1, 2, 3]).resize(2, 2).tolist()
        [[1, 2], [3, 0]]
    Source: mindspore.Tensor.resize
    """
    return _resized(self, int_tuple(spread(new_shape), "new_shape", "resize"))


# -- broadcasting ---------------------------------------------------------------------------------------------------


@op("BroadcastTo(shape)", view=True)
def broadcast_to(input: Array, shape):
    """Repeats along axes of length 1, and adds axes in front, up to ``shape``.

    Args:
        input (Tensor): any shape and dtype.
        shape (int | tuple[int]): of the result; -1 keeps the length of that axis.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``shape`` is not made of ints.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.broadcast_to(Tensor([1, 2]), (2, 2)).tolist()
        [[1, 2], [1, 2]]
    Source: mindspore.ops.broadcast_to, mindspore.ops.BroadcastTo, mindspore.Tensor.broadcast_to
    """
    shape = int_tuple(shape, "shape", "BroadcastTo")
    new = len(shape) - input.ndim
    if new < 0:
        raise ValueError(
            "For 'BroadcastTo', input's rank should be less equal to the number of proposed_shape, but got "
            f"{input.ndim} and {len(shape)}"
        )
    target = [input.shape[k - new] if length == -1 and k >= new else length for k, length in enumerate(shape)]
    for have, want in zip(input.shape, target[new:], strict=True):
        if have not in (1, want):
            raise ValueError(
                "For 'BroadcastTo', in order to broadcast, each dimension pair must be equal or input dimension is 1 "
                f"or target dimension is -1. But got x_shape: {_shown(input.shape)}, target shape: {_shown(shape)}."
            )
    if min(target, default=0) < 0:
        raise ValueError(f"For 'BroadcastTo', -1 cannot stand for a new axis, but got target shape: {_shown(shape)}.")
    return jnp.broadcast_to(input, target)


def _shown(shape):
    return f"({', '.join(map(str, shape))})"


def _broadcast_to_method(self, *shape):
    return broadcast_to(self, spread(shape))


@composite()
def expand(input_x, size):
    """Repeats along axes of length 1, and adds axes in front, up to ``size``.

    Args:
        input_x (Tensor): any shape and dtype.
        size (tuple[int] | Tensor): of the result; -1 keeps the length of that axis.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError, ValueError: as for `broadcast_to`.
    Example:
        >>> ops.expand(Tensor([[1], [2]]), (-1, 2)).tolist()
        [[1, 1], [2, 2]]
    Source: mindspore.ops.expand, mindspore.Tensor.expand
    """
    return broadcast_to(input_x, size)


@composite()
def expand_as(input, other):
    """Broadcasts ``input`` to the shape of ``other``.

    Args:
        input, other (Tensor): any dtypes; the shape of ``input`` must broadcast to that of ``other``.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        TypeError: if ``other`` is no Tensor.  ValueError: if it does not broadcast.
    Example:
        >>> ops.expand_as(Tensor([[1], [2]]), ops.ones((2, 2))).tolist()
        [[1, 1], [2, 2]]
    Source: mindspore.ops.expand_as
    """
    return broadcast_to(input, _tensor(other, "ExpandAs").aval[0])


def _expand_as_other(self, other):
    return expand_as(self, other)


def _expand_as_x(self, x):
    return expand_as(self, x)


overload(
    "expand_as",
    """Broadcasts the Tensor to the shape of another.

    Args:
        other, x (Tensor): any dtype; two names of one argument.
    Returns, Raises: as for `ops.expand_as`.
    Example:
        >>> Tensor([[1], [2]]).expand_as(x=ops.ones((2, 2))).tolist()
        [[1, 1], [2, 2]]
    Source: mindspore.Tensor.expand_as
    """,
    _expand_as_other,
    _expand_as_x,
)


# -- asking ---------------------------------------------------------------------------------------------------------


@composite("Shape")
def shape(input_x):
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
    return _tensor(input_x, "Shape").aval[0]


@composite("Rank")
def rank(input_x):
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
    return len(_tensor(input_x, "Rank").aval[0])


@composite("Size")
def size(input_x):
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
    return math.prod(_tensor(input_x, "Size").aval[0])


@composite(method=("numel", "nelement"))
def numel(input):
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


def contiguous(self):
    """The Tensor itself: there are no strides here, so every one is contiguous. Source: mindspore.Tensor.contiguous"""
    return self


def is_contiguous(self):
    """True: there are no strides here, so every Tensor is contiguous. Source: mindspore.Tensor.is_contiguous"""
    return True


attach(contiguous, "contiguous")
attach(is_contiguous, "is_contiguous")


@composite("DType")
def dtype(x):
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
    return dtypes.of(_tensor(x, "DType").aval[1])


@composite("TensorShape")
def dyn_shape(input_x):
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
    return constant(np.array(_tensor(input_x, "TensorShape").aval[0], np.int64))


def _tensor(value, name):
    if not isinstance(value, Handle):
        raise TypeError(f"For primitive[{name}], the input argument must be a Tensor, but got {type(value).__name__}.")
    return value


for _name, _method in [
    ("reshape", _reshape_method),
    ("view", view),
    ("flatten", _flatten_method),
    ("resize", resize),
    ("broadcast_to", _broadcast_to_method),
    ("expand", _broadcast_to_method),
]:
    attach(_method, _name)
for _method, _face in [
    (_reshape_method, reshape),
    (_flatten_method, flatten),
    (_broadcast_to_method, broadcast_to),
]:
    _method.__doc__ = _face.__doc__
