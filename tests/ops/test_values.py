"""Values of every row of `op_cases`: the figures of MindSpore, compiled and not, also without axes and elements."""

import pytest

from ..golden._figures import decoded
from ..helpers import assert_close, assert_each
from ..op_cases import CASES
from .batches import Batches, selected, values_of_all
from .rows import ELEMENTWISE, GOLDEN, by_name, check_values, make_row, tensors, values_of

ROWS = {case.name: (case,) for case in CASES}


def test_inputs_are_those_of_the_golden_figures():
    assert_each(check_inputs, ROWS)


def check_inputs(case):
    for array, figure in zip(case.inputs(), GOLDEN[case.name]["inputs"], strict=True):
        assert_close(array, decoded(figure), rtol=0, atol=0)


def test_golden_figures_are_complete():
    assert_each(check_complete, ROWS)


def check_complete(case):
    figures = GOLDEN[case.name]
    assert set(figures["values"]) == {"float32", *case.dtypes}
    if not (case.reason or case.reference):
        assert all(name in figures for name in ("first", "second")[: case.order])


@pytest.fixture(scope="module")
def graph_values(request):
    return Batches(selected(request, "test_values_in_graph_mode"), values_of_all, values_of, size=16)


@by_name(CASES)
def test_values_operation_by_operation(case, uncompiled):
    check_values(case, values_of(case))


@by_name(CASES)
def test_values_in_graph_mode(case, graph_mode, graph_values):
    check_values(case, graph_values(case))


@by_name([case for case in CASES if case.faces])
def test_faces_agree(case):
    expected = decoded(GOLDEN[case.name]["values"]["float32"])
    for face in case.faces:
        assert_close(make_row(case, face)(*tensors(case.inputs())).asnumpy(), expected, rtol=case.rtol)


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
