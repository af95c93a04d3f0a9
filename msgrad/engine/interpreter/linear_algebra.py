"""Matrix decompositions that NumPy has, triangular systems, and Fourier transforms."""

import math

import numpy as np


def _cholesky(x, **_):
    return np.reshape([_lower(x[index]) for index in np.ndindex(x.shape[:-2])], x.shape).astype(x.dtype)


def _lower(matrix):
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        # XLA's result for a matrix that is not positive definite; NumPy raises.
        return np.full_like(matrix, math.nan)


def _triangular_solve(a, b, *, left_side, lower, transpose_a, conjugate_a, unit_diagonal):
    if unit_diagonal:
        a = np.where(np.eye(a.shape[-1], dtype=bool), a.dtype.type(1), a)
    a = np.conj(a) if conjugate_a else a
    if transpose_a:
        a, lower = np.swapaxes(a, -1, -2), not lower
    if left_side:
        return _solved(a, b, lower)
    # x a = b is a^T x^T = b^T.
    return np.swapaxes(_solved(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), not lower), -1, -2)


def _solved(a, b, is_lower):
    """Triangular solve by substitution; singular systems give inf and NaN."""
    # Row by row over all systems of the batch: NumPy has no triangular solver, and its general one raises where XLA
    # gives inf.
    size = a.shape[-1]
    x = np.array(b)
    for row in range(size) if is_lower else range(size - 1, -1, -1):
        x[..., row, :] /= a[..., row, row, None]
        rest = slice(row + 1, size) if is_lower else slice(0, row)
        x[..., rest, :] -= a[..., rest, row, None] * x[..., None, row, :]
    return x


# By name, since NumPy imports `numpy.fft` at its first use, in 1.5 ms.
_TRANSFORMS = {"FFT": "fftn", "IFFT": "ifftn", "RFFT": "rfftn", "IRFFT": "irfftn"}


def _fft(x, *, fft_type, fft_lengths):
    axes = tuple(range(x.ndim - len(fft_lengths), x.ndim))
    return getattr(np.fft, _TRANSFORMS[fft_type.name])(x, fft_lengths, axes)


RULES = {"cholesky": _cholesky, "fft": _fft, "triangular_solve": _triangular_solve}


def _cubic_seconds(equation):
    shape = equation.invars[-1].aval.shape
    return 10e-6 * shape[-1] + 2e-9 * math.prod(shape) * max(shape[-2:])


def _fft_seconds(equation):
    size = math.prod(equation.outvars[0].aval.shape)
    return 10e-6 + 10e-9 * size * math.log2(size + 2)


SECONDS = {"cholesky": _cubic_seconds, "fft": _fft_seconds, "triangular_solve": _cubic_seconds}
REFUSED = {"fft": lambda equation: not math.prod(equation.invars[0].aval.shape)}
