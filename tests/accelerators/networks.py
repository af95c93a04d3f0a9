"""Twelve small networks, of the kinds that MindSpore's users train, each with inputs."""

import numpy as np

import msgrad.alias
from msgrad import Parameter, ParameterTuple, Tensor, nn, ops

msgrad.alias.install()  # those of `tests.networks` import `mindspore`

_RANDOM = np.random.RandomState(0)
WIDTH, HEADS, WORDS, LENGTH = 32, 4, 64, 16


def _images(*shape):
    return Tensor(_RANDOM.standard_normal(shape).astype(np.float32))


def _words(*shape):
    return Tensor(_RANDOM.randint(0, WORDS, shape).astype(np.int32))


def _of_folder(name, width=4):
    def build():
        import importlib

        module = importlib.import_module(f"tests.networks.{name}")
        return module.build(width), [_images(*module.SHAPE)] if hasattr(module, "SHAPE") else module.data()

    return build


def lenet():
    layers = [nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2)]
    layers += [nn.Conv2d(6, 16, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()]
    layers += [nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10)]
    return nn.SequentialCell(layers), [_images(4, 1, 32, 32)]


class Bert(nn.Cell):
    """An encoder with a mask by padding."""

    def __init__(self, words=WORDS, length=LENGTH, width=WIDTH, heads=HEADS, layers=2, dropout=0.1):
        super().__init__()
        self.words, self.places, self.length = nn.Embedding(words, width), nn.Embedding(length, width), length
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=dropout, batch_first=True)
        self.encoder, self.head = nn.TransformerEncoder(layer, layers), nn.Dense(width, 2)

    def construct(self, words):
        x = self.words(words) + self.places(ops.arange(self.length))
        return self.head(self.encoder(x, src_key_padding_mask=words == 0)[:, 0])


