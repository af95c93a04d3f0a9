"""Custom rules, hooks, constants and recomputation."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.nn.custom_vjp import custom_vjp


def x32(*values):
    return Tensor(np.array(values, np.float32))


class FiveSquares(nn.Cell):
    """``a ** 3`` with a rule that is wrong on purpose, so that its use shows."""

    def construct(self, a):
        return a * a * a

    def bprop(self, a, out, dout):
        return (dout * 5 * a * a,)


def test_bprop_is_used_and_is_differentiable(mode):
    f, expected = FiveSquares(), [20.0, 20.0, 10.0]
    for value in expected:
        f = ms.grad(f)
        assert f(x32(2)).asnumpy().tolist() == [value]


def test_forward_mode_passes_a_bprop(mode):
    _, tangent = ms.jvp(FiveSquares(), x32(2), x32(3))
    assert tangent.asnumpy().tolist() == [60.0]
    assert ms.jacfwd(FiveSquares())(x32(1, 2)).asnumpy().tolist() == [[5.0, 0.0], [0.0, 20.0]]


def test_a_bprop_that_looks_at_values_is_called_with_them(mode):
    seen = []

    class Looks(nn.Cell):
        def construct(self, a):
            return a * 2

        def bprop(self, a, out, dout):
            seen.append(dout.asnumpy().tolist())
            return (dout * 7,)

    assert ms.grad(lambda a: Looks()(a) * 3)(x32(1)).asnumpy().tolist() == [21.0]
    assert seen == [[3.0]]


def test_a_bprop_with_too_few_gradients():
    class Short(nn.Cell):
        def construct(self, a, b):
            return a * b

        def bprop(self, a, b, out, dout):
            return (dout,)

    with pytest.raises(RuntimeError, match="must return a gradient for each of its 2 inputs, but returned 1"):
        ms.grad(Short())(x32(1), x32(2))


def test_custom_vjp(mode):
    @custom_vjp
    def f(a, b):
        return a * b

    f.defbwd(lambda a, b, out, dout: (a * 100 + dout, out))
    gradients = ms.grad(lambda a, b: f(a, b) * 2, (0, 1))(x32(1, 2), x32(3, 4))
    assert [g.asnumpy().tolist() for g in gradients] == [[102.0, 202.0], [3.0, 8.0]]


def test_function_objects(mode):
    class Cube(ms._Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(x)
            ctx.factor = factor
            return x * x * x * factor

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient * 3 * x * x * ctx.factor, None

    f = ms.grad(lambda a: Cube.apply(a, 2))
    assert f(x32(2)).asnumpy().tolist() == [24.0]
    assert ms.grad(f)(x32(2)).asnumpy().tolist() == [24.0]


def test_no_grad_makes_constants():
    def f(a):
        with ms._no_grad():
            c = a * a
        return a - c

    value, gradient = ms.value_and_grad(f)(x32(3))
    assert (value.asnumpy().tolist(), gradient.asnumpy().tolist()) == ([-6.0], [1.0])
    with ms._no_grad(), pytest.raises(RuntimeError, match="Inside no_grad there are no gradients"):
        ms.grad(f)


def test_stop_gradient(mode):
    def f(a):
        return ops.stop_gradient(a) * a * a

    assert ms.grad(f)(x32(3)).asnumpy().tolist() == [18.0]
    assert ms.grad(ms.grad(f))(x32(3)).asnumpy().tolist() == [6.0]


def test_a_tensor_hook_sees_the_accumulated_gradient(mode):
    def f(a, b):
        z = a * b
        out = z * b + z
        z.register_hook(lambda gradient: gradient * 2)
        return out

    gradients = ms.grad(f, (0, 1))(x32(1, 2), x32(3, 4))
    assert [g.asnumpy().tolist() for g in gradients] == [[24.0, 40.0], [11.0, 28.0]]


def test_a_tensor_hook_may_look_at_the_gradient():
    seen = []

    def f(a):
        z = a * 3

        def hook(gradient):
            seen.append(gradient.asnumpy().tolist())
            return gradient * 10 if gradient.asnumpy()[0] > 1 else None

        z.register_hook(hook)
        return z * z

    assert ms.grad(f)(x32(2)).asnumpy().tolist() == [360.0]
    assert seen == [[12.0]]


def test_a_hook_on_a_parameter_lasts_until_it_is_removed():
    w = Parameter(x32(2), name="w")
    handle = w.register_hook(lambda gradient: gradient * 10)
    f = ms.grad(lambda a: a * w, None, w)
    assert f(x32(3)).asnumpy().tolist() == [30.0]
    handle.remove()
    assert f(x32(3)).asnumpy().tolist() == [3.0]


def test_cell_backward_hooks_run_in_order():
    seen = []

    class Product(nn.Cell):
        def construct(self, a, b):
            return a * b

    net = Product()
    net.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 2,))

    def hook(cell, grad_input, grad_output):
        seen.append([g.asnumpy().tolist() for g in (*grad_input, *grad_output)])
        return grad_input[0] * 10, grad_input[1]

    handle = net.register_backward_hook(hook)
    gradients = ms.grad(net, (0, 1))(x32(3), x32(4))
    assert [g.asnumpy().tolist() for g in gradients] == [[80.0], [6.0]]
    assert seen == [[[8.0], [6.0], [2.0]]]
    handle.remove()
    assert ms.grad(net)(x32(3), x32(4)).asnumpy().tolist() == [8.0]


def test_hooks_as_operations(mode):
    clip = ops.InsertGradientOf(lambda gradient: ops.minimum(gradient, 1.0))
    assert ms.grad(lambda a: clip(a) * 5)(x32(1)).asnumpy().tolist() == [1.0]
    double = ops.HookBackward(lambda gradient: gradient[0] * 2)
    assert ms.grad(lambda a: double(a) * 3)(x32(1)).asnumpy().tolist() == [6.0]


def test_recomputation_changes_nothing(mode, compiled):  # NumPy, which runs what is new, rounds otherwise
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2))
    x = Tensor(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3))
    weights = net.trainable_params()
    plain = ms.grad(net, None, weights)(x)
    net[0].recompute()
    for one, other in zip(ms.grad(net, None, weights)(x), plain, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)


def test_graph_mode_keeps_a_parameter_as_input_apart_from_it_as_weight():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        p = Parameter(x32(7, 8), name="p")
        assert ms.grad(lambda a, b: a * a * b, None, p)(p, x32(1, 2)).asnumpy().tolist() == [0.0, 0.0]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize(
    ("shape", "values", "expected"),
    [((2, 3), (4, 2, 3), np.full((2, 3), 4.0)), ((3,), (2, 3), np.full(3, 2.0)), ((), (1, 3), np.float64(3.0))],
)
def test_what_broadcasting_added_to_the_gradient_of_a_rule_is_summed(mode, shape, values, expected):
    gradient = ms.grad(with_rule(lambda *_: (ops.ones(values),)))(Tensor(np.ones(shape, np.float32)))
    assert gradient.asnumpy().tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        ((1.0,), RuntimeError, r"must broadcast to the shape of its Tensor, but got \(\) for \(2, 3\)"),
        ((Tensor([1.0]),), RuntimeError, r"must broadcast to the shape of its Tensor, but got \(1,\) for"),
        ((np.ones((2, 3)),), TypeError, "must return Tensors, numbers or None, but returned ndarray"),
    ],
)
def test_a_rule_must_return_gradients_that_fit(mode, result, error, message):
    with pytest.raises(error, match=message):
        ms.grad(with_rule(lambda *_: result))(Tensor(np.ones((2, 3), np.float32)))


def with_rule(rule):
    """A Cell that doubles its input and has ``rule`` for its ``bprop``."""

    class Ruled(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return rule(x, out, dout)

    return Ruled()


@pytest.mark.parametrize(
    ("owned", "rule", "expected"),  # the gradients by x, w and v: MindSpore's in PYNATIVE_MODE
    [
        ("wv", lambda cell, d: (d * 5, d * 7, d * 8), [5, 7, 8]),
        ("wv", lambda cell, d: ((d * 5,), {cell.w: d * 7, cell.v: d * 8}), [5, 7, 8]),
        ("wv", lambda cell, d: ([d * 5], {"v": d * 8, "w": d * 7}), [5, 8, 7]),
        ("wv", lambda cell, d: ((d * 5, d * 7, d * 8), {}), [5, 7, 8]),
        ("wv", lambda cell, d: ((d * 5,), {cell.v: d * 8}), None),
        ("", lambda cell, d: ((d * 5,), {cell.w: d * 7}), [5, 0, 0]),
        ("", lambda cell, d: (d * 5, d * 7, d * 8), [5, 0, 0]),
    ],
)
def test_a_bprop_gives_the_gradients_of_parameters(owned, rule, expected):
    class Product(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w, self.v = Parameter(x32(2), name="w"), Parameter(x32(3), name="v")
            self.internal_params = [getattr(self, name) for name in owned]

        def construct(self, x):
            return x * self.w * self.v

        def bprop(self, x, out, dout):
            return rule(self, dout)

    cell = Product()
    if expected is None:
        with pytest.raises(RuntimeError, match="a gradient for each of its 3 inputs, but returned 2"):
            ms.grad(cell)(x32(1))
        return
    by_input, by_weights = ms.grad(cell, 0, cell.trainable_params())(x32(1))
    assert [gradient.item() for gradient in (by_input, *by_weights)] == expected


def test_a_dict_beside_a_tuple_may_be_the_gradient_of_a_dict():
    class Sum(nn.Cell):
        def construct(self, pair, named):
            return pair[0] * pair[1] + named["a"]

        def bprop(self, pair, named, out, dout):
            return (dout * 5, dout * 6), {"a": dout * 7}

    gradient = ms.grad(lambda x, y, z: Sum()((x, y), {"a": z}), (0, 1, 2))
    assert [each.item() for each in gradient(x32(1), x32(1), x32(1))] == [5, 6, 7]


@pytest.mark.parametrize("kind", ["bprop", "custom_vjp"])
def test_a_rule_that_returns_nothing(kind, mode):
    make = {"bprop": with_rule, "custom_vjp": decorated}[kind]
    message = {
        "PYNATIVE_MODE": "must return a gradient for each input, but returned None",
        "GRAPH_MODE": "must return a tuple, but returned NoneType",
    }[mode]
    with pytest.raises(TypeError, match=message):
        ms.grad(make(lambda *_: None))(x32(1))
    assert ms.grad(make(lambda *_: (None,)))(x32(1)).asnumpy().tolist() == [0.0]


def decorated(rule):
    f = custom_vjp(lambda x: x * 2)
    f.defbwd(rule)
    return f


@pytest.mark.parametrize("count", [1, 2])
def test_a_function_object_whose_backward_pass_returns_nothing(count, mode):
    class Sum(ms._Function):
        @staticmethod
        def forward(ctx, *args):
            return sum(args)

        @staticmethod
        def backward(ctx, gradient):
            pass

    def f(x):
        return Sum.apply(*[x] * count)

    if count == 1:  # MindSpore takes None for the one gradient
        assert ms.grad(f)(x32(1)).asnumpy().tolist() == [0.0]
    else:
        with pytest.raises(
            RuntimeError,
            match=("The 'backward' of 'Sum' must return a gradient for each of the 2 inputs of its 'forward'"),
        ):
            ms.grad(f)(x32(1))


def test_a_parameter_as_both_inputs():
    class Product(nn.Cell):
        def construct(self, a, b):
            return a * b

        def bprop(self, a, b, out, dout):
            return dout * 5, dout * 7

    p = Parameter(x32(3, 4), name="p")
    assert [each.asnumpy().tolist() for each in ms.grad(Product(), (0, 1))(p, p)] == [[12.0, 12.0], [12.0, 12.0]]
    assert p.asnumpy().tolist() == [3.0, 4.0]


def test_taylor_derivatives_are_those_of_the_function_itself(mode):
    cell = with_rule(lambda x, out, dout: (dout * 5,))
    assert ops.derivative(cell, x32(1), 1)[1].asnumpy().tolist() == [2.0]

    def hooked(x):
        y = x * 2
        y.register_hook(lambda gradient: gradient * 5)
        return y

    message = "'jet' and 'derivative' cannot differentiate through a hook, and a gradient of"
    with pytest.raises(RuntimeError, match=message):
        ops.derivative(hooked, x32(1), 1)
    with pytest.raises(RuntimeError, match=message):
        ms.grad(lambda x: ops.derivative(cell, x, 1)[0])(x32(1))
