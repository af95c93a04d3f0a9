"""``mindspore.mint``: MindSpore's newer API of operations, layers and optimizers, as faces over `ops` and `nn`."""

from ..tensor.tensor import Tensor  # noqa: F401  as in MindSpore
from . import (  # noqa: F401  they fill MINT
    _batch,
    _creation,
    _elementwise,
    _linear,
    _random,
    _reduction,
    _shaping,
    distributed,
    linalg,
    nn,
    optim,
    special,
)
from ._dialect import MINT
from .nn import functional

globals().update(MINT.public())
__all__ = [*MINT.public(), "distributed", "functional", "linalg", "nn", "optim", "special"]
