"""A training step of LeNet-5."""

from . import _training

TITLE = "training step, LeNet-5, Momentum, batch 32"
SHAPES = {
    "conv1.weight": (6, 1, 5, 5), "conv2.weight": (16, 6, 5, 5), "fc1.weight": (120, 400), "fc1.bias": (120,),
    "fc2.weight": (84, 120), "fc2.bias": (84,), "fc3.weight": (10, 84), "fc3.bias": (10,),
}  # fmt: skip


def network():
    """LeNet-5, in MindSpore."""
    from mindspore import nn

    class LeNet5(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
            self.fc1 = nn.Dense(400, 120)
            self.fc2 = nn.Dense(120, 84)
            self.fc3 = nn.Dense(84, 10)
            self.relu = nn.ReLU()
            self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
            self.flatten = nn.Flatten()

        def construct(self, x):
            x = self.max_pool2d(self.relu(self.conv1(x)))
            x = self.max_pool2d(self.relu(self.conv2(x)))
            x = self.relu(self.fc1(self.flatten(x)))
            return self.fc3(self.relu(self.fc2(x)))

    return LeNet5()


def mindspore_step():
    from mindspore import nn

    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _training.mindspore_step(network(), loss, *_training.images(32, 1, 32))


def jax_loss():
    """The loss in JAX, the Parameters' shapes, and the batch."""
    import jax
    from jax import lax

    def pooled(x):
        return lax.reduce_window(x, -float("inf"), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

    def apply(p, x, labels):
        x = pooled(jax.nn.relu(_training.convolution(x, p["conv1.weight"])))
        x = pooled(jax.nn.relu(_training.convolution(x, p["conv2.weight"])))
        x = x.reshape(len(x), -1)
        for name in ("fc1", "fc2"):
            x = jax.nn.relu(x @ p[f"{name}.weight"].T + p[f"{name}.bias"])
        return _training.cross_entropy(x @ p["fc3.weight"].T + p["fc3.bias"], labels), {}

    return apply, SHAPES, *_training.images(32, 1, 32)


def jax_step(compiled):
    return _training.jax_step(*jax_loss(), compiled=compiled)
