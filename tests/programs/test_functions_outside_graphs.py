"""Functions that a graph has called are Python's outside of graphs: values, tracebacks, source, lines, caches."""

import functools
import inspect
import sys
import threading
import traceback

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn

ONES = Tensor(np.ones(3, np.float32))


def same(function):
    return function


@same
@same
def changes(values, extra):
    """Changes its argument in all ways that are assignments in a graph."""
    other = values
    values.append(extra)
    values[0] = 2**-extra
    values += [not extra]
    last = values.pop()
    return values is other, last, sorted(locals())


@functools.lru_cache
def cached(n):
    values = []
    other = values
    other.append(2**-n)
    return tuple(values)


count = 0


def counts(n):
    """Counts in a global variable."""
    global count
    values = []
    for _ in range(n):
        count = count + 1
        values.append(count)
    return values


def counts_inside(n):
    total = 0

    def add(values):
        nonlocal total
        values.append(2**-n)
        total += 1
        return values

    add([])
    return add([]), total


def turns(n):
    values = []
    for i in range(n):
        values.append(i)
        yield list(values)


def fails_to_write(values):
    values[9] = 1
    return values


def fails_to_pop(values):
    last = values.pop()
    return last


def fails_by_power(base):
    return base**-1


def fails_by_key(values):
    values["a"]["b"] += 1


class Calls(nn.Cell):
    """Calls each function in a graph, or names it."""

    def construct(self, x):
        changes([1], 2), counts(1), counts_inside(2), cached(1)
        if x.ndim > 1:
            turns(1), fails_to_write([]), fails_to_pop([]), fails_by_power(1), fails_by_key({})
        return x


@pytest.fixture(autouse=True)
def after_a_graph():
    ms.set_context(mode=ms.GRAPH_MODE)
    Calls()(ONES)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_their_values_are_pythons():
    values = [1]
    assert changes(values, 2) == (True, False, ["extra", "last", "other", "values"])
    assert values == [0.25, 2]
    assert counts_inside(2) == ([0.25], 2)
    before = count
    assert counts(2) == [before + 1, before + 2] and count == before + 2
    assert list(turns(2)) == [[0], [0, 1]]


def test_caches_hold_pythons_values():
    assert cached(1) == (0.5,)


@pytest.mark.parametrize(
    "function, argument", [(fails_to_write, []), (fails_to_pop, []), (fails_by_power, 0), (fails_by_key, {})]
)
def test_errors_end_in_the_users_line(function, argument):
    with pytest.raises((IndexError, ZeroDivisionError, KeyError)) as caught:
        function(argument)
    assert traceback.extract_tb(caught.tb)[-1].name == function.__name__


def test_source_begins_with_the_decorators():
    assert inspect.getsource(changes).startswith("@same\n@same\ndef changes(values, extra):")
    assert inspect.getsourcelines(changes)[1] == changes.__code__.co_firstlineno


def test_lines_are_traced_as_they_are_written():
    lines = []

    def trace(frame, event, argument):
        if event == "line" and frame.f_code.co_name == "counts":
            lines.append(frame.f_lineno - counts.__code__.co_firstlineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        counts(2)
    finally:
        sys.settrace(before)
    assert lines == [3, 4, 5, 6, 4, 5, 6, 4, 7]


def test_other_threads_are_outside_of_a_graph():
    found = []

    def run():
        thread = threading.Thread(target=lambda: found.append(counts_inside(2)))
        thread.start()
        thread.join()

    class Starts(nn.Cell):
        def construct(self, x):
            run()
            return x, counts_inside(2)

    assert Starts()(ONES)[1] == ([0], 2)
    assert found[0] == ([0.25], 2)
