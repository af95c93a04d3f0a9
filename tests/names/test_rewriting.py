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


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.dense(x)
        return self.relu(x)


class Outer(nn.Cell):
    """Cells with Cells inside, branches, loops and comprehensions."""

    def __init__(self):
        super().__init__()
        self.first, self.second = Inner(), Inner()
        self.relu, self.add = nn.ReLU(), ops.Add()
        self.cells_in_a_row = nn.SequentialCell(Inner(), nn.ReLU())

    def construct(self, x, flag=False):
        a = self.first(x)
        b = self.relu(a)
        c = self.add(a, b)
        if flag:
            c = self.relu(c) * 0
        else:
            c = c + sum([self.relu(each) for each in (a, b)])
        for _ in range(2):
            c = c + 1
        c = self.second(c)
        c = self.cells_in_a_row(c)
        return c, a


class Around(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Outer()

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


OUTER = [  # MindSpore's names and kinds, except for a node of each part of an expression
    ("input_x", "Input"), ("input_flag", "Input"), ("first", "Tree"), ("relu", "CallCell"), ("add", "CallPrimitive"),
    ("if_node", "ControlFlow"), ("else_node", "ControlFlow"), ("for_node", "ControlFlow"), ("second", "Tree"),
    ("cells_in_a_row", "CellContainer"), ("return", "Output"),
]  # fmt: skip
ONES = Tensor(np.ones((1, 2), np.float32))


def name_of(value):
    return ScopedValue.create_naming_value(value)


def test_cells_and_branches_of_a_network():
    tree = SymbolTree.create(Outer())
    assert [(each.get_name(), each.get_node_type().name) for each in tree.nodes()] == OUTER
    first = tree.get_node("first")
    inner = ["input_x", "dense", "relu", "return"]
    assert names(first.get_sub_tree().nodes()) == inner and first.get_instance_type() is Inner
    assert names(tree.nodes(all_nodes=True)) == [*[name for name, _ in OUTER], *inner, *inner]
    providers = tree.get_node("add").get_arg_providers()
    assert {key: (node.get_name(), index) for key, (node, index) in providers.items()} == {
        0: ("first", 0),
        1: ("relu", 0),
    }
    users = [("relu", 0), ("add", 0)]
    assert [(node.get_name(), index) for node, index in first.get_target_users(0)] == users
    assert list(first.get_target_users()) == [0]
    with pytest.raises(TypeError, match="get_sub_tree"):
        tree.get_node("relu").get_sub_tree()


def with_identity(tree):
    node = tree.get_node("dense")
    tree.replace(node, [Node.create_call_cell(nn.Identity(), node.get_targets(), node.get_args(), name="same")])


def changed_inside(tree):
    with_identity(tree.get_node("first").get_sub_tree())


def changed_deep_inside(tree):
    with_identity(tree.get_node("inner").get_sub_tree().get_node("second").get_sub_tree())


def with_function(tree):
    node = tree.get_node("relu")
    new = tree.insert(tree.after(node), Node.create_call_function(ops.square, ["b"], [name_of("b")]))
    assert (new.get_name(), new.get_node_type()) == ("square", NodeType.CallFunction)


def with_a_cell_of_cells(tree):
    new = Node.create_call_cell(Inner(), ["c"], [name_of("c")], name="third", is_sub_net=True)
    tree.insert(tree.after("add"), new)
    assert names(new.get_sub_tree().nodes()) == ["input_x", "dense", "relu", "return"]


def with_other_arguments(tree):
    add = tree.get_node("add")
    add.set_arg_by_node(1, tree.get_node("first"), 0)
    add.set_arg_by_node(0, tree.get_node("relu"))
    assert strings(add.get_args()) == ["b", "a"]


def with_another_output(tree):
    tree.set_output(0, "x")


def without_the_loop(tree):
    tree.erase("for_node")


REWRITTEN = [  # the network, the change, MindSpore's first result, and Cells that are added
    (Outer, None, 40.0, ()),
    (Outer, changed_inside, 24.0, ()),
    (Around, changed_deep_inside, 20.0, ()),
    (Outer, with_function, 56.0, ()),
    (Outer, with_a_cell_of_cells, 56.0, ["third.dense"]),
    (Outer, with_other_arguments, 40.0, ()),
    (Inner, with_another_output, 2.0, ()),
    (Outer, without_the_loop, 32.0, ()),
]


@pytest.mark.parametrize("make, change, result, added", REWRITTEN)
def test_rewritten_cells_and_branches(make, change, result, added, mode):
    tree = SymbolTree.create(make())
    if change is not None:
        change(tree)
    actual = tree.get_network()(ONES)
    actual = actual[0] if isinstance(actual, tuple) else actual
    assert actual.asnumpy().tolist() == [[result, result]]
    parameters = {each.name.rpartition(".")[0] for each in tree.get_network().get_parameters()}
    known = {each.name.rpartition(".")[0] for each in make().get_parameters()}
    assert parameters ^ known == set(added)


def test_a_new_input_and_the_file_of_a_tree(tmp_path, capsys):
    tree = SymbolTree.create(Inner())
    new = tree.insert(tree.after("input_x"), Node.create_input("y", ScopedValue.create_variable_value(3)))
    tree.get_node("relu").set_arg(0, "x * y")
    net = tree.get_network()
    assert new.get_name() == "input_y"
    assert [net(ONES).asnumpy().max(), net(ONES, 5).asnumpy().max()] == [6.0, 10.0]
    tree.set_saved_file_name(str(tmp_path / "saved"))
    tree.save_network_to_file()
    assert tree.get_saved_file_name().endswith("saved.py") and "x * y" in (tmp_path / "saved.py").read_text()
    tree.print_node_tabulate()
    assert "dense\tx = self.dense(x)" in capsys.readouterr().out


def without_source():
    names = {"nn": nn}
    exec("class Hidden(nn.Cell):\n    def construct(self, x):\n        return x", names)
    return names["Hidden"]()


REFUSED = [
    (lambda: SymbolTree.create(3), TypeError, "For 'SymbolTree', the 'network' must be a Cell"),
    (lambda: SymbolTree.create(without_source()), NotImplementedError, "the source of the 'construct' of Hidden"),
    (lambda: Node.create_call_function(3, ["x"]), TypeError, "For 'Node', the 'function' must be a function"),
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
