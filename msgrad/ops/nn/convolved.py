"""Convolutions of operands that have been checked, in the formulation that is fastest on the device."""

import math

import jax
import jax.numpy as jnp

from ...engine.lowering import cpu_convolutions
from ...engine.processor import multiplies_bfloat16
from .convolution_products import are_apart, by_taps, of_patches, of_windows, transposed_patches
from .depthwise import depthwise
from .grouped import in_groups
from .windowed_gradient import (
    counts_of,
    own,
    padded,
    with_windowed_gradient,
)

_MOST_SLICES = 256  # in one program, over all axes of a kernel
_LEAST_WEIGHTS = 4096  # with fewer, XLA's gradient by the input is fast enough, and compiles in a third of the time
_MOST_PARTS = 8  # groups of a convolution; each becomes a separate convolution in the program
_LEAST_CHANNELS = 8  # with 4, the weight gradient of a kernel of 9 x 1 takes 4.5 ms turned and 0.7 as it is
_MOST_KERNELS = 16  # on one channel; with 20 of 5 x 5 the forward pass takes 0.8 ms as it is, and 1.9 by rows
_MOST_TAPS = 64  # elements of a kernel; each becomes a separate product in the program


def convolved(x, weight, strides, pads, dilation, group):
    """The convolution of arrays with channels in axis 1, in the formulation that is fastest on the device.

    JAX 0.10.2, one core with AVX2 and without AMX, on a busy machine (load 9, the rows of a table in one run, or in
    two where it says before and now): processor milliseconds of the forward pass, of the gradient by the input and of
    that by the weights, each alone, for 8 images where nothing else is said, beside PyTorch 2.13:

    | 1 x 1 kernels | XLA's own | one product | one for each image | PyTorch |
    |---|---|---|---|---|
    | 64 to 256, 56 x 56 | 26 / 31 / 237 | 18 / 28 / 18 | **13 / 11 / 12** | 14 / 15 / 14 |
    | 256 to 64, 56 x 56 | 30 / 25 / 84 | 17 / 23 / 25 | **13 / 10 / 13** | 14 / 15 / 13 |
    | 128 to 512, 28 x 28 | 17 / 19 / 102 | 13 / 17 / 14 | **11 / 10 / 13** | 12 / 12 / 12 |
    | 256 to 512, to 28 x 28 by a stride of 2 | 41 / 39 / 281 | **28 / 38 / 28** | 30 / 23 / 34 | 26 / 76 / 28 |
    | 256 to 1024, 14 x 14 | 16 / 17 / 46 | **13 / 13 / 14** | 14 / 14 / 15 | 13 / 13 / 12 |
    | 2048 to 512, 7 x 7 | 20 / 15 / 31 | **14 / 12 / 14** | 18 / 48 / 38 | 16 / 23 / 11 |

    | other kernels, forward / by the input | XLA's own | PyTorch |
    |---|---|---|
    | 3 x 3, 64 to 64, 56 x 56 | 29 / 29 | 23 / 23 |
    | 3 x 3, 128 to 128, 28 x 28 | 27 / 27 | 23 / 22 |
    | 3 x 3, 128 to 128, to 28 x 28 by a stride of 2 | 35 / 35 | 26 / 33 |
    | 3 x 3, 256 to 256, 14 x 14 | 28 / 28 | 23 / 23 |
    | 3 x 3, 512 to 512, 7 x 7 | 36 / 36 | 25 / 26 |
    | 7 x 7, 3 to 64, to 112 x 112 by a stride of 2 | 32 / 108 | 45 / 92 |
    | 3 x 3, 32 to 32, 32 x 32, 128 images | 46 / 45 | 33 / 33 |

    They have no faster formulation: matrix products over windows, whole or of one image at a time, sums over taps,
    channels last and Winograd's transforms take 1.1 to 5 times as long. Gradients by the weights are convolutions, too,
    which are lowered as products (`engine/lowering/cpu_weight_gradients.py`).

    Where a kernel has more elements than the image or the result, XLA exchanges the two, and has only plain loops for
    that. So these are products with all windows. Windows that share no element are products after a rearrangement:

    | | before | now | PyTorch |
    |---|---|---|---|
    | 3 x 3, 512 to 512, 2 x 2, 64 images | 1395 / 1384 / 18 | **17 / 16 / 17** | 23 / 20 / 42 |
    | 3 x 3, 512 to 512, 1 x 1, 64 images | 56 / 53 / 6.1 | **0.7 / 0.6 / 1.1** | 7.8 / 6.2 / 62 |
    | 3 x 3, 256 to 512, to 2 x 2 by a stride of 2, 64 images | 18 / 346 / 12 | **8.8 / 8.5 / 8.6** | 13 / 12 / 18 |
    | patches of 16 x 16, 3 to 768, 224 x 224 | 35 / 356 / 38 | **29 / 24 / 27** | 24 / 97 / 24 |
    | patches of 4 x 4, 3 to 96, 224 x 224 | 8.5 / 11 / 8.0 | **4.6 / 3.3 / 5.9** | 4.3 / 18 / 5.0 |
    | patches of 2 x 2, 96 to 192, 56 x 56 | 25 / 20 / 20 | **17 / 13 / 16** | 15 / 17 / 16 |
    | 7 x 7, 512 to 4096, to 1 x 1 | 1005 / 2477 / 698 | **37 / 94 / 239** | 464 / 605 / 802 |

    Convolutions over one axis in one group are those of images with one row, or, where their windows hold at most twice
    as many elements as the input, products with these; those over three axes have the planes that a kernel meets as
    channels, and need a twentieth of the memory of a sum over the elements of the kernels, as before:

    | | before | now | PyTorch |
    |---|---|---|---|
    | 3, 512 to 512, 1 x 9599, stride 2 | 143 / 140 / 225 | **106 / 104 / 104** | 100 / 160 / 168 |
    | 5, 512 to 512, 8 x 300 | 116 / 117 / 115 | **90 / 90 / 97** | 77 / 79 / 99 |
    | 3, 64 to 64, 16 x 1024 | 9.4 / 8.5 / 8.6 | 8.1 / 7.9 / **8.7** (as rows by XLA 27) | 7.8 / 8.5 / 8.1 |
    | 16, 64 to 64, 32 x 500 | 30 / 30 / 1560 | 30 / 29 / **38** | 39 / 30 / 41 |
    | 128, 16 groups of 48, 1 x 149 | 52 / 65 / 2225 | 36 / **51** (as rows 312) / **36** | 35 / 69 / 71 |
    | 3 x 300, 1 to 100, 32 x 64 x 300 | 13 / 9000 / 8.9 | 8.9 / **5.6** / 9.6 | 12 / 9.1 / 9.8 |
    | 3 x 3 x 3, 3 to 64, 1 x 16 x 112 x 112 | 902 / 322 / 277 | **100 / 161 / 116** | 125 / 115 / 95 |
    | 3 x 3 x 3, 64 to 128, 1 x 16 x 56 x 56 | 845 / 1681 / 616 | **416 / 356 / 424** | 291 / 248 / 351 |
    | 3 x 3 x 3, 32 to 32, 1 x 32 x 48 x 48 | 297 / 849 / 273 | **71 / 66 / 155** | 48 / 49 / 102 |
    | the same to 64 by a stride of 2 | 78 / 123 / 50 | **24 / 27 / 24** | 13 / 18 / 21 |
    | 1 x 3 x 3, 64 to 144, 2 x 8 x 56 x 56 | 337 / 431 / 242 | **141 / 148 / 171** | 104 / 103 / 123 |
    | 3 x 1 x 1, 144 to 64, the same | 120 / 164 / 149 | 126 / **97** / 153 | 125 / 142 / 114 |
    | 3 x 7 x 7, 3 to 64, 1 x 16 x 112 x 112, strides 1, 2, 2 | 296 / 39460 / 533 | **42 / 141 / 61** | 32 / 120 / 58 |

    | transposed | before | now | PyTorch |
    |---|---|---|---|
    | 4 x 4, 100 to 512, from 1 x 1, 64 images | 28 / 74 / 27 | **1.4 / 1.5 / 3.8** | 7.8 / 4.8 / 7.5 |
    | 4 x 4, 512 to 256, from 4 x 4 by 2, 64 images | 109 / 184 / 199 | **65 / 84 / 114** | 66 / 61 / 94 |
    | 4 x 4, 128 to 64, from 16 x 16 by 2, 64 images | 139 / 91 / 418 | **124 / 79 / 109** | 93 / 59 / 64 |
    | 4 x 4, 64 to 3, from 32 x 32 by 2, 64 images | 89 / 14 / 128 | **17 / 12 / 12** | 30 / 7.4 / 8.7 |
    | 4 x 4, 256 to 256, from 16 x 16 by 2 | 93 / 92 / 172 | **68 / 78 / 72** | 62 / 55 / 66 |
    | 3 x 3, 256 to 128, from 64 x 64 by 2, one image | 106 / 74 / 73 | **38 / 42 / 45** | 37 / 33 / 43 |
    | 2 x 2, 512 to 256, from 14 x 14 by 2 | 26 / 27 / 29 | 30 / 26 / 28 | 38 / 25 / 27 |
    | 16, 512 to 256, from 1 x 64 by 8 | 9.3 / 13 / 4.6 | **4.7 / 4.5 / 4.2** | 6.7 / 3.8 / 5.6 |
    | 4 x 4 x 4, 128 to 64, from 8 x 8 x 8 by 2 | 238 / 207 / 225 | **124 / 78 / 121** | 60 / 49 / 77 |

    Groups, as before (one term for each element of the kernel) and by the formulation that is chosen now:

    | 3 x 3 where nothing else is said | before | now | PyTorch |
    |---|---|---|---|
    | depthwise, 128 x 56 x 56 | 4.0 / 9 / 82 | 2.1 / 2.4 / 12 | 4.5 / 4.8 / 5.1 |
    | depthwise, 64 x 112 x 112, stride 2 | 9.4 / 28 / 25 | 9.4 / **4.6** / 28 | 6.1 / 7.1 / 7.4 |
    | depthwise, 512 x 14 x 14 | 0.8 / 2.3 / 5.4 | 0.6 / 0.6 / **1.9** | 0.7 / 0.9 / 0.7 |
    | depthwise, 5 x 5, 240 x 28 x 28 | 4.6 / 18 / 111 | 3.8 / **3.8** / **23** | 2.0 / 2.3 / 40 |
    | depthwise, 5 x 5, 144 x 56 x 56, stride 2 | 5.1 / 65 / 128 | 5.8 / **8.5** / **33** | 4.5 / 5.0 / 31 |
    | depthwise, 7 x 7, 96 x 56 x 56 | | 9.3 / 9.3 / 73 | 6.1 / 6.9 / 110 |
    | depthwise, 7 x 7, 192 x 28 x 28 | | 8.7 / 8.9 / 38 | 2.6 / 3.6 / 63 |
    | depthwise, 7 x 7, 384 x 14 x 14 | | 3.5 / 3.8 / 21 | 1.1 / 1.6 / 26 |
    | 16 groups of 16, 5, 8 x 512 (by taps; by windows 13 / 5.3 / 15) | | 6.7 / 8.7 / 7.4 | 3.8 / 3.3 / 4.2 |

    Groups of several channels over two axes are products with windows; before that (one term for each element of the
    kernel) the first row took 115 / 100 / 127. Where kernels have a step of 1 and many positions, the forward pass is
    the gradient by the input of turned kernels; with strides that gradient is a sum of slices of products, for each
    phase (`grouped.py`). One core of Zen 5 with AVX-512, load 8, least processor milliseconds; JAX 0.12 the same:

    | 3 x 3, 32 groups where nothing else is said | all by windows | now | PyTorch |
    |---|---|---|---|
    | of 4, 56 x 56 | 10 / 6.0 / 13 | **5.9** / 6.0 / 13 | 15 / 24 / 16 |
    | of 8, 28 x 28 | 5.2 / 3.5 / 6 | **3.6** / 3.5 / 6 | 2.8 / 2.8 / 3.2 |
    | of 16, 14 x 14 | 3.1 / 3.0 / 3.4 (by turned kernels 2.9) | the same | 1.2 / 1.2 / 1.3 |
    | of 32, 7 x 7 | 3.7 / 4.0 / 2.9 | the same | 1.1 / 1.1 / 1.3 |
    | of 8, to 28 x 28 by a stride of 2 | 10 / 19 / 12 | 10 / **9.0** / 12 | 6.0 / 28 / 4.6 |
    | of 16, to 14 x 14 by a stride of 2 | 5.0 / 14 / 5.5 | 5.0 / **4.9** / 5.5 | 2.5 / 2.7 / 2.5 |
    | of 32, to 7 x 7 by a stride of 2 | 5.1 / 8.7 / 4 | 5.1 / **3.1** / 4 | 1.8 / 7.2 / 1.9 |

    Also 16 groups of 8, 28 x 28: forward 1.7 in place of 2.4 (PyTorch 1.2); 16 of 4, 5 x 5, 56 x 56: by the input
    9.6 in place of 15 (6.6). The products alone take half of these times, as they have few rows: 256 of 8 x 72 by
    72 x 784 3.9. Not faster: sums of products of channels one by one, as in a depthwise convolution (for 4 channels
    4.7 in place of 5.9, for 8 up to 43; the gradients 74 to 136); slices of products of the phases of the input
    (with strides 0.7 to 1.5 times as long), or ranges of flattened rows in place of them; products over the windows
    of all images (10 to 190); block-diagonal weights (XLA 0.10.2 crashed in their gradient).

    The gradient by the weights of depthwise convolutions pads images in a loop, so that they can be flattened without a
    copy (`depthwise.py`); 8 images where nothing else is said, JAX 0.10.2 / 0.12:

    | | padded at once | now | PyTorch |
    |---|---|---|---|
    | 3 x 3, 32 x 112 x 112 | 9.3 / 9.1 | **5.7 / 6.1** | 3.5 |
    | 64 x 56 x 56 | 4.2 / 4.0 | **2.4 / 2.5** | 1.5 |
    | 192 x 28 x 28 | 2.4 / 3.1 | **1.8 / 2.1** | 0.6 |
    | 512 x 14 x 14 | 1.6 / 1.5 | **1.2 / 1.4** | 0.3 |
    | 960 x 7 x 7 | 1.0 / 1.1 | **0.7 / 0.8** | 0.2 |
    | 96 x 112 x 112, stride 2 | 44 / 43 | **8.6 / 14** | 20 |
    | 144 x 56 x 56, stride 2 | 6.6 / 6.7 | **3.2 / 3.3** | 1.9 |
    | 32 images of the same | 58 / 54 | **37 / 39** | 31 |
    | 192 x 28 x 28, stride 2 | 2.1 / 1.7 | **0.7 / 0.8** | 0.3 |
    | 128 x 56 x 56, one image | 1.1 / 1.1 | 1.2 / 1.1 | 0.2 |
    | 5 x 5, 240 x 28 x 28 | 6.9 / 5.5 | **5.3 / 5.3** | 23 |
    | 7 x 7, 96 x 56 x 56 | 21 / 18 | **16 / 16** | 63 |
    | 7 x 7, 192 x 28 x 28 | 9.8 / 8.8 | **7.4** / 9.3 | 34 |

    Not faster there: a kernel for each of the 9 elements, with constant starts (0.5 to 2 times as long, and compiled in
    0.7 s in place of 0.25).

    Sums of 16 and more products in the forward pass of a stride of 1 and in the gradient by the input are two sums that
    a processor computes at the same time; 8 images, processor milliseconds on Zen 5, load 2, JAX 0.10.2 / 0.12:

    | depthwise, forward (the gradient by the input takes as long) | one sum | now | PyTorch |
    |---|---|---|---|
    | 7 x 7, 96 x 56 x 56 | 5.0 / 5.1 | **4.7 / 4.6** | 15 |
    | 7 x 7, 192 x 28 x 28 | 4.6 / 4.5 | **3.7 / 3.6** | 6.6 |
    | 7 x 7, 384 x 14 x 14 | 1.0 / 1.0 | 0.9 / 0.9 | 0.5 |
    | 7 x 7, 768 x 7 x 7 | 0.9 / 0.8 | **0.8 / 0.8** | |
    | 5 x 5, 240 x 28 x 28 | 2.3 / 2.2 | **1.8 / 1.8** | 1.1 |
    | 5 x 5, 144 x 56 x 56, stride 2 | 2.0 / 2.0 | the same | 1.8 |
    | 3 x 3, 512 x 14 x 14, stride 2 | 0.4 / 0.4 | the same | 0.2 |

    LLVM computes 4 numbers of a row of 28 at once, since 16 do not divide it. Images padded to rows of 32, one by one,
    take 3.1 / 2.4 for 7 x 7 at 28 x 28, but 2.4 / 1.7 for 5 x 5, and 5.7 / 4.5 at 56 x 56; parts of a row of at most 16
    columns 3.1 / 3.2 (56 x 56: 7 to 9). Channels last, the sums take 4.4 and the transposes 2. XLA's own convolution
    of channels last, for which YNNPACK has no kernel in groups, takes 55 / 83.

    Not faster for the depthwise kernels of 7 x 7: rows joined, with the edges masked or cut off (7.2 to 10 ms at 28 x
    28), rows of a multiple of 8 or 16 columns (8.7, 10), channels last; for groups: windows as ranges of flattened rows
    (1.0 to 1.4 times as long), or written in place.
    Up to 8 groups are separate convolutions, which are faster (8 groups of 32, 28 x 28: 17 ms, by windows 22; PyTorch
    13).

    JAX 0.12 has the same order: 1 x 1, 64 to 256, 56 x 56: XLA's own 20 / 17 / 161, one product 36 / 32 / 33, one for
    each image 14 / 14 / 14.

    Half types are computed in float32: XLA casts their operands in any case, and its own convolution by 1 x 1 kernels
    takes 245 ms for the gradient by the weights of the first row, and this 16 (PyTorch, without AMX, 46). All take as
    long as in float32, PyTorch's convolutions of float16 and bfloat16 mostly 3 to 30 times that. On a processor with
    instructions for products of bfloat16, those over images in one group are lowered as such products:
    `engine/lowering/cpu_convolutions.py` has their table.
    """
    if not _is_on_cpu(x.shape):
        return own(x, weight, strides, pads, dilation, group)
    if x.dtype in (jnp.float16, jnp.bfloat16):
        if _keeps_half(x, weight, strides, pads, dilation, group):
            return own(x, weight, strides, pads, dilation, group)
        wide = x.astype(jnp.float32), weight.astype(jnp.float32)  # XLA casts them in any case; the sum is rounded once
        return convolved(*wide, strides, pads, dilation, group).astype(x.dtype)
    if x.size == 0:
        return own(x, weight, strides, pads, dilation, group)
    counts = counts_of(x, weight, strides, pads, dilation)
    if group == 1 and are_apart(weight, counts, strides, dilation):
        return of_patches(x, weight, counts, strides, pads)
    if group == 1 and _is_product(x, weight, counts, strides):
        return of_windows(x, weight, counts, strides, pads, dilation)
    if _is_depthwise(weight, group):
        return depthwise(x, weight, tuple(strides), tuple(map(tuple, pads)), tuple(dilation))
    if x.ndim == 5:
        planes = _planes(x, weight, strides, pads, dilation)
        y = convolved(planes, _flat(weight), strides[1:], pads[1:], dilation[1:], group)
        return jnp.swapaxes(y.reshape(x.shape[0], -1, *y.shape[1:]), 1, 2)
    if 1 < group <= _MOST_PARTS and weight.shape[1] > 1:
        return _by_groups(x, weight, strides, pads, dilation, group)
    taps = math.prod(weight.shape[2:])
    if group > 1 and taps <= _MOST_TAPS and (taps == 1 or x.ndim == 3):
        return by_taps(x, weight, counts, strides, pads, dilation, group)
    if x.ndim == 3 and group == 1:
        return convolved(*_rows(x, weight, strides, pads, dilation), group)[:, :, 0]
    if group > 1 and taps <= _MOST_TAPS:
        return in_groups(x, weight, tuple(strides), tuple(map(tuple, pads)), tuple(dilation), group)
    if _is_of_few_kernels(weight, group):
        return _by_rows(x, weight, strides, pads, dilation)
    if _is_tall(weight, group):
        return _turned(x, weight, strides, pads, dilation)
    if group > 1:
        return with_windowed_gradient(x, weight, tuple(strides), tuple(map(tuple, pads)), tuple(dilation), group)
    return own(x, weight, strides, pads, dilation, group)


