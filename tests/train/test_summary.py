"""Summaries: event files contain what was recorded, as tensorboardX reads them."""

import io
import struct

import numpy as np
import PIL.Image
import pytest
from tensorboardX.proto import event_pb2, graph_pb2

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._compat.train.summary import _get_summary_tensor_data
from msgrad.dataset import NumpySlicesDataset
from msgrad.train import Model, SummaryCollector, SummaryRecord


def events_of(path):
    """The events of a file after the first, which names the version: ``(step, kind, name, value)``."""
    with open(path, "rb") as file:
        data = file.read()
    results = []
    while data:
        (length,) = struct.unpack_from("<Q", data)
        event = event_pb2.Event.FromString(data[12 : 12 + length])
        data = data[16 + length :]
        if event.graph_def:
            results.append((event.step, "graph", "", graph_pb2.GraphDef.FromString(event.graph_def)))
        for value in event.summary.value:
            kind = value.WhichOneof("value")
            results.append((event.step, kind, value.tag, getattr(value, kind)))
    return results


def recorded(folder, *values, step=3, **kwargs):
    """The events of a record of ``(plugin, name, value)``."""
    with SummaryRecord(str(folder), **kwargs) as record:
        for value in values:
            record.add_value(*value)
        assert record.record(step)
    return events_of(record.log_dir)


def test_scalars(tmp_path):
    events = recorded(tmp_path, ("scalar", "loss", Tensor(0.25)), ("scalar", "rate", Tensor([[2]])))
    assert events == [(3, "simple_value", "loss", 0.25), (3, "simple_value", "rate", 2.0)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "int64", "uint8", "bool"])
def test_tensors(dtype, tmp_path):
    value = np.array([[1, 0, 3]]).astype(dtype)
    ((step, kind, name, proto),) = recorded(tmp_path, ("tensor", "t", Tensor(value)))
    assert (step, kind, name, [dim.size for dim in proto.tensor_shape.dim]) == (3, "tensor", "t", [1, 3])
    assert (np.frombuffer(proto.tensor_content, dtype).reshape(1, 3) == value).all()


def test_histograms(tmp_path):
    value = np.array([1.0, 2.0, 2.0, np.nan, np.inf, 5.0], np.float32)
    ((_, kind, name, histogram),) = recorded(tmp_path, ("histogram", "h", Tensor(value)))
    assert (kind, name, histogram.num, histogram.min, histogram.max) == ("histo", "h", 4, 1.0, 5.0)
    assert histogram.sum == 10.0 and sum(histogram.bucket) == 4


@pytest.mark.parametrize(
    "scale, expected",
    [(1.0, [0, 127, 255]), (100.0, [0, 126, 252])],
    ids=["from 0 to 1", "beyond: scaled by 255 / (range + 1)"],
)
def test_images(scale, expected, tmp_path):
    images = np.zeros((9, 1, 1, 3), np.float32)
    images[8, 0, 0] = np.array([0.0, 0.5, 1.0]) * scale
    ((_, kind, _, image),) = recorded(tmp_path, ("image", "i", Tensor(images)))
    pixels = np.asarray(PIL.Image.open(io.BytesIO(image.encoded_image_string)))
    assert kind == "image" and pixels.shape == (2, 24, 3)  # eight in a row, the ninth below
    assert pixels[1, :3].tolist() == [[value] * 3 for value in expected] and not pixels[0].any()


def test_images_of_bytes_are_as_they_are(tmp_path):
    images = np.arange(12, dtype=np.uint8).reshape(1, 3, 2, 2)
    ((_, _, _, image),) = recorded(tmp_path, ("image", "i", Tensor(images)))
    assert (np.asarray(PIL.Image.open(io.BytesIO(image.encoded_image_string))) == images[0].transpose(1, 2, 0)).all()


def test_the_later_of_two_values_and_texts(tmp_path):
    events = recorded(tmp_path, ("scalar", "a", Tensor(1.0)), ("scalar", "a", Tensor(2.0)), ("text", "t", "words"))
    assert events[0][3] == 2.0 and events[1][3].string_val == [b"words"]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")

    def construct(self, x):
        y = self.dense(x)
        ops.ScalarSummary()("mean", y.mean())
        ops.TensorSummary()("y", y)
        ops.HistogramSummary()("w", self.dense.weight)
        ops.ImageSummary()("x", x.reshape(1, 1, 2, 2))
        return y.sum()


