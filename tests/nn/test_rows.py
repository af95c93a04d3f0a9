"""Every row of `layer_cases`: the layer's attributes and results equal MindSpore's, compiled and not."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import msgrad as ms

from ..golden._figures import decoded
from ..helpers import assert_close, assert_each
from ..layer_cases import CASES, ERRORS, ERRORS_OF_VALUES
from .rows import (
    BY_MINDSPORE,
    GOLDEN,
    NAMESPACE,
    by_name,
    check_figures,
    figures_of,
    made,
    without_addresses,
)

CALLED = [case for case in CASES if case.spec]


def test_layers_are_the_reference_s():
    assert_each(check_layer, {case.name: (case,) for case in BY_MINDSPORE})


def check_layer(case):
    layer, golden = made(case), GOLDEN[case.name]
    parameters = [
        [name, p.name, list(p.shape), str(p.dtype), p.requires_grad] for name, p in layer.parameters_and_names()
    ]
    assert parameters == golden["parameters"]
    assert list(inspect.signature(type(layer).construct).parameters)[1:] == golden["construct"]
    if "cells" not in case.without:
        assert [[name, type(cell).__name__] for name, cell in layer.cells_and_names()] == golden["cells"]
    if "text" not in case.without:
        assert without_addresses(repr(layer)) == without_addresses(golden["text"])
    if "attributes" not in case.without:
        kept = {name: _as_list(getattr(layer, name, "nothing")) for name in golden["attributes"]}
        assert kept == golden["attributes"]


def _as_list(value):
    return [_as_list(item) for item in value] if isinstance(value, (tuple, list)) else value


@by_name([case for case in CASES if "spread" in GOLDEN[case.name]])
def test_initial_values_are_spread_as_the_reference_s(case):
    ms.set_seed(2)  # extremes of a normal law are far from sure
    named = dict(made(case).parameters_and_names())
    for name, (mean, deviation, low, high) in GOLDEN[case.name]["spread"].items():
        values = named[name].asnumpy().astype(np.float64)
        noise = 4 * deviation / np.sqrt(values.size)
        assert values.mean() == pytest.approx(mean, abs=2 * noise)
        assert values.std() == pytest.approx(deviation, abs=2 * noise)
        assert (values.min(), values.max()) == pytest.approx((low, high), rel=0.25)


def test_inputs_are_those_of_the_golden_figures():
    assert_each(check_inputs, {case.name: (case,) for case in CALLED})


def check_inputs(case):
    figures = GOLDEN[case.name]["inputs"]
    for name, array in case.inputs().items():
        assert_close(array, decoded(figures[name]), rtol=0, atol=0)


def test_golden_figures_are_complete():
    assert_each(check_complete, {case.name: (case,) for case in BY_MINDSPORE if case.spec})


def check_complete(case):
    for figures in GOLDEN[case.name]["phases"].values():
        assert figures["results"]
    assert case.reason or (case.gradients and not case.reference and not case.without and case.rtol <= 1e-5)


@by_name(CALLED)
def test_figures_operation_by_operation(case, uncompiled):
    check_figures(case, figures_of(case))


@by_name(CALLED)
def test_figures_in_graph_mode(case, graph_mode):
    check_figures(case, figures_of(case))


@by_name(CASES)
def test_copies_and_pickles(case):
    layer = made(case)
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert type(other) is type(layer)
        assert without_addresses(repr(other)) == without_addresses(repr(layer))


@pytest.mark.parametrize("expression, error, text", ERRORS, ids=[row[0] for row in ERRORS])
def test_refused(expression, error, text, mode):
    check_refused(expression, error, text)


@pytest.mark.parametrize("expression, error, text", ERRORS_OF_VALUES, ids=[row[0] for row in ERRORS_OF_VALUES])
def test_values_are_refused(expression, error, text):
    check_refused(expression, error, text)


def check_refused(expression, error, text):
    with pytest.raises(error) as raised:
        eval(expression, NAMESPACE)
    assert type(raised.value) is error
    assert text in str(raised.value)
