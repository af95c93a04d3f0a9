"""Every row of `op_cases.random_ops`: shape, dtype, distribution, seeds, and derivatives where there are any."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

from ..helpers import assert_close
from ..op_cases.random_ops import CASES

NAMESPACE = {"ms": ms, "ops": ops, "Tensor": Tensor}


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


class Row(nn.Cell):
    """The expression of a row, or one of its faces, as a Cell."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, *inputs):
        return self.function(*inputs)


def make_row(case, expression=None):
    """Returns what draws; its class is its own, since msgrad accounts for recompilations by class name."""
    function = eval(f"lambda x: {expression or case.expression}", NAMESPACE)
    return type(f"Row_{case.name}", (Row,), {})(function)


def drawn(row, seed=None):
    if seed is not None:
        ms.set_seed(seed)
    return row(ops.ones((50, 80))).asnumpy()


@by_name(CASES)
def test_distribution(case, mode):
    result = drawn(make_row(case), seed=1)
    assert result.shape == case.shape and result.dtype == case.dtype
    distribution, numbers = case.distribution, result.astype(np.float64).ravel()
    assert numbers.min() >= distribution.low and numbers.max() <= distribution.high
    if distribution.values is not None:
        assert np.isclose(np.unique(numbers)[:, None], distribution.values, rtol=1e-6).any(1).all()
    if case.has_each_once:
        assert len(np.unique(numbers)) == len(numbers)
    # Standard errors of the mean, and of the standard deviation about the known mean, of independent numbers.
    std = np.sqrt(np.mean((numbers - distribution.mean) ** 2))
    assert abs(numbers.mean() - distribution.mean) <= 5 * distribution.std / len(numbers) ** 0.5
    bound = 5 * distribution.std * ((distribution.kurtosis - 1) / (4 * len(numbers))) ** 0.5 + 1e-6
    assert abs(std - distribution.std) <= bound
    if result.ndim == 2:
        assert (result[0] != result[1]).any() and (result[:, 0] != result[:, 1]).any()


@by_name([case for case in CASES if case.is_seeded])
def test_seeds(case, mode):
    row = make_row(case)
    first, second = drawn(row, seed=2), drawn(row)
    assert (first == second).all() == case.is_fixed
    if mode == "PYNATIVE_MODE":  # graphs that are compiled keep their streams
        assert (drawn(row, seed=2) == first).all() and (drawn(row) == second).all()
    row = make_row(case)
    assert (drawn(row, seed=2) == first).all() and (drawn(row) == second).all()
    assert (drawn(make_row(case), seed=3) == first).all() == case.is_fixed


@by_name(CASES)
def test_modes_and_faces_draw_the_same_numbers(case):
    expected = drawn(make_row(case), seed=4)
    for face in case.faces:
        assert_close(drawn(make_row(case, face), seed=4), expected)
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert_close(drawn(make_row(case), seed=4), expected)
    finally:
        ms.set_context(mode=before)


@by_name([case for case in CASES if case.scales])
def test_the_derivative_is_what_was_drawn(case, mode):
    x = ops.ones((50, 80))
    for expression in (case.expression, *case.faces):
        row = make_row(case, expression)
        value, gradient = ms.value_and_grad(row)(x)
        assert_close(gradient.asnumpy(), value.asnumpy())
        assert set(np.unique(gradient.asnumpy())) == {np.float32(0), np.float32(4 / 3)}


@pytest.mark.parametrize(
    "expression",
    ["ops.normal((3,), x, y)", "ops.laplace((3,), x, y)", "ops.uniform((3,), x, x + y)"],
    ids=["normal", "laplace", "uniform"],
)
def test_derivatives_by_location_and_scale(expression, mode):
    row = Row(eval(f"lambda x, y: {expression}", NAMESPACE))
    place, scale = Tensor([1.0, 2.0, 3.0]), Tensor([0.5, 1.0, 2.0])
    value, gradients = ms.value_and_grad(row, (0, 1))(place, scale)
    assert_close(gradients[0].asnumpy(), np.ones(3, np.float32))
    expected = (value.asnumpy() - place.asnumpy()) / scale.asnumpy()
    assert_close(gradients[1].asnumpy(), expected, rtol=1e-4)


@pytest.mark.parametrize(
    ("make", "inputs"),
    [
        (ops.StandardNormal, ((3,),)),
        (ops.StandardLaplace, ((3,),)),
        (ops.UniformReal, ((3,),)),
        (ops.UniformInt, ((3,), Tensor(0, ms.int32), Tensor(1000, ms.int32))),
        (lambda *seeds: ops.Dropout(0.5, *seeds), (ops.ones((40,)),)),
    ],
    ids=["StandardNormal", "StandardLaplace", "UniformReal", "UniformInt", "Dropout"],
)
def test_an_object_with_a_seed_draws_from_its_own_stream(make, inputs, mode):
    def sequence(*seeds):
        draw = make(*seeds)
        row = Row(lambda: draw(*inputs))
        results = [row() for _ in range(2)]
        return [(result[0] if isinstance(result, tuple) else result).asnumpy().tolist() for result in results]

    ms.set_seed(1)
    expected = sequence(3, 4)
    ms.set_seed(2)
    assert sequence(3, 4) == expected
    assert expected[0] != expected[1]
    assert sequence(3, 5) != expected and sequence(4, 4) != expected