def test_operations_keep_values_for_the_record(mode, tmp_path):
    net = Net()
    gradient = ms.value_and_grad(net, None, net.trainable_params())
    gradient(ops.ones((1, 4)))  # compiled without a record
    with SummaryRecord(str(tmp_path)) as record:
        for step in range(3):
            gradient(ops.ones((1, 4)) * step)
            record.record(step)
        record.set_mode("eval")
        net(ops.ones((1, 4)))
        record.record(9)
    net(ops.ones((1, 4)))
    events = events_of(record.log_dir)
    assert [(step, value) for step, _, name, value in events if name == "mean"] == [(0, 0.0), (1, 4.0), (2, 8.0)]
    assert {(step, name) for step, _, name, _ in events} == {(s, n) for s in range(3) for n in ("mean", "y", "w", "x")}


def test_the_graph_of_a_network(graph_mode, tmp_path):
    net = nn.SequentialCell(nn.Dense(4, 2), nn.ReLU())
    with SummaryRecord(str(tmp_path), network=net) as record:
        net(ops.ones((1, 4)))
        record.record(1)
        record.record(2)
    ((step, kind, _, graph),) = events_of(record.log_dir)
    nodes = {node.name: node for node in graph.node}
    assert (step, kind) == (1, "graph") and {"input_0", "0.weight", "0.bias"} <= set(nodes)
    assert all(source.partition(":")[0] in nodes for node in graph.node for source in node.input)
    assert any("relu" in node.op.lower() for node in graph.node)


def test_a_bounded_file_and_exports(tmp_path):
    events = recorded(tmp_path, *[("scalar", f"a{i}", Tensor(1.0)) for i in range(9)], max_file_size=150)
    assert 0 < len(events) < 9
    recorded(tmp_path / "e", ("tensor", "a/b", Tensor([1.0])), export_options={"tensor_format": "npy"})
    (file,) = (tmp_path / "e").glob("export_*/tensor/a_b_3.npy")
    assert np.load(file).tolist() == [1.0]


def test_one_record_at_a_time_and_none_when_closed(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        with pytest.raises(RuntimeError, match="one record is open already"):
            SummaryRecord(str(tmp_path))
    assert not record.record(1)
    record.close()
    with pytest.raises(ValueError, match="this record is closed"), record:
        pass


@pytest.mark.parametrize(
    "act, error, message",
    [
        (lambda r: r.add_value("scalar", "a", Tensor([1.0, 2.0])), ValueError, "of one element"),
        (lambda r: r.add_value("image", "a", Tensor([1.0])), ValueError, "of shape"),
        (lambda r: r.add_value("tensor", "a", Tensor(1.0)), ValueError, "at least one axis"),
        (lambda r: r.add_value("scalar", "", Tensor(1.0)), ValueError, "'name' must be"),
        (lambda r: r.add_value("scalar", "a", 1.0), TypeError, "'value' must be"),
        (lambda r: r.add_value("sound", "a", Tensor(1.0)), ValueError, "'plugin' must be"),
        (lambda r: r.add_value("train_lineage", "a", 1), ValueError, "MindInsight"),
        (lambda r: r.add_value("graph", "a", nn.Dense(2, 2)), ValueError, "called in GRAPH_MODE"),
        (lambda r: r.set_mode("other"), ValueError, "'mode' must be"),
        (lambda r: r.record("1"), TypeError, "'step' must be"),
        (lambda r: ops.ScalarSummary()("a", Tensor([1.0, 2.0])), ValueError, "For 'ScalarSummary'"),
        (lambda r: ops.ScalarSummary()("", Tensor(1.0)), ValueError, "For 'ScalarSummary'"),
    ],
)
def test_errors(act, error, message, tmp_path):
    with SummaryRecord(str(tmp_path)) as record, pytest.raises(error, match=message):
        act(record)


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda d: SummaryRecord(1), TypeError, "'log_dir' must be"),
        (lambda d: SummaryRecord(""), ValueError, "'log_dir' must be"),
        (lambda d: SummaryRecord(d, file_prefix="a/b"), ValueError, "'file_prefix' must be"),
        (lambda d: SummaryRecord(d, max_file_size="1"), TypeError, "'max_file_size' must be"),
        (lambda d: SummaryRecord(d, raise_exception=1), TypeError, "'raise_exception' must be"),
        (lambda d: SummaryRecord(d, export_options={"a": "npy"}), ValueError, "'export_options' must be"),
        (lambda d: SummaryCollector(d, 0), ValueError, "'collect_freq' must be"),
        (lambda d: SummaryCollector(d, collect_specified_data={"a": 1}), ValueError, "'collect_specified_data' must"),
        (lambda d: SummaryCollector(d, collect_specified_data={"collect_landscape": {}}), ValueError, "MindInsight"),
        (lambda d: SummaryCollector(d, collect_specified_data={"histogram_regular": "("}), ValueError, "a regular exp"),
        (lambda d: SummaryCollector(d, custom_lineage_data={1: 2}), TypeError, "'name in the custom_lineage_data'"),
    ],
)
def test_wrong_arguments(make, error, message, tmp_path):
    with pytest.raises(error, match=message):
        make(str(tmp_path))


