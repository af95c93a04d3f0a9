"""Strategies of Primitives, functions and Cells: numbers do not depend on them; what MindSpore refuses is refused."""

import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import executables
from msgrad.engine.recording.sharding import Active
from msgrad.parallel.auto_parallel import AutoParallel

from .networks import CLOSE, W1, W2, X, Y, mlp, spec_of, specs, trained


def semi_auto(**settings):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", **({"full_batch": True} | settings))


class Net(nn.Cell):
    """Two products, of which each has a strategy."""

    def __init__(self, first, second, relu=None):
        super().__init__()
        self.w1, self.w2 = Parameter(Tensor(W1), name="w1"), Parameter(Tensor(W2), name="w2")
        self.first, self.second = ops.MatMul().shard(first), ops.MatMul().shard(second)
        self.relu = ops.ReLU() if relu is None else ops.ReLU().shard(relu)

    def construct(self, x):
        return self.second(self.relu(self.first(x, self.w1)), self.w2)


@pytest.mark.parametrize(
    "first, second, relu, expected",
    [
        (((1, 1), (1, 4)), ((1, 4), (4, 1)), ((1, 4),), (P(None, ("d0", "d1")), P(("d0", "d1")))),
        (((4, 1), (1, 1)), ((4, 1), (1, 1)), None, (P(), P())),
        (((2, 1), (1, 2)), ((2, 2), (2, 1)), ((2, 2),), (P(None, "d1"), P("d1"))),
        (((1, 2), (2, 2)), ((2, 1), (1, 2)), None, (P("d0", "d1"), P(None, "d1"))),
        (((1, 1), (1, 1)), ((1, 2), (2, 1)), None, (P(), P("d0"))),
    ],
    ids=["column and row", "data", "data and model", "summed axis", "half of the devices"],
)
def test_products(first, second, relu, expected, graph_mode):
    with_one = trained(Net(first, second, relu), optimizer=nn.Adagrad)[0]
    semi_auto(device_num=4)
    with_four, step = trained(Net(first, second, relu), optimizer=nn.Adagrad)
    np.testing.assert_allclose(with_four, with_one, rtol=CLOSE)
    actual = specs(step)
    assert (actual["w1"], actual["w2"]) == (actual["accum.w1"], actual["accum.w2"]) == expected


def test_reshard(mode):
    layout = ms.Layout((2, 2), ("dp", "mp"))

    class Program(nn.Cell):
        def construct(self, x):
            return ops.reshard(x * 2, layout("dp", "mp"))

    assert ops.reshard(3, None) == 3  # on one device nothing is looked at
    semi_auto(device_num=4)
    result = Program()(Tensor(np.ones((4, 4), np.float32)))
    assert result.asnumpy().tolist() == [[2.0] * 4] * 4
    assert jnp.asarray(result).sharding.spec == P("d0", "d1")
    with pytest.raises(RuntimeError, match="a length of 3 is not divisible by 2"):
        ops.reshard(ops.ones((3, 4)), layout("dp", "mp"))
    with pytest.raises(TypeError, match="the 'layout' must be a Layout"):
        ops.reshard(ops.ones((4, 4)), (2, 2))


def test_the_acceptance_program(mode):
    """``acceptance/10_semi_auto.py`` of the distributed cases, in one process with two devices."""

    class Program(nn.Cell):
        def __init__(self, n):
            super().__init__()
            self.w1, self.w2 = Parameter(Tensor(W1), name="w1"), Parameter(Tensor(W2), name="w2")
            self.mm1 = ops.MatMul().shard(((1, 1), (1, n)))
            self.mm2 = ops.MatMul().shard(((1, n), (n, 1)))
            self.relu = ops.ReLU().shard(((1, n),))
            self.sub, self.square = ops.Sub().shard(((1, 1), (1, 1))), ops.Square().shard(((1, 1),))
            self.mean = ops.ReduceMean().shard(((1, 1),))

        def construct(self, x, y):
            out = self.mm2(self.relu(self.mm1(x, self.w1)), self.w2)
            return self.mean(self.square(self.sub(out, y)), (0, 1))

    semi_auto(device_num=2, gradients_mean=False)
    net = Program(2)
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    losses = [round(float(step(Tensor(X), Tensor(Y)).asnumpy()), 6) for _ in range(4)]
    assert losses == [1.977671, 1.129541, 0.782552, 0.592669]
    assert jnp.asarray(net.w1).addressable_shards[0].data.shape == (16, 16)


def test_the_first_step_moves_what_it_takes():
    semi_auto()
    net = Net(((1, 1), (1, 4)), ((1, 4), (4, 1)))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adagrad(net.trainable_params(), 0.1))
    step(Tensor(X), Tensor(Y))
    before = executables._Count.compiled
    step(Tensor(X), Tensor(Y))
    assert executables._Count.compiled == before


