"""Max unpooling: puts pooled elements back at their indices."""

import math

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Array, Ints
from ..._contracts.kinds import Static
from .._core.define import op
from .._core.families import body
from ..index.gathering import check_within
from .pooling import check_rank


def _unpooled(owner, x, indices, rank, kernel, strides, pads, sizes):
    check_rank(owner, x, rank + 1, rank + 2)
    check.same_shape(indices, x, "indices", "x", owner)
    strides = strides or kernel
    lengths = [(n - 1) * s - 2 * p + k for n, s, p, k in zip(x.shape[-rank:], strides, pads, kernel, strict=True)]
    if sizes:
        output_lengths = sizes[-rank:]
        if any(abs(got - n) > s for got, n, s in zip(output_lengths, lengths, strides, strict=True)):
            check.refuse(ValueError, owner, "output_size", f"within a stride of {tuple(lengths)}", tuple(sizes))
        lengths = output_lengths
    lead = x.shape[:-rank]
    count = math.prod(lead)
    size = math.prod(lengths)
    rows, columns = jnp.arange(count)[:, None], indices.reshape((count, -1))
    columns = jnp.where(columns < 0, size, columns)  # past the end, where JAX drops it, rather than from the end
    placed = jnp.zeros((count, size), x.dtype).at[rows, columns].set(x.reshape((count, -1)))
    return placed.reshape((*lead, *lengths))


def _look_at(owner, shape, indices, arg_name):
    check_within(indices, 0, math.prod(shape), arg_name, owner)


_UNPOOL = """Max unpooling over {phrase}: puts the pooled maxima back at their indices, zeros elsewhere.

    Args:
        x (Tensor): the elements, shape ``{shape}``.
        indices (Tensor): their indices in these axes, flattened, int32 or int64, of the same shape.
        kernel_size (int | tuple[int]): sizes of the windows.
        stride (int | tuple[int]): their strides. Default: ``None``, ``kernel_size``.
        padding (int | tuple[int]): how much was added on both sides. Default: ``0``.
        output_size (tuple[int]): the lengths of the result, at most a stride off. Default: ``None``, the smallest ones.
    Returns:
        Tensor of the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or a shape does not fit.
            RuntimeError: if an index is known to be out of range; recorded ones place nothing.
    Example:
        >>> ops.{name}(ops.ones({ones}), ops.zeros({ones}, mindspore.int64), 2).shape
        {result}
    Source: mindspore.ops.{name}
    """


def _unpool(name, rank, phrase, shape):
    def compute(x, indices, kernel, strides, pads, sizes):
        return _unpooled(name, x, indices, rank, kernel, strides, pads, sizes)

    text = (
        f"{name}(x: Array, indices: Array, kernel_size: Lengths({rank}), stride: Lengths({rank}) | None = None, "
        f"padding: Lengths({rank}, 0) = 0, output_size: Ints | None = None)"
    )
    fields = {"phrase": phrase, "shape": shape, "ones": (1, 1, *(1,) * rank), "result": (1, 1, *(2,) * rank)}

    def look(shape, indices):
        _look_at(name, shape[-rank:], indices, "indices")

    return op(look=look)(body(text, compute, _UNPOOL, **fields))


max_unpool1d = _unpool("max_unpool1d", 1, "one axis", "(N, C, L)`` or ``(C, L)")
max_unpool2d = _unpool("max_unpool2d", 2, "two axes", "(N, C, H, W)`` or ``(C, H, W)")
max_unpool3d = _unpool("max_unpool3d", 3, "three axes", "(N, C, D, H, W)`` or ``(C, D, H, W)")


def _stride(count):
    """`Lengths`, where 0 means those of the windows: None."""
    lengths = Lengths(count, 0)

    def take(value, arg_name, owner):
        strides = lengths.take(value, arg_name, owner)
        return strides if any(strides) else None

    return Static(take, int, tuple, list)


