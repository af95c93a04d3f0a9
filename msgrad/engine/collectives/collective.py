"""Collectives: operations in which the processes of a group exchange values.

Each reads and writes one *token*, a handle that all recordings share, as BatchNorm does its statistics. So everything
that holds for what a recording writes holds for collectives: none is dropped because its result is unused, they run
in the order in which Python came to them, and gradients, staged calls and loops carry them along. `ordering`
tells XLA.
"""

import functools
import itertools
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import foreign_tracing
from ..handle import Handle, scope
from ..host import to_device
from ..processes.peers import LATEST, Peers
from ..recording.program import Op
from ..recording.trace import apply
from ..user_code import place
from . import global_programs, ordering
from .single import Single

global_programs.register()

_MSG_TRACED = (
    "Collectives cannot run inside a function that JAX traces for the user (jax.jit, jax.grad, to_jax): use "
    "mindspore.jit and mindspore.grad there."
)


# -- the operations -------------------------------------------------------------------------------------------------


class Exchange:
    """The computation of a collective: a pure function inside `Group.within`, with its adjoint.

    Args:
        label (str): its name in messages.
        forward (function): of the operand and the group, gives the result.
        adjoint (Exchange): what gradients pass on their way back; None where they do not go to other processes.
        before, after (function): of the operand, the result and the gradient, give the gradient that enters the
            ``adjoint``, and that by the operand. Default: the gradient.
        is_of_all (bool): whether `jax.vmap` computes ``forward`` from the values of all members. Default: ``True``.

    Attributes:
        made_by (tuple): the name of the `maker`, and its arguments; None without one.
    """

    __slots__ = ("label", "forward", "adjoint", "before", "after", "is_of_all", "made_by", "__weakref__")

    def __init__(self, label, forward, adjoint=None, before=None, after=None, is_of_all=True):
        self.label, self.forward, self.adjoint, self.is_of_all = label, forward, adjoint, is_of_all
        self.made_by = None
        self.before = before or (lambda x, out, gradient: gradient)
        self.after = after or (lambda x, out, gradient: gradient)

    def __reduce__(self):
        if self.made_by is None:
            raise pickle.PicklingError(self.label)
        return _made_by, self.made_by

    def stable_parts(self):
        """The parts of its `stable_key`."""
        return self.made_by

    def of_samples(self):
        """The exchange of several values at once, which are the first axis of the operand."""
        forward = self.forward
        return Exchange(
            self.label, lambda x, group: jax.vmap(lambda each: forward(each, group))(x), is_of_all=self.is_of_all
        )


_makers = {}  # by name


def maker(make):
    """Decorates a function that makes an `Exchange`: equal arguments give the same object, in all processes."""

    @functools.wraps(make)
    def made(*args):
        exchange = make(*args)
        exchange.made_by = make.__name__, *args
        return exchange

    _makers[make.__name__] = functools.cache(made)
    return _makers[make.__name__]


def _made_by(name, *args):
    return _makers[name](*args)


def _exchanged(exchange, group, line, x, token, *known_results):
    """The result of an `Exchange` and the next token; ``known_results`` holds the result if it has run already."""

    @jax.custom_vjp
    def run(x, token, *known_results):
        if known_results:
            return known_results[0], token
        return tuple(ordering.collective.bind(x, token, exchange=exchange, group=group, line=line))

    def forward(x, token, *known_results):
        # With ``symbolic_zeros`` JAX gives operands as (value, perturbed): one that no gradient goes to is not kept.
        results = run(x.value, token.value, *[each.value for each in known_results])
        return results, (x.value if x.perturbed else None, results[0], len(known_results))

    def backward(saved, cotangents):
        x, result, count = saved
        gradient, token = cotangents
        # A zero that JAX only knows of cannot order anything: the token must be an array.
        token = jnp.zeros(token.shape, token.dtype) if _is_zero(token) else token
        none = [None] * count
        # Decided by the program, which is the same in all processes: none of them waits for an exchange that others
        # leave out.
        if x is None or not jnp.issubdtype(x.dtype, jnp.inexact) or _is_zero(gradient):
            return (None, token, *none)
        cotangent = exchange.before(x, result, gradient)
        if exchange.adjoint is not None:
            cotangent, token = _exchanged(exchange.adjoint, group, line, cotangent, token)
        cotangent = exchange.after(x, result, cotangent)
        return (cotangent.astype(x.dtype).reshape(x.shape), token, *none)

    run.defvjp(forward, backward, symbolic_zeros=True)
    return run(x, token, *known_results)


def _is_zero(cotangent):
    return isinstance(cotangent, jax.custom_derivatives.SymbolicZero)


