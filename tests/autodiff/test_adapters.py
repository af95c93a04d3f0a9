"""Forward mode, pullbacks, Jacobians, Taylor series, vmap: each against JAX's own transformation of the function."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.testing import assert_close

X = np.array([0.5, -1.25], np.float32)
Y = np.array([2.0, 0.75], np.float32)
V = np.array([1.0, -2.0], np.float32)


def f_ms(x, y):
    return ops.sin(x) * y + x * x * x


def f_jax(x, y):
    return jnp.sin(x) * y + x * x * x


def two_ms(x, y):
    return ops.sin(x) * y, x * y


def two_jax(x, y):
    return jnp.sin(x) * y, x * y


close = functools.partial(assert_close, rtol=2e-6)


def tensors(*arrays):
    return tuple(Tensor(array) for array in arrays)


def test_jvp(mode):
    close(ms.jvp(f_ms, tensors(X, Y), tensors(V, V)), jax.jvp(f_jax, (X, Y), (V, V)))
    close(ms.jvp(two_ms, tensors(X, Y), tensors(V, V)), jax.jvp(two_jax, (X, Y), (V, V)))
    close(nn.Jvp(f_ms)(*tensors(X, Y), tensors(V, V)), jax.jvp(f_jax, (X, Y), (V, V)))


def test_vjp(mode):
    expected, pull = jax.vjp(f_jax, X, Y)
    output, pull_ms = ms.vjp(f_ms, *tensors(X, Y))
    close(output, expected)
    close(pull_ms(Tensor(V)), pull(V))
    close(ms.vjp(f_ms, tensors(X, Y), Tensor(V)), (expected, pull(V)))  # MindSpore 1.6
    close(nn.Vjp(f_ms)(*tensors(X, Y), Tensor(V)), (expected, pull(V)))


class Counting(nn.Cell):
    """``x`` times how often it ran."""

    def __init__(self):
        super().__init__()
        self.count = ms.Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)

    def construct(self, x):
        self.count += 1
        return x * self.count


def test_the_first_pull_differentiates_what_vjp_computed():
    net, (x, v) = Counting(), tensors(X, V)
    output, pull = ms.vjp(net, x)
    close((output, pull(v)[0]), (X, V))
    assert net.count.asnumpy() == 1
    with pytest.warns(RuntimeWarning, match="computes the forward pass again"):
        close(pull(v)[0], 2 * V)
    assert net.count.asnumpy() == 1  # the state moves once, however often it is pulled


def test_a_pull_is_part_of_what_it_is_called_in():
    x, v = tensors(X, V)

    def pulled(x):
        _, pull = ms.vjp(lambda a: a * a * a, x)
        return pull(v)[0]

    close(ms.grad(pulled)(x), 6 * X * V)
    _, pull = ms.vjp(lambda a: a * a * a, x)
    close(ms.grad(lambda u: pull(u)[0])(v), 3 * X * X)


def test_a_pull_passes_rules_and_hooks(capsys):
    class Triple(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            print("rule", dout)
            return (dout * x * 3,)

    x, v = tensors(X, V)
    _, pull = ms.vjp(Triple(), x)
    assert capsys.readouterr().out == ""
    close(pull(v)[0], 3 * X * V)
    assert capsys.readouterr().out == "rule [ 1. -2.]\n"


def test_vjp_of_two_outputs(mode):
    expected, pull = jax.vjp(two_jax, X, Y)
    output, pull_ms = ms.vjp(two_ms, *tensors(X, Y))
    close(output, expected)
    close(pull_ms(Tensor(V), Tensor(Y)), pull((V, Y)))


@pytest.mark.parametrize(("make", "reference"), [(ms.jacfwd, jax.jacfwd), (ms.jacrev, jax.jacrev)])
def test_jacobians(mode, make, reference):
    close(make(f_ms)(*tensors(X, Y)), reference(f_jax)(X, Y))
    close(make(two_ms, (0, 1))(*tensors(X, Y)), reference(two_jax, (0, 1))(X, Y))


def test_hessian(mode):
    expected = jax.jacfwd(jax.jacrev(f_jax))(X, Y)
    close(ms.jacfwd(ms.jacrev(f_ms))(*tensors(X, Y)), expected)
    close(ms.jacrev(ms.jacfwd(f_ms))(*tensors(X, Y)), expected)


def test_a_jacobian_has_shape_output_plus_input():
    matrix = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert ms.jacrev(lambda a: a.sum(0))(matrix).shape == (3, 2, 3)


def test_jet_gives_true_derivatives():
    output, derivatives = ops.jet(
        lambda a: a * a * a,
        Tensor(np.array([1.0, 2.0], np.float32)),
        Tensor(np.array([[1, 1], [0, 0], [0, 0]], np.float32)),
    )
    assert output.asnumpy().tolist() == [1.0, 8.0]
    assert derivatives.asnumpy().tolist() == [[3.0, 12.0], [6.0, 12.0], [6.0, 6.0]]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_derivative(order):
    expected = jnp.sin
    for _ in range(order):
        expected = jax.grad(expected)
    close(ops.derivative(ops.sin, Tensor(X), order)[1], [expected(x) for x in X])


def test_linearize():
    output, push = ops.linearize(f_ms, tensors(X, Y))
    expected, push_jax = jax.linearize(f_jax, X, Y)
    close(output, expected)
    close(push(tensors(V, V)), push_jax(V, V))


BATCH = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.mark.parametrize(
    ("in_axes", "out_axes", "arguments"),
    [(0, 0, (BATCH, BATCH)), ((0, None), 0, (BATCH, X)), (1, 0, (BATCH, BATCH)), ((0, None), 1, (BATCH, X))],
)
def test_vmap(mode, in_axes, out_axes, arguments):
    close(ms.vmap(f_ms, in_axes, out_axes)(*tensors(*arguments)), jax.vmap(f_jax, in_axes, out_axes)(*arguments))


def test_per_sample_gradients(mode):
    def loss_ms(w, x):
        return ((w * x).sum() - 1.0) ** 2

    def loss_jax(w, x):
        return ((w * x).sum() - 1.0) ** 2

    close(ms.vmap(ms.grad(loss_ms), (None, 0))(*tensors(X, BATCH)), jax.vmap(jax.grad(loss_jax), (None, 0))(X, BATCH))


def test_the_torch_style_face():
    x = Tensor(0.7)
    assert ms.func.grad(ops.sin)(x).item() == pytest.approx(np.cos(0.7), rel=1e-6)
    assert ms.func.grad(ms.func.grad(ops.sin))(x).item() == pytest.approx(-np.sin(0.7), rel=1e-6)
    gradient, value = ms.func.grad_and_value(lambda a: a * a)(x)
    assert (gradient.item(), value.item()) == (pytest.approx(1.4), pytest.approx(0.49))
    close(ms.func.hessian(lambda a: (a * a * a).sum())(Tensor(X)), jax.hessian(lambda a: (a * a * a).sum())(X))
    with pytest.raises(RuntimeError, match="expected f to return a Tensor of one element"):
        ms.func.grad(lambda a: a)(Tensor(X))


class PulledTwice(nn.Cell):
    """A network, and two pulls of its gradient."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def construct(self, x, v):
        _, pull = ops.vjp(self.network, x)
        return pull(v), pull(v)


