"""One training step of a transformer of four layers."""

import numpy as np
from _transformer import apply_dense, cross_entropy, encoded, parameters, train

WIDTH, HEADS, LAYERS, WORDS = 256, 8, 4, 1000


def loss(p, tokens, labels):
    return cross_entropy(apply_dense(p["head"], encoded(p, tokens, HEADS)).reshape(-1, WORDS), labels)


tokens = np.arange(8 * 64, dtype=np.int32).reshape(8, 64) % WORDS
print(train(loss, parameters(LAYERS, WIDTH, 4 * WIDTH, WORDS, WORDS), tokens, (tokens.reshape(-1) + 1) % WORDS))
