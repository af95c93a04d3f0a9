"""`AutoParallel` and the settings of semi-automatic parallel mode."""

import json
import pathlib

import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import msgrad as ms
from msgrad import Tensor, nn, ops, sharding
from msgrad.engine.recording.sharding import Active
from msgrad.parallel import set_op_strategy_config
from msgrad.parallel.auto_parallel import AutoParallel

from .networks import CLOSE, W1, W2, X, Y, mlp, spec_of, specs, trained

_SQUARE = ms.Layout((2, 2), ("a", "b"))
_ALL = P(("d0", "d1"))


class Reading(nn.Cell):
    """Keeps the PartitionSpecs of its arguments as a program has them."""

    def construct(self, *args):
        return args


@pytest.mark.parametrize(
    "strategy, expected",
    [
        ("data_parallel", [_ALL, P()]),
        ("full_batch", [P(), P()]),
        (((2, 2), (2, 1)), [P("d0", "d1"), P("d0")]),
        ((_SQUARE("b", "a"), ms.Layout((4,), ("a",))("None", "a")), [P("d1", "d0"), P(None, ("d0", "d1"))]),
    ],
    ids=["data_parallel", "full_batch", "tuples", "layouts"],
)
@pytest.mark.parametrize("by", ["settings", "AutoParallel"])
def test_dataset_strategies(strategy, expected, by):
    net = Reading()
    if by == "settings":
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy=strategy)
    else:
        net = AutoParallel(net)
        net.dataset_strategy(strategy)
    results = net(Tensor(X), Tensor(X[:6, :4]))
    assert [spec_of(each) for each in results] == expected


def test_arguments_that_a_dataset_strategy_does_not_fit():
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy=((4, 1),))
    for args, message in [((X, X), "for argument 1 of the network too"), ((X[:6],), "6 is not divisible by 4")]:
        with pytest.raises(RuntimeError, match=message):
            Reading()(*map(Tensor, args))


def test_parallel_optimizer(mode):
    expected = trained(mlp())[0]
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        enable_parallel_optimizer=True,
        parallel_optimizer_config={"parallel_optimizer_threshold": 1},
    )
    losses, step = trained(mlp())
    np.testing.assert_allclose(losses, expected, rtol=CLOSE)
    actual = specs(step)
    assert actual["0.weight"] == actual["moment1.0.weight"] == actual["moment2.0.weight"] == _ALL  # 2 KiB
    assert actual["2.weight"] == actual["moment1.2.weight"] == P()  # 0.5 KiB, below the threshold
    step.parameters_dict()["0.weight"].parallel_optimizer = False
    step(Tensor(X), Tensor(Y))
    assert specs(step)["0.weight"] == P()


def test_training_with_auto_parallel(mode):
    expected = trained(mlp())[0]
    net = AutoParallel(nn.WithLossCell(mlp(), nn.MSELoss()))
    net.hsdp(2, threshold=0)
    net.dataset_strategy("data_parallel")
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.05))
    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(3)]
    np.testing.assert_allclose(losses, expected, rtol=CLOSE)
    assert Active.partition is None
    whole = AutoParallel(nn.TrainOneStepCell(nn.WithLossCell(mlp(), nn.MSELoss()), nn.Adam(mlp().trainable_params())))
    assert whole(Tensor(X), Tensor(Y)).shape == ()


def test_a_model_of_auto_parallel(graph_mode):
    def weights(wrap):
        net = wrap(mlp())
        dataset = ms.dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(4)
        ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9)).train(1, dataset)
        return [each.asnumpy() for each in net.trainable_params()]

    for actual, expected in zip(weights(AutoParallel), weights(lambda net: net), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=CLOSE)


def test_stages_are_computed_by_every_device(mode):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=2, full_batch=True)
    np.testing.assert_array_equal(ops.ReLU().shard(((2, 1),))(Tensor(X)).asnumpy(), np.maximum(X, 0))
    with pytest.raises(RuntimeError, match="requires 4 devices, and 2 are not divisible"):
        ops.ReLU().shard(((2, 2),))(Tensor(X))
    net = AutoParallel(mlp())
    net.pipeline(2, interleave=True)
    with pytest.raises(NotImplementedError, match="does not interleave the stages"):
        net(Tensor(X))


def test_strategies_are_not_searched(caplog):
    AutoParallel(mlp(), "recursive_programming")(Tensor(X))
    assert "XLA propagates the given ones" in caplog.text


@pytest.mark.parametrize("kind", ["ckpt", "json"])
def test_files_of_strategies(kind, tmp_path):
    path = str(tmp_path / f"strategy.{kind}")
    net = AutoParallel(mlp())
    net.save_param_strategy_file(path)
    ms.shard(net.network, ((1, 1),), None, {"0.weight": (2, 2), "2.weight": (1, 4)})
    net(Tensor(X))
    layouts = ms.build_searched_strategy(path)
    assert sorted(layouts) == ["0.bias", "0.weight", "2.bias", "2.weight"]
    ms.save_checkpoint(net.network, str(tmp_path / "net.ckpt"))
    part = str(tmp_path / "part.ckpt")
    for rank, shard in enumerate(jnp.asarray(net.network[2].weight).addressable_shards):
        ms.transform_checkpoint_by_rank(rank, {0: str(tmp_path / "net.ckpt")}, part, None, path)
        np.testing.assert_array_equal(ms.load_checkpoint(part)["2.weight"].asnumpy(), shard.data)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", strategy_ckpt_load_file=path)
    _, step = trained(mlp(), steps=1)
    actual = specs(step)
    assert actual["0.weight"] == actual["moment1.0.weight"] == P("d0", "d1")
    assert actual["2.weight"] == P(None, ("d0", "d1"))
    with pytest.raises(ValueError, match="'load_file' must be for 2 devices"):
        ms.set_auto_parallel_context(device_num=2)