def transposed(y, weight, shape, strides, pads, dilation, group):
    """The transpose of `convolved`, from arrays of the given ``shape``, at ``y``.

    XLA's CPU backend has fast kernels for it and for its gradient by ``y``; that by the weights is lowered as products
    (`engine/lowering/cpu_weight_gradients.py`). As on a convolution of ``y`` with the positions within a stride as
    channels, all three took up to twice as long. `convolved` has the table.
    """
    x = jax.ShapeDtypeStruct(shape, y.dtype)
    settings = strides, pads, dilation, group
    if group == 1 and _is_on_cpu((*y.shape, *shape)) and 0 not in (*y.shape, *shape):
        if y.dtype in (jnp.float16, jnp.bfloat16):
            wide = y.astype(jnp.float32), weight.astype(jnp.float32)
            return transposed(*wide, shape, *settings).astype(y.dtype)
        counts = y.shape[2:]
        is_apart = are_apart(weight, counts, strides, dilation)
        if is_apart and math.prod(counts) > 1:
            return transposed_patches(y, weight, x, strides, pads)
        is_product = is_apart or _is_product(x, weight, counts, strides)
        if len(shape) == 5 and not is_product:
            return _of_planes(y, weight, x, *settings)
        if len(shape) == 3 and not is_product:
            row, weight, strides, pads, dilation = _rows(y, weight, strides, pads, dilation)
            return transposed(row, weight, (*shape[:2], 1, shape[2]), strides, pads, dilation, group)[:, :, 0]
    return jax.linear_transpose(lambda x: convolved(x, weight, *settings), x)(y)[0]


