"""Tables of Parameter names: numbers do not depend on them, and arrays are sharded accordingly."""

import copy
import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import msgrad as ms
from msgrad import Tensor, nn, ops, sharding
from msgrad.engine.execution import executables, execute, speculation
from msgrad.engine.execution.tiers import are_on

from .networks import CLOSE, SENTENCES, X, Y, block, mlp, spec_of, specs, trained

_BOTH = ("data", "model")
_MODEL = {r"0\.weight": ("model", None), r"0\.bias": ("model",), r"2\.weight": (None, "model")}
_BLOCK = {
    r"(query|key|value|up)\.weight": ("model", None),
    r"up\.bias": ("model",),
    r"(out|down)\.weight": (None, "model"),
}


@pytest.fixture(scope="module")
def expected():
    """The losses of one device."""
    return trained(mlp())[0]


def test_there_are_four_devices_and_numpy_runs_nothing():
    assert jax.device_count() == 4 and not are_on()


@pytest.mark.parametrize(
    "options, first, slot",
    [
        (dict(batch="data"), P(), P()),
        (dict(parameters=_MODEL), P("model"), P("model")),
        (dict(parameters=_MODEL, batch="data"), P("model"), P("model")),
        (dict(parameters={"weight": (_BOTH,)}, batch=_BOTH), P(_BOTH), P(_BOTH)),
        (dict(batch="data", optimizer=True), P(), P(_BOTH)),
        (dict(parameters=_MODEL, optimizer=True), P("model"), P(("model", "data"))),
    ],
    ids=["batch", "model", "both", "all", "optimizer", "model and optimizer"],
)
def test_losses_and_layouts(options, first, slot, expected, mode):
    with sharding.use({"data": 2, "model": 2}, **options):
        losses, step = trained(mlp())
    np.testing.assert_allclose(losses, expected, rtol=CLOSE)
    actual = specs(step)
    assert actual["0.weight"] == first and actual["moment1.0.weight"] == actual["moment2.0.weight"] == slot
    assert actual["2.bias"] == P() and actual["global_step"] == P()


def test_parts_lie_on_their_devices():
    with sharding.use({"data": 2, "model": 2}, {r"0\.weight": ("model", None)}):
        net = mlp()
        net(Tensor(X))
        parts = jnp.asarray(net[0].weight).addressable_shards
    whole = net[0].weight.asnumpy()
    assert [part.data.shape for part in parts] == [(16, 16)] * 4
    for part, device, rows in zip(parts, jax.devices(), [0, 16, 0, 16], strict=True):
        assert part.device == device
        np.testing.assert_array_equal(part.data, whole[rows : rows + 16])


def test_a_transformer_block(graph_mode):
    with_one = trained(block(), SENTENCES, SENTENCES, steps=2)[0]
    with sharding.use({"data": 2, "model": 2}, _BLOCK, batch="data"):
        with_four, step = trained(block(), SENTENCES, SENTENCES, steps=2)
    np.testing.assert_allclose(with_four, with_one, rtol=CLOSE)
    actual = specs(step)
    assert actual["up.weight"] == actual["moment1.up.weight"] == P("model")
    assert actual["down.weight"] == P(None, "model")


def test_gradients_in_the_functional_style(mode):
    def gradients():
        net, loss = mlp(), nn.MSELoss()
        function = ms.value_and_grad(lambda x, y: loss(net(x), y), None, net.trainable_params())
        value, actual = function(Tensor(X), Tensor(Y))
        second = ms.grad(lambda x: ms.grad(lambda x: (net(x) ** 2).sum())(x).sum())(Tensor(X))
        return [each.asnumpy() for each in (value, *actual, second)], net

    with_one, _ = gradients()
    with sharding.use({"data": 2, "model": 2}, _MODEL, batch="data"):
        with_four, net = gradients()
    for actual, expected in zip(with_four, with_one, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=CLOSE, atol=CLOSE)
    assert spec_of(net[0].weight) == P("model")


def test_a_step_is_compiled_once_and_sent_once(mode):
    with sharding.use({"data": 2, "model": 2}, _MODEL, batch="data"):
        _, step = trained(mlp(), steps=2)
        before = executables._Count.compiled, execute.report()["launches"]
        for _ in range(2):
            step(Tensor(X), Tensor(Y))
        assert (executables._Count.compiled, execute.report()["launches"]) == (before[0], before[1] + 2)


def test_old_values_are_overwritten_on_every_device(monkeypatch):
    monkeypatch.setattr(speculation, "MOST_BYTES", 0)  # so that this step counts as a large one
    with sharding.use({"data": 4}, {"weight": ("data",)}):
        net = nn.Dense(256, 256, has_bias=False)
        step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        for _ in range(2):  # the first step copies what was moved, which may share memory with the whole array
            step(ops.ones((1, 256)))
        before = _pointers(net.weight)
        step(ops.ones((1, 256)))
        assert _pointers(net.weight) == before


