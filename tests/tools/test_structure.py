"""``summary`` and ``graph``: the figures, what is drawn, and that a call is not run and changes nothing."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import execute
from msgrad.tools import graph, summary


class Block(nn.Cell):
    """A residual block, with a dropout that draws and statistics that move; one Cell is called twice, one never."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(4, 4, 3, has_bias=True), nn.BatchNorm2d(4)
        self.dropout, self.relu, self.spare = nn.Dropout(p=0.5), nn.ReLU(), nn.Dense(2, 2)

    def construct(self, x, scale):
        y = self.relu(self.norm(self.conv(x)))
        return self.relu(self.dropout(y) * scale + x)


class Net(nn.Cell):
    """Nested inputs and outputs, a shared layer, a Parameter of its own."""

    def __init__(self):
        super().__init__()
        self.block, self.head = Block(), nn.Dense(4, 3)
        self.tied, self.scale = self.head, Parameter(Tensor(np.ones(1, np.float32)), name="scale")

    def construct(self, pair, more):
        x = ops.mean(self.block(pair[0], self.scale), (2, 3))
        return {"a": self.head(x), "b": (self.tied(more["y"]), x)}


net = Net().set_train()
inputs = ((Tensor(np.ones((2, 4, 8, 8), np.float32)),), {"y": Tensor(np.ones((2, 4), np.float32))})


def _state():
    values = [each.asnumpy().copy() for each in net.get_parameters()]
    return [*values, np.asarray(ms.get_rng_state().asnumpy())]


def _launches():
    return {name: count for name, count in execute.report().items() if name != "sites"}


def test_a_summary(mode):
    net.head(inputs[1]["y"])  # so that it has its names
    before, launches = _state(), _launches()
    table = summary(net, *inputs)
    assert _launches() == launches
    np.testing.assert_equal(_state(), before)
    rows = [(row.path, row.kind, row.output, row.calls, row.parameters, row.is_shared) for row in table.rows]
    image, three = "Float32(2, 4, 8, 8)", "Float32(2, 3)"
    assert rows == [
        ("", "Net", f"{three}, {three}, Float32(2, 4)", 1, 4 * 4 * 9 + 4 + 16 + 15 + 6 + 1, False),
        ("block", "Block", image, 1, 4 * 4 * 9 + 4 + 16 + 6, False),
        ("block.conv", "Conv2d", image, 1, 4 * 4 * 9 + 4, False),
        ("block.norm", "BatchNorm2d", image, 1, 16, False),
        ("block.relu", "ReLU", image, 2, 0, False),
        ("block.dropout", "Dropout", image, 1, 0, False),
        ("head", "Dense", three, 2, 15, False),
    ]
    flops = {row.path: row.flops for row in table.rows}
    assert flops["block.conv"] == 2 * 512 * 36 + 512 and flops["head"] == 2 * (2 * 6 * 4 + 6)
    assert flops["block"] == sum(flops[f"block.{name}"] for name in ("conv", "norm", "relu", "dropout")) + 2 * 512
    assert (table.parameters, table.trainable, table.parameter_bytes) == (186, 178, 186 * 4)
    assert (table.input_bytes, table.unused) == (4 * (512 + 8), ["block.spare (Dense)"])
    memory = {row.path: row.memory for row in table.rows}
    assert memory["head"] == 2 * 24 and memory["block.relu"] == 2 * 2048
    assert "    relu x 2  ReLU " in str(table) and "Not called: block.spare (Dense)" in str(table)
    assert table._repr_html_().count("<tr>") == 8


def test_parameters_that_a_row_above_has_are_shared():
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Dense(3, 3), nn.Dense(3, 3)
            self.second.weight, self.second.bias = self.first.weight, self.first.bias

        def construct(self, x):
            return self.second(self.first(x))

    rows = summary(Tied(), ops.ones((1, 3))).rows
    assert [(row.parameters, row.is_shared) for row in rows] == [(12, False), (12, False), (0, True)]


