"""``run_check``: checks the installation."""

import numpy as np

from .. import ops
from .._common.device import get_current_device
from ..tensor.tensor import Tensor
from ..version import __msgrad_version__, __version__


def run_check():
    """Multiplies two matrices on the current device and prints the versions and the outcome.

    Example:
        >>> mindspore.run_check()
        msgrad 0.1.0, answering for MindSpore 2.10.0
        A product of matrices is right on CPU: the installation works.
    Source: mindspore.run_check
    """
    print(f"msgrad {__msgrad_version__}, answering for MindSpore {__version__}")
    left, right = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 2), np.float32)
    product = ops.matmul(Tensor(left), Tensor(right)).asnumpy()
    target = get_current_device().device_target
    if np.array_equal(product, left @ right):
        print(f"A product of matrices is right on {target}: the installation works.")
    else:
        print(f"A product of matrices is WRONG on {target}: {product.tolist()} in place of {(left @ right).tolist()}.")
