"""Axes: permuting them, adding and dropping those of length 1."""

import jax.numpy as jnp

from . import check
from .array import int_tuple, reshape, spread
from .contracts import Array
from .define import composite, op
from .faces import attach

# -- permuting axes -------------------------------------------------------------------------------------------------


@op("Transpose", view=True)
def transpose(input: Array, dims):
    """Permutes the axes.

    Args:
        input (Tensor): any shape and dtype.
        dims (tuple[int] | list[int]): for each axis of the result, the axis of ``input`` that it is.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``dims`` is not made of ints.  ValueError: if it is not a permutation of the axes.
    Example:
        >>> ops.transpose(Tensor([[1, 2], [3, 4]]), (1, 0)).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.ops.transpose, mindspore.ops.Transpose
    """
    if isinstance(dims, int):
        raise TypeError(f"For 'Transpose', the 'dims' must be a tuple or list of ints, but got {dims}.")
    dims = int_tuple(dims, "dims", "Transpose")
    if len(dims) != input.ndim:
        raise ValueError(
            f"For 'Transpose', size of perm should equal to rank of x, but got {len(dims)} and {input.ndim}!"
        )
    axes = [check.axis(axis, input.ndim, "dims", "Transpose") for axis in dims]
    if len(set(axes)) < len(axes):
        raise ValueError(f"For 'Transpose', perms should all be unique dim, but got {dims}.")
    return jnp.transpose(input, axes)


def transpose_method(self, *axes, dim0=None, dim1=None):
    """Exchanges two axes, permutes all, or reverses their order.

    Args:
        axes (int, ... | tuple[int]): two ints name the axes to exchange; a tuple, or more ints, is a permutation; none
            reverses the order.
        dim0, dim1 (int): the two axes to exchange, by name.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if an axis is out of range, or the axes are no permutation.
    Example:
        >>> ops.ones((2, 3, 4)).transpose(0, 2, 1).shape
        (2, 4, 3)
    Source: mindspore.Tensor.transpose
    """
    if dim0 is not None or dim1 is not None:
        axes = (*axes, dim0, dim1)[:2] if axes else (dim0, dim1)
    if len(axes) == 2:
        return swapaxes(self, *axes)
    axes = spread(axes) or tuple(reversed(range(len(self.aval[0]))))
    return transpose(self, axes)


@composite()
def permute(input, axis):
    """Permutes the axes.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int]): for each axis of the result, the axis of ``input`` that it is.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if ``axis`` is not a permutation of the axes.
    Example:
        >>> ops.permute(ops.ones((2, 3, 4)), (2, 0, 1)).shape
        (4, 2, 3)
    Source: mindspore.ops.permute, mindspore.Tensor.permute
    """
    return transpose(input, axis)


def _permute_method(self, *dims):
    return transpose(self, spread(dims))


@op(method="swapaxes", view=True)
def swapaxes(input: Array, axis0, axis1):
    """Exchanges two axes.

    Args:
        input (Tensor): any shape and dtype.
        axis0, axis1 (int): the axes; negative ones count from the end.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if an axis is not an int.  ValueError: if it is out of range.
    Example:
        >>> ops.swapaxes(ops.ones((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    Source: mindspore.ops.swapaxes, mindspore.Tensor.swapaxes
    """
    axis0 = check.axis(axis0, input.ndim, "axis0", "swapaxes")
    return jnp.swapaxes(input, axis0, check.axis(axis1, input.ndim, "axis1", "swapaxes"))


@composite(method="swapdims")
def swapdims(input, dim0, dim1):
    """Exchanges two axes.

    Args, Returns, Raises: as for `swapaxes`.
    Example:
        >>> ops.swapdims(ops.ones((2, 3)), 0, 1).shape
        (3, 2)
    Source: mindspore.ops.swapdims, mindspore.Tensor.swapdims
    """
    return swapaxes(input, dim0, dim1)


@op(method="movedim", view=True)
def movedim(x: Array, source, destination):
    """Moves axes to other places; the others keep their order.

    Args:
        x (Tensor): any shape and dtype.
        source, destination (int | tuple[int] | list[int]): the axes, and where they go.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if an axis is out of range or named twice, or the numbers of axes differ.
    Example:
        >>> ops.movedim(ops.ones((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    Source: mindspore.ops.movedim, mindspore.Tensor.movedim
    """
    source = [check.axis(axis, x.ndim, "source", "movedim") for axis in int_tuple(source, "source", "movedim")]
    places = int_tuple(destination, "destination", "movedim")
    places = [check.axis(axis, x.ndim, "destination", "movedim") for axis in places]
    if len(source) != len(places) or len(set(source)) < len(source) or len(set(places)) < len(places):
        raise ValueError(
            f"For 'movedim', 'source' and 'destination' must name as many different axes, but got {source}, {places}."
        )
    return jnp.moveaxis(x, source, places)


@composite(method="moveaxis")
def moveaxis(x, source, destination):
    """Moves axes to other places; the others keep their order.

    Args, Returns, Raises: as for `movedim`.
    Example:
        >>> ops.moveaxis(ops.ones((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    Source: mindspore.ops.moveaxis, mindspore.Tensor.moveaxis
    """
    return movedim(x, source, destination)


def _transposed(self):
    """The Tensor with its axes in reverse order; itself if there are fewer than two. Source: mindspore.Tensor.T"""
    rank = len(self.aval[0])
    return transpose(self, tuple(reversed(range(rank)))) if rank > 1 else self


