"""Pure functions of calls: values of handles and a random key are arguments, what the call writes is a result.

JAX may trace it (`to_jax`): the arrays may be tracers, and no handle keeps one when it is over.
"""

import jax
import jax.numpy as jnp

from ..execution.donation import lend
from ..handle import scope
from ..pytrees import mapped
from ..recording.call_trace import CallTrace
from ..recording.program import Op
from ..recording.trace import apply
from .staging import Policy

_MSG_WRITES = (
    "For 'to_jax', the function writes to '{}', which is none of its Parameters: a pure function returns all that it "
    "computes. Make it a Parameter of the Cell, or return the value."
)
_MSG_RULE = (
    "For 'to_jax', JAX would differentiate through {} and ignore it: rules and hooks belong to "
    "MindSpore's gradients. Take them with mindspore.grad inside the function, or write the rule as a jax.custom_vjp "
    "and use it through msgrad.from_jax."
)
_MSG_NO_KEYS = (
    "For 'to_jax', the function draws random numbers, but 'rngs' is None. Give it a key, "
    "apply(..., rngs=jax.random.key(0)), and another one at each step."
)


class _Keys:
    """A generator of random keys derived from one JAX key by ``fold_in``, in place of the global one."""

    def __init__(self, key):
        self.key = key
        self.count = 0

    def next_key(self):
        """The next raw key of two uint32, for any kind of ``key``, raw or typed.

        Raises:
            RuntimeError: if there is no key.
        """
        if self.key is None:
            raise RuntimeError(_MSG_NO_KEYS)
        self.count += 1
        return jax.random.bits(jax.random.fold_in(self.key, self.count), (2,), jnp.uint32)


class _PureTrace(CallTrace):
    """The recording of a pure call; writes to other handles than its arguments are errors."""

    def __init__(self, site, handles):
        super().__init__(site)
        self.own = {id(handle) for handle in handles}
        self.shares = not Policy.staged

    def own_input(self, handle):
        """A handle on an input, which the call may write to without effect on ``handle``."""
        stand_in = self.input(handle)
        self.detach(stand_in)
        return stand_in

    def check_writes(self, results):
        for handle, _ in self.writes.values():
            if id(handle) not in self.own:
                raise RuntimeError(_MSG_WRITES.format(getattr(handle, "name", None) or type(handle).__name__))


def call(fn, args, bound, key, site):
    """Calls ``fn(*args)`` with other values in the handles, and restores their own values afterwards.

    Args:
        fn (callable): takes and returns pytrees of handles and anything else.
        args (tuple): pytrees of handles, which the call may write to without effect outside, and anything else.
        bound (list): pairs of a handle and the array that is its value.
        key (jax.Array): what random operations draw from, or None.
        site (str): its name in the accounting.
    Returns:
        tuple: what ``fn`` returns with arrays in place of handles, and the arrays of the handles of ``bound`` that were
        written to, a dict by the handle's id.
    Raises:
        RuntimeError: if ``fn`` writes to any other handle from outside, or draws without a key.
    """
    handles = [handle for handle, _ in bound]
    around, scope.trace = scope.trace, _PureTrace(site, handles)
    # Put aside, with the generator: JAX differentiates this call, and no backward pass of ours sees it.
    saving, scope.saving = scope.saving, None
    keys, scope.keys = scope.keys, _Keys(key)
    trace, before = scope.trace, [handle._recorded_() for handle in handles]
    try:
        for handle, array in bound:
            handle._set_recorded_(array)
        output = fn(*mapped(trace.own_input, args))
        trace.flush()
        arrays = mapped(lambda handle: lend(handle._array_()), output)
        written = {id(handle): lend(handle._array_()) for handle, _ in trace.writes.values()}
    finally:
        # On success as well: what was written is returned, and every handle goes back to its own value.
        trace.abandon()
        for handle, state in zip(handles, before, strict=True):
            handle._set_recorded_(state)
        scope.trace, scope.saving, scope.keys = around, saving, keys
    return arrays, written


class _Guard(Op):
    """The identity, whose derivative by JAX is an error that names ``static``."""

    def bind(self, static):
        # A rule of forward mode, since reverse mode in JAX goes through it, too: it refuses both.
        @jax.custom_jvp
        def guard(value):
            return value

        @guard.defjvp
        def refuse(primals, tangents):
            raise RuntimeError(_MSG_RULE.format(static))

        return guard


_GUARD = _Guard("to_jax")


def guarded(output, rule):
    """Refuses JAX's derivative of ``output``, which has a user-defined reverse rule that JAX would leave out.

    Only in a pure call, where no gradient of msgrad's is being taken; elsewhere it is ``output``.

    Args:
        output (pytree): of Tensors.
        rule (str): what it is, for the message.
    """
    trace = scope.trace
    if trace is None or type(trace.outermost()) is not _PureTrace:
        return output
    return mapped(lambda handle: apply(_GUARD, (handle,), rule), output)