def test_settings_leave_a_mesh_of_the_users():
    with sharding.use({"a": 4}) as used:
        ms.set_auto_parallel_context(gradients_mean=True)
        assert Active.partition.mesh is used.mesh
        ms.reset_auto_parallel_context()
        assert jnp.asarray(mlp()(Tensor(X))).sharding.mesh == used.mesh
    assert Active.partition is None


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda net: net.dataset_strategy(None), ValueError, "'config' must be one of"),
        (lambda net: net.dataset_strategy("other"), ValueError, "'config' must be one of"),
        (lambda net: net.dataset_strategy([1]), TypeError, "'config' must be a str or a tuple"),
        (lambda net: net.dataset_strategy((1,)), TypeError, "'item of the config' must be a tuple or a Layout"),
        (lambda net: net.dataset_strategy((("a",),)), TypeError, "'item of the config' must be an int"),
        (lambda net: net.hsdp(0), ValueError, "'shard_size' must be a positive int or -1"),
        (lambda net: net.hsdp(threshold=-1), ValueError, "'threshold' must be a non-negative int"),
        (lambda net: net.hsdp(optimizer_level="level4"), ValueError, "'optimizer_level' must be one of"),
        (lambda net: net.pipeline("2"), TypeError, "'stages' must be an int"),
        (lambda net: net.pipeline(0), ValueError, "'stages' must be larger than zero"),
        (lambda net: net.pipeline(scheduler="other"), ValueError, "'scheduler' must be one of"),
        (lambda net: net.save_operator_strategy_file("a.json"), KeyError, "an absolute path that ends in .json"),
        (lambda net: net.load_operator_strategy_file("/a.ckpt"), KeyError, "an absolute path that ends in .json"),
        (lambda net: net.comm_fusion([]), TypeError, "'config' must be a dict"),
    ],
)
def test_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call(AutoParallel(nn.Dense(2, 2)))


class Products(nn.Cell):
    """Operators with strategies, in the network and in a layer of it; ``has_strategies``: whether they are given."""

    def __init__(self, has_strategies):
        super().__init__()
        self.dense = nn.Dense(16, 32, weight_init=Tensor(W1.T))
        self.first, self.second, self.add = ops.MatMul(), ops.MatMul(), ops.Add()
        self.weight = ms.Parameter(W2, name="w2")
        if has_strategies:
            self.dense.matmul.shard(((1, 1), (4, 1)))
            self.second.shard(((2, 2), (2, 1)))

    def construct(self, x):
        return self.add(self.second(self.dense(x), self.weight), 1.0)


def sharded(net):
    net(Tensor(X))
    return [jnp.asarray(each).sharding.spec for each in (net.dense.weight, net.weight)]


def test_files_of_operator_strategies(tmp_path):
    path = str(tmp_path / "new" / "strategy.json")
    ms.set_auto_parallel_context(parallel_mode="auto_parallel", search_mode="sharding_propagation", full_batch=True)
    set_op_strategy_config("SAVE", path)
    expected = sharded(Products(True))
    assert expected == [P(("d0", "d1"), None), P("d1", None)]
    assert json.loads(pathlib.Path(path).read_text()) == {
        "current_stage": 0,
        "parallel_strategy_item": {
            "Default/MatMul-op1": {"stage": 0, "parallel_strategy": [[2, 2], [2, 1]]},
            "Default/dense-Dense/MatMul-op0": {"stage": 0, "parallel_strategy": [[1, 1], [4, 1]]},
        },
    }
    assert sharded(Products(False)) == [P(), P()]
    set_op_strategy_config("LOAD", path)
    assert sharded(Products(False)) == expected
    ms.reset_auto_parallel_context()
    net = AutoParallel(nn.WithLossCell(Products(False), nn.MSELoss()), "sharding_propagation")
    net.load_operator_strategy_file(path)
    with pytest.raises(RuntimeError, match="none of its operators is among .'Default/network-WithLossCell/_backbone"):
        net(Tensor(X), Tensor(Y))
    set_op_strategy_config("SAVE", str(tmp_path / "unused.json"))
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")  # as in MindSpore, the mode has no use for it
    assert sharded(Products(True)) and not (tmp_path / "unused.json").exists()


@pytest.mark.parametrize(
    "arguments, kind",
    [
        ((), KeyError),
        (("SAVE", "a.json"), KeyError),
        (("SAVE", "/tmp/a.txt"), KeyError),
        (("save", "/tmp/a.json"), KeyError),
        (("SAVE", "/etc/a.json"), PermissionError),
        (("SAVE", 1), TypeError),
    ],
    ids=str,
)
def test_operator_strategies_are_refused(arguments, kind):
    with pytest.raises(kind):
        set_op_strategy_config(*arguments)
