"""ONNX models: onnxruntime computes what the network computes."""

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.train._onnx import models

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
plugin_system = pytest.importorskip("jax2onnx.plugins.plugin_system")


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def export(net, *inputs, folder, **options):
    path = folder / "net.onnx"
    assert ms.onnx.export(net, *map(Tensor, inputs), file_name=str(path), **options) is None
    return path


def compare(net, session, *arrays):
    """Asserts that the session computes for arrays, its first inputs, what the network does."""
    if isinstance(net, nn.Cell):
        net.set_train(False)
    expected = net(*map(Tensor, arrays))
    expected = list(expected) if isinstance(expected, tuple) else [expected]
    actual = session.run(None, {each.name: array for each, array in zip(session.get_inputs(), arrays, strict=False)})
    for one, other in zip(actual, expected, strict=True):
        assert one.dtype == other.asnumpy().dtype
        assert np.allclose(one, other.asnumpy(), rtol=1e-4, atol=1e-5)


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 3, 5, pad_mode="valid"), nn.Conv2d(3, 4, 5, pad_mode="valid")
        self.fc1, self.fc2 = nn.Dense(16, 6), nn.Dense(6, 3)
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        return self.fc2(self.relu(self.fc1(self.flatten(x))))


class Residual(nn.Cell):
    def __init__(self, of, to, stride):
        super().__init__()
        self.conv = nn.SequentialCell(nn.Conv2d(of, to, 3, stride), nn.BatchNorm2d(to), nn.ReLU(), nn.Conv2d(to, to, 3))
        self.down = nn.SequentialCell(nn.Conv2d(of, to, 1, stride), nn.BatchNorm2d(to))

    def construct(self, x):
        return ops.relu(self.conv(x) + self.down(x))


class ResNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.MaxPool2d(3, 2, pad_mode="same"))
        self.stages = nn.SequentialCell(Residual(4, 4, 1), Residual(4, 6, 2))
        self.head = nn.Dense(6, 5)

    def construct(self, x):
        return self.head(ops.mean(self.stages(self.stem(x)), (2, 3)))


class Reads(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding, self.drop, self.head = nn.Embedding(20, 4), nn.Dropout(p=0.5), nn.Dense(6, 2)
        self.rnn = nn.LSTM(4, 3, bidirectional=True, batch_first=True)

    def construct(self, words):
        return ops.sigmoid(self.head(self.drop(self.rnn(self.embedding(words))[0][:, -1])))


class Transformer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(20, 4), nn.Dense(4, 3)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 1)

    def construct(self, words):
        return self.head(self.encoder(self.embedding(words)))


def mlp():
    return nn.SequentialCell(nn.Dense(4, 8), nn.LayerNorm((8,)), nn.GELU(), nn.Dense(8, 3), nn.Softmax())


def image_layers():
    return nn.SequentialCell(
        nn.Conv2d(2, 4, 3, dilation=2, pad_mode="pad", padding=2, group=2), nn.GroupNorm(2, 4), nn.PReLU(4),
        nn.Conv2dTranspose(4, 2, 3, stride=2), nn.AvgPool2d(3, 2, pad_mode="same"), nn.AdaptiveAvgPool2d(2),
    )  # fmt: skip


def drawn(*shape):
    return np.random.RandomState(0).rand(*shape).astype(np.float32)


def words(dtype):
    return np.arange(20, dtype=dtype).reshape(4, 5)


