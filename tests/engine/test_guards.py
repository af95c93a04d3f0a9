"""Guards: a staged call notices changes of what it read, and keeps what it puts into containers."""

import collections
import types

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad.engine.calls import staging
from msgrad.engine.calls.guards import Guards
from msgrad.engine.calls.reads import Reads


def x32(*values):
    return Tensor(list(values), ms.float32)


class Net(nn.Cell):
    """What a call may read: its attributes, and the containers and objects in them."""

    rates = {"class": 1.0}

    def __init__(self):
        super().__init__()
        self.number, self.tensor = 1.0, x32(1)
        self.items, self.table, self.chosen = [1.0, x32(1)], {"a": 1.0, "b": [1.0]}, {3}
        self.queue, self.array = collections.deque([1.0]), np.ones(1, np.float32)
        self.box, self.inner = types.SimpleNamespace(v=1.0), nn.ReLU()

    def construct(self, x):
        y = x * self.number + self.tensor + self.items[0] + self.items[1] + self.table["a"] + sum(self.table["b"])
        y = y + len(self.chosen) + self.queue[0] + Tensor(self.array) + self.box.v + self.rates["class"]
        return self.inner(y) + self.helper() + (1 if self.training else 0)

    def helper(self):
        return default()


def default(table={"d": 1.0}):  # noqa: B006
    return table["d"]


