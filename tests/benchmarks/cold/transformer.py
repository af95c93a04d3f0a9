"""One training step of a transformer of four layers: 3.7 million weights, 512 tokens."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

WIDTH, HEADS, LAYERS, WORDS = 256, 8, 4, 1000


class Transformer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, LAYERS)
        self.head = nn.Dense(WIDTH, WORDS)

    def construct(self, tokens):
        return self.head(self.encoder(self.embedding(tokens))).reshape(-1, WORDS)


net = Transformer()
loss, optimizer = nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 1e-3)
step = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)
tokens = np.arange(8 * 64, dtype=np.int32).reshape(8, 64) % WORDS
value, gradients = step(Tensor(tokens), Tensor((tokens.reshape(-1) + 1) % WORDS))
optimizer(gradients)
print(value)
