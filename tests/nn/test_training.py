"""Training loops of programs: 1.x steps, custom optimizers, several optimizers, methods of Cells."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, ParameterTuple, Tensor, boost, nn, ops
from msgrad._compat.nn.optimizers import opt_init_args_register
from msgrad.engine import report
from msgrad.nn.utils import no_init_parameters

X = Tensor(np.linspace(-1, 1, 24).reshape(6, 4).astype(np.float32))
Y = Tensor(np.linspace(0, 1, 12).reshape(6, 2).astype(np.float32))
F, C, P = ops, ops, ops

clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(kind, value, gradient):
    return C.clip_by_value(gradient, -value, value) if kind == 0 else nn.ClipByNorm()(gradient, value)


class OldStep(nn.Cell):
    """A step in the style of 1.x: clipped gradients, and the optimizer under depend."""

    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.network.add_flags(defer_inline=True)
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.hyper_map = C.HyperMap()
        self.reducer = nn.DistributedGradReducer(optimizer.parameters, True, 1)

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        gradients = self.grad(self.network, self.weights)(x, y, sens)
        gradients = self.hyper_map(F.partial(clip_grad, 0, 0.05), gradients)
        return F.depend(loss, self.optimizer(self.reducer(gradients)))


def test_a_step_of_1x_is_one_program(mode):
    network = nn.Dense(4, 2)
    step = OldStep(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.5))
    step.set_train()
    losses = [step(X, Y).item() for _ in range(3)]
    launches = report()["launches"]
    losses += [step(X, Y).item() for _ in range(4)]
    assert report()["launches"] == launches + 4
    assert losses == sorted(losses, reverse=True)


def test_a_function_of_2x(mode):
    network = nn.Dense(4, 2)
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    gradient = ms.value_and_grad(lambda x, y: nn.MSELoss()(network(x), y), None, optimizer.parameters)

    def step(x, y):
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    for fn in (step, ms.jit(step)):
        losses = [fn(X, Y).item() for _ in range(4)]
        assert losses == sorted(losses, reverse=True)


_decayed_step = C.MultitypeFuncGraph("decayed_step")


@_decayed_step.register("Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Bool", "Bool")
def _decayed_step_of(rate, decay, parameter, moment, gradient, decays, chosen):
    if chosen:
        moment_now = moment * 0.9 + gradient
        move = moment_now + decay * parameter if decays else moment_now
        F.assign(parameter, parameter - rate * move)
        F.assign(moment, moment_now)
    return gradient


class Own(nn.Optimizer):
    """An optimizer as model zoos write it."""

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.moments = self.parameters.clone(prefix="own_m", init="zeros")

    def construct(self, gradients):
        rate, decay = self.get_lr(), self.get_weight_decay()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        gradients = self._grad_sparse_indices_deduplicate(gradients)
        result = self.hyper_map(
            F.partial(_decayed_step, rate, decay), self._parameters, self.moments, gradients, self.decay_flags,
            self.optim_filter,
        )  # fmt: skip
        if self.use_parallel:
            result = self.broadcast_params(result)
        return result

    @nn.Optimizer.target.setter
    def target(self, value):
        self._set_base_target(value)


def test_an_optimizer_of_ones_own(mode):
    w, beta = Parameter(Tensor([1.0, 2.0]), name="w"), Parameter(Tensor([1.0]), name="beta")
    optimizer = Own([w, beta], 0.5, weight_decay=0.5)
    optimizer.target = "CPU"
    optimizer((Tensor([1.0, 1.0]), Tensor([1.0])))
    optimizer((Tensor([0.0, 0.0]), Tensor([0.0])))
    np.testing.assert_allclose(w.asnumpy(), [-0.2625, 0.3], rtol=1e-6)
    np.testing.assert_allclose(beta.asnumpy(), [0.05], rtol=1e-5)
    assert optimizer.global_step.asnumpy().tolist() == [2]
    assert optimizer.init_args == {"weight_decay": 0.5}
    assert optimizer.init_learning_rate == 0.5


def test_attributes_of_optimizers():
    optimizer = nn.Adam([Parameter(Tensor([1.0]), name="w")])
    assert (optimizer.target, optimizer.unique, optimizer.param_length) == ("CPU", True, 1)
    with pytest.raises(ValueError, match="For 'Optimizer', the 'target' must be one of"):
        optimizer.target = "TPU"
    with pytest.raises(TypeError, match="For 'Optimizer', the 'unique' must be a bool"):
        optimizer.unique = 1


def test_two_players(mode):
    """A generator and a discriminator: two optimizers, each of which leaves the other's Parameters alone."""
    generator, judge = nn.Dense(4, 2), nn.Dense(2, 1)
    of_generator, of_judge = (nn.Adam(net.trainable_params(), 0.05) for net in (generator, judge))

    def judged(x, y):
        return (judge(generator(x)) - judge(y)).mean()

    by_generator = ms.value_and_grad(judged, None, of_generator.parameters)
    by_judge = ms.value_and_grad(lambda x, y: -judged(x, y), None, of_judge.parameters)
    for _ in range(3):
        before = judge.weight.asnumpy().copy()
        of_generator(by_generator(X, Y)[1])
        assert np.array_equal(judge.weight.asnumpy(), before)
        before = generator.weight.asnumpy().copy()
        of_judge(by_judge(X, Y)[1])
        assert np.array_equal(generator.weight.asnumpy(), before)


