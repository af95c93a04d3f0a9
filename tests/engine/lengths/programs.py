"""MindSpore programs whose sizes change at each step: a generation, a training on ragged texts."""

import numpy as np

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution import execute


class Decoder(nn.Cell):
    """Two layers of attention with a growing cache."""

    def __init__(self, width=8):
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(30, width)
        self.positions = nn.Embedding(64, width)
        self.projections = nn.CellList([nn.Dense(width, 3 * width) for _ in range(2)])
        self.head = nn.Dense(width, 30)

    def construct(self, tokens, past):
        count, start = tokens.shape[1], 0 if past is None else past[0][0].shape[1]
        x = self.embedding(tokens) + self.positions(ops.arange(start, start + count))
        caches = []
        for k, projection in enumerate(self.projections):
            query, key, value = ops.split(projection(x), self.width, -1)
            if past is not None:
                key, value = ops.concat((past[k][0], key), 1), ops.concat((past[k][1], value), 1)
            caches.append((key, value))
            x = x + ops.matmul(ops.softmax(ops.matmul(query, key.swapaxes(-1, -2)), -1), value)
        return self.head(x)[:, -1], caches


def seeded(make):
    ms.set_seed(5)
    return make()


def generated(net, tokens, count=24):
    """Logits of each step of a generation."""
    past, x, steps = None, Tensor(tokens), []
    for _ in range(count):
        logits, past = net(x, past)
        steps.append(logits.asnumpy())
        x = Tensor(steps[-1].argmax(-1).astype(np.int32).reshape(1, 1))
    return np.concatenate(steps), past[0][0].asnumpy()


def losses(step, lengths):
    """The losses of a training on texts of these lengths, two of each batch size."""
    rng, values = np.random.default_rng(3), []
    for length in lengths:
        tokens = rng.integers(0, 30, (2, length)).astype(np.int32)
        values.append(float(step(Tensor(tokens[:, :-1]), Tensor(tokens[:, 1:]))))
    return values


def training(width=8):
    net, loss, dropout = seeded(lambda: Decoder(width)), nn.CrossEntropyLoss(), nn.Dropout(p=0.2)
    optimizer = nn.Adam(net.trainable_params(), 1e-2)

    def forward(tokens, labels):
        x = net.embedding(tokens)
        query, key, value = ops.split(net.projections[0](x), net.width, -1)
        mask = ops.triu(ops.full((tokens.shape[1],) * 2, -1e9, dtype=ms.float32), 1)
        x = x + ops.matmul(dropout(ops.softmax(ops.matmul(query, key.swapaxes(-1, -2)) + mask, -1)), value)
        return loss(net.head(x).reshape(-1, 30), labels.reshape(-1))

    dropout.set_train()
    differentiated = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(tokens, labels):
        value, gradients = differentiated(tokens, labels)
        optimizer(gradients)
        return value.asnumpy()

    return step


def compiled(run, arrays):
    """The results of a program at arrays of several sizes, each compiled, and how many programs that took."""
    before = execute.report()["programs compiled"]
    results = [run(*map(Tensor, each)).asnumpy() for each in arrays]
    return results, execute.report()["programs compiled"] - before
