"""How often a forward pass updates statistics if a Cell is called and differentiated. Figures are MindSpore 2.10's."""

import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

BY_WEIGHTS = ops.GradOperation(get_by_list=True)
WITH_SENS = ops.GradOperation(get_by_list=True, sens_param=True)


class Counting(nn.Cell):
    """Counts its calls in one Parameter, and half of the way to the mean of its inputs in another."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0]), name="weight")
        self.calls = Parameter(Tensor(0.0), name="calls", requires_grad=False)
        self.mean = Parameter(Tensor(0.0), name="mean", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.calls, Tensor(1.0))
        self.mean = self.mean * 0.5 + x.mean() * 0.5
        return (x * self.weight).sum()


class Step(nn.Cell):
    def __init__(self, keeps, body):
        super().__init__()
        self.net, self.body = Counting(), body
        self.weights = ms.ParameterTuple([self.net.weight])
        if keeps:
            self.net.set_grad()

    def construct(self, x):
        return self.body(self.net, self.weights, x)


def twice(net, weights, x):
    return net(x), net(x)


def then_gradient(net, weights, x):
    return net(x), BY_WEIGHTS(net, weights)(x)


def then_gradient_of_sens(net, weights, x):
    loss = net(x)
    return loss, WITH_SENS(net, weights)(x, ops.ones_like(loss) * 3)


def then_value_and_grad(net, weights, x):
    return net(x), ms.value_and_grad(net, None, weights)(x)


def then_gradient_elsewhere(net, weights, x):
    return net(x), BY_WEIGHTS(net, weights)(x + 1 - 1)


def two_gradients(net, weights, x):
    return BY_WEIGHTS(net, weights)(x), BY_WEIGHTS(net, weights)(x)


def twice_then_gradient(net, weights, x):
    return net(x), net(x), BY_WEIGHTS(net, weights)(x)


ROWS = [  # what a step does, and the calls that count: PYNATIVE, PYNATIVE after set_grad(), GRAPH
    (twice, 2, 2, 2),
    (then_gradient, 2, 1, 1),
    (then_gradient_of_sens, 2, 1, 1),
    (then_value_and_grad, 2, 1, 1),
    (then_gradient_elsewhere, 2, 2, 2),
    (two_gradients, 2, 2, 2),
    (twice_then_gradient, 3, 2, 3),
]


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize(("body", "alone", "kept", "graph"), ROWS, ids=lambda value: getattr(value, "__name__", None))
def test_a_gradient_takes_the_forward_pass_over(mode, keeps, body, alone, kept, graph):
    calls = graph if mode == "GRAPH_MODE" else kept if keeps else alone
    step = Step(keeps, body)
    for turn in (1, 2):
        step(Tensor([1.0, 1.0]))
        assert step.net.calls.asnumpy() == calls * turn
        assert step.net.mean.asnumpy() == 1 - 0.5 ** (calls * turn)


def test_a_write_between_the_call_and_the_gradient_stays():
    def body(net, weights, x):
        loss = net(x)
        ops.assign(net.calls, Tensor(10.0))
        return loss, BY_WEIGHTS(net, weights)(x)

    step = Step(True, body)
    step(Tensor([1.0, 1.0]))
    assert step.net.calls.asnumpy() == 11
    assert step.net.mean.asnumpy() == 0.5


def test_an_error_in_the_gradient_leaves_everything_as_it_was():
    def body(net, weights, x):
        loss = net(x)
        BY_WEIGHTS(net, weights)(x)
        raise ArithmeticError(loss.shape)

    step = Step(True, body)
    with pytest.raises(ArithmeticError):
        step(Tensor([1.0, 1.0]))
    assert step.net.calls.asnumpy() == step.net.mean.asnumpy() == 0
