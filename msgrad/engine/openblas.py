"""OpenBLAS as NumPy and SciPy bring it: how many threads it has."""

import ctypes
from typing import Any

# The names in the wheels of NumPy and of SciPy, in earlier ones, and in OpenBLAS as distributions build it.
_NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


def thread_functions(module) -> Any:
    """The functions that read and set the number of threads of the library that a module in C is linked to.

    None for an unknown BLAS, which is not changed.
    """
    library = ctypes.CDLL(module.__file__)
    for name in _NAMES:
        functions = [getattr(library, name.format(verb), None) for verb in ("get", "set")]
        if None not in functions:
            return functions
    return None
