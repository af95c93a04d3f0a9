"""Assignments to Parameters (``self.w = ...``) in GRAPH_MODE. Expected values are MindSpore 2.10's."""

import itertools

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

# A statement of construct, the dtype of the Parameter ``p``, at first 0, and its values after each of two calls.
ASSIGNED = [
    ("self.p = 3", "float16", [3, 3]),
    ("self.p = 3", "int64", [3, 3]),
    ("self.p = 1.5", "float32", [1.5, 1.5]),
    ("self.p = True", "int32", [1, 1]),
    ("self.p = True", "bool", [1, 1]),
    ("self.p = x.ndim + 4", "int32", [4, 4]),
    ("self.p = self.r", "int32", [6, 6]),
    ("self.p = self.p + 1", "int32", [1, 2]),
    ("self.p += 1.5", "float32", [1.5, 3]),
    ("self.p += x + 0.5", "float16", [2.5, 5]),
    ("self.reset()", "int32", [8, 8]),
    ("self.p = 7 if x > 0 else 9", "int32", [7, 7]),
    ("self.p = 1 if self.p % 2 == 0 else self.p + 1", "int32", [1, 2]),
    ("for i in range(3): self.p = self.p + i", "int32", [3, 6]),
]
REFUSED = [
    ("self.p = 1.5", "int32", TypeError, "For 'Assign', the 'value' must be of a dtype that converts to .* Int32"),
    ("self.p = 1", "bool", TypeError, "For 'Assign', the 'value' must be of a dtype that converts to .* Bool"),
    ("self.p = 'a'", "float32", TypeError, "For 'Assign', the 'value' must be a Tensor or a number, but got 'a'"),
    ("self.v = 4", "float32", ValueError, r"For 'Assign', the 'value' must be of the shape of 'variable', \(2,\)"),
    ("self.v = x", "float32", ValueError, r"For 'Assign', the 'value' must be of the shape of 'variable', \(2,\)"),
]


def network(statement, dtype, wrapped):
    """A Cell whose construct runs a statement; ``wrapped`` says that it is compiled by `jit`."""
    made = {}
    exec(f"def construct(self, x):\n    {statement}\n    return x + self.p", made)  # noqa: S102

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(Tensor(0, getattr(ms, dtype)), name="p")
            self.r = Parameter(Tensor(6, getattr(ms, dtype)), name="r")
            self.v = Parameter(Tensor([1, 2], getattr(ms, dtype)), name="v")

        def reset(self):
            self.p = 8

        construct = ms.jit(made["construct"]) if wrapped else made["construct"]

    return Net()


@pytest.fixture
def compiled(mode):
    """How a construct is compiled: whether by `jit`, for in GRAPH_MODE all are."""
    return mode == "PYNATIVE_MODE"


@pytest.mark.parametrize(("statement", "dtype", "values"), ASSIGNED)
def test_a_parameter_is_a_variable_of_a_graph(statement, dtype, values, compiled):
    net = network(statement, dtype, compiled)
    parameter, x = net.p, Tensor(2, ms.int32)
    for value in values:
        assert np.asarray(net(x).asnumpy()) == 2 + value
        assert net.p is parameter
        assert (parameter.dtype, parameter.asnumpy().tolist()) == (getattr(ms, dtype), value)


@pytest.mark.parametrize(("statement", "dtype", "error", "message"), REFUSED)
def test_what_a_variable_of_a_graph_refuses(statement, dtype, error, message, compiled):
    net = network(statement, dtype, compiled)
    with pytest.raises(error, match=message):
        net(Tensor(2, ms.int32))
    assert net.p.asnumpy() == 0


def test_elsewhere_a_number_is_refused(mode):
    net = network("return x", "float32", False)
    net(Tensor(1.0))
    with pytest.raises(TypeError, match="the Parameter 'p' can only become a Parameter, a Tensor or None, but got 3"):
        net.p = 3
    if mode == "PYNATIVE_MODE":
        with pytest.raises(TypeError, match="the Parameter 'p' can only become .*, but got 0"):
            network("self.p = 0", "float32", False)(Tensor(1.0))


def test_assigning_is_compiled_once(graph_mode):
    calls = itertools.count()  # a list that the call appends to would be noticed

    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0, ms.int32), name="count")

        def construct(self, x):
            next(calls)
            self.count = self.count + 1
            return x * self.count

    net = Counter()
    assert [net(Tensor(2.0)).item() for _ in range(4)] == [2.0, 4.0, 6.0, 8.0]
    assert next(calls) == 1


def test_gradients_of_what_assigns(graph_mode):
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = Parameter(Tensor(0.0), name="scale")

        def construct(self, x):
            self.scale = 2
            return x * self.scale

    net = Scaled()
    value, (gradient,) = ms.value_and_grad(net, None, [net.scale])(Tensor(3.0))
    assert (value.item(), gradient.item(), net.scale.item()) == (6.0, 3.0, 2.0)


def test_cells_that_a_graph_makes_get_their_parameters(graph_mode):
    class Ones(nn.Dense):
        def __init__(self):
            super().__init__(2, 2)
            self.weight = Parameter(ops.ones((3, 2)), name="weight")
            self.bias, self.has_bias = None, False

    class Net(nn.Cell):
        def construct(self, x):
            return Ones()(x)

    assert Net()(ops.ones((1, 2))).tolist() == [[2.0, 2.0, 2.0]]


@pytest.mark.parametrize("assign", [ops.assign, ops.assign_add, ops.assign_sub])
def test_numbers_that_would_narrow_are_refused(assign):
    parameter = Parameter(Tensor(1, ms.int32), name="p")
    with pytest.raises(TypeError, match="must be of a dtype that converts to that of 'variable', Int32, but got 1.5"):
        assign(parameter, 1.5)
    assert assign(parameter, True).dtype == ms.int32