def _is_on_cpu(shape):
    """Whether the formulations below are used: on a CPU, and with known lengths (not those of `jax.export`)."""
    return all([isinstance(length, int) for length in shape]) and jax.default_backend() == "cpu"


def _keeps_half(x, weight, strides, pads, dilation, group):
    """Whether products of bfloat16 are faster (`engine.lowering.cpu_convolutions`) than a convolution in float32."""
    if x.dtype != jnp.bfloat16 or group > 1 or x.size == 0 or not multiplies_bfloat16():
        return False
    counts = counts_of(x, weight, strides, pads, dilation)
    is_patches = math.prod(weight.shape[2:]) > 1 and are_apart(weight, counts, strides, dilation)
    return not is_patches and cpu_convolutions.is_faster(weight.shape, counts)


def _is_product(x, weight, counts, strides):
    """Whether a product with the windows is faster, though they overlap."""
    taps = math.prod(weight.shape[2:])
    is_thin = weight.shape[1] == 1 and weight.size >= _LEAST_WEIGHTS
    exceeds = taps > min(math.prod(counts), math.prod(x.shape[2:]))  # XLA exchanges image and kernel then
    is_short = x.ndim == 3 and taps <= 2 * strides[0]
    slices = sum(map(min, weight.shape[2:], counts))
    return (is_thin or exceeds or is_short) and slices <= _MOST_SLICES


