"""Greedy generation by a transformer that is not a Cell, with a cache that grows by one at each token."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

WIDTH, HEADS, WORDS = 32, 4, 100
rng = np.random.default_rng(0)


def weights(*shape):
    return Tensor((0.2 * rng.normal(size=shape)).astype(np.float32))


class Linear:
    def __init__(self, inputs, outputs):
        self.weight, self.bias = weights(inputs, outputs), weights(outputs)

    def __call__(self, x):
        return ops.matmul(x, self.weight) + self.bias


def normalized(x):
    x = x - x.mean(-1, keep_dims=True)
    return x / ops.sqrt((x**2).mean(-1, keep_dims=True) + 1e-5)


def by_heads(x):
    return x.reshape(1, -1, HEADS, WIDTH // HEADS).swapaxes(1, 2)


class Block:
    def __init__(self):
        self.inputs, self.output = Linear(WIDTH, 3 * WIDTH), Linear(WIDTH, WIDTH)
        self.up, self.down = Linear(WIDTH, 4 * WIDTH), Linear(4 * WIDTH, WIDTH)
        self.cache = None

    def __call__(self, x):
        query, key, value = map(by_heads, ops.split(self.inputs(normalized(x)), WIDTH, axis=-1))
        if self.cache is not None:
            key, value = ops.concat([self.cache[0], key], 2), ops.concat([self.cache[1], value], 2)
        self.cache = key, value
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / (WIDTH // HEADS) ** 0.5
        if query.shape[2] > 1:
            mask = ops.triu(ops.ones((query.shape[2], key.shape[2]), ms.float32), 1)
            scores = scores - 1e9 * mask
        x = x + self.output(ops.matmul(ops.softmax(scores, -1), value).swapaxes(1, 2).reshape(1, -1, WIDTH))
        return x + self.down(ops.gelu(self.up(normalized(x))))


embedding, blocks = weights(WORDS, WIDTH), [Block(), Block()]
tokens = Tensor(np.array([[1, 2, 3]], np.int32))
for _ in range(32):
    x = ops.gather(embedding, tokens, 0)
    for block in blocks:
        x = block(x)
    tokens = ops.matmul(x[:, -1], embedding.T).argmax(-1).astype(ms.int32).reshape(1, 1)
    print(tokens.asnumpy()[0, 0])
