"""Collectives outside of recordings, each a launch of its own.

Announcing each to the others beforehand, by the key-value store, takes four times as long as the collective. So only
the first of a kind is; later ones are compared by their headers.
"""

import functools

import jax

from .. import _jax_private, errors
from ..execution.executables import strong
from ..processes import guard
from ..processes.peers import Mark
from .group_executables import of_process
from .headers import compared
from .status import awaited


class Single:
    """A `Collective` for operands of the same shape and dtype, launched by the processes of its group.

    Args:
        op (Collective): the operation.
    """

    __slots__ = ("op", "marks", "launch")

    def __init__(self, op):
        self.op, self.marks = op, None

    def __call__(self, value, token):
        value, group = of_process(value), self.op.group
        if self.marks is None:
            aval = value.shape, value.dtype
            self.launch = _launch_of(self.op.exchange, group, *aval)
            self.marks = (Mark(self.op.exchange.label, *aval, self.op.line),)
            with guard.LOCK:
                guard.agree(group, self.marks)
        with guard.LOCK:
            try:
                result, _ = guard.run(group, self.marks, self._run, (group.as_shard(value),))
            except jax.errors.JaxRuntimeError as error:
                restated = errors.of_device(error)
            else:
                return _jax_private.local_part(result), token
        raise restated from None

    def _run(self, value):
        return awaited(self.op.group, self.marks, self.launch(value))


@functools.lru_cache(maxsize=256)
def _launch_of(exchange, group, shape, dtype):
    """The compiled function of all collectives of a kind."""
    mark = Mark(exchange.label, shape, dtype, None)
    return jax.jit(group.within(strong(lambda value: compared(exchange, group, mark, value))))