def _is_depthwise(weight, group):
    """Whether each channel is a group, with few enough weights for a term for each of them."""
    return group > 1 == weight.shape[1] and weight.size // group <= _MOST_TAPS


def _is_tall(weight, group):
    """Whether a kernel has several rows and one column, and enough channels for its turned gradient to be fast."""
    return group == 1 and weight.shape[2] > 1 == weight.shape[3] and min(weight.shape[:2]) >= _LEAST_CHANNELS


def _is_of_few_kernels(weight, group):
    """Whether an input of one channel has few kernels, of several rows."""
    is_of_one = weight.shape[1] == group == 1
    return is_of_one and weight.shape[0] <= _MOST_KERNELS and 1 < weight.shape[2] <= _MOST_SLICES


def _planes(x, weight, strides, pads, dilation):
    """The planes of a volume that kernels meet at once, as channels of images, of which each position has one.

    A kernel of 3 x 3 x 3 meets three planes: so the images hold three times as many elements.
    """
    count = counts_of(x, weight, strides, pads, dilation)[0]
    x = padded(x, [pads[0], (0, 0), (0, 0)])
    end = (count - 1) * strides[0] + 1
    starts = range(0, weight.shape[2] * dilation[0], dilation[0])
    parts = [jax.lax.slice_in_dim(x, at, at + end, strides[0], axis=2) for at in starts]
    planes = jnp.stack(parts, 2).transpose(0, 3, 1, 2, 4, 5)
    return planes.reshape(x.shape[0] * count, -1, *x.shape[3:])