class Llama(nn.Cell):
    """A decoder with rotary positions, RMSNorm, a gated MLP, and keys shared by groups of queries."""

    def __init__(self):
        super().__init__()
        self.words, self.scales = (
            nn.Embedding(WORDS, WIDTH),
            ParameterTuple([Parameter(ops.ones(WIDTH), name=f"scale{i}") for i in (1, 2)]),
        )
        size = WIDTH // HEADS
        self.query, self.keys = nn.Dense(WIDTH, WIDTH, has_bias=False), nn.Dense(WIDTH, 4 * size, has_bias=False)
        self.output = nn.Dense(WIDTH, WIDTH, has_bias=False)
        self.gate, self.up = nn.Dense(WIDTH, 64, has_bias=False), nn.Dense(WIDTH, 64, has_bias=False)
        self.down, self.head = nn.Dense(64, WIDTH, has_bias=False), nn.Dense(WIDTH, WORDS, has_bias=False)
        angles = np.outer(np.arange(LENGTH), 1e4 ** -np.repeat(np.arange(0, size, 2) / size, 2)).astype(np.float32)
        self.cos, self.sin = Tensor(np.cos(angles)), Tensor(np.sin(angles))
        self.mask = Tensor(np.triu(np.full((LENGTH, LENGTH), -1e9, np.float32), 1))

    def rotated(self, x):
        first, second = ops.chunk(x, 2, -1)
        return x * self.cos.astype(x.dtype) + ops.cat([-second, first], -1) * self.sin.astype(x.dtype)

    def construct(self, words):
        x = self.words(words)
        batch, length, _ = x.shape
        y = ops.rms_norm(x, self.scales[0].astype(x.dtype))[0]
        query = self.rotated(self.query(y).reshape(batch, length, HEADS, -1).swapaxes(1, 2))
        key, value = self.keys(y).reshape(batch, length, 2, 2, -1).transpose(2, 0, 3, 1, 4)
        key, value = self.rotated(key).repeat_interleave(2, 1), value.repeat_interleave(2, 1)
        scores = ops.matmul(query, key.swapaxes(-1, -2)) * (WIDTH // HEADS) ** -0.5
        weights = ops.softmax(scores + self.mask.astype(scores.dtype), -1)
        x = x + self.output(ops.matmul(weights, value).swapaxes(1, 2).reshape(batch, length, WIDTH))
        y = ops.rms_norm(x, self.scales[1].astype(x.dtype))[0]
        return self.head(x + self.down(ops.silu(self.gate(y)) * self.up(y)))


class Whisper(nn.Cell):
    """Convolutions over sound, an encoder, and a decoder that attends to it."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(8, WIDTH, 3, pad_mode="pad", padding=1, has_bias=True)
        self.conv2 = nn.Conv1d(WIDTH, WIDTH, 3, stride=2, pad_mode="pad", padding=1, has_bias=True)
        self.encoder = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, dropout=0.0, batch_first=True)
        self.decoder = nn.TransformerDecoderLayer(WIDTH, HEADS, 64, dropout=0.0, batch_first=True)
        self.words = nn.Embedding(WORDS, WIDTH)

    def construct(self, sound, words):
        sound = ops.gelu(self.conv2(ops.gelu(self.conv1(sound)))).swapaxes(1, 2)
        x = self.decoder(self.words(words), self.encoder(sound))
        return ops.matmul(x, self.words.embedding_table.T.astype(x.dtype))


class GraphNetwork(nn.Cell):
    """Messages along edges, summed by node."""

    def __init__(self):
        super().__init__()
        self.message, self.update, self.head = nn.Dense(16, WIDTH), nn.Dense(WIDTH + 8, 8), nn.Dense(8, 3)

    def construct(self, nodes, senders, receivers):
        for _ in range(2):
            pairs = ops.cat([ops.gather(nodes, senders, 0), ops.gather(nodes, receivers, 0)], 1)
            sums = ops.unsorted_segment_sum(ops.relu(self.message(pairs)), receivers, 12)
            nodes = ops.relu(self.update(ops.cat([nodes, sums.astype(nodes.dtype)], 1)))
        return self.head(nodes)


class Yolo(nn.Cell):
    """Two scales of features, upsampled and joined, with boxes and scores."""

    def __init__(self):
        super().__init__()
        self.stem, self.down = self.block(3, 8, 2), self.block(8, 16, 2)
        self.lateral, self.head = self.block(24, 16), nn.Conv2d(16, 3 * 9, 1, has_bias=True)

    def block(self, inputs, outputs, stride=1):
        conv = nn.Conv2d(inputs, outputs, 3, stride, pad_mode="pad", padding=1)
        return nn.SequentialCell([conv, nn.BatchNorm2d(outputs), nn.SiLU()])

    def construct(self, images):
        fine = self.stem(images)
        coarse = ops.interpolate(self.down(fine), size=fine.shape[2:], mode="nearest")
        found = self.head(self.lateral(ops.cat([fine, coarse], 1))).reshape(images.shape[0], 3, 9, *fine.shape[2:])
        places, sizes, scores = ops.sigmoid(found[:, :, :2]), ops.exp(found[:, :, 2:4]), ops.sigmoid(found[:, :, 4:])
        return ops.cat([places, sizes, scores], 2)


def gpt2():
    from ..benchmarks.accelerator import gpt2

    return gpt2.mindspore_loss(gpt2.SMALL)[0], [Tensor(gpt2.data(gpt2.SMALL)[0])]


NETWORKS = {
    "lenet": lenet,
    "resnet50": _of_folder("resnet50"),
    "mobilenet_v2": _of_folder("mobilenet_v2", 32),
    "unet": _of_folder("unet"),
    "dcgan": _of_folder("dcgan"),
    "lstm": _of_folder("bilstm_crf", 8),
    "bert": lambda: (Bert(), [_words(2, LENGTH)]),
    "gpt2": gpt2,
    "llama": lambda: (Llama(), [_words(2, LENGTH)]),
    "whisper": lambda: (Whisper(), [_images(2, 8, 32), _words(2, LENGTH)]),
    "graph": lambda: (GraphNetwork(), [_images(12, 8), _words(30) % 12, _words(30) % 12]),
    "yolo": lambda: (Yolo(), [_images(2, 3, 32, 32)]),
}
