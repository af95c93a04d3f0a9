"""Permuting axes, and adding and removing axes of length 1."""

import inspect

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays, Axis, Int, Ints, Sequence
from ..._contracts.kinds import Static, accepted
from ...engine.handle import Handle
from .._core import families
from .._core.define import composite, op
from .._core.faces import attach, face, method, primitive
from .reshaping import reshape

# -- permuting axes -------------------------------------------------------------------------------------------------


@op("Transpose", view=True)
def transpose(input: Array, dims: Sequence):
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
    if len(dims) != input.ndim:
        check.refuse(ValueError, "Transpose", "dims", f"a permutation of the {input.ndim} axes", dims)
    return jnp.transpose(input, check.distinct_axes(dims, input.ndim, "dims", "Transpose"))


def _is_none(axes):
    """Whether the ``*axes`` of a method are one None."""
    return isinstance(axes, tuple) and len(axes) == 1 and axes[0] is None


def _order(value, arg_name, owner):
    return () if _is_none(value) else check.sizes(value, arg_name, owner)


_Order = Static(_order, tuple)  # of a method's ``*axes``


@op(view=True)
def _permute(self: Array, axes: _Order):
    """Exchanges two axes, permutes all, or reverses their order.

    Args:
        axes (int, ... | tuple[int]): two ints name the axes to exchange; a tuple, or more ints, is a permutation; none,
            or None, reverses the order.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if an axis is out of range, or the axes are not a permutation.
    Example:
        >>> ops.ones((2, 3, 4)).transpose(0, 2, 1).shape
        (2, 4, 3)
    Source: mindspore.Tensor.transpose
    """
    return transpose(self, axes or tuple(reversed(range(self.ndim))))