def _look_at_planes(shape, argmax, data_format):
    _look_at("MaxUnpool2D", shape[-2:] if data_format == "NCHW" else shape[1:3], argmax, "argmax")


@op(
    "MaxUnpool2D(ksize, strides=0, pads=0, output_shape: Tuple()=(), data_format='NCHW')",
    name="_max_unpool2d",
    look=_look_at_planes,
)
def _max_unpool2d(
    x: Array,
    argmax: Array,
    ksize: Lengths(2),
    strides: _stride(2) = 0,
    pads: Lengths(2, 0) = 0,
    output_shape: Ints = (),
    data_format: OneOf("NCHW", "NHWC") = "NCHW",
):
    """Max unpooling over two axes: puts the pooled maxima back at their indices, zeros elsewhere.

    Args:
        x (Tensor): the elements, shape ``(N, C, H, W)``, or ``(N, H, W, C)`` for ``'NHWC'``.
        argmax (Tensor): their indices in the flattened ``(H, W)``, int32 or int64, of the same shape.
        ksize (int | tuple[int]): height and width of the windows.
        strides (int | tuple[int]): their steps. Default: ``0``, ``ksize``.
        pads (int | tuple[int]): how much was added on both sides. Default: ``0``.
        output_shape (tuple[int]): of the result. Default: ``()``, the smallest one.
        data_format (str): ``'NCHW'`` or ``'NHWC'``. Default: ``'NCHW'``.
    Returns:
        Tensor of the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or a shape does not fit.
            RuntimeError: if an index is known to be out of range; recorded ones place nothing.
    Example:
        >>> ops.MaxUnpool2D(2)(Tensor([[[[5.0]]]]), Tensor([[[[2]]]])).tolist()
        [[[[0.0, 0.0], [5.0, 0.0]]]]
    Source: mindspore.ops.MaxUnpool2D
    """
    if data_format == "NCHW":
        return _unpooled("MaxUnpool2D", x, argmax, 2, ksize, strides, pads, output_shape)
    x, argmax = jnp.moveaxis(x, -1, 1), jnp.moveaxis(argmax, -1, 1)
    return jnp.moveaxis(_unpooled("MaxUnpool2D", x, argmax, 2, ksize, strides, pads, output_shape[:3]), 1, -1)


def _look_at_volumes(shape, argmax):
    _look_at("MaxUnpool3D", shape[-3:], argmax, "argmax")


@op(
    "MaxUnpool3D(ksize, strides=0, pads=0, output_shape: Tuple()=(), data_format='NCDHW')",
    name="_max_unpool3d",
    look=_look_at_volumes,
)
def _max_unpool3d(
    x: Array,
    argmax: Array,
    ksize: Lengths(3),
    strides: _stride(3) = 0,
    pads: Lengths(3, 0) = 0,
    output_shape: Ints = (),
    data_format: OneOf("NCDHW") = "NCDHW",
):
    """Max unpooling over three axes: puts the pooled maxima back at their indices, zeros elsewhere.

    Args:
        x (Tensor): the elements, shape ``(N, C, D, H, W)``.
        argmax (Tensor): their indices in the flattened ``(D, H, W)``, int32 or int64, of the same shape.
        ksize (int | tuple[int]): sizes of the windows.
        strides (int | tuple[int]): their steps. Default: ``0``, ``ksize``.
        pads (int | tuple[int]): how much was added on both sides. Default: ``0``.
        output_shape (tuple[int]): of the result. Default: ``()``, the smallest one.
        data_format (str): must be ``'NCDHW'``, the default.
    Returns:
        Tensor of the dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or a shape does not fit.
            RuntimeError: if an index is known to be out of range; recorded ones place nothing.
    Example:
        >>> ops.MaxUnpool3D(1)(Tensor([[[[[5.0]]]]]), Tensor([[[[[0]]]]])).tolist()
        [[[[[5.0]]]]]
    Source: mindspore.ops.MaxUnpool3D
    """
    return _unpooled("MaxUnpool3D", x, argmax, 3, ksize, strides, pads, output_shape)
