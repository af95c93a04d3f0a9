"""Writes through subscripts in a graph: golden values and exceptions in ``tests/golden/subscript_writes.json``."""

import json

import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._semantics.graph_code import in_graph
from tests.golden import make_subscript_writes as golden

ROWS = dict(json.loads(golden.FILE.read_text()))
# MindSpore cannot write a part back that it has read by a mask, ``T[()]`` of no axes, or by a negative step; it takes
# 1.5 for 1, and indices of an axis of length 0; it compiles no ``del``.
DIFFERENT = [row for row in ROWS if row.startswith(("x[x > 5][", "x[[True, False, True]][", "x[x > 3]["))]
DIFFERENT += ["x[x > 5] -= 2.", "x[1:1][[0]] = 9.", "x[0][0][()] = 1.", "x[::-1] = 1.", "x[1.5] = 1.", "x[0][1.5] = 1."]
DIFFERENT += ["del x[0]", "x[[0.5]] = 1."]


def test_graphs_have_what_mindspores_have(tmp_path):
    rows = [row for row in ROWS if row not in DIFFERENT]
    actual = [golden.figure(ms, each) for each in golden.functions(rows, "msgrad", tmp_path)]
    wrong = [(row, ROWS[row], made) for row, made in zip(rows, actual, strict=True) if made != ROWS[row]]
    assert wrong == [] and len(rows) > 300


class Net(nn.Cell):
    """A Cell with a Parameter, a Tensor and a list of Tensors, which others write to."""

    def __init__(self):
        super().__init__()
        self.p, self.t, self.kept = (
            Parameter(Tensor([[0.0, 1.0], [2.0, 3.0]]), name="p"),
            Tensor([1.0]),
            [Tensor([2.0])],
        )


class WritesToParameter(Net):
    def construct(self, x):
        self.p[0][1] = 9.0
        return self.p


class WritesToParameterByName(Net):
    def construct(self, x):
        p = self.p
        p[0][1] = 9.0
        return p


class WritesToSliceOfParameter(Net):
    def construct(self, x):
        self.p[0:1][0] = 9.0
        return self.p


class WritesToAttributes(Net):
    def construct(self, x):
        self.t[0], self.kept[0][0] = 9.0, 8.0
        return self.t + self.kept[0]


class WritesInInnerFunction(Net):
    def construct(self, x):
        def inner(a):
            a[0] = 9.0
            return a

        return inner(x) - x


@pytest.mark.parametrize(
    ("net", "result", "parameter"),  # MindSpore's
    [
        (WritesToParameter, [[0, 9], [2, 3]], [[0, 9], [2, 3]]),
        (WritesToParameterByName, [[0, 9], [2, 3]], [[0, 9], [2, 3]]),
        (WritesToSliceOfParameter, [[0, 1], [2, 3]], [[0, 1], [2, 3]]),
        (WritesToAttributes, [17], [[0, 1], [2, 3]]),
        (WritesInInnerFunction, [2], [[0, 1], [2, 3]]),
    ],
)
def test_writes_reach_what_a_cell_holds_as_in_mindspore(net, result, parameter, graph_mode):
    net, x = net(), Tensor([7.0])
    assert (net(x).tolist(), net.p.tolist(), x.tolist()) == (result, parameter, [7])


def written(x, items, by_name, said):
    """Writes of all forms, and the order in which they evaluate what they consist of."""

    def say(value):
        said.append(value)
        return value

    def inner():
        items[0] = 5  # of the outer function
        return [k for k in range(2)]

    same = x
    x[0][1:][0] = 9.0
    same[say(1)][say(0) : say(2)] = say(7.0)
    items[1][0], (by_name["a"], *items[2:]), last = inner(), ([1], 2, 3), 4
    items[1][0] += [6]
    kept = by_name["a"]
    by_name["a"] += [last]
    items[3] = items[say(2)] = say(8)
    items[0] **= 2
    items[0] += items.__setitem__(0, 3) or 1  # Python has read the item by then
    place = 0
    items[place], place, by_name[place] = say(26), 1, place  # from left to right
    items[place] = place = 2
    items[place], (*rest, items[0]) = 8, (6, 25)
    return place, rest, same is x, kept is by_name["a"], x.tolist(), items, by_name, said


def test_outside_of_graphs_writes_are_pythons():
    def run(function):
        return function(Tensor([[0.0, 1.0], [2.0, 3.0]]), [0, [1, 2], 3, 4], {"a": 0}, [])

    expected = 2, [6], True, True, [[0, 9], [7, 7]], [25, 2, 8, 8], {"a": [1, 4], 1: 0}, [7.0, 1, 0, 2, 8, 2, 26]
    assert run(written) == expected
    code = written.__code__
    assert in_graph(written).__code__ is not code
    assert run(written) == expected


def with_calls_of_a_module(x):
    y = ops.zeros(2)  # Python compiles it in its own way, since the module imports `ops`
    y[0] = 5.0
    z = x
    z[0] = 9.0
    return x, y, not x[:1]


def test_functions_that_call_what_their_module_imports(graph_mode):
    results = ms.jit(with_calls_of_a_module)(Tensor([1.0, 2.0]))
    assert [each.tolist() for each in results] == [[1, 2], [5, 0], [False]]  # MindSpore's


class NamesItself(nn.Cell):
    """Names itself, and has a write that means something else in a graph, and one that does not."""

    def __init__(self):
        super().__init__()
        self.kept = [0]

    def construct(self, x):
        self.kept[0] = 1
        y = x
        y[0] = 9.0
        return super(NamesItself, self).shift(x), not x  # noqa: UP008

    def shift(self, x):
        return x + 1


class Shifting(nn.Cell):
    def shift(self, x):
        return x + 2


class Derived(NamesItself, Shifting):
    """Has the method of another class as its own, which was read as a graph there."""

    construct = NamesItself.construct


def test_methods_that_name_their_class_and_are_taken_over(graph_mode):
    results = Derived()(Tensor([1.0]))
    assert [each.tolist() for each in results] == [[3], [False]]  # MindSpore's


SHARED = {"a": 0}


def test_names_of_other_scopes_are_not_assigned():
    def of_others(x):
        seen = [SHARED for SHARED in (1, 2)]
        SHARED["a"] = x  # the module's
        del seen[0]
        return seen

    assert in_graph(of_others)(3) == [2] and SHARED == {"a": 3}


def test_an_error_is_at_its_line():
    def wrong(x):
        y = x
        y[0][0] = "text"

    with pytest.raises(IndexError) as raised:
        in_graph(wrong)(Tensor([[1.0]]))
    assert any("y[0][0] =" in str(entry.statement) for entry in raised.traceback)
