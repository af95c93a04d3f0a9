"""Exported networks, which run without their Python code."""

import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.train._files.mindir import MARK

pytest.importorskip("flatbuffers")

X = Tensor(np.arange(8.0).reshape(4, 2), ms.float32)


def network(trains=False):
    net = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3), nn.ReLU())
    return net.set_train(trains)


def file_of(net, *inputs, folder, **kwargs):
    path = str(folder / "net.mindir")
    assert ms.export(net, *inputs, file_name=path, file_format="MINDIR", **kwargs) is None
    return path


@pytest.mark.parametrize("trains", [False, True])
def test_a_network_computes_the_same(trains, mode, tmp_path):
    net = network(trains)
    path = file_of(net, X, folder=tmp_path)
    assert net.training is trains
    cell = nn.GraphCell(ms.load(path))
    assert np.allclose(cell(X).asnumpy(), net(X).asnumpy(), atol=1e-6)
    assert [(name, p.name, p.shape) for name, p in cell.parameters_dict().items()] == [
        (name, p.name, p.shape) for name, p in network().parameters_dict().items()
    ]


def test_parameters_are_those_of_a_cell(tmp_path):
    net = network()
    graph = ms.load(file_of(net, X, folder=tmp_path))
    zeros = {"0.weight": ops.zeros((3, 2)), "0.bias": ops.zeros(3)}
    assert nn.GraphCell(graph, params_init=zeros)(X).asnumpy().sum() == 0
    cell = nn.GraphCell(graph)
    for part in cell.get_parameters():
        part.set_data(ops.zeros_like(part))
    assert cell(X).asnumpy().sum() == 0
    other = network()
    ms.load_param_into_net(other, cell.parameters_dict())
    assert other[0].weight.asnumpy().sum() == 0


def test_gradients(tmp_path):
    net = network()
    cell = nn.GraphCell(ms.load(file_of(net, X, folder=tmp_path)))
    expected = ms.grad(lambda x: net(x).sum(), 0, net.trainable_params())(X)
    actual = ms.grad(lambda x: cell(x).sum(), 0, [p for p in cell.get_parameters() if "moving" not in p.name])(X)
    assert np.allclose(actual[0].asnumpy(), expected[0].asnumpy(), atol=1e-6)
    assert all(np.allclose(a.asnumpy(), b.asnumpy(), atol=1e-5) for a, b in zip(actual[1], expected[1], strict=True))


def test_functions_and_nests(tmp_path):
    def function(x, count):
        return {"double": x * 2, "rest": (x.sum(), [count + 1, None])}

    path = file_of(function, X, Tensor(3), folder=tmp_path)
    actual = nn.GraphCell(ms.load(path))(X, Tensor(4))
    assert (actual["double"] == X * 2).all()
    assert (actual["rest"][0].item(), actual["rest"][1][0].item(), actual["rest"][1][1]) == (28.0, 5, None)
    assert nn.GraphCell(ms.load(file_of(ms.jit(lambda x: x + 1), X, folder=tmp_path)))(X)[0, 0].item() == 1.0


def test_encrypted(tmp_path):
    pytest.importorskip("cryptography")
    key = b"0123456789ABCDEF"
    path = file_of(network(), X, folder=tmp_path, enc_key=key, enc_mode="AES-GCM")
    assert nn.GraphCell(ms.load(path, dec_key=key, dec_mode="AES-GCM"))(X).shape == (4, 3)
    for options in ({}, {"dec_key": key[::-1]}):
        with pytest.raises(RuntimeError, match="net.mindir"):
            ms.load(path, **options)


def test_a_damaged_file_is_an_error(tmp_path):
    path = file_of(network(), X, folder=tmp_path)
    whole = pathlib.Path(path).read_bytes()
    broken = tmp_path / "broken.mindir"
    lengths = [0, 10, len(MARK) + 4, len(MARK) + 20, len(MARK) + 200, len(whole) // 2, len(whole) - 100, len(whole) - 1]
    for content in [whole[:length] for length in lengths] + [whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:]]:
        broken.write_bytes(content)
        with pytest.raises(RuntimeError, match="broken.mindir"):
            ms.load(str(broken))


# -- lengths that are left open ----------------------------------------------------------------------------------------

OPEN = Tensor(shape=[None, 2], dtype=ms.float32)


class Attends(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(9, 4)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.rnn = nn.LSTM(4, 3, batch_first=True)

    def construct(self, x):
        x = self.embedding(x)
        return self.attention(x, x, x)[0].mean(axis=1), self.rnn(x)[0][:, :, :2]


class Convolves(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2, 2))
        self.head = nn.Dense(12, 2)

    def construct(self, x):
        x = self.layers(x)
        return ops.softmax(self.head(x.reshape(x.shape[0], -1)))


def drawn(*shape):
    return np.random.RandomState(0).rand(*shape).astype(np.float32)


