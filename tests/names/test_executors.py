"""The executor of PYNATIVE_MODE as libraries call it: `new_graph`, the call, `end_graph`, `grad`."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._compat.compiler.executors import _pynative_executor as executor

from ..helpers import assert_close

X = Tensor(np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2))


def run(call, *args):
    """A call whose gradient will be asked for, as mindnlp makes it."""
    executor.set_grad_flag(True)
    executor.new_graph(call, *args)
    value = call(*args)
    executor.end_graph(call, value, *args)
    executor.set_grad_flag(False)
    return value


def test_gradients_by_weights_by_inputs_and_by_both():
    net = nn.Dense(2, 1)
    weights = tuple(net.trainable_params())
    run(net, X)
    expected = ms.grad(net, 0, weights)(X)
    by_weights = executor.grad(net, ops.GradOperation(False, True, False), weights, None, X)
    assert executor() is by_weights
    for actual, wanted in zip(by_weights, expected[1], strict=True):
        assert_close(actual.asnumpy(), wanted.asnumpy())
    (by_input,) = executor.grad(net, ops.GradOperation(True, False, False), None, None, X)
    assert_close(by_input.asnumpy(), expected[0].asnumpy())
    (by_input,), by_weights = executor.grad(net, ops.GradOperation(True, True, False), weights, (0,), False, X)
    assert_close(by_input.asnumpy(), expected[0].asnumpy())
    assert len(by_weights) == 2


def test_a_cotangent_comes_last():
    sens = Tensor(np.full((3, 2), 3, np.float32))
    (actual,) = executor.grad(ops.square, ops.GradOperation(True, False, True), None, None, X, sens)
    assert_close(actual.asnumpy(), 6 * X.asnumpy())


@pytest.mark.parametrize("drop", [ops.dropout, ms.mint.nn.functional.dropout, ops.Dropout(0.5)])
@pytest.mark.parametrize("seeded", [False, True])
def test_the_gradient_is_of_the_numbers_that_the_call_drew(drop, seeded):
    if seeded:
        ms.set_seed(4)
    weight = Parameter(Tensor(np.ones(40, np.float32)), name="weight")

    def call():
        dropped = drop(weight)
        return dropped[0] if isinstance(dropped, tuple) else dropped

    masks = []
    for _ in range(2):
        value = run(call).asnumpy()
        (actual,) = executor.grad(call, ops.GradOperation(False, True, False), [weight], None)
        assert_close(actual.asnumpy(), value)  # of a weight of ones
        masks.append(value)
    assert (masks[0] != masks[1]).any()


def test_what_the_call_wrote_is_not_written_again():
    net = nn.BatchNorm1d(2).set_train()
    run(net, X)
    moved = net.moving_mean.asnumpy()
    executor.grad(net, ops.GradOperation(False, True, False), net.trainable_params(), None, X)
    assert_close(net.moving_mean.asnumpy(), moved)
    assert np.abs(moved).max() == 0 or moved.any()


class Weight(Tensor):
    """As mindnlp's own Parameters."""


def test_a_kind_of_tensor_of_a_program_has_a_place_for_gradients():
    weight = Weight([1.0])
    assert weight.grad is None
    weight.grad = X
    assert weight.grad is X and Weight([1.0]).grad is None
    assert not hasattr(X, "grad") and not hasattr(Parameter(X, name="weight"), "grad")
