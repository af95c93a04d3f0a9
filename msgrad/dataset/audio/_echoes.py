"""Feedback delays: each sample is the weighted sum of the input and of earlier output."""

import numpy as np


def echoed(value, sources, weights):
    """``y`` with ``y[n] = value[n] + sum(weights[k, n] * y[sources[k, n]])``.

    This is a triangular system of equations, which SciPy (a dependency of JAX) solves in compiled code.

    Args:
        value (numpy.ndarray): floats, ``(sounds, time)``.
        sources (numpy.ndarray): ints, ``(echoes, time)``: indices of earlier samples; a negative one means silence.
        weights (numpy.ndarray): floats of the shape of ``sources``.
    Returns:
        numpy.ndarray of float64 of the shape of ``value``.
    """
    from scipy.sparse import csr_array  # imported here, since it is slow to import
    from scipy.sparse.linalg import spsolve_triangular

    time = np.arange(value.shape[-1])
    is_heard = (sources >= 0) & (weights != 0)
    rows = np.concatenate([np.broadcast_to(time, sources.shape)[is_heard], time])
    columns = np.concatenate([sources[is_heard], time])
    system = csr_array((np.concatenate([-weights[is_heard], np.ones(len(time))]), (rows, columns)))
    return spsolve_triangular(system, value.T.astype(np.float64), lower=True, unit_diagonal=True).T
