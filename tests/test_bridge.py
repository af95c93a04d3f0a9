"""`to_jax` and `from_jax`: MindSpore code as pure JAX functions, and JAX functions as operations on Tensors."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, from_jax, nn, ops, to_jax
from msgrad.nn.custom_vjp import custom_vjp
from msgrad.testing import assert_same

from .examples import complaints
from .helpers import assert_close

X = jnp.asarray(np.linspace(-1.0, 1.0, 8).reshape(4, 2), jnp.float32)
KEY = jax.random.key(3)


class Net(nn.Cell):
    """Moving averages, Dropout, a weight used twice, and a helper that is no member but holds one."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(2, 2)
        self.norm = nn.BatchNorm1d(2)
        self.drop = nn.Dropout(p=0.5)
        self.last = nn.Dense(2, 2)
        self.last.weight = self.first.weight
        self.shift = lambda x: x + self.first.bias

    def construct(self, x):
        return self.last(self.drop(self.norm(self.shift(self.first(x)))))


@pytest.fixture
def net(mode):
    return Net()


def test_a_cell_gives_its_output_and_params(net):
    apply, params = to_jax(net)
    assert list(params) == [each.name for each in net.get_parameters()]
    assert sum(name.endswith("weight") for name in params) == 1
    output, state = apply(params, X)
    assert state == {} and isinstance(output, jax.Array)
    assert_close(output, net.set_train(False)(Tensor(X)).asnumpy())


def test_moving_averages_come_back_and_the_cell_stays(net):
    apply, params = to_jax(net)
    before = {name: each.asnumpy().copy() for name, each in net.parameters_dict().items()}
    compiled = jax.jit(apply, static_argnames="training")
    output, state = compiled(params, X, training=True, rngs=KEY)
    assert set(state) == {"norm.moving_mean", "norm.moving_variance"}
    again, same = apply(params, X, training=True, rngs=KEY)
    assert_close(output, again)
    assert_close(state["norm.moving_mean"], same["norm.moving_mean"])
    assert not np.allclose(output, compiled(params, X, training=True, rngs=jax.random.key(4))[0])
    assert not net.training and not net.norm.training and net.phase == Net().phase
    for name, each in net.parameters_dict().items():
        assert_close(each.asnumpy(), before[name])
    following, _ = apply({**params, **state}, X)
    assert not np.allclose(following, apply(params, X)[0])


def test_gradients_are_those_of_mindspore(net):
    apply, params = to_jax(net)
    net.set_train(False)
    weights = net.trainable_params()
    expected = ms.grad(lambda x: ops.sin(net(x)).sum(), None, weights)(Tensor(X))
    actual = jax.jit(jax.grad(lambda p: jnp.sin(apply(p, X)[0]).sum()))(params)
    for weight, gradient in zip(weights, expected, strict=True):
        assert_close(actual[weight.name], gradient.asnumpy())
    assert len(weights) < len(actual)


def test_a_whole_training_step_is_a_pure_function(mode):
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Tanh(), nn.Dense(3, 1))
    optimizer = nn.Adam(net.trainable_params(), 0.05)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    apply, state = to_jax(step)
    apply = jax.jit(functools.partial(apply, training=True))
    target = X.sum(1, keepdims=True)
    losses = []
    for _ in range(3):
        loss, new = apply(state, X, target)
        state = {**state, **new}
        losses.append(loss)
    step.set_train()
    for loss in losses:
        assert_close(loss, step(Tensor(X), Tensor(target)).asnumpy())
    for parameter in net.trainable_params():
        assert_close(state[parameter.name], parameter.asnumpy())


def test_params_of_other_names_or_shapes_are_refused():
    apply, params = to_jax(nn.Dense(2, 3))
    with pytest.raises(ValueError, match="one that differs by bias"):
        apply({"weight": params["weight"]}, X)
    with pytest.raises(ValueError, match=r"'params\['bias'\]' must be of shape \(3,\), but got \(2,\)"):
        apply({**params, "bias": jnp.zeros(2)}, X)


def test_a_random_operation_needs_a_key(net):
    apply, params = to_jax(net)
    with pytest.raises(RuntimeError, match="draws random numbers, but 'rngs' is None"):
        apply(params, X, training=True)
    assert not net.training
    assert net.set_train()(Tensor(X)).shape == (4, 2)


