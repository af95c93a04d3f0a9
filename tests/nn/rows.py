"""Rows of `layer_cases` as layers, and their figures: what the tests of rows share.

The figures are in ``tests/golden/layers/``; ``tests/golden/make_layers.py`` says how they were made. For a row that is
not there and has a ``reference``, NumPy computes its results, so that a layer can be added without MindSpore.
"""

import json
import pathlib
import re

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

from ..golden._figures import decoded
from ..helpers import assert_close
from ..layer_cases import CASES, TABLES

FIGURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "layers"
GOLDEN = {
    name: figures for table in TABLES for name, figures in json.loads((FIGURES / f"{table}.json").read_text()).items()
}
NAMESPACE = {"ms": ms, "ops": ops, "nn": nn, "Tensor": Tensor, "Parameter": Parameter}


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


def made(case):
    return eval(case.constructor, NAMESPACE)


def parameters_of(case, layer):
    """The values that the Parameters of a row's layer are set to, by name."""
    return case.values_of({name: (str(p.dtype).lower(), p.shape) for name, p in layer.parameters_and_names()})


def _by_numpy(case):
    """The figures of a row by its ``reference``."""
    parameters = {name.replace(".", "_"): value for name, value in parameters_of(case, made(case)).items()}
    results = eval(case.reference, {"np": np, **case.inputs(), **parameters})
    results = [_encoded(each) for each in (results if isinstance(results, tuple) else (results,))]
    inputs = {name: _encoded(array) for name, array in case.inputs().items()}
    return {"inputs": inputs, "phases": {"both": {"results": results}}}


def _encoded(array):
    array = np.asarray(array)
    return {"dtype": str(array.dtype), "shape": array.shape, "data": array.ravel().tolist()}


def without_addresses(text):
    return re.sub(r"\b(msgrad|mindspore)(\.common)?\.", "", re.sub(r" at 0x[0-9a-f]+", "", text))


GOLDEN |= {case.name: _by_numpy(case) for case in CASES if case.reference and case.name not in GOLDEN}
BY_MINDSPORE = [case for case in CASES if "parameters" in GOLDEN[case.name]]


class Row(nn.Cell):
    """A layer called as its row says; `row_of` makes one."""

    def __init__(self, layer, function, held):
        super().__init__(auto_prefix=False)
        self.layer = layer
        self.function = function
        self.held = held

    def construct(self, *free):
        gradients = iter(free)
        results = self.function(self.layer, *[next(gradients) if value is None else value for value in self.held])
        return results if isinstance(results, tuple) else (results,)


class Weighted(nn.Cell):
    """The sum of a row's results of float dtypes, each times its cotangent."""

    def __init__(self, row, cotangents):
        super().__init__(auto_prefix=False)
        self.row = row
        self.cotangents = cotangents

    def construct(self, *free):
        results = self.row(*free)
        return sum([(results[place] * cotangent).sum() for place, cotangent in self.cotangents])


def row_of(case, is_training):
    """The Row of a layer whose Parameters are set, and what it is called with, by name."""
    layer = made(case)
    named = dict(layer.parameters_and_names())
    for name, value in parameters_of(case, layer).items():
        named[name].set_data(Tensor(value))
    inputs = case.inputs()
    function = eval(f"lambda {', '.join(['layer', *inputs])}: {case.expression()}", NAMESPACE)
    free = {name: Tensor(array) for name, array in inputs.items() if array.dtype.kind == "f"}
    held = [None if name in free else Tensor(array) for name, array in inputs.items()]
    kind = type(f"Row_{case.name}", (Row,), {})  # msgrad accounts for recompilations by the name of the class
    return kind(layer, function, held).set_train(is_training), free


def results_of(case, is_training):
    """The results, and by name the Parameters that are not trained, after a call."""
    row, free = row_of(case, is_training)
    results = [result.asnumpy() for result in row(*free.values())]
    state = {name: p.asnumpy() for name, p in row.layer.parameters_and_names() if not p.requires_grad}
    return results, state


def gradients_of(case, is_training, results):
    """The gradients by name, of inputs and trained Parameters."""
    row, free = row_of(case, is_training)
    cotangents = [
        (k, Tensor(case.cotangent(k, result.shape).astype(result.dtype)))
        for k, result in enumerate(results)
        if result.dtype.kind == "f"
    ]
    trained = {name: p for name, p in row.layer.parameters_and_names() if p.requires_grad}
    if not cotangents or not (free or trained):
        return {}
    weighted = type(f"Weighted_{case.name}", (Weighted,), {})(row, cotangents).set_train(is_training)
    positions, weights = tuple(range(len(free))) or None, list(trained.values()) or None
    gradients = ms.grad(weighted, positions, weights)(*free.values())
    inputs, parameters = (gradients, ()) if weights is None else ((), gradients) if positions is None else gradients
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    return {name: each.asnumpy() for name, each in zip((*free, *trained), (*inputs, *parameters), strict=True)}


def figures_of(case):
    """Results, state and gradients of a row, by phase."""
    actual = {}
    for is_training in case.phases:
        results, state = results_of(case, is_training)
        actual[is_training] = results, state, gradients_of(case, is_training, results)
    return actual


def check_figures(case, result):
    golden = GOLDEN[case.name]["phases"]
    for phase, (results, state, gradients) in result.items():
        expected = golden.get("both") or golden[str(phase)]
        for actual, figure in zip(results, expected["results"], strict=True):
            assert_close(actual, decoded(figure), rtol=case.rtol)
        for name, figure in expected.get("state", {}).items():
            assert_close(state[name], decoded(figure), rtol=case.rtol)
        for name, figure in expected.get("gradients", {}).items():
            assert_close(gradients[name], decoded(figure), rtol=10 * case.rtol, atol=1e-5)