def test_frozen_layers_stay(mode):
    network = nn.SequentialCell(nn.Dense(4, 3), nn.Dense(3, 2))
    for parameter in network[0].get_parameters():
        parameter.requires_grad = False
    frozen = network[0].weight.asnumpy().copy()
    step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.1))
    assert step(X, Y).item() > step(X, Y).item()
    assert np.array_equal(network[0].weight.asnumpy(), frozen)


def test_gradients_added_up(mode):
    w = Parameter(Tensor([1.0]), name="w")
    accumulate = boost.GradientAccumulation(2, nn.SGD([w], 0.5))
    values = []
    for gradient in (1.0, 3.0, 2.0, 4.0):
        accumulate(Tensor(0.0), (Tensor([gradient]),))
        values.append(w.item())
    assert values == [1, 0, 0, -1.5]
    launches = report()["launches"]
    accumulate(Tensor(0.0), (Tensor([1.0]),))
    assert report()["launches"] == launches + 1
    with pytest.raises(ValueError, match="the 'max_accumulation_step' must be a positive int"):
        boost.GradientAccumulation(0, None)


def test_a_cell_is_cast():
    network = nn.SequentialCell(nn.Dense(4, 3), nn.BatchNorm1d(3))
    network.register_buffer("count", Tensor([1]))
    assert network.to(ms.float16) is network
    assert {p.dtype for p in network.get_parameters()} == {ms.float16}
    assert network.count.dtype == ms.int64
    assert network.to("CPU", ms.float32)[0].weight.dtype == ms.float32
    assert network.to(Tensor([1.0], ms.float16))[0].weight.dtype == ms.float16
    assert network.to(dtype=ms.float32).to(device="CPU")[0].weight.dtype == ms.float32
    with pytest.raises(TypeError, match="For 'to', the 'dtype' must be a float or complex dtype"):
        network.to(ms.int32)


def test_hints_of_cells():
    network = nn.Dense(4, 2)
    assert network.set_comm_fusion(3) is network
    assert network.weight.comm_fusion == 3
    assert network.set_broadcast_flag() is network
    assert network.set_boost("less_bn") is network
    network.pipeline_stage = 2
    assert network.pipeline_stage == 2
    assert network.shard(((1, 1),)) is None
    assert network.offload() is None
    network.update_cell_type("a")
    assert network.cell_type == "a"
    with pytest.raises(ValueError, match="For 'Cell', the 'pipeline_stage' must be a non-negative int"):
        network.pipeline_stage = -1
    with pytest.raises(AttributeError, match="no attribute 'pipeline_stage'"):
        _ = nn.Dense(4, 2).pipeline_stage
    with no_init_parameters():
        assert nn.Dense(4, 2).weight.shape == (2, 4)


def drop(state, name):
    del state[name]


def test_hooks_of_state_dicts():
    network = nn.SequentialCell(nn.Dense(4, 2))
    seen = []
    handles = [
        network.register_state_dict_pre_hook(lambda cell, prefix, keep: seen.append(("before", prefix))),
        network[0].register_state_dict_post_hook(lambda cell, state, prefix, _: drop(state, prefix + "bias")),
        network.register_load_state_dict_pre_hook(lambda cell, state, *rest: state.pop("odd")),
        network.register_load_state_dict_post_hook(lambda cell, keys: keys.missing_keys.clear()),
    ]
    state = network.state_dict()
    assert list(state) == ["0.weight"]
    assert seen == [("before", "")]
    actual = network.load_state_dict({**state, "odd": Tensor([1.0])}, strict=False)
    assert (actual.missing_keys, actual.unexpected_keys) == ([], [])
    for handle in handles:
        handle.remove()
    assert list(network.state_dict()) == ["0.weight", "0.bias"]
    network.register_state_dict_post_hook(lambda *args: 1)
    with pytest.raises(RuntimeError, match="a hook that is called afterwards must return None"):
        network.state_dict()


def test_a_state_dict_by_position_warns():
    received = {}
    with pytest.warns(FutureWarning, match="give the arguments by name"):
        assert nn.Dense(4, 2).state_dict(received, "a.") is received
    assert list(received) == ["a.weight", "a.bias"]
