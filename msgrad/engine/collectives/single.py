"""Collectives outside of recordings: each carries a header that describes it, which the processes compare.

Announcing each to the others beforehand, by the key-value store, takes four times as long as the collective. So only
the first of a kind is; later ones send a header of 8 bytes, the kind and the number of the collective. What a small one
sends is gathered with its header, padded to a power of two, so that two small ones of different kinds still meet, and
each process computes the result from what all have sent. A large one is followed by a gather of the headers.
"""

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
from .groups import AXIS
from .spreading import of_process

_SMALL = 1 << 16  # bytes up to which gathering all that is sent takes no longer than reducing it
_LEAST = 256  # bytes that are sent at least
_HEADER = 8
_COUNTED = 1 << 31  # so that the last byte of a header is never 255


class Single:
    """A `Collective` for operands of one shape and dtype, launched by the processes of its group.

    Args:
        op (Collective): the operation.
    """

    __slots__ = ("op", "mark", "launch", "digest")

    def __init__(self, op):
        self.op, self.mark = op, None

    def __call__(self, value, token):
        value, group = of_process(value), self.op.group
        if self.mark is None:
            about = value.shape, value.dtype
            self.launch, self.digest = _launch_of(self.op.exchange, group, *about)
            self.mark = Mark(self.op.exchange.what, *about, self.op.line)
        mark = self.mark
        with peers.LOCK:
            peers.agree(group, (mark,))
            count, counter = group.counter
            if count != group.count:  # programs have run in between, or it is the first
                count, counter = (
                    group.count,
                    group.shown(to_device(np.array([group.count % _COUNTED], np.uint32))),
                )
            try:
                with peers.launched(group, (mark,)):
                    result, headers, counter = self.launch(group.shown(value), counter)
                    headers.block_until_ready()  # without asking first: that would take the processor from gloo
            except jax.errors.JaxRuntimeError as error:
                restated = errors.of_device(error)
            else:
                group.counter = group.count, counter
                headers = memoryview(_jax_private.local_part(headers)).tobytes()
                if headers != (self.digest + (count % _COUNTED).to_bytes(4, "little")) * group.size:
                    peers.differ(group, mark, headers)
                return _jax_private.local_part(result), token
        raise restated from None


@functools.lru_cache(maxsize=256)
def _launch_of(exchange, group, shape, dtype):
    """The compiled function, and the digest for headers, of all collectives of a kind."""
    digest = hashlib.blake2s(repr(Mark(exchange.what, shape, dtype, None).key()).encode(), digest_size=4).digest()
    size = math.prod(shape) * dtype.itemsize
    is_small = size <= _SMALL and dtype.kind not in "bc" and exchange.is_of_all
    run = _gathered(exchange, group, size) if is_small else _followed(exchange, group)

    def counted(value, counter):
        number = lax.bitcast_convert_type(counter, jnp.uint8).reshape(-1)
        header = jnp.concatenate([jnp.array(list(digest), jnp.uint8), number])
        return *run(value, header), (counter + 1) % _COUNTED

    return jax.jit(group.within(strong(counted))), digest


def _gathered(exchange, group, size):
    """A function of a value and a header that gathers both, and computes the result from the values of all."""
    room = max(_LEAST, 1 << (size + _HEADER - 1).bit_length())

    def run(value, header):
        words = jnp.dtype(f"uint{8 * value.dtype.itemsize}")  # bytes would take ten times as long to move
        head = lax.bitcast_convert_type(header.reshape(-1, words.itemsize), words).reshape(-1)
        sent = lax.bitcast_convert_type(value, words).reshape(-1)
        spare = jnp.zeros((room - size - _HEADER) // words.itemsize, words)
        every = lax.all_gather(jnp.concatenate([head, sent, spare]), AXIS)
        values = every[:, head.size : head.size + sent.size].reshape(group.size, *value.shape)
        values = lax.bitcast_convert_type(values, value.dtype)
        results = jax.vmap(lambda each: exchange.forward(each, group), axis_name=AXIS)(values)
        heads = lax.bitcast_convert_type(every[:, : head.size], jnp.uint8).reshape(group.size, _HEADER)
        return results[lax.axis_index(AXIS)], heads

    return run


def _followed(exchange, group):
    """A function of a value and a header that exchanges the one, and then gathers the other."""

    def run(value, header):
        result = exchange.forward(value, group)
        # The header is to be had only when the result is: the token's choice (`ordering`) of what XLA does not know.
        first = jnp.sum(jnp.real(result.reshape(-1)[:1]).astype(jnp.uint8), dtype=jnp.uint8)
        after = jnp.where(header[-1] == 255, first, header)
        return result, lax.all_gather(after, AXIS)

    return run