@op()
def _conjugate_transpose(self: Array):
    return jnp.conj(jnp.transpose(self))


def _adjoint(self):
    """The conjugate transpose of a matrix. Source: mindspore.Tensor.H"""
    if len(self.aval[0]) != 2:
        raise ValueError(f"For Tensor.H, the Tensor must be a matrix, but got shape {self.aval[0]}.")
    return _conjugate_transpose(self) if self.aval[1].kind == "c" else _transposed(self)


def _matrix_transposed(self):
    """The Tensor with its last two axes exchanged. Source: mindspore.Tensor.mT"""
    return swapaxes(self, -2, -1)


# -- adding and dropping axes ---------------------------------------------------------------------------------------


@op("Squeeze(axis=())", view=True)
def _squeeze(input: Array, axis=()):
    """Drops axes of length 1.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): the axes to drop if their length is 1; ``()`` for all. Default: ``()``.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``axis`` is not made of ints.  ValueError: if one is out of range.
    Example:
        >>> ops.Squeeze(0)(ops.ones((1, 2, 1))).shape
        (2, 1)
    Source: mindspore.ops.Squeeze
    """
    axes = int_tuple(axis, "axis", "Squeeze")
    for each in axes:
        if not -max(input.ndim, 1) <= each < max(input.ndim, 1):
            raise ValueError(
                f"Dimension out of range (expected to be in range of [{-input.ndim}, {input.ndim}), but got {each})"
            )
    chosen = {each % max(input.ndim, 1) for each in axes} or range(input.ndim)
    return jnp.squeeze(input, tuple([k for k in chosen if k < input.ndim and input.shape[k] == 1]))


@composite()
def squeeze(input, axis=None):
    """Drops axes of length 1.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): the axes to drop if their length is 1. Default: None, all.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``axis`` is not made of ints.  ValueError: if one is out of range.
    Example:
        >>> ops.squeeze(ops.ones((1, 2, 1))).shape
        (2,)
    Source: mindspore.ops.squeeze, mindspore.Tensor.squeeze
    """
    return _squeeze(input, () if axis is None else axis)


def _squeeze_method(self, *args, axis=None):
    return squeeze(self, axis if not args or args == (None,) else spread(args))


def _expanded(array, axis, name):
    if not isinstance(axis, int) or isinstance(axis, bool):
        raise TypeError(f"For 'ExpandDims', the '{name}' must be an int, but got {type(axis).__name__}.")
    rank = array.ndim + 1
    if not -rank <= axis < rank:
        raise ValueError(f"Dimension out of range (expected to be in range of [{-rank}, {rank}), but got {axis})")
    return jnp.expand_dims(array, axis)


@op("ExpandDims", method="expand_dims", view=True)
def expand_dims(input_x: Array, axis):
    """Adds an axis of length 1.

    Args:
        input_x (Tensor): any shape and dtype.
        axis (int): its place in the result, in ``[-n - 1, n]`` for ``n`` axes.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``axis`` is not an int.  ValueError: if it is out of range.
    Example:
        >>> ops.expand_dims(Tensor([1, 2]), -1).tolist()
        [[1], [2]]
    Source: mindspore.ops.expand_dims, mindspore.ops.ExpandDims, mindspore.Tensor.expand_dims
    """
    return _expanded(input_x, axis, "axis")


@op(method="unsqueeze", view=True)
def unsqueeze(input: Array, dim):
    """Adds an axis of length 1.

    Args:
        input (Tensor): any shape and dtype.
        dim (int): its place in the result, in ``[-n - 1, n]`` for ``n`` axes.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``dim`` is not an int.  ValueError: if it is out of range.
    Example:
        >>> ops.unsqueeze(Tensor([1, 2]), 0).tolist()
        [[1, 2]]
    Source: mindspore.ops.unsqueeze, mindspore.Tensor.unsqueeze
    """
    return _expanded(input, dim, "dim")


def _at_least(rank, name):
    def at_least(inputs):
        if isinstance(inputs, (tuple, list)):
            return tuple([at_least(each) for each in inputs])
        missing = rank - len(inputs.aval[0])
        if missing <= 0:
            return inputs
        behind = int(rank == 3 and bool(inputs.aval[0]))  # a matrix becomes (M, N, 1), a vector (1, N, 1)
        before = [1] * (missing - behind)
        return reshape(inputs, (*before, *inputs.aval[0], *[1] * behind))

    at_least.__name__ = name
    at_least.__doc__ = f"""Adds axes of length 1 until there are at least {rank}.

    Args:
        inputs (Tensor | tuple[Tensor] | list[Tensor]): any shapes and dtypes.
    Returns:
        Tensor, or a tuple of them.
    Example:
        >>> ops.{name}(Tensor(5)).shape
        {(1,) * rank}
    Source: mindspore.ops.{name}
    """
    return composite()(at_least)


atleast_1d = _at_least(1, "atleast_1d")
atleast_2d = _at_least(2, "atleast_2d")
atleast_3d = _at_least(3, "atleast_3d")


for _name, _method in [
    ("transpose", transpose_method),
    ("permute", _permute_method),
    ("squeeze", _squeeze_method),
    ("T", property(_transposed)),
    ("mT", property(_matrix_transposed)),
    ("H", property(_adjoint)),
]:
    attach(_method, _name)
_permute_method.__doc__ = permute.__doc__
_squeeze_method.__doc__ = squeeze.__doc__
