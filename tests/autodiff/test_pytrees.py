"""Nested tuples, lists and dicts, also of user-defined classes, as arguments and results of functions with rules."""

from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn

X = Tensor(np.float32([1, 2]))
Pair = namedtuple("Pair", "a b")


class Items(list):
    pass


class Output(OrderedDict):
    """Has its items as attributes, too, and can only be written to by key, as the outputs of transformers."""

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        setattr(self, key, value)

    def update(self, *args, **kwargs):
        raise RuntimeError("You cannot use 'update'.")


def output(a, b):
    made = Output()
    made["a"], made["b"] = a, b
    return made


def with_default(a, b):
    made = defaultdict(list)
    made["a"], made["b"] = a, b
    return made


# A name, how to make the nest, and how to take its two Tensors.
NESTS = {
    "tuple": (lambda a, b: (a, b), lambda nest: (nest[0], nest[1])),
    "list": (lambda a, b: [a, b], lambda nest: (nest[0], nest[1])),
    "dict": (lambda a, b: {"a": a, "b": b}, lambda nest: (nest["a"], nest["b"])),
    "namedtuple": (Pair, lambda nest: (nest.a, nest.b)),
    "defaultdict": (with_default, lambda nest: (nest["a"], nest["b"])),
    "OrderedDict": (lambda a, b: OrderedDict(a=a, b=b), lambda nest: (nest["a"], nest["b"])),
    "output": (output, lambda nest: (nest.a, nest.b)),
    "list of a class": (lambda a, b: Items([a, b]), lambda nest: (nest[0], nest[1])),
    "nested": (lambda a, b: {"x": (a, [None]), "y": Pair(1, b)}, lambda nest: (nest["x"][0], nest["y"].b)),
}
each_nest = pytest.mark.parametrize(("make", "take"), NESTS.values(), ids=NESTS)


class Returns(nn.Cell):
    """A nest of ``2 x`` and ``3 x``, with a rule."""

    def __init__(self, make, take):
        super().__init__()
        self.make, self.take, self.kinds = make, take, []

    def construct(self, x):
        return self.make(x * 2, x * 3)

    def bprop(self, x, out, dout):
        self.kinds.append((type(out), type(dout)))
        (a, b), (da, db) = self.take(out), self.take(dout)
        return (da * 10 + db + (a + b) * 0,)


class Takes(nn.Cell):
    """The product of the two Tensors of a nest, with a rule."""

    def __init__(self, make, take):
        super().__init__()
        self.make, self.take = make, take

    def construct(self, nest):
        a, b = self.take(nest)
        return a * b

    def bprop(self, nest, out, dout):
        a, b = self.take(nest)
        return (self.make(5 * dout * a, 7 * dout * b),)


def plain(value):
    return value.asnumpy().tolist()


@each_nest
def test_a_rule_gets_the_output_and_its_gradient_in_their_nest(make, take, mode):
    cell = Returns(make, take)
    assert plain(ms.grad(cell)(X)) == [11, 11]
    assert plain(ms.grad(lambda x: take(cell(x))[0] * x)(X)) == [12, 24]
    assert set(cell.kinds) == {(type(make(X, X)),) * 2}


@each_nest
def test_a_rule_gives_the_gradient_of_a_nest_in_its_nest(make, take, mode):
    cell = Takes(make, take)
    assert plain(ms.grad(lambda x: cell(make(x * 2, x)))(X)) == [27, 54]


@each_nest
def test_a_hooked_cell_returns_a_nest(make, take, mode):
    class Net(nn.Cell):
        def construct(self, x):
            return make(x * 2, x * 3)

    net, counts = Net(), []
    net.register_backward_hook(
        lambda cell, grad_input, grad_output: (counts.append(len(grad_output)), (grad_input[0] * 10,))[1]
    )
    assert plain(ms.grad(net)(X)) == [50, 50]
    assert counts == [2]


@each_nest
def test_a_function_returns_its_nest(make, take, mode):
    def f(x):
        return make(x * 2, x * x)

    kind = type(make(X, X))
    for output in (ms.value_and_grad(f)(X)[0], ms.vjp(f, X)[0], ms.jit(f)(X)):
        is_plain_in_a_graph = mode == "GRAPH_MODE" or kind is Items
        assert isinstance(output, list if kind is Items and is_plain_in_a_graph else kind)
        assert [plain(each) for each in take(output)] == [[2, 4], [1, 4]]


@each_nest
def test_constants_in_a_nest(make, take, mode):
    assert plain(ms.grad(lambda x: take(ms.ops.stop_gradient(make(x, x)))[0] * x)(X)) == [1, 2]


def test_a_dict_keeps_its_default_when_it_is_passed_and_returned():
    @ms.jit
    def f(nest):
        nest["new"].append(nest["a"] * 2)
        return nest

    for _ in range(2):
        nest = with_default(X, X)
        made = f(nest)
        assert plain(made["new"][0]) == [2, 4]
        assert made["other"] == []


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (lambda d: (5 * d,), "2 inputs, but returned 1"),
        (lambda d: ((5 * d,),), "2 inputs, but returned 1"),
        (lambda d: (None,), "2 inputs, but returned 1"),
        (lambda d: ((5 * d, 7 * d, 9 * d),), [17, 17]),
        (lambda d: ([5 * d, 7 * d],), [17, 17]),
        (lambda d: (5 * d, 7 * d), [17, 17]),
        (lambda d: ((5 * d, None),), [10, 10]),
    ],
)
def test_what_a_rule_returns_for_a_tuple_of_two(result, expected):
    class Two(nn.Cell):
        def construct(self, nest):
            return nest[0] * nest[1]

        def bprop(self, nest, out, dout):
            return result(dout)

    cell = Two()
    f = ms.grad(lambda x: cell((x * 2, x)))
    if isinstance(expected, str):
        with pytest.raises(RuntimeError, match="must return a gradient for each of " + expected):
            f(X)
    else:
        assert plain(f(X)) == expected


def test_arguments_without_tensors_have_one_gradient_each(mode):
    class Mixed(nn.Cell):
        def construct(self, axes, x, scale):
            return x * scale

        def bprop(self, axes, x, scale, out, dout):
            return None, 5 * dout, None

    cell = Mixed()
    assert plain(ms.grad(lambda x: cell((0, 1), x, 3))(X)) == [5, 5]


def test_what_is_no_tensor_has_no_gradient_in_an_output(mode):
    class Mixed(nn.Cell):
        def construct(self, x):
            return x * 2, 3, "a"

        def bprop(self, x, out, dout):
            assert (out[1:], dout[1:]) == ((3, "a"), (None, None))
            return (dout[0] * 5,)

    assert plain(ms.grad(Mixed())(X)) == [5, 5]
    assert plain(ms.grad(lambda x: Mixed()(x)[0])(X)) == [5, 5]


def test_a_function_object_ignores_tensors_in_tuples(mode):
    class Product(ms._Function):
        @staticmethod
        def forward(ctx, pair):
            return pair[0] * pair[1]

        @staticmethod
        def backward(ctx, gradient):
            return None

    assert plain(ms.grad(lambda x: Product.apply((x * 2, x)) + x)(X)) == [1, 1]
