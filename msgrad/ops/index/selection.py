"""Selection by conditions: select, where, masks, nonzero, unique."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays, Axis, Bool, Mask, Operand, PositiveInt
from ..._contracts.kinds import TensorOf, concrete
from ...engine.handle import Handle
from ...tensor import promotion
from ...tensor.c_casts import convert
from ...tensor.numbers import constant, number, plain
from ...tensor.tensor import Tensor
from .._core.calls.operands import as_tensor
from .._core.define import composite, op
from .._core.faces import face, method
from .._shared.distinct import distinct

# -- by a condition -------------------------------------------------------------------------------------------------


def _check_broadcast(name, **shapes) -> Any:
    """The shape that all of ``shapes``, by argument, broadcast to; ValueError if there is none."""
    try:
        return jnp.broadcast_shapes(*shapes.values())
    except ValueError:
        first, *rest = shapes
        expected = f"of a shape that broadcasts with those of {' and '.join(map(repr, rest))}"
        return check.refuse(ValueError, name, first, expected, tuple(shapes.values()))


@op(name="_select")
def _select(condition: Mask, input: Array, other: Array):
    """Picks from ``input`` where ``condition`` is True, else from ``other``; see `where`.

    Args:
        condition (Tensor): bool.
        input, other (Tensor): shapes that broadcast; mixed dtypes are promoted.
    Returns:
        Tensor of the broadcast shape.
    """
    _check_broadcast("Select", condition=condition.shape, input=input.shape, other=other.shape)
    dtype = input.dtype
    if dtype != other.dtype:
        dtype = promotion.result_dtype("add", dtype, other.dtype)
    return jnp.where(condition, convert(input, dtype), convert(other, dtype))


def _pair(input, other):
    """Two values as Tensors; a number takes the promoted dtype."""
    if isinstance(input, Handle) == isinstance(other, Handle):
        return as_tensor(input, "Select"), as_tensor(other, "Select")
    if isinstance(input, Handle):
        other = plain(other)
        return input, number(other, promotion.result_dtype("add", input.aval[1], other))
    input = plain(input)
    return number(input, promotion.result_dtype("add", input, other.aval[1])), other


@composite("Select")
def where(condition: Mask, input: Operand, other: Operand):
    """Picks from ``input`` where ``condition`` is True, else from ``other``.

    Args:
        condition (Tensor): bool.
        input, other (Tensor | Number): shapes that broadcast; mixed dtypes are promoted.
    Returns:
        Tensor of the broadcast shape. The gradient of the branch that is not picked is multiplied by 0, so it is NaN
        where that branch has an infinite gradient.
    Raises:
        TypeError: if ``condition`` is not a Tensor of bools.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.where(Tensor([True, False]), Tensor([1, 2]), 9).tolist()
        [1, 9]
    Source: mindspore.ops.where, mindspore.ops.Select, mindspore.Tensor.where
    """
    return _select(condition, *_pair(input, other))


method("where", (where, "(condition, y)", {"self": "input"}))
face(where, "select(condition, input, other)")


@op()
def _masked_fill(input_x: Array, mask: Array, value: Array):
    _check_broadcast("MaskedFill", mask=mask.shape, input_x=input_x.shape)
    return jnp.where(mask, convert(value, input_x.dtype), input_x)


@composite("MaskedFill")
def masked_fill(input_x: Array, mask: Mask, value: Operand):
    """Puts a value where the mask is True.

    Args:
        input_x (Tensor): any dtype.
        mask (Tensor): bool, of a shape that broadcasts.
        value (Number | Tensor): the value, a Tensor without axes; cast to the dtype of ``input_x``.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if ``mask`` is not a Tensor of bools, or ``value`` a float where ``input_x`` has ints or bools.
        ValueError: if shapes do not broadcast.
    Example:
        >>> ops.masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), 0.0).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.masked_fill, mindspore.ops.MaskedFill
    """
    kind = value.aval[1].kind if isinstance(value, Handle) else np.asarray(value).dtype.kind
    if input_x.aval[1].kind in "biu" and kind in "fc":
        check.refuse(TypeError, "MaskedFill", "value", f"an int or a bool for {input_x.dtype}", value)
    return _filled(input_x, mask, value)


@composite(name="_masked_fill_method", method="masked_fill")
def _filled(input_x: Array, mask: Mask, value: Operand):
    """Writes a value where the mask is True, cast to the dtype of the Tensor: a float loses its fraction.

    Args:
        input_x (Tensor): any dtype.
        mask (Tensor): bool, of a shape that broadcasts.
        value (Number | Tensor): the value, a Tensor without axes.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if ``mask`` is not a Tensor of bools.  ValueError: if shapes do not broadcast.
    Example:
        >>> Tensor([1, 2]).masked_fill(Tensor([True, False]), 5).tolist()
        [5, 2]
    Source: mindspore.Tensor.masked_fill
    """
    if not isinstance(value, Handle):
        value = number(plain(value), input_x.aval[1])
    elif value.aval[0]:
        check.refuse(ValueError, "MaskedFill", "value", "a number or a Tensor without axes", value)
    return _masked_fill(input_x, mask, value)


@op()
def _chosen_of(self: Array, choices: Arrays, mode):
    _check_broadcast("Tensor.choose", self=self.shape, choices=jnp.broadcast_shapes(*[each.shape for each in choices]))
    return jnp.choose(self.astype(np.int32), choices, mode=mode)


@composite(name="_choose", method="choose")
def _choose(self: Array, choices, mode="clip"):
    """Selects each element from one of several Tensors, by the index in this Tensor.

    Args:
        choices (tuple | list | Tensor): Tensors, or what Tensors are made of, of shapes that broadcast with that of the
            Tensor; or one Tensor, whose rows they are.
        mode (str): ``'clip'``, numbers out of range mean the nearest, or ``'wrap'``. Default: ``'clip'``.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not broadcast, or for another ``mode``.
        NotImplementedError: for the mode ``'raise'`` of NumPy.
    Example:
        >>> Tensor([1, 0]).choose([[1, 2], [8, 9]]).tolist()
        [8, 2]
    Source: mindspore.Tensor.choose
    """
    if mode not in ("clip", "wrap"):
        error = NotImplementedError if mode == "raise" else ValueError
        check.refuse(error, "choose", "mode", "'clip' or 'wrap'", mode)
    return _chosen_of(self, [each if isinstance(each, Handle) else Tensor(each) for each in choices], mode)


# -- shapes that depend on values -----------------------------------------------------------------------------------


def _to_constant(array):
    return constant(np.asarray(array))


@op()
def _picked(input: Array, positions: Array):
    return jnp.take(input.reshape(-1), positions, mode="clip")


@composite("MaskedSelect", method="masked_select")
def masked_select(input: Array, mask: Mask):
    """The elements where the mask is True, in order.

    Args:
        input (Tensor): any dtype.
        mask (Tensor): bool, of a shape that broadcasts with that of ``input``. Its values are needed at once.
    Returns:
        Tensor, 1-d.
    Raises:
        TypeError: if ``mask`` is not a Tensor of bools.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.masked_select(Tensor([1.0, 2.0]), Tensor([False, True])).tolist()
        [2.0]
    Source: mindspore.ops.masked_select, mindspore.ops.MaskedSelect, mindspore.Tensor.masked_select
    """
    shape, mask_values = input.aval[0], mask._values_()
    whole = _check_broadcast("MaskedSelect", mask=mask_values.shape, input=shape)
    positions = np.broadcast_to(np.arange(int(np.prod(shape))).reshape(shape), whole)
    return _picked(input, _to_constant(positions[np.broadcast_to(mask_values, whole)]))


@composite("NonZero", name="_nonzero")
def _nonzero(input: Array):
    """The indices of the nonzero elements.

    Args:
        input (Tensor): any shape and dtype. Its values are needed at once.
    Returns:
        Tensor of shape ``(n, rank)``, int64.
    Raises:
        TypeError: if ``input`` is not a Tensor.
    Example:
        >>> ops.argwhere(Tensor([0, 3])).tolist()
        [[1]]
    Source: mindspore.ops.NonZero
    """
    return _to_constant(np.argwhere(input._values_()).astype(np.int64))


@composite(method="nonzero")
def nonzero(input: Array, *, as_tuple: Bool = False):
    """The indices of the nonzero elements.

    Args:
        input (Tensor): any shape and dtype. Its values are needed at once.
        as_tuple (bool): whether to return one Tensor for each axis. Default: ``False``.
    Returns:
        Tensor of shape ``(n, rank)``, int64, or a tuple of Tensors of shape ``(n,)``.
    Raises:
        TypeError: if ``input`` is not a Tensor.
    Example:
        >>> ops.nonzero(Tensor([[1, 0], [0, 2]])).tolist()
        [[0, 0], [1, 1]]
    Source: mindspore.ops.nonzero, mindspore.ops.NonZero, mindspore.Tensor.nonzero
    """
    if as_tuple:
        values = np.atleast_1d(input._values_())
        return tuple([_to_constant(indices.astype(np.int64)) for indices in np.nonzero(values)])
    return _nonzero(input)


face(_nonzero, "argwhere(input)")
method("argwhere", (_nonzero, "()"))


def _different(input):
    values = input._values_()
    elements, first, inverse = distinct(values)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64 if values.dtype == np.int64 else np.int32)
    rank[order] = np.arange(len(order))
    return _to_constant(elements[order]), _to_constant(rank[inverse].reshape(values.shape))


@composite("Unique", name="_unique")
def _unique(input: Array):
    """Unique elements of a vector in the order of their first occurrence, and the index of each element among them.

    Args:
        input (Tensor): shape ``(m,)``, any dtype. Its values are needed at once.
    Returns:
        tuple of two Tensors: of shape ``(n,)``, and of the shape of ``input``, int64 for int64, else int32.
    Raises:
        TypeError: if ``input`` is not a Tensor.  RuntimeError: if it is not a vector.
    Example:
        >>> [each.tolist() for each in ops.Unique()(Tensor([3, 1, 3]))]
        [[3, 1], [0, 1, 0]]
    Source: mindspore.ops.Unique
    """
    if len(input.aval[0]) != 1:
        check.refuse(RuntimeError, "Unique", "input", "a vector", input, "For any rank, use ops.unique(x).")
    return _different(input)


@composite()
def unique(input: Array):
    """Unique elements in the order of their first occurrence, and the index of each element among them.

    Args:
        input (Tensor): any shape and dtype. Its values are needed at once.
    Returns:
        tuple of two Tensors: of shape ``(n,)``, and of the shape of ``input``, int64 for int64, else int32.
    Raises:
        TypeError: if ``input`` is not a Tensor.
    Example:
        >>> [each.tolist() for each in ops.unique(Tensor([3, 1, 3]))]
        [[3, 1], [0, 1, 0]]
    Source: mindspore.ops.unique
    """
    return _different(input)


@composite(method="unique", name="_sorted_unique")
def _sorted_unique(
    self: Array, sorted: Bool = True, return_inverse: Bool = False, return_counts: Bool = False, dim: Axis | None = None
):
    """Unique elements, or slices along an axis, in ascending order.

    Args:
        sorted (bool): without effect: they are always sorted. Default: ``True``.
        return_inverse (bool): whether to return where each element is among them. Default: ``False``.
        return_counts (bool): whether to return the count of each. Default: ``False``.
        dim (int | None): the axis; None: the flattened order. Default: None.
    Returns:
        Tensor, or a tuple of it and the requested Tensors, int64. The values are needed at once.
    Example:
        >>> Tensor([3, 1, 3]).unique().tolist()
        [1, 3]
    Source: mindspore.Tensor.unique
    """
    values = self._values_()
    if dim is None:
        elements, _, inverse = distinct(values)
        inverse = inverse.reshape(values.shape)
    else:
        axis, _ = check.axis_and_length(dim, values.shape, "dim", "UniqueDim")
        elements, inverse = np.unique(values, return_inverse=True, axis=axis)
        inverse = inverse.reshape(-1)
    results = [_to_constant(elements)]
    if return_inverse:
        results.append(_to_constant(inverse))
    if return_counts:
        results.append(_to_constant(np.bincount(inverse.reshape(-1))))
    return results[0] if len(results) == 1 else tuple(results)


@composite("UniqueWithPad", method="unique_with_pad")
def unique_with_pad(x: Array, pad_num):
    """Unique elements in the order of their first occurrence, padded to the length of the input.

    Args:
        x (Tensor): shape ``(n,)``, any dtype. Its values are needed at once.
        pad_num (Number | Tensor): what to fill up with; of a vector the first element.
    Returns:
        tuple of two Tensors of shape ``(n,)``: as for `unique`.
    Raises:
        TypeError: if ``x`` is not a Tensor, or ``pad_num`` not of its kind.  ValueError: if it is not a vector, its
            dtype cannot hold ``pad_num``, or that has no elements.
    Example:
        >>> [each.tolist() for each in ops.unique_with_pad(Tensor([3, 1, 3]), 0)]
        [[3, 1, 0], [0, 1, 0]]
    Source: mindspore.ops.unique_with_pad, mindspore.ops.UniqueWithPad, mindspore.Tensor.unique_with_pad
    """
    if len(x.aval[0]) != 1:
        check.refuse(ValueError, "UniqueWithPad", "x", "a vector", x)
    elements, inverse = _different(x)
    values, pads = elements._values_(), np.ravel(concrete(pad_num))
    if not pads.size:
        check.refuse(ValueError, "UniqueWithPad", "pad_num", "a number, or a Tensor of at least one", pad_num)
    pad_num = pads[0].item()
    if values.dtype.kind in "iu" and isinstance(pad_num, float):
        check.refuse(TypeError, "UniqueWithPad", "pad_num", f"an int, as 'x' is of {values.dtype.name}", pad_num)
    if values.dtype.kind in "iu" and not np.iinfo(values.dtype).min <= pad_num <= np.iinfo(values.dtype).max:
        check.refuse(ValueError, "UniqueWithPad", "pad_num", f"a number that {values.dtype.name} holds", pad_num)
    padding = np.full(inverse.aval[0][0] - len(values), pad_num, values.dtype)
    return _to_constant(np.concatenate([values, padding])), inverse


def _runs(input, dim):
    """The first element, or slice along ``dim``, of each run of equal ones; the run of each; the runs' lengths."""
    values = input._values_()
    if dim is not None:
        dim, _ = check.axis_and_length(dim, values.shape, "dim", "UniqueConsecutive")
    size = 1 if dim is None else values.size // max(values.shape[dim], 1)
    rows = (values if dim is None else np.moveaxis(values, dim, 0)).reshape(
        -1 if dim is None else values.shape[dim], size
    )
    is_new = np.concatenate([[True] * bool(len(rows)), (rows[1:] != rows[:-1]).any(1)])
    starts = np.flatnonzero(is_new)
    firsts = values.reshape(-1)[starts] if dim is None else np.take(values, starts, dim)
    run = np.cumsum(is_new, dtype=np.int64) - 1
    return firsts, run.reshape(values.shape) if dim is None else run, np.diff(np.append(starts, len(rows)))