def test_layouts():
    semi_auto()
    layout = ms.Layout((2, 2), ("rows", "columns"))
    product = ops.MatMul().shard((layout("rows", "None"), layout("None", "columns")))
    assert "in_layout" in repr(product)
    w = Parameter(Tensor(W1), name="w")
    np.testing.assert_allclose(product(Tensor(X), w).asnumpy(), X @ W1, rtol=1e-5, atol=1e-5)
    assert spec_of(w) == P(None, "d1")
    both = ops.ReLU().shard((layout(("rows", "columns"), "None"),))
    assert spec_of(both(Tensor(X))) == P(("d0", "d1"))
    overlapping = ms.Layout((2, 2, 2), ("rows", "columns", "interleaved_parallel"))
    relu = ops.ReLU().shard((overlapping(("rows", "interleaved_parallel"), "columns"),))
    assert spec_of(relu(Tensor(X))) == P("d0", "d1")


def test_results_of_products():
    semi_auto()
    scattered = ops.MatMul().shard(((2, 2), (2, 1)), ((4, 1),))
    assert spec_of(scattered(Tensor(X), Tensor(W1))) == P(("d0", "d1"))
    with pytest.raises(RuntimeError, match="scattered over the summed axis"):
        ops.MatMul().shard(((2, 2), (2, 1)), ((1, 1),))(Tensor(X), Tensor(W1))
    with pytest.raises(RuntimeError, match="only products and Gather take an output strategy"):
        ops.Add().shard(((2, 2), (2, 2)), ((2, 2),))(Tensor(X), Tensor(X))


@pytest.mark.parametrize(
    "made, inputs",
    [
        (lambda: ops.BiasAdd().shard(((2, 2), (2,))), (X, X[0])),
        (lambda: ops.Add().shard(((2, 2), (2,))), (X, X[0])),
        (lambda: ops.Mul().shard(((4, 1), (1, 1))), (X, X[:1])),
        (lambda: ops.BatchMatMul(transpose_b=True).shard(((2, 1, 1), (2, 2, 1))), (X.reshape(2, 4, 16),) * 2),
        (lambda: ops.Softmax().shard(((4, 1),)), (X,)),
        (lambda: ops.LayerNorm().shard(((4, 1), (1,), (1,))), (X, X[0], X[0])),
        (lambda: ops.ReduceSum().shard(((2, 2),)), (X,)),
        (lambda: ops.Gather().shard(((1, 4), (1,))), (X, np.array([1, 3]), 0)),
        (lambda: ops.Transpose().shard(((2, 2),)), (X, (1, 0))),
        (lambda: ops.Concat(0).shard(((1, 4), (1, 4))), ((X, X),)),
    ],
)
def test_other_operations(made, inputs):
    def tensors(value):
        if isinstance(value, tuple):
            return tuple(map(tensors, value))
        return Tensor(value) if isinstance(value, np.ndarray) else value

    def call():
        results = made()(*map(tensors, inputs))
        return [each.asnumpy() for each in (results if isinstance(results, tuple) else (results,))]

    expected = call()
    semi_auto()
    for actual, wanted in zip(call(), expected, strict=True):
        np.testing.assert_allclose(actual, wanted, rtol=1e-5, atol=1e-5)


def test_an_axis_by_a_tensor_has_no_item():
    semi_auto()
    rows = ops.Gather().shard(((1, 4), (1,)))(Tensor(X), Tensor([1, 3]), Tensor(0))
    np.testing.assert_array_equal(rows.asnumpy(), X[[1, 3]])
    with pytest.raises(RuntimeError, match="the gathered axis 1"):
        ops.Gather().shard(((2, 2), (1, 1)))(Tensor(X), Tensor([[1, 3]]), Tensor(1))


_PRODUCT = (X, W1)


@pytest.mark.parametrize(
    "primitive, strategy, inputs, message",
    [
        (ops.MatMul, ((1, 1),), _PRODUCT, "it is for 1 inputs, and there are 2"),
        (ops.MatMul, ((1, 1, 1), (1, 1)), _PRODUCT, "has another length than the shape"),
        (ops.MatMul, ((0, 1), (1, 1)), _PRODUCT, "must be larger than 0, but is 0"),
        (ops.MatMul, ((1, 1), (1, 3)), _PRODUCT, "a length of 32 is not divisible by 3"),
        (ops.MatMul, ((8, 1), (1, 1)), _PRODUCT, "requires 8 devices, and 4 are not divisible"),
        (ops.MatMul, ((2, 2), (2, 2)), _PRODUCT, "requires 8 devices"),
        (ops.MatMul, ((1, 2), (4, 1)), _PRODUCT, "sharded alike along the axes that they share"),
        (ops.Add, ((2, 1), (1, 2)), (X, X), "sharded alike along the axes that they share"),
        (ops.Mul, ((2, 1),), (X, X[0, 0]), "it is for 1 inputs, and there are 2"),
        (ops.Softmax, ((2, 2),), (X,), "needs the whole axis 1"),
        (ops.LayerNorm, ((2, 2), (2,), (2,)), (X, X[0], X[0]), "needs the whole axis 1"),
        (ops.ReLU, ((3, 1),), (X[:6],), "requires 3 devices, and 4 are not divisible by that"),
    ],
)
def test_strategies_that_do_not_fit_are_refused(primitive, strategy, inputs, message):
    made = primitive().shard(strategy)
    made(*map(Tensor, inputs))  # on one device a strategy has no effect
    semi_auto()
    with pytest.raises(RuntimeError, match=message):
        made(*map(Tensor, inputs))


