"""Cell hooks: their arguments, effects and order. Expected values are MindSpore 2.10's."""

import copy

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn

X = [1.0, 2.0]
Y = [3.0, 4.0]


class Product(nn.Cell):
    def construct(self, a, b):
        return a * b


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.m = Product()

    def construct(self, a, b):
        return self.m(a * 2, b) + a


def run(net):
    value, gradients = ms.value_and_grad(net, (0, 1))(Tensor(X), Tensor(Y))
    return [tensor.asnumpy().tolist() for tensor in (value, *gradients)]


PLAIN = [[7, 18], [7, 9], [2, 4]]
CASES = [
    ("forward_pre", lambda c, i: (i[0] * 10, i[1]), [[61, 162], [61, 81], [20, 40]]),
    ("forward", lambda c, i, o: o * 10, [[61, 162], [61, 81], [20, 40]]),
    ("backward", lambda c, gi, go: (gi[0] * 100, gi[1] * 1000), [[7, 18], [601, 801], [2000, 4000]]),
    ("backward_pre", lambda c, go: (go[0] * 7,), [[7, 18], [43, 57], [14, 28]]),
    ("backward_pre", lambda c, go: go[0] * 7, [[7, 18], [43, 57], [14, 28]]),
    ("forward", lambda c, i, o: None, PLAIN),
    ("backward", lambda c, gi, go: None, PLAIN),
]


@pytest.mark.parametrize(("kind", "hook", "expected"), CASES)
def test_hook_changes_the_result_until_it_is_removed(kind, hook, expected, mode):
    net = Net()
    handle = getattr(net.m, f"register_{kind}_hook")(hook)
    assert run(net) == expected
    handle.remove()
    assert run(net) == PLAIN
    handle.remove()


def test_backward_pre_hooks_run_before_backward_hooks():
    net = Net()
    net.m.register_backward_hook(lambda c, gi, go: (gi[0] * 100, gi[1] * 1000))
    net.m.register_backward_pre_hook(lambda c, go: (go[0] * 7,))
    assert run(net)[1:] == [[4201, 5601], [14000, 28000]]


def test_backward_hook_sees_the_values():
    net, seen = Net(), []
    net.m.register_backward_hook(
        lambda c, gi, go: seen.append((c.cls_name, *[g.asnumpy().tolist() for g in (*gi, *go)]))
    )
    run(net)
    assert seen == [("Product", [3, 4], [2, 4], [1, 1])]


def test_backward_hook_must_return_a_gradient_for_each_input():
    net = Net()
    net.m.register_backward_hook(lambda c, gi, go: (gi[0],))
    with pytest.raises(TypeError, match="For 'hook_backward_grad', the hook must return 2 gradients, but returned 1"):
        run(net)


def test_prepend_and_keywords():
    net, seen = Product(), []
    net.register_forward_hook(lambda c, i, o: seen.append("second"))
    net.register_forward_hook(lambda c, i, k, o: seen.append((len(i), sorted(k))), prepend=True, with_kwargs=True)
    net(Tensor(X), b=Tensor(Y))
    assert seen == [(1, ["b"]), "second"]


def test_pre_hook_with_keywords_must_return_a_pair():
    net = Product()
    net.register_forward_pre_hook(lambda c, i, k: ((i[0] * 10,), k), with_kwargs=True)
    assert net(Tensor(X), b=Tensor(Y)).asnumpy().tolist() == [30, 80]
    net.register_forward_pre_hook(lambda c, i, k: 3, with_kwargs=True)
    with pytest.raises(
        RuntimeError,
        match="For 'register_forward_pre_hook', the 'hook_fn' must be a function that returns None",
    ):
        net(Tensor(X), b=Tensor(Y))


def test_pre_hook_may_return_one_bare_value():
    net = nn.ReLU()
    net.register_forward_pre_hook(lambda c, i: -i[0])
    assert net(Tensor([-1.0])).asnumpy().tolist() == [1.0]


def test_always_called_hook_sees_the_failure_and_the_error_goes_on():
    class Fails(nn.Cell):
        def construct(self, x):
            raise ValueError("boom")

    net, seen = Fails(), []
    net.register_forward_hook(lambda c, i, o: seen.append("never"))
    net.register_forward_hook(lambda c, i, o: seen.append(o), always_call=True)
    with pytest.raises(ValueError, match="^boom$"):
        net(Tensor(X))
    assert seen == [None]
    net.register_forward_hook(lambda c, i, o: 1 / 0, always_call=True)
    with (
        pytest.warns(UserWarning, match="A forward hook with always_call=True failed as well"),
        pytest.raises(ValueError, match="^boom$"),
    ):
        net(Tensor(X))


