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
from ctypes import byref
from typing import Any

from .quiet import SILENT

# Where C's `femode_t`, how a thread computes, has the control word of the floating-point unit, and the bits that flush
# results and operands. It is read and set in half the time of `fenv_t`, which has the flags of exceptions, too.
_CONTROL = {"x86_64": (4, 0x8040), "aarch64": (0, 1 << 24)}
_SIZE = 8  # bytes of a `femode_t`, at most


def _functions() -> Any:
    """C's `fegetmode` and `fesetmode`; None, None on another system or processor, and before glibc 2.25."""
    if sys.platform != "linux" or platform.machine() not in _CONTROL:
        return None, None
    library = ctypes.PyDLL("libm.so.6")  # keeps Python's lock, which these functions need not give up
    functions: list[Any] = [getattr(library, name, None) for name in ("fegetmode", "fesetmode")]
    if None in functions:
        return None, None
    for function in functions:
        function.restype = None
    return functions


def _flushing_mode():
    """The mode in which subnormals are flushed."""
    mode = ctypes.create_string_buffer(_SIZE)
    _read(mode)
    offset, bits = _CONTROL[platform.machine()]
    ctypes.c_uint32.from_buffer(mode, offset).value |= bits
    return mode


_read, _write = _functions()
_flushing: Any = None if _read is None else _flushing_mode()


class _Flushed(threading.local):
    """A context in which this thread's floating-point unit flushes subnormals; elsewhere than on Linux it does not."""

    def __init__(self):
        self._before = []  # a finalizer may enter it again

    def __enter__(self):
        if _read is not None:
            # Read each time: the user's own code may have changed the mode since, and finds it as it was.
            self._before.append(mode := ctypes.create_string_buffer(_SIZE))
            _read(mode)
            _write(_flushing)

    def __exit__(self, *_):
        if _read is not None:
            _write(self._before.pop())


flushed = _Flushed()
_unused = []  # references to buffers for the mode of before: to take one from here is faster than to make one


def quietly_flushed(call, is_flushed=True):
    """Statements that return what a call gives within `flushed` and as by `quietly`, and the values of their names.

    They take 0.7 us more than the call. By both of these functions, with any number of arguments, it would be 2.

    Args:
        call (str): the function and its arguments, with commas between.
        is_flushed (bool): False: as by `quietly` alone. Default: ``True``.
    Returns:
        tuple of list of str and dict.
    """
    known = {"silent": SILENT.copy}
    if _read is None or not is_flushed:
        return [f"return silent().run({call})"], known
    known |= {"unused": _unused, "buffer": _buffer, "read": _read, "write": _write, "flushing": byref(_flushing)}
    return [
        "before = unused.pop() if unused else buffer()",
        "read(before)",
        "try:",
        "    write(flushing)",
        f"    return silent().run({call})",
        "finally:",
        "    write(before)",
        "    unused.append(before)",
    ], known


def _buffer():
    """A reference to a buffer, which C's functions take faster than the buffer itself."""
    return byref(ctypes.create_string_buffer(_SIZE))
