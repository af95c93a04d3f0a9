"""Optimizers and learning rates. Figures are MindSpore 2.10's."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad.engine import report
from tests.helpers import assert_close

GRADIENT = (Tensor([1.0, 0.5]),)


def weight(name="w", dtype=ms.float32):
    return Parameter(Tensor([1.0, 2.0], dtype), name=name)


def close(actual, expected, **tolerance):
    assert_close(actual.asnumpy(), np.array(expected, np.float32), **tolerance)


STEPS = [  # optimizer, the Parameter after each of three steps
    (lambda w: nn.SGD(w, 0.1), [[0.9, 1.95], [0.8, 1.9], [0.7, 1.85]]),
    (lambda w: nn.SGD(w, 0.1, 0.9), [[0.9, 1.95], [0.71, 1.855], [0.439, 1.7195]]),
    (lambda w: nn.SGD(w, 0.1, 0.9, 0.5), [[0.9, 1.95], [0.76, 1.88], [0.584, 1.792]]),
    (lambda w: nn.SGD(w, 0.1, 0.9, nesterov=True), [[0.81, 1.905], [0.539, 1.7695], [0.1951, 1.59755]]),
    (lambda w: nn.SGD(w, 0.1, weight_decay=0.1), [[0.89, 1.93], [0.7811, 1.8607], [0.673289, 1.792093]]),
    (lambda w: nn.SGD(w, 0.1, loss_scale=2.0), [[0.95, 1.975], [0.9, 1.95], [0.85, 1.925]]),
    (
        lambda w: nn.SGD(w, 0.1, 0.9, weight_decay=0.1, loss_scale=4),
        [[0.965, 1.9675], [0.89885, 1.906075], [0.8053265, 1.8192318]],
    ),
    (lambda w: nn.Momentum(w, 0.1, 0.9), [[0.9, 1.95], [0.71, 1.855], [0.439, 1.7195]]),
    (
        lambda w: nn.Momentum(w, 0.1, 0.9, weight_decay=0.1, loss_scale=2.0),
        [[0.94, 1.955], [0.8266, 1.86995], [0.666274, 1.7497056]],
    ),
    # Nesterov's momentum as documented; MindSpore 2.10 leaves it out on the CPU.
    (lambda w: nn.Momentum(w, 0.1, 0.9, use_nesterov=True), [[0.81, 1.905], [0.539, 1.7695], [0.1951, 1.59755]]),
]


@pytest.mark.parametrize(("make", "expected"), STEPS)
def test_steps(make, expected, mode):
    w = weight()
    optimizer = make([w])
    for values in expected:
        assert optimizer(GRADIENT) == (True,)
        close(w, values, rtol=2e-6)
    assert optimizer.global_step.asnumpy().tolist() == [3]


def test_names_and_order():
    def names(optimizer):
        return [p.name for p in optimizer.get_parameters()]

    assert names(nn.SGD([weight()], 0.1)) == ["global_step", "learning_rate", "w", "momentum", "accum.w", "stat.w"]
    assert names(nn.Momentum([weight()], 0.1, 0.9)) == ["global_step", "learning_rate", "w", "momentum", "moments.w"]
    assert names(nn.SGD([weight()], [0.1, 0.2]))[-1] == "learning_rate"
    groups = [{"params": [weight("a")], "lr": 0.5}, {"params": [weight("b")]}]
    assert names(nn.SGD(groups, 0.1))[:5] == ["global_step", "learning_rate_group_0", "learning_rate", "a", "b"]
    assert str(nn.SGD([weight()], 0.1)) == "SGD()"


RATES = [  # learning rate, its value at steps 0, 1, 2
    (lambda: 0.1, [0.1, 0.1, 0.1]),
    (lambda: 1, [1, 1, 1]),
    (lambda: Tensor(0.1), [0.1, 0.1, 0.1]),
    (lambda: Tensor([0.1, 0.2, 0.3]), [0.1, 0.2, 0.3]),
    (lambda: [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3]),
    (lambda: (rate for rate in (0.1, 0.2)), [0.1, 0.2, 0.2]),  # MindSpore: an error in the third step
    (lambda: np.array([0.1, 0.2, 0.3], np.float32), [0.1, 0.2, 0.3]),
    (lambda: nn.ExponentialDecayLR(0.1, 0.9, 2), [0.1, 0.0948683, 0.09]),
    (lambda: nn.ExponentialDecayLR(0.1, 0.9, 2, True), [0.1, 0.1, 0.09]),
    (lambda: nn.NaturalExpDecayLR(0.1, 0.9, 4, True), [0.1, 0.1, 0.1]),
    (lambda: nn.InverseDecayLR(0.1, 0.5, 4), [0.1, 0.0888889, 0.08]),
    (lambda: nn.CosineDecayLR(0.01, 0.1, 4), [0.1, 0.08681981, 0.055]),
    (lambda: nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), [0.1, 0.08794229, 0.07363961]),
    (lambda: nn.PolynomialDecayLR(0.1, 0.01, 2, 0.5, True), [0.1, 0.07363961, 0.01]),
    (lambda: nn.WarmUpLR(0.2, 2), [0.0, 0.1, 0.2]),
]


@pytest.mark.parametrize(("make", "expected"), RATES)
def test_learning_rates(make, expected):
    optimizer = nn.SGD([weight()], make())
    for rate in expected:
        close(optimizer.get_lr(), rate)
        optimizer(GRADIENT)


def test_a_changed_learning_rate_compiles_nothing():
    w = weight()
    optimizer = nn.SGD([w], 0.5)
    optimizer(GRADIENT)
    compiled = report()["programs compiled"]
    optimizer.learning_rate.set_data(Tensor(0.25))
    optimizer(GRADIENT)
    assert report()["programs compiled"] == compiled
    close(w, [0.25, 1.625])


def test_groups(mode):
    a, b, c = weight("a"), weight("b.gamma"), weight("c")
    optimizer = nn.SGD(
        [{"params": [a], "lr": 0.5, "weight_decay": 0.1}, {"params": [b, c]}], learning_rate=0.1, weight_decay=0.01
    )
    optimizer(GRADIENT * 3)
    close(a, [0.45, 1.65])
    close(b, [0.899, 1.948])
    close(c, [0.899, 1.948])
    assert type(optimizer.get_lr()) is ms.ParameterTuple
    assert optimizer.get_lr_parameter(a).name == "learning_rate_group_0"
    assert [rate.name for rate in optimizer.get_lr_parameter([a, b])] == ["learning_rate_group_0", "learning_rate"]


def test_groups_with_rates_by_step():
    optimizer = nn.SGD([{"params": [weight("a")], "lr": [0.5, 0.6]}, {"params": [weight("b")]}], 0.1)
    optimizer(GRADIENT * 2)
    for rate, expected in zip(optimizer.get_lr(), [0.6, 0.1], strict=True):
        close(rate, expected)


def test_order_of_groups():
    a, b, c = weight("a"), weight("b"), weight("c")
    groups = [{"params": [a, b]}, {"params": [c], "weight_decay": 0.1}, {"order_params": [c, b, a]}]
    optimizer = nn.SGD(groups, 0.1)
    assert [p.name for p in optimizer.parameters] == ["c", "b", "a"]
    assert optimizer.decay_flags == (True, False, False)


def test_weight_decay_spares_beta_and_gamma():
    parameters = [weight("gamma"), weight("x.beta"), weight("w")]
    zeros = Tensor([0.0, 0.0])
    nn.SGD(parameters, 1.0, weight_decay=0.5)((zeros, zeros, zeros))
    assert [p.asnumpy().tolist() for p in parameters] == [[1, 2], [1, 2], [0.5, 1]]


def test_weight_decay_by_step():
    class Decay(nn.Cell):
        def construct(self, step):
            return 0.1 / (step + 1)

    optimizer = nn.Momentum([weight()], 0.1, 0.9, weight_decay=Decay())
    close(optimizer.get_weight_decay(), [0.1])
    optimizer(GRADIENT)
    close(optimizer.get_weight_decay(), [0.05])
    with pytest.raises(TypeError, match="For 'SGD', the 'weight_decay' must be a number, in every group"):
        nn.SGD([weight()], 0.1, weight_decay=Decay())


def test_gradient_centralization():
    w = Parameter(Tensor(np.zeros((2, 16), np.float32)), name="w")
    gradient = np.arange(32, dtype=np.float32).reshape(2, 16)
    nn.SGD([{"params": [w], "grad_centralization": True}], 1.0)((Tensor(gradient),))
    assert_close(w.asnumpy(), gradient.mean(axis=1, keepdims=True) - gradient)


def test_half_precision_parameters_stay_so():
    w = weight(dtype=ms.float16)
    optimizer = nn.SGD([w], 0.1, 0.9)
    optimizer((Tensor([1.0, 1.0], ms.float32),))
    assert [p.dtype for p in (w, optimizer.accum[0])] == [ms.float16, ms.float16]
    assert_close(w.asnumpy(), np.array([0.9, 1.9], np.float16), rtol=1e-3)


def test_an_optimizer_of_ones_own():
    class Plain(nn.Optimizer):
        def construct(self, gradients):
            gradients = self.scale_grad(self.decay_weight(gradients))
            for parameter, gradient in zip(self.parameters, gradients, strict=True):
                parameter.set_data(parameter - self.get_lr() * gradient)

    w = weight()
    Plain(0.1, [w], weight_decay=0.1, loss_scale=2.0)(GRADIENT)
    close(w, [0.94, 1.955])


w = weight()
ERRORS = [
    (lambda: nn.SGD([]), ValueError, "For 'Optimizer', the 'parameters' must be a list that is not empty"),
    (lambda: nn.SGD(None), ValueError, "For 'Optimizer', the 'parameters' must be a list"),
    (
        lambda: nn.SGD(3),
        TypeError,
        "For 'Optimizer', the 'parameters' must be an Iterable",
    ),
    (
        lambda: nn.SGD([3]),
        TypeError,
        "For 'Optimizer', the 'parameters' must be a list of Parameters, or of dicts",
    ),
    (lambda: nn.SGD(w), TypeError, "For 'Optimizer', the 'parameters' must be a list of Parameters, or of dicts"),
    (
        lambda: nn.SGD([{"params": [w], "foo": 3}]),
        KeyError,
        "\"For 'Optimizer', the 'params' must be dicts with keys out of ['params', 'lr',",
    ),
    (lambda: nn.SGD([{"params": [w], "lr": None}]), TypeError, "For 'Optimizer', the 'lr' must be a number or a sche"),
    (lambda: nn.SGD([{"params": [w], "weight_decay": None}]), TypeError, "For 'Optimizer', the 'weight_decay' must be"),
    (lambda: nn.SGD([w], [None]), TypeError, "For 'Optimizer', the 'learning_rate' must be made of numbers, but got"),
    (lambda: nn.SGD([{"params": []}]), ValueError, "For 'Optimizer', the 'params' must be a list that is not empty"),
    (
        lambda: nn.SGD([{"params": [3]}]),
        TypeError,
        "For 'Optimizer', the 'params[0]' must be a Parameter",
    ),
    (
        lambda: nn.SGD([{"params": [w]}, {"params": [w]}]),
        RuntimeError,
        "For 'Optimizer', the Parameter 'w' is in two groups or twice in one: list it once",
    ),
    (
        lambda: nn.SGD([w], -1.0),
        ValueError,
        "For 'SGD', the 'learning_rate' must be a non-negative number",
    ),
    (
        lambda: nn.SGD([w], None),
        TypeError,
        "For 'Optimizer', the 'learning_rate' must be a number, a Tensor, an iterable of rates",
    ),
    (
        lambda: nn.SGD([w], Tensor([[0.1]])),
        ValueError,
        "For 'Optimizer', the 'learning_rate' must be a Tensor of at most one axis",
    ),
    (lambda: nn.SGD([w], "a"), ValueError, "could not convert string to float: 'a'"),
    (
        lambda: nn.SGD([w], momentum="a"),
        TypeError,
        "For 'SGD', the 'momentum' must be a number",
    ),
    (
        lambda: nn.SGD([w], momentum=-1.0),
        ValueError,
        "For 'SGD', the 'momentum' must be a non-negative number",
    ),
    (
        lambda: nn.SGD([w], dampening=-1.0),
        ValueError,
        "For 'SGD', the 'dampening' must be a non-negative number",
    ),
    (
        lambda: nn.SGD([w], nesterov=1),
        TypeError,
        "For 'SGD', the 'nesterov' must be a bool",
    ),
    (
        lambda: nn.SGD([w], nesterov=True),
        ValueError,
        "For 'SGD', the 'momentum' must be above 0, since 'nesterov' is True",
    ),
    (
        lambda: nn.SGD([w], weight_decay=-1.0),
        ValueError,
        "For 'SGD', the 'weight_decay' must be a non-negative number",
    ),
    (
        lambda: nn.SGD([w], weight_decay="a"),
        TypeError,
        "For 'Optimizer', the 'weight_decay' must be a number or a Cell",
    ),
    (
        lambda: nn.SGD([w], loss_scale="a"),
        TypeError,
        "For 'SGD', the 'loss_scale' must be a number",
    ),
    (
        lambda: nn.SGD([w], loss_scale=0.0),
        ValueError,
        "For 'SGD', the 'loss_scale' must be a number above 0",
    ),
    (
        lambda: nn.Momentum([w], 0.1, 1),
        TypeError,
        "For 'Momentum', the 'momentum' must be a float",
    ),
    (
        lambda: nn.Momentum([w], 0.1, -1.0),
        ValueError,
        "For 'Momentum', the 'momentum' must be a non-negative float",
    ),
    (
        lambda: nn.Momentum([w], 0.1, 0.9, use_nesterov=3),
        TypeError,
        "For 'Momentum', the 'use_nesterov' must be a bool",
    ),
    (
        lambda: nn.SGD([w])(GRADIENT * 2),
        RuntimeError,
        "For 'SGD', the 'gradients' must be 1 Tensors, one for each Parameter",
    ),
    (
        lambda: nn.SGD([w]).get_lr_parameter(3),
        TypeError,
        "For 'get_lr_parameter', the 'param' must be a Parameter or a list of them",
    ),
    (
        lambda: nn.SGD([w]).get_lr_parameter(weight("z")),
        ValueError,
        "For 'get_lr_parameter', the 'param' must be one that this optimizer updates",
    ),
    (
        lambda: nn.ExponentialDecayLR(1, 0.9, 2),
        TypeError,
        "For 'ExponentialDecayLR', the 'learning_rate' must be a float, but got 1 (int)",
    ),
    (
        lambda: nn.ExponentialDecayLR(0.1, 0.0, 2),
        ValueError,
        "For 'ExponentialDecayLR', the 'decay_rate' must be a float above 0, but got 0.0",
    ),
    (
        lambda: nn.ExponentialDecayLR(0.1, 0.9, 0),
        ValueError,
        "For 'ExponentialDecayLR', the 'decay_steps' must be a positive int",
    ),
    (
        lambda: nn.CosineDecayLR(0.2, 0.1, 2),
        ValueError,
        "For 'CosineDecayLR', the 'max_lr' must be greater than the 'min_",
    ),
    (
        lambda: nn.WarmUpLR(1, 2),
        TypeError,
        "For 'WarmUpLR', the 'learning_rate' must be a float, but got 1 (int)",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), ERRORS)
def test_errors(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_groups_are_attributes_of_the_optimizer():
    a, b = [ms.Parameter(ms.Tensor([1.0]), name=name) for name in "ab"]
    optimizer = nn.Adam([{"params": [a], "lr": 0.2}, {"params": [b]}, {"order_params": [b, a]}], 0.1)
    assert [each.name for each in optimizer.group_params] == ["b", "a"]
    assert [each.name for each in optimizer.group_lr] == ["learning_rate", "learning_rate_group_0"]
    assert [each.name for each in nn.SGD([{"params": [a]}, {"params": [b]}], 0.1).group_lr] == ["learning_rate"] * 2
    groups = [{"params": [a]}, {"params": [b], "weight_decay": 0.1, "grad_centralization": True}]
    optimizer = nn.SGD(groups, 0.2, weight_decay=0.3, loss_scale=2.0)
    assert optimizer.group_weight_decay == [0.6, 0.2] and optimizer.grad_centralization
    assert (optimizer.group_grad_centralization, optimizer.grad_centralization_flags) == ([False, True], (False, True))
    with pytest.raises(AttributeError, match="The 'SGD' object has no attribute 'group_params'"):
        nn.SGD([a, b], 0.1).group_params  # noqa: B018
