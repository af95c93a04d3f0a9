"""Derivatives of every row of `op_cases`: against the figures of MindSpore, and against finite differences."""

import itertools

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops

from ..helpers import assert_close
from .batches import Batches, derivatives_of_all, selected
from .rows import (
    DIFFERENTIABLE,
    GOLDEN,
    by_name,
    check_derivatives,
    derivatives_of,
    free_inputs,
    gradients_of,
    make_free_row,
    tensors,
)


@pytest.fixture(scope="module")
def graph_derivatives(request):
    return Batches(selected(request, "test_derivatives_in_graph_mode"), derivatives_of_all, derivatives_of, size=8)


@by_name(DIFFERENTIABLE)
def test_derivatives_operation_by_operation(case, uncompiled):
    check_derivatives(case, derivatives_of(case))


@by_name(DIFFERENTIABLE)
def test_derivatives_in_graph_mode(case, graph_mode, graph_derivatives):
    check_derivatives(case, graph_derivatives(case))


@by_name([case for case in DIFFERENTIABLE if case.exact_slope])
def test_derivatives_agree_with_finite_differences(case):
    inputs = case.inputs("float64")
    free = free_inputs(case, inputs)
    step = 1e-5
    random = np.random.RandomState(0)
    directions = [random.uniform(-1, 1, array.shape) for array in free]
    moved = [
        tensors([array + sign * step * direction for array, direction in zip(free, directions, strict=True)])
        for sign in (1, -1)
    ]
    output = make_free_row(case, inputs)(*tensors(free)).asnumpy()
    unknown = 2 - ("second" in GOLDEN[case.name])  # a second derivative is that of MindSpore, or of finite differences
    for gradient, function, cotangents in itertools.islice(gradients_of(case, inputs, output), unknown):
        ahead, behind = (weighted_sum(function(*operands), cotangents) for operands in moved)
        derivative = weighted_sum(gradient(*tensors(free)), directions)
        assert_close(np.float64(derivative), np.float64((ahead - behind) / (2 * step)), rtol=1e-6, atol=1e-6)


def weighted_sum(results, weights):
    results = results if isinstance(results, tuple) else (results,)
    return sum(float((result.asnumpy() * weight).sum()) for result, weight in zip(results, weights, strict=True))


def test_paths_of_ctc_have_no_gradient():
    inputs = Tensor([[1]]), Tensor([2]), Tensor([1])
    scores = Tensor(np.arange(6, dtype=np.float32).reshape(2, 1, 3))
    both = ms.grad(lambda x: ops.ctc_loss(ops.log_softmax(x, 2), *inputs))(scores)
    loss = ms.grad(lambda x: ops.ctc_loss(ops.log_softmax(x, 2), *inputs)[0])(scores)
    assert_close(both.asnumpy(), loss.asnumpy())
