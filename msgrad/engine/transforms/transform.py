"""Transform ops: a Program and a transformation of JAX's, as one operation, which other Programs can contain.

So derivatives nest: ``grad`` inside ``grad`` records a `Vjp` in the outer Program. Each op is interned with the Step at
which its Program ends: equal transformations of equal recordings are one object, and are compiled once. Its first
operands are the Program's leaves; its first results are the values ``keep``, to which something outside still refers.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import dtypes as jax_dtypes

from ..fusion import without_kernels
from ..recording.program import Op
from . import lifting
from .lifting import is_inexact
from .rules import ends, group_of_rule, tables


class Transform(Op):
    """Base of the transform ops: a closed recording, and the hashable ``detail`` of its transformation."""

    executable: Any

    __slots__ = ("program", "detail", "executable", "keep", "leaf_count", "batches")

    is_replay = False  # whether it gives the Program's values alone, so that it may run in pieces

    @classmethod
    def of(cls, step, keep, *detail):
        """The interned op; an earlier one that keeps at least the values ``keep`` is reused, so fewer are compiled."""
        ops = step.ops
        op = ops.get((cls, keep, *detail))
        if op is None:
            variants = ops.setdefault((cls, *detail), [])
            wanted = set(keep)
            # One value too many costs its memory; an op of its own would cost a compilation.
            op = next((each for each in variants if wanted <= set(each.keep)), None)
            if op is None:
                op = cls.made(step, keep, detail)
                variants.append(op)
            ops[(cls, keep, *detail)] = op
        return op

    @classmethod
    def made(cls, step, keep, detail):
        """A new op, not interned."""
        op = cls(cls.__name__.lower())
        op.program = step.close()
        op.keep = keep
        op.leaf_count = len(op.program.leaves)
        op.detail = detail
        op.executable = None
        # Kept with the op, which is interned, so that batched ops are interned too.
        op.batches = {}
        op.custom, op.host, op.collective = op.program.custom, op.program.host, op.program.collective
        op.is_global = op.program.is_global
        op.weight = op.program.weight
        op.prepare(*detail)
        return op

    def prepare(self, *detail):
        """Precomputes what every run needs; for subclasses."""

    def stable_parts(self):
        return self.program, self.keep, self.detail

    def family_parts(self):
        """The part that ops of other sizes share, and the Program that has the sizes (`families`)."""
        return (self.keep, self.detail), (self.program,)

    def bind(self, static):
        return self.run

    def run(self, *operands):
        raise NotImplementedError

    def output_avals(self, avals):
        """The ``(shape, dtype)`` of each result; known without tracing."""
        # Tracing a derivative to learn its shapes would trace the Program again, once more for each level of nesting.
        return tuple([self.program.aval_of(index) for index in self.keep])

    def tokens(self) -> Any:
        if self.program.collective is None:
            return None, None
        first, last = self.program.tokens()
        return None if first is None else ~first, self.keep.index(last) if last in self.keep else None

    def known(self):
        return Done.of(self)


class Done(Op):
    """A transform op with collectives that has run: returns its results, which are operands, with their gradients."""

    __slots__ = ("inner",)

    @classmethod
    @functools.cache
    def of(cls, inner):
        """The interned op."""
        op = cls(inner.name)
        op.inner = inner
        op.custom, op.host, op.collective = True, inner.host, inner.collective
        return op

    def tokens(self) -> Any:
        return self.inner.tokens()

    def bind(self, static):
        inner = self.inner

        def done(*operands):
            # The last operands are the results that are known: the call gives them, and only its gradient runs the op.
            count = len(operands) - len(inner.output_avals(()))

            @jax.custom_vjp
            def call(*operands):
                return tuple(operands[count:])

            def forward(*operands):
                return call(*operands), operands

            def reverse(operands, cotangents):
                _, pull = jax.vjp(inner.run, *operands[:count])
                return (*pull(cotangents), *[None] * (len(operands) - count))

            call.defvjp(forward, reverse)
            return call(*operands)

        return done


class _Differentiated(Transform):
    """Base of the derivative ops: the Program as a function of the values differentiated by.

    ``wrt`` are indices: a leaf, or a recorded value (an assigned Parameter), which is then perturbed by zero.
    ``outs`` are the indices of the differentiated outputs, ``rules`` the recording's rules.
    """

    __slots__ = ("wrt", "wrt_avals", "outs", "tables", "ends", "lifted")

    def prepare(self, wrt, outs, rules=(), *rest):
        self.wrt, self.outs = wrt, outs
        self.tables, self.ends = tables(rules), ends(rules)
        # Carriers and rules are custom reverse rules of JAX's, which its forward mode cannot pass: see `Jvp`.
        self.lifted = lifting.is_needed(self.program, wrt)
        self.custom = self.custom or self.lifted or bool(rules)
        self.collective = self.collective or next(filter(None, map(group_of_rule, rules)), None)
        self.wrt_avals = [self.gradient_aval(index) for index in wrt]

    def gradient_aval(self, index):
        """The ``(shape, dtype)`` of a value's gradient: its own, or a float if only `float_gradient` ops use it."""
        shape, dtype = self.aval(index)
        if not is_inexact(dtype):
            # MindSpore divides an int32 as a float, and leaves its gradient one: `float_gradient`.
            users = [node for node in self.program.nodes if index in node.inputs]
            if users and all(node.op.float_gradient for node in users):
                return shape, users[0].avals[0][1]
        return shape, dtype

    def aval(self, index):
        return self.program.aval_of(index)

    def output_avals(self, avals):
        return tuple([self.aval(index) for index in self.keep] + self.result_avals())

    def result_avals(self):
        """The ``(shape, dtype)`` of each result after the kept ones."""
        return self.wrt_avals

    def points(self, leaves):
        """The values at which to differentiate: leaves as they are (lifted if integer), zeros for recorded values.

        A leaf with a `Last` hook is perturbed by zeros as well, so that derivatives from outside do not pass the hook.
        """
        values = []
        for index in self.wrt:  # a recorded value is no operand: JAX differentiates by a zero that is added to it
            shape, dtype = self.aval(index)
            value = leaves[~index] if index < 0 and index not in self.ends else jnp.zeros(shape, dtype)
            values.append(value if is_inexact(dtype) else value.astype(lifting.CARRIER))
        return values

    def function(self, leaves):
        """``f(*points) -> (outs, keep)``, pure."""

        hooks, *rules = self.tables

        def at(*points):
            operands, table, carriers = list(leaves), dict(hooks), {}
            for index, point in zip(self.wrt, points, strict=True):
                if not is_inexact(self.aval(index)[1]):
                    # An integer: the Program computes with the leaf itself, and its carrier is what is differentiated.
                    carriers[index] = point
                elif index in self.ends:
                    env = {~position: leaf for position, leaf in enumerate(leaves)}
                    operands[~index] = leaves[~index] + self.ends[index](point, env)
                elif index < 0:
                    operands[~index] = point
                else:
                    table[index] = _perturbed(point, table.get(index))
            wanted = [*self.outs, *self.keep]
            if self.lifted:
                # Where it is needed alone: each active integer is computed a second time, as floats.
                values, floats = lifting.replay(self.program, operands, wanted, carriers, table, *rules)
            else:
                values, floats = self.program.replay(operands, wanted, table, *rules), {}
            count = len(self.outs)
            outs = [floats.get(index, value) for index, value in zip(self.outs, values[:count], strict=True)]
            return outs, values[count:]

        return at


