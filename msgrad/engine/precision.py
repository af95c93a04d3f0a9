"""The precision of products and convolutions of float32 values, which each of them says itself.

| precision | on an NVIDIA GPU | on a TPU |
|---|---|---|
| ``"highest"`` | float32 | six passes of bfloat16, as exact as float32 |
| ``"high"`` | TensorFloat-32, 10 bits of a fraction's 23 | three passes of bfloat16, some 16 bits |
| ``"default"`` | TensorFloat-32 | one pass of bfloat16, 7 bits |

MindSpore's defaults are float32 for products, and for convolutions TensorFloat-32 on GPUs and HF32 (11 bits) on Ascend:
``"highest"`` and ``"high"``. A CPU computes all in float32, whatever is said.
"""

import functools
import os
import threading
import warnings
from typing import Any, NamedTuple

import jax

from . import errors
from ._jax_private import PRECISION

_NAMES = ("highest", "high", "default")
_MSG_NAME = "MSGRAD_PRECISION must be 'highest', 'high' or 'default', but is {!r}: MindSpore's defaults hold."


class Precision(NamedTuple):
    """The precisions of products and of convolutions: names for `jax.default_matmul_precision`."""

    products: str
    convolutions: str


DEFAULT = Precision("highest", "high")


def _initial():
    text = os.environ.get("MSGRAD_PRECISION", "").lower()
    if text not in ("", *_NAMES):
        warnings.warn(_MSG_NAME.format(text), RuntimeWarning, stacklevel=2)
    return Precision(text, text) if text in _NAMES else DEFAULT


class Chosen:
    """The chosen precisions: ``gpu`` for GPUs, ``other`` for all other accelerators.

    ``MSGRAD_PRECISION`` is the first for both.
    """

    gpu = other = _initial()
    always: Any = None  # for devices on which it means nothing, so that no cache is split: set by `current`


@functools.cache
def _platform():
    return jax.default_backend()


def allow(kind, operations, is_allowed):
    """Chooses whether the ``"products"`` or ``"convolutions"`` of a kind of device may compute with fewer bits."""
    setattr(Chosen, kind, getattr(Chosen, kind)._replace(**{operations: "high" if is_allowed else "highest"}))


def current():
    """The `Precision` of what is recorded now: the user's ``jax.default_matmul_precision``, or the chosen one."""
    platform = _platform()
    if platform == "cpu":
        Chosen.always = DEFAULT
        return DEFAULT
    users = PRECISION.value
    if users is None:
        return Chosen.gpu if platform == "gpu" else Chosen.other
    # A convolution takes none of the algorithms for products that the option may name, in capitals.
    return Precision(users, users if users.islower() else DEFAULT.convolutions)


# XLA has two ways to compute a product on a GPU: kernels of cuBLAS, and kernels that Triton makes, of which it compiles
# and times dozens for each shape. In float32 those have no tensor cores: they are slow to compile and to run, and
# jaxlib 0.10.2 fails at some layouts ("Couldn't find output tile sizes that satisfy hlo: dot").
_CUBLAS_ALONE = {"xla_gpu_enable_triton_gemm": False}


def compiler_options(precision, avals):
    """XLA's options for a program with values of these ``(shape, dtype)`` (dict); None for those of all programs."""
    if _platform() != "gpu" or precision.products not in ("highest", "float32"):
        return None
    return None if any([dtype.itemsize < 4 and dtype.kind in "fV" for _, dtype in avals]) else _CUBLAS_ALONE


def options_after(error, options):
    """XLA's options to compile a program with once more after the compiler's ``error`` (dict); None if that stands.

    What has fewer bits keeps Triton's products otherwise, since XLA fuses what is around a product into them.
    """
    if (options or {}).items() >= _CUBLAS_ALONE.items() or not errors.is_of_product(error):
        return None
    return {**(options or {}), **_CUBLAS_ALONE}


class _Thread(threading.local):
    said = None


_thread = _Thread()


class Said:
    """Context in which traced products and convolutions say a `Precision`."""

    __slots__ = ("precision", "around", "option")

    def __init__(self, precision):
        self.precision = precision

    def __enter__(self):
        self.around, _thread.said = _thread.said, self.precision
        self.option = PRECISION.swap_local(self.precision.products)

    def __exit__(self, *error):
        PRECISION.set_local(self.option)
        _thread.said = self.around


def of_convolutions():
    """The precision of a convolution that is traced now."""
    said = _thread.said
    return current().convolutions if said is None else said.convolutions


def saying(fn, precision):
    """``fn``, of which all products and convolutions say ``precision`` when it is traced."""

    @functools.wraps(fn, updated=())
    def traced(*operands):
        with Said(precision):
            return fn(*operands)

    return traced
