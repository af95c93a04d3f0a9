"""``register_saved_tensors_hooks``: hooks of what GRAPH_MODE and ``jit`` compile. Figures are MindSpore's own."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

registered = ms.register_saved_tensors_hooks(lambda x: x + 1, lambda kept: kept * 10)
product = registered(lambda x, y: x * y)
X, Y = Tensor([2.0]), Tensor([3.0])


def test_pynative_mode_takes_no_notice():
    assert [each.tolist() for each in ms.grad(product, (0, 1))(X, Y)] == [[3.0], [2.0]]
    assert product(X, Y).tolist() == [6.0] and ms.jit(product)(X, Y).tolist() == [6.0]


@pytest.mark.parametrize(
    "gradient",
    [
        lambda: ms.jit(ms.grad(product, (0, 1))),
        lambda: ms.grad(ms.jit(product), (0, 1)),
        lambda: ms.grad(registered(ms.jit(lambda x, y: x * y)), (0, 1)),
    ],
    ids=["of the gradient", "below the gradient", "below the hooks"],
)
def test_jit_lets_them_see(gradient):
    gradient = gradient()
    assert [each.tolist() for each in gradient(X, Y)] == [[40.0], [30.0]]
    assert [each.tolist() for each in gradient(X + 1, Y)] == [[40.0], [40.0]]
    assert product(X, Y).tolist() == [6.0]


@pytest.mark.parametrize(
    ("function", "gradient"),
    [
        (registered(ops.exp), 10 * (np.exp(2.0) + 1)),
        (registered(lambda x: ops.sin(ops.exp(x) * x)), 1986.5470),
        (registered(lambda x: (x + 1).sum()), 1.0),
        (registered(lambda x: ops.matmul(x.reshape(1, 1), x.reshape(1, 1))), 60.0),
        (registered(lambda x: ops.relu(x) * 2), 2.0),
        (registered(lambda x: ops.concat((x, x * x)).sum()), 61.0),
        (lambda x: product(x, x) + product(x, x), 120.0),
        (lambda x: product(x, x) * x, 124.0),
        (ms.register_saved_tensors_hooks(lambda x: (x, x * 2), sum)(lambda x: x * x), 12.0),
    ],
)
def test_what_is_packed(function, gradient, compiled):
    assert np.allclose(ms.jit(ms.grad(function))(X).asnumpy(), gradient, rtol=1e-6)


def test_cells(graph_mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([4.0]), name="w")

        @registered
        def construct(self, x):
            return x * self.w

    net = Net()
    gradient = ms.grad(net, 0, net.trainable_params())
    for x, by_w in ((X, 30.0), (X + 1, 40.0)):
        by_x, (of_w,) = gradient(x)
        assert (by_x.tolist(), of_w.tolist()) == ([50.0], [by_w])
    assert net(X).tolist() == [8.0]


def test_hooks_must_be_callable():
    with pytest.raises(TypeError, match="the 'pack_hook' must be callable, but got int"):
        ms.register_saved_tensors_hooks(1, lambda kept: kept)