def test_a_host_read_and_a_gradient():
    class Reading(nn.Cell):
        def construct(self, x):
            return x * 2 if x.sum() > 0 else x - 1

    assert summary(Reading(), ops.ones(3)).flops == 3 + 1 + 3
    assert [box.title for box in graph(Reading(), ops.ones(3)).boxes] == ["input", "Mul", "output"]
    step = nn.TrainOneStepCell(nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    table = summary(step, ops.ones((4, 3)), ops.ones((4, 2)))
    forward, whole = table.rows[1].flops, table.flops
    assert [row.kind for row in table.rows[:4]] == ["TrainOneStepCell", "WithLossCell", "Dense", "MSELoss"]
    assert forward < whole


OWN = {
    "a Parameter": lambda: Parameter(Tensor([1.0]), name="own"),
    "a Cell": lambda: nn.ReLU(),
    "a value": lambda: 7,
}


@pytest.mark.parametrize("name", OWN)
def test_what_a_program_calls_summary_is_its_own(name, capsys):
    class Own(nn.Cell):
        def __init__(self, value):
            super().__init__()
            self.summary = value

    class Mixin:
        def summary(self):
            return "own"

    class Mixed(nn.Cell, Mixin):
        pass

    value = OWN[name]()
    assert Own(value).summary is value and Mixed().summary() == "own"
    net.head.summary(inputs[1]["y"])
    assert capsys.readouterr().out == f"{summary(net.head, inputs[1]['y'])}\n"


def test_a_graph():
    picture = graph(net, *inputs)
    names = {box: "/".join([each.name or each.title for each in box.path()[1:]]) for box in picture.boxes}
    edges = {(names[first], names[second]) for first, second in picture.edges}
    assert edges == {
        *(("input", "block/conv"), ("block/conv", "block/norm"), ("block/norm", "block/relu")),
        *(("block/relu", "block/dropout"), ("block/dropout", "block/Mul"), ("block/Mul", "block/Add")),
        *(("input", "block/Add"), ("block/Add", "block/relu"), ("block/relu", "ReduceMean")),
        *(("ReduceMean", "head"), ("head", "output"), ("input", "head"), ("ReduceMean", "output")),
    }
    assert [box.title for box in picture.boxes].count("ReLU") == 2
    ElementTree.fromstring(picture._repr_svg_())
    assert [box.title for box in graph(net, *inputs, depth=1).boxes].count("Block") == 1


def test_boxes_do_not_overlap_and_edges_go_down():
    network = nn.SequentialCell(*[nn.TransformerEncoderLayer(8, 2, 16) for _ in range(2)])
    picture = graph(network, ops.ones((1, 3, 8)), depth=4)
    boxes = picture.boxes
    for first in boxes:
        for second in boxes:
            apart = first.x + first.width <= second.x or first.y + first.height <= second.y
            assert first is second or apart or second.x + second.width <= first.x or second.y + second.height <= first.y
        for group in first.path()[:-1]:
            assert group.x <= first.x and first.x + first.width <= group.x + group.width
            assert group.y <= first.y and first.y + first.height <= group.y + group.height
    for first, second in picture.edges:
        assert first.y + first.height < second.y
    # An edge passes no box: the corners of its curves lie in none.
    for corners in re.findall(r'class="edge"[^>]* d="([^"]*)"', picture.svg):
        points = np.array(re.findall(r"[-\d.]+", corners), float).reshape(-1, 2)[3:-1:3]
        for x, y in points:
            assert not any(b.x < x < b.x + b.width and b.y < y < b.y + b.height for b in boxes)


def test_refusals(tmp_path):
    for tool in (summary, graph):
        with pytest.raises(TypeError, match="'net' must be a Cell, but got 3"):
            tool(3)
        with pytest.raises(ValueError, match="For 'Dense'"):
            tool(nn.Dense(3, 2), ops.ones((2, 4)))
    picture = graph(nn.Dense(3, 2), ops.ones((2, 3)))
    picture.save(tmp_path / "net.svg")
    assert (tmp_path / "net.svg").read_text() == picture.svg
    with pytest.raises(ValueError, match="'path' must be one that ends in '.svg'"):
        picture.save("net.png")
