"""One training step of a small BERT: embedding, two encoder layers, a classifier."""

import jax.numpy as jnp
import numpy as np
from _transformer import apply_dense, cross_entropy, encoded, parameters, train

WIDTH = 64


def loss(p, tokens, labels):
    return cross_entropy(apply_dense(p["head"], jnp.tanh(encoded(p, tokens, 4)[:, 0])), labels)


tokens, labels = np.arange(128, dtype=np.int32).reshape(4, 32) % 100, np.array([0, 1, 1, 0], np.int32)
print(train(loss, parameters(2, WIDTH, 128, 100, 2), tokens, labels))
