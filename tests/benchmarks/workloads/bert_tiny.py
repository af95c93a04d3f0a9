"""A training step of a small Transformer encoder that classifies sequences."""

import numpy as np

from . import _training

TITLE = "training step, BERT-tiny (2 layers, 128 wide, sequence 64), Momentum, batch 8"
WORDS, LENGTH, BATCH, WIDTH, HEADS, LAYERS, CLASSES = 1000, 64, 8, 128, 2, 2, 4
EPSILON = 1e-7
DENSE = {"query": (WIDTH, WIDTH), "key": (WIDTH, WIDTH), "value": (WIDTH, WIDTH), "output": (WIDTH, WIDTH)}
DENSE |= {"wide": (4 * WIDTH, WIDTH), "narrow": (WIDTH, 4 * WIDTH)}


def _shapes():
    shapes = {"words": (WORDS, WIDTH), "places": (LENGTH, WIDTH)}
    for number in range(LAYERS):
        for name, shape in DENSE.items():
            shapes |= {f"layers.{number}.{name}.weight": shape, f"layers.{number}.{name}.bias": shape[:1]}
        for name in ("norm1", "norm2"):
            shapes |= {f"layers.{number}.{name}.gamma": (WIDTH,), f"layers.{number}.{name}.beta": (WIDTH,)}
    return shapes | {"classes.weight": (CLASSES, WIDTH), "classes.bias": (CLASSES,)}


def _batch():
    random = np.random.default_rng(1)
    return random.integers(0, WORDS, (BATCH, LENGTH), np.int32), random.integers(0, CLASSES, BATCH, np.int32)


def mindspore_step(dropout=0.0):
    """A step; with ``dropout`` (probability), after the embedding, the attention's weights and each product."""
    from mindspore import Parameter, nn, ops
    from mindspore.common.initializer import initializer

    class Layer(nn.Cell):
        def __init__(self):
            super().__init__()
            for name, (outer, inner) in DENSE.items():
                setattr(self, name, nn.Dense(inner, outer))
            self.norm1 = nn.LayerNorm((WIDTH,))
            self.norm2 = nn.LayerNorm((WIDTH,))
            self.softmax = nn.Softmax(-1)
            self.gelu = nn.GELU()
            self.drops = nn.CellList([nn.Dropout(p=dropout) if dropout else nn.Identity() for _ in range(4)])

        def split(self, x):
            return x.reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        def construct(self, x):
            query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
            scores = ops.matmul(query, key.transpose(0, 1, 3, 2)) * (WIDTH // HEADS) ** -0.5
            weights = self.drops[0](self.softmax(scores))
            context = ops.matmul(weights, value).transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, WIDTH)
            x = self.norm1(x + self.drops[1](self.output(context)))
            wide = self.drops[2](self.gelu(self.wide(x)))
            return self.norm2(x + self.drops[3](self.narrow(wide)))

    class Bert(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words = Parameter(initializer("normal", (WORDS, WIDTH)), name="words")
            self.places = Parameter(initializer("normal", (LENGTH, WIDTH)), name="places")
            self.layers = nn.SequentialCell([Layer() for _ in range(LAYERS)])
            self.classes = nn.Dense(WIDTH, CLASSES)
            self.drop = nn.Dropout(p=dropout) if dropout else nn.Identity()

        def construct(self, words):
            x = self.layers(self.drop(ops.gather(self.words, words, 0) + self.places))
            return self.classes(x[:, 0])

    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _training.mindspore_step(Bert(), loss, *_batch())


def jax_loss(dropout=0.0):
    """The loss in JAX, with dropout by its own generator, Threefry, the Parameters' shapes, and the batch."""
    import jax
    from jax import lax

    def apply(p, words, labels):
        def dense(name, x):
            return x @ p[f"{name}.weight"].T + p[f"{name}.bias"]

        def normal(name, x):
            scaled = (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + EPSILON)
            return scaled * p[f"{name}.gamma"] + p[f"{name}.beta"]

        def split(x):
            return x.reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        def drop(x):
            nonlocal stream
            if not dropout:
                return x
            stream, own = jax.random.split(stream)
            return jax.numpy.where(jax.random.bernoulli(own, 1 - dropout, x.shape), x / (1 - dropout), 0)

        stream = jax.random.fold_in(jax.random.key(0), lax.stop_gradient(p["steps"]).astype("uint32"))
        x = drop(p["words"][words] + p["places"])
        for layer in (f"layers.{number}" for number in range(LAYERS)):
            query, key, value = (split(dense(f"{layer}.{name}", x)) for name in ("query", "key", "value"))
            scores = query @ key.transpose(0, 1, 3, 2) * (WIDTH // HEADS) ** -0.5
            context = (drop(jax.nn.softmax(scores)) @ value).transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, WIDTH)
            x = normal(f"{layer}.norm1", x + drop(dense(f"{layer}.output", context)))
            wide = drop(jax.nn.gelu(dense(f"{layer}.wide", x)))
            x = normal(f"{layer}.norm2", x + drop(dense(f"{layer}.narrow", wide)))
        return _training.cross_entropy(dense("classes", x[:, 0]), labels), {"steps": p["steps"] + 1}

    return apply, _shapes() | {"steps": ()}, *_batch()


def jax_step(compiled, dropout=0.0):
    return _training.jax_step(*jax_loss(dropout), compiled=compiled)
