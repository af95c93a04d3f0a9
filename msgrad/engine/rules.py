"""Reverse rules of the user's: recorded Programs that a backward pass goes through.

Each says by ``links`` where the leaves of its Program come from: ``("cotangent", index)`` or ``("value", index)`` in
the Program that it is applied in. Its Program may contain calls with ``rules`` of their own, for derivatives of higher
order. Each is interned with the Step that its own Program ends at.

A recording's rules are pairs: of the index of a value and its `Hook` or `Alias`, or of the index of the first result of
an operation and its `Backward`.
"""

import jax
import jax.numpy as jnp
from jax import dtypes as jax_dtypes

from .lifting import is_inexact


class _Interned:
    """What `Hook` and `Backward` share; subclasses say what ``results`` are."""

    def __init__(self, step, results, links, rules):
        self.program = step.close()
        self.links = links
        self.results = results
        self.saved = tuple([index for kind, index in links if kind == "value"])
        self.tables = tables(rules)

    @classmethod
    def of(cls, step, results, links, rules):
        """The rule with this Program, these results, links and rules; equal ones are one object."""
        key = (cls, results, links, rules)
        if key not in step.ops:
            step.ops[key] = cls(step, results, links, rules)
        return step.ops[key]


class Hook(_Interned):
    """An identity whose backward pass sends the gradient through a Program; ``results`` is the index of its result."""

    def attach(self, value, env):
        """``value`` with the hook on its gradient; ``env`` has the saved values."""
        saved = [env[index] for index in self.saved]

        @jax.custom_vjp
        def identity(value, *saved):
            return value

        def forward(value, *saved):
            return identity(value, *saved), saved

        def reverse(saved, cotangent):
            rest = iter(saved)
            leaves = [jnp.conj(cotangent) if kind == "cotangent" else next(rest) for kind, _ in self.links]
            (result,) = self.program.replay(leaves, [self.results], *self.tables)
            return (jnp.conj(result.astype(cotangent.dtype)), *[None] * len(saved))

        identity.defvjp(forward, reverse)
        return identity(value, *saved)


class Alias:
    """Puts the value of the leaf ``index`` in the place of a value: it is computed outside, where its rules are."""

    def __init__(self, index):
        self.saved = (index,)

    def __eq__(self, other):
        return type(other) is Alias and self.saved == other.saved

    def __hash__(self):
        return hash(self.saved)

    def attach(self, value, env):
        """The value to use for ``value``; ``env`` has the leaves."""
        return env[self.saved[0]]


class Backward(_Interned):
    """The reverse rule of an operation; ``results`` pairs positions of its operands with values of the rule.

    An operand that is not there gets no gradient.
    """

    def call(self, fn, operands, indices, env):
        """``fn(*operands)``, a tuple, with this rule.

        Args:
            fn (callable): the pure function.
            operands (sequence of arrays): its arguments.
            indices (sequence of int): the index of each of its results.
            env (dict): the saved values by index; those that are results of ``fn`` are not needed.
        Returns:
            tuple of arrays.
        """
        places = {index: k for k, index in enumerate(indices)}
        outside = [index for index in self.saved if index not in places]
        avals = [(value.shape, value.dtype) for value in operands]
        count = len(operands)

        @jax.custom_vjp
        def call(*values):
            return fn(*values[:count])

        def forward(*values):
            # The call itself, not `fn`, gives the results: so the rule holds for higher orders too.
            results = call(*values)
            return results, (values[count:], results)

        def reverse(known, cotangents):
            values, results = known
            env = {**dict(zip(outside, values, strict=True)), **dict(zip(indices, results, strict=True))}
            leaves = [
                env[index] if kind == "value" else _as_cotangent(cotangents[places[index]], aval)
                for (kind, index), aval in zip(self.links, self.program.leaves, strict=True)
            ]
            pulled = self.program.replay(leaves, [index for _, index in self.results], *self.tables)
            given = dict(zip([position for position, _ in self.results], pulled, strict=True))
            gradients = [_as_gradient(given.get(k), aval) for k, aval in enumerate(avals)]
            return (*gradients, *[None] * len(outside))

        call.defvjp(forward, reverse)
        return call(*operands, *[env[index] for index in outside])


def tables(rules):
    """What ``Program.replay`` takes for the rules of a recording: its ``intercept``, ``rules`` and ``also``."""
    others, backward = {}, {}
    for index, rule in rules:
        if isinstance(rule, Backward):
            backward[index] = rule
        else:
            others.setdefault(index, []).append(rule)
    saved = tuple([index for _, rule in rules for index in rule.saved])
    return {index: _through(each) for index, each in others.items()}, backward, saved


def _through(rules):
    """An ``intercept`` that lets the gradient of a value pass its hooks in order."""

    def intercept(value, env):
        for rule in reversed(rules):
            value = rule.attach(value, env)
        return value

    return intercept


def _as_cotangent(cotangent, aval):
    shape, dtype = aval
    if cotangent.dtype == jax_dtypes.float0:
        return jnp.zeros(shape, dtype)
    return jnp.conj(cotangent).astype(dtype)


def _as_gradient(value, aval):
    shape, dtype = aval
    if value is None or not is_inexact(dtype):
        return None
    return jnp.conj(jnp.broadcast_to(value, shape).astype(dtype))
