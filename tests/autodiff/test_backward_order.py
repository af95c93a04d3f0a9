"""Hooks and ``bprop`` run once, in order, and read values.

The values, and what is printed, are those of MindSpore 2.10 in PYNATIVE_MODE, except for the last two tests.
"""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, engine, nn, ops

X = [1.0, 2.0]


def tensor(*values):
    return Tensor(np.float32(values))


class Triple(nn.Cell):
    """A square whose rule prints and gives 3 x."""

    def __init__(self, tag):
        super().__init__()
        self.tag = tag

    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        print(f"{self.tag} {x} {out} {dout}")
        return (dout * x * 3,)


class Scale(nn.Cell):
    def __init__(self, tag):
        super().__init__()
        self.weight = Parameter(tensor(2, 3), name=tag)

    def construct(self, x):
        return x * self.weight


def gradient(f, *inputs):
    return ms.grad(f)(*(inputs or (tensor(*X),))).asnumpy().tolist()


def printed(capsys):
    return capsys.readouterr().out.splitlines()


def test_rules_run_after_the_function_and_last_first(mode, capsys):
    a, b = Triple("a"), Triple("b")

    def f(x):
        y = b(a(x) + x).sum()
        print("end")
        return y

    assert gradient(f) == [24.0, 126.0]
    assert printed(capsys) == ["end", "b [2. 6.] [ 4. 36.] [1. 1.]", "a [1. 2.] [1. 4.] [ 6. 18.]"]


@pytest.mark.parametrize(
    "f, expected, lines",
    [
        (lambda a, x: (a(x), x * 2)[1], [2.0, 2.0], []),
        (lambda a, x: a(tensor(5, 5)) * x, [25.0, 25.0], []),
        (lambda a, x: a(x) * a(x * 2), [24.0, 192.0], ["a [2. 4.] [ 4. 16.] [1. 4.]", "a [1. 2.] [1. 4.] [ 4. 16.]"]),
        (lambda a, x: a(a(x)), [9.0, 72.0], ["a [1. 4.] [ 1. 16.] [1. 1.]", "a [1. 2.] [1. 4.] [ 3. 12.]"]),
    ],
    ids=["not used", "no input", "twice", "nested"],
)
def test_a_rule_runs_where_gradients_flow(f, expected, lines, mode, capsys):
    a = Triple("a")
    assert gradient(lambda x: f(a, x)) == expected
    assert printed(capsys) == lines


def test_second_order_runs_the_rule_once(mode, capsys):
    assert gradient(ms.grad(Triple("a"))) == [3.0, 3.0]
    assert printed(capsys) == ["a [1. 2.] [1. 4.] [1. 1.]"]


def test_a_gradient_inside_a_rule(mode, capsys):
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Triple("inner")

        def construct(self, x):
            return self.inner(x) * 2

        def bprop(self, x, out, dout):
            gradient = ms.grad(self.inner)(x)
            print(f"outer {gradient}")
            return (dout * gradient,)

    assert gradient(Outer()) == [3.0, 6.0]
    assert printed(capsys) == ["inner [1. 2.] [1. 4.] [1. 1.]", "outer [3. 6.]"]


def test_hooks_and_rules_take_turns(capsys):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.rule, self.last = Scale("w1"), Triple("rule"), Scale("w2")

        def construct(self, x):
            y = self.first(x)
            y.register_hook(lambda gradient: print(f"tensor {gradient}"))
            return self.last(self.rule(y))

    def look(name):
        return lambda cell, grad_input, grad_output: print(f"{name} {grad_input[0]} {grad_output[0]}")

    net = Net()
    net.register_backward_hook(look("net"))
    net.first.register_backward_hook(look("first"))
    net.last.register_backward_hook(look("last"))
    net.last.register_backward_pre_hook(lambda cell, grad_output: print(f"before last {grad_output[0]}"))
    by_input, by_weight = ms.grad(net, 0, net.trainable_params())(tensor(*X))
    assert by_input.asnumpy().tolist() == [24.0, 162.0]
    assert [each.asnumpy().tolist() for each in by_weight] == [[12.0, 108.0], [4.0, 36.0]]
    assert printed(capsys) == [
        "before last [1. 1.]",
        "last [2. 3.] [1. 1.]",
        "rule [2. 6.] [ 4. 36.] [2. 3.]",
        "tensor [12. 54.]",
        "first [ 24. 162.] [12. 54.]",
        "net [ 24. 162.] [1. 1.]",
    ]