def collected(folder, steps=4, sinks=False, **kwargs):
    """The events that a SummaryCollector records in a training of ``steps`` steps, without their values."""
    images = np.random.default_rng(0).random((2 * steps, 1, 2, 2)).astype(np.float32)
    dataset = NumpySlicesDataset({"x": images, "y": np.zeros(2 * steps, np.int32)}, shuffle=False).batch(2)
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(4, 3), nn.Dense(3, 2))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.SGD(net.trainable_params(), 0.1))
    model.train(2, dataset, callbacks=SummaryCollector(str(folder), **kwargs), dataset_sink_mode=sinks)
    (path,) = folder.glob("events.out.tfevents.summary.*_MS")
    return [(step, name) for step, _, name, _ in events_of(path)]


def test_a_collector_records_at_the_first_step_and_at_its_frequency(mode, tmp_path):
    histograms = ["1.weight/auto", "1.bias/auto", "2.weight/auto", "2.bias/auto"]
    names = ["input_data/auto", "loss/auto", *histograms]
    actual = collected(tmp_path, collect_freq=3)
    graph = [(1, "")] if mode == "GRAPH_MODE" else []
    assert actual == [*graph, *[(step, name) for step in (1, 3, 6) for name in names]]


def test_a_collector_of_what_is_asked_for(tmp_path):
    only = {"histogram_regular": r"1\."}
    actual = collected(
        tmp_path, 1, collect_specified_data=only, keep_default_action=False, custom_lineage_data={"who": "I"}
    )
    assert actual == [(1, "custom_lineage_data/text_summary"), (1, "1.weight/auto"), (1, "1.bias/auto")]


def test_a_collector_in_sink_mode(sink_mode, tmp_path):
    actual = collected(tmp_path, sinks=True, collect_freq=1, collect_specified_data={"collect_graph": False})
    assert [each for each in actual if "loss" in each[1]] == [(4, "loss/auto"), (8, "loss/auto")]


def test_one_collector_alone(tmp_path):
    net = nn.Dense(2, 2)
    dataset = NumpySlicesDataset({"x": np.ones((2, 2), np.float32)}).batch(2)
    collector = SummaryCollector(str(tmp_path))
    with pytest.raises((ValueError, RuntimeError), match="one"):
        Model(net).train(1, dataset, callbacks=[collector, SummaryCollector(str(tmp_path))])


class Watched(nn.Cell):
    """Summarises its input and the double of it, as networks do for MindArmour's coverage metrics."""

    def __init__(self):
        super().__init__()
        self.tensor, self.scalar = ops.TensorSummary(), ops.ScalarSummary()

    def construct(self, x):
        self.scalar("mean", x.mean())
        self.tensor("double", x * 2)
        return x


def test_values_are_read_without_a_record(mode, tmp_path):
    net = Watched()
    for number in (1.0, 3.0):  # the names and the emptying are MindSpore 2.10's, in GRAPH_MODE
        net(Tensor([number, number]))
        values = {name: value.tolist() for name, value in _get_summary_tensor_data().items()}
        assert values == {"mean[:Scalar]": number, "double[:Tensor]": [2 * number, 2 * number]}
        assert _get_summary_tensor_data() == {}
    with SummaryRecord(str(tmp_path)) as record:
        net(Tensor([5.0]))
        record.record(1)
    assert [value[2] for value in events_of(record.log_dir)] == ["mean", "double"]
    net(Tensor([7.0]))
    assert _get_summary_tensor_data()["mean[:Scalar]"] == 7
