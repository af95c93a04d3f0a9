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


class Drawing(nn.Cell):
    """Multiplies random numbers by a weight."""

    def __init__(self, draw):
        super().__init__()
        self.weight = Parameter(ops.ones(4), name="weight")
        self.draw = draw

    def construct(self, x):
        return self.draw(x) * self.weight


class Dropping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, x):
        return self.dropout(x)


DRAWS = {
    "ops.dropout": lambda: lambda x: ops.dropout(x, 0.5),
    "ops.normal": lambda: lambda x: ops.standard_normal(x.shape),
    "ops.rand": lambda: lambda x: ops.rand(4),
    "Primitive": lambda: (lambda normal: lambda x: normal(x.shape))(ops.StandardNormal(seed=4)),
    "nn.Dropout": Dropping,
}


@pytest.mark.parametrize("draw", DRAWS)
def test_a_gradient_has_the_random_numbers_of_the_loss(mode, draw):
    ms.set_seed(3)
    net = Drawing(DRAWS[draw]()).set_train()
    step = Step(True, then_gradient)
    step.net, step.weights = net.set_grad(), ms.ParameterTuple([net.weight])
    losses = []
    for _ in range(3):
        loss, (gradient,) = step(ops.ones(4))
        assert loss.tolist() == gradient.tolist()
        losses.append(loss.tolist())
    assert len(set(map(tuple, losses))) > 1
    # A gradient alone draws what the losses drew, as if there had been no gradients with them.
    ms.set_seed(3)
    net = Drawing(DRAWS[draw]()).set_train()
    alone = ms.grad(net, None, ms.ParameterTuple([net.weight]))
    assert [alone(ops.ones(4))[0].tolist() for _ in range(3)] == losses


def test_a_gradient_with_other_draws_than_the_loss_has_new_ones():
    counts = iter(range(10))

    def draw(x):
        return ops.dropout(x, 0.5) if next(counts) % 2 else ops.standard_normal(x.shape) + ops.dropout(x, 0.5)

    net = Drawing(draw).set_grad()
    step = Step(True, then_gradient)
    step.net, step.weights = net, ms.ParameterTuple([net.weight])
    loss, (gradient,) = step(ops.ones(4))
    assert {0.0, 2.0} >= set(gradient.tolist()) and not {0.0, 2.0} >= set(loss.tolist())


@pytest.mark.parametrize("draw", ["Primitive", "nn.Dropout"])
def test_each_graph_has_a_stream_of_its_own(mode, draw):
    ms.set_seed(3)
    net = Drawing(DRAWS[draw]()).set_train()
    alone = [net(ops.ones(4)).tolist() for _ in range(2)]
    gradient = ms.grad(net, None, ms.ParameterTuple([net.weight]))
    other = [gradient(ops.ones(4))[0].tolist() for _ in range(2)]
    assert (other == alone) == (mode == "GRAPH_MODE")


class Calling(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


def test_each_jit_function_has_a_stream_of_its_own():
    normal = ops.StandardNormal(seed=4)

    @ms.jit
    def first(x):
        return normal(x.shape) + normal(x.shape)

    @ms.jit
    def second(x):
        return normal(x.shape) * 2

    x = ops.ones(4)
    plain = normal((4,)).tolist()
    assert first(x).tolist() == second(x).tolist() == (Tensor(plain) * 2).tolist()
    # A Cell that calls one goes on with its stream, a gradient has another.
    drawn = [normal((4,)) * 2 for _ in range(2)]
    assert Calling(second)(x).tolist() == drawn[0].tolist()
    assert second(x).tolist() == drawn[1].tolist()
    gradient = ms.grad(lambda w: (w * second(x)).sum())
    assert [gradient(ops.zeros(4)).tolist() for _ in range(2)] == [(Tensor(plain) * 2).tolist(), drawn[0].tolist()]


class Random(nn.Cell):
    def construct(self, x):
        return ops.dropout1d(ops.dropout(x, 0.5).reshape(1, 8, 1), 0.3), ops.standard_normal((2,))


@pytest.mark.parametrize("mode", ["GRAPH_MODE"], indirect=True)
def test_a_graph_keeps_its_streams(mode):
    ms.set_seed(3)
    net = Random()
    alone = [[each.tolist() for each in net(ops.ones(8))] for _ in range(3)]
    ms.set_seed(3)
    net = Random()
    calls = []
    for _ in range(3):
        calls.append([each.tolist() for each in net(ops.ones(8))])
        nn.ReLU().set_train()  # a flag changes, and the call is recorded again
        ms.set_seed(3)
    assert calls == alone
    # That of another phase is another graph.
    ms.set_seed(3)
    net = Random()
    first = net(ops.ones(8))[1].tolist()
    in_training = net.set_train()(ops.ones(8))[1].tolist()
    assert net.set_train(False)(ops.ones(8))[1].tolist() == alone[1][1]
    ms.set_seed(3)
    assert [Random()(ops.ones(8))[1].tolist() for _ in range(2)] == [first, in_training]


def test_attention_does_not_count_as_a_call_of_dropout():
    ms.set_seed(3)
    expected = ops.dropout(ops.ones(8), 0.5).tolist()
    ms.set_seed(3)
    x = ops.ones((2, 3, 4))
    assert nn.MultiheadAttention(4, 2, dropout=0.5).set_train()(x, x, x)[1].min() == 0
    assert ops.dropout(ops.ones(8), 0.5).tolist() == expected