@pytest.mark.filterwarnings("ignore:The function that 'vjp' returned is called again")
def test_state_moves_once_however_often_a_pullback_is_called(mode):
    network = PulledTwice(nn.BatchNorm1d(2)).set_train()
    network(Tensor(np.array([[1, 2], [3, 4]], np.float32)), Tensor(np.ones((2, 2), np.float32)))
    close(network.network.moving_mean, np.array([0.2, 0.3], np.float32))


class OfItems(nn.Cell):
    """A function of a tuple, list or dict of two Tensors."""

    def construct(self, z):
        a, b = z.values() if isinstance(z, dict) else z
        return a * a + b * 3


class Differentiated(nn.Cell):
    """The gradient of a network, taken in a graph."""

    def __init__(self, network, get_all):
        super().__init__()
        self.network = network
        self.gradient = ops.GradOperation(get_all=get_all)

    def construct(self, z):
        return self.gradient(self.network)(z)


@pytest.mark.parametrize("kind", [tuple, list, dict])
@pytest.mark.parametrize("get_all", [False, True])
def test_gradients_of_mutable_containers(kind, get_all, mode):
    items = {"a": Tensor(X), "b": Tensor(Y)}
    z = ms.mutable(items if kind is dict else kind(items.values()))
    for actual in (Differentiated(OfItems(), get_all)(z), ops.GradOperation(get_all=get_all)(OfItems())(z)):
        if get_all:
            (actual,) = actual
        assert isinstance(actual, kind)
        a, b = actual.values() if kind is dict else actual
        close((a, b), (2 * X, np.full_like(Y, 3)))