@composite("UniqueConsecutive(return_inverse=False, return_counts=False, dim=None)", name="_unique_consecutive")
def _unique_consecutive(
    input: Array, return_inverse: Bool = False, return_counts: Bool = False, dim: Axis | None = None
):
    """Removes consecutive duplicates of elements, or of slices along an axis.

    Args:
        input (Tensor): any shape and dtype. Its values are needed at once.
        return_inverse (bool): whether to return where each element is among them. Default: ``False``.
        return_counts (bool): whether to return the count of each. Default: ``False``.
        dim (int | None): the axis; None: the flattened order. Default: None.
    Returns:
        tuple of three Tensors; one that is not requested is 0.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> [each.tolist() for each in ops.UniqueConsecutive()(Tensor([1, 1, 2, 1]))]
        [[1, 2, 1], 0, 0]
    Source: mindspore.ops.UniqueConsecutive
    """
    firsts, run, counts = _runs(input, dim)
    nothing = np.int64(0)
    return (
        _to_constant(firsts),
        _to_constant(run if return_inverse else nothing),
        _to_constant(counts if return_counts else nothing),
    )


@composite(method="unique_consecutive")
def unique_consecutive(
    input: Array, return_inverse: Bool = False, return_counts: Bool = False, dim: Axis | None = None
):
    """Removes consecutive duplicates of elements, or of slices along an axis.

    Args:
        input (Tensor): any shape and dtype. Its values are needed at once.
        return_inverse (bool): whether to return where each element is among them. Default: ``False``.
        return_counts (bool): whether to return the count of each. Default: ``False``.
        dim (int | None): the axis; None: the flattened order. Default: None.
    Returns:
        Tensor, or a tuple of it and the requested Tensors, int64.
    Raises:
        TypeError: if ``input`` is not a Tensor.
    Example:
        >>> ops.unique_consecutive(Tensor([1, 1, 2, 1])).tolist()
        [1, 2, 1]
    Source: mindspore.ops.unique_consecutive, mindspore.Tensor.unique_consecutive
    """
    firsts, run, counts = _runs(input, dim)
    if not return_inverse and not return_counts:
        return _to_constant(firsts)
    return (
        _to_constant(firsts),
        *([_to_constant(run)] if return_inverse else []),
        *([_to_constant(counts)] if return_counts else []),
    )


@op()
def _below(lengths: Array, maxlen):
    return jnp.arange(maxlen) < lengths[..., None]


@composite()
def sequence_mask(lengths: TensorOf("int32", "int64"), maxlen: PositiveInt | None = None):
    """Sequence mask: for each length ``n``, a row whose first ``n`` elements are True.

    Args:
        lengths (Tensor): any shape, int32 or int64.
        maxlen (int | None): the length of the rows. Default: None, the largest length, whose value is needed at once.
    Returns:
        Tensor of shape ``(*lengths.shape, maxlen)``, bool.
    Raises:
        TypeError: if ``lengths`` is not a Tensor of int32 or int64.
        ValueError: if ``maxlen`` is not positive, or there is no length whose maximum it could be.
    Example:
        >>> ops.sequence_mask(Tensor([1, 2])).tolist()
        [[True, False], [True, True]]
    Source: mindspore.ops.sequence_mask
    """
    if maxlen is None:
        if not lengths.size:
            check.refuse(ValueError, "sequence_mask", "maxlen", "given with no lengths", maxlen)
        maxlen = int(lengths._values_().max())
        if maxlen < 0:
            check.refuse(ValueError, "sequence_mask", "lengths", "from 0 on", maxlen)
    return _below(lengths, maxlen)
