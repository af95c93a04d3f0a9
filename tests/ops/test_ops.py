"""Every row of `op_cases` against the figures of MindSpore, and its derivatives against finite differences.

The figures are in ``tests/golden/ops/``; ``tests/golden/make_ops.py`` says how they were made.
"""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

from ..helpers import assert_close
from ..op_cases import CASES, NAMES, TABLES

FIGURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "ops"
GOLDEN = {
    name: figures for table in TABLES for name, figures in json.loads((FIGURES / f"{table}.json").read_text()).items()
}
# Of values in other dtypes than float32. MindSpore's own log1p is wrong by 2.5 units in the last place of float16.
RTOL = {"float16": 3e-3, "float64": 1e-9}
DIFFERENTIABLE = [case for case in CASES if case.order]
ELEMENTWISE = [case for case in CASES if case.elementwise]
NAMESPACE = {"ms": ms, "ops": ops, "nn": nn, "Tensor": Tensor}


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


class Row(nn.Cell):
    """The expression of a row, or one of its faces, as a Cell; `make_row` makes one."""

    def __init__(self, function, parameters):
        super().__init__()
        self.function = function
        self.parameters = ms.ParameterTuple(parameters)

    def construct(self, *inputs):
        return self.function(*self.parameters, *inputs)


def make_row(case, expression=None):
    """Returns what computes a row of all its inputs; its class is its own, since msgrad accounts for recompilations by
    class name."""
    names = NAMES[: len(case.inputs())]
    function = eval(f"lambda {', '.join(names)}: {expression or case.expression}", NAMESPACE)
    kind = type(f"Row_{case.name}", (Row,), {})
    count = case.parameters
    if not count:
        return kind(function, [])

    def run(*inputs):
        parameters = [ms.Parameter(value, name=name) for name, value in zip(NAMES, inputs[:count], strict=False)]
        return kind(function, parameters)(*inputs[count:])

    return run


def free_inputs(case, inputs):
    """Those of ``inputs`` that a row is differentiated by."""
    held = case.held()
    return [value for name, value in zip(NAMES, inputs, strict=False) if name not in held]


def make_free_row(case, inputs):
    """Returns what computes a row of the inputs that it is differentiated by; ``inputs`` are all, the others stay."""
    row, held = make_row(case), case.held()
    if not held:
        return row
    kept = {name: Tensor(value) for name, value in zip(NAMES, inputs, strict=False) if name in held}
    names = NAMES[: len(inputs)]

    class Free(nn.Cell):
        def construct(self, *free):
            given = iter(free)
            return row(*[kept[name] if name in kept else next(given) for name in names])

    Free.__name__ = f"Free_{case.name}"
    return Free()


class Gradient(nn.Cell):
    """Gradients of ``function`` by all inputs, for a fixed cotangent."""

    def __init__(self, function, cotangent):
        super().__init__()
        self.function = function
        self.cotangent = cotangent
        self.grad = ops.GradOperation(get_all=True, sens_param=True)

    def construct(self, *inputs):
        return self.grad(self.function)(*inputs, self.cotangent)


def decoded(figure):
    return np.array(figure["data"], figure["dtype"]).reshape(figure["shape"])


def tensors(arrays):
    return [Tensor(array) for array in arrays]


def derivatives(case, inputs):
    """Yields a Cell for each order of derivative, and the Cell and cotangents (arrays) that it is the derivative of.

    They take the inputs that the row is differentiated by; ``inputs`` are all.
    """
    function, free = make_free_row(case, inputs), tensors(free_inputs(case, inputs))
    outputs = [function(*free).asnumpy()]
    for order in range(1, case.order + 1):
        cotangents = case.cotangents(outputs)
        given = tensors(cotangents)
        kind = type(f"Gradient_{case.name}", (Gradient,), {})
        gradient = kind(function, given[0] if order == 1 else tuple(given))
        yield gradient, function, cotangents
        function = gradient
        outputs = [result.asnumpy() for result in gradient(*free)]


@by_name(CASES)
def test_inputs_are_those_of_the_golden_figures(case):
    for array, figure in zip(case.inputs(), GOLDEN[case.name]["inputs"], strict=True):
        assert_close(array, decoded(figure), rtol=0, atol=0)


@by_name(CASES)
def test_golden_figures_are_complete(case):
    figures = GOLDEN[case.name]
    assert set(figures["values"]) == {"float32", *case.dtypes}
    if not (case.reason or case.reference):
        assert all(name in figures for name in ("first", "second")[: case.order])


def values_of(case):
    return {dtype: make_row(case)(*tensors(case.inputs(dtype))).asnumpy() for dtype in GOLDEN[case.name]["values"]}


def derivatives_of(case):
    inputs = case.inputs()
    free = tensors(free_inputs(case, inputs))
    gradients = [gradient(*free) for gradient, _, _ in derivatives(case, inputs)]
    return [[result.asnumpy() for result in results] for results in gradients]


def check_values(case, values):
    for dtype, figure in GOLDEN[case.name]["values"].items():
        assert_close(values[dtype], decoded(figure), rtol=RTOL.get(dtype, case.rtol))


def check_derivatives(case, results):
    for name, arrays in zip(("first", "second"), results, strict=False):
        if name in GOLDEN[case.name]:
            free = free_inputs(case, case.inputs())
            for actual, figure, given in zip(arrays, GOLDEN[case.name][name], free, strict=True):
                # A gradient has the dtype of what it belongs to; MindSpore's of erf is float64 in GRAPH_MODE alone.
                expected = decoded(figure).astype(given.dtype)
                assert_close(actual, expected, rtol=10 * case.rtol, atol=1e-5)


@by_name(CASES)
def test_values(case, mode):
    check_values(case, values_of(case))


@by_name([case for case in CASES if case.faces])
def test_faces_agree(case):
    expected = decoded(GOLDEN[case.name]["values"]["float32"])
    for face in case.faces:
        assert_close(make_row(case, face)(*tensors(case.inputs())).asnumpy(), expected, rtol=case.rtol)


@by_name(DIFFERENTIABLE)
def test_derivatives(case, mode):
    check_derivatives(case, derivatives_of(case))


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
    for gradient, function, cotangents in derivatives(case, inputs):
        ahead, behind = (weighted_sum(function(*given), cotangents) for given in moved)
        slope = weighted_sum(gradient(*tensors(free)), directions)
        assert_close(np.float64(slope), np.float64((ahead - behind) / (2 * step)), rtol=1e-6, atol=1e-6)


def weighted_sum(results, weights):
    results = results if isinstance(results, tuple) else (results,)
    return sum(float((result.asnumpy() * weight).sum()) for result, weight in zip(results, weights, strict=True))


@by_name(ELEMENTWISE)
def test_rank_zero(case):
    inputs = [array[(0,) * array.ndim] for array in case.inputs()]
    expected = decoded(GOLDEN[case.name]["values"]["float32"])
    assert_close(make_row(case)(*tensors(inputs)).asnumpy(), expected[(0,) * expected.ndim], rtol=case.rtol)


@by_name(ELEMENTWISE)
def test_empty(case):
    inputs = [array[:0] if array.ndim == 2 else array for array in case.inputs()]
    expected = decoded(GOLDEN[case.name]["values"]["float32"])[:0]
    assert_close(make_row(case)(*tensors(inputs)).asnumpy(), expected)