# Networks, and inputs of the largest batch that they are run with.
NETWORKS = {
    "LeNet": (LeNet, drawn(3, 1, 20, 20)),
    "ResNet": (ResNet, drawn(3, 3, 8, 8)),
    "MLP": (mlp, drawn(3, 4)),
    "LSTM, int32": (Reads, words("int32")),
    "LSTM, int64": (Reads, words("int64")),
    "transformer": (Transformer, words("int32")),
    "layers of images": (image_layers, drawn(2, 2, 6, 6)),
    "volumes": (lambda: nn.SequentialCell(nn.Conv3d(1, 2, 2), nn.MaxPool3d(2, 2)), drawn(2, 1, 4, 4, 4)),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_onnxruntime_computes_the_same(name, tmp_path):
    build, array = NETWORKS[name]
    net = build().set_train()

    path = export(net, array[:2], folder=tmp_path, input_names=["given"], dynamic_axes={"given": {0: "batch"}})
    assert net.training
    session = session_of(path)
    assert [each.shape for each in session.get_inputs()] == [["batch", *array.shape[1:]]]
    held = {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    for each in net.get_parameters():
        assert np.array_equal(held[each.name], each.asnumpy())
    for count in {1, len(array)}:
        compare(net, session, array[::-1][:count])


def indexes(x, positions):
    largest, indices = ops.topk(x, 2)
    picked = ops.gather(x, positions, 0), x[1:, ::2], ops.gather_nd(x, positions[:, None])
    return largest, indices, *picked, ops.argmax(x, 1), ops.cumsum(x, 0), ops.sort(x)[1], positions + 1, positions // 2


def arithmetic(x):
    floats = ops.exp(x), ops.erf(x), x**2, x / 3, ops.clamp(x, 0.2, 0.5), ops.log_softmax(x), ops.logsumexp(x, 1)
    return *floats, x > 0.5, (x > 0.5).astype(ms.int32), x.astype(ms.float16) * 2, ops.where(x > 0.5, x, 2 * x)


def scans(x):
    return nn.GRU(4, 3, batch_first=True)(x)[0]


def spectrum(x):
    return ops.svd(x, compute_uv=False)


# Functions of arrays, for the lengths that the arrays have.
FUNCTIONS = [
    (indexes, drawn(3, 4), np.array([0, 2])),
    (indexes, drawn(3, 4), np.array([0, 2], np.int32)),
    (arithmetic, drawn(3, 4)),
    (lambda x: (x, x, ops.ones((2, 2))), drawn(3, 4)),
    (lambda x, y: x + 1, drawn(3, 4), drawn(2)),
    (lambda x: x @ x.T, drawn(3, 4).astype(np.float64)),
    (lambda labels, logits: ops.cross_entropy(logits, labels), np.array([0, 2, 3], np.int32), drawn(3, 4)),
]


@pytest.mark.parametrize("case", FUNCTIONS)
def test_functions(case, tmp_path):
    function, *arrays = case
    compare(function, session_of(export(function, *arrays, folder=tmp_path)), *[array[::-1].copy() for array in arrays])


class Sums(nn.Cell):
    """A Cell with a Parameter that has the name of an argument."""

    def __init__(self):
        super().__init__()
        self.x = ms.Parameter(ops.ones(2), name="x")

    def construct(self, x, *others):
        return x + self.x + sum(others), x * 2


@pytest.mark.parametrize(
    ("options", "inputs", "results"),
    [
        ({}, ["x_", "others0", "others1"], ["output_0", "output_1"]),
        ({"input_names": ["a"], "output_names": ["b"]}, ["a", "others0", "others1"], ["b", "output_1"]),
        ({"export_params": False}, ["x_", "others0", "others1", "x"], ["output_0", "output_1"]),
        ({"keep_initializers_as_inputs": True}, ["x_", "others0", "others1", "x"], ["output_0", "output_1"]),
    ],
)
def test_names(options, inputs, results, tmp_path):
    graph = onnx.load(export(Sums(), *[drawn(3, 2)] * 3, folder=tmp_path, **options)).graph
    assert [each.name for each in graph.input] == inputs
    assert [each.name for each in graph.output] == results
    assert ("x" in [each.name for each in graph.initializer]) is options.get("export_params", True)


def test_parameters_may_be_given(tmp_path):
    path = export(Sums(), *[drawn(3, 2)] * 2, folder=tmp_path, export_params=False)
    inputs = {"x_": drawn(3, 2), "others0": drawn(3, 2), "x": np.float32([4, 5])}
    assert np.allclose(session_of(path).run(None, inputs)[0], inputs["x_"] + inputs["others0"] + inputs["x"])


def test_open_lengths_of_placeholders(tmp_path):
    net, length = mlp(), ms.Symbol(unique=True, min=3)
    for inputs in (Tensor(shape=[None, 4], dtype=ms.float32), Tensor(shape=[length, 4], dtype=ms.float32)):
        ms.export(net, inputs, file_name=str(tmp_path / "a"), file_format="ONNX")
        session = session_of(tmp_path / "a.onnx")
        assert session.get_inputs()[0].shape == ["n0", 4]
        compare(net, session, drawn(5, 4))
    net.set_inputs(inputs)
    path = export(net, drawn(3, 4), folder=tmp_path)
    assert session_of(path).get_inputs()[0].shape == ["n0", 4]


# -- errors ------------------------------------------------------------------------------------------------------------

X = Tensor(drawn(3, 2))
ERRORS = [
    ((spectrum, Tensor(drawn(3, 3))), {}, RuntimeError, "has no form of the operation '_svd' (svd in JAX)"),
    ((Sums(), X), {"input_names": ["a", "b"]}, ValueError, "'input_names' must be 1 names or fewer"),
    ((Sums(), X), {"input_names": ["x"]}, ValueError, "'input_names' must be names of one thing each"),
    ((Sums(), X), {"output_names": ["a", "a"]}, ValueError, "'output_names' must be names of one thing each"),
    (
        (Sums(), X),
        {"dynamic_axes": {"x_": {2: "n"}}},
        ValueError,
        "axis of 'x_' in dynamic_axes' must be in [0, 2)",
    ),
    ((Sums(), X), {"dynamic_axes": {"x_": {0: "n m"}}}, ValueError, "name in dynamic_axes' must be a str like"),
    (
        (Sums(), X),
        {"dynamic_axes": {"a": {0: "n"}}},
        ValueError,
        "'dynamic_axes' must be for some of ['x_', 'output_0'",
    ),
]


@pytest.mark.parametrize(("inputs", "options", "error", "text"), ERRORS)
def test_errors(inputs, options, error, text, tmp_path):
    plugin_system.import_all_plugins()
    registry = dict(plugin_system.PLUGIN_REGISTRY)
    with pytest.raises(error) as caught:
        ms.onnx.export(*inputs, file_name=str(tmp_path / "a"), **options)
    assert text in str(caught.value)
    assert not list(tmp_path.iterdir())
    assert plugin_system.PLUGIN_REGISTRY == registry
    assert ops.ones(2, ms.float64).dtype == ms.float64


@pytest.mark.parametrize(
    ("other", "text"), [(lambda x: x + 1, "values like"), (lambda x: x > 1, "bool[3, 4], but the network's float32")]
)
def test_a_model_that_computes_something_else_is_not_written(other, text, tmp_path, monkeypatch):
    program = jax.make_jaxpr(lambda x: [other(x)])(drawn(3, 4))
    converted = models._converted
    monkeypatch.setattr(models, "_converted", lambda _, *names: converted(program, *names))
    with pytest.raises(RuntimeError, match="computes something else: result 0 has") as caught:
        export(lambda x: x * 2, drawn(3, 4), folder=tmp_path)
    assert text in str(caught.value)
    assert not list(tmp_path.iterdir())
