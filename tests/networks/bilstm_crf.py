"""A BiLSTM-CRF: a bidirectional LSTM scores the tags of each word, a conditional random field sequences of tags."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Uniform, initializer

WIDTH = 128
WORDS, TAGS = 13, 4


class CRF(nn.Cell):
    def __init__(self, tags, reduction="mean"):
        super().__init__()
        self.reduction = reduction
        self.start = Parameter(initializer(Uniform(0.1), (tags,)), name="start")
        self.end = Parameter(initializer(Uniform(0.1), (tags,)), name="end")
        self.transitions = Parameter(initializer(Uniform(0.1), (tags, tags)), name="transitions")

    def score(self, scores, tags, mask, last):
        length, batch = tags.shape
        rows = ops.arange(0, batch)
        total = self.start[tags[0]] + scores[0, rows, tags[0]]
        for t in range(1, length):
            total += (self.transitions[tags[t - 1], tags[t]] + scores[t, rows, tags[t]]) * mask[t]
        return total + self.end[tags[last, rows]]

    def normaliser(self, scores, mask):
        total = self.start + scores[0]
        for t in range(1, scores.shape[0]):
            following = total.expand_dims(2) + self.transitions + scores[t].expand_dims(1)
            total = ops.where(mask[t].expand_dims(1) > 0, ops.logsumexp(following, 1), total)
        return ops.logsumexp(total + self.end, 1)

    def construct(self, scores, tags, lengths):
        mask = (ops.arange(0, tags.shape[0]).expand_dims(1) < lengths).astype(scores.dtype)
        loss = self.normaliser(scores, mask) - self.score(scores, tags, mask, lengths - 1)
        return loss.mean() if self.reduction == "mean" else loss.sum()


class BiLSTMCRF(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width, padding_idx=0)
        self.lstm = nn.LSTM(width, width // 2, num_layers=2, bidirectional=True, batch_first=True)
        self.hidden_to_tag = nn.Dense(width, TAGS, "he_uniform")
        self.crf = CRF(TAGS)

    def construct(self, words, tags, lengths):
        features, _ = self.lstm(self.embedding(words), seq_length=lengths)
        return self.crf(self.hidden_to_tag(features).swapaxes(0, 1), tags.swapaxes(0, 1), lengths)


def build(width=WIDTH):
    return BiLSTMCRF(width)


def data():
    random = np.random.RandomState(2)
    words, lengths = random.randint(1, WORDS, (3, 6)), np.array([6, 4, 5])
    words[np.arange(6) >= lengths[:, None]] = 0
    return Tensor(words, ms.int32), Tensor(words % TAGS, ms.int32), Tensor(lengths, ms.int32)


def optimizer(network):
    return nn.Momentum(network.trainable_params(), learning_rate=0.05, momentum=0.9)
