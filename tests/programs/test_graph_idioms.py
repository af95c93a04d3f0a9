"""Idioms that only MindSpore's compiler accepts or refuses: results of MindSpore 2.10 (`jit`, GRAPH_MODE)."""

import contextlib
import json
import pathlib
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

from .graph_values import cases, type_and_value

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "graph_values.json").read_text())
ONE, TWO = Tensor(1), Tensor(2)
map_, hyper_map = ops.Map(), ops.HyperMap()
scale = ops.MultitypeFuncGraph("scale")


@scale.register("Tensor", "Tensor")
def _scale(x, factor):
    return x * factor


@ms.jit
def has_key(x):
    kept = {"a": x}
    inner = [name for name in ("a", "b") if kept.has_key(name)]
    return kept.has_key("a"), kept.has_key("b"), inner


@ms.jit
def quotient(x, divisor):
    return x, 1 // divisor


@ms.jit
def remainder(x, divisor):
    return x, 1.5 % divisor


@ms.jit
def looked_up(x, name):
    return {"a": x}[name]


@ms.jit
def raised(x, name):
    raise KeyError(name)


@ms.jit
def called(x, value):
    return x, value(1)


@ms.jit
def measured(x, value):
    return x, len(value)


@ms.jit
def indexed(x, index):
    return x, (1, 2)[index]


@ms.jit
def unpacked(x, values):
    one, two = values
    return x, one, two


@pytest.mark.parametrize(
    ("call", "argument", "kind", "text"),
    [
        (quotient, 0, ValueError, "The divisor could not be zero"),
        (remainder, 0, ValueError, "Cannot perform modulo operation on zero"),
        (looked_up, "b", ValueError, "The key 'b' does not exist in the dict"),
        (raised, "b", KeyError, "b"),
        (called, "b", ValueError, "'str' object is not callable"),
        (measured, 1, AttributeError, r"object of type 'int' has no len\(\)"),
        (indexed, 1.0, IndexError, "tuple indices must be integers or slices, not float"),
        (unpacked, (1,), IndexError, "not enough values to unpack"),
    ],
)
def test_errors_of_pythons_instructions_have_mindspores_types(call, argument, kind, text):
    for function in (call, lambda x, argument: ms.grad(call)(x, argument)):
        with pytest.raises(kind, match=text) as caught:
            function(TWO, argument)
        assert caught.type is kind


class Lookup(nn.Cell):
    def construct(self, x):
        kept = {"a": x}
        return x + 1 if kept.has_key("a") else x


class Registry:
    """A program's own object, with a method of that name."""

    def has_key(self, name):
        return f"own {name}"


class OwnHasKey(Lookup):
    def construct(self, x):
        self.__answers = [Registry().has_key("a"), {"a": x}.has_key("a"), super().construct(x)]
        return x

    def answers(self):
        return self.__answers


