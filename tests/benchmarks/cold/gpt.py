"""The forward pass of a small GPT-2 made of plain classes: four layers, 128 wide, 64 tokens."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

WIDTH, HEADS, LAYERS, WORDS, TOKENS = 128, 4, 4, 1000, 64
rng = np.random.default_rng(0)


def weights(*shape):
    return Parameter(Tensor((0.02 * rng.normal(size=shape)).astype(np.float32)))


class Linear:
    def __init__(self, inputs, outputs):
        self.weight, self.bias = weights(inputs, outputs), Parameter(ops.zeros((outputs,), ms.float32))

    def __call__(self, x):
        return ops.matmul(x, self.weight) + self.bias


class LayerNorm:
    def __init__(self):
        self.scale, self.shift = Parameter(ops.ones((WIDTH,), ms.float32)), Parameter(ops.zeros((WIDTH,), ms.float32))

    def __call__(self, x):
        return ops.LayerNorm(-1, -1, 1e-5)(x, self.scale, self.shift)[0]


class Attention:
    def __init__(self):
        self.inputs, self.output = Linear(WIDTH, 3 * WIDTH), Linear(WIDTH, WIDTH)

    def __call__(self, x):
        query, key, value = [
            each.reshape(1, -1, HEADS, WIDTH // HEADS).swapaxes(1, 2)
            for each in ops.split(self.inputs(x), WIDTH, axis=-1)
        ]
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / (WIDTH // HEADS) ** 0.5
        future = ops.triu(ops.ones((TOKENS, TOKENS), ms.float32), 1).bool()
        scores = ops.softmax(scores.masked_fill(future, -1e9), -1)
        return self.output(ops.matmul(scores, value).swapaxes(1, 2).reshape(1, -1, WIDTH))


class Block:
    def __init__(self):
        self.norm1, self.attention, self.norm2 = LayerNorm(), Attention(), LayerNorm()
        self.up, self.down = Linear(WIDTH, 4 * WIDTH), Linear(4 * WIDTH, WIDTH)

    def __call__(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(ops.gelu(self.up(self.norm2(x)), approximate="tanh"))


class GPT:
    def __init__(self):
        self.words, self.positions = weights(WORDS, WIDTH), weights(TOKENS, WIDTH)
        self.blocks, self.norm = [Block() for _ in range(LAYERS)], LayerNorm()

    def __call__(self, tokens):
        x = ops.gather(self.words, tokens, 0) + self.positions
        for block in self.blocks:
            x = block(x)
        return ops.matmul(self.norm(x), self.words.T)


tokens = Tensor(np.arange(TOKENS, dtype=np.int32).reshape(1, -1))
print(GPT()(tokens).asnumpy()[0, -1, :3])
