"""Glimpses (windows at given positions), and scaling and translation of images."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Word
from ..._contracts.contracts import Array, Bool, Ints, Shape
from .._core.define import composite, op
from ..random import kernels


@op(name="_glimpses")
def _glimpses(x: Array, size: Ints, offsets: Array, centered: Bool, normalized: Bool, noise: Array):
    if x.ndim != 4 or offsets.shape != (x.shape[0], 2) or len(size) != 2 or min(size) < 1:
        expected = "of shape (N, H, W, C), with 'offsets' of shape (N, 2) and two 'size's above 0"
        check.refuse(ValueError, "ExtractGlimpse", "x", expected, (x.shape, offsets.shape, size))
    lengths, extent = np.array(x.shape[1:3]), np.array(size)
    centers = offsets * lengths if normalized else offsets
    centers = (centers + lengths) / 2 if centered else centers
    starts = jnp.trunc(centers - extent / 2).astype(jnp.int32)

    def one(image, start, noise):
        rows, columns = (start[k] + jnp.arange(size[k]) for k in (0, 1))
        within = [(each >= 0) & (each < length) for each, length in zip((rows, columns), lengths, strict=True)]
        window = image[jnp.clip(rows, 0, lengths[0] - 1)][:, jnp.clip(columns, 0, lengths[1] - 1)]
        return jnp.where((within[0][:, None] & within[1])[..., None], window, noise)

    return jax.vmap(one)(x, starts, noise)


@composite(
    "ExtractGlimpse(centered=True, normalized=True, uniform_noise=True, noise='uniform')(x, size, offsets)",
    name="_extract_glimpse",
)
def _extract_glimpse(
    x: Array,
    size: Shape,
    offsets: Array,
    centered: Bool = True,
    normalized: Bool = True,
    uniform_noise: Bool = True,
    noise: Word("uniform", "gaussian", "zero") = "uniform",
):
    """Extracts windows of images, padded with noise beyond the edges.

    Args:
        x (Tensor): shape ``(N, H, W, C)``, float32.
        size (Tensor | tuple[int]): height and width of the windows.
        offsets (Tensor): shape ``(N, 2)``: the centre of each window, down and across.
        centered (bool): whether offsets count from the centre in steps of half, rather than from the upper left
            corner. Default: ``True``.
        normalized (bool): whether offsets count in heights and widths, rather than in pixels. Default: ``True``.
        uniform_noise (bool): whether noise is uniform: from -1 to 1. Default: ``True``.
        noise (str): 'uniform', 'zero', or 'gaussian', of mean 0 and deviation 1 (those of MindSpore 2.10 vary); must be
            'uniform' if ``uniform_noise``. Default: ``'uniform'``.
    Returns:
        Tensor of shape ``(N, *size, C)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or shapes do not fit.
    Example:
        >>> image = ops.arange(4.0).reshape(1, 2, 2, 1)
        >>> glimpse = ops.ExtractGlimpse(False, False, False, "zero")
        >>> glimpse(image, (2, 2), Tensor([[1.0, 2.0]]))[0, :, :, 0].tolist()
        [[1.0, 0.0], [3.0, 0.0]]
    Source: mindspore.ops.ExtractGlimpse
    """
    if uniform_noise and noise != "uniform":
        check.refuse(ValueError, "ExtractGlimpse", "noise", "'uniform' where 'uniform_noise' is True", noise)
    shape, dtype = (x.shape[0], *size, *x.shape[3:]), x.dtype.numpy
    if noise == "uniform":
        drawn = kernels.uniform(kernels.draw(), shape, dtype) * 2 - 1
    elif noise == "gaussian":
        drawn = kernels.normal(kernels.draw(), shape, dtype)
    else:
        drawn = x[:, :1, :1] * 0
    return _glimpses(x, size, offsets, centered, normalized, drawn)


def _lanczos(radius):
    return lambda x: jnp.where(x < radius, jnp.sinc(x) * jnp.sinc(x / radius), 0)


def _keys(x):
    near, far = (1.5 * x - 2.5) * x**2 + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return jnp.where(x < 1, near, jnp.where(x < 2, far, 0))


def _mitchell(x):
    near, far = (7 * x - 12) * x**2 + 16 / 3, ((-7 / 3 * x + 12) * x - 20) * x + 32 / 3
    return jnp.where(x < 1, near, jnp.where(x < 2, far, 0)) / 6


_KERNELS = {
    "lanczos1": _lanczos(1),
    "lanczos3": _lanczos(3),
    "lanczos5": _lanczos(5),
    "gaussian": lambda x: jnp.where(x < 1.5, jnp.exp(-2 * x**2), 0),
    "box": lambda x: jnp.where(x < 0.5, 1, jnp.where(x == 0.5, 0.5, 0)),
    "triangle": lambda x: jnp.maximum(1 - x, 0),
    "keyscubic": _keys,
    "mitchellcubic": _mitchell,
}


def _shares(length, count, scale, translation, kernel, antialias):
    """The weights of ``length`` input pixels in each of ``count`` output pixels."""
    coordinates = (jnp.arange(count) + 0.5 - translation) / scale - 0.5
    width = jnp.maximum(1 / scale, 1) if antialias else 1
    shares = kernel(jnp.abs(coordinates[:, None] - jnp.arange(length)) / width)
    total = shares.sum(1, keepdims=True)
    within = (coordinates >= -0.5) & (coordinates <= length - 0.5)
    shares = jnp.where(within[:, None] & (total != 0), shares / jnp.where(total == 0, 1, total), 0)
    return shares.astype(jnp.float32)


@op("ScaleAndTranslate(kernel_type='lanczos3', antialias=True)(images, size, scale, translation)")
def _scale_and_translate(
    images: Array,
    size: Ints,
    scale: Array,
    translation: Array,
    kernel_type: Word(*_KERNELS) = "lanczos3",
    antialias: Bool = True,
):
    """Scales and translates images.

    Args:
        images (Tensor): shape ``(N, H, W, C)``.
        size (Tensor | tuple[int]): height and width of the window.
        scale (Tensor): shape ``(2,)``: the factors of height and width.
        translation (Tensor): shape ``(2,)``: how many new pixels down and across.
        kernel_type (str): what a new pixel takes of the old ones near it: 'lanczos1', 'lanczos3', 'lanczos5',
            'gaussian', 'box', 'triangle', 'keyscubic' or 'mitchellcubic'. Default: ``'lanczos3'``.
        antialias (bool): whether it takes of more of them where the image shrinks. Default: ``True``.
    Returns:
        Tensor of shape ``(N, *size, C)``, float32; 0 beyond the image.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or shapes do not fit.
    Example:
        >>> image, two = Tensor([[[[1.0], [2.0]]]]), Tensor([2.0, 2.0])
        >>> ops.ScaleAndTranslate("box")(image, (1, 4), two, Tensor([0.0, 0.0]))[0, 0, :, 0].tolist()
        [1.0, 1.0, 2.0, 2.0]
    Source: mindspore.ops.ScaleAndTranslate
    """
    if images.ndim != 4 or len(size) != 2 or scale.shape != (2,) or translation.shape != (2,):
        expected = "of shape (N, H, W, C), with two lengths, two scales and two translations"
        check.refuse(ValueError, "ScaleAndTranslate", "images", expected, images.shape)
    check.dtype(images, "iuf", "images", "ScaleAndTranslate")
    rows, columns = (
        _shares(images.shape[1 + k], size[k], scale[k], translation[k], _KERNELS[kernel_type], antialias)
        for k in (0, 1)
    )
    return jnp.einsum("nhwc,ph,qw->npqc", images.astype(jnp.float32), rows, columns)