def _all_exchanged(exchange, group, line, values, token, known_results=()):
    """The results of an `Exchange` of several values, in one collective for each dtype, and the next token.

    Six of 64 KB take 27 ms one by one, and 4 ms in one.
    """
    by_dtype, results = {}, [None] * len(values)
    for position, value in enumerate(values):
        by_dtype.setdefault(value.dtype, []).append(position)
    for positions in by_dtype.values():
        of_dtype, known = [values[k] for k in positions], [known_results[k] for k in positions if known_results]
        if len(of_dtype) == 1:
            results[positions[0]], token = _exchanged(exchange, group, line, of_dtype[0], token, *known)
            continue
        flat, token = _exchanged(exchange, group, line, _flat(of_dtype), token, *([_flat(known)] if known else []))
        ends = list(itertools.accumulate(value.size for value in of_dtype))
        for k, value, part in zip(positions, of_dtype, jnp.split(flat, ends[:-1]), strict=True):
            results[k] = part.reshape(value.shape)
    return *results, token


def _flat(values):
    return jnp.concatenate([value.reshape(-1) for value in values])


class Collective(Op):
    """An `Exchange` in a group, of ``count`` values and the token; results are as many values and the token.

    ``is_single`` says whether it is one value outside of recordings.
    """

    __slots__ = ("exchange", "group", "line", "count", "is_single")

    def __init__(self, exchange, group, line, count, is_single):
        super().__init__(exchange.label)
        self.exchange, self.group, self.line = exchange, group, line
        self.count, self.is_single = count, is_single
        self.collective = group
        self.custom = True

    def stable_parts(self):
        return self.exchange, self.group, self.line, self.count

    def bind(self, static):
        count, call = self.count, (self.exchange, self.group, self.line)
        return lambda *operands: _all_exchanged(*call, operands[:count], operands[count])

    def tokens(self) -> Any:
        return self.count, self.count

    def executable(self, fn):
        return Single(self) if self.is_single else super().executable(fn)

    def known(self):
        return _Known.of(self)


class _Known(Op):
    """A `Collective` that has run: gives the results that it takes as further operands, with their gradients."""

    __slots__ = ("inner",)

    def __init__(self, inner):
        super().__init__(inner.name)
        self.inner = inner
        self.collective, self.custom = inner.collective, True

    @classmethod
    @functools.cache
    def of(cls, inner):
        """The interned operation."""
        return cls(inner)

    def tokens(self) -> Any:
        return self.inner.tokens()

    def bind(self, static):
        count, call = self.inner.count, (self.inner.exchange, self.inner.group, self.inner.line)
        return lambda *operands: _all_exchanged(*call, operands[:count], operands[count], operands[count + 1 : -1])


@functools.cache
def _collective(exchange, group, line, count, is_single):
    return Collective(exchange, group, line, count, is_single)


class _Token(Handle):
    """The state of the token that each collective reads and writes."""

    _can_be_undone = False


@functools.cache
def token():
    """The handle that each collective reads and writes."""
    handle = _Token.__new__(_Token)
    handle._start_with_(first_token())
    return handle


def first_token():
    """A token that depends on no other collective."""
    return to_device(np.zeros((), np.float32))


def is_token(handle):
    """Whether ``handle`` is the token."""
    return type(handle) is _Token


def written_in(trace):
    """The token if ``trace`` contains collectives, else None."""
    return token() if trace.exchanging is not None and id(token()) in trace.writes else None


def run(exchange, group, operand):
    """Records a collective, or runs it where no recording is open.

    Args:
        exchange (Exchange): what it computes.
        group (Group): the processes; this one must be among them.
        operand (Handle): this process's value.
    Returns:
        Handle: the result.
    """
    return _run(exchange, group, place(), (operand,), scope.trace is None)[0]


def run_all(exchange, group, operands):
    """`run` for several values (a sequence), fused; ``exchange`` is elementwise. Returns a list."""
    # Not a part of the operation: a training step that is called from another line is the same program.
    Peers.line = place()
    return _run(exchange, group, LATEST, operands, False)


def _run(exchange, group, line, operands, is_single):
    if foreign_tracing.is_under_way():
        raise RuntimeError(_MSG_TRACED)
    if scope.trace is not None:
        scope.trace.enter(group)
    # Not cast by `amp`, for the others might not be under it: what is sent is what they expect.
    casting, scope.casting = scope.casting, None
    try:
        op = _collective(exchange, group, line, len(operands), is_single)
        *results, after = apply(op, (*operands, token()))
    finally:
        scope.casting = casting
    if not is_single:  # which gives the token as it was
        token()._write_(after)
    return results