def test_a_cell_with_bprop_takes_no_forward_hook():
    class Ruled(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (dout * 5,)

    net = Ruled()
    net.register_forward_hook(lambda c, i, o: o * 100).remove()
    assert net(Tensor(X)).asnumpy().tolist() == [1, 4]
    assert ms.grad(net)(Tensor(X)).asnumpy().tolist() == [5, 5]


@pytest.mark.parametrize("kind", ["forward_pre", "forward", "backward_pre", "backward"])
def test_hook_must_be_callable(kind):
    with pytest.raises(TypeError, match="For 'Cell', the 'hook_fn' must be a function"):
        getattr(nn.Cell(), f"register_{kind}_hook")("a")


WRONG = [
    (lambda g: g[0], ValueError, r"{}.* like its Tensor, Float32\(2, 3\), but returned Float32\(3,\)"),
    (lambda g: g.astype(ms.float64), ValueError, "{}.* like its Tensor, .*but returned Float64"),
    (lambda g: g.asnumpy(), TypeError, "{}.* must return Tensors or None, but returned ndarray"),
    (lambda g: [g], TypeError, "{}.* must return Tensors or None, but returned list"),
]


@pytest.mark.parametrize(("change", "error", "message"), WRONG)
@pytest.mark.parametrize("when", ["backward", "backward_pre"])
def test_backward_hooks_must_return_gradients_that_fit(mode, when, change, error, message):
    cell = nn.ReLU()
    if when == "backward":
        cell.register_backward_hook(lambda cell, by_input, by_output: change(by_input[0]))
    else:
        cell.register_backward_pre_hook(lambda cell, by_output: change(by_output[0]))
    with pytest.raises(error, match=message.format(f"hook_{when}_grad")):
        ms.grad(lambda x: cell(x * 2))(Tensor(np.ones((2, 3), np.float32)))


def test_a_backward_pre_hook_must_return_one_gradient_for_each_output():
    cell = nn.ReLU()
    cell.register_backward_pre_hook(lambda cell, by_output: by_output * 2)
    with pytest.raises(TypeError, match="'hook_backward_pre_grad', the hook must return 1 gradients, but returned 2"):
        ms.grad(cell)(Tensor([1.0]))


def test_a_tensor_hook_must_keep_the_shape(mode):
    def f(x):
        y = x * 2
        y.register_hook(lambda gradient: gradient.sum())
        return y * 3

    with pytest.raises(ValueError, match=r"the hook must return a Tensor of the gradient's shape \(2,\), but got \(\)"):
        ms.grad(f)(Tensor([1.0, 2.0]))


# -- hooks of Parameters and of saved Tensors -------------------------------------------------------------------------


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(2.0), name="w")

    def construct(self, x):
        return x * self.w


class Twice(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = Scaled(), Scaled()

    def construct(self, x):
        return self.b(self.a(x))


def ten(parameter):
    return parameter * 10


PARAMETER_HOOKS = [  # what is registered, and the value and the gradients where calls are staged
    (lambda net: net.register_parameter_forward_hook(ten), 1200, [400, 600, 600]),
    (lambda net: net.register_parameter_forward_hook([{"params": [net.a.w], "hook": ten}]), 120, [40, 60, 60]),
    (
        lambda net: (
            net.register_parameter_forward_hook(lambda w: w * 3),
            net.register_parameter_forward_hook([{"params": [net.a.w], "hook": ten}]),
        ),
        360,
        [120, 180, 180],
    ),
]


@pytest.mark.parametrize("register, value, gradients", PARAMETER_HOOKS)
def test_parameter_hooks_hold_where_calls_are_staged(register, value, gradients, mode):
    net = Twice()
    plain = net(Tensor(3.0)).item()
    register(net)
    step = ms.value_and_grad(net, 0, net.trainable_params())
    is_staged = ms.get_context("mode") == ms.GRAPH_MODE
    for function, staged in ((step, is_staged), (ms.jit(step), True)):
        actual, (of_input, of_weights) = function(Tensor(3.0))
        seen = [each.item() for each in (actual, of_input, *of_weights)]
        assert seen == ([value, *gradients] if staged else [plain, 4, 6, 6])
    assert net.a.w.item() == 2 and type(net.a.w) is ms.Parameter
    assert ms.jit(copy.deepcopy(net))(Tensor(3.0)).item() == value


def test_parameter_hooks_refuse():
    register = Scaled().register_parameter_forward_hook
    with pytest.raises(ValueError, match="a dict with the keys 'params' and 'hook'"):
        register([{"params": []}])
    for hook in (3, [3], [{"params": [3], "hook": ten}], [{"params": [Scaled().w], "hook": 3}]):
        with pytest.raises(TypeError, match="For 'register_parameter_forward_hook', the '"):
            register(hook)


def test_saved_tensors_of_one_cell():
    packed = []
    net = Product()
    net.register_saved_tensors_hooks(lambda x: (packed.append(x.asnumpy()), x * 2)[1], lambda x: x)
    gradients = ms.grad(lambda a, b: (net(a, b) + a * b).sum(), (0, 1))(Tensor(X), Tensor(Y))
    assert [each.tolist() for each in gradients] == [[9, 12], [3, 6]]  # twice its own, and those beside it
    assert len(packed) == 2
    with pytest.raises(TypeError, match="must be callable"):
        net.register_saved_tensors_hooks(3, None)
