"""A training step of an LSTM over 64 steps that classifies sequences."""

import numpy as np

from . import _training

TITLE = "training step, LSTM over 64 steps, 64 to 128 wide, Momentum, batch 16"
LENGTH, BATCH, INPUT, HIDDEN, CLASSES = 64, 16, 64, 128, 4
SHAPES = {
    "lstm.weight_ih_l0": (4 * HIDDEN, INPUT), "lstm.weight_hh_l0": (4 * HIDDEN, HIDDEN),
    "lstm.bias_ih_l0": (4 * HIDDEN,), "lstm.bias_hh_l0": (4 * HIDDEN,), "fc.weight": (CLASSES, HIDDEN),
    "fc.bias": (CLASSES,),
}  # fmt: skip


def _batch():
    random = np.random.default_rng(1)
    return random.standard_normal((LENGTH, BATCH, INPUT), np.float32), random.integers(0, CLASSES, BATCH, np.int32)


def mindspore_step():
    from mindspore import nn

    class Classifier(nn.Cell):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(INPUT, HIDDEN)
            self.fc = nn.Dense(HIDDEN, CLASSES)

        def construct(self, x):
            return self.fc(self.lstm(x)[0][-1])

    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _training.mindspore_step(Classifier(), loss, *_batch())


def jax_step(compiled):
    import jax
    import jax.numpy as jnp
    from jax import lax

    def apply(p, x, labels):
        gates = x @ p["lstm.weight_ih_l0"].T + p["lstm.bias_ih_l0"] + p["lstm.bias_hh_l0"]

        def step(state, gates):
            hidden, cell = state
            i, f, g, o = jnp.split(gates + hidden @ p["lstm.weight_hh_l0"].T, 4, axis=1)
            cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
            hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
            return (hidden, cell), hidden

        start = jnp.zeros((BATCH, HIDDEN), jnp.float32)
        (hidden, _), _ = lax.scan(step, (start, start), gates)
        return _training.cross_entropy(hidden @ p["fc.weight"].T + p["fc.bias"], labels), {}

    return _training.jax_step(apply, SHAPES, *_batch(), compiled=compiled)