LABELS, ON, OFF = np.int32([0, 3, 1, 2]), np.float32(1), np.float32(0)


@pytest.mark.parametrize(
    "made, inputs, spec",
    [
        (lambda: ops.OneHot().shard(((2, 2), (), ())), (LABELS, 8, ON, OFF), P("d0", "d1")),
        (lambda: ops.OneHot(0).shard(((1, 4), (), ())), (LABELS, 8, ON, OFF), P(None, ("d0", "d1"))),
        (lambda: ops.Tile().shard(((2, 1),)), (X, (1, 3)), P("d0")),
        (lambda: ops.Tile().shard(((1, 2, 2),)), (X, (3, 2, 1)), P(None, "d0", "d1")),
        (lambda: ops.Tile().shard((ms.Layout((2, 2), ("a", "b"))("b", "None"),)), (X, (1, 3)), P("d1")),
    ],
)
def test_strategies_of_results(made, inputs, spec):
    tensors = [Tensor(value) if isinstance(value, (np.ndarray, np.generic)) else value for value in inputs]
    expected = made()(*tensors).asnumpy()
    semi_auto()
    result = made()(*tensors)
    assert spec_of(result) == spec
    np.testing.assert_array_equal(result.asnumpy(), expected)


@pytest.mark.parametrize(
    "strategy, message",
    [
        (((4,), (), ()), "another length than the shape"),
        (((2, 2), (), ()), "a length of 7 is not divisible by 2"),
        (((8, 1), (), ()), "a length of 4 is not divisible by 8"),
    ],
)
def test_strategies_of_results_that_do_not_fit_are_refused(strategy, message):
    semi_auto()
    with pytest.raises(RuntimeError, match=f"For 'OneHot'.*{message}"):
        ops.OneHot().shard(strategy)(Tensor(LABELS), 7, Tensor(ON), Tensor(OFF))


@pytest.mark.parametrize(
    "layout, message",
    [
        (lambda: ms.Layout((2, 4), ("a", "b"))("a", "b"), "its devices are 8, and there are 4"),
        (lambda: ms.Layout((2, 2), ("a", "b"))("a"), "has another length than the shape"),
    ],
)
def test_layouts_that_do_not_fit_are_refused(layout, message):
    semi_auto()
    with pytest.raises(RuntimeError, match=message):
        ops.ReLU().shard((layout(),))(Tensor(X))


_HALVES = ms.Layout((2, 2), ("a", "b"))


@pytest.mark.parametrize(
    "primitive, names, inputs, is_accepted",  # as MindSpore says
    [
        (ops.MatMul, (("a", "b"), ("b", "None")), _PRODUCT, True),
        (ops.MatMul, (("None", ("a", "b")), (("a", "b"), "None")), _PRODUCT, True),
        (ops.MatMul, (("None", ("a", "b")), (("b", "a"), "None")), _PRODUCT, False),
        (ops.MatMul, (("a", "b"), ("None", "None")), _PRODUCT, False),
        (ops.Add, (("a", "b"), ("b",)), (X, X[0]), True),
        (ops.Add, (("a", "b"), ("a",)), (X, X[0]), False),
        (ops.Add, (("a", "b"), ("None", "b")), (X, X), False),
        (ops.Softmax, (("a", "None"),), (X,), True),
        (ops.Softmax, (("a", "b"),), (X,), False),
        (ops.LayerNorm, (("a", "b"), ("b",), ("b",)), (X, X[0], X[0]), False),
        (ops.BiasAdd, (("a", "b"), ("None",)), (X, X[0]), False),
    ],
)
def test_layouts_of_one_axis_agree(primitive, names, inputs, is_accepted):
    semi_auto()
    made = primitive().shard(tuple([_HALVES(*each) for each in names]))
    if is_accepted:
        made(*map(Tensor, inputs))
    else:
        with pytest.raises(RuntimeError, match="sharded alike along|needs the whole axis"):
            made(*map(Tensor, inputs))