def test_what_a_rule_keeps_has_a_value():
    class Keeps(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls, self.kept = 0, None

        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            self.calls += 1
            self.kept = dout * 2
            return (dout,)

    cell = Keeps()
    assert gradient(cell) == [1.0, 1.0]
    assert (cell.calls, cell.kept.asnumpy().tolist()) == (1, [2.0, 2.0])
    assert gradient(lambda x: cell(cell(x) * 3)) == [3.0, 3.0]
    assert (cell.calls, cell.kept.asnumpy().tolist()) == (3, [6.0, 6.0])


def test_what_a_tensor_hook_keeps_has_a_value():
    x, kept = tensor(*X), []
    handle = x.register_hook(kept.append)
    assert gradient(lambda x: x * x, x) == [2.0, 4.0]
    handle.remove()
    assert [each.asnumpy().tolist() for each in kept] == [[2.0, 4.0]]


def test_a_function_may_look_at_everything_it_saved(mode, capsys):
    class Exp(ms._Function):
        @staticmethod
        def forward(ctx, x, factor):
            y = ops.square(x)
            ctx.save_for_backward(x, y)
            ctx.factor, ctx.other = factor, x * 10
            return y * factor

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            print(f"{x} {y} {ctx.other} {ctx.factor} {grad}")
            return grad * y * ctx.factor, None

    assert gradient(lambda x: Exp.apply(x * 2, 3).sum()) == [24.0, 96.0]
    assert printed(capsys) == ["[2. 4.] [ 4. 16.] [20. 40.] 3 [1. 1.]"]


@pytest.mark.parametrize("materialize, expected", [(True, [[1.0, 1.0], [0.0, 0.0]]), (False, [[1.0, 1.0], None])])
def test_the_gradient_of_an_unused_output(materialize, expected, mode):
    seen = []

    class Two(ms._Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(materialize)
            return x * x, x * 3

        @staticmethod
        def backward(ctx, first, second):
            seen.extend(None if each is None else each.asnumpy().tolist() for each in (first, second))
            return first

    assert gradient(lambda x: Two.apply(x)[0]) == [1.0, 1.0]
    assert seen == expected


def test_branches_on_a_gradient(mode):
    class Clipped(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (dout * 0 + 1,) if dout.sum() > 3 else (dout,)

    cell = Clipped()
    assert gradient(cell) == [1.0, 1.0]
    assert gradient(lambda x: cell(x) * 5) == [1.0, 1.0]


@pytest.mark.parametrize("adapter", ["grad", "vjp", "aux", "recompute"])
def test_a_rule_that_an_outer_gradient_passes_sees_its_values(adapter, mode, capsys):
    a, ones = Triple("a"), tensor(1, 1)
    f = {
        "grad": lambda x: ms.grad(lambda t: (a(x) * t * t).sum())(ones),
        "vjp": lambda x: ms.vjp(a, x)[0] * 2,
        "aux": lambda x: ms.grad(lambda t: (t, a(x * t)), has_aux=True)(ones)[1][0] * 2,
        "recompute": lambda x: ms.recompute(a, x) * 2,
    }[adapter]
    assert gradient(f) == [6.0, 12.0]
    assert printed(capsys) == ["a [1. 2.] [1. 4.] [2. 2.]"]


def test_a_hook_that_an_outer_gradient_passes_sees_its_values(mode, capsys):
    def f(x):
        def inner(t):
            y = x * 3
            y.register_hook(lambda gradient: print(f"hook {gradient}"))
            return (y * y * t * t).sum()

        return ms.grad(inner)(tensor(1, 1))

    assert gradient(f) == [36.0, 72.0]
    assert printed(capsys) == ["hook [12. 24.]"]


def test_hooks_that_no_gradient_reaches_are_not_called(mode):
    seen = []

    def f(x):
        for unused in (x * 3, tensor(5, 5) * 2):
            unused.register_hook(seen.append)
        return x * x

    assert gradient(f) == [2.0, 4.0]
    assert gradient(lambda x: f(x) + ms.grad(f)(x)) == [4.0, 6.0]
    assert seen == []


def test_a_hook_is_shown_its_gradient_where_an_equal_function_was_differentiated_with_values(capsys):
    def f(x):
        return (x * x * x).sum()

    x = tensor(*X)
    ms.value_and_grad(f)(x)
    x.register_hook(lambda gradient: print(f"hook {gradient}"))
    assert gradient(f, x) == [3.0, 12.0]
    assert printed(capsys) == ["hook [ 3. 12.]"]


def test_a_hook_that_uses_its_own_value(mode):
    def f(x):
        y = x * 3
        y.register_hook(lambda gradient: gradient * y)
        return y * y * y

    assert gradient(f) == [243.0, 1944.0]
    assert gradient(ms.grad(f)) == [2187.0, 17496.0]


def test_a_rule_that_calls_one_that_looks_at_values(mode, capsys):
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Triple("inner")

        def construct(self, x):
            return self.inner(x)

        def bprop(self, x, out, dout):
            return (self.inner(x) * dout,)

    assert gradient(Outer()) == [1.0, 4.0]
    assert printed(capsys) == []


def hooked(tensor):
    tensor.register_hook(lambda gradient: gradient * 10)
    return tensor


@pytest.mark.parametrize(
    "f",
    [
        lambda x: ms.grad(lambda t: hooked(t) * t)(x * 1),
        lambda x: ms.grad(lambda t: hooked(t) * t)(x),
        lambda x: ms.grad(lambda t: t * t)(hooked(x * 1)),
        lambda x: ms.grad(lambda t: t * t)(hooked(x)),
    ],
    ids=["inside, on a value", "inside, on the input", "on a value", "on the input"],
)
def test_a_hook_on_the_input_of_an_inner_gradient_is_passed_once_by_each_derivative(f):
    assert gradient(f) == [200.0, 200.0]


def test_an_error_in_a_rule_is_the_users(mode):
    class Fails(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            raise ValueError("boo")

    with pytest.raises(ValueError, match="^boo$"):
        gradient(Fails())
    assert gradient(lambda x: x * x) == [2.0, 4.0]


def test_a_rule_cannot_look_at_gradients_where_they_stand_for_many(capsys):
    class Looks(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (dout * float(dout.sum()),)

    with pytest.raises(RuntimeError, match="where it has none"):
        ms.jacrev(Looks())(tensor(*X))


def test_rules_and_hooks_are_compiled_once(mode):
    class Quiet(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (dout * x * 3,)

    net = nn.SequentialCell([Scale("w1"), Quiet(), Scale("w2")])
    net[0].register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 2,))
    net[2].register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 2,))
    step = ms.value_and_grad(net, 0, net.trainable_params())
    step(tensor(*X))
    before = engine.report()
    _, (by_input, _) = step(tensor(3, 4))
    after = engine.report()
    assert by_input.asnumpy().tolist() == [288.0, 1296.0]
    for count in ("programs compiled", "operations compiled"):
        assert after[count] == before[count]
