"""Greedy decoding of 14 tokens by a transformer that is not a Cell, without a cache: the sequence grows."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

WIDTH, HEADS, LAYERS, WORDS, TOKENS = 64, 4, 2, 100, 14
rng = np.random.default_rng(0)


def weights(*shape):
    return Tensor((0.2 * rng.normal(size=shape)).astype(np.float32))


class Linear:
    def __init__(self, inputs, outputs):
        self.weight, self.bias = weights(inputs, outputs), weights(outputs)

    def __call__(self, x):
        return ops.matmul(x, self.weight) + self.bias


class Block:
    def __init__(self):
        self.inputs, self.output = Linear(WIDTH, 3 * WIDTH), Linear(WIDTH, WIDTH)
        self.up, self.down = Linear(WIDTH, 4 * WIDTH), Linear(4 * WIDTH, WIDTH)
        self.scale, self.shift = ops.ones((WIDTH,), ms.float32), ops.zeros((WIDTH,), ms.float32)

    def norm(self, x):
        return ops.layer_norm(x, (WIDTH,), self.scale, self.shift)

    def attention(self, x):
        length = x.shape[1]
        query, key, value = [
            each.reshape(1, length, HEADS, WIDTH // HEADS).swapaxes(1, 2)
            for each in ops.split(self.inputs(x), WIDTH, axis=-1)
        ]
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / (WIDTH // HEADS) ** 0.5
        future = ops.triu(ops.ones((length, length), ms.float32), 1).bool()
        mixed = ops.matmul(ops.softmax(scores.masked_fill(future, -1e9), -1), value)
        return self.output(mixed.swapaxes(1, 2).reshape(1, length, WIDTH))

    def __call__(self, x):
        x = x + self.attention(self.norm(x))
        return x + self.down(ops.gelu(self.up(self.norm(x))))


embedding, positions, blocks = weights(WORDS, WIDTH), weights(32, WIDTH), [Block() for _ in range(LAYERS)]
tokens = Tensor(np.array([[1, 2, 3]], np.int32))
for _ in range(TOKENS):
    x = ops.gather(embedding, tokens, 0) + positions[: tokens.shape[1]]
    for block in blocks:
        x = block(x)
    following = ops.matmul(x[:, -1], embedding.T).argmax(-1).astype(ms.int32)
    tokens = ops.concat([tokens, following.reshape(1, 1)], 1)
print(tokens.asnumpy()[0])
