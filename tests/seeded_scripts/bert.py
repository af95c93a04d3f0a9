"""A small BERT: truncated normal initial values, embeddings, attention, and dropout everywhere.

Dropout is that of `ops`: MindSpore tries counts of threads for a layer's kernel, and then its numbers differ each time.
"""

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.common.initializer import TruncatedNormal

ms.set_seed(3)
WORDS, LENGTH, WIDTH, HEADS = 50, 12, 32, 4


def dense(inputs, outputs):
    return nn.Dense(inputs, outputs, weight_init=TruncatedNormal(0.02))


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (dense(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = dense(WIDTH, 4 * WIDTH), dense(4 * WIDTH, WIDTH)
        self.first_norm, self.second_norm = nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))

    def heads(self, x):
        return x.reshape(-1, LENGTH, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

    def construct(self, x):
        query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        scores = ops.matmul(query, key.transpose(0, 1, 3, 2)) / (WIDTH // HEADS) ** 0.5
        mixed = ops.matmul(ops.dropout(ops.softmax(scores), 0.1), value)
        mixed = self.out(mixed.transpose(0, 2, 1, 3).reshape(-1, LENGTH, WIDTH))
        x = self.first_norm(x + ops.dropout(mixed, 0.2))
        return self.second_norm(x + ops.dropout(self.down(ops.gelu(self.up(x))), 0.2))


class Bert(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH, embedding_table=TruncatedNormal(0.02))
        self.places = ms.Parameter(ms.common.initializer.initializer(TruncatedNormal(0.02), (LENGTH, WIDTH)), "places")
        self.norm = nn.LayerNorm((WIDTH,))
        self.layers = nn.SequentialCell(Layer(), Layer())
        self.scores = dense(WIDTH, WORDS)

    def construct(self, words):
        x = ops.dropout(self.norm(self.words(words) + self.places), 0.1)
        return self.scores(self.layers(x))


class WithLoss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.loss = nn.CrossEntropyLoss()

    def construct(self, words, wanted):
        return self.loss(self.net(words).reshape(-1, WORDS), wanted.reshape(-1))


net = Bert()
optimizer = nn.AdamWeightDecay(net.trainable_params(), 1e-3)
train = nn.TrainOneStepCell(WithLoss(net), optimizer).set_train()
for _ in range(20):
    words = np.random.randint(0, WORDS, (4, LENGTH)).astype(np.int32)
    print(f"{float(train(ms.Tensor(words), ms.Tensor(np.roll(words, 1, 1)))):.7f}")
