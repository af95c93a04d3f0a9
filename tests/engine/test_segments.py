"""Host reads in a differentiated function change nothing but its time.

Each program runs twice, with looks and without, few of them (one Program) and many (segment by segment).
"""

import functools
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import execute
from msgrad.engine.pytrees import tensors_in
from msgrad.engine.transforms import chain
from tests.helpers import assert_close

FEW, MANY = 3, chain.FEW + 4
TURNS = pytest.mark.parametrize("turns", [FEW, MANY])


def x64(*values):
    return Tensor(np.array(values, np.float64))


class Looks:
    """Looks at a Tensor, where it is asked to."""

    def __init__(self, active):
        self.active = active
        self.seen = []

    def __call__(self, x):
        if self.active:
            self.seen.append(float(x.sum()))


class Square(nn.Cell):
    """Has a reverse rule of its own: three times the cotangent."""

    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (3 * dout * x,)


class Double(ms._Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0]


def smooth(look, turns):
    def f(x, w):
        y = x
        for i in range(turns):
            y = ops.sin(y * w) + x * 0.5 + i
            look(y)
        return y

    return f


def several_outputs(look, turns):
    def f(x, w):
        y, kept = x, []
        for _ in range(turns):
            y = y * 0.9 + ops.tanh(w)
            kept.append(y.sum())
            look(y)
        return y * x, kept[0] + kept[-1], (kept[1],)

    return f


def integers_between(look, turns):
    def f(x, w):
        y = x
        for _ in range(turns):
            n = (y * 3).astype(ms.int32)
            look(n)
            y = y + n.astype(ms.float64) * w * 0.1
        return y

    return f


def masks_between(look, turns):
    def f(x, w):
        y = x
        for _ in range(turns):
            mask = y > 1
            best = y.argmax()
            look(mask.astype(ms.int32))
            y = ops.where(mask, y * w, y + w) + ops.gather(y, best, 0)
            y = y / 3
        return y

    return f


def in_place(look, turns):
    def f(x, w):
        y = x * 1
        for i in range(turns):
            y[i % 2] = y[0] * w[0]
            look(y)
            y += 0.25 * x
        return y

    return f


def rules(look, turns):
    square = Square()

    def f(x, w):
        y = x
        for _ in range(turns):
            y = square(y * 0.5) + Double.apply(w) * y
            y = y / (1 + ops.stop_gradient(y * y))
            look(y)
        return y

    return f


def hooks(look, turns):
    def f(x, w):
        x.register_hook(lambda gradient: gradient * 3)
        y = x
        for _ in range(turns):
            y = ops.sin(y) + w
            y.register_hook(lambda gradient: gradient * 0.5 + x)
            look(y)
        return y

    return f


def constants(look, turns):
    def f(x, w):
        y = x
        for _ in range(turns):
            with ms._no_grad():
                scale = 1 / ops.abs(y).sum()
                look(scale)
            y = y * scale * w + x
        return y

    return f


def constant_loop(look, turns):
    def f(x, w):
        with ms._no_grad():
            scale = x
            for _ in range(turns):
                scale = ops.cos(scale) + w
                look(scale)
        return x * scale * w

    return f


def recomputed(look, turns):
    def block(y, w):
        y = ops.sin(y) * w
        look(y)
        return y + 1

    def f(x, w):
        y = x
        for _ in range(turns):
            y = ms.recompute(block, y, w)
        return y

    return f


def inner_gradient(look, turns):
    def inner(y, w):
        for _ in range(2):
            y = y * y * w
            look(y)
        return y

    def f(x, w):
        y = x
        for _ in range(turns):
            y = y - 0.05 * ms.grad(inner)(y, w)
            look(y)
        return y

    return f


PROGRAMS = [
    smooth,
    several_outputs,
    integers_between,
    masks_between,
    in_place,
    rules,
    hooks,
    constants,
    constant_loop,
    recomputed,
    inner_gradient,
]

ADAPTERS = {
    "grad": lambda f: ms.grad(f, (0, 1)),
    "value_and_grad": lambda f: ms.value_and_grad(f, 1),
    "get_all": lambda f: ops.GradOperation(get_all=True)(f),
    "vjp": lambda f: lambda *args: _pulled(ms.vjp(f, *args)),
    "grad of grad": lambda f: ms.grad(lambda x, w: ms.grad(f, 1)(x, w) * x, (0, 1)),
}


def _pulled(result):
    output, pull = result
    return output, pull(*[ops.ones_like(each) * 0.5 for each in tensors_in(output)])


