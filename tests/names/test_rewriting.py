"""``rewrite.SymbolTree``: the statements of a network, as MindSpore 2.10 names and rewrites them."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._compat.modules.rewrite import Node, NodeType, ScopedValue, SymbolTree
from msgrad._compat.rewrite import common

from ..helpers import assert_close


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 3)
        self.relu = nn.ReLU()
        self.mul = ops.Mul()
        self.factor = 2

    def construct(self, x, y=None):
        """A docstring, which is no statement."""
        z = self.relu(self.dense(x))
        w = ops.abs(z + 1) * self.factor
        w = self.mul(w, z)
        return self.relu(w), z


class Branches(nn.Cell):
    def construct(self, x):
        if x.shape[0] > 1:
            return x
        return x + 1


class Once(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        return [self.relu(each) for each in x]


class Nested(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x)


NODES = [
    ("input_x", NodeType.Input, ["x"], []),
    ("input_y", NodeType.Input, ["y"], []),
    ("dense", NodeType.CallCell, ["dense_var"], ["input_x"]),
    ("relu", NodeType.CallCell, ["z"], ["dense"]),
    ("python", NodeType.Python, ["w"], ["relu"]),
    ("mul", NodeType.CallPrimitive, ["w"], ["python", "relu"]),
    ("relu_1", NodeType.CallCell, ["relu_var"], ["mul"]),
    ("return", NodeType.Output, [], ["relu_1", "relu"]),
]


def strings(values):
    return [str(each) for each in values]


def names(nodes):
    return [each.get_name() for each in nodes]


def test_nodes_of_a_network():
    tree = SymbolTree.create(Net())
    actual = [(each.get_name(), each.get_node_type(), strings(each.get_targets()), names(each.get_inputs()))
             for each in tree.nodes()]  # fmt: skip
    assert actual == NODES
    node = tree.get_node("relu")
    assert node.get_instance_type() is nn.ReLU and names(node.get_users()) == ["python", "mul", "return"]
    assert node.get_args() == [ScopedValue.create_naming_value("dense_var")] and node.get_kwargs() == {}
    assert (tree.unique_name("x"), tree.get_node("other")) == ("x_1", None)
    node.set_attribute("key", 3)
    assert tree.get_node("relu").get_attribute("key") == 3 and node.get_attribute("other") is None


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_replaced_added_and_erased_nodes(mode):
    old = Net()
    tree = SymbolTree.create(old)
    node = tree.get_node("relu")
    new = Node.create_call_cell(nn.Tanh(), node.get_targets(), node.get_args(), node.get_kwargs(), "tanh")
    assert tree.replace(node, [new]).get_name() == "tanh"
    gelu = Node.create_call_cell(nn.GELU(), ["z"], [ScopedValue.create_naming_value("z")], name="tanh")
    tree.insert(tree.after(new), gelu)
    tree.erase(tree.get_node("mul"))
    net = tree.get_network()
    assert type(net).__name__ == "NetOpt" and isinstance(net, Net) and "z = self.tanh_1(z)" in tree.get_code()
    assert [each.name for each in net.get_parameters()] == ["dense.weight", "dense.bias"]
    x = Tensor(np.float32([[1.0, -2.0]]))
    z = nn.GELU()(ops.tanh(old.dense(x)))
    ms.set_context(mode=mode)
    try:
        actual = net(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert_close(actual[0].asnumpy(), (ops.abs(z + 1) * 2).asnumpy())
    assert_close(actual[1].asnumpy(), z.asnumpy())


REFUSED = [
    (lambda: SymbolTree.create(3), TypeError, "For 'SymbolTree', the 'network' must be a Cell"),
    (lambda: SymbolTree.create(Branches()), NotImplementedError, "has a statement of the kind If"),
    (lambda: SymbolTree.create(Once()), NotImplementedError, "of the kind ListComp"),
    (lambda: SymbolTree.create(Nested(Net())), NotImplementedError, "is a Net with Cells inside"),
    (lambda: SymbolTree.create(Nested(nn.SequentialCell(nn.ReLU()))), NotImplementedError, "a SequentialCell with"),
    (lambda: SymbolTree.create(Net()).replace(3, []), TypeError, "the 'old_node' must be a Node"),
    (lambda: Node.create_call_cell(3, ["x"]), TypeError, "For 'Node', the 'cell' must be a Cell or a Primitive"),
]  # fmt: skip


@pytest.mark.parametrize("make, kind, message", REFUSED)
def test_what_is_refused(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def test_names_of_rewriting_are_unique_as_in_mindspore():
    names = ("x", "x", "x", "x_1", "x_1", "y_3", "y", "y", "y_3", "_", "_", "x_", "x_")
    unique = ["x", "x_1", "x_2", "x_1_1", "x_1_2", "y_3", "y", "y_1", "y_3_1", "_", "_", "x_", "x__1"]
    namer = common.Namer()
    assert [namer.get_name(name) for name in names] == unique
    assert common.ClassNamer.instance().get_name("Net") == "NetOpt"
    assert common.ClassNamer.instance().get_name("Net") == "NetOpt_1"


def test_observers_hear_of_the_events_that_they_have_added():
    heard = []

    class Listener(common.Observer):
        def _on_change(self, event):
            heard.append(event)

    listener, observable = Listener(), common.Observable()
    observable.reg_observer(listener)
    observable.changed(common.Event.CodeChangeEvent)
    listener.add_event(common.Event.CodeChangeEvent)
    observable.changed(common.Event.CodeChangeEvent)
    observable.changed(common.Event.TopologicalChangeEvent)
    assert heard == [common.Event.CodeChangeEvent]