def _perturbed(delta, hook):
    def intercept(value, env):
        value = value + delta
        return value if hook is None else hook(value, env)

    return intercept


class Vjp(_Differentiated):
    """``(*keep, *gradients)``: reverse mode with the given cotangents, or with ones."""

    __slots__ = ("has_cotangents",)

    def prepare(self, wrt, outs, rules, has_cotangents):
        super().prepare(wrt, outs, rules)
        self.has_cotangents = has_cotangents

    def run(self, *operands):
        leaves, cotangents = operands[: self.leaf_count], operands[self.leaf_count :]
        points, function = self.points(leaves), self.function(leaves)
        # The first token is a point and the last one an output: the last is the cotangent of itself, so that the
        # collectives of the backward pass come after those of the forward pass. The gradient of the first token orders
        # them, in reverse, before whatever reads the last token.
        token, result = self.tokens()
        is_ordered = None not in (token, result)
        if is_ordered:
            points = [leaves[token], *points]

            def function(token_now, *points):
                outs, kept_values = self.function([*leaves[:token], token_now, *leaves[token + 1 :]])(*points)
                return [*outs, kept_values[result]], kept_values

        outs, pull, kept_values = jax.vjp(function, *points, has_aux=True)
        last = [outs.pop()] if is_ordered else []
        seeds = [_cotangent(out, cotangents[i] if self.has_cotangents else None) for i, out in enumerate(outs)]
        pulled = pull([*seeds, *last])
        if is_ordered:
            # Adds 0.0, which JAX does not know: so the result depends on both.
            kept_values[result] = kept_values[result] + pulled[0]
            pulled = pulled[1:]
        gradients = [_gradient(g, aval) for g, aval in zip(pulled, self.wrt_avals, strict=True)]
        return (*kept_values, *gradients)


