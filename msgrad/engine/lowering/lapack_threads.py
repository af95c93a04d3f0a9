"""With how many threads does LAPACK compute on a CPU? With one, until a program has large matrices.

XLA calls the LAPACK of SciPy's OpenBLAS, whose threads spin while they wait for each other, 26 ms after each product.
So several threads take longer than one for a small matrix, and beside other work for any. Processor and wall
milliseconds on two cores, with one thread / with two (float32, load 6):

| | Cholesky | SVD | QR | symmetric eigenvalues |
|---|---|---|---|---|
| 256 x 256 | 0.5, 0.4 / 56, 51 | 7, 19 / 223, 32 | 1.8, 1.5 / 5.7, 3.8 | 3.5, 8.0 / 6.9, 5.0 |
| 512 x 512 | 1.5, 1.3 / 2.4, 1.5 | 37, 45 / 301, 421 | 9, 8 / 258, 9 | 15, 20 / 176, 68 |
| 1 024 x 1 024 | 12, 9 / 409, 31 | 256, 612 / 1 312, 2 892 | 60, 144 / 1 123, 729 | 92, 230 / 662, 1 192 |

SciPy itself computes with as many threads then, in this process. Where the environment says how many, that holds.
"""

import importlib
import os
from typing import Any

from jax import lax

from .._jax_private import LOWERS_ANEW, lowering_of, register_lowering
from ..openblas import thread_functions

_LARGE = 2048  # rows and columns of a matrix for which many cores are worth more than the waiting costs
_VARIABLES = "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"  # which OpenBLAS reads
_PRIMITIVES = (
    "cholesky eig eigh hessenberg householder_product lu schur svd triangular_solve tridiagonal tridiagonal_solve"
)


class Threads:
    """OpenBLAS's number of threads before it was set to one, or None; whether it has been restored for good."""

    before: Any = None
    are_back = False


def keep_few(shapes):
    """Leaves LAPACK one thread if no program so far has a large matrix, these shapes of operands included."""
    if Threads.are_back or any(name in os.environ for name in _VARIABLES):
        return
    # Here: JAX loads it, in 0.1 s, when it lowers a program with LAPACK.
    functions = thread_functions(importlib.import_module("scipy.linalg.cython_lapack"))
    if functions is None:
        return
    get, put = functions
    if any(len(shape) > 1 and min(shape[-2:]) >= _LARGE for shape in shapes):
        Threads.are_back = True
        if Threads.before is not None:
            put(Threads.before)
    elif Threads.before is None:
        Threads.before = get()
        put(1)


def _install(primitive):
    rule, _ = lowering_of(primitive, "cpu")

    def lower(context, *operands, **parameters):
        results = rule(context, *operands, **parameters)
        shapes = [aval.shape for aval in context.avals_in]
        if all([isinstance(length, int) for shape in shapes for length in shape]):  # not those of an export
            keep_few(shapes)
        return results

    register_lowering(primitive, lower, platform="cpu")


def install():
    """Lets each lowering for CPUs that calls LAPACK choose the number of threads."""
    if LOWERS_ANEW:
        for name in _PRIMITIVES.split():
            primitive = getattr(lax.linalg, f"{name}_p", None)
            if primitive is not None:
                _install(primitive)
