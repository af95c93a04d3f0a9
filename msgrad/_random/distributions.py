"""The values that one call of a random operation draws from its stream's engine, for each MindSpore kernel.

If each number of ``std::minstd_rand0`` or of Philox can be computed independently, only a state is drawn here, from
which the compiled program computes the numbers.
"""

import contextlib
import functools
import math

import numpy as np

from . import philox
from .engines import Mersenne, Minstd, Philox
from .shuffling import Picks
from .streams import Stream, mixed


class UniformStates(Stream):
    """The state of ``minstd_rand0`` from which a program computes floats in [0, 1)."""

    per_value = 1

    def draw(self, engine, shape, dtype=None):
        state = np.array(engine.state, np.uint32)
        engine.skip(self.per_value * math.prod(shape))
        return state


class DoubleStates(UniformStates):
    """The state of ``minstd_rand0`` from which a program computes doubles in [0, 1), of two numbers each."""

    per_value = 2


class ChannelStates(DoubleStates):
    """The engine that draws which channels dropout keeps; MindSpore never seeds it."""

    def made(self, seeds):
        return Minstd(1)

    @staticmethod
    @functools.lru_cache(1024)
    def eager(keep_prob, shape, dtype, channels):
        """The stream of all calls that are not compiled and share a kernel in MindSpore."""
        return ChannelStates((0, 0), channels)


class Normals(Stream):
    """Normally distributed float32."""

    def draw(self, engine, shape):
        return engine.normals(math.prod(shape)).reshape(shape)


class Uniforms(Stream):
    """Uniformly distributed float32 in [0, 1]."""

    engine = Mersenne

    def draw(self, engine, shape):
        return engine.uniforms(math.prod(shape)).astype(np.float32).reshape(shape)


class Integers(Stream):
    """Uniformly distributed random ints in ``[low, high)``, which lie within int32."""

    engine = Mersenne

    def draw(self, engine, shape, low, high):
        return engine.integers(low, high, math.prod(shape)).astype(np.int32).reshape(shape)


class Orders(Stream):
    """A random permutation of the length given by the shape, int64."""

    def draw(self, engine, shape):
        start, picks = engine.state, Picks(engine)
        order = picks.order(*shape)
        engine.state = start
        engine.skip(picks.used)
        return order


class Poissons(Stream):
    """Poisson distributed float64 of one axis: ``count`` for each of the ``rates`` (tuple), which vary fastest."""

    def made(self, seeds):
        return Mersenne(mixed(*seeds) * 6364136223846793005 + 0xDA3E39CB94B95BDB)

    def draw(self, engine, shape, rates):
        (count,) = shape
        with contextlib.closing(_uniforms(engine)) as values:
            uniform = functools.partial(next, values)
            draws = [_knuth(rate, count, uniform) if rate < 10 else _rejected(rate, count, uniform) for rate in rates]
        return np.array(draws, np.float64).reshape(len(rates), count).T.reshape(-1)


def _uniforms(engine):
    """Yields float64 in [0, 1); the engine advances as if each had been drawn alone."""
    while True:
        start = engine.state
        values = engine.uniforms(1024).tolist()
        filled = 0
        try:
            while filled < len(values):
                filled += 1
                yield values[filled - 1]
        finally:
            if filled < len(values):
                engine.state = start
                engine.uniforms(filled)


def _knuth(rate, count, uniform):
    """Poisson numbers of a small rate: the count of uniform numbers whose product is above ``exp(-rate)`` (Knuth)."""
    limit, counts = math.exp(-rate), []
    for _ in range(count):
        times, product = 0, uniform()
        while product > limit:
            product *= uniform()
            times += 1
        counts.append(times)
    return counts


def _rejected(rate, count, uniform):
    """Poisson numbers of a rate of at least 10, by transformed rejection (Hörmann's PTRS, 1993)."""
    if math.isinf(rate):
        return [rate] * count
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    inner = 0.9277 - 3.6224 / (b - 2)
    logarithm, counts = math.log(rate), []
    while len(counts) < count:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43) if us else -1
        if us >= 0.07 and v <= inner:
            counts.append(k)
        elif k >= 0 and (us >= 0.013 or v <= us):
            height = math.log(v * inverse_alpha / (a / (us * us) + b)) if v else -math.inf
            if height <= k * logarithm - rate - math.lgamma(k + 1):
                counts.append(k)
    return counts


class Candidates(Stream):
    """The number of tries, and as many classes below ``limit`` as the shape says, uniformly distributed; int64."""

    def made(self, seeds):
        return Minstd(mixed(*seeds))

    def draw(self, engine, shape, unique, limit, excluded=()):
        (count,) = shape
        return _sampled(lambda count: engine.integers(0, limit, count).tolist(), count, unique, excluded)


class LogCandidates(Stream):
    """As `Candidates`, with log-uniformly distributed classes."""

    def made(self, seeds):
        return Philox(*seeds)

    def draw(self, engine, shape, unique, limit):
        (count,) = shape
        end = engine.state + 2048 * count
        logarithm = float(np.float32(math.log1p(limit)))

        def more(count):
            return ((np.exp(engine.doubles(count) * logarithm).astype(np.int64) - 1) % limit).tolist()

        candidates = _sampled(more, count, unique)
        engine.state = end
        return candidates


def _sampled(more, count, unique, excluded=()):
    """The number of tries and the classes, int64 of shape ``(1 + count,)``; ``more(count)`` draws classes."""
    if not unique:
        return np.array([count, *more(count)], np.int64)
    candidates, seen, tries = [], set(excluded), 0
    while len(candidates) < count:
        wanted = count - len(candidates)
        for choice in more(wanted):
            if choice not in seen:
                seen.add(choice)
                candidates.append(choice)
        tries += wanted
    return np.array([tries, *candidates], np.int64)


class Places(Stream):
    """The position in a Philox stream from which a program continues; each number may take 256 blocks.

    The seeds are the key and the upper half of the counter.
    """

    def made(self, seeds):
        return Philox(*seeds)

    def draw(self, engine, shape):
        position = engine.place()
        engine.skip(256 * philox.WORDS * math.prod(shape))
        return position


class Fractions(Places):
    """Uniformly distributed float32 in [0, 1) of 23 bits."""

    def draw(self, engine, shape):
        return engine.fractions(math.prod(shape)).reshape(shape)


class SameFractions(Fractions):
    """`Fractions`, the same at each call."""

    def draw(self, engine, shape):
        return Philox(engine.key, engine.stream).fractions(math.prod(shape)).reshape(shape)
