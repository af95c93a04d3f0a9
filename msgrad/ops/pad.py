"""Padding."""

import jax.numpy as jnp

from ..engine.handle import Handle
from . import check
from .array import int_tuple
from .cast import convert, exact
from .contracts import Array, concrete
from .define import composite, op

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "edge": "edge", "circular": "wrap"}


@op()
def _padded(input_x: Array, value: Array | None, widths, mode):
    """``input_x`` padded by pairs of ``widths``, one for each axis; negative ones cut off."""
    kept = tuple([slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(widths, input_x.shape, strict=True)])
    widths = [(max(a, 0), max(b, 0)) for a, b in widths]
    if mode != "constant":
        return jnp.pad(input_x[kept], widths, mode)
    value = 0 if value is None else convert(value, input_x.dtype)
    return jnp.pad(input_x[kept], widths, constant_values=value)


@composite()
def pad(input_x, padding, mode="constant", value=None):
    """Adds elements at both ends of the last axes.

    Args:
        input_x (Tensor): any shape and dtype.
        padding (tuple[int] | list[int] | Tensor): ``(left, right)`` of the last axis, then of the one before, and so
            on. Negative widths cut off.
        mode (str): ``'constant'``; ``'reflect'`` mirrors at the last element; ``'replicate'`` repeats it;
            ``'circular'`` goes on at the other end. Default: ``'constant'``.
        value (bool | int | float | None): the constant. Default: None, which is 0.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if the number of widths is odd or too large, for another ``mode``, or a ``value`` it does not take.
    Example:
        >>> ops.pad(Tensor([[1.0, 2.0]]), (1, 2)).tolist()
        [[0.0, 1.0, 2.0, 0.0, 0.0]]
    Source: mindspore.ops.pad
    """
    return _pad(input_x, padding, mode, value, "pad")


def _pad(input_x, padding, mode, value, name):
    if not isinstance(input_x, Handle):
        raise TypeError(f"For '{name}', the 'input_x' must be a Tensor, but got {type(input_x).__name__}.")
    padding = int_tuple(concrete(padding), "padding", name)
    rank = len(input_x.aval[0])
    if len(padding) % 2:
        raise ValueError(f"For '{name}', the size of padding must be divisible by 2, but got {len(padding)}")
    if len(padding) > 2 * rank:
        raise ValueError(f"For '{name}', there must be at most {2 * rank} widths, but got {len(padding)}.")
    check.one_of(mode, tuple(_MODES), "mode", name)
    if value is not None and mode != "constant":
        raise ValueError(f"For '{name}', the padding mode '{mode}' can not set value, but got value {value}.")
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    widths = ((0, 0),) * (rank - len(pairs)) + tuple(pairs[::-1])
    if mode == "reflect":
        for (before, after), length in zip(widths, input_x.aval[0], strict=True):
            if max(before, after) >= max(length, 1):
                raise ValueError(
                    f"For '{name}', the widths of mode 'reflect' must be less than the lengths {input_x.aval[0]}, but "
                    f"got {padding}."
                )
    return _padded(input_x, None if value is None else exact(value, name), widths, _MODES[mode])


@composite("Pad(paddings)", name="_pad_by_pairs")
def _pad_by_pairs(input_x, paddings):
    """Adds zeros at both ends of every axis.

    Args:
        input_x (Tensor): any shape and dtype.
        paddings (tuple[tuple[int]]): ``(before, after)`` for each axis.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``paddings`` is no tuple.  ValueError: if there is not one pair for each axis.
    Example:
        >>> ops.Pad(((1, 0),))(Tensor([1.0, 2.0])).tolist()
        [0.0, 1.0, 2.0]
    Source: mindspore.ops.Pad
    """
    if not isinstance(paddings, tuple):
        raise TypeError(f"For 'Pad', the type of 'paddings' must be tuple, but got {type(paddings).__name__}.")
    pairs = tuple([int_tuple(pair, "paddings", "Pad") for pair in paddings])
    if len(pairs) != len(input_x.aval[0]) or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"For 'Pad', 'paddings' must hold a pair for each of {len(input_x.aval[0])} axes: {paddings}.")
    return _padded(input_x, None, pairs, "constant")


@composite("PadV3(mode='constant', paddings_contiguous=True)", name="_pad_v3")
def _pad_v3(x, paddings, constant_values=None, mode="constant", paddings_contiguous=True):
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
    if not check.boolean(paddings_contiguous, "paddings_contiguous", "PadV3"):
        half = len(paddings) // 2
        paddings = tuple([width for pair in zip(paddings[:half], paddings[half:], strict=True) for width in pair])
    return _pad(x, paddings, mode, constant_values, "PadV3")