def _cotangent(out, cotangent):
    """JAX's cotangent for ``out`` from MindSpore's: conjugate for complex values, float0 where no gradient flows."""
    # JAX pulls back without conjugation, so that ``vjp`` is linear; MindSpore's gradient is the conjugate of that.
    if not is_inexact(out.dtype):
        # What JAX calls the cotangent of an integer; any other dtype is refused.
        return _float0(out.shape)
    seed = (
        jnp.ones(out.shape, out.dtype)
        if cotangent is None
        else jnp.broadcast_to(cotangent, out.shape).astype(out.dtype)
    )
    return jnp.conj(seed)


def _float0(shape):
    return np.zeros(shape, jax_dtypes.float0)


def _gradient(gradient, aval):
    """MindSpore's gradient from JAX's: conjugate for complex values, in the dtype of what it belongs to."""
    _, dtype = aval
    gradient = jnp.conj(gradient)
    return gradient if gradient.dtype == dtype else lifting.quantize(gradient, dtype)


class Jvp(_Differentiated):
    """``(*keep, *tangents)``: forward mode along the tangents, one for each ``wrt``.

    JAX's forward mode cannot pass a custom reverse rule; there two reverse passes give the same: the derivative of the
    vjp with respect to its cotangent.
    """

    __slots__ = ()

    def result_avals(self):
        return [self.aval(index) for index in self.outs]

    @without_kernels
    def run(self, *operands):
        leaves, tangents = operands[: self.leaf_count], operands[self.leaf_count :]
        points = self.points(leaves)
        tangents = [jnp.broadcast_to(t, p.shape).astype(p.dtype) for t, p in zip(tangents, points, strict=True)]
        function = self.function(leaves)
        if self.custom:
            outs, tangents, kept_values = _jvp_by_vjp(function, points, tangents)
        else:
            outs, tangents, kept_values = jax.jvp(function, points, tangents, has_aux=True)
        results = []
        for out, tangent, index in zip(outs, tangents, self.outs, strict=True):
            dtype = self.aval(index)[1]
            is_flat = tangent.dtype == jax_dtypes.float0
            results.append(jnp.zeros(out.shape, dtype) if is_flat else lifting.quantize(tangent, dtype))
        return (*kept_values, *results)


def _jvp_by_vjp(function, points, tangents):
    """The jvp by two vjps: the vjp is linear in its cotangents, so its own vjp, at zeros as anywhere, is the jvp."""
    outs, pull, kept_values = jax.vjp(function, *points, has_aux=True)
    # Integers have no cotangent to be linear in, so their tangent is float0 as it stands.
    active = [i for i, out in enumerate(outs) if is_inexact(out.dtype)]

    def transposed(*seeds):
        full = [_float0(out.shape) for out in outs]
        for i, seed in zip(active, seeds, strict=True):
            full[i] = seed
        return pull(full)

    _, push = jax.vjp(transposed, *[jnp.zeros_like(outs[i]) for i in active])
    results = [_float0(out.shape) for out in outs]
    for i, tangent in zip(active, push(tuple(tangents)), strict=True):
        results[i] = tangent
    return outs, results, kept_values


