"""Collectives that are a launch of their own: outside of recordings, and in programs that NumPy runs (`interpreted`).

Announcing each to the others beforehand, by the key-value store, takes four times as long as the collective. So only
the first of a kind is; later ones are compared by their headers.
"""

import functools

import jax

from .. import _jax_private, errors, jax_options
from ..processes import guard
from ..processes.peers import Mark
from .headers import compared, is_one_message
from .joint import Joint
from .operands import of_process
from .status import awaited

_LARGE, _SMALL = _jax_private.OLD_EMITTERS, _jax_private.OLD_EMITTERS | _jax_private.UNOPTIMIZED  # options of XLA's


class Launch(Joint):
    """One collective, compiled over the processes of its group, of a shape and dtype.

    Args:
        exchange (Exchange): what it computes.
        group (Group): the processes.
        mark (Mark): describes it.
    """

    __slots__ = ("exchange", "mark")

    def __init__(self, exchange, group, mark):
        super().__init__(self._compared, (exchange, group, *mark.key), group)
        self.exchange, self.mark = exchange, mark

    def exchanged(self, value, mark):
        """The result; ``mark`` describes this launch, with the user's line.

        Raises:
            CollectiveError: if another process does not take part, or runs another collective.
        """
        run = self.ready()
        try:
            result, _ = guard.run(
                self.group,
                (mark,),
                lambda value: awaited(self.group, (mark,), jax_options.launched(run, value)),
                (self.group.as_shard(value),),
            )
        except jax.errors.JaxRuntimeError as error:
            restated = errors.of_device(error)
        else:
            return _jax_private.local_part(result)
        raise restated from None

    def _compared(self, value):
        return compared(self.exchange, self.group, self.mark, value)

    def compiler_options(self):
        if jax.default_backend() != "cpu":
            return None
        return _SMALL if is_one_message(self.exchange, *self.mark.key[1:]) else _LARGE

    def _function(self):
        return self.group.within(super()._function())


class Single:
    """A `Collective` for operands of the same shape and dtype, launched by the processes of its group.

    Args:
        op (Collective): the operation.
    """

    __slots__ = ("op", "mark", "launch")

    def __init__(self, op):
        self.op, self.mark = op, None

    def __call__(self, value, token):
        value, op = of_process(value), self.op
        with guard.LOCK:
            if self.mark is None:
                self.launch = launch_of(op.exchange, op.group, op.exchange.label, value.shape, value.dtype)
                mark = Mark(op.exchange.label, value.shape, value.dtype, op.line)
                guard.agree(op.group, (mark,))
                self.mark = mark
            return self.launch.exchanged(value, self.mark), token


@functools.lru_cache(maxsize=256)
def launch_of(exchange, group, label, shape, dtype):
    """The `Launch` of all collectives of a kind."""
    return Launch(exchange, group, Mark(label, shape, dtype, None))
