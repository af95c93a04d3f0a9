"""An LSTM over sequences of a generator that a buffer shuffles; gradients are clipped."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops

ms.set_seed(4)
table = np.random.randint(0, 40, (160, 15)).astype(np.int32)


def sentences():
    for words in table:
        yield words, np.float32(words.sum() % 2)


class Sentiment(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.lstm = nn.LSTM(16, 12, 2, batch_first=True, bidirectional=True, dropout=0.0)
        self.score = nn.Dense(24, 1)

    def construct(self, words):
        hidden = self.lstm(self.words(words))[0]
        return self.score(ops.dropout(hidden[:, -1], 0.3)).squeeze(-1)


data = ds.GeneratorDataset(sentences, ["words", "label"], shuffle=False).shuffle(32).batch(8)
net, loss_fn = Sentiment().set_train(), nn.BCEWithLogitsLoss()
optimizer = nn.Adam(net.trainable_params(), 1e-3)
step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
for words, label in data.create_tuple_iterator(num_epochs=1):
    loss, gradients = step(words, label)
    optimizer(ops.clip_by_global_norm(gradients, 1.0))
    print(f"{float(loss):.7f}")