same = functools.partial(assert_close, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:.*different programs")  # the adapters' functions see them all
@TURNS
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_looking_changes_no_gradient(program, adapter, turns, mode, interpreted):
    x, w = x64(0.5, 1.25), x64(0.75, 1.5)
    expected = ADAPTERS[adapter](program(Looks(False), turns))(x.copy(), w)
    look = Looks(True)
    function = ADAPTERS[adapter](program(look, turns))
    for _ in range(3):
        same(function(x.copy(), w), expected)
    assert len(look.seen) >= 3 * turns


@pytest.mark.filterwarnings("ignore:.*different programs")
@TURNS
@pytest.mark.parametrize("program", [smooth, masks_between, in_place, constants], ids=lambda program: program.__name__)
@pytest.mark.parametrize("adapter", ["jvp", "jacrev", "jacfwd", "jvp of grad"])
def test_looking_changes_no_tangent(program, adapter, turns, mode, interpreted):
    x, w = x64(0.5, 1.25), x64(0.75, 1.5)

    def adapted(look):
        f = program(look, turns)
        if adapter == "jvp":
            return lambda: ms.jvp(f, (x, w), (x64(1, 2), x64(0.5, -1)))
        if adapter == "jvp of grad":
            return lambda: ms.jvp(ms.grad(f), (x, w), (x64(1, 2), x64(0.5, -1)))
        return lambda: getattr(ms, adapter)(f, (0, 1))(x, w)

    expected = adapted(Looks(False))()
    function = adapted(Looks(True))
    for _ in range(3):
        same(function(), expected)


class Counter(nn.Cell):
    """Writes a Parameter between looks."""

    def __init__(self, turns, look):
        super().__init__()
        self.w = Parameter(x64(0.5, 2.0), name="w")
        self.n = Parameter(x64(0.0), name="n", requires_grad=False)
        self.turns, self.look = turns, look

    def construct(self, x):
        for _ in range(self.turns):
            x = ops.sin(x) * self.w + self.n
            self.look(x)
            ops.assign_add(self.n, x64(1.0) * 0.1)
        return x, self.n * 2


@TURNS
def test_parameters_written_between_looks(turns, mode):
    results = []
    for active in (False, True):
        net = Counter(turns, Looks(active))
        step = ms.value_and_grad(net, 0, net.trainable_params(), has_aux=True)
        results.append([(step(x64(1.0, 2.0)), net.n.value()) for _ in range(3)])
    same(results[1], results[0])


@TURNS
def test_gradients_by_what_a_parameter_was_given(turns):
    def gradient(look):
        w = Parameter(x64(1.0, 2.0), name="w")

        def f(x):
            y = x * w
            for i in range(turns):
                look(y)
                if i % 2:
                    w.set_data(y * 0.5)
                y = ops.sin(y) + w * x
            return y

        return ms.grad(f, 0, [w])(x64(0.5, 1.5))

    same(gradient(Looks(True)), gradient(Looks(False)))


@TURNS
def test_a_training_step_that_looks(turns, mode):
    def trained(look):
        net = Counter(turns, look)
        optimizer = nn.SGD([net.w], 0.1)
        network = nn.WithLossCell(Head(net), nn.MSELoss())
        step = nn.TrainOneStepCell(network, optimizer)
        return [(step(x64(1.0, 2.0), x64(0.0, 0.0)), net.w.value(), net.n.value()) for _ in range(3)]

    same(trained(Looks(True)), trained(Looks(False)))


class Head(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x):
        return self.net(x)[0]


@TURNS
def test_an_error_in_the_middle_leaves_everything_as_it_was(turns, mode):
    net = Counter(turns, Looks(True))
    before = net.n.asnumpy().copy()
    kept = []

    def f(x):
        kept.append(net(x)[0] * 2)
        raise KeyError("in the middle")

    with pytest.raises(KeyError):
        ms.grad(f)(x64(1.0, 2.0))
    assert net.n.asnumpy() == before
    assert np.isfinite(kept[0].asnumpy()).all()
    assert_close(ms.grad(lambda x: x * x)(x64(3.0)).asnumpy(), np.array([6.0]))


def test_shapes_that_depend_on_values(mode):
    def f(x):
        for _ in range(MANY):
            indices = ops.nonzero(x > 0.1)
            x = ops.tanh(x[indices[:, 0]] * 0.9)
        return x

    def g(x):
        for _ in range(MANY):
            x = ops.tanh(ops.where(x > 0.1, x, 0 * x) * 0.9)
        return x

    x = x64(1.0, -2.0, 0.5, 3.0)
    same(ms.grad(f)(x), ms.grad(g)(x))


def test_prints_happen_at_every_call(capsys, mode):
    def f(x):
        for _ in range(MANY):
            x = x * 2
            print(x)
        return x

    is_graph = ms.get_context("mode") == ms.GRAPH_MODE
    line = "Tensor(shape=[1], dtype=Float64, value=[ {:.8e}])" if is_graph else "[{:g}.]"
    for _ in range(2):
        ms.grad(f)(x64(1.0))
        assert capsys.readouterr().out.splitlines() == [line.format(2.0 ** (k + 1)) for k in range(MANY)]


def _decay(x, turns):
    for _ in range(turns):
        if x.sum() < -1e9:
            break
        x = x * 0.75 + 0.001
    return x


def _compiled():
    return execute.report()["programs compiled"]


def _pushed(x, turns):
    return ms.jvp(lambda x: _decay(x, turns), x, ops.ones_like(x))[1]


def _diagonal(jacobian):
    return lambda x, turns: ops.diagonal(jacobian(lambda x: _decay(x, turns))(x), 0, 0, 1)


OF_ANY_LENGTH = {
    "grad": ms.grad(_decay),
    "grad of grad": ms.grad(lambda x, turns: ms.grad(_decay)(x * x, turns) * x),
    "jvp": _pushed,
    "jacrev": _diagonal(ms.jacrev),
    "jacfwd": _diagonal(ms.jacfwd),
    "vjp": lambda x, turns: ms.vjp(lambda x: _decay(x, turns), x)[1](ops.ones_like(x))[0],
}


@pytest.mark.parametrize("adapter", OF_ANY_LENGTH)
def test_a_loop_of_any_length_compiles_nothing_new(adapter, mode):
    function = OF_ANY_LENGTH[adapter]
    lengths = [30, 17, 41, 22, 55, 13, 64, 90, 11, 12]
    counts = []
    for turns in lengths:
        result = function(x64(1.0, 2.0), turns)
        assert_close(result.asnumpy(), np.full(2, 0.75**turns), rtol=1e-9)
        counts.append(_compiled())
    assert counts[-1] == counts[4], "programs are compiled after the fifth call"


def test_steady_looks_are_one_program_and_others_are_not():
    function = ms.grad(lambda x, turns: _decay(x, turns))
    for turns in (3, 3, 3):
        function(x64(1.0), turns)
    before = _compiled()
    function(x64(1.0), 3)
    assert _compiled() == before
    for turns in (4, 5, 2, 6, 7, 5, 3, 4, 6, 2):
        assert_close(function(x64(1.0), turns).asnumpy(), np.array([0.75**turns]), rtol=1e-9)
    assert _compiled() - before <= 4


def test_pieces_that_use_arguments_in_another_order():
    """Lengths that never come again, with integers on the way, through which gradients do not flow piece by piece."""

    def f(a, b, turns):
        y = b
        for _ in range(turns):
            y = y * 1.0
        whole = (y * 8).astype(ms.int32)
        for _ in range(turns):
            whole = whole + 0
        return (whole.astype(ms.float64) * a).sum()

    gradient = ms.grad(f, (0, 1))
    for turns in range(20, 28):
        by_a, by_b = gradient(x64(1.0, 2.0), x64(10.0, 20.0), turns)
        assert (by_a.tolist(), by_b.tolist()) == ([80.0, 160.0], [8.0, 16.0])


def test_a_site_that_settles_is_compiled_again():
    """Lengths that never come again run in pieces; one that does is compiled."""

    def f(x, steps):
        for _ in range(steps):
            x = ops.sin(x) * 1.5
        return x.sum()

    gradient = ms.grad(f)
    with pytest.warns(RuntimeWarning, match="'f' needed .* the number of its operations changes"):
        for steps in range(20, 60):
            gradient(x64(1.0), steps)
    counts = []
    for _ in range(4):
        gradient(x64(1.0), 59)
        counts.append((_compiled(), execute.report()["launches"]))
    assert counts[-1][0] == counts[1][0]
    assert counts[-1][1] - counts[-2][1] == 1, "a program that comes again is one launch"


def test_lines_of_a_turn_do_not_grow_with_the_number_of_turns(compiled):
    def lines(turns):
        def loss(x):
            turn = 0
            while x.sum() < 1e9 and turn < turns:
                x, turn = x * 1.5 + 0.25, turn + 1
            return x.sum()

        gradient, count = ms.grad(loss), 0
        x = Tensor(np.ones(3, np.float32))
        for _ in range(3):
            gradient(x)

        def trace(frame, event, arg):
            nonlocal count
            count += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            gradient(x)
        finally:
            sys.settrace(before)
        return count

    few, more, most = lines(12), lines(24), lines(36)
    assert most - more <= 1.05 * (more - few)


def test_functions_that_are_gone_count_for_no_other():
    """Python gives a new function the address of one that is gone."""
    for count in range(4 * execute._PATIENCE):

        def grown(x):
            for _ in range(count + 1):  # noqa: B023
                x = x * 2 + 1
            return x

        function = ms.jit(grown)
        function(Tensor([1.0, 2.0])).asnumpy()  # without a warning of as many programs