class Batched(Op):
    """A derivative op for ``size`` directions at once, which are the first axis of all operands but the leaves."""

    executable: Any

    __slots__ = ("inner", "size", "executable", "program", "detail", "keep")

    is_replay = False

    @classmethod
    def of(cls, inner, size):
        """The interned op."""
        if size not in inner.batches:
            inner.batches[size] = cls(inner, size)
        return inner.batches[size]

    def __init__(self, inner, size):
        super().__init__(f"{inner.name} batch")
        self.inner, self.size, self.executable = inner, size, None
        self.program, self.detail, self.keep = inner.program, (*inner.detail, size), inner.keep
        self.custom, self.host, self.collective = inner.custom, inner.host, inner.collective
        self.is_global, self.weight = inner.is_global, inner.weight

    def stable_parts(self):
        return self.inner, self.size

    def bind(self, static):
        return self.run

    def output_avals(self, avals):
        count = len(self.keep)
        results = self.inner.output_avals(avals)
        return (*results[:count], *[((self.size, *shape), dtype) for shape, dtype in results[count:]])

    @without_kernels
    def run(self, *operands):
        leaves, directions = operands[: self.inner.leaf_count], operands[self.inner.leaf_count :]
        count = len(self.keep)

        def along(*directions):
            results = self.inner.run(*leaves, *directions)
            return results[:count], results[count:]

        # Kept values do not depend on the direction: ``None`` has them computed once, not ``size`` times.
        kept_values, results = jax.vmap(along, out_axes=(None, 0), axis_size=self.size)(*directions)
        return (*kept_values, *results)


class Jacobian(_Differentiated):
    """``(*keep, *blocks)``: one block for each pair of output and ``wrt``, outputs outermost, by ``mode``."""

    __slots__ = ("mode",)

    def prepare(self, wrt, outs, rules, mode):
        super().prepare(wrt, outs, rules)
        self.mode = mode

    def output_avals(self, avals):
        kept_values = [self.aval(index) for index in self.keep]
        outs, points = [self.aval(i) for i in self.outs], [self.aval(i) for i in self.wrt]
        return (*kept_values, *[(shape + at, dtype) for shape, dtype in outs for at, _ in points])

    @without_kernels
    def run(self, *operands):
        function = self.function(operands)
        points = self.points(operands)
        # Where forward mode cannot pass (a custom reverse rule) the reverse Jacobian has the same entries.
        jacobian = jax.jacrev if self.mode == "reverse" or self.custom else jax.jacfwd
        argnums = tuple(range(len(points)))
        blocks, kept_values = jacobian(function, argnums, has_aux=True)(*points)
        return (*kept_values, *[block for row in blocks for block in row])


class Jet(_Differentiated):
    """``(*keep, *outs, *series)``: derivatives of every order along the inputs' series, by ``jax.experimental.jet``."""

    __slots__ = ("order",)

    def prepare(self, wrt, outs, rules, order):
        super().prepare(wrt, outs, rules)
        self.order = order

    def output_avals(self, avals):
        outs = [self.aval(index) for index in self.outs]
        kept_values = [self.aval(index) for index in self.keep]
        return (*kept_values, *outs, *[((self.order, *shape), dtype) for shape, dtype in outs])

    @without_kernels
    def run(self, *operands):
        from jax.experimental import jet  # here, since importing it takes 1 ms and few programs use it

        leaves, series = operands[: self.leaf_count], operands[self.leaf_count :]
        points = self.points(leaves)
        function = self.function(leaves)
        terms = [
            [coefficients[k].astype(p.dtype) for k in range(self.order)]
            for coefficients, p in zip(series, points, strict=True)
        ]
        try:
            outs, derivatives = jet.jet(lambda *at: tuple(function(*at)[0]), points, terms)
        except (NotImplementedError, KeyError, TypeError, jax.errors.UnexpectedTracerError):
            # JAX 0.10's jet has no rule for an operation. Nested jvps have, at a cost that doubles with each order.
            outs, derivatives = _jet_by_jvp(function, points, terms)
        # Apart from the derivatives, since `jet` has no auxiliary results; XLA merges what both compute.
        kept_values = self.program.replay(leaves, self.keep)
        return (*kept_values, *outs, *[jnp.stack(terms) for terms in derivatives])