def test_keys_are_mapped_and_of_any_kind():
    noise = to_jax(lambda x: x + ops.standard_normal((2,)) + ops.standard_normal((2,)))
    drawn = jax.vmap(lambda key: noise(jnp.zeros(2), rngs=key))(jax.random.split(KEY, 64))
    assert len(np.unique(drawn)) == 128
    assert 1.0 < drawn.std() < 1.8
    raw = jax.random.PRNGKey(3)
    assert_close(noise(X[0], rngs=raw), jax.jit(noise)(X[0], rngs=raw))
    with_seed = to_jax(lambda x: x + ops.StandardNormal(seed=3)((2,)))
    assert np.isfinite(with_seed(X[0], rngs=KEY)).all()


def test_a_function_of_nests_and_of_any_order():
    fn = to_jax(lambda nest, power=3: {"power": nest["x"] ** power, "rest": (nest["y"], "text")})
    output = fn({"x": X, "y": np.ones(2)})
    assert output["rest"][1] == "text" and output["rest"][0].dtype == np.float64
    assert_close(output["power"], X**3)
    cube = to_jax(lambda x: x * x * x)
    assert jax.grad(jax.grad(cube))(2.0) == 12.0
    assert_close(jax.jacfwd(jax.vmap(cube))(X[:, 0]), jnp.diag(3 * X[:, 0] ** 2))
    assert jax.jvp(cube, (2.0,), (1.0,))[1] == 12.0


def test_a_branch_on_values_works_where_they_are_known(mode):
    fn = to_jax(lambda x: x * 2 if x.sum() > 0 else x * 3)
    assert (fn(-jnp.ones(2)).tolist(), fn(jnp.ones(2)).tolist()) == ([-3, -3], [2, 2])
    assert jax.grad(lambda x: fn(x).sum())(-jnp.ones(2)).tolist() == [3, 3]
    with pytest.raises(ValueError, match="The value of a tensor is needed where it has none"):
        jax.jit(fn)(X)


def test_what_is_written_elsewhere_is_refused(mode):
    outside = Parameter(Tensor([1.0]), name="outside")

    def fn(x):
        ops.assign(outside, x)
        return x

    with pytest.raises(RuntimeError, match="writes to 'outside', which is none of its Parameters"):
        to_jax(fn)(jnp.ones(1, jnp.float32))
    assert outside.asnumpy().tolist() == [1.0]


def test_an_argument_is_written_to_inside_alone(mode):
    def fn(x):
        x += 1.0
        return x * x

    x = jnp.ones(2, jnp.float32)
    assert (to_jax(fn)(x).tolist(), x.tolist()) == ([4, 4], [1, 1])


def test_buffers_are_state_by_their_path(mode):
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", Tensor([0.0]))

        def construct(self, x):
            self.count.add_(1.0)
            return x * self.count

    apply, params = to_jax(nn.SequentialCell(Counting()))
    assert list(params) == ["0.count"]
    _, state = jax.jit(apply)(params, X)
    output, state = apply(state, X)
    assert state["0.count"].tolist() == [2.0]
    assert_close(output, 2 * X)


class WithBprop(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 5,)


class WithHook(nn.Cell):
    def construct(self, x):
        y = x * x
        y.register_hook(lambda gradient: gradient * 2)
        return y * 1