def _pointers(parameter):
    return [part.data.unsafe_buffer_pointer() for part in parameter._state_().addressable_shards]


def test_numpy_gets_a_copy_of_what_lies_on_several_devices():
    with sharding.use({"data": 4}, batch="data"):
        y = mlp()(Tensor(X))
        y.asnumpy()[:] = 0
        assert spec_of(y) == P("data") and y.asnumpy().any()


def test_copies_are_laid_out_at_their_first_call():
    with sharding.use({"data": 2, "model": 2}, _MODEL):
        net = mlp()
        net(Tensor(X))
        for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
            np.testing.assert_allclose(other(Tensor(X)).asnumpy(), net(Tensor(X)).asnumpy(), rtol=CLOSE)
            assert specs(other)["0.weight"] == P("model")


def test_what_python_looks_at_on_the_way(mode):
    class Looking(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = mlp()

        def construct(self, x):
            y = self.dense(x)
            return y * 2 if y.sum() > 0 else y * 3

    net = Looking()
    expected = net(Tensor(X)).asnumpy()
    with sharding.use({"data": 2, "model": 2}, _MODEL, batch="data"):
        np.testing.assert_allclose(net(Tensor(X)).asnumpy(), expected, rtol=CLOSE, atol=CLOSE)


def test_statistics_and_sink_mode(graph_mode):
    def train():
        ms.set_seed(4)
        net = nn.SequentialCell(nn.Dense(16, 8), nn.BatchNorm1d(8), nn.Dense(8, 4))
        dataset = ms.dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(4)
        model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9))
        model.train(2, dataset, dataset_sink_mode=True)
        return {name: each.asnumpy() for name, each in net.parameters_dict().items()}, net

    expected, _ = train()
    with sharding.use({"data": 4}, batch="data", optimizer=True):
        actual, net = train()
    for name, value in expected.items():
        np.testing.assert_allclose(actual[name], value, rtol=1e-5, atol=CLOSE, err_msg=name)
    assert specs(net) == {name: P() for name in expected}


def test_checkpoints_are_whole_and_load_into_another_table(tmp_path):
    path = str(tmp_path / "net.ckpt")
    with sharding.use({"data": 2, "model": 2}, _MODEL, batch="data"):
        _, step = trained(mlp(), steps=1)
        ms.save_checkpoint(step.network, path)
        expected = step.parameters_dict()["0.weight"].asnumpy()
    assert ms.load_checkpoint(path)["0.weight"].shape == (32, 16)
    with sharding.use({"model": 4}, {r"0\.weight": (None, "model")}):
        net = mlp()
        net(Tensor(X))
        ms.load_param_into_net(net, ms.load_checkpoint(path))
        assert spec_of(net[0].weight) == P(None, "model")
        np.testing.assert_array_equal(net[0].weight.asnumpy(), expected)


def test_meshes_of_the_users(mode):
    mesh = Mesh(np.array(jax.devices()[:2]), ("rows",))
    x = ms.Tensor(jax.device_put(X, NamedSharding(mesh, P("rows"))))
    with sharding.use(mesh, {"weight": ("rows",)}) as used:
        net = mlp()
        assert used.mesh is mesh and jnp.asarray(net(x)).sharding.device_set == set(jax.devices()[:2])
    expected = X @ net[0].weight.asnumpy().T + net[0].bias.asnumpy()
    np.testing.assert_allclose(net[0](Tensor(X)).asnumpy(), expected, rtol=1e-5, atol=CLOSE)


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: sharding.use({"a": 8}), ValueError, "of at most 4 devices, the number that JAX has"),
        (lambda: sharding.use({"a": 0}), ValueError, "'item of the mesh' must be a positive int"),
        (lambda: sharding.use(4), TypeError, "'mesh' must be a Mesh or a dict"),
        (lambda: sharding.use({"a": 4}, {"w": ("b",)}), ValueError, "'parameters' must be of the mesh's axes"),
        (lambda: sharding.use({"a": 4}, {"w": ("a", "a")}), ValueError, "of distinct axes"),
        (lambda: sharding.use({"a": 4}, {"w": "a"}), TypeError, "'item of the parameters' must be a tuple"),
        (lambda: sharding.use({"a": 4}, batch="b"), ValueError, "'batch' must be of the mesh's axes"),
        (lambda: sharding.use({"a": 4}, optimizer=1), TypeError, "'optimizer' must be a bool"),
    ],
)
def test_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_a_parameter_that_cannot_be_cut_is_refused_by_name():
    with sharding.use({"a": 4}, {"weight": ("a",)}):
        with pytest.raises(ValueError, match=r"Parameter weight' must be .* into \[4\] parts, but got \(3, 2\)"):
            nn.Dense(2, 3)(ops.ones((1, 2)))