CHANGES = {
    "number": lambda net: setattr(net, "number", 5.0),
    "tensor": lambda net: setattr(net, "tensor", x32(5)),
    "item": lambda net: net.items.__setitem__(0, 5.0),
    "tensor in a list": lambda net: net.items.__setitem__(1, x32(5)),
    "dict": lambda net: net.table.update(a=5.0),
    "nested": lambda net: net.table["b"].append(5.0),
    "set": lambda net: net.chosen.add(4),
    "deque": lambda net: net.queue.appendleft(5.0),
    "array": lambda net: net.array.__setitem__(0, 5.0),
    "object": lambda net: setattr(net.box, "v", 5.0),
    "class": lambda net: net.rates.update({"class": net.rates["class"] + 1}),
    "cell": lambda net: setattr(net, "inner", nn.Sigmoid()),
    "training": lambda net: setattr(net, "training", True),
    "default": lambda net: default.__defaults__[0].update(d=default() + 1),
    "list replaced": lambda net: setattr(net, "items", [7.0, x32(7)]),
    "nothing": lambda net: None,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_between_calls_is_noticed(graph_mode, change):
    net = Net()
    x = x32(-2)
    before = net(x).item()
    assert net(x).item() == before
    change(net)
    assert net(x).item() == net.construct(x).item()
    assert len(net._plans_.plans) == 1  # and it is staged again


# Attributes that msgrad's own code reads by a name that is data, or in code that is made for a row.
OWN = {
    "formula": (lambda: nn.Momentum([weight()], 0.1, 0.9), "use_nesterov", True, ((x32(1, 2),),)),
    "row": (nn.LeakyReLU, "alpha", 0.5, (x32(-1, 2),)),
    "window": (lambda: nn.LPPool1d(2, 2), "stride", 1, (Tensor(np.ones((1, 1, 6), np.float32)),)),
}


def weight():
    return Parameter(x32(1, 1), name="w")


@pytest.mark.parametrize(("make", "name", "value", "inputs"), OWN.values(), ids=OWN)
def test_a_change_of_a_layer_or_an_optimizer_is_noticed(graph_mode, make, name, value, inputs):
    changed, fresh = make(), make()
    before = changed(*inputs), fresh.construct(*inputs)
    setattr(changed, name, value)
    setattr(fresh, name, value)
    after = changed(*inputs), fresh.construct(*inputs)
    assert_same(before)
    assert_same(after)
    assert_same([[each.asnumpy() for each in cell.get_parameters()] for cell in (changed, fresh)])


def assert_same(pair):
    for each, other in zip(*map(jax.tree.leaves, pair), strict=True):
        np.testing.assert_allclose(np.asarray(each), np.asarray(other), rtol=1e-6)


def test_a_function_made_by_exec_is_followed():
    scope = {"rate": 2.0}
    exec("def scaled(x):\n    return x * rate", scope)
    scaled = scope["scaled"]
    staged = ms.jit(lambda x: scaled(x))
    assert staged(x32(1)).item() == 2
    scope["rate"] = 3.0
    assert staged(x32(1)).item() == 3


RATE, TABLE = 1.0, {"a": 1.0}


def scaled(x):
    return x * RATE + TABLE["a"]


def test_changes_of_globals_closures_and_code_are_noticed(monkeypatch):
    offset = 1.0

    def function(x):
        return scaled(x) + offset

    def shift():
        nonlocal offset
        offset = 7.0

    def other(x):
        return x * 100

    def plain(x):
        return x + 1

    changes = {
        "nothing": lambda: None,
        "global": lambda: monkeypatch.setattr(f"{__name__}.RATE", 3.0),
        "item": lambda: monkeypatch.setitem(TABLE, "a", 5.0),
        "closure": shift,
        "code of a callee": lambda: monkeypatch.setattr(scaled, "__code__", other.__code__),
        "function": lambda: monkeypatch.setattr(f"{__name__}.scaled", plain),
    }
    staged, x = ms.jit(function), x32(2)
    for change in changes.values():
        change()
        assert staged(x).item() == function(x).item()
        assert staged(x).item() == function(x).item()
    staged = ms.jit(plain)
    assert staged(x).item() == 3.0
    plain.__code__ = other.__code__
    assert staged(x).item() == 200.0


def test_state_in_containers_is_that_of_plain_python(graph_mode):
    class Momentum(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p, self.slots, self.log = Parameter(x32(8), name="p"), {}, []

        def construct(self, g):
            self.slots[self.p.name] = self.slots.get(self.p.name, 0) * 0.5 + g
            self.log.append(g)
            self.p -= self.slots[self.p.name]
            return self.p + 0

    net = Momentum()
    assert [net(x32(k)).item() for k in (1, 1, 1, 2)] == [7.0, 5.5, 3.75, 0.875]
    assert [each.item() for each in net.log] == [1.0, 1.0, 1.0, 2.0]
    assert net.slots["p"].item() == 2.875


KEPT = []


class Slots:
    __slots__ = ("kept", "squared")  # not looked into: these follow the last call


@pytest.mark.parametrize("keep", ["list", "global", "dict", "slots"])
@pytest.mark.parametrize("is_differentiated", [False, True])
def test_arguments_that_a_call_keeps_have_their_values(keep, is_differentiated):
    table, slots, items = {}, Slots(), []

    def function(x):
        if keep == "slots":
            slots.kept, slots.squared = x, x * x
        elif keep == "dict":
            table["k"] = (x, x * x)
        else:
            (KEPT if keep == "global" else items).extend((x, x * x))
        return (x * x).sum()

    KEPT.clear()
    staged = ms.jit(ms.grad(function) if is_differentiated else function)
    for value in (1.0, 2.0, 3.0):
        staged(x32(value))
        if keep == "slots":
            kept = slots.kept, slots.squared
        else:
            kept = table["k"] if keep == "dict" else (KEPT or items)[-2:]
        assert [each.item() for each in kept] == [value, value * value]
    assert [each.item() for each in (KEPT or items)[::2]] == ([1.0, 2.0, 3.0] if KEPT or items else [])


def test_a_compiled_call_that_did_not_run_has_no_values(graph_mode):
    slots = Slots()

    class Keeping(nn.Cell):
        def construct(self, x):
            slots.kept = x
            return x * 2

    net = Keeping()
    net.compile(x32(1))
    with pytest.raises(RuntimeError, match="has no value outside"):
        slots.kept.asnumpy()
    net(x32(3))
    assert slots.kept.item() == 3.0


def test_arguments_that_are_not_kept_are_no_results(graph_mode):
    net = nn.ReLU()
    net(x32(1))
    (plan,) = net._plans_.plans.values()
    assert not plan.effects and len(plan.wanted) == 1


SHARED = [1, 2, x32(3)]


def test_a_list_from_outside_is_returned_itself():
    table = {"a": 1}
    f = ms.jit(lambda x: (SHARED, {"t": table}, [x]))
    for _ in range(2):
        shared, inner, own = f(x32(4))
        assert shared is SHARED and inner["t"] is table and own[0].item() == 4.0
    SHARED.append(5)
    assert f(x32(4))[0][-1] == 5


def test_equal_numbers_and_other_attributes_record_nothing(graph_mode):
    net, count = Net(), iter(range(100))
    net.helper = lambda: float(next(count)) * 0
    x = x32(1)
    net(x)
    for _ in range(3):
        net.number, net.unread = float("1.0"), x32(1)
        net(x)
    assert next(count) == 1


def test_what_a_call_reads_is_found_once():
    net = Net()
    guards = Guards([net._enter_])
    assert guards.hold()
    assert len(guards.values) < 15  # msgrad's own code and objects are not followed
    memo = staging.Memo()
    assert memo.guards_of(net._enter_, ((), None))[0] is memo.guards_of(net._enter_, ((), None))[0]


def test_the_asserts_of_a_test_read_nothing_of_pytest_s():
    def checked(x):
        assert x is not None
        return x

    assert Reads([checked]).functions == [checked]
