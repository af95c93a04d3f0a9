"""Wrapper Cells. Figures are MindSpore 2.10's."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine import report
from tests.helpers import assert_close


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, a):
        return a * self.w


class Loss(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = Sub()

    def construct(self, a, b):
        return (self.n(a) * b).sum()


class Counting(nn.Cell):
    """Counts its forward passes in a Parameter."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.count = Parameter(Tensor([0.0]), name="count", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.count, Tensor([1.0]))
        return (x * self.w).sum()


X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])


def close(actual, expected):
    assert_close(actual.asnumpy(), np.array(expected, np.float32))


def test_forward_value_and_grad(mode):
    net = Loss()
    weights = net.trainable_params()
    value, gradient = nn.ForwardValueAndGrad(net)(X, Y)
    close(value, 30)
    close(gradient, [6, 12])
    _, (first, second) = nn.ForwardValueAndGrad(net, get_all=True)(X, Y)
    close(first, [6, 12])
    close(second, [2, 6])
    _, (by_weight,) = nn.ForwardValueAndGrad(net, weights, get_by_list=True)(X, Y)
    close(by_weight, [3, 8])
    both = nn.ForwardValueAndGrad(net, weights, get_all=True, get_by_list=True, sens_param=True)
    _, ((first, second), (by_weight,)) = both(X, Y, Tensor(2.0))
    close(first, [12, 24])
    close(second, [4, 12])
    close(by_weight, [6, 16])


def test_train_one_step(mode):
    net = Loss()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    close(step(X, Y), 30)
    close(net.n.w, [1.7, 2.2])
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1), sens=10.0)
    close(step(X, Y), 22.7)
    close(net.n.w, [-1.3, -5.8])


def test_train_one_step_returns_gradients_by_name():
    net = Loss()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1), return_grad=True)
    loss, gradients = step(X, Y)
    close(loss, 30)
    assert list(gradients) == ["n.w"]
    close(gradients["n.w"], [3, 8])


@pytest.mark.parametrize("sens", [None, 2.0])
def test_a_step_runs_the_network_once(sens, mode):
    net = Counting()
    step = nn.TrainOneStepCell(net, nn.SGD([net.w], 0.1), sens=sens)
    for count in (1, 2, 3):
        step(Tensor([3.0]))
        close(net.count, [count])


def test_the_second_step_compiles_nothing(mode):
    net = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3), nn.Dropout(p=0.5), nn.Dense(3, 1)).set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    x, y = Tensor(np.ones((4, 2), np.float32)), Tensor(np.ones((4, 1), np.float32))
    step(x, y)
    compiled = report()["programs compiled"]
    for _ in range(3):
        step(x, y)
    assert report()["programs compiled"] == compiled
    assert optimizer.global_step.asnumpy().tolist() == [4]


def test_train_one_step_names_and_text():
    net = nn.Dense(2, 1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    assert [p.name for p in step.get_parameters()] == [
        "weight",
        "bias",
        "global_step",
        "learning_rate",
        "momentum",
        "accum.weight",
        "accum.bias",
        "stat.weight",
        "stat.bias",
    ]
    assert str(step) == (
        "TrainOneStepCell(\n  (network): WithLossCell(\n"
        "    (_backbone): Dense(input_channels=2, output_channels=1, has_bias=True)\n    (_loss_fn): MSELoss()\n  )\n"
        "  (optimizer): SGD()\n  (grad_reducer): Identity()\n)"
    )
    assert step.network.requires_grad
    assert step.network.backbone_network is net
    with pytest.raises(ValueError, match="For 'TrainOneStepCell', the 'sens' must be a number other than 0"):
        nn.TrainOneStepCell(net, step.optimizer, sens=0)


def test_a_train_step_of_ones_own():
    class Clipped(nn.TrainOneStepCell):
        def construct(self, *inputs):
            loss = self.network(*inputs)
            gradients = self.grad_no_sens(self.network, self.weights)(*inputs)
            gradients = tuple(ops.clip_by_value(gradient, -1.0, 1.0) for gradient in gradients)
            assert not self.use_graceful_exit
            self.optimizer(self.grad_reducer(gradients))
            return loss

    net = Loss()
    Clipped(net, nn.SGD(net.trainable_params(), 0.1))(X, Y)
    close(net.n.w, [1.9, 2.9])


def test_with_loss_eval_and_grad_cells():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    x, y = Tensor([[1.0, 2.0]]), Tensor([[1.0]])
    close(nn.WithLossCell(net, nn.MSELoss())(x, y), 4)
    loss, output, label = nn.WithEvalCell(net, nn.MSELoss())(x, y)
    close(loss, 4)
    close(output, [[3]])
    assert label.asnumpy().tolist() == [[1]]
    weight, bias = nn.WithGradCell(net, nn.MSELoss())(x, y)
    close(weight, [[4, 8]])
    close(bias, [4])
    close(nn.WithGradCell(net)(x)[0], [[1, 2]])
    close(nn.WithGradCell(net, nn.MSELoss(), sens=Tensor(2.0))(x, y)[1], [8])


def test_parameter_update_and_identity():
    p = Parameter(Tensor([1.0]), name="p")
    nn.ParameterUpdate(p)(Tensor([5.0]))
    close(p, [5])
    assert nn.Identity()(3) == 3
    with pytest.raises(TypeError, match="For 'ParameterUpdate', the 'param' must be a Parameter"):
        nn.ParameterUpdate(3)


def test_errors():
    with pytest.raises(
        TypeError, match="For 'ForwardValueAndGrad', the 'network' must be a Cell, a function or a method"
    ):
        nn.ForwardValueAndGrad(3)
    with pytest.raises(TypeError, match="the 'weights' must be a list of Parameters, for 'get_by_list'"):
        nn.ForwardValueAndGrad(Loss(), weights=3, get_by_list=True)


def test_modes_agree():
    losses = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        ms.set_seed(0)
        net = nn.SequentialCell(nn.Dense(2, 4, activation="tanh"), nn.Dense(4, 1))
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1, 0.9))
        losses.append([step(Tensor([[1.0, 2.0]]), Tensor([[1.0]])).asnumpy() for _ in range(5)])
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert_close(np.array(losses[0]), np.array(losses[1]), rtol=1e-6)