class HookInside(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        self.relu.register_forward_hook(lambda cell, inputs, output: output * 2)
        return self.relu(x)


class HookRemoved(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.hook = self.relu.register_forward_hook(lambda cell, inputs, output: output * 2)

    def construct(self, x):
        self.hook.remove()
        return self.relu(x)


class WithoutSelf(nn.Cell):
    """`func` has no ``self``; in a graph it is a function."""

    def func(a, b):
        return a + b

    def optional(a, b=3):
        return b

    def named(this, a):
        return a * 2

    def construct(self, a, b):
        return self.func(a, b) + self.optional(a) + self.named(a)


@pytest.fixture
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_dicts_of_graphs_have_has_key(graph_mode):
    assert has_key(ONE) == (True, False, ["a"]) and has_key.__name__ == "has_key"
    assert Lookup()(ONE) == 2


def test_has_key_of_other_objects_is_their_own(graph_mode):
    cell = OwnHasKey()
    cell(ONE)
    assert cell.answers() == ["own a", True, 2]


def test_errors_in_rewritten_functions_name_their_line(graph_mode):
    def fails(x):
        {"a": x}.has_key("a")
        raise KeyError("here")

    with pytest.raises(KeyError) as caught:
        ms.jit(fails)(ONE)
    assert caught.traceback[-1].path.name == "test_graph_idioms.py"
    assert caught.traceback[-1].lineno == fails.__code__.co_firstlineno + 1


@pytest.mark.parametrize("name", GOLDEN)
def test_values_of_a_graph(name):
    function, value = cases(ms)[name]
    eager, graph = GOLDEN[name]
    assert eager is None or type_and_value(function(value)) == eager
    assert graph is None or type_and_value(ms.jit(function)(value)) == graph


def defined(text, folder):
    """The function ``negated`` of a file of this text."""
    file, scope = folder / "program.py", {}
    file.write_text(text)
    exec(compile(text, str(file), "exec"), scope)
    return scope["negated"]


def test_code_that_is_read_anew_gives_its_warnings_once(tmp_path):
    with pytest.warns(SyntaxWarning):
        negated = defined("def negated(x):\n    return not x, x is 3\n", tmp_path)
    assert type_and_value(ms.jit(negated)(Tensor(2.0))) == "tuple of Bool False, bool False"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are Python 3.12's")
def test_functions_with_type_parameters(tmp_path):
    negated = defined("def negated[T](x: T):\n    return not x\n", tmp_path)
    assert type_and_value(ms.jit(negated)(Tensor(2.0))) == "Bool False"


class Negation(nn.Cell):
    def construct(self, x):
        return not x


def test_negation_in_a_cell(graph_mode):
    assert type_and_value(Negation()(Tensor(2.0))) == "Bool False"
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert Negation()(Tensor(2.0)) is False
    assert type_and_value(ms.jit(lambda x: Negation()(x))(Tensor(2.0))) == "Bool False"


def test_item_of_a_sequence_of_dynamic_length():
    @ms.jit
    def written(values, index):
        values[0] = 5
        return values[0], values[index], values[-1], len(values)

    for values in ([1, 2, 3], [1, 2]):
        assert written(ms.mutable(values, dynamic_len=True), 1) == (5, 2, values[-1], len(values))


@pytest.mark.parametrize("index, item, kind", [(3, 5, ValueError), (0, 5.0, TypeError), (0, ONE, TypeError)])
def test_what_cannot_be_written_to_a_sequence_of_dynamic_length(index, item, kind):
    def write(values):
        values[index] = item
        return values

    with pytest.raises(kind, match="For 'mutable', the "):
        ms.jit(write)(ms.mutable([1, 2, 3], dynamic_len=True))


def in_graph(fn):
    return lambda *arguments: ms.jit(fn)(*arguments)


# name, call, result
RESULTS = {
    "lists of a graph": (in_graph(lambda x: hyper_map(ops.square, x)), [[ONE, [TWO]]], [1, [4]]),
    "lists": (hyper_map, [ops.square, [ONE, [TWO]]], (1, (4,))),
    "Map, lists": (map_, [ops.add, [ONE, TWO], [ONE, TWO]], (2, 4)),
    "dicts": (in_graph(lambda x, y: hyper_map(ops.add, x, y)), [{"a": ONE, "b": (TWO,)}] * 2, {"a": 2, "b": (4,)}),
    "one body takes any types": (hyper_map, [scale, (ONE, TWO), (2, 3.0)], (2, 6.0)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_maps_over_nests(name):
    call, arguments, expected = RESULTS[name]
    assert call(*arguments) == expected


# call, exception; MindSpore's PYNATIVE_MODE takes the shortest of unequal lengths
REFUSED = [
    (hyper_map, [(ONE, TWO), (ONE,)], RuntimeError),
    (hyper_map, [((ONE, TWO), ONE), ((ONE,), ONE)], RuntimeError),
    (map_, [[ONE], [ONE, TWO]], RuntimeError),
    (hyper_map, [{"a": ONE, "b": TWO}, {"a": ONE}], RuntimeError),
    (hyper_map, [{"a": ONE}, {"b": ONE}], ValueError),
    (hyper_map, [(ONE,), ONE], TypeError),
]


@pytest.mark.parametrize("call, nests, kind", REFUSED)
def test_maps_refuse_nests_that_do_not_fit(call, nests, kind):
    with pytest.raises(kind, match=f"For '{type(call).__name__}', "):
        call(ops.add, *nests)


@pytest.mark.parametrize("cell", [HookInside, HookRemoved])
def test_hooks_are_not_changed_in_graphs(graph_mode, cell):
    with pytest.raises(RuntimeError, match="Failed to compile in GRAPH_MODE"):
        cell()(Tensor([1.0]))


def test_methods_without_self_are_functions_in_graphs(graph_mode):
    net = WithoutSelf()
    assert net(ONE, TWO) == 1 + 2 + 3 + 1 * 2
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        net(ONE, TWO)
    boxed = ms.jit_class(type("Box", (), {"area": lambda a, b: a * b}))()
    assert ms.jit(lambda a, b: boxed.area(a, b))(TWO, TWO) == 4


# declared, given, MindSpore's exception
COUNTS = [(3, 2, TypeError), (1, 1, None), (2, 1, ValueError), (1, 2, ValueError), (1, 3, TypeError), (0, 1, TypeError)]


@pytest.mark.parametrize("declared, given, kind", COUNTS)
def test_numbers_of_declared_inputs(graph_mode, declared, given, kind):
    class Optional(nn.Cell):
        def construct(self, a, b=None):
            return a

    net = Optional()
    with contextlib.nullcontext() if kind is None else pytest.raises(kind, match="^For '"):
        net.set_inputs(*[ONE] * declared)
        net(*[ONE] * given)


def test_declared_inputs_by_name_and_under_jit():
    class Compiled(nn.Cell):
        @ms.jit
        def construct(self, a, b=None):
            return a

    net = Compiled()
    net.set_inputs(Tensor(shape=[None], dtype=ms.float32), None)
    x = Tensor([1.0, 2.0])
    assert net(x, b=None).shape == (2,) and ms.jit(nn.ReLU())(x).shape == (2,)
    for run in (net, ms.jit(net)):
        with pytest.raises(ValueError, match="the input 0 must be of the shape"):
            run(Tensor([[1.0]]), None)
    net.set_inputs((Tensor(shape=[None], dtype=ms.float32),), None)
    with pytest.raises(TypeError, match="the input 0 must be a tuple as it was declared, but got a Tensor"):
        net(x, None)


def test_a_hook_inside_of_a_call_is_registered_in_pynative_mode():
    assert HookInside()(Tensor([1.0])).tolist() == [2.0]


def test_what_a_hook_of_hook_backward_returns():
    hook = ops.HookBackward(lambda gradients: "text")
    with pytest.raises(TypeError, match="The output type of function: <lambda>"):
        ms.grad(lambda x: hook(x * 2))(Tensor(3.0))


def test_metadata_of_state_dicts():
    net = nn.SequentialCell(nn.Dense(1, 1), nn.CellList([nn.ReLU()]))
    assert list(net.state_dict()._metadata) == ["", "0", "1", "1.0"]
    assert list(net.state_dict(prefix="net.")._metadata) == ["net", "net.0", "net.1", "net.1.0"]


@pytest.mark.filterwarnings("ignore:Conversion of an array")
def test_arrays_of_one_element_are_numbers():
    """As with NumPy 1; from 2.4 on, which `pyproject.toml` leaves out, it is a TypeError."""
    assert (float(Tensor([1.5]).asnumpy()), int(np.array([[3]]))) == (1.5, 3)


def largest(x):
    return x.max(1), x.min(-1, True), x.max(axis=1), x.max(dim=1), x.min(0, keepdim=True), x.max()


def test_largest_elements_along_an_axis_without_a_name_come_without_indices_in_a_graph():
    """MindSpore's forms, there the values alone, and outside of graphs, where ``x.max(1)`` is a tuple."""
    x = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
    graph = ms.jit(largest)(x)
    assert [type(each) is tuple for each in graph] == [False, False, False, True, True, False]
    assert [type(each) is tuple for each in largest(x)] == [True, True, False, True, True, False]
    assert (graph[0].tolist(), graph[1].tolist()) == ([3, 5], [[-2], [-6]])
    assert [each.tolist() for each in (*graph[3], *graph[4])] == [[3, 5], [2, 1], [[1, -2, -6]], [[0, 0, 1]]]