class Doubled(ms._Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 7


def square(x):
    return x * x


def hooked():
    cell = nn.Tanh()
    cell.register_backward_hook(lambda cell, grad_input, grad_output: None)
    return cell


RULES = {
    "the bprop of 'WithBprop'": WithBprop(),
    "a hook of register_hook": WithHook(),
    "the backward of 'Doubled'": Doubled.apply,
    "the backward hooks of 'Tanh'": hooked(),
    "the custom_vjp of 'square'": custom_vjp(square),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_of_mindspores_is_not_left_out_silently(rule):
    fn = to_jax(lambda x: RULES[rule](x).sum())
    x = jnp.float32(0.5)
    assert jax.jit(fn)(x) == fn(x) == jax.vmap(fn)(x[None])[0]
    with pytest.raises(RuntimeError, match=f"JAX would differentiate through {rule} and ignore it"):
        jax.grad(fn)(x)


def test_a_rule_holds_inside_a_gradient_of_mindspores(mode):
    gradient = to_jax(ms.grad(WithBprop()))
    assert jax.jit(gradient)(X).tolist() == np.full((4, 2), 5.0).tolist()


def test_recomputation_is_no_rule():
    cell = nn.Tanh()
    cell.recompute()
    apply, params = to_jax(nn.SequentialCell(cell))
    assert_close(jax.grad(lambda x: apply(params, x)[0].sum())(X), 1 - jnp.tanh(X) ** 2)


@jax.custom_vjp
def clipped(x):
    """The identity with a gradient between -1 and 1."""
    return x * 1.0


clipped.defvjp(lambda x: (clipped(x), None), lambda _, gradient: (jnp.clip(gradient, -1.0, 1.0),))

FUNCTIONS = {
    "plain": lambda x: jnp.tanh(x) * x,
    "jitted": jax.jit(lambda x: jnp.sin(x) ** 2),
    "scan": lambda x: jax.lax.scan(lambda carry, row: (jnp.sin(carry + row), carry), x[0], x)[0],
    "reverse rule": lambda x: clipped(jnp.sin(x)),
    "forward rule": lambda x: jax.nn.silu(x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_operation_of_a_jax_function_has_its_derivatives(name, mode):
    fn = FUNCTIONS[name]
    operation = from_jax(fn)
    x = Tensor(X)
    assert_same(operation, fn, x, rtol=1e-5, atol=1e-6)
    _, tangent = ms.jvp(operation, x, ops.ones_like(x))
    assert tangent.shape == fn(X).shape
    if name != "reverse rule":
        assert_close(tangent, jax.jvp(fn, (X,), (jnp.ones_like(X),))[1])
        assert_close(ms.vmap(lambda x: operation(x.reshape(1, -1)))(x), jax.vmap(lambda x: fn(x.reshape(1, -1)))(X))


class Layer(nn.Cell):
    """A layer of which one half is JAX's."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)
        self.norm = from_jax(lambda x, scale, *, axis: scale * x / jnp.linalg.norm(x, axis=axis, keepdims=True))
        self.scale = Parameter(Tensor(np.float32(2.0)), name="scale")

    def construct(self, x):
        return self.norm(self.dense(x), self.scale, axis=-1)


def test_a_jax_function_in_a_cell(mode):
    layer = Layer()
    output = layer(Tensor(X))
    np.testing.assert_allclose(np.linalg.norm(output.asnumpy(), axis=1), 2.0, rtol=1e-5)
    gradients = ms.grad(lambda x: layer(x).sum(), None, layer.trainable_params())(Tensor(X))
    apply, params = to_jax(layer)
    expected = jax.grad(lambda p: apply(p, X)[0].sum())(params)
    for parameter, gradient in zip(layer.trainable_params(), gradients, strict=True):
        assert_close(gradient, expected[parameter.name], atol=1e-5)


def test_a_jax_function_under_ms_jit_is_recorded_once():
    traced = []
    operation = from_jax(lambda x: (traced.append(1), x * 2.0)[1])
    fn = ms.jit(lambda x: operation(x) + operation(x))
    assert_close(fn(Tensor(X)), 4.0 * X)
    count = len(traced)
    assert_close(fn(Tensor(2 * X)), 8.0 * X)
    assert len(traced) == count


def test_operations_take_and_return_pytrees(mode):
    def fn(nest, repeats, label=None):
        return {"sum": nest["a"] + nest["b"][0], "list": [nest["a"]] * repeats, "none": None, "label": len(label or "")}

    operation = from_jax(fn)
    result = operation({"a": Tensor(X), "b": (X,)}, 2, label="ab")
    assert set(result) == {"sum", "list", "none", "label"} and result["none"] is None
    assert all(isinstance(each, Tensor) for each in (result["sum"], *result["list"], result["label"]))
    assert result["label"].item() == 2 and len(operation({"a": Tensor(X), "b": (X,)}, 3)["list"]) == 3
    assert_close(result["sum"], 2 * X)


def test_there_and_back_is_the_same_function(mode):
    cell = nn.SequentialCell(nn.Dense(2, 2), nn.Tanh())
    apply, params = to_jax(cell)
    back = from_jax(lambda params, x: apply(params, x)[0])
    values = {name: Tensor(value) for name, value in params.items()}
    assert_close(back(values, Tensor(X)), cell(Tensor(X)).asnumpy())
    assert_close(ms.grad(lambda x: back(values, x).sum())(Tensor(X)), ms.grad(cell)(Tensor(X)).asnumpy())


@pytest.mark.parametrize("made", [to_jax, from_jax])
def test_what_is_no_function_is_refused(made):
    with pytest.raises(TypeError, match=f"For '{made.__name__}', the 'fn' must be a"):
        made(3)


@pytest.mark.parametrize("entry", [to_jax, from_jax])
def test_example_gives_what_it_shows(entry):
    assert not complaints(entry.__name__, entry.__doc__)
