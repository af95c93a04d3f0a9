"""A Transformer that turns one sequence of tokens into another: embeddings, encoder, decoder, scores."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

WIDTH = 512
TOKENS = 11
SHAPE = (2, 5)
LENGTH = 6
PADDING = 0


def positions(length, width):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(width)[None] // 2 * 2 / width)
    return np.where(np.arange(width) % 2, np.cos(angles), np.sin(angles)).astype(np.float32)


class Translator(nn.Cell):
    def __init__(self, width, heads=2, layers=2):
        super().__init__()
        self.width = width
        self.source_embedding = nn.Embedding(TOKENS, width)
        self.target_embedding = nn.Embedding(TOKENS, width)
        self.positions = Parameter(Tensor(positions(LENGTH, width)), name="positions", requires_grad=False)
        self.transformer = nn.Transformer(
            width, heads, layers, layers, 2 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.head = nn.Dense(width, TOKENS)

    def embedded(self, embedding, tokens):
        return embedding(tokens) * self.width**0.5 + self.positions[: tokens.shape[1]]

    def construct(self, source, target):
        hidden = ops.triu(ops.ones((target.shape[1], target.shape[1]), ms.float32), 1).astype(ms.bool_)
        padding = source == PADDING
        output = self.transformer(
            self.embedded(self.source_embedding, source),
            self.embedded(self.target_embedding, target),
            tgt_mask=hidden,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        return self.head(output)


class WithLoss(nn.Cell):
    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss = nn.CrossEntropyLoss(ignore_index=PADDING, label_smoothing=0.1)

    def construct(self, source, target):
        scores = self.network(source, target[:, :-1])
        return self.loss(scores.reshape(-1, TOKENS), target[:, 1:].reshape(-1))


def build(width=WIDTH):
    return WithLoss(Translator(width))


def data():
    random = np.random.RandomState(1)
    source = random.randint(1, TOKENS, (4, 5))
    source[1, 3:] = source[2, 4:] = PADDING
    target = np.concatenate([np.ones((4, 1)), source[:, ::-1]], 1)
    return Tensor(source, ms.int32), Tensor(target, ms.int32)


def optimizer(network):
    return nn.Adam(network.trainable_params(), learning_rate=0.01)