@op(method="swapaxes", view=True)
def swapaxes(input: Array, axis0: Axis, axis1: Axis):
    """Transposes two axes.

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


face(swapaxes, "swapdims(input, dim0, dim1)")
method("swapdims", (swapaxes, "(dim0, dim1)"))
method("transpose", (swapaxes, "(dim0, dim1)"), (_permute, "(*axes)"))
primitive(transpose, "TransposeView()(input, input_perm)", input_perm="dims")
primitive(swapaxes, "TransposeExtView()(input, dim0, dim1)")
face(transpose, "permute(input, axis)")
method("permute", (_permute, "(*dims)"), (transpose, "(dims)"))


def _all_or(axes, ndim, arg_name):
    return tuple(range(ndim)) if axes is None else check.distinct_axes(axes, ndim, arg_name, "movedim")


@op(method="movedim", view=True)
def movedim(x: Array, source: Ints | None, destination: Ints | None):
    """Moves axes to other positions; the others keep their order.

    Args:
        x (Tensor): any shape and dtype.
        source, destination (int | tuple[int] | list[int] | None): the axes, and their new positions; None for all axes.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if an axis is out of range or named twice, or the numbers of axes differ.
    Example:
        >>> ops.movedim(ops.ones((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    Source: mindspore.ops.movedim, mindspore.Tensor.movedim
    """
    for name, axes in (("source", source), ("destination", destination)):
        if axes and not x.ndim:
            check.refuse(ValueError, "movedim", name, "() without axes", axes)
    source, target = _all_or(source, x.ndim, "source"), _all_or(destination, x.ndim, "destination")
    if len(source) != len(target):
        check.refuse(ValueError, "movedim", "destination", f"as long as 'source', {len(source)}", destination)
    return jnp.moveaxis(x, source, target)


face(movedim, "moveaxis(x, source, destination)")
method("moveaxis", (movedim, "(source, destination)"))


@composite(method="t")
def t(input: Array):
    """The transpose of a matrix; a Tensor of another rank is returned unchanged.

    Args:
        input (Tensor): any shape and dtype.
    Returns:
        Tensor of the same dtype.
    Example:
        >>> ops.t(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.ops.t, mindspore.Tensor.t
    """
    return swapaxes(input, 0, 1) if len(input.aval[0]) == 2 else input


@op("ConjugateTranspose", name="_conjugate_transpose")
def _conjugate_transpose(x: Array, perm: Sequence):
    """Permutes the axes and conjugates the elements.

    Args:
        x (Tensor): any shape and dtype.
        perm (tuple[int] | list[int]): for each axis of the result, the axis of ``x`` that it is.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``perm`` is not made of ints.  ValueError: if it is not a permutation of the axes.
    Example:
        >>> ops.ConjugateTranspose()(Tensor([[1 + 2j, 3j]]), (1, 0)).tolist()
        [[(1-2j)], [-3j]]
    Source: mindspore.ops.ConjugateTranspose
    """
    return jnp.conj(transpose(x, perm))


@composite(method="adjoint")
def adjoint(x: Array):
    """Conjugate transpose of the last two axes.

    Args:
        x (Tensor): any shape of at least two axes, any dtype.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if there are fewer than two axes.
    Example:
        >>> ops.adjoint(Tensor([[1 + 2j, 3j]])).tolist()
        [[(1-2j)], [-3j]]
    Source: mindspore.ops.adjoint, mindspore.Tensor.adjoint, mindspore.Tensor.mH
    """
    if x.aval[1].kind != "c":
        return swapaxes(x, -2, -1)
    rank = len(check.at_least_rank(x, 2, "x", "adjoint").aval[0])
    return _conjugate_transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def _transposed(self):
    """The Tensor with its axes in reverse order; itself if there are fewer than two.

    Returns:
        Tensor.
    Example:
        >>> Tensor([[1, 2], [3, 4]]).T.tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.Tensor.T
    """
    return _permute(self, ()) if len(self.aval[0]) > 1 else self


def _matrix_transposed(self):
    """The Tensor with its last two axes exchanged.

    Returns:
        Tensor.
    Raises:
        ValueError: if there are fewer than two axes.
    Example:
        >>> ops.ones((2, 3, 4)).mT.shape
        (2, 4, 3)
    Source: mindspore.Tensor.mT
    """
    return swapaxes(self, -2, -1)


def _conjugate_of_matrix(self):
    """Conjugate transpose of a matrix.

    Returns:
        Tensor.
    Raises:
        ValueError: if it is not a matrix.
    Example:
        >>> Tensor([[1 + 2j, 3j]]).H.tolist()
        [[(1-2j)], [-3j]]
    Source: mindspore.Tensor.H
    """
    if len(self.aval[0]) != 2:
        check.refuse(ValueError, "Tensor.H", "self", "a matrix", self)
    return adjoint(self)


attach(property(_transposed), "T")
attach(property(_matrix_transposed), "mT")
attach(property(_conjugate_of_matrix), "H")
attach(property(inspect.unwrap(adjoint)), "mH")


# -- adding and dropping axes ---------------------------------------------------------------------------------------


@op("Squeeze(axis=())", view=True)
def _squeeze(input: Array, axis: Ints = ()):
    """Squeezes: removes axes of length 1.

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
    if not input.ndim:  # a 0-d Tensor accepts any axis, as in MindSpore
        return input
    chosen = {check.axis(each, input.ndim, "axis", "Squeeze") for each in axis} or range(input.ndim)
    return jnp.squeeze(input, tuple([k for k in chosen if input.shape[k] == 1]))


@composite()
def squeeze(input: Array, axis=None):
    """Squeezes: removes axes of length 1.

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
    if isinstance(axis, tuple) and len(axis) == 1 and isinstance(axis[0], (tuple, list)):
        axis = axis[0]  # x.squeeze((0, 2))
    return _squeeze(input, () if axis is None or _is_none(axis) else axis)


method("squeeze", (squeeze, "(*axis)"), (squeeze, "(axis)"))


def _expanded(array, axis, name):
    rank = array.ndim + 1
    return jnp.expand_dims(array, check.in_range(axis, -rank, rank - 1, name, "ExpandDims"))


@op("ExpandDims", method="expand_dims", view=True)
def expand_dims(input_x: Array, axis: Int):
    """Unsqueezes: adds an axis of length 1.

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


@op(view=True)
def unsqueeze(input: Array, dim: Int):
    """Unsqueezes: adds an axis of length 1.

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


method("unsqueeze", (unsqueeze, "(dim)"), (unsqueeze, "(axis)"))


_AT_LEAST = """Adds axes of length 1 until there are at least {rank}.

    Args:
        inputs (Tensor | tuple[Tensor] | list[Tensor]): any shapes and dtypes.
    Returns:
        Tensor, or a tuple of them.
    Raises:
        TypeError: if ``inputs`` are not Tensors.
    Example:
        >>> ops.{name}(Tensor(5)).shape
        {shape}
    Source: mindspore.ops.{name}
    """


def _at_least(name, rank):
    """Defines the function ``name``, which adds axes up to the rank ``rank``."""

    def raised(tensor):
        missing = rank - len(tensor.aval[0])
        if missing <= 0:
            return tensor
        behind = int(rank == 3 and bool(tensor.aval[0]))  # a matrix becomes (M, N, 1), a vector (1, N, 1)
        return reshape(tensor, (*[1] * (missing - behind), *tensor.aval[0], *[1] * behind))

    def all_raised(inputs):
        if isinstance(inputs, Handle):
            return raised(inputs)
        return tuple([raised(each) for each in accepted(Arrays, inputs, "inputs", name)])

    definition = families.body(f"{name}(inputs)", all_raised, _AT_LEAST, rank=rank, shape=(1,) * rank)
    return composite()(definition)


atleast_1d = _at_least("atleast_1d", 1)
atleast_2d = _at_least("atleast_2d", 2)
atleast_3d = _at_least("atleast_3d", 3)
