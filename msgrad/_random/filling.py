"""Arrays filled from a Philox stream with uniform, normal and truncated normal values, as MindSpore's initializers do.

All arithmetic is in float64, of bounds and moments that were rounded to float32; values are rounded to float32,
whatever the dtype of the array.
"""

import math
import os
from typing import Any

import numpy as np

from . import compiled_parts, philox
from .compiled_parts import PI, SMALLEST
from .normal_quantile import ROOT_TWO, normal_quantile

_PART = 8192  # blocks computed at once; see philox.blocks
_MANY = 4_000_000  # smallest number of values to compute with several threads, each of which needs up to 3 MB


def fill_uniform(array, seed, low, high):
    """Fills ``array`` with uniform values between ``low`` and ``high`` from the stream of ``seed``."""
    low, high = _single(low), _single(high)

    def values(words):
        values = words.astype(np.float64)
        values *= 2.0**-32
        values *= high - low
        values += low
        return values

    _fill(array, seed, values, compiled_parts.UNIFORM, (low, high))


def fill_normal(array, seed, mean, sigma):
    """Fills ``array`` with normal values from the stream of ``seed``, by the Box-Muller transform."""
    mean, sigma = _single(mean), _single(sigma)

    def values(words):
        # The low 23 bits of a word are the fraction of a float32 in [1, 2).
        uniform = ((words & np.uint32(0x7FFFFF)) | np.uint32(127 << 23)).view(np.float32) - np.float32(1)
        uniform = np.maximum(uniform, SMALLEST, dtype=np.float64)
        radius = np.sqrt(np.log(uniform[:, 0::2]) * -2) * sigma
        angle = uniform[:, 1::2] * (2 * PI)
        values = np.empty(words.shape)
        values[:, 0::2] = radius * np.cos(angle)
        values[:, 1::2] = radius * np.sin(angle)
        values += mean
        return values

    _fill(array, seed, values, compiled_parts.NORMAL, (mean, sigma))


def fill_truncated_normal(array, seed, low, high, mean, sigma):
    """Fills ``array`` with normal values between ``low`` and ``high``, by the inverse of the distribution function."""
    low, high, mean, sigma = _single(low), _single(high), _single(mean), _single(sigma)
    below, above = (math.erfc(-((bound - mean) / sigma) / ROOT_TWO) / 2 for bound in (low, high))

    def values(words):
        uniform = words.astype(np.float64)
        uniform *= 2.0**-32
        return mean + normal_quantile(below + uniform * (above - below)) * sigma

    _fill(array, seed, values)


def _single(number):
    return float(np.float32(number))


def _fill(array, seed, values, program: Any = None, numbers=()):
    """Fills ``array``, part by part, with ``values(words)`` of the stream's words, or by a `CompiledPart` for them."""
    flat = array.reshape(-1) if array.flags.c_contiguous else np.empty(array.size, np.float32)

    def computed(blocks):
        return values(philox.blocks(seed, blocks)).astype(np.float32)

    def fill(start):
        part = flat[start : start + _PART * philox.WORDS]
        first, count = start // philox.WORDS, -(-part.size // philox.WORDS)
        part[...] = computed(np.arange(first, first + count, dtype=np.uint64)).reshape(-1)[: part.size]

    def fill_compiled(start):
        part = flat[start : start + compiled_parts.BLOCKS * philox.WORDS]
        first = start // philox.WORDS
        part[...] = program(seed, first, *numbers)[: part.size]
        (uncertain,) = np.isnan(part).nonzero()
        if uncertain.size:
            words = computed((first + uncertain // philox.WORDS).astype(np.uint64))
            part[uncertain] = words[np.arange(uncertain.size), uncertain % philox.WORDS]

    is_compiled = program is not None and program.is_worth(flat.size, *numbers)
    fill, width = (fill_compiled, compiled_parts.BLOCKS) if is_compiled else (fill, _PART)
    starts = range(0, flat.size, width * philox.WORDS)
    if flat.size < _MANY:
        for start in starts:
            fill(start)
    else:  # NumPy and XLA release the GIL: two threads take 0.6 of the time
        import concurrent.futures  # here, since it takes 1 ms and few arrays are as large

        fill(0)  # first, so that one thread compiles
        with concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
            list(pool.map(fill, starts[1:]))
    if not array.flags.c_contiguous:
        array[...] = flat.reshape(array.shape)
