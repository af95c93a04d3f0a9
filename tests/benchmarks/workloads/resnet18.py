"""A training step of a ResNet-18 for images of 32 by 32."""

from . import _training

TITLE = "training step, ResNet-18 for CIFAR, Momentum, batch 16"
STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))  # channels, stride
BATCH = 16
EPSILON, DECAY = 1e-5, 0.9


def _blocks():
    """``(name, channels before, channels, stride)`` of each of the eight blocks."""
    before = 64
    for number, (channels, stride) in enumerate(STAGES):
        for place in range(2):
            yield f"layers.{2 * number + place}", before, channels, stride if place == 0 else 1
            before = channels


def _normal(name, channels):
    return {f"{name}.{kind}": (channels,) for kind in ("moving_mean", "moving_variance", "gamma", "beta")}


def _shapes():
    shapes = {"conv.weight": (64, 3, 3, 3), **_normal("norm", 64)}
    for name, before, channels, stride in _blocks():
        shapes |= {f"{name}.conv1.weight": (channels, before, 3, 3), **_normal(f"{name}.norm1", channels)}
        shapes |= {f"{name}.conv2.weight": (channels, channels, 3, 3), **_normal(f"{name}.norm2", channels)}
        if stride > 1:
            shapes |= {f"{name}.down.0.weight": (channels, before, 1, 1), **_normal(f"{name}.down.1", channels)}
    return shapes | {"fc.weight": (10, 512), "fc.bias": (10,)}


def mindspore_step():
    from mindspore import nn

    class Block(nn.Cell):
        def __init__(self, before, channels, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(before, channels, 3, stride)
            self.norm1 = nn.BatchNorm2d(channels)
            self.conv2 = nn.Conv2d(channels, channels, 3)
            self.norm2 = nn.BatchNorm2d(channels)
            self.relu = nn.ReLU()
            self.down = None
            if stride > 1:
                self.down = nn.SequentialCell(nn.Conv2d(before, channels, 1, stride), nn.BatchNorm2d(channels))

        def construct(self, x):
            shortcut = x if self.down is None else self.down(x)
            x = self.relu(self.norm1(self.conv1(x)))
            return self.relu(self.norm2(self.conv2(x)) + shortcut)

    class ResNet18(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 64, 3)
            self.norm = nn.BatchNorm2d(64)
            self.relu = nn.ReLU()
            self.layers = nn.SequentialCell([Block(*block) for _, *block in _blocks()])
            self.fc = nn.Dense(512, 10)

        def construct(self, x):
            x = self.layers(self.relu(self.norm(self.conv(x))))
            return self.fc(x.mean((2, 3)))

    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _training.mindspore_step(ResNet18(), loss, *_training.images(BATCH, 3, 32))


def jax_step(compiled):
    import jax
    from jax import lax

    def apply(p, x, labels):
        new = {}

        def normal(name, x):
            mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
            count = x.size / x.shape[1]
            new[f"{name}.moving_mean"] = DECAY * p[f"{name}.moving_mean"] + (1 - DECAY) * mean
            unbiased = variance * count / (count - 1)
            new[f"{name}.moving_variance"] = DECAY * p[f"{name}.moving_variance"] + (1 - DECAY) * unbiased
            scale = p[f"{name}.gamma"] * lax.rsqrt(variance + EPSILON)
            return x * scale[:, None, None] + (p[f"{name}.beta"] - mean * scale)[:, None, None]

        def convolved(name, x, stride=1):
            return _training.convolution(x, p[f"{name}.weight"], stride, "SAME")

        x = jax.nn.relu(normal("norm", convolved("conv", x)))
        for name, _, _, stride in _blocks():
            shortcut = x if stride == 1 else normal(f"{name}.down.1", convolved(f"{name}.down.0", x, stride))
            x = jax.nn.relu(normal(f"{name}.norm1", convolved(f"{name}.conv1", x, stride)))
            x = jax.nn.relu(normal(f"{name}.norm2", convolved(f"{name}.conv2", x)) + shortcut)
        logits = x.mean((2, 3)) @ p["fc.weight"].T + p["fc.bias"]
        return _training.cross_entropy(logits, labels), new

    return _training.jax_step(apply, _shapes(), *_training.images(BATCH, 3, 32), compiled=compiled)
