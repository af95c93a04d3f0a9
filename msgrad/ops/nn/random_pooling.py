"""Fractional max pooling with windows determined by random samples."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Array
from .._core.define import composite, op
from .._core.families import body
from ..random.kernels import draw
from .pooling import check_rank, window_maxima


def _random_windows(length, kernel, count, sample):
    """Windows that split an axis at positions determined by one number in [0, 1)."""
    step = (length - kernel) / max(count - 1, 1)
    starts = jnp.floor((jnp.arange(count) + sample) * step) - jnp.floor(sample * step)
    starts = jnp.where(jnp.arange(count) == count - 1, length - kernel, starts).astype(jnp.int32)
    indices = starts[:, None] + jnp.arange(kernel)
    return indices, jnp.ones_like(indices, bool)


def _fractional(owner, x, samples, kernel, sizes, dtype):
    rank = len(kernel)
    check_rank(owner, x, rank + 2)
    lengths = x.shape[2:]
    if any(size + k - 1 > n for n, k, size in zip(lengths, kernel, sizes, strict=True)):
        check.refuse(ValueError, owner, "output_size", f"for windows {kernel} within {lengths}", tuple(sizes))

    def one(channel, sample):
        # Of two axes, MindSpore's first sample is that of the last one.
        rows = zip(lengths, kernel, sizes, sample[::-1] if rank == 2 else sample, strict=True)
        return window_maxima(channel, [_random_windows(*row) for row in rows], dtype)

    return jax.vmap(jax.vmap(one))(x, samples)


@op("FractionalMaxPoolWithFixedKsize(ksize, output_shape, data_format='NCHW')", name="_fractional_max_pool2d")
def _fractional_max_pool2d(
    input_x: Array,
    random_samples: Array,
    ksize: Lengths(2),
    output_shape: Lengths(2),
    data_format: OneOf("NCHW") = "NCHW",
):
    """Fractional max pooling over two axes, with indices into the flattened axes.

    Args:
        input_x (Tensor): shape ``(N, C, H, W)``, a float dtype.
        random_samples (Tensor): numbers from 0 to 1, shape ``(N, C, 2)``: which windows.
        ksize (int | tuple[int]): height and width of the windows.
        output_shape (int | tuple[int]): the number of windows along each axis.
        data_format (str): must be ``'NCHW'``, the default.
    Returns:
        tuple of two Tensors: the elements, and their indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, there are other axes, or
            the windows do not fit in.
    Example:
        >>> pool = ops.FractionalMaxPoolWithFixedKsize(2, 3)
        >>> pool(ops.ones((1, 1, 6, 6)), ops.zeros((1, 1, 2)))[0].shape
        (1, 1, 3, 3)
    Source: mindspore.ops.FractionalMaxPoolWithFixedKsize
    """
    return _fractional("FractionalMaxPoolWithFixedKsize", input_x, random_samples, ksize, output_shape, jnp.int64)


@op(
    "FractionalMaxPool3DWithFixedKsize(ksize, output_shape, data_format='NCDHW')",
    name="_fractional_max_pool3d",
)
def _fractional_max_pool3d(
    input_x: Array,
    random_samples: Array,
    ksize: Lengths(3),
    output_shape: Lengths(3),
    data_format: OneOf("NCDHW") = "NCDHW",
):
    """Fractional max pooling over three axes, with indices into the flattened axes.

    Args:
        input_x (Tensor): shape ``(N, C, D, H, W)``, a float dtype.
        random_samples (Tensor): numbers from 0 to 1, shape ``(N, C, 3)``: which windows.
        ksize (int | tuple[int]): sizes of the windows.
        output_shape (int | tuple[int]): the number of windows along each axis.
        data_format (str): must be ``'NCDHW'``, the default.
    Returns:
        tuple of two Tensors: the elements, and their indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, there are other axes, or
            the windows do not fit in.
    Example:
        >>> pool = ops.FractionalMaxPool3DWithFixedKsize(2, 3)
        >>> pool(ops.ones((1, 1, 6, 6, 6)), ops.zeros((1, 1, 3)))[0].shape
        (1, 1, 3, 3, 3)
    Source: mindspore.ops.FractionalMaxPool3DWithFixedKsize
    """
    return _fractional("FractionalMaxPool3DWithFixedKsize", input_x, random_samples, ksize, output_shape, jnp.int64)


@op(name="_samples")
def _samples(key: Array, shape):
    return jax.random.uniform(jax.random.wrap_key_data(key), shape, jnp.float32)


def _functional(owner, pool, input, kernel, sizes, ratios, return_indices, samples):
    rank = len(kernel)
    check_rank(owner, input, rank + 1, rank + 2)
    if (sizes is None) == (ratios is None):
        check.refuse(ValueError, owner, "output_size", "given, or 'output_ratio', and not both", (sizes, ratios))
    if sizes is None:
        ratios = ratios if isinstance(ratios, (tuple, list)) else (ratios,) * rank
        sizes = tuple([int(n * ratio) for n, ratio in zip(input.shape[-rank:], ratios, strict=True)])
    x = input if input.ndim == rank + 2 else input.reshape((1, *input.shape))
    if samples is None:
        samples = _samples(draw(), (*x.shape[:2], rank))
    pooled = [y.reshape((*input.shape[:-rank], *y.shape[2:])) for y in pool(x, samples, kernel, sizes)]
    return tuple(pooled) if return_indices else pooled[0]


_FUNCTION = """Fractional max pooling over {axes} axes: the maximum of each window, at random positions.

    Args:
        input (Tensor): shape ``(N, {shape})`` or ``({shape})``, a float dtype.
        kernel_size (int | tuple[int]): sizes of the windows.
        output_size (int | tuple[int]): the number of windows along each axis. Default: ``None``.
        output_ratio (float | tuple[float]): or their number by the length of the axis. Default: ``None``.
        return_indices (bool): whether the indices in the flattened axes are returned, too. Default: ``False``.
        _random_samples (Tensor): numbers from 0 to 1, ``(N, C, {rank})``: which windows. Default: ``None``, drawn.
    Returns:
        Tensor, or tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, there are other axes, or
            the windows do not fit in.
    Example:
        >>> ops.{name}(ops.ones({ones}), 2, output_ratio=0.5).shape
        {result}
    Source: mindspore.ops.{name}
    """


def _function(name, rank, pool, axes, shape):
    """Defines the function ``name`` over ``rank`` axes."""
    text = (
        f"{name}(input: Array, kernel_size: Lengths({rank}), output_size: Lengths({rank}) | None = None, "
        "output_ratio=None, return_indices: Bool = False, _random_samples: Array | None = None)"
    )
    fields = {"axes": axes, "shape": shape, "rank": rank, "ones": (1, 1) + (6,) * rank, "result": (1, 1) + (3,) * rank}
    return composite()(body(text, lambda *arguments: _functional(name, pool, *arguments), _FUNCTION, **fields))


fractional_max_pool2d = _function("fractional_max_pool2d", 2, _fractional_max_pool2d, "two", "C, H, W")
fractional_max_pool3d = _function("fractional_max_pool3d", 3, _fractional_max_pool3d, "three", "C, D, H, W")
