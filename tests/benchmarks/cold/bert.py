"""One training step of a small BERT: embedding, two encoder layers, a classifier."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

WIDTH = 64


class Bert(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 128, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.classifier = nn.Dense(WIDTH, 2)

    def construct(self, tokens):
        return self.classifier(ops.tanh(self.encoder(self.embedding(tokens))[:, 0]))


net = Bert()
loss, optimizer = nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 1e-3)
step = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)
tokens, labels = np.arange(128, dtype=np.int32).reshape(4, 32) % 100, np.array([0, 1, 1, 0], np.int32)
value, gradients = step(Tensor(tokens), Tensor(labels))
optimizer(gradients)
print(value)
