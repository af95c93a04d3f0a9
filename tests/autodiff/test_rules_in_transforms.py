"""Every kind of reverse rule inside every adapter: the rule applies wherever it is.

Each rule and each adapter is written for msgrad and for JAX, where a rule is a plain ``custom_vjp``; the rules are
wrong on purpose, so that one that is not applied shows.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution import execute
from msgrad.nn.custom_vjp import custom_vjp
from tests.helpers import assert_close

X = np.float32([0.5, -1.25, 2.0])
V = np.float32([1.0, 0.5, -2.0])


def jax_rule(forward, backward):
    """``forward`` with the reverse rule ``backward(x, out, cotangent)``, in JAX."""

    @jax.custom_vjp
    def f(x):
        return forward(x)

    def run(x):
        out = f(x)
        return out, (x, out)

    f.defvjp(run, lambda saved, cotangent: (backward(*saved, cotangent),))
    return f


def cube(x):
    return x * x * x


def five_squares(x, out, dout):
    return dout * 5 * x * x


class WithBprop(nn.Cell):
    def construct(self, x):
        return cube(x)

    def bprop(self, x, out, dout):
        return (five_squares(x, out, dout),)


class CallsItself(nn.Cell):
    def construct(self, x):
        return ops.exp(x)

    def bprop(self, x, out, dout):
        return (self(x) * dout * 2,)


class AsFunction(ms._Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return cube(x)

    @staticmethod
    def backward(ctx, dout):
        return five_squares(*ctx.saved_tensors, None, dout)


class Cube(nn.Cell):
    def construct(self, x):
        return cube(x)


def with_custom_vjp():
    f = custom_vjp(lambda x: cube(x))
    f.defbwd(lambda x, out, dout: (five_squares(x, out, dout),))
    return f


def with_tensor_hook(x):
    y = x * 3
    y.register_hook(lambda gradient: gradient * y)
    return cube(y)


def with_two_hooks(x):
    y = x * 3
    y.register_hook(lambda gradient: gradient * 2)
    z = cube(y)
    z.register_hook(lambda gradient: gradient * z)
    return z * x


def with_backward_hook():
    cell = Cube()
    cell.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * grad_output[0] * 10,))
    return cell


def with_backward_pre_hook():
    cell = Cube()
    cell.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 10,))
    return cell


def with_rules_in_a_hooked_cell():
    inner = WithBprop()

    class Outer(nn.Cell):
        def construct(self, x):
            y = inner(x) * x
            y.register_hook(lambda gradient: gradient * 2)
            return y

    cell = Outer()
    cell.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 10,))
    return cell


seven = ops.InsertGradientOf(lambda gradient: gradient * 7)
eight = ops.HookBackward(lambda gradient: gradient[0] * 8)


def scaled(factor):
    return jax_rule(lambda x: x, lambda x, out, dout: dout * factor)


def times_value(x):
    return jax_rule(lambda x: x, lambda x, out, dout: dout * out)(x)


jax_exp = jax_rule(jnp.exp, lambda x, out, dout: jax_exp(x) * dout * 2)
jax_cube = jax_rule(cube, five_squares)


def jax_two_hooks(x):
    return times_value(cube(scaled(2)(x * 3))) * x


def jax_rules_in_a_cell(x):
    return scaled(2)(jax_cube(x) * x)


jax_rules_in_a_hooked_cell = jax_rule(
    jax_rules_in_a_cell, lambda x, out, dout: jax.vjp(jax_rules_in_a_cell, x)[1](dout)[0] * 10
)
jax_backward_hook = jax_rule(cube, lambda x, out, dout: 3 * x * x * dout * dout * 10)


RULES = {
    "bprop": (WithBprop, jax_cube),
    "bprop that calls itself": (CallsItself, jax_exp),
    "custom_vjp": (with_custom_vjp, jax_cube),
    "_Function": (lambda: lambda x: AsFunction.apply(x), jax_cube),
    "Tensor hook": (lambda: with_tensor_hook, lambda x: cube(times_value(x * 3))),
    "two Tensor hooks": (lambda: with_two_hooks, jax_two_hooks),
    "backward hook": (with_backward_hook, jax_backward_hook),
    "backward pre hook": (with_backward_pre_hook, lambda x: scaled(10)(cube(x))),
    "rules in a hooked Cell": (with_rules_in_a_hooked_cell, jax_rules_in_a_hooked_cell),
    "InsertGradientOf": (lambda: lambda x: cube(seven(x)), lambda x: cube(scaled(7)(x))),
    "HookBackward": (lambda: lambda x: cube(eight(x)), lambda x: cube(scaled(8)(x))),
}  # fmt: skip


class Ours:
    """The adapters of msgrad; each function maps a vector to a vector, element by element."""

    grad, value_and_grad, vjp, jvp, jacrev, jacfwd = ms.grad, ms.value_and_grad, ms.vjp, ms.jvp, ms.jacrev, ms.jacfwd
    vmap = ms.vmap

    @staticmethod
    def operation(f):
        return ops.GradOperation()(f)

    @staticmethod
    def pulled(f, x, cotangent):
        output, pull = ms.vjp(f, x)
        return output, pull(cotangent)[0]

    @staticmethod
    def with_aux(f):
        return ms.grad(f, has_aux=True)

    @staticmethod
    def recompute(f):
        return lambda x: ms.recompute(f, x)

    @staticmethod
    def recomputed_cell(f):
        class Block(nn.Cell):
            def construct(self, x):
                return f(x * 2)

        block = Block()
        block.recompute()
        return block


class Theirs:
    """The same adapters in JAX."""

    vmap = jax.vmap

    @staticmethod
    def grad(f):
        return jax.grad(lambda x: f(x).sum())

    operation = grad

    @staticmethod
    def value_and_grad(f):
        return lambda x: (f(x), Theirs.grad(f)(x))

    @staticmethod
    def pulled(f, x, cotangent):
        output, pull = jax.vjp(f, x)
        return output, pull(cotangent)[0]

    @staticmethod
    def with_aux(f):
        def run(x):
            gradient, aux = jax.grad(lambda x: (lambda out: (out[0].sum(), out[1]))(f(x)), has_aux=True)(x)
            return gradient, (aux,)

        return run

    @staticmethod
    def jvp(f, x, v):
        output, pull = jax.vjp(f, x)
        return output, jax.vjp(lambda c: pull(c)[0], jnp.zeros_like(output))[1](v)[0]

    jacrev = jacfwd = staticmethod(lambda f: jax.jacrev(f))
    recompute = staticmethod(jax.checkpoint)

    @staticmethod
    def recomputed_cell(f):
        return jax.checkpoint(lambda x: f(x * 2))


def product(left, right):
    return left * (right[0] if isinstance(right, tuple) else right)


def after_a_rule(f, x):
    def run(t):
        y = f(t * x)
        return y * t, f(y * x)

    return run


# Each takes the namespace, the function with the rule, and two vectors.
ADAPTERS = {
    "grad": lambda m, f, x, v: m.grad(f)(x),
    "value_and_grad": lambda m, f, x, v: m.value_and_grad(f)(x)[1],
    "GradOperation": lambda m, f, x, v: m.operation(f)(x),
    "vjp": lambda m, f, x, v: m.pulled(f, x, v)[1],
    "jvp": lambda m, f, x, v: m.jvp(f, x, v)[1],
    "jacrev": lambda m, f, x, v: m.jacrev(f)(x),
    "jacfwd": lambda m, f, x, v: m.jacfwd(f)(x),
    "vmap of grad": lambda m, f, x, v: m.vmap(m.grad(f))(x),
    "grad of vmap": lambda m, f, x, v: m.grad(m.vmap(f))(x),
    "vmap of jacrev": lambda m, f, x, v: m.vmap(m.jacrev(f))(x),
    "recompute": lambda m, f, x, v: m.grad(lambda x: m.recompute(f)(x) * x)(x),
    "recomputed Cell": lambda m, f, x, v: m.grad(m.recomputed_cell(f))(x),
    "recompute in recompute": lambda m, f, x, v: m.grad(m.recompute(m.recomputed_cell(f)))(x),
    "vjp of recompute": lambda m, f, x, v: m.pulled(m.recompute(f), x, v)[1],
    "jvp of recompute": lambda m, f, x, v: m.jvp(m.recompute(f), x, v)[1],
    "jacrev of recompute": lambda m, f, x, v: m.jacrev(m.recompute(f))(x),
    "vmap of grad of recompute": lambda m, f, x, v: m.vmap(m.grad(m.recompute(f)))(x),
    "grad of vmap of recompute": lambda m, f, x, v: m.grad(m.vmap(m.recompute(f)))(x),
    "grad of grad": lambda m, f, x, v: m.grad(lambda x: m.grad(f)(x) * x)(x),
    "grad of grad of grad": lambda m, f, x, v: m.grad(m.grad(m.grad(f)))(x),
    "grad of grad of recompute": lambda m, f, x, v: m.grad(m.grad(m.recompute(f)))(x),
    "jacrev of grad": lambda m, f, x, v: m.jacrev(m.grad(f))(x),
    "grad of jacrev": lambda m, f, x, v: m.grad(lambda x: m.jacrev(f)(x).sum(0))(x),
    "grad of jvp": lambda m, f, x, v: m.grad(lambda x: m.jvp(f, x, v)[1])(x),
    "grad of vmap of grad": lambda m, f, x, v: m.grad(lambda x: m.vmap(m.grad(f))(x) * x)(x),
    "closed over": lambda m, f, x, v: m.grad(lambda x: m.grad(lambda t: f(x) * t * t)(v))(x),
    "closed over, derived": lambda m, f, x, v: m.grad(lambda x: m.grad(lambda t: f(x * 2) * f(x * t))(v))(x),
    "closed over, recomputed": lambda m, f, x, v: m.grad(lambda x: m.grad(lambda t: m.recompute(f)(x) * t * t)(v))(x),
    "closed over twice": lambda m, f, x, v: m.grad(
        lambda x: m.grad(lambda t: m.grad(lambda s: f(x) * s * t * t)(v))(v)
    )(x),
    "closed over, second order": lambda m, f, x, v: m.grad(m.grad(lambda x: m.grad(lambda t: f(x) * t * t)(v)))(x),
    "closed over by jvp": lambda m, f, x, v: m.grad(lambda x: m.jvp(lambda t: f(x) * t * t, v, v)[1])(x),
    "closed over by jacrev": lambda m, f, x, v: m.grad(lambda x: m.jacrev(lambda t: f(x) * t * t)(v).sum(0))(x),
    "closed over by vmap": lambda m, f, x, v: m.grad(lambda x: m.vmap(lambda t: f(x) * t)(v).sum(0))(x),
    "closed over in jacrev": lambda m, f, x, v: m.jacrev(lambda x: m.grad(lambda t: f(x) * t * t)(v))(x),
    "output of vjp": lambda m, f, x, v: m.grad(lambda x: m.pulled(f, x, v)[0] * x)(x),
    "pulled by vjp": lambda m, f, x, v: m.grad(lambda x: m.pulled(f, x, v)[1] * x)(x),
    "output of vjp and pulled": lambda m, f, x, v: m.grad(lambda x: product(*m.pulled(f, x, v)))(x),
    "output of vjp of recompute": lambda m, f, x, v: m.grad(lambda x: m.pulled(m.recompute(f), x, v)[0])(x),
    "value of value_and_grad": lambda m, f, x, v: m.grad(lambda x: m.value_and_grad(f)(x)[0] * x)(x),
    "output of jvp": lambda m, f, x, v: m.grad(lambda x: m.jvp(f, x, v)[0] * x)(x),
    "aux": lambda m, f, x, v: m.grad(lambda x: m.with_aux(lambda t: (t * t, f(t * x)))(v)[1][0])(x),
    "aux after a rule": lambda m, f, x, v: m.grad(lambda x: product(*m.with_aux(after_a_rule(f, x))(v)))(x),
}  # fmt: skip


@functools.cache
def expected(theirs, adapter):
    """What JAX gives for its rule ``theirs``, which may stand for several of ours."""
    return np.asarray(jax.jit(functools.partial(ADAPTERS[adapter], Theirs, theirs))(X, V))


@pytest.fixture(autouse=True)
def _no_history(monkeypatch):
    """Every test differentiates another function by the same lines; that is no program that never settles."""
    monkeypatch.setattr(execute, "_sites", {})


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_applies(rule, adapter, mode):
    ours, theirs = RULES[rule]
    actual = ADAPTERS[adapter](Ours, ours(), Tensor(X), Tensor(V))
    assert_close(actual.asnumpy(), expected(theirs, adapter), rtol=2e-5, atol=1e-5)


def hooked_input(x):
    x.register_hook(lambda gradient: gradient * 7)
    return x * x


def through(f):
    """A Cell with a backward hook that multiplies by 10."""

    class Net(nn.Cell):
        def construct(self, x):
            return f(x)

    net = Net()
    net.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 10,))
    return net


def of_product(cell):
    """A function that calls ``cell`` on a recorded value."""
    return lambda x: cell(x * 1)


@pytest.mark.parametrize(
    ("factor", "run"),
    [
        (1, lambda x: ms.grad(hooked_input)(x)),
        (1, lambda x: ms.vmap(ms.grad(hooked_input))(x)),
        (1, lambda x: ms.grad(ms.vmap(hooked_input))(x)),
        (1, lambda x: ms.jvp(hooked_input, x, ops.ones_like(x))[1]),
        (1, lambda x: ms.jacrev(hooked_input)(x).sum(0)),
        (1, lambda x: ms.grad(lambda x: ms.recompute(hooked_input, x))(x)),
        (1, lambda x: ms.grad(lambda x: ms.recompute(hooked_input, x * 1))(x)),
        (10, lambda x: ms.grad(through(hooked_input))(x)),
        (10, lambda x: ms.grad(of_product(through(hooked_input)))(x)),
        (1, lambda x: ms.grad(lambda x: ms.grad(lambda t: hooked_input(x) * t)(ops.ones_like(x)))(x)),
        (1, lambda x: ms.grad(lambda x: ms.grad(lambda t: hooked_input(x * 1) * t)(ops.ones_like(x)))(x)),
        (1, lambda x: ms.grad(lambda x: ms.vjp(hooked_input, x * 1)[0])(x)),
    ],
)
def test_a_hook_that_a_function_registers_on_its_input(factor, run, mode):
    assert_close(run(Tensor(X)).asnumpy(), X * 14 * factor)
