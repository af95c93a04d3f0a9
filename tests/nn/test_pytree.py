"""Cells, Parameters and ParameterTuples under JAX's own transformations."""

import copy

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad import Parameter, ParameterTuple, Tensor, nn


class Tied(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = nn.Dense(2, 2, has_bias=False)
        self.b = nn.Dense(2, 2, has_bias=False)
        self.b.weight = self.a.weight
        self.blocks = [self.a, self.b]
        self.register_buffer("scale", Tensor([3.0]))

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return x * self.scale


X = np.array([[1.0, 2.0]], np.float32)


def total(net, x):
    return jnp.sum(jnp.asarray(net(Tensor(x))))


def test_each_distinct_member_is_one_leaf():
    net = Tied()
    leaves, _ = jax.tree.flatten(net)
    assert [leaf.shape for leaf in leaves] == [(2, 2), (1,)]
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(net)[0]]
    assert paths == [".a.weight", ".scale"]


def test_rebuilt_cells_are_new_and_tied_again():
    net = Tied()
    other = jax.tree.map(lambda leaf: leaf * 2, net)
    assert type(other) is Tied
    assert other.a is not net.a
    assert other.a.weight is other.b.weight
    assert other.blocks[1] is other.b
    assert np.array_equal(other.a.weight.asnumpy(), 2 * net.a.weight.asnumpy())
    assert [p.name for p in other.get_parameters()] == [p.name for p in net.get_parameters()]


def test_structures_are_equal_until_an_attribute_changes():
    net = Tied()
    other = jax.tree.map(lambda leaf: leaf, net)
    structure = jax.tree.structure
    assert structure(net) == structure(other)
    assert hash(structure(net)) == hash(structure(other))
    assert structure(net) == structure(copy.deepcopy(net))
    other.a.flag = 1
    assert structure(net) != structure(other)
    before = structure(net)
    net.set_train()
    assert structure(net) != before


class Configured(nn.Cell):
    """Attributes of many kinds, as ``options`` say."""

    def __init__(self, **options):
        super().__init__()
        self.a, self.b = nn.Dense(2, 2), nn.LeakyReLU(options.get("alpha", 0.2))
        self.pair = [self.b, self.a] if options.get("swapped") else [self.a, self.b]
        self.sizes, self.table, self.names = [1, 2], {"x": (1.0, None)}, {"p", "q"}
        self.array = np.arange(options.get("length", 3))
        self.method = self.a.construct
        self.c = self.a if options.get("tied") else nn.Dense(2, 2)
        for name, value in options.get("more", {}).items():
            setattr(self, name, value)


def test_cells_built_apart_are_one_structure_and_map_together():
    one, other = Configured(), Configured()
    structure = jax.tree.structure
    assert structure(one) == structure(other)
    assert hash(structure(one)) == hash(structure(other))
    total = jax.tree.map(jnp.add, one, other)
    np.testing.assert_array_equal(total.a.weight.asnumpy(), one.a.weight.asnumpy() + other.a.weight.asnumpy())
    assert structure(total) == structure(one)


def test_a_cell_that_was_called_is_one_structure_with_one_that_was_not():
    one, other = nn.SequentialCell(nn.Dense(2, 2), nn.Tanh()), nn.SequentialCell(nn.Dense(2, 2), nn.Tanh())
    one(Tensor([[1.0, 2.0]]))
    assert jax.tree.structure(one) == jax.tree.structure(other)


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 0.5},
        {"swapped": True},
        {"length": 4},
        {"tied": True},
        {"more": {"sizes": [1, 2.0]}},
        {"more": {"table": {"x": (1, None)}}},
        {"more": {"names": {"p"}}},
        {"more": {"method": len}},
        {"more": {"extra": None}},
        {"more": {"scale": Tensor(2.0)}},
    ],
    ids=str,
)
def test_another_attribute_is_another_structure(options):
    assert jax.tree.structure(Configured()) != jax.tree.structure(Configured(**options))


def test_jit_never_takes_a_changed_cell_for_what_it_was():
    run = jax.jit(lambda net, x: jnp.asarray(net(Tensor(x))))
    nets = [nn.LeakyReLU(0.5), nn.LeakyReLU(0.5)]
    x = jnp.asarray([-1.0], jnp.float32)
    assert run(nets[0], x)[0] == -0.5
    nets[0].alpha = 0.25
    assert [run(net, x)[0] for net in nets] == [-0.25, -0.5]
    nets[1].alpha = 0.25
    nets[0].alpha = 0.5
    assert [run(net, x)[0] for net in nets] == [-0.5, -0.25]


def test_a_new_value_is_no_new_structure():
    net = Tied()
    before = jax.tree.structure(net)
    net.a.weight.set_data(Tensor(np.zeros((2, 2), np.float32)))
    assert jax.tree.structure(net) == before


def test_jit_compiles_once_for_equal_structures():
    traces = []

    @jax.jit
    def run(net, x):
        traces.append(1)
        return total(net, x)

    net = Tied()
    first = run(net, X)
    run(jax.tree.map(lambda leaf: leaf * 2, net), X)
    assert len(traces) == 1
    np.testing.assert_allclose(first, np.sum(net(Tensor(X)).asnumpy()), rtol=1e-6)


def test_gradients_of_a_tied_weight_add_up():
    net = Tied()
    gradient = jax.grad(total)(net, X)
    weight = net.a.weight.asnumpy()

    def reference(w):
        return jnp.sum((X @ w.T) @ w.T * 3)

    np.testing.assert_allclose(gradient.a.weight.asnumpy(), jax.grad(reference)(weight), rtol=1e-5)
    assert gradient.a.weight is gradient.b.weight


def test_parameters_keep_name_and_flags():
    parameter = Parameter(Tensor([1.0]), name="w", requires_grad=False)
    other = jax.tree.map(lambda leaf: leaf + 1, parameter)
    assert (type(other), other.name, other.requires_grad) == (Parameter, "w", False)
    assert other.asnumpy().tolist() == [2.0]


def test_parameter_tuples():
    a, b = Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")
    other = jax.tree.map(lambda leaf: leaf * 10, ParameterTuple([a, b, a]))
    assert type(other) is ParameterTuple
    assert other[0] is other[2]
    assert [p.asnumpy().tolist() for p in other] == [[10.0], [20.0], [10.0]]
