"""The last digits of NumPy's least squares, which depend on the processor, and move pixels of perspectives."""

import zlib

import numpy as np


def checksum():
    """A checksum of the solutions of 20 systems such as those of perspectives: equal where all digits are."""
    random = np.random.RandomState(0)
    solutions = []
    for _ in range(20):
        start, end = random.randint(0, 40, (2, 4, 2))
        rows = []
        for (x, y), (u, v) in zip(end.tolist(), start.tolist(), strict=True):
            rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        solutions.append(np.linalg.lstsq(np.float64(rows), np.float64(start).reshape(-1), rcond=None)[0])
    return zlib.crc32(np.array(solutions).tobytes())