def test_another_order_of_devices_is_refused():
    semi_auto()
    layout = ms.Layout((4,), ("a",), [3, 2, 1, 0])
    with pytest.raises(NotImplementedError, match="in the order of jax.devices"):
        ops.ReLU().shard((layout("a", "None"),))(Tensor(X))


def test_functions_and_cells(mode):
    def cell():
        net = mlp()
        net[0].shard(((2, 1),), ((2, 2),), {"self.weight": (2, 1), "absent": (1,)})
        return net

    x = Tensor(X)
    expected = mlp()(x).asnumpy()
    semi_auto()
    net = cell()
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=CLOSE)
    gradient = ms.grad(lambda x: net(x).sum())(x).asnumpy()
    ms.reset_auto_parallel_context()
    np.testing.assert_allclose(gradient, ms.grad(lambda x: mlp()(x).sum())(x).asnumpy(), rtol=1e-5, atol=CLOSE)
    semi_auto()
    whole = ms.shard(mlp(), ((2, 1),), ((2, 1),), {"0.weight": (4, 1)})
    np.testing.assert_allclose(whole(x).asnumpy(), expected, rtol=1e-5, atol=CLOSE)
    added = ms.shard(lambda a, b: (a + b, a), ((2, 2), (1, 4)))(x, x)
    np.testing.assert_array_equal(added[0].asnumpy(), X + X)
    with pytest.raises(RuntimeError, match="one for each of 1 Tensors"):
        ms.shard(lambda a: a, ((2, 2), (1, 4)))(x)
    with pytest.raises(RuntimeError, match="requires 8 devices"):
        ms.shard(lambda a: a, ((2, 4),))(x)
    with pytest.raises(ValueError, match="a divisor for each length of the shape"):
        ms.shard(mlp(), ((1, 1),), None, {"0.weight": (3, 1)})


def test_cells_of_auto_parallel():
    net = mlp()
    net[0].shard(((2, 1),), ((2, 2),), {"0.weight": (2, 1)})
    expected = net(Tensor(X)).asnumpy()
    np.testing.assert_allclose(AutoParallel(net)(Tensor(X)).asnumpy(), expected, rtol=1e-5, atol=CLOSE)
    assert spec_of(net[0].weight) == P("d0")


def test_modes_without_strategies():
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    assert Active.partition is None
    ops.MatMul().shard(((8, 1), (1, 1)))(Tensor(X), Tensor(W1))
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=1)
    assert Active.partition is None
    with pytest.raises(NotImplementedError, match="needs several devices, and JAX has 4"):
        ms.set_auto_parallel_context(device_num=8)


def test_primitives_inside_layers(mode):
    expected = trained(mlp())[0]
    semi_auto()
    net = mlp()
    net[0].matmul.shard(((1, 1), (4, 1)))
    net[0].bias_add.shard(((1, 4), (4,)))
    net[1].relu.shard(((1, 4),))
    net[2].matmul.shard(((1, 4), (1, 4)))
    losses, step = trained(net)
    np.testing.assert_allclose(losses, expected, rtol=CLOSE)
    actual = specs(step)
    assert (actual["0.weight"], actual["0.bias"]) == (P(("d0", "d1")), P(("d0", "d1")))
    assert actual["2.weight"] == actual["moment1.2.weight"] == P(None, ("d0", "d1"))
    assert net[0](Tensor(np.stack([X, X]))).shape == (2, 8, 32)
    table = nn.Embedding(4, 8, use_one_hot=True)
    table.gather.shard(((1, 1), (1,)))
    with pytest.raises(NotImplementedError, match="computes without the attribute 'gather'"):
        table(Tensor([1, 2]))


def test_primitives_inside_layers_with_parameters(mode):
    def results():
        ms.set_seed(3)
        table, norm = nn.Embedding(8, 4), nn.BatchNorm2d(4)
        norm.set_train()
        table.gather.shard(((1, 4), (1,)))
        norm.bn_train.shard(((1, 4, 1, 1), (4,), (4,), (4,), (4,)))
        values = table(Tensor([[1, 2], [7, 0]])).asnumpy(), norm(Tensor(np.stack([X, Y @ Y.T @ X]).reshape(2, 4, 8, 4)))
        return values[0], values[1].asnumpy(), norm.moving_mean.asnumpy(), table, norm

    *expected, _, _ = results()
    semi_auto()
    *actual, table, norm = results()
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
    assert spec_of(table.embedding_table) == P(None, ("d0", "d1"))
    assert spec_of(norm.gamma) == spec_of(norm.moving_mean) == P(("d0", "d1"))
    norm.bn_train.shard(((1, 1, 4, 1), (4,), (4,), (4,), (4,)))
    with pytest.raises(RuntimeError, match="sharded alike"):
        norm(Tensor(X.reshape(1, 4, 8, 4)))
