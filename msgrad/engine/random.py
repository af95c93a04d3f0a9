"""Random keys: a counter-based generator of the raw keys that random operations take as an input, and handles on them.

Key ``n`` of seed ``s`` is word ``n`` of the Philox stream keyed by ``s``, so a generator's whole state is the two
numbers ``(seed, offset)``: it can be saved, restored and moved at no cost, and equal states give equal keys on every
platform. A key reaches compiled code as data, so drawing a new one never compiles anything.
"""

import secrets
import threading
from typing import Any

import numpy as np

from .handle import Handle, scope

_BLOCK = 256  # keys made at once: one call into numpy for 256 keys costs 11 µs, one for a single key 9 µs
_WORD = 1 << 64

_MSG_STATE = (
    "Invalid tensor input: State. The state of a Generator is an array of 16 uint8 values as get_state() returns it, "
    "but got {}."
)


class Generator:
    """A stream of random keys.

    Generators may be shared between threads: no key is given twice.

    Args:
        seed (int): where the stream starts; any int, taken modulo ``2**64``. Default: ``0``.
    Example:
        >>> generator = Generator(5)
        >>> first = generator.next_key()
        >>> generator.manual_seed(5).next_key().tolist() == first.tolist()
        True
    """

    _keys: Any

    def __init__(self, seed=0):
        self._lock = threading.Lock()
        self.manual_seed(seed)

    def manual_seed(self, seed):
        """Restarts the stream at ``seed`` (int) and returns this generator."""
        with self._lock:
            self._restart(seed % _WORD, 0)
        return self

    def seed(self):
        """Restarts the stream at a fresh unpredictable 32-bit seed and returns that seed (int)."""
        seed = secrets.randbits(32)
        self.manual_seed(seed)
        return seed

    def initial_seed(self):
        """The seed (int) at which the stream last restarted."""
        return self._seed

    def get_state(self):
        """The state as a numpy array, uint8 of shape ``(16,)``: seed, then number of keys drawn, both little-endian."""
        with self._lock:
            return np.array([self._seed, self._offset], "<u8").view(np.uint8)

    def set_state(self, state):
        """Continues from a ``state`` that ``get_state`` returned, and returns this generator.

        Raises:
            RuntimeError: if ``state`` is not an array of 16 uint8 values.
        """
        if not isinstance(state, np.ndarray) or state.dtype != np.uint8 or state.shape != (16,):
            got = f"{state.dtype}{state.shape}" if isinstance(state, np.ndarray) else type(state).__name__
            raise RuntimeError(_MSG_STATE.format(got))
        seed, offset = np.ascontiguousarray(state).view("<u8").tolist()
        with self._lock:
            self._restart(seed, offset)
        return self

    def next_key(self):
        """Draws a key: a read-only numpy array, uint32 of shape ``(2,)``, the data of a ``threefry2x32`` key of JAX."""
        with self._lock:
            # On the host: a key takes 0.3 us, folded by JAX 66 us and a launch, and under `jax.jit` it would be a
            # tracer.
            index = self._offset % _BLOCK
            if index == 0 or self._keys is None:
                self._keys = self._block(self._offset // _BLOCK)
            self._offset = (self._offset + 1) % _WORD
            return self._keys[index]

    def peek(self, count):
        """The key that is drawn after the next ``count`` ones; none is drawn."""
        with self._lock:
            number, index = divmod((self._offset + count) % _WORD, _BLOCK)
            here, drawn = divmod(self._offset, _BLOCK)
            keys = self._keys if drawn and number == here else None
            return (self._block(number) if keys is None else keys)[index]

    def _restart(self, seed, offset):
        self._seed, self._offset, self._keys = seed, offset, None

    def _block(self, number):
        # Philox counts in blocks of four words.
        words = np.random.Philox(key=self._seed, counter=number * (_BLOCK // 4)).random_raw(_BLOCK)
        keys = words.view(np.uint32).reshape(_BLOCK, 2)
        keys.flags.writeable = False
        return keys

    def __getstate__(self):
        return self.get_state()

    def __setstate__(self, state):
        self.__init__()
        self.set_state(state)


default_generator = Generator(secrets.randbits(32))
"""The generator of every random operation that is not given one; unpredictable until it is seeded."""


class Draw(Handle):
    """A handle on a random key: each run of a Plan draws a new one; the first run uses that of the recording."""

    generator: Any

    @classmethod
    def of(cls, made, *what):
        """The draw of one call, or that of an earlier forward pass which the open recording repeats (`forward_reuse`).

        Args:
            made (callable): gives the generator.
            what: whose draw it is, by which the two passes are compared.
        """
        trace = scope.trace
        if trace is not None and trace.repeated:
            before, draw = trace.repeated.popleft()
            if before == what:
                return draw
            trace.repeated = ()
        generator = made()
        generator = scope.keys or generator
        draw = cls._wrap(generator.next_key())
        draw.generator, draw.is_spent = generator, False
        if trace is not None and trace.undo_logs:
            trace.draws.append((what, draw))
        return draw

    def key(self):
        """The key of a run: the recording's in the first one, so that a seed gives one sequence in all modes."""
        if self.is_spent:
            return self.generator.next_key()
        self.is_spent = True
        return self._own_state_()
