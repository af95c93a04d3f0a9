"""Methods that write into their Tensor do what the methods without the underscore do, in value and gradient.

MindSpore 2.10 has kernels for hardly any of them on a CPU, so there are no golden figures.
"""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.ops._core.faces import METHODS

X = np.float32([[0.5, -0.25, 0.75], [-0.5, 0.3, 0.9]])
Y = np.float32([[1.5, 0.5, 2.0], [0.25, 1.0, -3.0]])
ROWS = {
    "add": lambda method, y: method(y, alpha=2),
    "addmm": lambda method, y: method(y, y[:, :3].T @ y, beta=2),
    "clamp": lambda method, y: method(-0.4, 0.6),
    "div": lambda method, y: method(y),
    "erfinv": lambda method, y: method(),
    "exp": lambda method, y: method(),
    "fill": lambda method, y: method(2.5),
    "floor": lambda method, y: method(),
    "floor_divide": lambda method, y: method(y),
    "index_fill": lambda method, y: method(1, Tensor([0, 2]), 2.5),
    "log": lambda method, y: method(),
    "masked_fill": lambda method, y: method(y > 1, 2.5),
    "mul": lambda method, y: method(y),
    "remainder": lambda method, y: method(y),
    "scatter": lambda method, y: method(1, Tensor([[0, 2], [1, 0]]), y),
    "scatter_add": lambda method, y: method(1, Tensor([[0, 0], [1, 0]]), y),
    "sigmoid": lambda method, y: method(),
    "sign": lambda method, y: method(),
    "sub": lambda method, y: method(y),
    "tanh": lambda method, y: method(),
}
# Those with another method beside them, or none: the call, and what it gives for X and Y.
OTHERS = {
    "fill_diagonal": (lambda x, y: x.fill_diagonal_(2.5), lambda x, y: x.fill_diagonal(2.5)),
    "masked_scatter": (lambda x, y: x.masked_scatter_(y > 1, y), lambda x, y: x.masked_scatter(y > 1, y)),
    "index_add": (
        lambda x, y: x.index_add_(1, Tensor([0, 2]), y[:, :2]),
        lambda x, y: (x * 1).index_add(1, Tensor([0, 2]), y[:, :2]),
    ),
    "index_put": (
        lambda x, y: x.index_put_([Tensor([1, 1])], y[0], True),
        lambda x, y: x.index_put([Tensor([1, 1])], y[0], True),
    ),
    "index_copy": (
        lambda x, y: x.index_copy_(0, Tensor([1]), y[:1]),
        lambda x, y: ops.inplace_update(x, y[:1], 1),
    ),
    "put": (
        lambda x, y: x.put_(Tensor([0, 5]), y[:, 0]),
        lambda x, y: x.reshape(-1).index_put([Tensor([0, 5])], y[:, 0]).reshape(2, 3),
    ),
    "scatter by reduction": (
        lambda x, y: x.scatter_(1, Tensor([[0, 0], [1, 2]]), y, reduce="add"),
        lambda x, y: x.scatter_add(1, Tensor([[0, 0], [1, 2]]), y),
    ),
    "sub by another name": (lambda x, y: x.sub_(y=y), lambda x, y: x.sub(y)),
    "scatter of a number": (
        lambda x, y: x.scatter_(dim=1, index=Tensor([[0, 2], [1, 0]]), value=2.5),
        lambda x, y: x.scatter(1, Tensor([[0, 2], [1, 0]]), 2.5),
    ),
    "scatter of a number by reduction": (
        lambda x, y: x.scatter_(1, Tensor([[0, 2], [1, 0]]), value=2.5, reduce="add"),
        lambda x, y: x.scatter_add(1, Tensor([[0, 2], [1, 0]]), Tensor([[2.5, 2.5], [2.5, 2.5]])),
    ),
}


def test_every_method_has_a_row():
    written = {name.rstrip("_") for name in METHODS if name.endswith("_") and not name.startswith("_")}
    drawn = {"bernoulli", "exponential", "normal", "random", "uniform"}  # rows of op_cases.random_ops
    forms = {name for name in OTHERS if " " in name}
    assert {*ROWS, *OTHERS, *drawn, "set", "zero"} - forms == written


@pytest.mark.parametrize("name", ROWS)
def test_value(name):
    x, y = Tensor(np.abs(X) if name == "log" else X), Tensor(Y)
    expected = ROWS[name](getattr(x, name), y).asnumpy()
    written = x * 1
    alias = written
    assert ROWS[name](getattr(written, f"{name}_"), y) is written
    np.testing.assert_array_equal(alias.asnumpy(), expected)


@pytest.mark.parametrize("name", ROWS)
def test_gradient(name, mode):
    x, y = Tensor(np.abs(X) if name == "log" else X), Tensor(Y)

    def written(x, y):
        z = x * 1
        ROWS[name](getattr(z, f"{name}_"), y)
        return z * z

    def returned(x, y):
        z = ROWS[name](getattr(x * 1, name), y)
        return z * z

    for actual, expected in zip(ms.grad(written, (0, 1))(x, y), ms.grad(returned, (0, 1))(x, y), strict=True):
        np.testing.assert_array_equal(actual.asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("name", OTHERS)
def test_others(name, mode):
    write, give = OTHERS[name]
    x, y = Tensor(X), Tensor(Y)

    def written(x, y):
        z = x * 1
        assert write(z, y) is z
        return z * z

    def returned(x, y):
        z = give(x * 1, y)
        return z * z

    np.testing.assert_array_equal(written(x, y).asnumpy(), returned(x, y).asnumpy())
    for actual, expected in zip(ms.grad(written, (0, 1))(x, y), ms.grad(returned, (0, 1))(x, y), strict=True):
        np.testing.assert_array_equal(actual.asnumpy(), expected.asnumpy())


def test_zero():
    x = Tensor(X)
    assert x.zero_() is x
    assert x.asnumpy().tolist() == [[0.0] * 3] * 2