def _jet_by_jvp(function, points, series):
    """Derivatives along the path ``point + sum(series[k] * t**(k + 1) / (k + 1)!)`` by nested ``jax.jvp`` in ``t``."""

    def along(t):
        at = []
        for point, terms in zip(points, series, strict=True):
            scale = jnp.ones((), point.dtype)
            for k, term in enumerate(terms):
                scale = scale * t.astype(point.dtype) / (k + 1)
                point = point + term * scale
            at.append(point)
        return tuple(function(*at)[0])

    def derived(fn):
        return lambda t: jax.jvp(fn, (t,), (jnp.ones_like(t),))[1]

    zero, orders = jnp.zeros((), lifting.CARRIER), []
    fn = along
    for _ in range(len(series[0])):
        fn = derived(fn)
        orders.append(fn(zero))
    return along(zero), [list(each) for each in zip(*orders, strict=True)]


class Vmap(Transform):
    """``outs`` of the Program mapped over ``in_axes`` (one for each leaf), stacked along ``out_axes``.

    An output whose axis is None, the token of collectives, is one for all samples.
    """

    __slots__ = ("tables",)

    def prepare(self, in_axes, outs, out_axes, size, rules):
        self.tables = tables(rules)
        self.custom = self.custom or bool(rules)

    def tokens(self) -> Any:
        first, last = self.program.tokens()
        outs = self.detail[1]
        return None if first is None else ~first, outs.index(last) if last in outs else None

    def output_avals(self, avals):
        _, outs, out_axes, size, _ = self.detail
        results = []
        for index, axis in zip(outs, out_axes, strict=True):
            shape, dtype = self.program.aval_of(index)
            results.append((shape if axis is None else (*shape[:axis], size, *shape[axis:]), dtype))
        return tuple(results)

    @without_kernels
    def run(self, *operands):
        in_axes, outs, out_axes, size, _ = self.detail

        def function(*leaves):
            return tuple(self.program.replay(leaves, outs, *self.tables))

        return jax.vmap(function, in_axes, out_axes, axis_size=size)(*operands)


class Replay(Transform):
    """The Program's ``keep`` values."""

    __slots__ = ()

    is_replay = True

    def run(self, *operands):
        return tuple(self.program.replay(operands, self.keep))


class Checkpoint(Transform):
    """The Program's ``keep`` values, whose backward pass computes the forward pass again (``jax.checkpoint``)."""

    __slots__ = ()

    def run(self, *operands):
        return jax.checkpoint(lambda *leaves: tuple(self.program.replay(leaves, self.keep)))(*operands)


class Stopped(Transform):
    """The Program's ``keep`` values as constants: no gradient flows into or out of it."""

    __slots__ = ()

    is_replay = True

    def run(self, *operands):
        # At the leaves alone: nothing else leads into the Program, so no rule inside of it is traced for a gradient.
        return tuple(self.program.replay([jax.lax.stop_gradient(leaf) for leaf in operands], self.keep))


class Call(Transform):
    """The Program's ``keep`` values, for which a derivative of the enclosing recording may have a reverse rule."""

    __slots__ = ()

    is_replay = True

    def run(self, *operands):
        return tuple(self.program.replay(operands, self.keep))


class Identity(Op):
    """A new value equal to its operand."""

    __slots__ = ()

    def bind(self, static):
        return lambda value: value


class Anew(Op):
    """An optimization barrier: XLA recomputes what follows rather than merging it with an equal computation."""

    __slots__ = ()

    def output_avals(self, avals):
        return avals

    def bind(self, static):
        # XLA merges equal computations: without it a forward pass that is computed anew, to save memory or for its
        # hooks, would be the first one again.
        return lambda *values: tuple(jax.lax.optimization_barrier(values))


class Stop(Op):
    """A new value equal to its operand, to which no gradient flows."""

    __slots__ = ()

    def bind(self, static):
        return jax.lax.stop_gradient


IDENTITY = Identity("identity")
ANEW = Anew("anew")
STOP = Stop("stop_gradient")
