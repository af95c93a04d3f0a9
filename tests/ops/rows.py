"""Rows of `op_cases` as functions and Cells, and their golden values: what the tests of rows share.

The values are in ``tests/golden/ops/``; ``tests/golden/make_ops.py`` says how they were made. For a row that is not
there and has a ``reference``, NumPy computes them, so that an operation can be added without MindSpore.
"""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

from ..golden._figures import decoded
from ..helpers import assert_close
from ..op_cases import CASES, NAMES, TABLES

FIGURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "ops"
GOLDEN = {
    name: figures for table in TABLES for name, figures in json.loads((FIGURES / f"{table}.json").read_text()).items()
}


def _by_numpy(case):
    """The golden values of a row by its ``reference``."""
    inputs = {dtype: case.inputs(dtype) for dtype in ("float32", *case.dtypes)}
    names = {dtype: dict(zip(NAMES, arrays, strict=False)) for dtype, arrays in inputs.items()}
    values = {dtype: _encoded(eval(case.reference, {"np": np, **names[dtype]})) for dtype in inputs}
    return {"inputs": [_encoded(array) for array in inputs["float32"]], "values": values}


def _encoded(array):
    array = np.asarray(array)
    return {"dtype": str(array.dtype), "shape": array.shape, "data": array.ravel().tolist()}


GOLDEN |= {case.name: _by_numpy(case) for case in CASES if case.reference and case.name not in GOLDEN}
# Of values in other dtypes than float32. MindSpore's own log1p is wrong by 2.5 units in the last place of float16.
RTOL = {"float16": 3e-3, "float64": 1e-9}
DIFFERENTIABLE = [case for case in CASES if case.order]
ELEMENTWISE = [case for case in CASES if case.elementwise]
NAMESPACE = {"ms": ms, "mint": ms.mint, "mnp": ms.numpy, "ops": ops, "nn": nn, "Tensor": Tensor}


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
            values = iter(free)
            return row(*[kept[name] if name in kept else next(values) for name in names])

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


def tensors(arrays):
    return [Tensor(array) for array in arrays]


class Derivatives(nn.Cell):
    """The gradients of all orders, in one program: the second contains the first, so that XLA compiles it once."""

    def __init__(self, gradients):
        super().__init__()
        self.gradients = gradients

    def construct(self, *inputs):
        return tuple([gradient(*inputs) for gradient in self.gradients])


def gradients_of(case, inputs, output):
    """Yields a Cell for each order of derivative, and the Cell and cotangents (arrays) that it is the derivative of.

    They take the inputs that the row is differentiated by; ``inputs`` are all, and ``output`` is an array of the shape
    and dtype of the row's result.
    """
    function, free = make_free_row(case, inputs), free_inputs(case, inputs)
    outputs = [output]
    for order in range(1, case.order + 1):
        cotangents = case.cotangents(outputs)
        values = tensors(cotangents)
        kind = type(f"Gradient_{case.name}", (Gradient,), {})
        gradient = kind(function, values[0] if order == 1 else tuple(values))
        yield gradient, function, cotangents
        function, outputs = gradient, free  # a gradient has the shape and dtype of what it belongs to


def values_of(case):
    return {dtype: make_row(case)(*tensors(case.inputs(dtype))).asnumpy() for dtype in GOLDEN[case.name]["values"]}


def derivatives_of(case):
    orders = derivatives_cell(case)(*tensors(free_inputs(case, case.inputs())))
    return [[gradient.asnumpy() for gradient in order] for order in orders]


def derivatives_cell(case):
    """What computes the gradients of all orders of a row, of the inputs that it is differentiated by."""
    output = decoded(GOLDEN[case.name]["values"]["float32"])
    gradients = [gradient for gradient, _, _ in gradients_of(case, case.inputs(), output)]
    return type(f"Derivatives_{case.name}", (Derivatives,), {})(gradients)


def check_values(case, values):
    for dtype, figure in GOLDEN[case.name]["values"].items():
        assert_close(values[dtype], decoded(figure), rtol=RTOL.get(dtype, case.rtol))


def check_derivatives(case, results):
    for name, arrays in zip(("first", "second"), results, strict=False):
        if name in GOLDEN[case.name]:
            free = free_inputs(case, case.inputs())
            for actual, figure, values in zip(arrays, GOLDEN[case.name][name], free, strict=True):
                # A gradient has the dtype of what it belongs to; MindSpore's of erf is float64 in GRAPH_MODE alone.
                expected = decoded(figure).astype(values.dtype)
                assert_close(actual, expected, rtol=10 * case.rtol, atol=1e-5)