@pytest.mark.parametrize(
    ("build", "shape", "inputs"),
    [
        (network, [None, 2], [drawn(1, 2), drawn(5, 2)]),
        (Convolves, [None, 1, 4, 4], [drawn(1, 1, 4, 4), drawn(3, 1, 4, 4)]),
        (Attends, [None, -1], [np.ones((1, 5), np.int32), np.ones((3, 2), np.int32)]),
        (lambda: lambda x: x.reshape(-1, 4), [ms.Symbol(divisor=4), 3], [drawn(4, 3), drawn(8, 3)]),
        (lambda: lambda x: x[:2] if x.shape[0] > 4 else x, [4, ms.Symbol(min=5)], [drawn(4, 6)]),
        (lambda: lambda x: ops.where(x > 0.5, x, 0.0).masked_fill(x > 0.8, 2.0), [None, 3], [drawn(4, 3), drawn(1, 3)]),
    ],
)
def test_open_lengths(build, shape, inputs, mode, tmp_path):
    net = build()
    if isinstance(net, nn.Cell):
        net.set_train(False)
    path = file_of(net, Tensor(shape=shape, dtype=Tensor(inputs[0]).dtype), folder=tmp_path)
    cell = nn.GraphCell(ms.load(path))
    for array in inputs:
        actual, expected = cell(Tensor(array)), net(Tensor(array))
        pairs = zip(actual, expected, strict=True) if isinstance(actual, tuple) else [(actual, expected)]
        assert all(np.allclose(a.asnumpy(), b.asnumpy(), atol=1e-6) for a, b in pairs)


def test_open_lengths_of_set_inputs(tmp_path):
    net = network()
    net.set_inputs(OPEN)
    cell = nn.GraphCell(ms.load(file_of(net, X, folder=tmp_path)))
    assert [cell(Tensor(drawn(count, 2))).shape for count in (1, 7)] == [(1, 3), (7, 3)]
    assert ms.grad(lambda x: cell(x).sum())(Tensor(drawn(3, 2))).shape == (3, 2)
    for inputs in (drawn(3, 3), drawn(3), np.ones((3, 2))):
        with pytest.raises(RuntimeError, match="the program takes"):
            cell(Tensor(inputs))


def test_one_length_in_two_places(tmp_path):
    length = ms.Symbol(unique=True)
    inputs = [Tensor(shape=[length, 2], dtype=ms.float32)] * 2
    cell = nn.GraphCell(ms.load(file_of(lambda x, y: x + y, *inputs, folder=tmp_path)))
    assert cell(Tensor(drawn(3, 2)), Tensor(drawn(3, 2))).shape == (3, 2)
    with pytest.raises(ValueError, match="'n0'"):
        cell(Tensor(drawn(3, 2)), Tensor(drawn(4, 2)))


# -- errors ------------------------------------------------------------------------------------------------------------


class ReturnsText(nn.Cell):
    def construct(self, x):
        return "text"


def exports(net, *inputs, **kwargs):
    return lambda: ms.export(net, *inputs, **{"file_name": "a", "file_format": "MINDIR", **kwargs})


def converts(**options):
    return lambda: ms.onnx.export(network(), X, **{"file_name": "a", **options})


ERRORS = [
    (exports(network(), X, file_format="AIR"), ValueError, "use 'MINDIR'"),
    (exports(network(), X, file_format="ONNX", enc_key=b"0" * 16), ValueError, "the 'enc_key' must be None for 'ONNX'"),
    (exports(3, X, file_format="ONNX"), ValueError, "the 'net' must be a Cell or a function"),
    (converts(file_name=3), TypeError, "the 'file_name' must be a str"),
    (converts(input_names=("a",)), ValueError, "the 'input_names' must be a list"),
    (converts(output_names=[3]), TypeError, "the 'name in output_names' must be a str"),
    (converts(dynamic_axes=[1]), ValueError, "the 'dynamic_axes' must be a dict"),
    (converts(dynamic_axes={"x": ["n"]}), ValueError, "the 'dynamic_axes['x']' must be a dict"),
    (converts(export_params="no"), TypeError, "the 'export_params' must be a bool"),
    (exports(network(), X, file_format="foo"), ValueError, "the 'file_format' must be one of"),
    (exports(network(), X, file_name=3), TypeError, "the 'file_name' must be a str"),
    (exports(network(), X, foo=3), ValueError, "the 'kwargs' must be out of"),
    (exports(network(), 3), TypeError, "the 'inputs' must be a Tensor"),
    (exports(network(), Tensor(shape=[-2], dtype=ms.float32)), ValueError, "must be Tensors of known ranks"),
    (exports(lambda x: x if x.shape[0] > 4 else -x, OPEN), ValueError, "'n0' > '4'"),
    (exports(lambda x, y: x + y, OPEN, OPEN), ValueError, "one mindspore.Symbol(unique=True)"),
    (exports(lambda x: x + ops.ones((3, 2)), OPEN), ValueError, "a length that is unknown in the 'inputs': For 'Add'"),
    (exports(3, X), RuntimeError, "the 'net' must be a Cell or a function"),
    (exports(ReturnsText(), X), TypeError, "the 'net' must be a network that returns Tensors"),
    (lambda: ms.load(3), ValueError, "the 'file_name' must be a str"),
    (lambda: ms.load("a"), ValueError, "the 'file_name' must be a path that ends with '.mindir'"),
    (lambda: ms.load("none.mindir"), ValueError, "there is none at"),
    (lambda: nn.GraphCell(3), TypeError, "the 'graph' must be a Graph"),
]


@pytest.mark.parametrize(("call", "error", "text"), ERRORS)
def test_errors(call, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("inputs", [(X, X), (Tensor(np.ones((5, 2), np.float32)),), (3,), (Tensor(np.ones((4, 2))),)])
def test_other_inputs(inputs, tmp_path):
    cell = nn.GraphCell(ms.load(file_of(network(), X, folder=tmp_path)))
    with pytest.raises(RuntimeError, match="the program takes"):
        cell(*inputs)


def test_other_parameters(tmp_path):
    graph = ms.load(file_of(network(), X, folder=tmp_path))
    for inputs in (3, {3: X}, {"0.weight": 3}):
        with pytest.raises(TypeError, match="params_init"):
            nn.GraphCell(graph, params_init=inputs)
