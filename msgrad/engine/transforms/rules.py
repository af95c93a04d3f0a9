"""User-defined reverse rules (hooks, ``bprop``) as recorded Programs, which the backward pass replays.

Each says by ``links`` where the leaves of its Program come from: ``("cotangent", index)`` or ``("value", index)`` in
the Program that it is applied in. Its Program may contain operations with ``rules`` of their own, for derivatives of
higher order. Each is interned with the Step at which its own Program ends, so equal rules are one object.

A recording's rules are pairs: of the index of a value and its `Hook`, `Last` or `Alias`, or of the index of the first
result of an operation and its `Backward`.
"""

import jax
import jax.numpy as jnp
from jax import dtypes as jax_dtypes

from .lifting import is_inexact


class _Interned:
    """Base of `Hook` and `Backward`, which define ``results``."""

    def __init__(self, step, results, links, rules):
        self.program = step.close()
        self.links = links
        self.results = results
        self.saved = tuple([index for kind, index in links if kind == "value"])
        self.tables = tables(rules)

    @classmethod
    def of(cls, step, results, links, rules):
        """The rule with this Program, these results, links and rules; equal ones are one object."""
        # In the Step's own dictionary, which tells Programs apart: the key has only what else a rule consists of.
        key = (cls, results, links, rules)
        if key not in step.ops:
            step.ops[key] = cls(step, results, links, rules)
        return step.ops[key]


class Hook(_Interned):
    """A hook on the gradient of a value; ``results`` is the index of the Program's result."""

    def sent(self, gradient, env):
        """Applies the hook to ``gradient``; ``env`` holds the saved values."""
        leaves = [gradient if kind == "cotangent" else env[index] for kind, index in self.links]
        (result,) = self.program.replay(leaves, [self.results], *self.tables)
        # JAX refuses a cotangent of another dtype than its value, which a hook may well return.
        return result.astype(gradient.dtype)


class Last:
    """A `Hook` on an input of differentiation: it changes the gradient, but not the gradient's derivatives."""

    def __init__(self, hook):
        self.hook = hook
        self.saved = ()

    def __eq__(self, other):
        return type(other) is Last and self.hook is other.hook

    def __hash__(self):
        return hash((Last, self.hook))


class Alias:
    """Replaces a value by the leaf ``index``: the recording around computes it, and its rules are applied there."""

    def __init__(self, index):
        self.index = index
        self.saved = ()

    def __eq__(self, other):
        return type(other) is Alias and self.index == other.index

    def __hash__(self):
        return hash((Alias, self.index))


class Backward(_Interned):
    """The reverse rule of an operation; ``results`` pairs positions of its operands with values of the rule.

    An operand that is not there gets no gradient.
    """

    def call(self, fn, operands, indices, env):
        """``fn(*operands)``, a tuple, with this rule as its reverse rule.

        Args:
            fn (callable): the pure function.
            operands (sequence of arrays): its arguments.
            indices (sequence of int): the index of each of its results.
            env (dict): the saved values by index; those that are results of ``fn`` are not needed.
        Returns:
            tuple of arrays.
        """
        # The results that a rule reads come from the forward pass, so they are not computed a second time.
        result_positions = {index: k for k, index in enumerate(indices)}
        # Operands of the call, not a closure: what JAX traces must not be captured by a rule that it runs later.
        outside = [index for index in self.saved if index not in result_positions]
        avals = [(value.shape, value.dtype) for value in operands]
        count = len(operands)

        @jax.custom_vjp
        def call(*values):
            return fn(*values[:count])

        def forward(*values):
            # The call itself, not `fn`, gives the results: so the rule holds for higher orders too.
            results = call(*values)
            return results, (values[count:], results)

        def reverse(residuals, cotangents):
            values, results = residuals
            env = {**dict(zip(outside, values, strict=True)), **dict(zip(indices, results, strict=True))}
            leaves = [
                env[index] if kind == "value" else _as_cotangent(cotangents[result_positions[index]], aval)
                for (kind, index), aval in zip(self.links, self.program.leaves, strict=True)
            ]
            pulled = self.program.replay(leaves, [index for _, index in self.results], *self.tables)
            by_position = dict(zip([position for position, _ in self.results], pulled, strict=True))
            gradients = [_as_gradient(by_position.get(k), aval) for k, aval in enumerate(avals)]
            return (*gradients, *[None] * len(outside))

        call.defvjp(forward, reverse)
        return call(*operands, *[env[index] for index in outside])


def tables(rules):
    """Arguments of ``Program.replay`` for the rules of a recording: ``intercept``, ``rules`` and ``also``."""
    intercept, backward, hooks = {}, {}, {}
    for index, rule in rules:
        if isinstance(rule, Backward):
            backward[index] = rule
        elif isinstance(rule, Alias):
            intercept[index] = _taken_from(rule.index)
        elif isinstance(rule, Hook):
            hooks.setdefault(index, []).append(rule)
    intercept.update({index: _through(index, each) for index, each in hooks.items()})
    return intercept, backward, tuple([index for _, rule in rules for index in rule.saved])


def group_of_rule(pair):
    """The group of a rule's collectives; None without any."""
    rule = getattr(pair[1], "hook", pair[1])
    return rule.program.collective if isinstance(rule, _Interned) else None


def ends(rules):
    """For each input with a `Last`, a function of the leaves: zeros whose gradient passes the hook."""
    hooks = {}
    for index, rule in rules:
        if isinstance(rule, Last):
            hooks.setdefault(index, []).append(rule.hook)
    return {index: _through(None, each) for index, each in hooks.items()}


def _taken_from(index):
    return lambda value, env: env[index]


def _through(own, hooks):
    """An ``intercept`` for the value ``own`` (index): the identity, whose reverse rule applies the hooks in order."""
    # Each once and in a fixed order, since these are the operands of one function for all hooks.
    outside = tuple(dict.fromkeys([index for hook in hooks for index in hook.saved if index != own]))

    @jax.custom_vjp
    def identity(value, *saved):
        return value

    def forward(value, *saved):
        # A hook that uses the value uses it with its hooks, in derivatives of higher order.
        result = identity(value, *saved)
        return result, (result, saved)

    def reverse(residuals, cotangent):
        result, saved = residuals
        env = {**dict(zip(outside, saved, strict=True)), own: result}
        # MindSpore's gradient of a complex value is the conjugate of JAX's cotangent: hooks see MindSpore's.
        gradient = jnp.conj(cotangent)
        for hook in hooks:
            gradient = hook.sent(gradient, env)
        return (jnp.conj(gradient), *[None] * len(outside))

    identity.defvjp(forward, reverse)
    return lambda value, env: identity(value, *[env[index] for index in outside])


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
