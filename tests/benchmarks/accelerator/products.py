"""A part: errors of float32 products and convolutions, relative to float64: ``... .products``.

By default, and with each of MindSpore's two switches for TF32.
"""

import numpy as np

from .precision import set_in_mindspore
from .turns import device, say

SIZE = 1024
SETTINGS = ("default", "tf32", "float32")


def error(actual, expected):
    return float(np.linalg.norm(actual - expected) / np.linalg.norm(expected))


def main():
    import msgrad.alias

    msgrad.alias.install()
    from mindspore import Tensor, ops

    random = np.random.default_rng(0)
    a, b = (random.standard_normal((SIZE, SIZE), np.float32) for _ in range(2))
    images, kernels = (random.standard_normal(shape, np.float32) for shape in ((8, 64, 32, 32), (64, 64, 3, 3)))
    windows = np.lib.stride_tricks.sliding_window_view(images.astype(np.float64), (3, 3), (2, 3))
    product = a.astype(np.float64) @ b.astype(np.float64)
    convolution = np.einsum("nchwij,ocij->nohw", windows, kernels, optimize=True)
    for setting in SETTINGS:
        set_in_mindspore(setting)
        actual = ops.matmul(Tensor(a), Tensor(b)).asnumpy()
        say(**{f"product, {setting}": error(actual, product)})
        actual = ops.conv2d(Tensor(images), Tensor(kernels)).asnumpy()
        say(**{f"convolution, {setting}": error(actual, convolution)})
    say(device=device())


if __name__ == "__main__":
    main()
