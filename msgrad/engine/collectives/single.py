"""Collectives outside of recordings: each carries a header that describes it, which the processes compare.

Announcing each to the others beforehand, by the key-value store, takes four times as long as the collective. So only
the first of a kind is; later ones send a header of 8 bytes, the kind and the number of the collective. What a small one
sends is gathered with its header, padded to a power of two, so that two small ones of different kinds still meet, and
each process computes the result from what all have sent. A large one is followed by a gather of the headers.
"""

import dataclasses
import functools
import hashlib
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import _jax_private, errors
from ..execution.executables import strong
from ..host import to_device
from ..processes import peers
from ..processes.peers import Mark
from .groups import AXIS, SMALL
from .spreading import of_process

_LEAST = 256  # bytes that are sent at least
_HEADER = 8
_COUNTED = 1 << 31  # what the number in a header never is


class Single:
    """A `Collective` for operands of one shape and dtype, launched by the processes of its group.

    Args:
        op (Collective): the operation.
    """

    __slots__ = ("op", "marks", "launch", "digest")

    def __init__(self, op):
        self.op, self.marks = op, None

    def __call__(self, value, token):
        value, group = of_process(value), self.op.group
        if self.marks is None:
            about = value.shape, value.dtype
            self.launch, self.digest = _launch_of(self.op.exchange, group, *about)
            self.marks = (Mark(self.op.exchange.what, *about, self.op.line),)
        with peers.LOCK:
            peers.agree(group, self.marks)
            count, counter = group.counter
            if count != group.count:  # programs have run in between, or it is the first
                count, counter = (
                    group.count,
                    group.shown(to_device(np.array([group.count % _COUNTED], np.uint32))),
                )
            try:
                result, headers, counter = peers.run(group, self.marks, self._run, (group.shown(value), counter))
            except jax.errors.JaxRuntimeError as error:
                restated = errors.of_device(error)
            else:
                group.counter = group.count, counter
                headers = memoryview(_jax_private.local_part(headers)).tobytes()
                if headers != (self.digest + (count % _COUNTED).to_bytes(4, "little")) * group.size:
                    peers.differ(group, self.marks[0], headers)
                return _jax_private.local_part(result), token
        raise restated from None

    def _run(self, *operands):
        results = self.launch(*operands)
        results[1].block_until_ready()  # without asking first: that would take the processor from gloo
        return results


@functools.lru_cache(maxsize=256)
def _launch_of(exchange, group, shape, dtype):
    """The compiled function, and the digest for headers, of all collectives of a kind."""
    digest = hashlib.blake2s(repr(Mark(exchange.what, shape, dtype, None).key).encode(), digest_size=4).digest()
    kind = np.frombuffer(digest, np.uint32)
    size = math.prod(shape) * dtype.itemsize
    is_small = size <= SMALL and dtype.kind not in "bc" and exchange.is_of_all
    run = _gathered(exchange, group, size) if is_small else _followed(exchange, group)

    def counted(value, counter):
        return *run(value, jnp.concatenate([kind, counter])), (counter + 1) % _COUNTED

    return jax.jit(group.within(strong(counted))), digest


@dataclasses.dataclass
class _Gathered:
    """A `Group` of whose members this process has all values."""

    size: int
    is_sending = False


def _gathered(exchange, group, size):
    """A function of a value and a header that gathers both, and computes the result from the values of all."""
    room = max(_LEAST, 1 << (size + _HEADER - 1).bit_length())

    def run(value, header):
        # Sent is what each number is: conversions would make the program too long for XLA to run it in the calling
        # thread (0.15 ms). But bytes would take ten times as long to move, and XLA converts floats of 16 bits.
        words = value.dtype if value.dtype.itemsize >= 4 else jnp.dtype(f"uint{8 * value.dtype.itemsize}")
        head = lax.bitcast_convert_type(header, words).reshape(-1)
        sent = lax.bitcast_convert_type(value, words).reshape(-1)
        spare = jnp.zeros((room - size - _HEADER) // words.itemsize, words)
        every = lax.all_gather(jnp.concatenate([head, sent, spare]), AXIS)
        values = every[:, head.size : head.size + sent.size].reshape(group.size, *value.shape)
        values = lax.bitcast_convert_type(values, value.dtype)
        here = _Gathered(group.size)
        results = jax.vmap(lambda each: exchange.forward(each, here), axis_name=AXIS)(values)
        return results[lax.axis_index(AXIS)], every[:, : head.size]

    return run


def _followed(exchange, group):
    """A function of a value and a header that exchanges the one, and then gathers the other."""

    def run(value, header):
        result = exchange.forward(value, group)
        # The header is to be had only when the result is: the token's choice (`ordering`) of what XLA does not know.
        first = jnp.sum(jnp.real(result.reshape(-1)[:1]).astype(jnp.uint32), dtype=jnp.uint32)
        after = jnp.where(header[-1] == _COUNTED, first, header)
        return result, lax.all_gather(after, AXIS)

    return run
