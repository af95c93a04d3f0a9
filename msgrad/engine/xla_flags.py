"""XLA's flags for a CPU, which ``XLA_FLAGS`` has besides those of the user while XLA reads them.

XLA does so once, when JAX makes the client of the CPU; afterwards the environment is as it was.

Microseconds of processor time for 1e6 float32 on one core with AVX-512 (Zen 5, load 7):

| | x + y | -x | exp | gelu | rsqrt | x.T * x | x.T |
|---|---|---|---|---|---|---|---|
| jaxlib 0.10.2, by itself | 285 | 271 | 345 | 498 | 1601 | 5743 | 309 |
| without tiles | 122 | 85 | 273 | 471 | 177 | 585 | 591 |
| with vectors of 512 bits as well | 123 | 85 | 146 | 252 | 122 | 632 | 657 |
| jaxlib 0.12, by itself | 123 | 89 | 329 | 485 | 164 | 158 | 112 |
| with vectors of 512 bits | 132 | 90 | 174 | 248 | 124 | 139 | 99 |

- Tiles: in jaxlib 0.10 XLA copies each tile of 16 elements to the stack and back. Without them copies of transposes
  take twice as long, and a training step of an LSTM of 2 x 512 takes 10 % more (0.163 s instead of 0.148; why, was not
  isolated); those of BERT-base, a U-Net and a YOLO-like detector take the same within 4 %.
- Vectors: LLVM uses half of the registers, since early processors with AVX-512 ran at a lower clock when all were used.
"""

import contextlib
import importlib.metadata
import os

from . import _jax_private, processor

_VARIABLE = "XLA_FLAGS"
_KNOWN = "0.10.", "0.11.", "0.12."  # versions of jaxlib; XLA ends the process at a flag that it does not know
_FULL_WIDTH = "avx512_vbmi2"  # an instruction set of processors with AVX-512 that keep their clock (Ice Lake, Zen 4)


class Added:
    """The flags that XLA has read, besides those of the user."""

    flags = ""


def install():
    """Lets JAX make the client of the CPU with these flags."""
    _jax_private.make_client_within("cpu", added)


@contextlib.contextmanager
def added():
    """A context in which the environment has these flags besides its own, which keep their values."""
    before = os.environ.get(_VARIABLE)
    present = (before or "").split()
    names = [flag.partition("=")[0] for flag in present]
    missing = [f"{name}={value}" for name, value in _flags().items() if name not in names]
    if missing:
        os.environ[_VARIABLE] = " ".join(present + missing)
    try:
        yield
        Added.flags = " ".join(missing)
    finally:
        if before is None:
            os.environ.pop(_VARIABLE, None)
        else:
            os.environ[_VARIABLE] = before


def _flags():
    flags, version = {}, importlib.metadata.version("jaxlib")
    if version.startswith(_KNOWN[0]):
        flags["--xla_backend_extra_options"] = "xla_cpu_disable_tiled_emitter"
    if version.startswith(_KNOWN) and _FULL_WIDTH in processor.description().split():
        flags["--xla_cpu_prefer_vector_width"] = "512"
    return flags