def _of_planes(y, weight, x, strides, pads, dilation, group):
    """The transpose of a convolution over three axes from an array like ``x``, by that over the last two."""

    def planes(x):
        return _planes(x, weight, strides, pads, dilation)

    y = jnp.swapaxes(y, 1, 2)
    shape = jax.eval_shape(planes, x).shape
    images = y.reshape(-1, *y.shape[2:]), _flat(weight), shape
    return jax.linear_transpose(planes, x)(transposed(*images, strides[1:], pads[1:], dilation[1:], group))[0]


def _flat(weight):
    """Kernels for `_planes`."""
    return weight.reshape(weight.shape[0], -1, *weight.shape[3:])


def _rows(x, weight, strides, pads, dilation):
    """The operands and settings of a convolution over one axis, for one over two, of images of one row."""
    return x[:, :, None], weight[:, :, None], (1, *strides), [(0, 0), *pads], (1, *dilation)


def _by_rows(x, weight, strides, pads, dilation):
    """The convolution of two axes and one channel, with the rows of the kernels as channels.

    XLA's CPU backend gathers the windows of several channels faster than those of several rows: 6 kernels of 5 x 5 (the
    first layer of LeNet, 32 x 1 x 28 x 28) take one core 0.37 ms instead of 0.62, and the gradient by the input 0.7
    instead of 1.7.
    """
    x = padded(x, pads)
    size, step, stride = weight.shape[2], dilation[0], strides[0]
    end = x.shape[2] - (size - 1) * step
    rows = [jax.lax.slice_in_dim(x, at, at + end, stride, axis=2) for at in range(0, size * step, step)]
    kernels = jnp.swapaxes(weight, 1, 2)
    flat = [(0, 0), (0, 0)]
    return convolved(jnp.concatenate(rows, 1), kernels, (1, strides[1]), flat, (1, dilation[1]), 1)


def _turned(x, weight, strides, pads, dilation):
    """The convolution of two axes with rows and columns swapped, since XLA's CPU backend gathers windows along rows.

    A kernel of 7 x 1 for 8 channels at 16 x 64 x 64 positions takes one core 1.4 ms instead of 2.3, and the weight
    gradient of one of 3 x 1 for 32 channels 0.4 instead of 0.8.
    """
    turned = [each[::-1] for each in (strides, pads, dilation)]
    return jnp.swapaxes(convolved(jnp.swapaxes(x, 2, 3), jnp.swapaxes(weight, 2, 3), *turned, 1), 2, 3)


def _by_groups(x, weight, strides, pads, dilation, group):
    """A grouped convolution as one convolution per group.

    For 4 groups of 16 channels and 3 x 3 taps the forward pass takes one core 1.5 ms, in place of XLA's 3.1, and the
    gradient by the weights 1.4, in place of 164.
    """
    parts = zip(jnp.split(x, group, 1), jnp.split(weight, group), strict=True)
    return jnp.concatenate([convolved(*part, strides, pads, dilation, 1) for part in parts], 1)
