"""Padding."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Instance, OneOf
from ..._contracts.contracts import Array, Bool, PositiveInt
from ..._contracts.kinds import concrete
from ...tensor.c_casts import convert
from .._core.calls.operands import exact
from .._core.define import composite, op

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "edge": "edge", "circular": "wrap"}


@op()
def _padded(input_x: Array, value: Array | None, widths, mode):
    """``input_x`` padded by pairs of ``widths``, one for each axis; negative ones crop."""
    crop = tuple([slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(widths, input_x.shape, strict=True)])
    widths = [(max(a, 0), max(b, 0)) for a, b in widths]
    if mode != "constant":
        return jnp.pad(input_x[crop], widths, mode)
    value = 0 if value is None else convert(value, input_x.dtype)
    return jnp.pad(input_x[crop], widths, constant_values=value)


@composite()
def pad(input_x: Array, padding, mode="constant", value=None):
    """Padding at both ends of the last axes.

    Args:
        input_x (Tensor): any shape and dtype.
        padding (tuple[int] | list[int] | Tensor): ``(left, right)`` of the last axis, then of the one before, and so
            on. Negative widths crop, but not everything.
        mode (str): ``'constant'``; ``'reflect'`` mirrors without the edge; ``'replicate'`` repeats the edge;
            ``'circular'`` wraps around. Default: ``'constant'``.
        value (bool | int | float | None): the constant. Default: None, which is 0.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if the number of widths is odd or too large, if an axis would become empty, for another ``mode``,
            or a ``value`` that the mode does not accept.
    Example:
        >>> ops.pad(Tensor([[1.0, 2.0]]), (1, 2)).tolist()
        [[0.0, 1.0, 2.0, 0.0, 0.0]]
    Source: mindspore.ops.pad
    """
    return _pad(input_x, padding, mode, value, "pad")


def _pad(input_x, padding, mode, value, name):
    padding, shape = check.sequence(concrete(padding), "padding", name), input_x.aval[0]
    if len(padding) % 2 or len(padding) > 2 * len(shape):
        check.refuse(ValueError, name, "padding", f"pairs of widths, at most {len(shape)}", padding)
    check.one_of(mode, tuple(_MODES), "mode", name)
    if value is not None and mode != "constant":
        check.refuse(ValueError, name, "value", f"None for the mode {mode!r}", value)
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    widths = ((0, 0),) * (len(shape) - len(pairs)) + tuple(pairs[::-1])
    for pair, length in zip(widths, shape, strict=True):
        if min(pair) < -length or (min(pair) < 0 and length + pair[0] + pair[1] <= 0):
            check.refuse(ValueError, name, "padding", f"widths that leave at least one element of {shape}", padding)
    if mode == "reflect" and any(max(pair) >= max(length, 1) for pair, length in zip(widths, shape, strict=True)):
        check.refuse(ValueError, name, "padding", f"less than the lengths {shape} for the mode 'reflect'", padding)
    if not pairs:
        return input_x
    return _padded(input_x, None if value is None else exact(value, name), widths, _MODES[mode])


def _pairs(paddings, input_x, name):
    """``paddings`` (a tuple) as a pair of ints for each axis."""
    if not isinstance(paddings, tuple):
        check.refuse(TypeError, name, "paddings", "a tuple of pairs", paddings)
    pairs = tuple([check.ints(pair, "paddings", name) for pair in paddings])
    rank = len(input_x.aval[0])
    if len(pairs) != rank or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        check.refuse(ValueError, name, "paddings", f"a pair of non-negative ints for each of {rank} axes", paddings)
    return pairs


@composite("Pad(paddings)", name="_pad_by_pairs")
def _pad_by_pairs(input_x: Array, paddings: Instance(tuple)):
    """Zero padding at both ends of every axis.

    Args:
        input_x (Tensor): any shape and dtype.
        paddings (tuple[tuple[int]]): ``(before, after)`` for each axis.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``paddings`` is not a tuple.  ValueError: if there is not one pair for each axis.
    Example:
        >>> ops.Pad(((1, 0),))(Tensor([1.0, 2.0])).tolist()
        [0.0, 1.0, 2.0]
    Source: mindspore.ops.Pad
    """
    return _padded(input_x, None, _pairs(paddings, input_x, "Pad"), "constant")


@composite("MirrorPad(mode='REFLECT')", name="mirror_pad")
def mirror_pad(input_x: Array, paddings, mode: OneOf("REFLECT", "SYMMETRIC")):
    """Mirror padding at both ends of every axis.

    Args:
        input_x (Tensor): any shape and dtype.
        paddings (Tensor): int, shape ``(rank, 2)``: the widths before and after each axis.
        mode (str): ``'REFLECT'`` mirrors without repeating the edge, ``'SYMMETRIC'`` repeats it.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if there is not one pair for each axis, one is too long, or for another ``mode``.
    Example:
        >>> ops.mirror_pad(Tensor([1, 2, 3]), Tensor([[2, 1]]), "SYMMETRIC").tolist()
        [2, 1, 1, 2, 3, 3]
    Source: mindspore.ops.mirror_pad, mindspore.ops.MirrorPad
    """
    pairs = _pairs(tuple(concrete(paddings)), input_x, "MirrorPad")
    shape, short = input_x.aval[0], mode == "REFLECT"
    if any(min(pair) < 0 or max(pair) > length - short for pair, length in zip(pairs, shape, strict=True)):
        check.refuse(ValueError, "MirrorPad", "paddings", f"at most the lengths {shape}", pairs)
    return _padded(input_x, None, pairs, mode.lower())


@op("Padding(pad_dim_size=8)")
def padding(x: Array, pad_dim_size: PositiveInt = 8):
    """Zero padding of the last axis, of length 1, up to a length.

    Args:
        x (Tensor): shape ``(..., 1)`` of at least two axes, any dtype.
        pad_dim_size (int): the length. Default: ``8``.
    Returns:
        Tensor of shape ``(..., pad_dim_size)``.
    Raises:
        TypeError: if ``pad_dim_size`` is not an int.  ValueError: if it is not positive, or the last axis longer.
    Example:
        >>> ops.padding(Tensor([[1], [2]]), 3).tolist()
        [[1, 0, 0], [2, 0, 0]]
    Source: mindspore.ops.padding, mindspore.ops.Padding
    """
    if check.at_least_rank(x, 2, "x", "Padding").shape[-1] != 1:
        check.refuse(ValueError, "Padding", "x", "of a last axis of length 1", x)
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)])


_Mode = OneOf("constant", "reflect", "edge", "circular")


@composite("PadV3(mode='constant', paddings_contiguous=True)", name="_pad_v3")
def _pad_v3(x: Array, paddings, constant_values=None, mode: _Mode = "constant", paddings_contiguous: Bool = True):
    """Adds elements at both ends of the last axes; see `ops.pad`.

    Args:
        x (Tensor): any shape and dtype.
        paddings (tuple[int] | Tensor): as for `ops.pad`; not contiguous: all left widths first, then all right ones.
        constant_values (Tensor | None): the constant. Default: None, which is 0.
        mode (str): ``'constant'``, ``'reflect'``, ``'edge'`` or ``'circular'``. Default: ``'constant'``.
        paddings_contiguous (bool): whether the widths come in pairs. Default: ``True``.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError, ValueError: as for `ops.pad`.
    Example:
        >>> ops.PadV3()(Tensor([1.0]), (1, 0), Tensor(3.0)).tolist()
        [3.0, 1.0]
    Source: mindspore.ops.PadV3
    """
    paddings = tuple(concrete(paddings))
    if not paddings_contiguous:
        half = len(paddings) // 2
        paddings = tuple([width for pair in zip(paddings[:half], paddings[half:], strict=True) for width in pair])
    return _pad(x, paddings, mode, constant_values, "PadV3")
