"""Subnormal numbers (below 1.2e-38 in float32, 2.2e-308 in float64): 0, while NumPy runs a plan, as in compiled code.

XLA sets the processor to flush them before it runs a program on a CPU, and has no option against it (read in jaxlib
0.10.2 and in XLA of 2026: ``--xla_cpu_ftz=false`` changes the folding of constants alone). So NumPy runs with the same
setting: else ``x > 0`` or ``log(exp(-90))`` would change once the program is compiled. The half types are computed in
float32, where subnormals of float16 are ordinary numbers.
"""

import ctypes
import platform
import sys
import threading
from typing import Any

# Where C's `fenv_t` has the control word of the floating-point unit, and the bits that flush results and operands.
_CONTROL = {"x86_64": (28, 0x8040), "aarch64": (0, 1 << 24)}
_SIZE = 64  # bytes, of which `fenv_t` takes 32 or 8


class _Flushing(threading.local):
    """A context in which this thread's floating-point unit flushes subnormals; elsewhere than on Linux it does not."""

    def __init__(self):
        self._depth = 0
        self._before, self._within = ctypes.create_string_buffer(_SIZE), ctypes.create_string_buffer(_SIZE)
        if _read is not None:
            _read(self._within)
            offset, bits = _CONTROL[platform.machine()]
            word = ctypes.c_uint32.from_buffer(self._within, offset)
            word.value |= bits

    def __enter__(self):
        # Read each time: the user's own code may have changed the setting since, and finds it as it was.
        if not self._depth and _read is not None:
            _read(self._before)
            _write(self._within)
        self._depth += 1

    def __exit__(self, *_):
        self._depth -= 1
        if not self._depth and _read is not None:
            _write(self._before)

    def run(self, call, *arguments):
        """``call(*arguments)`` within the context, in 1 us; a ``with`` statement takes 1.5."""
        if self._depth or _read is None:
            return call(*arguments)
        before = self._before
        _read(before)
        try:
            self._depth = 1
            _write(self._within)
            return call(*arguments)
        finally:
            _write(before)
            self._depth = 0


def _functions() -> Any:
    """C's `fegetenv` and `fesetenv`; None, None on another system or processor."""
    if sys.platform != "linux" or platform.machine() not in _CONTROL:
        return None, None
    library = ctypes.PyDLL("libm.so.6")  # keeps Python's lock, which these functions need not give up
    return library.fegetenv, library.fesetenv


_read, _write = _functions()
flushed = _Flushing()
